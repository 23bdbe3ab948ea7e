package ownership

import (
	"freehold/dialect/cf"
	"freehold/iface"
	"freehold/ir"
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
			_, branch := iface.Branch.Of(op)
			if _, own := iface.BufferDeallocation.Of(op); branch || !own {
				split = append(split, op)
			}
		}
		return true
	})
	b := ir.NewBuilder(fn.Context())
	for _, op := range split {
		m, ok := iface.Branch.Of(op)
		if !ok {
			return nil, op.PlainErrorf("terminators with several successors need to implement the BranchOpInterface")
		}
		b.Loc = op.Loc()
		for i := range op.NumSuccessors() {
			to := op.Successor(i)
			start, n, produced := m.SuccessorOperands(op, i)
			edge := ir.NewBlock()
			to.Region().InsertBefore(edge, to)
			if to.IsEntry() {
				return nil, op.PlainErrorf("entry block of region may not have predecessors")
			}
			var pass []*ir.Value
			for j := range produced {
				if isMemRef(to.Arg(j)) {
					return nil, op.PlainErrorf("buffers that the terminator produces are not supported")
				}
				pass = append(pass, edge.AddArg(to.Arg(j).Type(), to.Arg(j).Loc()))
			}
			pass = append(pass, op.Operands()[start:start+n].Values()...)
			m.SetSuccessorOperands(op, i, nil)
			op.SetSuccessor(i, edge)
			b.SetEnd(edge)
			cf.NewBranch(b, to, pass...)
			from[edge] = op.Block()
		}
	}
	return from, nil
}
