package placement

import (
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// Hoist moves each allocation of a function up into the closest block that dominates all uses of the buffer, by whatever
// name, and returns how many it moved: out of branches, and out of regions, but neither out of loops nor above the
// values that its sizes are. A buffer that is freed by another name stays where it is: where an allocation is
// moved to, it is made on paths, too, on which that isn't the buffer's name. So does one that a function may free that is called: calls tells which those are; nil stands
// for all. dom must be the dominance of fn. It takes near-linear time.
//
// It is MLIR's buffer-hoisting, but that moves allocations out of loops of unstructured control flow if the
// buffer is passed to a block that the loop isn't the only way to, and knows frees by the allocation's own name only.
func Hoist(fn *ir.Op, dom *ir.Dominance, calls *analysis.CallSummaries) int {
	h := hoisting{dom: dom, nests: map[*ir.Region]*analysis.LoopNest{}}
	var allocs []allocation
	for _, a := range allocationsIn(fn) {
		if a.model.Hoisting()&interfaces.HoistBlock != 0 && a.frees <= 1 {
			allocs = append(allocs, a)
		}
	}
	if len(allocs) == 0 {
		return 0
	}
	buffers := analysis.NewBuffers(fn, analysis.BufferOptions{Calls: calls})
	dominators := commonDominators(buffers, dom, analysis.IsBuffer)
	freed := freedByOtherNames(buffers, calls)
	moved := 0
	for _, a := range allocs {
		bound := dominators.Of(a.buffer)
		if bound == nil || freed.Of(a.buffer) {
			continue
		}
		if d := h.dependency(a.op()); d != nil && d != bound && dom.BlockDominates(bound, d) {
			bound = d
		}
		if to := h.highest(a.op(), bound); to != a.op().Block() {
			moveInto(a.op(), to)
			moved++
		}
	}
	return moved
}

type hoisting struct {
	dom *ir.Dominance
	// nests are the loops of the regions that were looked at; nil if there are none.
	nests map[*ir.Region]*analysis.LoopNest
}

// dependency returns the block of the operand that is defined last; nil if there are no operands.
func (h *hoisting) dependency(op *ir.Op) *ir.Block {
	var last *ir.Block
	for _, v := range op.Operands().Values() {
		if b := v.ParentBlock(); last == nil || h.dom.BlockDominates(last, b) {
			last = b
		}
	}
	return last
}

// highest returns the highest block that op may be moved to: bound, which dominates op's, at most.
func (h *hoisting) highest(op *ir.Op, bound *ir.Block) *ir.Block {
	at := op.Block()
	for h.dom.IsReachable(at) {
		if bound.Region() == at.Region() {
			return h.highestInRegion(at, bound)
		}
		at = h.highestInRegion(at, at.Region().Entry())
		parent := at.ParentOp()
		if known, loop := passesControl(parent); !at.IsEntry() || !known || loop || parent.Block() == nil || !h.dom.IsReachable(parent.Block()) {
			return at
		}
		at = parent.Block()
	}
	return at
}

// highestInRegion is highest for a bound that dominates block at in the same region.
func (h *hoisting) highestInRegion(at, bound *ir.Block) *ir.Block {
	r := at.Region()
	if at == bound {
		return at
	}
	n, known := h.nests[r]
	if !known {
		if analysis.HasLoop(r) {
			n = analysis.NewLoopNest(r)
		}
		h.nests[r] = n
	}
	if n == nil || n.SameLoop(at, bound) {
		return bound
	}
	tree, top := h.dom.Tree(r), at
	for b := at; b != bound; {
		if b = tree.Idom(b); n.SameLoop(at, b) {
			top = b
		}
	}
	return top
}

// moveInto moves an operation to the end of a block that dominates it, or, if it is nested in the block, before the
// operation there that it is nested in.
func moveInto(op *ir.Op, b *ir.Block) {
	if at := b.AncestorIn(op); at != nil {
		op.MoveBefore(at)
	} else {
		op.MoveBefore(b.Last())
	}
}
