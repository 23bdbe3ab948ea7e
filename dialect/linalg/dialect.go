// Package linalg is the dialect of structured operations: computations on
// tensors and memrefs that are defined by indexing maps and a scalar body.
package linalg

import (
	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Named operations that others create or look for: products, convolutions with their layouts of images and filters, and pools.
var (
	Copy        = ir.NewOpID("linalg.copy")
	Fill        = ir.NewOpID("linalg.fill")
	Add         = ir.NewOpID("linalg.add")
	Mul         = ir.NewOpID("linalg.mul")
	Matmul      = ir.NewOpID("linalg.matmul")
	BatchMatmul = ir.NewOpID("linalg.batch_matmul")
	Matvec      = ir.NewOpID("linalg.matvec")
	Vecmat      = ir.NewOpID("linalg.vecmat")
	Dot         = ir.NewOpID("linalg.dot")

	QuantizedMatmul      = ir.NewOpID("linalg.quantized_matmul")
	QuantizedBatchMatmul = ir.NewOpID("linalg.quantized_batch_matmul")

	Conv2DNhwcFhwc           = ir.NewOpID("linalg.conv_2d_nhwc_fhwc")
	Conv2DNhwcFhwcQ          = ir.NewOpID("linalg.conv_2d_nhwc_fhwc_q")
	Conv2DNhwcHwcf           = ir.NewOpID("linalg.conv_2d_nhwc_hwcf")
	Conv2DNhwcHwcfQ          = ir.NewOpID("linalg.conv_2d_nhwc_hwcf_q")
	Conv3DNdhwcDhwcf         = ir.NewOpID("linalg.conv_3d_ndhwc_dhwcf")
	Conv3DNdhwcDhwcfQ        = ir.NewOpID("linalg.conv_3d_ndhwc_dhwcf_q")
	DepthwiseConv2DNhwcHwcm  = ir.NewOpID("linalg.depthwise_conv_2d_nhwc_hwcm")
	DepthwiseConv2DNhwcHwcmQ = ir.NewOpID("linalg.depthwise_conv_2d_nhwc_hwcm_q")
	PoolingNhwcMax           = ir.NewOpID("linalg.pooling_nhwc_max")
	PoolingNhwcSum           = ir.NewOpID("linalg.pooling_nhwc_sum")
)

// Dialect is the linalg dialect.
var Dialect = &ir.Dialect{
	Name: "linalg",
	Ops:  allOps,
	Models: []ir.Model{
		asm.Directives.Model(map[string]asm.Directive{"WinogradSizes": winogradSizesName}),
		asm.Enums.Model([]*ir.EnumDef{IteratorType, UnaryFn, BinaryFn, TernaryFn, TypeFn, ElementwiseKind}),
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
		interfaces.ConstantMaterializer.Model(arith.Materialize),
		rewrite.DialectCanonicalization.Model([]rewrite.Pattern{
			{Name: "EraseDeadLinalgOp", Applies: structured, Rewrite: eraseEmpty},
			{Name: "FoldTensorCastConsumerOp", Root: tensor.Cast, Rewrite: foldCastConsumer},
			{Name: "InferStaticShapeOfOperands", Applies: structured, Rewrite: inferStaticShapes},
		}),
	},
	VerifyOpAttr: func(op *ir.Op, a ir.NamedAttr) error {
		if a.Name == memoizedMaps {
			return nil
		}
		return op.PlainErrorf("attribute '\"%s\"' not supported by the linalg dialect", a.Name)
	},
}

func allOps() []*ir.OpDef {
	ops := []*ir.OpDef{genericDef(), mapDef(), reduceDef(), transposeDef(), broadcastDef(), yieldDef(), indexDef(), softmaxDef(),
		contractDef(), elementwiseDef(), winogradFilterTransformDef(), winogradInputTransformDef(), winogradOutputTransformDef()}
	for _, s := range named {
		ops = append(ops, s.define())
	}
	return ops
}

// verifyPayload checks a structured operation together with its region.
func verifyPayload(op *ir.Op) error {
	return inTurn(interfaces.VerifyDestinationStyle, verifySemantics, verifyStructured)(op)
}

// inTurn runs checks up to the first that fails.
func inTurn(checks ...func(*ir.Op) error) func(*ir.Op) error {
	return func(op *ir.Op) error {
		for _, check := range checks {
			if err := check(op); err != nil {
				return err
			}
		}
		return nil
	}
}
