package index

import "freehold/ir"

// binaryOp is any of the operations with the operands lhs and rhs.
type binaryOp struct{ *ir.Op }

// LHS returns the left operand.
func (o binaryOp) LHS() *ir.Value { return o.Operand(0) }

// RHS returns the right operand.
func (o binaryOp) RHS() *ir.Value { return o.Operand(1) }
