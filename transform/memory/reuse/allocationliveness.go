package reuse

import (
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// OptimizeAllocationLiveness moves the deallocation of each allocation in fn that has just
// one, in the same block, behind the last operation of the block that uses the buffer by one
// of its names: the pass optimize-allocation-liveness, as LLVM 22 has it. It looks neither
// at conditions nor at addresses. What MLIR's pass makes invalid stays as it is: buffers
// whose last use is a terminator, and those that memref.realloc frees. It returns how many
// deallocations it moved. Linear in the uses of all names of the buffers.
func OptimizeAllocationLiveness(fn *ir.Op) (moved int) {
	var buffers []*ir.Value
	fn.Walk(func(op *ir.Op) bool {
		effects, _ := interfaces.EffectsOf(op)
		for _, e := range effects {
			if e.AllocatesMemRef(op) {
				buffers = append(buffers, e.Value(op))
			}
		}
		return true
	})
	if len(buffers) == 0 {
		return 0
	}
	b := analysis.NewBuffers(fn, analysis.BufferOptions{})
	for _, v := range buffers {
		if free := onlyFree(v); free != nil && moveBehindLastUse(b, v, free) {
			moved++
		}
	}
	return moved
}

// onlyFree returns the operation that frees v, if there is one in its block and no other.
func onlyFree(v *ir.Value) (free *ir.Op) {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if !interfaces.HasEffect(u.Owner(), interfaces.Free, v) {
			continue
		}
		if free != nil || u.Owner().Block() != v.ParentBlock() || u.Owner().NumResults() > 0 {
			return nil
		}
		free = u.Owner()
	}
	return free
}

func moveBehindLastUse(b *analysis.Buffers, v *ir.Value, free *ir.Op) bool {
	block := free.Block()
	var last *ir.Op
	b.Names(v, func(name *ir.Value) {
		if !ir.IsMemRef(name.Type()) {
			return // an address
		}
		for u := name.FirstUse(); u != nil; u = u.Next() {
			op := block.AncestorIn(u.Owner())
			if op != nil && op != free && (last == nil || last.IsBefore(op)) {
				last = op
			}
		}
	})
	if last == nil || last.Has(ir.TraitTerminator) || last == free.Prev() {
		return false
	}
	free.MoveAfter(last)
	return true
}
