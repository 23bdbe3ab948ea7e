package footprint_test

import (
	"strings"
	"testing"

	"freehold/footprint"
)

// Parts of an arena that overlap must not be alive at the same time, nor end behind it.
func TestArenas(t *testing.T) {
	const program = `
func.func @f(%x: memref<2xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %at = arith.constant AT : index
  %m = memref.alloc() {freehold.arena} : memref<SIZExi8>
  %a = memref.view %m[%c0][] : memref<SIZExi8> to memref<2xf32>
  memref.copy %x, %a : memref<2xf32> to memref<2xf32>
  scf.for %i = %c0 to %n step %c1 {
    %b = memref.view %m[%at][] : memref<SIZExi8> to memref<2xf32>
    memref.copy USED, %b : memref<2xf32> to memref<2xf32>
    memref.copy %b, %x : memref<2xf32> to memref<2xf32>
  }
  memref.dealloc %m : memref<SIZExi8>
  return
}`
	for _, x := range []struct{ at, size, used, message string }{
		{"8", "16", "%a", ""},
		{"0", "16", "%x", ""},
		{"4", "16", "%a", "parts of the arena overlap while both are alive"},
		{"8", "12", "%a", "the arena has 12 bytes, but parts up to byte 16"},
		{"0", "8", "%x", ""},
		{"2", "16", "%x", ""},
	} {
		m := parse(t, strings.NewReplacer("AT", x.at, "SIZE", x.size, "USED", x.used).Replace(program))
		arenas := footprint.Arenas(m)
		if len(arenas) != 1 || len(arenas[0].Parts) != 2 {
			t.Fatalf("%d arenas", len(arenas))
		}
		got := ""
		if d := arenas[0].Check(); d != nil {
			got = d.Message
		}
		if got != x.message {
			t.Errorf("at %s of %s: %q, not %q", x.at, x.size, got, x.message)
		}
	}
}
