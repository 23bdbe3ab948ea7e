package footprint_test

import (
	"strings"
	"testing"

	"freehold/memory/footprint"
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

// A part that a function gets is over when it returns, unless that returns it, or keeps it.
func TestArenasOfCalls(t *testing.T) {
	const program = `
func.func private @callee(%x: memref<2xf32>, %part: memref<2xf32>, %c: i1) -> memref<2xf32> {
  %c0 = arith.constant 0 : index
  BODY
  return %r : memref<2xf32>
}
func.func @f(%x: memref<2xf32>, %y: memref<2xf32>, %c: i1) {
  %c0 = arith.constant 0 : index
  %m = memref.alloc() {freehold.arena} : memref<8xi8>
  %a = memref.view %m[%c0][] : memref<8xi8> to memref<2xf32>
  %r = func.call @callee(%x, %a, %c) : (memref<2xf32>, memref<2xf32>, i1) -> memref<2xf32>
  %b = memref.view %m[%c0][] : memref<8xi8> to memref<2xf32>
  memref.copy %x, %b : memref<2xf32> to memref<2xf32>
  memref.copy %r, %y : memref<2xf32> to memref<2xf32>
  memref.dealloc %m : memref<8xi8>
  return
}`
	for _, x := range []struct {
		body string
		ok   bool
	}{
		{"%r = memref.cast %x : memref<2xf32> to memref<2xf32>", true},
		{"%r = arith.select %c, %x, %part : memref<2xf32>", false},
		{"%r = memref.cast %part : memref<2xf32> to memref<2xf32>", false},
		{`%r = scf.if %c -> (memref<2xf32>) {
    %s = func.call @callee(%part, %x, %c) : (memref<2xf32>, memref<2xf32>, i1) -> memref<2xf32>
    scf.yield %s : memref<2xf32>
  } else {
    scf.yield %x : memref<2xf32>
  }`, false},
	} {
		arenas := footprint.Arenas(parse(t, strings.ReplaceAll(program, "BODY", x.body)))
		if len(arenas) != 1 || (arenas[0].Check() == nil) != x.ok {
			t.Errorf("%s: %d arenas, want ok %v", x.body, len(arenas), x.ok)
		}
	}
}
