package stablehlo

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// Operations that make tensors, and that move or choose elements.
var (
	BitcastConvert        = ir.NewOpID("stablehlo.bitcast_convert")
	Broadcast             = ir.NewOpID("stablehlo.broadcast")
	BroadcastInDim        = ir.NewOpID("stablehlo.broadcast_in_dim")
	Concatenate           = ir.NewOpID("stablehlo.concatenate")
	Constant              = ir.NewOpID("stablehlo.constant")
	DynamicBroadcastInDim = ir.NewOpID("stablehlo.dynamic_broadcast_in_dim")
	DynamicGather         = ir.NewOpID("stablehlo.dynamic_gather")
	DynamicIota           = ir.NewOpID("stablehlo.dynamic_iota")
	DynamicPad            = ir.NewOpID("stablehlo.dynamic_pad")
	DynamicReshape        = ir.NewOpID("stablehlo.dynamic_reshape")
	DynamicSlice          = ir.NewOpID("stablehlo.dynamic_slice")
	DynamicUpdateSlice    = ir.NewOpID("stablehlo.dynamic_update_slice")
	Gather                = ir.NewOpID("stablehlo.gather")
	GetDimensionSize      = ir.NewOpID("stablehlo.get_dimension_size")
	Iota                  = ir.NewOpID("stablehlo.iota")
	Pad                   = ir.NewOpID("stablehlo.pad")
	RealDynamicSlice      = ir.NewOpID("stablehlo.real_dynamic_slice")
	Reshape               = ir.NewOpID("stablehlo.reshape")
	Reverse               = ir.NewOpID("stablehlo.reverse")
	SetDimensionSize      = ir.NewOpID("stablehlo.set_dimension_size")
	Slice                 = ir.NewOpID("stablehlo.slice")
	TorchIndexSelect      = ir.NewOpID("stablehlo.torch_index_select")
	Transpose             = ir.NewOpID("stablehlo.transpose")
)

var (
	scalarIndex = constraint.RankOf("0D", "tensor", 0, ir.TypeConstraint{Summary: ints.summary(), Match: ints.match})
	scalarInt   = constraint.RankOf("0D", "tensor", 0, ir.TypeConstraint{Summary: "32-bit signless integer", Match: func(t ir.Type) bool { return t == ir.Type(ir.I32) }})
	scalarBool  = constraint.RankOf("0D", "tensor", 0, ir.TypeConstraint{Summary: bools.summary(), Match: bools.match})
	// processTensor is the number of a process.
	processTensor = constraint.RankOf("0D", "tensor", 0, ir.TypeConstraint{Summary: "32-bit unsigned integer", Match: func(t ir.Type) bool {
		i, ok := t.(*ir.IntegerType)
		return ok && i.Width == 32 && i.Signedness == ir.Unsigned
	}})
	listTensor = constraint.RankOf("1D", "tensor", 1, ir.TypeConstraint{Summary: "index or integer", Match: (ints | indices).match})
)

func operands(list ...ir.OperandDef) []ir.OperandDef { return list }

func moving(id *ir.OpID, def ir.OpDef) *ir.OpDef {
	return op(id, anything, "operand").With(def)
}

// after is the syntax of an operation with one operand and then what else it has.
func after(words string) string {
	return "$operand " + words + " attr-dict `:` functional-type(operands, results)"
}

func layoutOps() []*ir.OpDef {
	any := ir.Operand("operand", anyTensor)
	return []*ir.OpDef{
		moving(BitcastConvert, ir.OpDef{Format: fromTo, Verify: verifyBitcast, VerifyAlone: true}),
		moving(Broadcast, ir.OpDef{Attrs: []ir.AttrDef{required("broadcast_sizes", i64List)}, Format: after("`,` `sizes` `=` $broadcast_sizes"),
			InferTypes: inferBroadcast, CompatibleTypes: compatible}),
		moving(BroadcastInDim, ir.OpDef{Attrs: []ir.AttrDef{required("broadcast_dimensions", i64List)}, Format: after("`,` `dims` `=` $broadcast_dimensions"),
			Verify: verifyBroadcastInDim, VerifyAlone: true}),
		moving(Concatenate, ir.OpDef{Operands: operands(ir.VariadicOperand("inputs", anyTensor)), Attrs: []ir.AttrDef{required("dimension", constraint.I64Attr)},
			Format:     "custom<Listed>($inputs) `dim` `=` $dimension attr-dict `:` functional-type(operands, results)",
			InferTypes: inferConcatenate, CompatibleTypes: compatible}),
		{ID: Constant, Results: ir.SingleResult("output", anyTensor), Attrs: []ir.AttrDef{required("value", constantValue)},
			Traits: ir.TraitPure | ir.TraitConstantLike | ir.TraitFirstAttrDerivedResultType, InferTypes: inferConstant, CompatibleTypes: compatible, Fold: foldConstant,
			Models: []ir.Model{asm.Assembly.Model(asm.OpAssembly{Parse: parseConstant, Print: printConstant, Says: saysConstant}), asm.ResultNames.Model(nameConstant)}},
		moving(DynamicBroadcastInDim, ir.OpDef{Operands: operands(any, ir.Operand("output_dimensions", listTensor)),
			Attrs:  []ir.AttrDef{required("broadcast_dimensions", i64List), optional("known_expanding_dimensions", i64List), optional("known_nonexpanding_dimensions", i64List)},
			Format: "$operand `,` $output_dimensions `,` `dims` `=` $broadcast_dimensions attr-dict `:` functional-type(operands, results)",
			Verify: verifyDynamicBroadcast, VerifyAlone: true}),
		generic(moving(DynamicGather, ir.OpDef{Operands: operands(any, ir.Operand("start_indices", indexTensor), ir.Operand("slice_sizes", listTensor)),
			Attrs:  []ir.AttrDef{required("dimension_numbers", structAttr("gather")), optional("indices_are_sorted", constraint.BoolAttr)},
			Verify: verifyDynamicGather, VerifyAlone: true})),
		moving(DynamicIota, ir.OpDef{Results: ir.SingleResult("result", tensorOf(numbers)), Operands: operands(ir.Operand("output_shape", listTensor)), Attrs: []ir.AttrDef{required("iota_dimension", constraint.I64Attr)},
			Format: "$output_shape `,` `dim` `=` $iota_dimension attr-dict `:` functional-type(operands, results)", Verify: verifyDynamicIota, VerifyAlone: true}),
		moving(DynamicPad, ir.OpDef{Operands: operands(any, ir.Operand("padding_value", anyTensor), ir.Operand("edge_padding_low", listTensor),
			ir.Operand("edge_padding_high", listTensor), ir.Operand("interior_padding", listTensor)), Format: functional, Verify: verifyDynamicPad, VerifyAlone: true}),
		moving(DynamicReshape, ir.OpDef{Operands: operands(any, ir.Operand("output_shape", listTensor)), Format: functional, Verify: verifyDynamicReshape, VerifyAlone: true}),
		moving(DynamicSlice, ir.OpDef{Operands: operands(any, ir.VariadicOperand("start_indices", scalarIndex)), Attrs: []ir.AttrDef{required("slice_sizes", i64List)},
			Format:     "$operand `,` custom<Listed>($start_indices) `sizes` `=` $slice_sizes attr-dict `:` functional-type(operands, results)",
			InferTypes: inferDynamicSlice, CompatibleTypes: compatible}),
		moving(DynamicUpdateSlice, ir.OpDef{Operands: operands(any, ir.Operand("update", anyTensor), ir.VariadicOperand("start_indices", scalarIndex)),
			Format: functional, InferTypes: inferUpdateSlice, CompatibleTypes: compatible}),
		generic(moving(Gather, ir.OpDef{Operands: operands(any, ir.Operand("start_indices", indexTensor)),
			Attrs:      []ir.AttrDef{required("dimension_numbers", structAttr("gather")), required("slice_sizes", i64List), optional("indices_are_sorted", constraint.BoolAttr)},
			InferTypes: inferGather, CompatibleTypes: compatible})),
		moving(GetDimensionSize, ir.OpDef{Results: ir.SingleResult("result", tensorOf(ints)), Attrs: []ir.AttrDef{required("dimension", constraint.I64Attr)},
			Format: after("`,` `dim` `=` $dimension"), InferTypes: inferDimensionSize, CompatibleTypes: compatible}),
		{ID: Iota, Results: ir.SingleResult("output", tensorOf(numbers)), Attrs: []ir.AttrDef{required("iota_dimension", constraint.I64Attr)}, Traits: ir.TraitPure,
			Format: "`dim` `=` $iota_dimension attr-dict `:` type($output)", Verify: verifyIota, VerifyAlone: true},
		moving(Pad, ir.OpDef{Operands: operands(any, ir.Operand("padding_value", anyTensor)),
			Attrs:      []ir.AttrDef{required("edge_padding_low", i64List), required("edge_padding_high", i64List), required("interior_padding", i64List)},
			Format:     "$operand `,` $padding_value `,` `low` `=` $edge_padding_low `,` `high` `=` $edge_padding_high `,` `interior` `=` $interior_padding attr-dict `:` functional-type(operands, results)",
			InferTypes: inferPad, CompatibleTypes: compatible}),
		moving(RealDynamicSlice, ir.OpDef{Operands: operands(any, ir.Operand("start_indices", listTensor), ir.Operand("limit_indices", listTensor), ir.Operand("strides", listTensor)),
			Format: functional, Verify: verifyRealDynamicSlice, VerifyAlone: true}),
		moving(Reshape, ir.OpDef{Format: fromTo, Verify: verifyReshape, VerifyAlone: true}),
		moving(Reverse, ir.OpDef{Attrs: []ir.AttrDef{required("dimensions", i64List)},
			Format: "$operand `,` `dims` `=` $dimensions attr-dict `:` custom<Same>(type($operand), type($result))", InferTypes: inferReverse, CompatibleTypes: compatible}),
		moving(SetDimensionSize, ir.OpDef{Operands: operands(any, ir.Operand("size", tensorOf(ints))), Attrs: []ir.AttrDef{required("dimension", constraint.I64Attr)},
			Format: "$operand `,` $size `,` `dim` `=` $dimension attr-dict `:` functional-type(operands, results)", Verify: verifySetDimensionSize, VerifyAlone: true}),
		moving(Slice, ir.OpDef{Attrs: []ir.AttrDef{required("start_indices", i64List), required("limit_indices", i64List), required("strides", i64List)},
			Format: after("custom<Ranges>($start_indices, $limit_indices, $strides)"), InferTypes: inferSlice, CompatibleTypes: compatible}),
		generic(moving(TorchIndexSelect, ir.OpDef{Operands: operands(any, ir.Operand("index", anyTensor)),
			Attrs: []ir.AttrDef{required("dim", constraint.I64Attr), required("batch_dims", constraint.I64Attr)}, Verify: verifyTorchIndexSelect, VerifyAlone: true})),
		moving(Transpose, ir.OpDef{Attrs: []ir.AttrDef{required("permutation", i64List)}, Format: after("`,` `dims` `=` $permutation"),
			InferTypes: inferTranspose, CompatibleTypes: compatible, Verify: verifyTranspose, VerifyAlone: true}),
	}
}
