package normalize

import (
	"freehold/dialect/linalg"
	"freehold/dialect/scf"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// RemakeHanded makes tensors that are empty, or filled with a number from before a loop, again behind the loop and in its body, if the loop hands them on: as what its condition makes, or, of a loop
// that counts, as what it begins with and what each iteration yields. Kept, each of them is a buffer for as long as the loop runs, and which one it is changes from iteration to iteration. It returns how
// many values aren't handed on any more. Linear time.
func RemakeHanded(fn *ir.Op) (n int) {
	b := ir.NewBuilder(fn.Context())
	fn.WalkPostOrder(func(op *ir.Op) {
		switch {
		case op.Is(scf.While):
			w := scf.WhileOp{Op: op}
			for i, v := range w.Condition().Args().Values() {
				n += remakeHanded(b, op, i, w.After().Arg(i), v)
			}
		case op.Is(scf.For):
			f := scf.ForOp{Op: op}
			for i, v := range f.Yield().Operands().Values() {
				if isSameMade(v, f.Inits().At(i), op) {
					n += remakeHanded(b, op, i, f.IterArgs()[i], v)
				}
			}
		}
	})
	return n
}

// remakeHanded makes v again where argument arg of the body and result i of a loop are used, if it can be made there; it returns 1 then, else 0.
func remakeHanded(b *ir.Builder, loop *ir.Op, i int, arg, v *ir.Value) int {
	if !arg.HasUses() && !loop.Result(i).HasUses() || !isMadeOutside(v, loop) {
		return 0
	}
	b.SetStart(arg.ParentBlock())
	arg.ReplaceAllUsesWith(madeAgain(b, loop, v))
	b.SetAfter(loop)
	loop.Result(i).ReplaceAllUsesWith(madeAgain(b, loop, v))
	return 1
}

// isMadeOutside tells whether an operation in a loop makes a tensor that could as well be made before it: an empty one of known size, or one that is filled with a number from there.
func isMadeOutside(v *ir.Value, loop *ir.Op) bool {
	op := v.DefiningOp()
	switch {
	case op == nil || !loop.IsProperAncestorOf(op):
		return false
	case op.Is(tensor.Empty):
		return op.NumOperands() == 0
	case op.Is(linalg.Fill) && op.NumResults() == 1:
		return isMadeBefore(op.Operand(0), loop) && isMadeOutside(op.Operand(1), loop)
	}
	return false
}

// isMadeBefore tells whether a value comes from outside a loop, or is a constant.
func isMadeBefore(v *ir.Value, loop *ir.Op) bool {
	if op := v.DefiningOp(); op != nil {
		return op.Has(ir.TraitConstantLike) || !loop.IsAncestorOf(op)
	}
	return !loop.IsAncestorOf(interfaces.OwnerOf(v))
}

// isSameMade tells whether what a loop yields is made as what it begins with.
func isSameMade(yielded, init *ir.Value, loop *ir.Op) bool {
	a, c := yielded.DefiningOp(), init.DefiningOp()
	if a == nil || c == nil || a.ID() != c.ID() || !isMadeOutside(yielded, loop) {
		return false
	}
	if a.Is(tensor.Empty) {
		return true
	}
	x, y := a.Operand(0), c.Operand(0)
	return x == y || ir.ConstantOf(x) != nil && ir.ConstantOf(x) == ir.ConstantOf(y)
}

// madeAgain makes a tensor again, of what there is outside a loop that it is made in.
func madeAgain(b *ir.Builder, loop *ir.Op, v *ir.Value) *ir.Value {
	op, m := v.DefiningOp(), ir.NewMapping()
	for _, x := range op.Operands().Values() {
		if def := x.DefiningOp(); def != nil && loop.IsAncestorOf(def) {
			b.Clone(def, m)
		}
	}
	return b.Clone(op, m).Result(0)
}
