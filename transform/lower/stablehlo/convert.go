package stablehlo

import (
	gomath "math"

	"freehold/dialect/arith"
	"freehold/dialect/complex"
	"freehold/dialect/math"
	"freehold/dialect/stablehlo"
	"freehold/ir"
)

// convert makes a number of another type: v is of the signless type of from.
func (e *element) convert(v *ir.Value, from, to ir.Type) *ir.Value {
	target := plain(e.Context(), to)
	switch {
	case complexOf(from) != nil && complexOf(to) != nil:
		part, whole := complexOf(from).Elem, complexOf(to).Elem
		return complex.NewCreate(e.Builder, e.convert(e.part(complex.Re, v), part, whole), e.convert(e.part(complex.Im, v), part, whole))
	case complexOf(from) != nil && isBool(to):
		return e.CreateOp(complex.NotEqual, []ir.Type{ir.I1}, []*ir.Value{v, e.number(from, 0)}).Result(0)
	case complexOf(from) != nil:
		return e.convert(e.part(complex.Re, v), complexOf(from).Elem, to)
	case complexOf(to) != nil:
		part := complexOf(to).Elem
		return complex.NewCreate(e.Builder, e.convert(v, from, part), e.number(part, 0))
	case isBool(to) && isBool(from):
		return v
	case isBool(to) && ir.IsFloat(from):
		return e.cmpF(arith.UNE, v, e.number(from, 0))
	case isBool(to):
		return e.cmpI(arith.NE, v, e.integer(v.Type(), 0))
	case ir.IsFloat(from) && ir.IsFloat(to):
		return e.convertFloat(v, to.(*ir.FloatType))
	case ir.IsFloat(from):
		return e.toInteger(v, to.(*ir.IntegerType))
	case ir.IsFloat(to) && stablehlo.IsUnsigned(from):
		return arith.NewCast(e.Builder, arith.UIToFP, target, v)
	case ir.IsFloat(to):
		return arith.NewCast(e.Builder, arith.SIToFP, target, v)
	}
	return e.resize(v, from, target.(*ir.IntegerType))
}

func (e *element) resize(v *ir.Value, from ir.Type, target *ir.IntegerType) *ir.Value {
	width := v.Type().(*ir.IntegerType).Width
	switch {
	case width == target.Width:
		return v
	case width > target.Width:
		return arith.NewCast(e.Builder, arith.TruncI, target, v)
	case stablehlo.IsUnsigned(from):
		return arith.NewCast(e.Builder, arith.ExtUI, target, v)
	}
	return arith.NewCast(e.Builder, arith.ExtSI, target, v)
}

// convertFloat goes through f32 between types of which neither has all numbers of the other.
func (e *element) convertFloat(v *ir.Value, to *ir.FloatType) *ir.Value {
	from := v.Type().(*ir.FloatType)
	switch {
	case from == to:
		return v
	case from.Width < to.Width:
		return arith.NewCast(e.Builder, arith.ExtF, to, v)
	case from.Width > to.Width:
		return arith.NewCast(e.Builder, arith.TruncF, to, v)
	}
	return arith.NewCast(e.Builder, arith.TruncF, to, arith.NewCast(e.Builder, arith.ExtF, ir.F32, v))
}

// toInteger cuts the fraction off. Numbers that are too large or too small become the largest or the least integer, and
// NaN becomes 0: the specification leaves these open, and this is what XLA does.
func (e *element) toInteger(v *ir.Value, to *ir.IntegerType) *ir.Value {
	if t := v.Type().(*ir.FloatType); t.Width < 32 && t.Format.Special != ir.IEEE {
		// Without infinities, a bound beyond the format's numbers would become one of them, or NaN.
		v = e.convertFloat(v, ir.F32)
	}
	t, plainTo := v.Type().(*ir.FloatType), e.Context().Integer(to.Width)
	low, high := -gomath.Ldexp(1, to.Width-1), gomath.Ldexp(1, to.Width-1)
	least, largest := int64(-1)<<(to.Width-1), int64(1)<<(to.Width-1)-1
	id := arith.FPToSI
	if stablehlo.IsUnsigned(to) {
		low, high, least, largest, id = 0, gomath.Ldexp(1, to.Width), 0, -1, arith.FPToUI
	}
	below, above := e.cmpF(arith.OLE, v, e.number(t, low)), e.cmpF(arith.OGE, v, e.number(t, high))
	fits := e.New(arith.AndI, e.cmpF(arith.OGT, v, e.number(t, low)), e.cmpF(arith.OLT, v, e.number(t, high)))
	n := arith.NewCast(e.Builder, id, plainTo, e.choose(fits, v, e.number(t, 0)))
	return e.choose(below, e.integer(plainTo, least), e.choose(above, e.integer(plainTo, largest), n))
}

func (e *element) bitcast(a []*ir.Value) *ir.Value {
	target := plain(e.Context(), e.out)
	switch {
	case a[0].Type() == target:
		return a[0]
	case complexOf(target) != nil || complexOf(a[0].Type()) != nil:
		return nil
	}
	return arith.NewCast(e.Builder, arith.Bitcast, target, a[0])
}

// power raises to a power. Integers are multiplied again and again; to a negative one, 1 and -1 give 1 or -1, and others 0.
func (e *element) power(a []*ir.Value) *ir.Value {
	switch t := a[0].Type(); {
	case ir.IsFloat(t):
		return e.New(math.PowF, a...)
	case complexOf(t) != nil:
		return e.New(complex.Pow, a...)
	}
	t := a[0].Type()
	result := e.squarings(a[0], a[1])
	if stablehlo.IsUnsigned(e.in[0]) {
		return result
	}
	zero, one, minus := e.integer(t, 0), e.integer(t, 1), e.integer(t, -1)
	odd := e.cmpI(arith.NE, e.New(arith.AndI, a[1], one), zero)
	inverse := e.choose(e.cmpI(arith.EQ, a[0], minus), e.choose(odd, minus, one), zero)
	inverse = e.choose(e.cmpI(arith.EQ, a[0], one), one, inverse)
	return e.choose(e.cmpI(arith.SLT, a[1], zero), inverse, result)
}

// reducePrecision rounds to a format with fewer bits: to the nearest number, of two to the even one. What is too large for its exponent
// becomes infinite, and what is too small zero.
func (e *element) reducePrecision(a []*ir.Value) *ir.Value {
	t, ok := a[0].Type().(*ir.FloatType)
	if !ok || t.Width > 64 {
		return nil
	}
	allMantissa, allExponent := int64(t.Format.MantBits), int64(t.Format.ExpBits)
	exponent, mantissa := intAttr(e.op, "exponent_bits"), intAttr(e.op, "mantissa_bits")
	n := e.bits(a[0])
	it := n.Type()
	k := func(v uint64) *ir.Value { return e.integer(it, int64(v)) }
	if drop := allMantissa - mantissa; drop > 0 {
		// Half of what is the last bit afterwards, less one if that is even.
		last := uint64(1) << drop
		odd := e.New(arith.ShRUI, e.New(arith.AndI, n, k(last)), k(uint64(drop)))
		n = e.New(arith.AddI, n, e.New(arith.AddI, odd, k(last>>1-1)))
		n = e.New(arith.AndI, n, k(^(last - 1)))
	}
	if exponent < allExponent {
		sign := e.New(arith.AndI, n, k(1<<(t.Width-1)))
		biased := e.New(arith.AndI, n, k((1<<allExponent-1)<<allMantissa))
		bias, reduced := uint64(1)<<(allExponent-1)-1, uint64(1)<<(exponent-1)-1
		most, least := (bias+reduced)<<allMantissa, (bias-reduced)<<allMantissa
		infinite := e.New(arith.OrI, sign, k((1<<allExponent-1)<<allMantissa))
		n = e.choose(e.cmpI(arith.UGT, biased, k(most)), infinite, n)
		n = e.choose(e.cmpI(arith.ULE, biased, k(least)), sign, n)
	}
	v := arith.NewCast(e.Builder, arith.Bitcast, t, n)
	unknown := e.cmpF(arith.UNO, a[0], a[0])
	if mantissa == 0 {
		return e.choose(unknown, e.number(t, gomath.Inf(1)), v)
	}
	return e.choose(unknown, a[0], v)
}

func intAttr(op *ir.Op, name string) int64 {
	a, ok := op.Attr(name).(*ir.IntegerAttr)
	if !ok {
		return 0
	}
	return a.Value
}
