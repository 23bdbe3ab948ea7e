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
