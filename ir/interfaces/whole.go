package interfaces

import "freehold/ir"

// WholeInsertion is a [SubsetInsertionModel] for operations that overwrite all of a
// destination tensor with operand 0, such as copies; the destination is operand 1.
type WholeInsertion struct{}

// Source implements [SubsetInsertionModel].
func (WholeInsertion) Source(op *ir.Op) *ir.Use { return op.OperandUse(0) }

// Destination implements [SubsetInsertionModel].
func (WholeInsertion) Destination(op *ir.Op) *ir.Use { return op.OperandUse(1) }

// EquivalentSubset implements [SubsetInsertionModel].
func (w WholeInsertion) EquivalentSubset(op *ir.Op, candidate *ir.Value, equivalent func(a, b *ir.Value) bool) bool {
	return equivalent(candidate, w.Destination(op).Value())
}

// BuildExtraction returns the destination.
func (w WholeInsertion) BuildExtraction(_ *ir.Builder, op *ir.Op) *ir.Value {
	return w.Destination(op).Value()
}

// ValuesNeeded returns the destination.
func (w WholeInsertion) ValuesNeeded(op *ir.Op) []*ir.Value {
	return []*ir.Value{w.Destination(op).Value()}
}
