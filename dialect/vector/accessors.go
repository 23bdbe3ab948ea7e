package vector

import "freehold/ir"

// ProductOp is any of the operations that multiply two vectors: vector.contract, vector.outerproduct and vector.matrix_multiply.
type ProductOp struct{ *ir.Op }

// LHS returns the left factor.
func (o ProductOp) LHS() *ir.Value { return o.Operand(0) }

// RHS returns the right factor.
func (o ProductOp) RHS() *ir.Value { return o.Operand(1) }

// MaskedAccessOp is any of the operations that access elements of a base that a mask chooses: masked loads and stores, expanding loads,
// compressing stores, gathers and scatters.
type MaskedAccessOp struct{ *ir.Op }

// Base returns what is accessed.
func (o MaskedAccessOp) Base() *ir.Value { return o.Operand(0) }
