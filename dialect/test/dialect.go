// Package testd is the test dialect: operations, types and attributes without a
// meaning of their own, which exercise syntax, traits and interfaces. Programs
// that test compilers use them next to the operations of other dialects. What is
// here is the part that such programs commonly use; other operations with the
// dialect's prefix are accepted as unknown ones.
package testd

import (
	"freehold/exec"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/asm"
)

// Dialect is the test dialect. Its types refer to it, so its operations are
// attached when the package is initialised.
var Dialect = &ir.Dialect{Name: "test", AllowUnknownOps: true, Aliases: true, MemRefElements: []string{"memref_element"}}

func init() {
	Dialect.Ops = append([]*ir.OpDef{
		Cast, Constant, FoldAnchor, InPlaceFold, Commutative, Commutative2, Idempotent, IdempotentBinary, Involution,
		FailingInvolution, SuccessfulInvolution,
		Branch, InternalBranch, ProducingBranch, RegionIf, RegionIfYield, Return, Finish, Valid,
		BufferBased, Copy, RegionBufferBased, RegionYield, TensorBased,
		SideEffect, EffectsResult,
		OneRegion, TwoRegion, SizedRegion, IsolatedRegion, IsolatedRegions, SSACFGRegion, GraphRegion, AffineScope,
		SingleBlockImplicitTerminator, SingleNoTerminator, SingleNoTerminatorCustom, VariadicNoTerminator, RegionPattern,
		RegionTerminator, MergeBlocks,
		Symbol, SymbolScope, SymbolScopeIsolated, ConversionCall,
		CustomResultName, StringAttrPrettyName, DefaultValuePrint, SymbolNameFormat, NestedTypeFormat, SameTypeAsAttr,
		MixedVariadicOperand, MixedVariadicResult, OneVariadic, ResultTypeWithTrait, AttrWithTrait,
		EitherA, EitherB, TypeProducer, TypeConsumer, TypeChanger, IllegalA, IllegalB, LegalA,
		DynamicGeneric, DynamicOneOperandTwoResults, DynamicCustom, FoldAdaptor,
	}, append(attributeOps, shapeOps...)...)
	Dialect.PrintType, Dialect.PrintAttr = printType, printAttr
	Dialect.VerifyOpAttr = func(op *ir.Op, a ir.NamedAttr) error { return forbidden(op, a) }
	Dialect.VerifyArgAttr = func(op *ir.Op, _, _ int, a ir.NamedAttr) error { return forbidden(op, a) }
	Dialect.VerifyResAttr = func(op *ir.Op, _ int, a ir.NamedAttr) error { return forbidden(op, a) }
	Dialect.Models = []ir.Model{
		exec.DialectModels.Model(execute),
		exec.Meaningless.Model(meaningless),
		asm.TypeParser.Model(parseType),
		asm.AttrParser.Model(parseAttr),
		asm.Directives.Model(map[string]asm.Directive{"Nested": nestedType}),
		asm.AliasNames.Model(aliasName),
		asm.Enums.Model([]*ir.EnumDef{testEnum, bitEnum, barEnum}),
		iface.ConstantMaterializer.Model(func(b *ir.Builder, value ir.Attribute, t ir.Type) *ir.Op {
			return b.CreateOp(Constant, []ir.Type{t}, nil, ir.NamedAttr{Name: "value", Value: value})
		}),
		iface.Inliner.Model(inliner{}),
	}
}

// forbidden rejects the attribute that the dialect has for this purpose.
func forbidden(op *ir.Op, a ir.NamedAttr) error {
	if a.Name == "test.invalid_attr" {
		return op.PlainErrorf("invalid to use 'test.invalid_attr'")
	}
	return nil
}

// inliner allows everything to be inlined.
type inliner struct{}

func (inliner) LegalCall(call, callee *ir.Op) bool      { return true }
func (inliner) LegalOp(op *ir.Op, dest *ir.Region) bool { return true }

// Terminator replaces a test.return by its operands.
func (inliner) Terminator(_ *ir.Builder, op *ir.Op, _ *ir.Block, values []*ir.Value) {
	if !op.Is(Return) {
		return
	}
	for i, v := range values {
		v.ReplaceAllUsesWith(op.Operand(i))
	}
}
