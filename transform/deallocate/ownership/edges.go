package ownership

import (
	"freehold/dialect/cf"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// splitEdges puts a block on each edge of the terminators with several successors,
// and returns the block that each of them comes from. In the new blocks, unlike
// before the terminator, it is certain where control goes and what is needed
// there. Only terminators that don't tell what they pass keep their own rule.
func splitEdges(fn *ir.Op) (from map[*ir.Block]*ir.Block, err error) {
	from = map[*ir.Block]*ir.Block{}
	var split []*ir.Op
	fn.Walk(func(op *ir.Op) bool {
		if op.NumSuccessors() > 1 {
			_, branch := interfaces.Branch.Of(op)
			if branch || !interfaces.BufferDeallocation.Has(op) {
				split = append(split, op)
			}
		}
		return true
	})
	b := ir.NewBuilder(fn.Context())
	for _, op := range split {
		m, ok := interfaces.Branch.Of(op)
		if !ok {
			return nil, op.PlainErrorf("terminators with several successors need to implement the BranchOpInterface")
		}
		for i := range op.NumSuccessors() {
			to := op.Successor(i)
			if to.IsEntry() {
				return nil, op.PlainErrorf("entry block of region may not have predecessors")
			}
			_, _, produced := m.SuccessorOperands(op, i)
			for _, a := range to.Args()[:produced] {
				if isMemRef(a) {
					return nil, op.PlainErrorf("buffers that the terminator produces are not supported")
				}
			}
			edge := cf.SplitEdge(b, op, i)
			from[edge] = op.Block()
		}
	}
	return from, nil
}
