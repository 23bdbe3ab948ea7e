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
	yes := s.Indicator(SelectOp{op}.TrueValue(), op.Block())
	if yes == nil {
		return nil
	}
	no := s.Indicator(SelectOp{op}.FalseValue(), op.Block())
	if no == nil {
		return nil
	}
	s.Builder().Loc = op.Loc()
	return NewSelect(s.Builder(), SelectOp{op}.Condition(), yes, no)
}

// selectFlow: the result is one of the two buffers.
type selectFlow struct{}

func (selectFlow) Dependencies(op *ir.Op, depends func(from, to *ir.Value)) {
	depends(SelectOp{op}.TrueValue(), op.Result(0))
	depends(SelectOp{op}.FalseValue(), op.Result(0))
}

func (selectFlow) MayBeTerminalBuffer(*ir.Op, *ir.Value) bool { return false }
