package tosa

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/rewrite"
)

// Operations that multiply with weights, or look at windows of images.
var (
	AvgPool2D       = ir.NewOpID("tosa.avg_pool2d")
	Conv2D          = ir.NewOpID("tosa.conv2d")
	Conv3D          = ir.NewOpID("tosa.conv3d")
	DepthwiseConv2D = ir.NewOpID("tosa.depthwise_conv2d")
	FullyConnected  = ir.NewOpID("tosa.fully_connected")
	MatMul          = ir.NewOpID("tosa.matmul")
	MaxPool2D       = ir.NewOpID("tosa.max_pool2d")
	TransposeConv2D = ir.NewOpID("tosa.transpose_conv2d")
)

// convolutionOf declares a convolution with a bias.
func convolutionOf(id *ir.OpID, image, weights ir.TypeConstraint, filter string, attrs ...ir.AttrDef) *ir.OpDef {
	return &ir.OpDef{
		ID:       id,
		Operands: []ir.OperandDef{ir.Operand("input", image), ir.Operand(filter, weights), ir.Operand("bias", tensor1D)},
		Results:  ir.SingleResult("output", image),
		Attrs:    append(attrs, convQuantAttr),
		Traits:   ir.TraitPure,
		Format:   functional,
		Later:    without(later(readPoints(convQuant, 3), printConvolution, accTypeName), quantName),
	}
}

func conv2DDef() *ir.OpDef {
	return convolutionOf(Conv2D, tensor4D, weight4D, "weight",
		attr("pad", i64s(4)), attr("stride", i64s(2)), attr("dilation", i64s(2)), localBoundAttr).With(ir.OpDef{
		Verify:    verifyConvolution,
		Revisions: revised(verifyConvolutionOf22(1)),
		Models:    []ir.Model{ShapeInference.Model(inferConv2D)},
	})
}

func conv3DDef() *ir.OpDef {
	return convolutionOf(Conv3D, tensor5D, weight5D, "weight",
		attr("pad", i64s(6)), attr("stride", i64s(3)), attr("dilation", i64s(3)), localBoundAttr).With(ir.OpDef{
		Verify:    verifyConvolution,
		Revisions: revised(verifyConvolutionOf22(1)),
		Models:    []ir.Model{ShapeInference.Model(inferConv3D)},
	})
}

func depthwiseConv2DDef() *ir.OpDef {
	return convolutionOf(DepthwiseConv2D, tensor4D, weight4D, "weight",
		attr("pad", i64s(4)), attr("stride", i64s(2)), attr("dilation", i64s(2)), localBoundAttr).With(ir.OpDef{
		Verify:    verifyConvolution,
		Revisions: revised(verifyConvolutionOf22(0)),
		Models:    []ir.Model{ShapeInference.Model(inferDepthwise)},
	})
}

func transposeConv2DDef() *ir.OpDef {
	return convolutionOf(TransposeConv2D, tensor4D, weight4D, "filter",
		attr("out_pad", i64s(4)), attr("stride", i64s(2)), attr("out_shape", upTo4), localBoundAttr).With(ir.OpDef{
		Models: []ir.Model{ShapeInference.Model(inferTransposeConv)},
		Later:  without(later(readTransposeConv, printTransposeConv, accTypeName), quantName, "out_shape"),
	})
}

func fullyConnectedDef() *ir.OpDef {
	return convolutionOf(FullyConnected, tensor2D, weight2D, "weight").With(ir.OpDef{
		Verify: verifyConvolution,
		Models: []ir.Model{ShapeInference.Model(inferFullyConnected)},
		Later:  later(nil, printFullyConnected),
	})
}

func matMulDef() *ir.OpDef {
	return op(MatMul, "c", tensor3D, "a", "b").With(ir.OpDef{
		Attrs:  []ir.AttrDef{matmulQuantAttr},
		Models: []ir.Model{ShapeInference.Model(inferMatMul)},
		Later:  without(later(readPoints(matmulQuant, 2), printPoints(0, 1)), quantName),
	})
}

func maxPool2DDef() *ir.OpDef {
	return op(MaxPool2D, "output", tensor4D, "input").With(ir.OpDef{
		Attrs:     []ir.AttrDef{attr("kernel", i64s(2)), attr("stride", i64s(2)), attr("pad", i64s(4))},
		Later:     wordy(later(readNaN, nil, nanModeName)),
		Revisions: revised(verifyMaxPoolOf22),
		Models: []ir.Model{
			ShapeInference.Model(inferPool),
			rewrite.Patterns(rewrite.Pattern{Name: "MaxPool2dIsNoOp", Rewrite: removeMaxPool}),
		},
	})
}

func avgPool2DDef() *ir.OpDef {
	return op(AvgPool2D, "output", tensor4D, "input").With(ir.OpDef{
		Attrs: []ir.AttrDef{attr("kernel", i64s(2)), attr("stride", i64s(2)), attr("pad", i64s(4)),
			attr("acc_type", accTypeAttr), unaryQuantAttr},
		Verify:    verifyAvgPool,
		Revisions: revised(verifyAvgPoolOf22),
		Earlier: []ir.Spelling{{Until: 16, Upgrade: func(b *ir.Builder, s *ir.OpState) error {
			if s.Attr("acc_type") == nil && len(s.Operands) == 1 {
				acc := ir.Type(ir.I32)
				if ir.IsFloat(ir.ElementType(s.Operands[0].Type())) {
					acc = ir.F32
				}
				s.SetAttr("acc_type", b.Context().TypeAttr(acc))
			}
			return nil
		}}},
		Later:  without(later(readPoints(unaryQuant, 1), printPoints(0, -1)), quantName),
		Models: []ir.Model{ShapeInference.Model(inferPool)},
	})
}

// Fourier transforms.
var (
	FFT2D  = ir.NewOpID("tosa.fft2d")
	RFFT2D = ir.NewOpID("tosa.rfft2d")
)

func nameParts(op *ir.Op, name func(*ir.Value, string)) {
	name(op.Result(0), "output_real")
	name(op.Result(1), "output_imag")
}

var complexResults = []ir.ResultDef{ir.Result("output_real", tensor3D), ir.Result("output_imag", tensor3D)}

func fft2DDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       FFT2D,
		Operands: []ir.OperandDef{ir.Operand("input_real", tensor3D), ir.Operand("input_imag", tensor3D)},
		Results:  complexResults,
		Attrs:    []ir.AttrDef{attr("inverse", constraint.BoolAttr), localBoundAttr},
		Traits:   ir.TraitPure,
		Format: "$input_real `,` $input_imag attr-dict `:` `(` type($input_real) `,` type($input_imag) `)` `->` " +
			"`(` type($output_real) `,` type($output_imag) `)`",
		Models: []ir.Model{ShapeInference.Model(inferFFT), asm.ResultNames.Model(nameParts)},
	}
}

func rfft2DDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       RFFT2D,
		Operands: []ir.OperandDef{ir.Operand("input", tensor3D)},
		Results:  complexResults,
		Attrs:    []ir.AttrDef{localBoundAttr},
		Traits:   ir.TraitPure,
		Format:   "$input attr-dict `:` `(` type($input) `)` `->` `(` type($output_real) `,` type($output_imag) `)`",
		Models:   []ir.Model{ShapeInference.Model(inferRFFT), asm.ResultNames.Model(nameParts)},
	}
}
