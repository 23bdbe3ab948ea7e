package stablehlo

import "freehold/ir"

// ProductOp is any of the operations that sum products of two tensors: dot products and convolutions.
type ProductOp struct{ *ir.Op }

// LHS returns the left factor, or the input of a convolution.
func (o ProductOp) LHS() *ir.Value { return o.Operand(0) }

// RHS returns the right factor, or the kernel of a convolution.
func (o ProductOp) RHS() *ir.Value { return o.Operand(1) }
