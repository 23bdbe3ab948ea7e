// Package testd is the test dialect: operations, types and attributes without a
// meaning of their own, which exercise syntax, traits and interfaces. Programs
// that test compilers use them next to the operations of other dialects. What is
// here is the part that such programs commonly use; other operations with the
// dialect's prefix are accepted as unknown ones.
package testd

import (
	"slices"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

const dialectName = "test"

// Dialect is the test dialect. Its types refer to it, so its operations are
// attached when the package is initialised.
var Dialect = &ir.Dialect{Name: dialectName, AllowUnknownOps: true, Aliases: true, Types: types,
	Ops: func() []*ir.OpDef {
		return append([]*ir.OpDef{
			castDef(), constantDef(), foldAnchorDef(), inPlaceFoldDef(), commutativeDef(), commutative2Def(), idempotentDef(), idempotentBinaryDef(), involutionDef(),
			failingInvolutionDef(), successfulInvolutionDef(),
			branchDef(), internalBranchDef(), producingBranchDef(), regionIfDef(), regionIfYieldDef(), returnDef(), finishDef(), validDef(),
			bufferBasedDef(), opNormDef(), opNormRetDef(), opNonNormDef(), copyDef(), regionBufferBasedDef(), regionYieldDef(), tensorBasedDef(),
			sideEffectDef(), effectsResultDef(), memReadDef(), memWriteDef(), withBoundsDef(), withBoundsRegionDef(), reflectBoundsDef(), stringAttrWithTypeDef(), attrWithLocDef(),
			oneRegionDef(), twoRegionDef(), sizedRegionDef(), isolatedRegionDef(), isolatedRegionsDef(), ssacfgRegionDef(), graphRegionDef(), affineScopeDef(),
			singleBlockImplicitTerminatorDef(), singleNoTerminatorDef(), singleNoTerminatorCustomDef(), variadicNoTerminatorDef(), regionPatternDef(),
			mergeBlocksDef(),
			symbolDef(), symbolScopeDef(), symbolScopeIsolatedDef(), conversionCallDef(),
			customResultNameDef(), stringAttrPrettyNameDef(), defaultValuePrintDef(), symbolNameFormatDef(), nestedTypeFormatDef(), sameTypeAsAttrDef(),
			mixedVariadicOperandDef(), mixedVariadicResultDef(), oneVariadicDef(), resultTypeWithTraitDef(), attrWithTraitDef(),
			eitherADef(), eitherBDef(), typeProducerDef(), typeConsumerDef(), typeChangerDef(), illegalADef(), illegalBDef(), legalADef(),
			dynamicGenericDef(), dynamicOneOperandTwoResultsDef(), dynamicCustomDef(), foldAdaptorDef(),
			dummyTensorDef(), dummyMemrefDef(), createTensorDef(), createMemrefDef(),
		}, slices.Concat(attributeOps(), shapeOps(), formatOps(), typedOps())...)
	},
	PrintType:     printType,
	PrintAttr:     printAttr,
	VerifyOpAttr:  func(op *ir.Op, a ir.NamedAttr) error { return forbidden(op, a) },
	VerifyArgAttr: func(op *ir.Op, _, _ int, a ir.NamedAttr) error { return forbidden(op, a) },
	VerifyResAttr: func(op *ir.Op, _ int, a ir.NamedAttr) error { return forbidden(op, a) },
	Models: []ir.Model{
		exec.Meaningless.Model(meaningless),
		asm.TypeParser.Model(parseType),
		asm.AttrParser.Model(parseAttr),
		asm.Directives.Model(map[string]asm.Directive{"Nested": nestedType}),
		asm.AliasNames.Model(aliasName),
		asm.Enums.Model([]*ir.EnumDef{testEnum, bitEnum, barEnum}),
		interfaces.ConstantMaterializer.Model(func(b *ir.Builder, value ir.Attribute, t ir.Type) *ir.Op {
			return b.CreateOp(Constant, []ir.Type{t}, nil, ir.NamedAttr{Name: "value", Value: value})
		}),
		interfaces.Inliner.Model(inliner{}),
	},
}

// forbidden rejects the attribute that the dialect has for this purpose.
func forbidden(op *ir.Op, a ir.NamedAttr) error {
	if a.Name == "test.invalid_attr" {
		return op.PlainErrorf("invalid to use 'test.invalid_attr'")
	}
	return nil
}

// inliner allows everything to be inlined.
type inliner struct{ interfaces.InlineAnywhere }

// Terminator replaces a test.return by its operands.
func (inliner) Terminator(_ *ir.Builder, op *ir.Op, _ *ir.Block, values []*ir.Value) {
	if !op.Is(Return) {
		return
	}
	for i, v := range values {
		v.ReplaceAllUsesWith(op.Operand(i))
	}
}
