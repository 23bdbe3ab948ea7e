// Package tosa is the dialect of the Tensor Operator Set Architecture, in which models of
// neural networks are published: whole-tensor operations such as convolutions, and forms of
// them on quantized numbers. They aren't executed or bufferized as such, but converted to
// other dialects (transform/lower/tosa).
package tosa

import (
	"slices"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

const dialectName = "tosa"

// Dialect is the tosa dialect.
var Dialect = &ir.Dialect{
	Name: dialectName,
	Ops: func() []*ir.OpDef {
		return slices.Concat(shapeDefs(), blockDefs(), keptDefs(), []*ir.OpDef{
			absDef(), addDef(), applyScaleDef(), argMaxDef(), arithmeticRightShiftDef(), avgPool2DDef(), bitwiseAndDef(), bitwiseNotDef(), bitwiseOrDef(), bitwiseXorDef(),
			castDef(), ceilDef(), clampDef(), clzDef(), concatDef(), condIfDef(), constDef(), constShapeDef(), conv2DDef(), conv3DDef(), cosDef(), customDef(), depthwiseConv2DDef(), equalDef(),
			erfDef(), expDef(), fft2DDef(), floorDef(), fullyConnectedDef(), gatherDef(), greaterDef(), greaterEqualDef(), identityDef(), intDivDef(), logDef(), logicalAndDef(),
			logicalLeftShiftDef(), logicalNotDef(), logicalOrDef(), logicalRightShiftDef(), logicalXorDef(), matMulDef(), maxPool2DDef(), maximumDef(), minimumDef(),
			mulDef(), negateDef(), padDef(), powDef(), reciprocalDef(), reduceAllDef(), reduceAnyDef(), reduceMaxDef(), reduceMinDef(), reduceProdDef(), reduceSumDef(),
			rescaleDef(), reshapeDef(), resizeDef(), reverseDef(), rfft2DDef(), rsqrtDef(), scatterDef(), selectDef(), sigmoidDef(), sinDef(), sliceDef(), subDef(), tableDef(),
			tanhDef(), tileDef(), transposeConv2DDef(), transposeDef(), variableDef(), variableReadDef(), variableWriteDef(), whileLoopDef(), yieldDef(),
		})
	},
	Types:     ir.PlainTypes(shapeType, mxint8Type),
	PrintAttr: printAttr,
	PrintType: printType,
	Models: []ir.Model{
		asm.AttrParser.Model(parseAttr),
		asm.TypeParser.Model(parseType),
		asm.Directives.Model(directives),
		interfaces.ConstantMaterializer.Model(materialize),
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
	},
}
