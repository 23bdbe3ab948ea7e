package dialect_test

import (
	"testing"

	"freehold/dialect"
	"freehold/dialect/arith"
	"freehold/ir"
)

// New operations are where erased ones were, with nothing left of these.
func TestRecycle(t *testing.T) {
	c := ir.NewContext(dialect.All()...)
	a := &ir.Arena{Recycles: true}
	b := ir.NewBuilderIn(c, a)
	block := ir.NewBlock()
	b.SetEnd(block)
	one, two := arith.ConstantIndex(b, 1), arith.ConstantIndex(b, 2)
	sum := arith.New(b, arith.AddI, one, two).DefiningOp()
	sum.SetLoc(&ir.NameLoc{Name: "sum"})
	sum.SetMark(7)
	old := sum.Result(0)
	b.Erase(sum)
	if other := arith.New(b, arith.AddI, two, two); other == old {
		t.Error("what is erased was used again before Recycle")
	}
	if !a.Recycle() || a.Recycle() {
		t.Error("Recycle doesn't tell whether something was erased")
	}
	product := arith.New(b, arith.MulI, two, one).DefiningOp()
	if product != sum || product.Result(0) != old {
		t.Fatal("what was erased isn't used again")
	}
	if product.Mark() != 0 || product.Loc() != ir.Location(ir.Unknown) || product.Operand(0) != two || product.Operand(1) != one ||
		product.Result(0).HasUses() || product.Result(0).DefiningOp() != product || product.Block() != block || block.Last() != product {
		t.Errorf("something is left of the old operation: %v", product)
	}
	if n := len(one.Uses()); n != 1 {
		t.Errorf("%d uses of the first constant, want 1", n)
	}
}

// What is erased twice, stands in a block again or has users is left alone.
func TestRecycleKeeps(t *testing.T) {
	c := ir.NewContext(dialect.All()...)
	a := &ir.Arena{Recycles: true}
	b := ir.NewBuilderIn(c, a)
	block := ir.NewBlock()
	b.SetEnd(block)
	twice, again, used := arith.ConstantIndex(b, 1).DefiningOp(), arith.ConstantIndex(b, 2).DefiningOp(), arith.ConstantIndex(b, 3).DefiningOp()
	for _, o := range []*ir.Op{twice, twice, again, used} {
		a.Erase(o)
	}
	b.Insert(again)
	arith.New(b, arith.AddI, used.Result(0), used.Result(0))
	a.Recycle()
	seen := map[*ir.Op]bool{again: true, used: true}
	for range 8 {
		o := arith.ConstantIndex(b, 4).DefiningOp()
		if seen[o] {
			t.Fatal("an operation is two")
		}
		seen[o] = true
	}
	if !seen[twice] {
		t.Error("what was erased twice isn't used again at all")
	}
	a = &ir.Arena{Recycles: true}
	b = ir.NewBuilderIn(c, a)
	b.SetEnd(block)
	gone := arith.ConstantIndex(b, 5).DefiningOp()
	b.Erase(gone)
	a.Forget()
	a.Recycle()
	if arith.ConstantIndex(b, 6).DefiningOp() == gone {
		t.Error("what was forgotten is used again")
	}
}
