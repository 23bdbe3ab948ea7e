package linalg

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// FillOp is a linalg.fill of one number.
type FillOp struct{ *ir.Op }

// Value returns the number.
func (o FillOp) Value() *ir.Value { return o.Operand(0) }

// Output returns what is filled.
func (o FillOp) Output() *ir.Value { return o.Operand(1) }

// copyOp is a linalg.copy.
type copyOp struct{ *ir.Op }

// Input returns what is copied.
func (o copyOp) Input() *ir.Value { return o.Operand(0) }

// Output returns where it is copied to.
func (o copyOp) Output() *ir.Value { return o.Operand(1) }

// WinogradOp is any of the three steps of a convolution by Winograd's algorithm.
type WinogradOp struct{ *ir.Op }

// Input returns what is transformed.
func (o WinogradOp) Input() *ir.Value { return o.Operand(0) }

// Output returns where the result goes.
func (o WinogradOp) Output() *ir.Value { return o.Operand(1) }

// InputAndInit returns the operands of a structured operation that has one input and one init. It is not ok if it has others.
func InputAndInit(op *ir.Op) (input, init *ir.Value, ok bool) {
	inputs, inits := interfaces.DpsInputs(op), interfaces.DpsInits(op)
	if len(inputs) != 1 || len(inits) != 1 || op.NumOperands() != 2 {
		return nil, nil, false
	}
	return inputs.At(0), inits.At(0), true
}
