package index

import "freehold/ir"

// BinaryOp is any of the operations with the operands lhs and rhs.
type BinaryOp struct{ *ir.Op }

// LHS returns the left operand.
func (o BinaryOp) LHS() *ir.Value { return o.Operand(0) }

// RHS returns the right operand.
func (o BinaryOp) RHS() *ir.Value { return o.Operand(1) }
