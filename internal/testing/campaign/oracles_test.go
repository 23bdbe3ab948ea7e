package campaign

import (
	"testing"

	"freehold/dialect"
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
