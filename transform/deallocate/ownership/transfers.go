package ownership

import (
	"slices"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// checkTransfers rejects transfers between buffers that may go on when a buffer is freed. A
// buffer is freed at the end of the block that allocates it at the earliest (it counts as
// passed to somebody), or after a later wait in that block. So all waits of the function
// must be in that block, and there must be one.
func checkTransfers(fn *ir.Op) error {
	var starts, waits []*ir.Op
	fn.Walk(func(op *ir.Op) bool {
		switch m, ok := interfaces.LocalMemory.Of(op); {
		case !ok:
		case m == interfaces.UntilWait:
			starts = append(starts, op)
		case m == interfaces.AtWait:
			waits = append(waits, op)
		}
		return true
	})
	ends := map[*ir.Block]bool{} // whether transfers end before the block does
	for _, op := range starts {
		for _, v := range op.Operands().Values() {
			if !ir.IsMemRef(v.Type()) {
				continue
			}
			root := analysis.ViewBase(v)
			if !livesLong(root, fn) {
				return op.PlainErrorf("it is not known where a buffer of this transfer is allocated, so that it may be freed before the transfer ends")
			}
			b := root.ParentBlock()
			ok, known := ends[b]
			if !known {
				ok = len(waits) > 0 && !slices.ContainsFunc(waits, func(w *ir.Op) bool { return b.AncestorIn(w) == nil })
				ends[b] = ok
			}
			if !ok {
				return op.PlainErrorf("a buffer of this transfer may be freed before the transfer ends: the block that allocates it doesn't wait for it")
			}
		}
	}
	return nil
}

// livesLong tells whether a buffer is freed in the block where it is defined, or not in
// the function.
func livesLong(v *ir.Value, fn *ir.Op) bool {
	op := v.DefiningOp()
	if op == nil {
		return v.ArgOwner().ParentOp() == fn && v.ArgOwner().IsEntry()
	}
	if op.NumOperands() == 0 && op.Has(ir.TraitPure) {
		return true // a global
	}
	return interfaces.HasEffect(op, interfaces.Allocate, v)
}
