package arith

import "freehold/ir"

// BinaryOp is any of the operations with the operands lhs and rhs: arithmetic, bits, shifts, minima and maxima, and comparisons.
type BinaryOp struct{ *ir.Op }

// LHS returns the left operand.
func (o BinaryOp) LHS() *ir.Value { return o.Operand(0) }

// RHS returns the right operand.
func (o BinaryOp) RHS() *ir.Value { return o.Operand(1) }

// castOp is any of the conversions between types.
type castOp struct{ *ir.Op }

// In returns what is converted.
func (o castOp) In() *ir.Value { return o.Operand(0) }

// scalingOp is arith.scaling_extf or arith.scaling_truncf.
type scalingOp struct{ *ir.Op }

// In returns what is converted.
func (o scalingOp) In() *ir.Value { return o.Operand(0) }

// Scale returns the exponents that are multiplied with, or divided by.
func (o scalingOp) Scale() *ir.Value { return o.Operand(1) }
