package tosa

import "freehold/ir"

// ReductionOp is any of the operations that combine the elements along an axis.
type ReductionOp struct{ *ir.Op }

// Input returns the tensor that is reduced.
func (o ReductionOp) Input() *ir.Value { return o.Operand(0) }

// PoolOp is tosa.avg_pool2d or tosa.max_pool2d.
type PoolOp struct{ *ir.Op }

// Input returns the images.
func (o PoolOp) Input() *ir.Value { return o.Operand(0) }

// ConvolutionOp is any of the convolutions, or a tosa.fully_connected.
type ConvolutionOp struct{ *ir.Op }

// Input returns the images.
func (o ConvolutionOp) Input() *ir.Value { return o.Operand(0) }

// Weight returns the filter, which tosa.transpose_conv2d calls so.
func (o ConvolutionOp) Weight() *ir.Value { return o.Operand(1) }

// Bias returns what is added to each channel.
func (o ConvolutionOp) Bias() *ir.Value { return o.Operand(2) }

// PadConst returns the element that is added, if the operation says one; else nil.
func (o PadOp) PadConst() *ir.Value { return o.OptionalOperand(2) }

// binaryOp is any of the elementwise operations on two tensors.
type binaryOp struct{ *ir.Op }

// Input1 returns the left operand.
func (o binaryOp) Input1() *ir.Value { return o.Operand(0) }

// Input2 returns the right operand.
func (o binaryOp) Input2() *ir.Value { return o.Operand(1) }
