package campaign

import (
	"testing"

	"freehold/dialect"
	"freehold/internal/testing/irgen"
	"freehold/ir"
	"freehold/ir/asm"
)

// What is left in memory that the caller brings for an arena is nothing that two executions must agree on.
func TestArenaContents(t *testing.T) {
	const program = `func.func @main(%x: i32, %arena: memref<16xi8> {freehold.arena = 16 : i64}) {
  %c0 = arith.constant 0 : index
  %part = memref.view %arena[%c0][] : memref<16xi8> to memref<4xi32>
  memref.store %x, %part[%c0] : memref<4xi32>
  return
}`
	m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(program), "f", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if n := arenaArguments(m.BodyBlock(0).First()); n != 1 {
		t.Errorf("%d arguments are arenas", n)
	}
	x := &trial{seed: 1}
	if p := x.simply(nil, m); p != nil {
		t.Error(p)
	}
}

// What is only declared, as in a program that is made smaller, needs nothing that is known.
func TestPeakOfDeclaration(t *testing.T) {
	m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte("func.func private @main()"), "f", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if p := (&trial{}).bound(m, 1); p != nil {
		t.Error(p)
	}
}

// What functions that @main doesn't call need is no part of its peak.
func TestPeakOfMain(t *testing.T) {
	const program = `func.func private @other() {
  %a = memref.alloc() : memref<100xi8>
  memref.dealloc %a : memref<100xi8>
  return
}
func.func @main() {
  %a = memref.alloc() : memref<8xi8>
  memref.dealloc %a : memref<8xi8>
  return
}`
	m, err := asm.Parse(ir.NewContext(dialect.All()...), []byte(program), "f", asm.ParseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	o := &Options{Inputs: 1}
	x := &trial{o: o, g: irgen.Generator{Private: true}}
	var ran executed
	if p := x.compare(o.newProgram(x.g, 1, m), m, &ran); p != nil {
		t.Fatal(p)
	}
	if ran.stats.PeakBytes != 100 || ran.peak != 8 {
		t.Errorf("all functions need %d bytes, and @main %d", ran.stats.PeakBytes, ran.peak)
	}
	if p := x.bound(m, ran.peak); p != nil {
		t.Error(p)
	}
	if p := x.bound(m, ran.peak+1); p == nil {
		t.Error("more than the static peak is accepted")
	}
}
