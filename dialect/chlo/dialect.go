// Package chlo is the dialect of client HLO: functions of numbers, and operations that broadcast their operands, which front
// ends write beside operations of stablehlo. They are defined by what they become there (transform/lower/stablehlo).
package chlo

import (
	"freehold/dialect/stablehlo"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

const dialectName = "chlo"

// Functions of the elements of one tensor.
var (
	Acos      = ir.NewOpID("chlo.acos")
	Acosh     = ir.NewOpID("chlo.acosh")
	Asin      = ir.NewOpID("chlo.asin")
	Asinh     = ir.NewOpID("chlo.asinh")
	Atan      = ir.NewOpID("chlo.atan")
	Atanh     = ir.NewOpID("chlo.atanh")
	BesselI1e = ir.NewOpID("chlo.bessel_i1e")
	Conj      = ir.NewOpID("chlo.conj")
	Cosh      = ir.NewOpID("chlo.cosh")
	Digamma   = ir.NewOpID("chlo.digamma")
	Erf       = ir.NewOpID("chlo.erf")
	ErfInv    = ir.NewOpID("chlo.erf_inv")
	Erfc      = ir.NewOpID("chlo.erfc")
	IsInf     = ir.NewOpID("chlo.is_inf")
	IsNegInf  = ir.NewOpID("chlo.is_neg_inf")
	IsPosInf  = ir.NewOpID("chlo.is_pos_inf")
	Lgamma    = ir.NewOpID("chlo.lgamma")
	NextAfter = ir.NewOpID("chlo.next_after")
	Polygamma = ir.NewOpID("chlo.polygamma")
	Sinh      = ir.NewOpID("chlo.sinh")
	Square    = ir.NewOpID("chlo.square")
	Tan       = ir.NewOpID("chlo.tan")
	Zeta      = ir.NewOpID("chlo.zeta")
)

// Operations that broadcast their operands first.
var (
	BroadcastAdd                  = ir.NewOpID("chlo.broadcast_add")
	BroadcastAnd                  = ir.NewOpID("chlo.broadcast_and")
	BroadcastAtan2                = ir.NewOpID("chlo.broadcast_atan2")
	BroadcastCompare              = ir.NewOpID("chlo.broadcast_compare")
	BroadcastComplex              = ir.NewOpID("chlo.broadcast_complex")
	BroadcastDivide               = ir.NewOpID("chlo.broadcast_divide")
	BroadcastMaximum              = ir.NewOpID("chlo.broadcast_maximum")
	BroadcastMinimum              = ir.NewOpID("chlo.broadcast_minimum")
	BroadcastMultiply             = ir.NewOpID("chlo.broadcast_multiply")
	BroadcastNextAfter            = ir.NewOpID("chlo.broadcast_next_after")
	BroadcastOr                   = ir.NewOpID("chlo.broadcast_or")
	BroadcastPolygamma            = ir.NewOpID("chlo.broadcast_polygamma")
	BroadcastPower                = ir.NewOpID("chlo.broadcast_power")
	BroadcastRemainder            = ir.NewOpID("chlo.broadcast_remainder")
	BroadcastSelect               = ir.NewOpID("chlo.broadcast_select")
	BroadcastShiftLeft            = ir.NewOpID("chlo.broadcast_shift_left")
	BroadcastShiftRightArithmetic = ir.NewOpID("chlo.broadcast_shift_right_arithmetic")
	BroadcastShiftRightLogical    = ir.NewOpID("chlo.broadcast_shift_right_logical")
	BroadcastSubtract             = ir.NewOpID("chlo.broadcast_subtract")
	BroadcastXor                  = ir.NewOpID("chlo.broadcast_xor")
	BroadcastZeta                 = ir.NewOpID("chlo.broadcast_zeta")
)

// Others.
var (
	Constant     = ir.NewOpID("chlo.constant")
	ConstantLike = ir.NewOpID("chlo.constant_like")
	RaggedDot    = ir.NewOpID("chlo.ragged_dot")
	TopK         = ir.NewOpID("chlo.top_k")
)

// Broadcasts gives the operation on operands of the same shape that each broadcasting one stands for.
var Broadcasts = map[*ir.OpID]*ir.OpID{
	BroadcastAdd: stablehlo.Add, BroadcastAnd: stablehlo.And, BroadcastAtan2: stablehlo.Atan2, BroadcastCompare: stablehlo.Compare,
	BroadcastComplex: stablehlo.Complex, BroadcastDivide: stablehlo.Divide, BroadcastMaximum: stablehlo.Maximum, BroadcastMinimum: stablehlo.Minimum,
	BroadcastMultiply: stablehlo.Multiply, BroadcastNextAfter: NextAfter, BroadcastOr: stablehlo.Or, BroadcastPolygamma: Polygamma,
	BroadcastPower: stablehlo.Power, BroadcastRemainder: stablehlo.Remainder, BroadcastSelect: stablehlo.Select, BroadcastShiftLeft: stablehlo.ShiftLeft,
	BroadcastShiftRightArithmetic: stablehlo.ShiftRightArithmetic, BroadcastShiftRightLogical: stablehlo.ShiftRightLogical,
	BroadcastSubtract: stablehlo.Subtract, BroadcastXor: stablehlo.Xor, BroadcastZeta: Zeta,
}

// Dialect is the chlo dialect.
var Dialect = &ir.Dialect{
	Name:      dialectName,
	Ops:       ops,
	PrintAttr: printAttr,
	Models: []ir.Model{
		asm.AttrParser.Model(parseAttr),
		asm.Enums.Model([]*ir.EnumDef{ComparisonDirection, ComparisonType, precision}),
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
	},
}

// The enumerations of comparisons, and of how exact products are, which chlo has as its own.
var (
	ComparisonDirection = own(stablehlo.ComparisonDirection)
	ComparisonType      = own(stablehlo.ComparisonType)
	precision           = own(stablehlo.Precision)
)

func own(d *ir.EnumDef) *ir.EnumDef {
	out := *d
	out.Dialect = dialectName
	return &out
}

// earlier also accepts in the operation's own syntax what programs from 2020 to 2023 have for an attribute.
func earlier(c ir.AttrConstraint) ir.AttrConstraint {
	c.InDictionaries = true
	return c
}

var anyTensor = constraint.AnyRankedTensor

func op(id *ir.OpID, format string, names ...string) *ir.OpDef {
	def := &ir.OpDef{ID: id, Results: ir.SingleResult("result", anyTensor), Traits: ir.TraitPure, Format: format}
	for _, n := range names {
		def.Operands = append(def.Operands, ir.Operand(n, anyTensor))
	}
	return def
}

func ops() []*ir.OpDef {
	var out []*ir.OpDef
	for _, id := range []*ir.OpID{Acos, Acosh, Asin, Asinh, Atan, Atanh, BesselI1e, Conj, Cosh, Digamma, Erf, ErfInv, Erfc, IsInf, IsNegInf, IsPosInf, Lgamma, Sinh, Square, Tan} {
		out = append(out, op(id, "$operand attr-dict `:` type($operand) `->` type($result)", "operand").With(ir.OpDef{
			Traits: ir.TraitSameOperandsAndResultShape, Verify: verifyElements, VerifyAlone: true, Earlier: inMHLO[id]}))
	}
	two := "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)"
	for _, id := range []*ir.OpID{NextAfter, Polygamma, Zeta} {
		out = append(out, op(id, two, "lhs", "rhs").With(ir.OpDef{Traits: ir.TraitSameOperandsAndResultShape, Verify: verifyElements, VerifyAlone: true}))
	}
	dims := ir.AttrDef{Name: "broadcast_dimensions", Type: earlier(constraint.DenseI64Array), Optional: true}
	functional := " attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($result)"
	for _, id := range []*ir.OpID{BroadcastAdd, BroadcastAnd, BroadcastAtan2, BroadcastComplex, BroadcastDivide, BroadcastMaximum, BroadcastMinimum, BroadcastMultiply,
		BroadcastNextAfter, BroadcastOr, BroadcastPolygamma, BroadcastPower, BroadcastRemainder, BroadcastShiftLeft, BroadcastShiftRightArithmetic,
		BroadcastShiftRightLogical, BroadcastSubtract, BroadcastXor, BroadcastZeta} {
		out = append(out, op(id, "$lhs `,` $rhs"+functional, "lhs", "rhs").With(ir.OpDef{Attrs: []ir.AttrDef{dims}, Verify: verifyBroadcast, VerifyAlone: true}))
	}
	return append(out,
		op(BroadcastCompare, "$lhs `,` $rhs"+functional, "lhs", "rhs").With(ir.OpDef{Attrs: []ir.AttrDef{dims,
			{Name: "comparison_direction", Type: earlier(constraint.EnumOrText("comparison direction", ComparisonDirection))},
			{Name: "compare_type", Type: earlier(constraint.EnumOrText("comparison type", ComparisonType)), Optional: true}}, Verify: verifyBroadcast, VerifyAlone: true}),
		op(BroadcastSelect, "$pred `,` $on_true `,` $on_false attr-dict `:` `(` type($pred) `,` type($on_true) `,` type($on_false) `)` `->` type($result)", "pred", "on_true", "on_false").With(ir.OpDef{Verify: verifySelect, VerifyAlone: true}),
		&ir.OpDef{ID: Constant, Results: ir.SingleResult("output", anyTensor), Attrs: []ir.AttrDef{{Name: "value", Type: constraint.TypedAttr}},
			Traits: ir.TraitPure | ir.TraitConstantLike | ir.TraitFirstAttrDerivedResultType, Format: "attr-dict $value",
			TypeRules: []ir.TypeRule{{From: "value", To: "output", Transform: func(t ir.Type) ir.Type { return t }, Summary: "value and result have the same type"}}},
		op(ConstantLike, "", "operand").With(ir.OpDef{Attrs: []ir.AttrDef{{Name: "value", Type: constraint.TypedAttr}}, Traits: ir.TraitSameOperandsAndResultShape, Verify: verifyConstantLike, VerifyAlone: true}),
		op(RaggedDot, "", "lhs", "rhs", "group_sizes").With(ir.OpDef{Attrs: []ir.AttrDef{
			{Name: "ragged_dot_dimension_numbers", Type: ir.AttrConstraint{Summary: "#chlo.ragged_dot attribute", Kind: ir.DialectAttrKind, Attribute: "chlo.ragged_dot", Match: isRaggedAttr, Class: isRaggedAttr}},
			{Name: "precision_config", Type: constraint.ArrayAttr, Optional: true}}, Verify: verifyRaggedDot, VerifyAlone: true}),
		&ir.OpDef{ID: TopK, Operands: []ir.OperandDef{ir.Operand("operand", anyTensor)}, Results: []ir.ResultDef{ir.Result("values", anyTensor), ir.Result("indices", anyTensor)},
			Attrs: []ir.AttrDef{{Name: "k", Type: constraint.I64Attr}}, Traits: ir.TraitPure, Verify: verifyTopK, VerifyAlone: true, Earlier: inMHLO[TopK],
			Format: "`(` $operand `,` `k` `=` $k `)` attr-dict `:` type($operand) `->` `(` type($values) `,` type($indices) `)`"},
	)
}

// verifyElements demands elements of one type, but for predicates, whose results have booleans.
func verifyElements(op *ir.Op) error {
	first := ir.ElementType(op.Operand(0).Type())
	for _, v := range op.Operands().Values() {
		if t := ir.ElementType(v.Type()); t != first {
			return op.Errorf("requires operands with the same elements, but they have %s and %s", first, t)
		}
	}
	want := first
	if op.Is(IsInf) || op.Is(IsNegInf) || op.Is(IsPosInf) {
		want = ir.I1
	}
	if t := ir.ElementType(op.Result(0).Type()); t != want {
		return op.Errorf("requires a result with elements of type %s, but they are %s", want, t)
	}
	return nil
}

// verifyConstantLike demands a result whose elements are of the value's type.
func verifyConstantLike(op *ir.Op) error {
	value, out := ir.TypeOfAttr(op.Attr("value")), ir.ElementType(op.Result(0).Type())
	if value != out {
		return op.Errorf("requires a result with elements of the value's type %s, but they are %s", value, out)
	}
	return nil
}

// verifySelect demands booleans to select by, and elements of one type to select from.
func verifySelect(op *ir.Op) error {
	o := BroadcastSelectOp{op}
	if t := ir.ElementType(o.Pred().Type()); t != ir.Type(ir.I1) {
		return op.Errorf("requires elements of type i1 to select by, but they are %s", t)
	}
	yes, no, out := ir.ElementType(o.OnTrue().Type()), ir.ElementType(o.OnFalse().Type()), ir.ElementType(op.Result(0).Type())
	if yes != no {
		return op.Errorf("requires operands with the same elements, but they have %s and %s", yes, no)
	}
	if out != yes {
		return op.Errorf("requires a result with elements of type %s, but they are %s", yes, out)
	}
	return nil
}

// verifyBroadcast demands elements of one type, or for chlo.broadcast_complex a result of complex numbers of these and for chlo.broadcast_compare
// one of booleans, and a dimension of the result for each one of the operand of lower rank.
func verifyBroadcast(op *ir.Op) error {
	l, r, out := op.Operand(0).Type().(*ir.RankedTensorType), op.Operand(1).Type().(*ir.RankedTensorType), op.Result(0).Type().(*ir.RankedTensorType)
	if l.Elem != r.Elem {
		return op.Errorf("requires operands with the same elements, but they have %s and %s", l.Elem, r.Elem)
	}
	want := l.Elem
	switch {
	case op.Is(BroadcastComplex):
		want = op.Context().Complex(l.Elem)
	case op.Is(BroadcastCompare):
		want = ir.I1
	}
	if out.Elem != want {
		return op.Errorf("requires a result with elements of type %s, but they are %s", want, out.Elem)
	}
	a, ok := op.Attr("broadcast_dimensions").(*ir.DenseArrayAttr)
	if !ok {
		return nil
	}
	if low := min(len(l.Shape), len(r.Shape)); len(a.Ints()) != low {
		return op.Errorf("requires a broadcast dimension for each of the %d of the operand of lower rank, but there are %d", low, len(a.Ints()))
	}
	for _, d := range a.Ints() {
		if d < 0 || d >= int64(len(out.Shape)) {
			return op.Errorf("broadcast dimension %d is none of a result of rank %d", d, len(out.Shape))
		}
	}
	return nil
}

// verifyTopK demands results like the operand, with k elements along the last dimension.
func verifyTopK(op *ir.Op) error {
	x, v, i := TopKOp{op}.OperandValue().Type().(*ir.RankedTensorType), op.Result(0).Type().(*ir.RankedTensorType), op.Result(1).Type().(*ir.RankedTensorType)
	k := op.Attr("k").(*ir.IntegerAttr).Value
	n := len(x.Shape)
	if n == 0 || k < 0 || x.Shape[n-1] != ir.Dynamic && x.Shape[n-1] < k {
		return op.Errorf("expected at least %d elements along the last dimension", k)
	}
	if len(v.Shape) != n || len(i.Shape) != n || v.Elem != x.Elem || i.Elem != ir.Type(ir.I32) {
		return op.Errorf("expected values like the operand's, and indices of type i32")
	}
	return nil
}
