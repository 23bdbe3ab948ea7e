package check

import "freehold/ir"

// ComparisonOp is any of the operations that compare two tensors.
type ComparisonOp struct{ *ir.Op }

// Actual returns what has been computed.
func (o ComparisonOp) Actual() *ir.Value { return o.Operand(0) }

// Expected returns what it should be.
func (o ComparisonOp) Expected() *ir.Value { return o.Operand(1) }
