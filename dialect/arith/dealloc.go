package arith

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// selectDealloc chooses between the ownerships of two buffers as the operation
// does between the buffers.
type selectDealloc struct{}

func (selectDealloc) Deallocate(*ir.Op, interfaces.DeallocationState) error { return nil }

func (selectDealloc) Materialize(op *ir.Op, s interfaces.DeallocationState) *ir.Value {
	yes := s.Indicator(op.Operand(1), op.Block())
	if yes == nil {
		return nil
	}
	no := s.Indicator(op.Operand(2), op.Block())
	if no == nil {
		return nil
	}
	s.Builder().Loc = op.Loc()
	return NewSelect(s.Builder(), op.Operand(0), yes, no)
}

// selectFlow: the result is one of the two buffers.
type selectFlow struct{}

func (selectFlow) Dependencies(op *ir.Op, depends func(from, to *ir.Value)) {
	depends(op.Operand(1), op.Result(0))
	depends(op.Operand(2), op.Result(0))
}

func (selectFlow) MayBeTerminalBuffer(*ir.Op, *ir.Value) bool { return false }
