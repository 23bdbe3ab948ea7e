package tosa

import (
	"freehold/ir"
	"freehold/ir/constraint"
)

// Operations that change what stands for a number, and constants.
var (
	ApplyScale = ir.NewOpID("tosa.apply_scale")
	Cast       = ir.NewOpID("tosa.cast")
	Const      = ir.NewOpID("tosa.const")
	Custom     = ir.NewOpID("tosa.custom")
	Identity   = ir.NewOpID("tosa.identity")
	Rescale    = ir.NewOpID("tosa.rescale")
)

// applyScaleDef also takes vectors and numbers.
func applyScaleDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       ApplyScale,
		Operands: []ir.OperandDef{ir.Operand("value", integerLike), ir.Operand("multiplier", integerLike), ir.Operand("shift", int8Like)},
		Results:  ir.SingleResult("output", integerLike),
		Attrs:    []ir.AttrDef{attr("double_round", constraint.BoolAttr)},
		Later:    wordy(without(later(readApplyScale, printApplyScale, roundingName), "double_round")),
		Traits:   ir.TraitPure | ir.ElementwiseMappable,
		Format:   functional,
	}
}

func castDef() *ir.OpDef {
	return op(Cast, "output", anyTensor, "input").With(ir.OpDef{
		Fold:      foldCast,
		Revisions: []ir.Revision{{Since: 22, Traits: ir.TraitSameOperandsAndResultShape}},
		Models:    []ir.Model{ShapeInference.Model(inferSame)},
	})
}

func constDef() *ir.OpDef {
	return &ir.OpDef{
		ID:        Const,
		Results:   ir.SingleResult("output", anyTensor),
		Attrs:     []ir.AttrDef{attr("value", elementsAttr)},
		Traits:    ir.TraitPure | ir.TraitConstantLike,
		Later:     without(later(readConst, printConst, valuesName), "value"),
		Verify:    verifyConst("value"),
		Revisions: revised(verifyConst(valuesName)),
	}
}

// verifyConst checks that the elements, which a version of LLVM has by that name, and the result have one shape.
func verifyConst(name string) func(*ir.Op) error {
	return func(op *ir.Op) error {
		if !sameShape(ir.TypeOfAttr(op.Prop(0)), op.Result(0).Type()) {
			return op.Errorf("failed to verify that all of {%s, output} have same shape", name)
		}
		return nil
	}
}

func customDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Custom,
		Operands: []ir.OperandDef{ir.VariadicOperand("inputs", anyTensor)},
		Results:  []ir.ResultDef{ir.VariadicResult("outputs", anyTensor)},
		Attrs:    []ir.AttrDef{attr("operator_name", constraint.StrAttr), attr("domain_name", constraint.StrAttr), attr("implementation_attrs", constraint.StrAttr)},
		Format:   functional,
	}
}

func identityDef() *ir.OpDef {
	return op(Identity, "output", anyTensor, "input1").With(ir.OpDef{
		Models: []ir.Model{ShapeInference.Model(inferSame)},
	})
}

func rescaleDef() *ir.OpDef {
	return op(Rescale, "output", anyTensor, "input").With(ir.OpDef{
		Attrs: []ir.AttrDef{attr("input_zp", constraint.I32Attr), attr("output_zp", constraint.I32Attr),
			attr("multiplier", constraint.DenseI32Array), attr("shift", i8Array), attr("scale32", constraint.BoolAttr),
			attr("double_round", constraint.BoolAttr), attr("per_channel", constraint.BoolAttr)},
		Earlier: []ir.Spelling{{Until: 15, Upgrade: func(b *ir.Builder, s *ir.OpState) error {
			if s.Attr("double_round") == nil && s.Attr(roundingName) == nil && len(s.Operands) == 1 {
				s.SetAttr("double_round", b.Context().Bool(false))
			}
			return nil
		}}},
		Later: wordy(without(later(readRescale, printRescale, roundingName, inputSign, outputSign),
			"double_round", "input_zp", "multiplier", "output_zp", "shift")),
		Models: []ir.Model{ShapeInference.Model(inferSame)},
	})
}

// sameShape tells whether two shapes may be the same: unknown sizes fit any.
func sameShape(a, b ir.Type) bool {
	x, ok := ir.ShapeOf(a)
	y, also := ir.ShapeOf(b)
	if !ok || !also {
		return true
	}
	if len(x) != len(y) {
		return false
	}
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return true
}

// NewConst creates a constant.
func NewConst(b *ir.Builder, value ir.Attribute) *ir.Value {
	return b.CreateOp(Const, []ir.Type{ir.TypeOfAttr(value)}, nil, ir.NamedAttr{Name: "value", Value: value}).Result(0)
}

// materialize makes a constant of what an operation folds to, if it is a list of elements of
// the type.
func materialize(b *ir.Builder, value ir.Attribute, t ir.Type) *ir.Op {
	if !isElements(value) || ir.TypeOfAttr(value) != t || !anyTensor.Match(t) {
		return nil
	}
	return NewConst(b, value).DefiningOp()
}
