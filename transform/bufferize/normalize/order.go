package normalize

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// OrderByNeed moves operations without effects to where their results are needed, in a depth-first order that depends on what a program
// computes and not on how it is written: of the operands of an operation, the one is computed first that takes the most memory beyond its result,
// as Sethi and Ullman do it for registers. Where the order that is there is estimated to take less memory, it stays. It returns how many
// blocks have another order. Near-linear time.
// Functions with buffers stay as they are: what is read of a buffer must be read before others write to it.
func OrderByNeed(fn *ir.Op) (n int) {
	if hasBuffers(fn) {
		return 0
	}
	var blocks []*ir.Block
	dominance := ir.NewDominance()
	fn.Walk(func(op *ir.Op) bool {
		if interfaces.Structured.Has(op) {
			return false
		}
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				if ir.HasSSADominance(r) && dominance.IsReachable(b) { // elsewhere, values may be used before they are defined
					blocks = append(blocks, b)
				}
			}
		}
		return true
	})
	for _, b := range slices.Backward(blocks) {
		if orderBlock(b) {
			n++
		}
	}
	return n
}

// ordering finds an order for the operations of a block.
type ordering struct {
	block *ir.Block
	nodes map[*ir.Op]*node
	order []*ir.Op
	// contested says of tensors whether it makes no difference which operations that use them come first.
	contested map[*ir.Value]bool
}

// orderBlock orders one block.
func orderBlock(b *ir.Block) bool {
	ops := slices.Collect(b.Ops())
	tensors := 0
	for _, op := range ops {
		if interfaces.HasTensorTypes(op) {
			tensors++
		}
	}
	if tensors < 3 {
		return false
	}
	o := &ordering{block: b, contested: map[*ir.Value]bool{}, nodes: map[*ir.Op]*node{}}
	for _, op := range ops {
		o.weigh(op)
	}
	// What has no effects comes where it is needed, and what nobody needs stays before the end.
	last := o.nodes[b.Last()]
	for _, op := range ops {
		if op != last.op && !isMovable(op) {
			o.emit(o.nodes[op])
		}
	}
	for _, n := range last.needs {
		o.emit(n)
	}
	for _, op := range ops {
		if op != last.op {
			o.emit(o.nodes[op])
		}
	}
	o.emit(last)
	if slices.Equal(o.order, ops) || estimate(ops) < estimate(o.order) {
		return false
	}
	for _, op := range o.order {
		op.MoveToEnd(b)
	}
	return true
}

// emit puts an operation behind what it needs.
func (o *ordering) emit(n *node) {
	if n.done {
		return
	}
	n.done = true
	for _, x := range n.needs {
		o.emit(x)
	}
	o.order = append(o.order, n.op)
}

// isMovable tells whether an operation may come anywhere after what it needs. Constants stay, at the start of functions mostly.
func isMovable(op *ir.Op) bool {
	return !op.Has(ir.TraitTerminator) && !op.Has(ir.TraitConstantLike) && interfaces.IsMemoryEffectFree(op)
}

// hasBuffers tells whether a function has memrefs. Tensors may be what is in them then.
func hasBuffers(fn *ir.Op) (found bool) {
	fn.Walk(func(op *ir.Op) bool {
		found = found || interfaces.HasMemRefTypes(op)
		return !found
	})
	return found
}
