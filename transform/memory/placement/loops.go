package placement

import (
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// HoistFromLoops moves each allocation of a function out of the sequential loops whose body it is in, as far as the
// values that its sizes are allow, and returns how many it moved. A buffer that the loop passes on to its next
// iteration, or out of it, by whatever name or as an address, stays: the next iteration would write what it still
// reads. So does one that is freed in another way than by one operation of the loop's body, such as by a function that is called (see [Hoist] for calls); the free is moved
// behind the loop. dom must be the dominance of fn. It takes time in the size of the program and the depth of loops.
//
// It is MLIR's buffer-loop-hoisting, but that leaves frees in the loop, follows neither addresses nor tensors,
// and takes affine.parallel for a sequential loop.
func HoistFromLoops(fn *ir.Op, dom *ir.Dominance, calls *analysis.CallSummaries) int {
	var allocs []allocation
	for _, a := range allocationsIn(fn) {
		if sequentialLoop(a.op().Parent()) && a.model.Hoisting()&interfaces.HoistLoop != 0 && a.frees <= 1 {
			allocs = append(allocs, a)
		}
	}
	if len(allocs) == 0 {
		return 0
	}
	buffers := analysis.NewBuffers(fn, analysis.BufferOptions{Calls: calls})
	dominators := commonDominators(buffers, dom, nil)
	freed := freedByOtherNames(buffers, calls)
	later := usedLater(buffers, calls)
	h := hoisting{dom: dom}
	depth := depths{}
	moved := 0
	for _, a := range allocs {
		op := a.op()
		free, ok := freeOf(a)
		top := dominators.Of(a.buffer)
		if !ok || top == nil || freed.Of(a.buffer) || stays(buffers, a.buffer, later) {
			continue
		}
		bound := h.dependency(op)
		out := op
		// What dominates op is around it: how deep it is tells whether it is in a loop around op.
		for loop := op.Parent(); sequentialLoop(loop); loop = loop.Parent() {
			if n := depth.of(loop.Region()); depth.of(top.Region()) <= n || bound != nil && depth.of(bound.Region()) > n {
				break
			}
			out = loop
		}
		if out == op {
			continue
		}
		op.MoveBefore(out)
		if free != nil {
			free.MoveAfter(out)
		}
		moved++
	}
	return moved
}

// sequentialLoop tells whether op is a loop that doesn't execute its iterations at the same time.
func sequentialLoop(op *ir.Op) bool {
	_, loop := passesControl(op)
	return loop && !op.Has(ir.TraitParallelRegion)
}

// freeOf returns the operation that frees a buffer by its own name, if there is one, and whether that is in the
// block of the allocation and does nothing else.
func freeOf(a allocation) (free *ir.Op, ok bool) {
	if a.frees == 0 {
		return nil, true
	}
	u := a.buffer.FirstUse()
	for !interfaces.HasEffect(u.Owner(), interfaces.Free, a.buffer) {
		u = u.Next()
	}
	free = u.Owner()
	return free, analysis.FreesOnly(free, a.buffer) && free.Block() == a.op().Block() && free.NumResults() == 0
}
