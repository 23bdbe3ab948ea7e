package tosa

import (
	"freehold/ir"
	"freehold/ir/constraint"
)

// Operations of LLVM 22 on numbers that have a scale for each block of them. They are read, checked by their operands' types, and printed: nothing
// lowers them.
var (
	// CastFromBlockScaled multiplies numbers with the scales of their blocks.
	CastFromBlockScaled = ir.NewOpID("tosa.cast_from_block_scaled")
	// CastToBlockScaled finds a scale for each block of numbers, and divides by it.
	CastToBlockScaled = ir.NewOpID("tosa.cast_to_block_scaled")
	// MatMulTBlockScaled multiplies matrices, of which the second is transposed.
	MatMulTBlockScaled = ir.NewOpID("tosa.matmul_t_block_scaled")
)

const (
	blockSizeName = "block_size"
	// mxint8Type is an integer of eight bits that has six of them behind the point.
	mxint8Type = "mxint8"
)

var blockSizeAttr = attr(blockSizeName, ir.AttrConstraint{
	Summary: "block size of block-scaled operations", Kind: ir.DialectAttrKind, Attribute: dialectName + "." + blockSizeName,
	Match: func(a ir.Attribute) bool { return quantOf(a, blockSizeName) != nil },
	Class: func(a ir.Attribute) bool { return quantOf(a, blockSizeName) != nil },
})

func blockOp(id *ir.OpID, results []ir.ResultDef, operands ...string) *ir.OpDef {
	def := &ir.OpDef{ID: id, Since: 22, Results: results, Traits: ir.TraitPure, Format: words, Attrs: []ir.AttrDef{blockSizeAttr}}
	for _, name := range operands {
		def.Operands = append(def.Operands, ir.Operand(name, constraint.AnyTensor))
	}
	return def
}

func blockDefs() []*ir.OpDef {
	one := ir.SingleResult("output_data", constraint.AnyTensor)
	return []*ir.OpDef{
		blockOp(CastFromBlockScaled, one, "input_data", "input_scale"),
		blockOp(CastToBlockScaled, []ir.ResultDef{ir.Result("output_data", constraint.AnyTensor), ir.Result("output_scale", constraint.AnyTensor)}, "input_data"),
		blockOp(MatMulTBlockScaled, one, "a_data", "a_scale", "b_data", "b_scale"),
	}
}
