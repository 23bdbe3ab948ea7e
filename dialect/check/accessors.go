package check

import "freehold/ir"

// comparisonOp is any of the operations that compare two tensors.
type comparisonOp struct{ *ir.Op }

// Actual returns what has been computed.
func (o comparisonOp) Actual() *ir.Value { return o.Operand(0) }

// Expected returns what it should be.
func (o comparisonOp) Expected() *ir.Value { return o.Operand(1) }
