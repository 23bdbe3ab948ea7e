package stablehlo

import (
	"freehold/ir"
	"freehold/ir/constraint"
)

// Operations that combine elements by fixed formulas: products, convolutions, transforms, decompositions, normalization, random numbers.
var (
	BatchNormGrad      = ir.NewOpID("stablehlo.batch_norm_grad")
	BatchNormInference = ir.NewOpID("stablehlo.batch_norm_inference")
	BatchNormTraining  = ir.NewOpID("stablehlo.batch_norm_training")
	Cholesky           = ir.NewOpID("stablehlo.cholesky")
	Convolution        = ir.NewOpID("stablehlo.convolution")
	Dot                = ir.NewOpID("stablehlo.dot")
	DotGeneral         = ir.NewOpID("stablehlo.dot_general")
	DynamicConv        = ir.NewOpID("stablehlo.dynamic_conv")
	Einsum             = ir.NewOpID("stablehlo.einsum")
	Fft                = ir.NewOpID("stablehlo.fft")
	RNG                = ir.NewOpID("stablehlo.rng")
	RNGBitGenerator    = ir.NewOpID("stablehlo.rng_bit_generator")
	TriangularSolve    = ir.NewOpID("stablehlo.triangular_solve")
	UnaryEinsum        = ir.NewOpID("stablehlo.unary_einsum")
)

func contractionOps() []*ir.OpDef {
	epsilon := []ir.AttrDef{required("epsilon", constraint.AnyAttr), required("feature_index", constraint.I64Attr)}
	rest := " attr-dict `:` functional-type(operands, results)"
	convAttrs := []ir.AttrDef{optional(windowStrides, i64List), optional(paddingName, padding), optional("lhs_dilation", i64List), optional("rhs_dilation", i64List),
		optional("window_reversal", boolList), required("dimension_numbers", structAttr(convName)), required("feature_group_count", constraint.I64Attr),
		required("batch_group_count", constraint.I64Attr), precisionsAttr}
	window := " `dim_numbers` `=` custom<ConvDims>($dimension_numbers) `,` `window` `=` custom<ConvWindow>($window_strides, $padding, $lhs_dilation, $rhs_dilation, $window_reversal)" + rest
	return []*ir.OpDef{
		normalization(BatchNormGrad, epsilon, 3, "operand", "scale", "mean", "variance", "grad_output"),
		normalization(BatchNormInference, epsilon, 1, "operand", "scale", "offset", "mean", "variance"),
		normalization(BatchNormTraining, epsilon, 3, "operand", "scale", "offset"),
		op(Cholesky, floats|complexes, "a").With(ir.OpDef{Attrs: []ir.AttrDef{optional("lower", constraint.BoolAttr)},
			Format: "$a (`,` `lower` `=` $lower^)? attr-dict `:` custom<Same>(type($a), type($result))", InferTypes: inferFirst, CompatibleTypes: compatible,
			Verify: verifyCholesky, VerifyAlone: true}),
		op(Convolution, bools|numbers|perAxis, "lhs", "rhs").With(ir.OpDef{Attrs: convAttrs, Format: "`(` operands `)`" + window, Verify: verifyConvolution, VerifyAlone: true}),
		op(Dot, bools|numbers, "lhs", "rhs").With(ir.OpDef{Attrs: []ir.AttrDef{precisionsAttr},
			Format: "$lhs `,` $rhs `` custom<Precision>($precision_config)" + rest, Verify: verifyDot, VerifyAlone: true}),
		op(DotGeneral, bools|numbers|perAxis, "lhs", "rhs").With(ir.OpDef{Attrs: []ir.AttrDef{required("dot_dimension_numbers", structAttr("dot")), precisionsAttr, algorithm},
			Format: "$lhs `,` $rhs `,` custom<Products>($dot_dimension_numbers) `` custom<Exactness>($precision_config, $algorithm)" + rest, Verify: verifyDotGeneral, VerifyAlone: true}),
		op(DynamicConv, bools|numbers|perAxis, "lhs", "rhs").With(ir.OpDef{Operands: operands(ir.Operand("lhs", anyTensor), ir.Operand("rhs", anyTensor), ir.Operand("d_padding", indexTensor)),
			Attrs: convAttrs, Format: "`(` operands `)`" + window, Verify: verifyConvolution, VerifyAlone: true}),
		op(Einsum, bools|numbers, "lhs", "rhs").With(ir.OpDef{Attrs: []ir.AttrDef{required("einsum_config", constraint.StrAttr)},
			Format: "$lhs `,` $rhs `,` `config` `=` custom<Quoted>($einsum_config)" + rest}),
		op(Fft, floats|complexes, "operand").With(ir.OpDef{Attrs: []ir.AttrDef{required("fft_type", enumAttr(FFTType)), required("fft_length", i64List)},
			Format:     "$operand `,` `type` `=` $fft_type `,` `length` `=` $fft_length" + rest,
			InferTypes: inferFFT, CompatibleTypes: compatible}),
		op(RNG, bools|ints|floats, "a", "b", "shape").With(ir.OpDef{Operands: operands(ir.Operand("a", anyTensor), ir.Operand("b", anyTensor), ir.Operand("shape", listTensor)),
			Attrs: []ir.AttrDef{required("rng_distribution", enumAttr(RNGDistribution))}, Traits: 0,
			Format: "$a `,` $b `,` $shape `,` `distribution` `=` $rng_distribution" + rest, Verify: verifyRNG, VerifyAlone: true}),
		{ID: RNGBitGenerator, Operands: operands(ir.Operand("initial_state", anyTensor)), Results: []ir.ResultDef{ir.Result("output_state", anyTensor), ir.Result("output", tensorOf(bools|ints|floats))},
			Attrs: []ir.AttrDef{required("rng_algorithm", enumAttr(RNGAlgorithm))}, Traits: ir.TraitPure,
			Format: "$initial_state `,` `algorithm` `=` $rng_algorithm" + rest, Verify: verifyBitGenerator, VerifyAlone: true},
		generic(op(TriangularSolve, floats|complexes, "a", "b")).With(ir.OpDef{Attrs: []ir.AttrDef{required("left_side", constraint.BoolAttr), required("lower", constraint.BoolAttr),
			required("unit_diagonal", constraint.BoolAttr), required("transpose_a", enumAttr(TransposeKind))}, InferTypes: inferSecond, CompatibleTypes: compatible,
			Verify: verifyTriangularSolve, VerifyAlone: true}),
		op(UnaryEinsum, bools|numbers, "operand").With(ir.OpDef{Attrs: []ir.AttrDef{required("einsum_config", constraint.StrAttr)},
			Format: "$operand `,` `config` `=` custom<Quoted>($einsum_config)" + rest}),
	}
}

// normalization declares an operation whose results are a tensor like the operand and, if there are several, two of its features.
func normalization(id *ir.OpID, attrs []ir.AttrDef, results int, names ...string) *ir.OpDef {
	def := op(id, floats|quantized, names...)
	def.Attrs, def.Format, def.Verify, def.VerifyAlone = attrs, "", verifyNormalization, true
	if results == 3 {
		t := floatTensor
		def.Results = []ir.ResultDef{ir.Result("output", t), ir.Result("first", t), ir.Result("second", t)}
	}
	return def
}
