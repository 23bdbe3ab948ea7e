package arith

import (
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/constraint"
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

func cast(name string, from, to ir.TypeConstraint, compatible func(in, out ir.Type) bool) *ir.OpDef {
	return castAs(name, from, to, castFormat, compatible)
}

func castAs(name string, from, to ir.TypeConstraint, format string, compatible func(in, out ir.Type) bool, attrs ...ir.AttrDef) *ir.OpDef {
	return &ir.OpDef{
		Name:     "arith." + name,
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
			in, out := op.Operand(0).Type(), op.Result(0).Type()
			if !compatible(in, out) {
				return op.Errorf("operand type '%s' and result type '%s' are cast incompatible", in, out)
			}
			return nil
		},
		Models: []ir.Model{iface.Cast.Model(struct{}{})},
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
	a, b := dims(op.Operand(0).Type()), dims(op.Result(0).Type())
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
	ExtUI       = cast("extui", fixedWidthLike, fixedWidthLike, wider(intCast))
	ExtSI       = cast("extsi", fixedWidthLike, fixedWidthLike, wider(intCast))
	TruncI      = cast("trunci", fixedWidthLike, fixedWidthLike, narrower(intCast))
	UIToFP      = cast("uitofp", fixedWidthLike, constraint.FloatLike, intToFloat)
	SIToFP      = cast("sitofp", fixedWidthLike, constraint.FloatLike, intToFloat)
	FPToUI      = cast("fptoui", constraint.FloatLike, fixedWidthLike, floatToInt)
	FPToSI      = cast("fptosi", constraint.FloatLike, fixedWidthLike, floatToInt)
	IndexCast   = bufferized(cast("index_cast", indexCastable, indexCastable, indexCast))
	IndexCastUI = bufferized(cast("index_castui", indexCastable, indexCastable, indexCast))
	Bitcast     = cast("bitcast", bitcastable, bitcastable, bitcast)
	ExtF        = castAs("extf", constraint.FloatLike, constraint.FloatLike,
		"$in (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)", wider(floatCast), optionalFastMath)
	TruncF = castAs("truncf", constraint.FloatLike, constraint.FloatLike,
		"$in ($roundingmode^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($in) `to` type($out)", narrower(floatCast),
		ir.AttrDef{Name: "roundingmode", Type: constraint.Enum("Floating point rounding mode", RoundingMode), Optional: true},
		optionalFastMath)
)

// bufferized adds the model of casts that work on buffers as on elements.
func bufferized(def *ir.OpDef) *ir.OpDef {
	def.Models = append(def.Models, iface.Bufferizable.Model(indexCastBufferize{}))
	return def
}

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
