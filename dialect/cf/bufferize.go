package cf

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// branchBufferize is about the operands that branches pass to blocks: they become
// the buffers of the blocks' arguments. The operands are changed together with
// the blocks.
type branchBufferize struct{ interfaces.BufferizeDefaults }

func (branchBufferize) AliasingValues(u *ir.Use, _ interfaces.AnalysisState) []interfaces.AliasingValue {
	op := u.Owner()
	m, _ := interfaces.Branch.Of(op)
	for i := range op.NumSuccessors() {
		start, n, produced := m.SuccessorOperands(op, i)
		if u.Index() >= start && u.Index() < start+n {
			arg := op.Successor(i).Arg(produced + u.Index() - start)
			return []interfaces.AliasingValue{{Value: arg, Relation: interfaces.Equivalent, Definite: true}}
		}
	}
	return nil
}

func (branchBufferize) Bufferize(*ir.Op, interfaces.Bufferizer) error { return nil }
