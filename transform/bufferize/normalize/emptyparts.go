package normalize

import (
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// shrinkEmpties does [ShrinkEmpty] for all empty tensors of a function. It returns how many it made. Linear time.
func shrinkEmpties(fn *ir.Op) (n int) {
	var empties []*ir.Op
	fn.Walk(func(op *ir.Op) bool {
		if op.Is(tensor.Empty) {
			empties = append(empties, op)
		}
		return true
	})
	b := ir.NewBuilder(fn.Context())
	for _, empty := range empties {
		n += ShrinkEmpty(b, empty)
	}
	return n
}

// ShrinkEmpty replaces slices and reshapes of an empty tensor by empty tensors of their size, and those of what it made, if only these, and sizes,
// are used of it: what is inserted into it needs all of it. It returns how many it replaced.
func ShrinkEmpty(b *ir.Builder, empty *ir.Op) (n int) {
	v := empty.Result(0)
	if !v.HasUses() {
		return 0
	}
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if op := u.Owner(); u.Index() > 0 || !op.Is(tensor.Dim) && (viewed(op) != v || interfaces.IsCast(op) || partOf(op) == nil) {
			return 0
		}
	}
	for _, u := range v.Uses() {
		op := u.Owner()
		if op.Is(tensor.Dim) {
			continue
		}
		b.SetBefore(op)
		b.Loc = op.Loc()
		made := tensor.NewEmptyOf(b, op.Result(0).Type().(*ir.RankedTensorType), partOf(op))
		op.Result(0).ReplaceAllUsesWith(made)
		op.Erase()
		n += 1 + ShrinkEmpty(b, made.DefiningOp())
	}
	if !v.HasUses() {
		empty.Erase()
	}
	return n
}

// partOf returns the sizes of a slice or reshape that aren't known from its type, and nil if some aren't operands of it.
func partOf(op *ir.Op) []*ir.Value {
	t, ok := op.Result(0).Type().(*ir.RankedTensorType)
	if !ok {
		return nil
	}
	dynamic := []*ir.Value{}
	switch {
	case ir.IsStaticShape(t.Shape):
	case op.Is(tensor.ExtractSlice) && len(t.Shape) == len(interfaces.SliceOf(op).Sizes):
		_, dynamic = shapes.SplitMixed(interfaces.SliceOf(op).Sizes)
	default:
		return nil
	}
	return dynamic
}
