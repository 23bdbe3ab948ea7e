package stablehlo

import (
	"freehold/ir"
)

// constantValue accepts the elements of tensors.
var constantValue = ir.AttrConstraint{Summary: "constant tensor attribute", Match: isElements, Class: isElements}

func isElements(a ir.Attribute) bool {
	switch a := a.(type) {
	case *ir.DenseElementsAttr, *ir.SparseElementsAttr, *ir.DenseResourceAttr:
		return ir.IsTensor(ir.TypeOfAttr(a))
	}
	return false
}

func foldConstant(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if a := op.Attr("value"); ir.TypeOfAttr(a) == op.Result(0).Type() {
		return ir.FoldAttr(a)
	}
	return nil
}

// NewConstant creates the constant of the elements of a tensor.
func NewConstant(b *ir.Builder, value ir.Attribute) *ir.Value {
	return b.CreateOp(Constant, one(ir.TypeOfAttr(value)), nil, ir.NamedAttr{Name: "value", Value: value}).Result(0)
}

func materialize(b *ir.Builder, value ir.Attribute, t ir.Type) *ir.Op {
	if !isElements(value) || ir.TypeOfAttr(value) != t {
		return nil
	}
	return NewConstant(b, value).DefiningOp()
}
