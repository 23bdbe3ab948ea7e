// Package quant defines the quant dialect: types of integers that stand for real numbers, as quantized networks have them.
package quant

import (
	"slices"

	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/bytecode"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// dialectName is the name of the dialect.
const dialectName = "quant"

// Dialect is the quant dialect.
var Dialect = &ir.Dialect{
	Name: dialectName,
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{dequantizeDef(), quantizeDef(), storageDef()}
	},
	PrintType: printType,
	Types:     ir.PlainTypes(anyMnemonic, uniformMnemonic, calibratedMnemonic),
	Models: []ir.Model{
		asm.TypeParser.Model(parseType),
		bytecode.Encoded.Model(&bytecode.Encoding{ReadType: readType}),
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
	},
}

// The casts. LLVM 19 writes them in the generic form only.

var (

	// DequantizeCast is quant.dcast, the numbers that quantized ones stand for.
	DequantizeCast = ir.NewOpID("quant.dcast")

	// QuantizeCast is quant.qcast, the quantized numbers that are nearest to others.
	QuantizeCast = ir.NewOpID("quant.qcast")

	// StorageCast is quant.scast, quantized numbers as the integers that they are stored as, and the other way round.
	StorageCast = ir.NewOpID("quant.scast")
)

func dequantizeDef() *ir.OpDef {
	return castDef(DequantizeCast)
}

func quantizeDef() *ir.OpDef {
	return castDef(QuantizeCast)
}

func storageDef() *ir.OpDef {
	d := castDef(StorageCast)
	d.Fold = foldStorage
	return d
}

// foldStorage drops casts that go and come back, which change no bit.
func foldStorage(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if there := op.OnlyOperand().DefinedBy(StorageCast); there != nil && there.OnlyOperand().Type() == op.Result(0).Type() {
		return ir.FoldValue(there.OnlyOperand())
	}
	return nil
}

func castDef(id *ir.OpID) *ir.OpDef {
	return &ir.OpDef{
		ID:       id,
		Operands: []ir.OperandDef{ir.Operand("arg", constraint.AnyType)},
		Results:  []ir.ResultDef{{Name: "result", Type: constraint.AnyType}},
		Traits:   ir.TraitPure,
		Later:    []ir.Spelling{{Since: 20, Format: "$arg attr-dict `:` type($arg) `to` type($result)"}},
		Verify:   verifyCast,
	}
}

// verifyCast checks that one side is quantized, with the other one's shape.
func verifyCast(op *ir.Op) error {
	from, to := op.OnlyOperand().Type(), op.Result(0).Type()
	quantized, other := to, from
	if op.Is(DequantizeCast) || op.Is(StorageCast) && uniformOf(ir.ElementType(from)) != nil {
		quantized, other = from, to
	}
	q := uniformOf(ir.ElementType(quantized))
	if q == nil {
		return op.Errorf("expects '%s' to be quantized uniformly", quantized)
	}
	want := ir.Type(q.Expressed)
	if op.Is(StorageCast) {
		want = q.Storage(op.Context())
	}
	if ir.ElementType(other) != want {
		return op.Errorf("expects '%s' for '%s', not '%s'", want, quantized, other)
	}
	if d, ok := ir.ElementType(quantized).(*ir.DialectType); ok && hasBlocks(d) {
		if err := verifyBlocks(op, d, quantized); err != nil {
			return err
		}
	}
	return verifyShapes(op, q)
}

// verifyShapes checks that both sides have the same shape, which has a scale for each position along the type's dimension.
func verifyShapes(op *ir.Op, q *Uniform) error {
	from, to := op.OnlyOperand().Type(), op.Result(0).Type()
	if ir.IsShaped(from) != ir.IsShaped(to) {
		return op.Errorf("expects two numbers, or two tensors of one shape")
	}
	a, ok := ir.ShapeOf(from)
	b, also := ir.ShapeOf(to)
	if ok && also && !slices.Equal(a, b) {
		return op.Errorf("expects two tensors of one shape")
	}
	switch {
	case q.Axis < 0 || ir.IsShaped(from) && !ok:
		return nil
	case q.Axis >= len(a):
		return op.Errorf("is quantized along dimension %d, of %d", q.Axis, len(a))
	case a[q.Axis] != ir.Dynamic && a[q.Axis] != int64(len(q.Scales)):
		return op.Errorf("is quantized with %d scales along dimension %d, which has %d elements", len(q.Scales), q.Axis, a[q.Axis])
	}
	return nil
}
