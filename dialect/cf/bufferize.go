package cf

import (
	"freehold/iface"
	"freehold/ir"
)

// branchBufferize is about the operands that branches pass to blocks: they become
// the buffers of the blocks' arguments. The operands are changed together with
// the blocks.
type branchBufferize struct{ iface.BufferizeDefaults }

func (branchBufferize) AliasingValues(u *ir.Use, _ iface.AnalysisState) []iface.AliasingValue {
	op := u.Owner()
	m, _ := iface.Branch.Of(op)
	for i := range op.NumSuccessors() {
		start, n, produced := m.SuccessorOperands(op, i)
		if u.Index() >= start && u.Index() < start+n {
			arg := op.Successor(i).Arg(produced + u.Index() - start)
			return []iface.AliasingValue{{Value: arg, Relation: iface.Equivalent, Definite: true}}
		}
	}
	return nil
}

func (branchBufferize) Bufferize(*ir.Op, iface.Bufferizer) error { return nil }
