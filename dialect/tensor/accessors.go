package tensor

import "freehold/ir"

// ReassociationOp is a tensor.expand_shape or tensor.collapse_shape.
type ReassociationOp struct{ *ir.Op }

// Src returns the tensor that gets another shape.
func (o ReassociationOp) Src() *ir.Value { return o.Operand(0) }
