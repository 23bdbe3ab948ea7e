package arith

import (
	"freehold/iface"
	"freehold/ir"
)

// selectDealloc chooses between the ownerships of two buffers as the operation
// does between the buffers.
type selectDealloc struct{}

func (selectDealloc) Deallocate(op *ir.Op, s iface.DeallocationState) error {
	if !ir.IsMemRef(op.Result(0).Type()) {
		return nil
	}
	block, result := op.Block(), op.Result(0)
	yes, no := s.Ownership(op.Operand(1), block), s.Ownership(op.Operand(2), block)
	if yes.State != iface.Unique || no.State != iface.Unique {
		s.Join(result, block, yes)
		s.Join(result, block, no)
		return nil
	}
	s.Builder().Loc = op.Loc()
	owned := NewSelect(s.Builder(), op.Operand(0), yes.Indicator, no.Indicator)
	s.Join(result, block, iface.UniqueOwnership(owned))
	return nil
}

// selectFlow: the result is one of the two buffers.
type selectFlow struct{}

func (selectFlow) Dependencies(op *ir.Op, depends func(from, to *ir.Value)) {
	depends(op.Operand(1), op.Result(0))
	depends(op.Operand(2), op.Result(0))
}

func (selectFlow) MayBeTerminalBuffer(*ir.Op, *ir.Value) bool { return false }
