package prepare

import (
	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// copyReturned copies an argument that may not be written before the branches that put something into parts of it, or don't, if a function returns what they make of it: they work in
// the copy, which is returned then. Each branch that changes the argument would need a buffer besides that of the result else, as it is known at run time only whether one does.
func copyReturned(b *ir.Builder, fn *ir.Op, arg *ir.Value) {
	ret := interfaces.UniqueTerminator(fn.RegionAt(0), func(op *ir.Op) bool { return op.Has(ir.TraitReturnLike) })
	if ret == nil || ret.Block() != arg.ParentBlock() {
		return
	}
	for i := range ret.NumOperands() {
		var starts []*ir.Use
		if madeOf(ret.OperandUse(i), arg, &starts) && len(starts) > 1 {
			copyFor(b, arg, starts)
		}
	}
}

// copyFor copies an argument for some of its uses.
func copyFor(b *ir.Builder, arg *ir.Value, uses []*ir.Use) {
	var first *ir.Op
	for _, u := range uses {
		if at := arg.ParentBlock().AncestorIn(u.Owner()); first == nil || at.IsBefore(first) {
			first = at
		}
	}
	b.SetBefore(first)
	b.Loc = first.Loc()
	own := bufferization.NewAllocTensor(b, arg.Type(), nil, arg, nil)
	for _, u := range uses {
		u.Set(own)
	}
}

// madeOf tells whether what an operand is given is a tensor in which branches, on all ways, have put something into parts of it, or nothing. It adds the uses of the tensor for that
// to a list.
func madeOf(u *ir.Use, tensor *ir.Value, starts *[]*ir.Use) bool {
	v := u.Value()
	if v == tensor {
		*starts = append(*starts, u)
		return true
	}
	op := v.DefiningOp()
	if op == nil || !v.HasOneUse() {
		return false
	}
	if into := interfaces.TiedInit(v); into != nil && op.NumRegions() == 0 {
		return madeOf(into, tensor, starts)
	}
	ends := endsOf(op)
	for _, end := range ends {
		if !madeOf(end.OperandUse(v.Index()), tensor, starts) {
			return false
		}
	}
	return len(ends) > 0
}

// endsOf returns what ends the branches of an operation and hands on its results, if it has nothing but branches.
func endsOf(branch *ir.Op) (ends []*ir.Op) {
	if !interfaces.RegionBranch.Has(branch) || interfaces.LoopLike.Has(branch) {
		return nil
	}
	for _, r := range branch.Regions() {
		if r.NumBlocks() != 1 || r.Entry().NumArgs() > 0 {
			return nil
		}
		end := r.Entry().Last()
		if end == nil || !end.Has(ir.TraitReturnLike) || end.NumOperands() != branch.NumResults() {
			return nil
		}
		ends = append(ends, end)
	}
	return ends
}
