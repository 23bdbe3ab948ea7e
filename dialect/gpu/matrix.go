package gpu

import (
	"strings"

	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Operations on matrices that the threads of a subgroup hold together.
var (
	MMALoad        = ir.NewOpID("gpu.subgroup_mma_load_matrix")
	MMAStore       = ir.NewOpID("gpu.subgroup_mma_store_matrix")
	MMACompute     = ir.NewOpID("gpu.subgroup_mma_compute")
	MMAConstant    = ir.NewOpID("gpu.subgroup_mma_constant_matrix")
	MMAElementwise = ir.NewOpID("gpu.subgroup_mma_elementwise")
	MMAExtract     = ir.NewOpID("gpu.subgroup_mma_extract_thread_local")
	MMAInsert      = ir.NewOpID("gpu.subgroup_mma_insert_thread_local")
)

// matrix constrains !gpu.mma_matrix<16x16xf16, "AOp">.
var matrix = ir.TypeConstraint{
	Summary: "MMAMatrix type",
	Match:   func(t ir.Type) bool { return matrixElement(t) != nil },
}

// matrixElement returns the type of the elements of a matrix, whose parameters are kept as they were spelled; nil if it is none.
func matrixElement(t ir.Type) ir.Type {
	rest, ok := strings.CutPrefix(t.String(), "!gpu.mma_matrix<")
	if !ok {
		return nil
	}
	shape, _, _ := strings.Cut(rest, ",")
	switch shape[strings.LastIndex(shape, "x")+1:] {
	case "f16":
		return ir.F16
	case "f32":
		return ir.F32
	case "f64":
		return ir.F64
	case "i32":
		return ir.I32
	case "i8":
		return ir.I8
	case "si8":
		return &ir.IntegerType{Width: 8, Signedness: ir.Signed}
	case "ui8":
		return &ir.IntegerType{Width: 8, Signedness: ir.Unsigned}
	}
	return nil
}

// elementOf says that a value has the type of the elements of a matrix.
func elementOf(from, to string) ir.TypeRule {
	return ir.TypeRule{From: from, To: to, Transform: matrixElement, Summary: "value type matches element type of mma_matrix"}
}

func matrixDefs() []*ir.OpDef {
	leading := ir.AttrDef{Name: "leadDimension", Type: constraint.IndexAttr}
	unit := func(name string) ir.AttrDef { return ir.AttrDef{Name: name, Type: constraint.UnitAttr, Optional: true} }
	indices := ir.VariadicOperand("indices", constraint.Index)
	// Rows are as far from each other as leadDimension says.
	linearly := interfaces.Addresses(interfaces.Linearly)
	return []*ir.OpDef{
		{
			ID:       MMALoad,
			Operands: []ir.OperandDef{ir.Operand("srcMemref", constraint.AnyMemRef), indices},
			Results:  ir.SingleResult("res", matrix),
			Attrs:    []ir.AttrDef{leading, unit("transpose")},
			Format:   "$srcMemref `[` $indices `]` attr-dict `:` type($srcMemref) `->` type($res)",
			Models:   []ir.Model{linearly, interfaces.FixedEffects(interfaces.OnOperand(interfaces.Read, 0))},
		},
		{
			ID:       MMAStore,
			Operands: []ir.OperandDef{ir.Operand("src", matrix), ir.Operand("dstMemref", constraint.AnyMemRef), indices},
			Attrs:    []ir.AttrDef{leading, unit("transpose")},
			Format:   "$src `,` $dstMemref `[` $indices `]` attr-dict `:` type($src) `,` type($dstMemref)",
			Models:   []ir.Model{linearly, interfaces.FixedEffects(interfaces.OnOperand(interfaces.Write, 1))},
		},
		{
			ID:        MMACompute,
			Operands:  []ir.OperandDef{ir.Operand("opA", matrix), ir.Operand("opB", matrix), ir.Operand("opC", matrix)},
			Results:   ir.SingleResult("res", matrix),
			Attrs:     []ir.AttrDef{unit("a_transpose"), unit("b_transpose")},
			Traits:    ir.TraitPure,
			TypeRules: []ir.TypeRule{{Same: []string{"opC", "res"}, Summary: "all of {opC, res} have same type"}},
			Format:    "$opA `,` $opB `,` $opC attr-dict `:` type($opA) `,` type($opB) `->` type($res)",
		},
		{
			ID:        MMAConstant,
			Operands:  []ir.OperandDef{ir.Operand("value", constraint.AnyType)},
			Results:   ir.SingleResult("res", matrix),
			Traits:    ir.TraitPure,
			TypeRules: []ir.TypeRule{elementOf("res", "value")},
			Format:    "$value attr-dict `:` type($res)",
		},
		{
			ID:       MMAElementwise,
			Operands: []ir.OperandDef{ir.VariadicOperand("args", matrix)},
			Results:  ir.SingleResult("res", matrix),
			Attrs:    []ir.AttrDef{{Name: "opType", Type: constraint.Enum("elementwise operation to apply to mma matrix", elementwise)}},
			Traits:   ir.TraitPure,
			Format:   "$opType $args attr-dict `:` functional-type($args, $res)",
		},
		{
			ID:        MMAExtract,
			Since:     22,
			Operands:  []ir.OperandDef{ir.Operand("matrix", matrix), indices},
			Results:   ir.SingleResult("res", constraint.AnyType),
			Traits:    ir.TraitPure,
			TypeRules: []ir.TypeRule{elementOf("matrix", "res")},
			Format:    "$matrix `[` $indices `]` attr-dict `:` type($matrix) `->` type($res)",
		},
		{
			ID:        MMAInsert,
			Since:     22,
			Operands:  []ir.OperandDef{ir.Operand("value", constraint.AnyType), ir.Operand("matrix", matrix), indices},
			Results:   ir.SingleResult("res", matrix),
			Traits:    ir.TraitPure,
			TypeRules: []ir.TypeRule{{Same: []string{"matrix", "res"}, Summary: "all of {matrix, res} have same type"}, elementOf("matrix", "value")},
			Format:    "$value `,` $matrix `[` $indices `]` attr-dict `:` type($value) `,` type($matrix) `->` type($res)",
		},
	}
}
