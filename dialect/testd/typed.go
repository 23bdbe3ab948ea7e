package testd

import (
	"slices"
	"strconv"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// typed declares an operation whose types are constrained.
func typed(name string, operands []ir.OperandDef, results []ir.ResultDef, rules ...ir.TypeRule) *ir.OpDef {
	return &ir.OpDef{ID: ir.NewOpID("test." + name), Operands: operands, Results: results, TypeRules: rules}
}

// operandsXY are two operands of one kind.
func operandsXY(t ir.TypeConstraint) []ir.OperandDef {
	return []ir.OperandDef{ir.Operand("x", t), ir.Operand("y", t)}
}

// alike is the rule that two values have something in common.
func alike(summary string, values func(op *ir.Op) (a, b *ir.Value), same func(a, b ir.Type) bool) ir.TypeRule {
	return ir.TypeRule{Summary: summary, Check: func(op *ir.Op) bool {
		a, b := values(op)
		return same(a.Type(), b.Type())
	}}
}

func bothOperands(op *ir.Op) (a, b *ir.Value)     { return op.Operand(0), op.Operand(1) }
func operandAndResult(op *ir.Op) (a, b *ir.Value) { return op.Operand(0), op.Result(0) }

func sameType(a, b ir.Type) bool        { return a == b }
func sameElementType(a, b ir.Type) bool { return ir.ElementType(a) == ir.ElementType(b) }

func sameRank(a, b ir.Type) bool {
	s, ranked := ir.ShapeOf(a)
	t, alsoRanked := ir.ShapeOf(b)
	return ranked && alsoRanked && len(s) == len(t)
}

func sameShape(a, b ir.Type) bool {
	s, ranked := ir.ShapeOf(a)
	t, alsoRanked := ir.ShapeOf(b)
	return ranked && alsoRanked && slices.Equal(s, t)
}

func sameCount(a, b ir.Type) bool { return elements(a) == elements(b) }

// elements counts the elements of a static shape; it is -1 for others.
func elements(t ir.Type) int64 {
	shape, ranked := ir.ShapeOf(t)
	if !ranked {
		return -1
	}
	n := int64(1)
	for _, d := range shape {
		if d < 0 {
			return -1
		}
		n *= d
	}
	return n
}

// ranked32 accepts tensors of rank n of f32.
func ranked32(rank string, n int) ir.OperandDef {
	return ir.Operand("", constraint.RankOf(rank, "tensor", n, constraint.F32))
}

// tuples accepts tuples of what holds for the elements, and of such tuples if they may be nested.
func tuples(summary string, nested bool, elem ...ir.Type) ir.TypeConstraint {
	var match func(t ir.Type) bool
	match = func(t ir.Type) bool {
		tuple, ok := t.(*ir.TupleType)
		return ok && !slices.ContainsFunc(tuple.Types, func(e ir.Type) bool {
			return !slices.Contains(elem, e) && !(nested && match(e))
		})
	}
	return ir.TypeConstraint{Summary: summary, Match: match}
}

var (
	shapedResult = ir.SingleResult("res", constraint.AnyShaped)
	typeResult   = ir.SingleResult("res", constraint.AnyType)
	staticMemRef = ir.TypeConstraint{Summary: "statically shaped memref of any type values", Match: func(t ir.Type) bool {
		return constraint.AnyMemRef.Match(t) && elements(t) >= 0
	}}
)

// typedOps are operations that demand certain types, or places.
func typedOps() []*ir.OpDef {
	return []*ir.OpDef{
		typed("operands_have_same_type", operandsXY(constraint.AnyType), nil, alike("all of {x, y} have same type", bothOperands, sameType)),
		typed("operands_have_same_element_type", operandsXY(constraint.AnyType), nil, alike("all of {x, y} have same element type", bothOperands, sameElementType)),
		typed("operands_have_same_rank", operandsXY(constraint.AnyShaped), nil, alike("all of {x, y} have same rank", bothOperands, sameRank)),
		typed("operand0_and_result_have_same_type", operandsXY(constraint.AnyType), typeResult, alike("all of {x, res} have same type", operandAndResult, sameType)),
		typed("operand0_and_result_have_same_element_type", operandsXY(constraint.AnyType), typeResult, alike("all of {x, res} have same element type", operandAndResult, sameElementType)),
		typed("operand0_and_result_have_same_rank", operandsXY(constraint.AnyShaped), shapedResult, alike("all of {x, res} have same rank", operandAndResult, sameRank)),
		typed("operand0_and_result_have_same_shape", operandsXY(constraint.AnyShaped), shapedResult, alike("all of {x, res} have same shape", operandAndResult, sameShape)),
		typed("operand0_and_result_have_same_element_count", operandsXY(constraint.AnyShaped), shapedResult, alike("all of {x, res} have same element count", operandAndResult, sameCount)),
		typed("operand_rank_equals_result_size", []ir.OperandDef{ir.Operand("x", constraint.AnyShaped)}, shapedResult,
			alike("operand rank equals result size", operandAndResult, func(a, b ir.Type) bool {
				shape, ranked := ir.ShapeOf(a)
				return ranked && int64(len(shape)) == elements(b)
			})),
		typed("if_first_operand_is_none_then_so_is_second", operandsXY(constraint.AnyType), nil,
			alike("has either both none type operands or first is not none", bothOperands, func(a, b ir.Type) bool { return a != ir.Type(ir.None) || b == ir.Type(ir.None) })),
		typed("four_equals_five", nil, nil, ir.TypeRule{Summary: "4 equals 5", Check: func(*ir.Op) bool { return false }}),

		typed("ranked_tensor_op", []ir.OperandDef{ir.Operand("input", constraint.AnyRankedTensor)}, nil),
		typed("nd_tensor_of", []ir.OperandDef{ranked32("0D", 0), ranked32("1D", 1), ranked32("2D", 2), ranked32("3D", 3), ranked32("4D", 4)}, nil),
		typed("complex_f64", nil, typeOf(constraint.ComplexOf(constraint.F64))),
		typed("complex_f64_tensor", nil, typeOf(constraint.TensorOf(constraint.ComplexOf(constraint.F64)))),
		typed("tuple_32_bit", nil, typeOf(tuples("tuple with any combination of 32-bit signless integer or 32-bit float values", false, ir.I32, ir.F32))),
		typed("nested_tuple_32_bit", nil, typeOf(tuples("nested tuple with any combination of 32-bit signless integer or 32-bit float values", true, ir.I32, ir.F32))),
		typed("takes_static_memref", []ir.OperandDef{ir.Operand("x", staticMemRef)}, nil),

		{ID: ir.NewOpID("test.broadcastable"), Operands: []ir.OperandDef{ir.VariadicOperand("", constraint.AnyTensor)}, Results: typeOf(constraint.AnyTensor), Traits: ir.TraitResultsBroadcastable},
		{ID: ir.NewOpID("test.operands_and_result_have_same_rank"), Operands: []ir.OperandDef{ir.Operand("", constraint.AnyShaped), ir.Operand("", constraint.AnyShaped)},
			Results: typeOf(constraint.AnyShaped), Traits: ir.TraitSameOperandsAndResultRank},
		{ID: ir.NewOpID("test.same_operand_result_type"), Operands: []ir.OperandDef{ir.Operand("", constraint.AnyTensor)}, Results: typeOf(constraint.AnyTensor), Traits: ir.TraitSameOperandsAndResultType},
		{ID: ir.NewOpID("test.attr_sized_operands"), Operands: []ir.OperandDef{ir.VariadicOperand("a", constraint.I32), ir.VariadicOperand("b", constraint.I32), ir.Operand("c", constraint.I32), ir.VariadicOperand("d", constraint.I32)},
			Attrs: operandSegments, Traits: ir.TraitAttrSizedOperandSegments},
		{ID: ir.NewOpID("test.attr_sized_results"), Results: []ir.ResultDef{ir.VariadicResult("a", constraint.I32), ir.VariadicResult("b", constraint.I32), ir.Result("c", constraint.I32), ir.VariadicResult("d", constraint.I32)},
			Attrs: resultSegments, Traits: ir.TraitAttrSizedResultSegments},

		{ID: ir.NewOpID("test.isolated_one_region_op"), Operands: []ir.OperandDef{ir.VariadicOperand("", constraint.AnyType)}, Regions: oneRegion, Traits: ir.TraitIsolatedFromAbove,
			Format: "attr-dict-with-keyword operands $region `:` type(operands)"},
		{ID: ir.NewOpID("test.one_region_with_operands_op"), Operands: []ir.OperandDef{ir.VariadicOperand("", constraint.AnyType)}, Regions: oneRegion},
		{ID: ir.NewOpID("test.symbol_table_region"), Regions: scopeRegion, Traits: ir.TraitSymbolTable},
		{ID: ir.NewOpID("test.block_names"), Regions: []ir.RegionDef{{Name: "body"}}, Format: "regions attr-dict-with-keyword", Models: []ir.Model{asm.BlockNames.Model(fooBlocks)}},

		{ID: parent, Regions: oneRegion},
		{ID: parent1, Regions: oneRegion},
		{ID: ir.NewOpID("test.child"), Parents: []*ir.OpID{parent}},
		{ID: ir.NewOpID("test.child_with_parent_one_of"), Parents: []*ir.OpID{parent, parent1}},
	}
}

// Operations that others must be in.
var (
	parent  = ir.NewOpID("test.parent")
	parent1 = ir.NewOpID("test.parent1")
)

// fooBlocks names the blocks of a region foo0, foo1, ...
func fooBlocks(op *ir.Op, name func(b *ir.Block, suggestion string)) {
	i := 0
	for b := range op.RegionAt(0).Blocks() {
		name(b, "foo"+strconv.Itoa(i))
		i++
	}
}

func typeOf(t ir.TypeConstraint) []ir.ResultDef { return ir.SingleResult("", t) }
