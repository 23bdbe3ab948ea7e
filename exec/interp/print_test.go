package interp_test

import (
	"runtime"
	"strings"
	"testing"

	"freehold/exec/interp"
)

// What is printed in many parts is put together once.
func TestPrintsOften(t *testing.T) {
	const program = `func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 100000 : index
  scf.for %i = %c0 to %n step %c1 {
    vector.print str "abcdefgh"
  }
  return
}`
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	out := runText(t, program, interp.Options{}).Output()
	runtime.ReadMemStats(&after)
	if want := strings.Repeat("abcdefgh", 100000); out != want {
		t.Errorf("%d bytes are printed, not %d", len(out), len(want))
	}
	if n := after.TotalAlloc - before.TotalAlloc; n > 100<<20 {
		t.Errorf("that took %d bytes of memory", n)
	}
}

// What more calls print than are kept as effects isn't lost.
func TestPrintsOfManyCalls(t *testing.T) {
	const program = `func.func private @printMemrefI32(memref<*xi32>)
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 12000 : index
  %seven = arith.constant 7 : i32
  %m = memref.alloca() : memref<1xi32>
  memref.store %seven, %m[%c0] : memref<1xi32>
  %u = memref.cast %m : memref<1xi32> to memref<*xi32>
  scf.for %i = %c0 to %n step %c1 {
    func.call @printMemrefI32(%u) : (memref<*xi32>) -> ()
    vector.print str "then "
  }
  vector.print str "end"
  return
}`
	out := runText(t, program, interp.Options{}).Output()
	if n := strings.Count(out, "[7]"); n != 12000 {
		t.Errorf("%d buffers are printed, not 12000", n)
	}
	if n := strings.Count(out, "then "); n != 12000 || !strings.HasSuffix(out, "then end") {
		t.Errorf("%d texts are printed, not 12000, and at the end %q", n, out[max(0, len(out)-20):])
	}
}
