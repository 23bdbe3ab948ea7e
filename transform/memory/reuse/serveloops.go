package reuse

import (
	"slices"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// serveLoop lets buffers that were freed before a loop serve for buffers of the same sizes, which aren't known, that each
// iteration allocates and frees. It returns the frees that are left.
//
// No more memory is needed at a time then, however often the loop iterates: since the buffer was freed no more was alive than
// right before; before the other is allocated, iterations allocate and free nothing, so that as much was alive there as where
// it is allocated; and after it is freed, no more is alive than right before.
func (r *reuser) serveLoop(loop *ir.Op, freed []*ir.Op) []*ir.Op {
	if !interfaces.LoopLike.Has(loop) || loop.Has(ir.TraitParallelRegion) {
		return freed
	}
	var blocks []*ir.Block
	for _, region := range loop.Regions() {
		if region.NumBlocks() != 1 {
			return freed
		}
		blocks = append(blocks, region.Entry())
	}
	for i := 0; i < len(freed); i++ {
		free := freed[i]
		v := memref.DeallocOp{Op: free}.MemRef()
		if v.DefiningOp().NumOperands() == 0 {
			continue
		}
		alloc := r.madeAgain(blocks, v)
		if alloc == nil || len(r.parts[v]) >= mostParts || r.balance.growsSince(free) {
			continue
		}
		w := alloc.Result(0)
		align(v.DefiningOp(), alloc)
		r.freedOnce(w).Erase()
		r.join(v, w)
		w.ReplaceAllUsesWith(v)
		alloc.Erase()
		r.balance.remove(free)
		free.MoveAfter(loop)
		freed = slices.Delete(freed, i, i+1)
		r.served++
		i--
	}
	return freed
}

// madeAgain returns what allocates a buffer like v in each iteration of a loop with the given blocks, if v may serve for it.
func (r *reuser) madeAgain(blocks []*ir.Block, v *ir.Value) (alloc *ir.Op) {
	for _, b := range blocks {
		var free *ir.Op
		var after *balance
		for op := range b.Ops() {
			if free == nil && alloc == nil && op.Is(memref.Alloc) && op.Result(0).Type() == v.Type() && slices.Equal(op.Operands().Values(), v.DefiningOp().Operands().Values()) {
				if free = r.freedOnce(op.Result(0)); free == nil || free.Block() != b {
					return nil
				}
				alloc = op
				continue
			}
			switch {
			case after != nil:
				if after.add(op); grows(after.changes) {
					return nil
				}
			case op == free:
				after = newBalance()
			case free == nil && changesMemory(op):
				return nil
			}
		}
	}
	return alloc
}

// changesMemory tells whether an operation, or one in it, may allocate or free memory.
func changesMemory(op *ir.Op) (may bool) {
	if mayAllocate(op) {
		return true
	}
	op.Walk(func(o *ir.Op) bool {
		for i := range o.NumOperands() {
			may = may || analysis.MayFree(o, i)
		}
		return !may
	})
	return may
}
