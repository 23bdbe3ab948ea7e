package core

import (
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
)

// narrowFormat is a format of few bits whose conversions become operations on integers. They go by f32, which has all of its numbers.
type narrowFormat struct {
	name   string
	t      *ir.FloatType
	wanted func(ExpandOptions) bool
	extend func(b *ir.Builder, v *ir.Value) *ir.Value // to f32
	round  func(b *ir.Builder, v *ir.Value) *ir.Value // from f32
	flags  bool                                       // whether conversions between f32 and other types have the flags of the operation
}

func narrowFormats() []narrowFormat {
	return []narrowFormat{
		{"F8E8M0", ir.F8E8M0FNU, func(o ExpandOptions) bool { return o.F8E8M0 }, extendF8E8M0, truncateF8E8M0, true},
		{"F4E2M1", ir.F4E2M1FN, func(o ExpandOptions) bool { return o.F4E2M1 }, extendF4E2M1, roundF4E2M1, false},
	}
}

// narrowPatterns expand conversions from and to the narrow formats, and those with scales.
func narrowPatterns() []rewrite.Pattern {
	list := []rewrite.Pattern{
		{Name: "ScalingExtFOpConverter", Root: arith.ScalingExtF, Rewrite: expandScalingExtF},
		{Name: "ScalingTruncFOpConverter", Root: arith.ScalingTruncF, Rewrite: expandScalingTruncF},
	}
	for _, f := range narrowFormats() {
		list = append(list,
			rewrite.Pattern{Name: f.name + "ExtFOpConverter", Root: arith.ExtF, Rewrite: f.expandExtF},
			rewrite.Pattern{Name: f.name + "TruncFOpConverter", Root: arith.TruncF, Rewrite: f.expandTruncF})
	}
	return list
}

// hasElement tells whether v or its elements are of type t.
func hasElement(v *ir.Value, t *ir.FloatType) bool { return ir.ElementType(v.Type()) == ir.Type(t) }

// isExpanded tells whether the options ask to expand a conversion from or to a type.
func isExpanded(v *ir.Value, o ExpandOptions) bool {
	for _, f := range narrowFormats() {
		if f.wanted(o) && hasElement(v, f.t) {
			return true
		}
	}
	return false
}

// cast creates a cast to elements of type elem, unless v has them, with attributes of op.
func cast(b *ir.Builder, id *ir.OpID, elem *ir.FloatType, v *ir.Value, op *ir.Op, attrs ...string) *ir.Value {
	if hasElement(v, elem) {
		return v
	}
	return created(b, id, b.Context().WithElementType(v.Type(), elem), op, attrs, v)
}

// created creates an operation with those attributes of op.
func created(b *ir.Builder, id *ir.OpID, t ir.Type, op *ir.Op, attrs []string, operands ...*ir.Value) *ir.Value {
	s := b.State(id)
	s.Operands, s.Types = operands, []ir.Type{t}
	for _, name := range attrs {
		if a := op.Attr(name); a != nil {
			s.SetAttr(name, a)
		}
	}
	return b.Create(s).Result(0)
}

// keptFlags returns the attributes of an expanded conversion that those by f32 get.
func (f narrowFormat) keptFlags() []string {
	if f.flags {
		return []string{"fastmath"}
	}
	return nil
}

func (f narrowFormat) expandExtF(r *rewrite.Rewriter, op *ir.Op) bool {
	v, t := arith.ExtFOp{Op: op}.In(), op.Result(0).Type()
	if !hasElement(v, f.t) || !canHaveConstants(t) {
		return false
	}
	b, elem := r.Builder, ir.ElementType(t).(*ir.FloatType)
	b.Loc = op.Loc()
	id := arith.TruncF
	if elem.Width > ir.F32.Width {
		id = arith.ExtF
	}
	r.Replace(op, cast(b, id, elem, f.extend(b, v), op, f.keptFlags()...))
	return true
}

// expandTruncF leaves wider numbers than those of f32: they would be rounded twice.
func (f narrowFormat) expandTruncF(r *rewrite.Rewriter, op *ir.Op) bool {
	v := arith.TruncFOp{Op: op}.In()
	if !hasElement(op.Result(0), f.t) || !canHaveConstants(v.Type()) || ir.ElementType(v.Type()).(*ir.FloatType).Width > ir.F32.Width {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	r.Replace(op, f.round(b, cast(b, arith.ExtF, ir.F32, v, op, f.keptFlags()...)))
	return true
}

// extendF8E8M0 makes the bits the exponent. All ones are no number, in both formats.
func extendF8E8M0(b *ir.Builder, v *ir.Value) *ir.Value {
	c := b.Context()
	byteT, whole := c.WithElementType(v.Type(), c.Integer(8)), c.WithElementType(v.Type(), c.Integer(32))
	bits := arith.NewCast(b, arith.Bitcast, byteT, v)
	ones, nan, shift := like(b, byteT, -1), like(b, whole, -1), like(b, whole, 23)
	exponent := arith.New(b, arith.ShLI, arith.NewCast(b, arith.ExtUI, whole, bits), shift)
	out := arith.NewSelect(b, arith.NewCmpI(b, arith.EQ, bits, ones), nan, exponent)
	return arith.NewCast(b, arith.Bitcast, c.WithElementType(v.Type(), ir.F32), out)
}

// truncateF8E8M0 takes the exponent.
func truncateF8E8M0(b *ir.Builder, v *ir.Value) *ir.Value {
	c := b.Context()
	byteT, whole := c.WithElementType(v.Type(), c.Integer(8)), c.WithElementType(v.Type(), c.Integer(32))
	bits := arith.NewCast(b, arith.Bitcast, whole, v)
	exponent := arith.NewCast(b, arith.TruncI, byteT, arith.New(b, arith.ShRUI, bits, like(b, whole, 23)))
	return arith.NewCast(b, arith.Bitcast, c.WithElementType(v.Type(), ir.F8E8M0FNU), exponent)
}

// extendF4E2M1 puts the three bits without the sign where exponent and fraction of f32 are, and adds what the bias differs by. One half is the only
// number whose fraction counts without an exponent.
func extendF4E2M1(b *ir.Builder, v *ir.Value) *ir.Value {
	c := b.Context()
	nibble, whole := c.WithElementType(v.Type(), c.Integer(4)), c.WithElementType(v.Type(), c.Integer(32))
	bits := arith.NewCast(b, arith.Bitcast, nibble, v)
	zero, one, two, four, seven := like(b, nibble, 0), like(b, nibble, 1), like(b, nibble, 2), like(b, nibble, 4), like(b, nibble, 7)
	size := arith.New(b, arith.AndI, bits, seven)
	place := like(b, whole, 20)
	low := arith.New(b, arith.ShLI, size, two)
	low = arith.NewSelect(b, arith.NewCmpI(b, arith.EQ, size, one), zero, low)
	low = arith.New(b, arith.ShLI, arith.NewCast(b, arith.ExtUI, whole, low), place)
	none, atLeast2, below2 := like(b, whole, 0), like(b, whole, 0x40000000), like(b, whole, 0x3f000000)
	high := arith.NewSelect(b, arith.NewCmpI(b, arith.UGE, size, four), atLeast2, below2)
	high = arith.NewSelect(b, arith.NewCmpI(b, arith.EQ, size, zero), none, high)
	minus, minusHere := like(b, whole, -1<<31), like(b, nibble, -8)
	sign := arith.NewSelect(b, arith.NewCmpI(b, arith.UGE, bits, minusHere), minus, none)
	out := arith.New(b, arith.AddI, arith.New(b, arith.AddI, low, high), sign)
	return arith.NewCast(b, arith.Bitcast, c.WithElementType(v.Type(), ir.F32), out)
}

// roundF4E2M1 rounds to the nearest number, to the larger one if two are as near, and within -6 and 6. What is no number becomes 6.
func roundF4E2M1(b *ir.Builder, v *ir.Value) *ir.Value {
	c := b.Context()
	t := func(width int) ir.Type { return c.WithElementType(v.Type(), c.Integer(width)) }
	nibble, byteT, whole := t(4), t(8), t(32)
	one, three, place := like(b, nibble, 1), like(b, nibble, 3), like(b, whole, 22)
	zero8, ones8, zero := like(b, byteT, 0), like(b, byteT, -1), like(b, whole, 0)
	most, least := likeFloat(b, v.Type(), 6), likeFloat(b, v.Type(), -6)
	bits := arith.NewCast(b, arith.Bitcast, whole, limit(b, arith.FUGT, limit(b, arith.FULT, v, most), least))

	shift := like(b, whole, 31)
	sign := arith.New(b, arith.ShLI, arith.NewCast(b, arith.TruncI, nibble, arith.New(b, arith.ShRUI, bits, shift)), three)
	bias, fraction := like(b, whole, 126), like(b, whole, 23)
	exponent := arith.New(b, arith.SubI, arith.New(b, arith.ShRUI, bits, fraction), bias)
	out := arith.New(b, arith.AddI, sign, arith.New(b, arith.ShLI, arith.NewCast(b, arith.TruncI, nibble, exponent), one))
	first := arith.New(b, arith.AndI, bits, like(b, whole, 1<<22))
	out = arith.New(b, arith.AddI, out, arith.NewCast(b, arith.TruncI, nibble, arith.New(b, arith.ShRUI, first, place)))

	// Numbers below one have no bits here for their fraction, or half of it: what is above a quarter is a half with its sign, where mlir-opt
	// loses it, and what isn't becomes zero.
	mask := like(b, whole, 1<<23-1)
	exponent8 := arith.NewCast(b, arith.TruncI, byteT, exponent)
	small := arith.NewCmpI(b, arith.SLE, exponent8, zero8)
	quarter := arith.NewCmpI(b, arith.EQ, exponent8, ones8)
	rest := arith.NewCmpI(b, arith.UGT, arith.New(b, arith.AndI, bits, mask), zero)
	aboveQuarter := arith.New(b, arith.AndI, quarter, rest)
	half := arith.NewCmpI(b, arith.EQ, exponent8, zero8)
	ones4 := like(b, nibble, -1)
	lower := arith.NewSelect(b, aboveQuarter, sign, arith.NewSelect(b, small, ones4, out))
	lower = arith.NewSelect(b, half, out, lower)

	mask, middle := like(b, whole, 1<<22-1), like(b, whole, 1<<21)
	up := arith.New(b, arith.OrI, arith.NewCmpI(b, arith.UGE, arith.New(b, arith.AndI, bits, mask), middle), small)
	out = arith.NewSelect(b, up, arith.New(b, arith.AddI, lower, one), lower)
	return arith.NewCast(b, arith.Bitcast, c.WithElementType(v.Type(), ir.F4E2M1FN), out)
}

// limit returns v where the comparison with bound holds, and bound elsewhere and where v is no number.
func limit(b *ir.Builder, pred arith.FloatPredicate, v, bound *ir.Value) *ir.Value {
	out := arith.NewSelect(b, arith.NewCmpF(b, pred, v, bound), v, bound)
	return arith.NewSelect(b, arith.NewCmpF(b, arith.UNO, v, v), bound, out)
}

// likeFloat creates the number x of f32, in all elements if t is a vector or tensor.
func likeFloat(b *ir.Builder, t ir.Type, x float64) *ir.Value {
	a := b.Context().FloatAttr(ir.F32, x)
	if !ir.IsShaped(t) {
		return arith.NewConstant(b, a).Result(0)
	}
	bits := uint32(a.Lo)
	return arith.NewConstant(b, b.Context().DenseElements(t, []byte{byte(bits), byte(bits >> 8), byte(bits >> 16), byte(bits >> 24)})).Result(0)
}

// scaleFor returns the scale of op as a number of type elem. A scale of another type is a power of two first; one of less than 16 bits can't be.
func scaleFor(b *ir.Builder, op *ir.Op, elem ir.Type) (*ir.Value, bool) {
	scale, to := op.Operand(1), elem.(*ir.FloatType)
	if from := ir.ElementType(scale.Type()).(*ir.FloatType); to.Width <= 8 || from != ir.F8E8M0FNU && from.Width < 16 {
		return nil, false
	}
	b.Loc = op.Loc()
	scale = cast(b, arith.TruncF, ir.F8E8M0FNU, scale, op, "fastmath")
	return cast(b, arith.ExtF, to, scale, op, "fastmath"), true
}

// expandScalingExtF multiplies the wider number by the scale.
func expandScalingExtF(r *rewrite.Rewriter, op *ir.Op) bool {
	b, t := r.Builder, op.Result(0).Type()
	scale, ok := scaleFor(b, op, ir.ElementType(t))
	if !ok {
		return false
	}
	wide := cast(b, arith.ExtF, ir.ElementType(t).(*ir.FloatType), arith.ScalingExtFOp{Op: op}.In(), op, "fastmath")
	r.Replace(op, created(b, arith.MulF, t, op, []string{"fastmath"}, wide, scale))
	return true
}

// expandScalingTruncF divides by the scale before the number is made narrower.
func expandScalingTruncF(r *rewrite.Rewriter, op *ir.Op) bool {
	b, v := r.Builder, arith.ScalingTruncFOp{Op: op}.In()
	scale, ok := scaleFor(b, op, ir.ElementType(v.Type()))
	if !ok {
		return false
	}
	quotient := created(b, arith.DivF, v.Type(), op, []string{"fastmath"}, v, scale)
	r.Replace(op, created(b, arith.TruncF, op.Result(0).Type(), op, []string{"roundingmode", "fastmath"}, quotient))
	return true
}

// expandedLegality declares the conversions that the options ask to expand.
func expandedLegality(t *conversion.Target, o ExpandOptions) {
	t.Illegal(arith.ScalingExtF, arith.ScalingTruncF)
	t.Dynamic(func(op *ir.Op) conversion.Legality {
		in, out := arith.ExtFOp{Op: op}.In(), op.Result(0)
		return conversion.Legalized(!(o.BF16 && isBF16(in) && isF32(out)) && !isExpanded(in, o))
	}, arith.ExtF)
	t.Dynamic(func(op *ir.Op) conversion.Legality {
		in, out := arith.TruncFOp{Op: op}.In(), op.Result(0)
		return conversion.Legalized(!(o.BF16 && isF32(in) && isBF16(out)) && !isExpanded(out, o))
	}, arith.TruncF)
}
