package tensor

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

func ranked(t ir.Type) *ir.RankedTensorType { r, _ := t.(*ir.RankedTensorType); return r }

var (
	signlessIntOrIndex = ir.TypeConstraint{Summary: "signless integer or index", Match: constraint.SignlessIntOrIndex.Match}

	nonZeroRankTensor = ir.TypeConstraint{Summary: "non-0-ranked or unranked tensor", Class: ir.TensorClass, Match: func(t ir.Type) bool {
		if r := ranked(t); r != nil {
			return len(r.Shape) > 0
		}
		return ir.IsTensor(t)
	}}

	staticTensor = ir.TypeConstraint{Summary: "statically shaped tensor of any type values", Class: ir.RankedTensorClass, Match: func(t ir.Type) bool {
		r := ranked(t)
		return r != nil && ir.IsStaticShape(r.Shape)
	}}

	indexTensor = constraint.RankedTensorOf(signlessIntOrIndex)

	shapeTensor = constraint.RankOf("1D", "tensor", 1, signlessIntOrIndex)

	splatElement = ir.TypeConstraint{Summary: "integer/index/float type", Match: func(t ir.Type) bool {
		return signlessIntOrIndex.Match(t) || ir.IsFloat(t)
	}}
)

// group declares a variadic group of index operands.
func indices(name string) ir.OperandDef {
	return ir.OperandDef{Name: name, Type: constraint.Index, Arity: ir.Variadic}
}

func i64s(name string) ir.AttrDef { return ir.AttrDef{Name: name, Type: constraint.DenseI64Array} }

func i64Sizes(name string) ir.AttrDef { return ir.AttrDef{Name: name, Type: constraint.DenseI64Sizes} }

// segments is the attribute with the sizes of the operand groups.
var segments = ir.AttrDef{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}

// sameAs says that the type of group to is that of group from.
func sameAs(from, to, summary string) ir.TypeRule {
	return ir.TypeRule{From: from, To: to, Transform: func(t ir.Type) ir.Type { return t }, Summary: summary}
}

// elementOf says that the type of group to is the element type of group from.
func elementOf(from, to, summary string) ir.TypeRule {
	return ir.TypeRule{From: from, To: to, Transform: ir.ElementType, Summary: summary}
}

// named suggests a name for the operation's result.
func named(name string) ir.Model {
	return asm.ResultNames.Model(func(op *ir.Op, suggest func(*ir.Value, string)) { suggest(op.Result(0), name) })
}
