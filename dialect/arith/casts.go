package arith

import (
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

var (
	fixedWidthLike = constraint.Like("signless-fixed-width-integer-like", constraint.AnySignlessInt)
	indexCastable  = memrefOr("signless-integer-like or memref of signless-integer",
		constraint.SignlessIntegerLike, constraint.SignlessIntOrIndex)
	bitcastable = memrefOr("signless-integer-or-float-like or memref of signless-integer or float",
		constraint.Or(constraint.SignlessIntegerLike, constraint.FloatLike),
		constraint.Or(constraint.SignlessIntOrIndex, constraint.AnyFloat))
)

// memrefOr accepts what c accepts, and ranked memrefs whose elements elem accepts.
func memrefOr(summary string, c, elem ir.TypeConstraint) ir.TypeConstraint {
	return ir.TypeConstraint{Summary: summary, Match: func(t ir.Type) bool {
		if m, ok := t.(*ir.MemRefType); ok {
			return elem.Match(m.Elem)
		}
		return c.Match(t)
	}}
}

func cast(id *ir.OpID, from, to ir.TypeConstraint, compatible func(in, out ir.Type) bool) *ir.OpDef {
	return castAs(id, from, to, castFormat, compatible)
}

func castAs(id *ir.OpID, from, to ir.TypeConstraint, format string, compatible func(in, out ir.Type) bool, attrs ...ir.AttrDef) *ir.OpDef {
	return &ir.OpDef{
		ID:       id,
		Operands: []ir.OperandDef{{Name: "in", Type: from}},
		Results:  []ir.ResultDef{{Name: "out", Type: to}},
		Attrs:    attrs,
		Traits:   ir.TraitPure | ir.TraitSameOperandsAndResultShape | ir.ElementwiseMappable,
		TypeRules: []ir.TypeRule{{
			Check:   sameTensorDims,
			Summary: "input and output have the same tensor dimensions",
		}},
		Format: format,
		Verify: func(op *ir.Op) error {
			in, out := castOp{op}.In().Type(), op.Result(0).Type()
			if !compatible(in, out) {
				return op.Errorf("operand type '%s' and result type '%s' are cast incompatible", in, out)
			}
			return nil
		},
		Models: []ir.Model{interfaces.Cast.Model(struct{}{})},
	}
}

// sameTensorDims tells whether operand and result of a cast, if they are tensors,
// have dimensions that are equal also where they are dynamic.
func sameTensorDims(op *ir.Op) bool {
	dims := func(t ir.Type) []int64 {
		if r, ok := t.(*ir.RankedTensorType); ok {
			return r.Shape
		}
		return nil
	}
	a, b := dims(castOp{op}.In().Type()), dims(op.Result(0).Type())
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// Casts.
var (
	ExtUI       = ir.NewOpID("arith.extui")
	ExtSI       = ir.NewOpID("arith.extsi")
	TruncI      = ir.NewOpID("arith.trunci")
	UIToFP      = ir.NewOpID("arith.uitofp")
	SIToFP      = ir.NewOpID("arith.sitofp")
	FPToUI      = ir.NewOpID("arith.fptoui")
	FPToSI      = ir.NewOpID("arith.fptosi")
	IndexCast   = ir.NewOpID("arith.index_cast")
	IndexCastUI = ir.NewOpID("arith.index_castui")
	Bitcast     = ir.NewOpID("arith.bitcast")
	ExtF        = ir.NewOpID("arith.extf")
	TruncF      = ir.NewOpID("arith.truncf")
)

func extUIDef() *ir.OpDef {
	return cast(ExtUI, fixedWidthLike, fixedWidthLike, wider(intCast)).With(ir.OpDef{
		Fold: func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
			return foldExt(op, operands, ExtUI, unsignedBits)
		},
		Models: []ir.Model{
			exec.Elementwise.Model(resize(false)),
		},
	})
}

func extSIDef() *ir.OpDef {
	return cast(ExtSI, fixedWidthLike, fixedWidthLike, wider(intCast)).With(ir.OpDef{
		Fold: func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
			return foldExt(op, operands, ExtSI, signedBits)
		},
		Models: []ir.Model{
			rewrite.Patterns(rewrite.Pattern{Name: "ExtSIOfExtUI", Rewrite: sextOfZext}),
			exec.Elementwise.Model(resize(true)),
		},
	})
}

func truncIDef() *ir.OpDef {
	return cast(TruncI, fixedWidthLike, fixedWidthLike, narrower(intCast)).With(ir.OpDef{
		Fold: foldTruncI,
		Later: []ir.Spelling{{Since: 20,
			Format:      "$in (`overflow` `` $overflowFlags^)? attr-dict `:` type($in) `to` type($out)",
			Attrs:       []ir.AttrDef{overflowAttr},
			Discardable: []string{overflowAttr.Name},
			Upgrade:     withoutDefault,
			Spelled: func(op *ir.Op) []ir.NamedAttr {
				if op.DiscardableAttr(overflowAttr.Name) != nil {
					return nil
				}
				return []ir.NamedAttr{{Name: overflowAttr.Name, Value: overflowAttr.Default(op.Context())}}
			},
		}},
		Models: []ir.Model{
			rewrite.Patterns(
				rewrite.Pattern{Name: "TruncIExtSIToExtSI", Rewrite: truncOfExt(ExtSI)},
				rewrite.Pattern{Name: "TruncIExtUIToExtUI", Rewrite: truncOfExt(ExtUI)},
				rewrite.Pattern{Name: "TruncIShrSIToTrunciShrUI", Rewrite: truncOfShrSI},
				rewrite.Pattern{Name: "TruncIShrUIMulIToMulSIExtended", Rewrite: highHalf(ExtSI, MulSIExtended)},
				rewrite.Pattern{Name: "TruncIShrUIMulIToMulUIExtended", Rewrite: highHalf(ExtUI, MulUIExtended)},
			),
			exec.Elementwise.Model(resize(false)),
		},
	})
}

func uiToFPDef() *ir.OpDef {
	return cast(UIToFP, fixedWidthLike, constraint.FloatLike, intToFloat).With(ir.OpDef{
		Fold: func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult { return foldIntToFloat(op, operands, false) },
		Models: []ir.Model{
			exec.Elementwise.Model(fromInt(false)),
		},
	})
}

func siToFPDef() *ir.OpDef {
	return cast(SIToFP, fixedWidthLike, constraint.FloatLike, intToFloat).With(ir.OpDef{
		Fold: func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult { return foldIntToFloat(op, operands, true) },
		Models: []ir.Model{
			exec.Elementwise.Model(fromInt(true)),
		},
	})
}

func fpToUIDef() *ir.OpDef {
	return cast(FPToUI, constraint.FloatLike, fixedWidthLike, floatToInt).With(ir.OpDef{
		Fold: func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult { return foldFloatToInt(op, operands, false) },
		Models: []ir.Model{
			exec.Elementwise.Model(toInt(false)),
		},
	})
}

func fpToSIDef() *ir.OpDef {
	return cast(FPToSI, constraint.FloatLike, fixedWidthLike, floatToInt).With(ir.OpDef{
		Fold: func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult { return foldFloatToInt(op, operands, true) },
		Models: []ir.Model{
			exec.Elementwise.Model(toInt(true)),
		},
	})
}

func indexCastDef() *ir.OpDef {
	return cast(IndexCast, indexCastable, indexCastable, indexCast).With(ir.OpDef{
		Fold: func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
			return foldResized(op, operands, signedBits)
		},
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsLaidOut),
			rewrite.Patterns(
				rewrite.Pattern{Name: "IndexCastOfIndexCast", Rewrite: castBack(IndexCast)},
				rewrite.Pattern{Name: "IndexCastOfExtSI", Rewrite: castOfExt(IndexCast, ExtSI)},
			),
			exec.Elementwise.Model(resize(true)),
			interfaces.Bufferizable.Model(indexCastBufferize{}),
		},
	})
}

func indexCastUIDef() *ir.OpDef {
	return cast(IndexCastUI, indexCastable, indexCastable, indexCast).With(ir.OpDef{
		Fold: func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
			return foldResized(op, operands, unsignedBits)
		},
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsLaidOut),
			rewrite.Patterns(
				rewrite.Pattern{Name: "IndexCastUIOfIndexCastUI", Rewrite: castBack(IndexCastUI)},
				rewrite.Pattern{Name: "IndexCastUIOfExtUI", Rewrite: castOfExt(IndexCastUI, ExtUI)},
			),
			exec.Elementwise.Model(resize(false)),
			interfaces.Bufferizable.Model(indexCastBufferize{}),
		},
	})
}

func bitcastDef() *ir.OpDef {
	return cast(Bitcast, bitcastable, bitcastable, bitcast).With(ir.OpDef{
		Fold: foldBitcast,
		Models: []ir.Model{
			interfaces.Addresses(interfaces.AsLaidOut),
			rewrite.Patterns(rewrite.Pattern{Name: "BitcastOfBitcast", Rewrite: bitcastOfBitcast}),
			exec.Elementwise.Model(computeBitcast),
		},
	})
}

func extFDef() *ir.OpDef {
	return castAs(ExtF, constraint.FloatLike, constraint.FloatLike,
		"$in (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)", wider(floatCast), optionalFastMath).With(ir.OpDef{
		Fold: foldExtF,
		Models: []ir.Model{
			exec.Elementwise.Model(convert),
		},
	})
}

func truncFDef() *ir.OpDef {
	return castAs(TruncF, constraint.FloatLike, constraint.FloatLike,
		"$in ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)", narrower(floatCast),
		roundingAttr, optionalFastMath).With(ir.OpDef{
		Fold:      foldTruncF,
		Revisions: []ir.Revision{{Since: 22, Fold: foldLaterTruncF}},
		Models: []ir.Model{
			rewrite.Patterns(
				rewrite.Pattern{Name: "TruncFOfSIToFP", Since: 22, Rewrite: truncOfConversion(SIToFP, 1)},
				rewrite.Pattern{Name: "TruncFOfUIToFP", Since: 22, Rewrite: truncOfConversion(UIToFP, 0)},
			),
			exec.Elementwise.Model(convert),
		},
	})
}

// roundingAttr is how numbers are rounded, if not to the nearest even one.
var roundingAttr = ir.AttrDef{Name: "roundingmode", Type: constraint.Enum("Floating point rounding mode", RoundingMode), Optional: true}

// wider narrows a compatibility of types to results with wider elements.
func wider(compatible func(in, out ir.Type) bool) func(in, out ir.Type) bool {
	return func(in, out ir.Type) bool {
		return compatible(in, out) && bitWidth(ir.ElementType(out)) > bitWidth(ir.ElementType(in))
	}
}

// narrower narrows a compatibility of types to results with narrower elements.
func narrower(compatible func(in, out ir.Type) bool) func(in, out ir.Type) bool {
	return func(in, out ir.Type) bool {
		return compatible(in, out) && bitWidth(ir.ElementType(out)) < bitWidth(ir.ElementType(in))
	}
}

// bitWidth returns the width of an integer or floating-point type, and 0 of any
// other.
func bitWidth(t ir.Type) int {
	switch t := t.(type) {
	case *ir.IntegerType:
		return t.Width
	case *ir.FloatType:
		return t.Width
	}
	return 0
}

// compatibleKinds tells whether both types are scalars, or containers of the same
// kind; tensors have to have the same encoding, too.
func compatibleKinds(in, out ir.Type) bool {
	if i, ok := in.(*ir.RankedTensorType); ok {
		if o, ok := out.(*ir.RankedTensorType); ok && i.Encoding != o.Encoding {
			return false
		}
	}
	return ir.IsVector(in) == ir.IsVector(out) && ir.IsTensor(in) == ir.IsTensor(out) && ir.IsMemRef(in) == ir.IsMemRef(out)
}

func intCast(in, out ir.Type) bool {
	return compatibleKinds(in, out) && ir.IsInteger(ir.ElementType(in)) && ir.IsInteger(ir.ElementType(out))
}

func intToFloat(in, out ir.Type) bool {
	return compatibleKinds(in, out) && ir.IsInteger(ir.ElementType(in)) && ir.IsFloat(ir.ElementType(out))
}

func floatToInt(in, out ir.Type) bool {
	return compatibleKinds(in, out) && ir.IsFloat(ir.ElementType(in)) && ir.IsInteger(ir.ElementType(out))
}

func floatCast(in, out ir.Type) bool {
	return compatibleKinds(in, out) && ir.IsFloat(ir.ElementType(in)) && ir.IsFloat(ir.ElementType(out))
}

func indexCast(in, out ir.Type) bool {
	if !compatibleKinds(in, out) {
		return false
	}
	i, o := ir.ElementType(in), ir.ElementType(out)
	return i == ir.Type(ir.Index) && ir.IsSignlessInteger(o) || ir.IsSignlessInteger(i) && o == ir.Type(ir.Index)
}

func bitcast(in, out ir.Type) bool {
	if !compatibleKinds(in, out) {
		return false
	}
	i, o := ir.ElementType(in), ir.ElementType(out)
	if i == ir.Type(ir.Index) || o == ir.Type(ir.Index) {
		return i == o
	}
	return bitWidth(i) != 0 && bitWidth(i) == bitWidth(o)
}
