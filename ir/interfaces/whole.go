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
func (WholeInsertion) EquivalentSubset(op *ir.Op, candidate *ir.Value, equivalent func(a, b *ir.Value) bool) bool {
	return equivalent(candidate, op.Operand(1))
}

// BuildExtraction returns the destination.
func (WholeInsertion) BuildExtraction(_ *ir.Builder, op *ir.Op) *ir.Value { return op.Operand(1) }

// ValuesNeeded returns the destination.
func (WholeInsertion) ValuesNeeded(op *ir.Op) []*ir.Value { return []*ir.Value{op.Operand(1)} }
