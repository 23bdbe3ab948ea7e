package exec

import (
	"math"
	"math/big"
	"strings"

	"freehold/ir"
)

// WideFloat is a number of a floating-point type of more than 64 bits, f80 or
// f128, by its bits.
type WideFloat struct{ Lo, Hi uint64 }

// real is a number of any floating-point type: a big.Float, which knows infinities
// and the sign of zero, or nil for NaN.
type real = *big.Float

// realPrec is the precision of results before they are rounded to their type: so
// much more than twice that of any type that rounding twice does no harm, and that
// sums and products of numbers of similar size are exact.
const realPrec = 512

func newReal() real { return new(big.Float).SetPrec(realPrec) }

// realOf returns the number that a word (uint64) or WideFloat of the type holds.
func realOf(t *ir.FloatType, v any) real {
	switch v := v.(type) {
	case uint64:
		x := FloatOf(t, v)
		if x != x {
			return nil
		}
		return newReal().SetFloat64(x)
	case WideFloat:
		if x, ok := t.Format.ToBig(v.Lo, v.Hi); ok {
			return newReal().Set(x)
		}
		sign, frac := v.Hi>>63 == 1, v.Hi&(1<<48-1)|v.Lo
		if t.Format.Special == ir.X87 {
			sign, frac = v.Hi>>15&1 == 1, v.Lo<<1
		}
		if frac != 0 {
			return nil
		}
		return newReal().SetInf(sign)
	}
	return nil
}

// realTo returns a number, rounded to the type, as a word or WideFloat.
func realTo(t *ir.FloatType, x real) any {
	if t.Width > 64 {
		if x == nil {
			lo, hi := t.Format.NaNBits()
			return WideFloat{lo, hi}
		}
		lo, hi := t.Format.FromBig(x)
		return WideFloat{lo, hi}
	}
	if x == nil {
		return FloatWord(t, math.NaN())
	}
	if t == ir.F64 {
		v, _ := x.Float64()
		return wordOf64(v)
	}
	return FloatWord(t, oddFloat64(x))
}

// realRound returns the number of the type next to x in a direction of rounding, which isn't to even numbers; what is
// too large in that direction is an infinity.
func realRound(t *ir.FloatType, x real, mode Rounding) real {
	if x == nil || x.IsInf() || x.Sign() == 0 {
		return x
	}
	f := t.Format
	highest, lowest := 1<<f.ExpBits-1-f.Bias, 1-f.Bias
	switch f.Special {
	case ir.IEEE, ir.X87:
		highest-- // the last exponent is that of infinity
	case ir.PowersOfTwo:
		highest-- // or that of NaN
		lowest--
		x = newReal().Abs(x)
	}
	exp := max(x.MantExp(nil)-1, lowest)
	if exp > highest {
		away := x.Signbit() && mode == Downward || !x.Signbit() && mode == Upward || mode == ToNearestAway
		if away {
			return newReal().SetInf(x.Signbit())
		}
		most := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(f.MantBits+1)), big.NewInt(1))
		if f.Special == ir.FiniteNaNAllOnes {
			most.Sub(most, big.NewInt(1)) // all ones are NaN
		}
		y := newReal().SetMantExp(newReal().SetInt(most), highest-f.MantBits)
		if x.Signbit() {
			y.Neg(y)
		}
		return y
	}
	// In units of the last place the number is an integer and a rest.
	unit := exp - f.MantBits
	y := new(big.Float).SetPrec(x.Prec()).SetMantExp(x, -unit)
	n, _ := y.Int(nil)
	n.Abs(n)
	rest := y.Abs(y)
	rest.Sub(rest, new(big.Float).SetInt(n))
	half := rest.Cmp(big.NewFloat(0.5))
	up := false
	switch mode {
	case ToNearestAway:
		up = half >= 0
	case Downward:
		up = x.Signbit() && rest.Sign() > 0
	case Upward:
		up = !x.Signbit() && rest.Sign() > 0
	}
	if up {
		n.Add(n, big.NewInt(1))
	}
	out := newReal().SetMantExp(newReal().SetInt(n), unit)
	if x.Signbit() {
		out.Neg(out)
	}
	return out
}

// oddFloat64 returns x rounded to 64 bits such that rounding the result to a
// narrower type is the same as rounding x: an inexact result has an odd last bit.
func oddFloat64(x real) float64 {
	v, acc := x.Float64()
	if acc == big.Exact {
		return v
	}
	b := math.Float64bits(v)
	if b&1 == 1 {
		return v
	}
	// v is even; its neighbour on the other side of x is odd.
	if (acc == big.Below) == (v >= 0 && !math.Signbit(v)) {
		return math.Float64frombits(b + 1)
	}
	if v == 0 {
		return math.Copysign(math.SmallestNonzeroFloat64, float64(x.Sign()))
	}
	return math.Float64frombits(b - 1)
}

// realUnary and the like return operations on types of more than 64 bits.
func realUnary(t *ir.FloatType, fn func(x real) real) Scalar {
	return Scalar{Objects: func(args []any) any {
		x := realOf(t, args[0])
		if x == nil {
			return realTo(t, nil)
		}
		return realTo(t, fn(x))
	}}
}

func realBinary(t *ir.FloatType, fn func(x, y real) real) Scalar {
	return Scalar{Objects: func(args []any) any { return realTo(t, fn(realOf(t, args[0]), realOf(t, args[1]))) }}
}

func realAdd(x, y real) real {
	switch {
	case x == nil || y == nil, x.IsInf() && y.IsInf() && x.Signbit() != y.Signbit():
		return nil
	}
	return newReal().Add(x, y)
}

func realSub(x, y real) real {
	if y == nil {
		return nil
	}
	return realAdd(x, newReal().Neg(y))
}

func realMul(x, y real) real {
	if x == nil || y == nil || x.IsInf() && y.Sign() == 0 || x.Sign() == 0 && y.IsInf() {
		return nil
	}
	return newReal().Mul(x, y)
}

func realDiv(x, y real) real {
	if x == nil || y == nil || x.IsInf() && y.IsInf() || x.Sign() == 0 && y.Sign() == 0 {
		return nil
	}
	return newReal().Quo(x, y)
}

// realRem returns the remainder of the division that rounds towards zero.
func realRem(x, y real) real {
	switch {
	case x == nil || y == nil || x.IsInf() || y.Sign() == 0:
		return nil
	case y.IsInf() || x.Sign() == 0:
		return x
	}
	// Both are integers times a power of two.
	low := min(x.MantExp(nil)-int(x.MinPrec()), y.MantExp(nil)-int(y.MinPrec()))
	a, _ := newReal().SetMantExp(newReal().Abs(x), -low).Int(nil)
	b, _ := newReal().SetMantExp(newReal().Abs(y), -low).Int(nil)
	r := newReal().SetInt(a.Rem(a, b))
	r.SetMantExp(r, low)
	if x.Signbit() {
		r.Neg(r)
	}
	return r
}

func realCompare(x, y real) FloatPredicate {
	if x == nil || y == nil {
		return FUnordered
	}
	switch x.Cmp(y) {
	case 0:
		return FEqual
	case 1:
		return FGreater
	}
	return FLess
}

// realPick returns the greater (order 1) or lesser (order -1) of two numbers.
// Negative zero is less than zero.
func realPick(order int, x, y real) real {
	c := x.Cmp(y)
	if c == 0 && x.Signbit() != y.Signbit() {
		c = 1
		if x.Signbit() {
			c = -1
		}
	}
	if c == order {
		return x
	}
	return y
}

// FSqrt returns the square root.
func FSqrt(t *ir.FloatType) Scalar {
	if t.Width <= 64 {
		return FloatUnary(t, math.Sqrt)
	}
	return realUnary(t, func(x real) real {
		if x.Sign() < 0 {
			return nil
		}
		return newReal().Sqrt(x)
	})
}

// FAbs returns the absolute value.
func FAbs(t *ir.FloatType) Scalar {
	if t.Width <= 64 {
		return FloatUnary(t, math.Abs)
	}
	return realUnary(t, func(x real) real { return newReal().Abs(x) })
}

// FElementary returns a function that is computed with 64 bits, whatever the type.
func FElementary(t *ir.FloatType, fn func(x float64) float64) Scalar {
	if t.Width <= 64 {
		return FloatUnary(t, fn)
	}
	return realUnary(t, func(x real) real {
		v, _ := x.Float64()
		return realFrom(fn(v))
	})
}

// FElementary2 is FElementary for functions of two numbers.
func FElementary2(t *ir.FloatType, fn func(x, y float64) float64) Scalar {
	if t.Width <= 64 {
		return FloatBinary(t, fn)
	}
	return realBinary(t, func(x, y real) real { return realFrom(fn(toFloat64(x), toFloat64(y))) })
}

func toFloat64(x real) float64 {
	if x == nil {
		return math.NaN()
	}
	v, _ := x.Float64()
	return v
}

func realFrom(v float64) real {
	if v != v {
		return nil
	}
	return newReal().SetFloat64(v)
}

// FFMA returns x*y + z, rounded once.
func FFMA(t *ir.FloatType) Scalar {
	if t == ir.F64 {
		return FloatTernary(t, math.FMA)
	}
	s := Scalar{Objects: func(args []any) any {
		return realTo(t, realAdd(realMul(realOf(t, args[0]), realOf(t, args[1])), realOf(t, args[2])))
	}}
	if t.Width <= 32 {
		// The product of two such numbers is exact.
		s.F3 = func(a, b, c uint64) uint64 { return FloatWord(t, addOdd(FloatOf(t, a)*FloatOf(t, b), FloatOf(t, c))) }
	}
	return s
}

// addOdd returns x+y such that rounding it to a narrower type is the same as
// rounding the exact sum: an inexact result has an odd last bit.
func addOdd(x, y float64) float64 {
	s := x + y
	if math.IsInf(s, 0) || s != s {
		return s
	}
	// What rounding left over (Knuth, TwoSum).
	v := s - x
	rest := (x - (s - v)) + (y - v)
	b := math.Float64bits(s)
	if rest == 0 || b&1 == 1 {
		return s
	}
	if (rest > 0) == (s > 0) {
		return math.Float64frombits(b + 1)
	}
	return math.Float64frombits(b - 1)
}

// WideFloatText returns the number as text, with as many digits as tell it from
// its neighbours.
func WideFloatText(t *ir.FloatType, v WideFloat) string {
	x := realOf(t, v)
	switch {
	case x == nil:
		return "NaN"
	case x.IsInf():
		if x.Signbit() {
			return "-Inf"
		}
		return "+Inf"
	}
	return new(big.Float).SetPrec(uint(t.Format.MantBits+1)).Set(x).Text('g', -1)
}

// FloatValue returns x, rounded to the type, as a word (uint64) or WideFloat.
func FloatValue(t *ir.FloatType, x float64) any {
	if t.Width <= 64 {
		return FloatWord(t, x)
	}
	return realTo(t, realFrom(x))
}

// Float64 returns the number that a word (uint64) or WideFloat of the type holds,
// rounded to 64 bits.
func Float64(t *ir.FloatType, v any) float64 {
	if w, ok := v.(uint64); ok {
		return FloatOf(t, w)
	}
	return toFloat64(realOf(t, v))
}

// ParseWideFloat returns the number that the text is, rounded to a type of more
// than 64 bits, and whether it is one.
func ParseWideFloat(t *ir.FloatType, text string) (WideFloat, bool) {
	text = strings.ToLower(text)
	if text == "nan" {
		return realTo(t, nil).(WideFloat), true
	}
	x, ok := newReal().SetString(strings.Replace(text, "infinity", "inf", 1))
	if !ok {
		return WideFloat{}, false
	}
	return realTo(t, x).(WideFloat), true
}

// BitsOf returns the bits of a word, integer, WideFloat or Complex of the type, the
// lowest first, or nil if it is none of these.
func BitsOf(t ir.Type, v any) *big.Int {
	switch v := v.(type) {
	case uint64:
		return new(big.Int).SetUint64(v)
	case *big.Int:
		return v
	case WideFloat:
		x := new(big.Int).SetUint64(v.Hi)
		return x.Or(x.Lsh(x, 64), new(big.Int).SetUint64(v.Lo))
	case Complex:
		e := t.(*ir.ComplexType).Elem
		x := new(big.Int).Lsh(BitsOf(e, v.Im), uint(Width(e)))
		return x.Or(x, BitsOf(e, v.Re))
	}
	return nil
}

// FromBits is the inverse of [BitsOf].
func FromBits(t ir.Type, x *big.Int) any {
	low := func(v *big.Int) uint64 { return new(big.Int).And(v, new(big.Int).SetUint64(math.MaxUint64)).Uint64() }
	switch t := t.(type) {
	case *ir.ComplexType:
		w := uint(Width(t.Elem))
		re := new(big.Int).And(x, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), w), big.NewInt(1)))
		return Complex{FromBits(t.Elem, re), FromBits(t.Elem, new(big.Int).Rsh(x, w))}
	case *ir.FloatType:
		if t.Width > 64 {
			return WideFloat{low(x), low(new(big.Int).Rsh(x, 64))}
		}
	}
	if IsWord(t) {
		return low(x)
	}
	return x
}

// Reinterpret returns the conversion of a number to one of another type with the
// same bits.
func Reinterpret(from, to ir.Type) Scalar {
	if IsWord(from) {
		return Scalar{F1: func(a uint64) uint64 { return a }}
	}
	return Scalar{Objects: func(args []any) any { return FromBits(to, BitsOf(from, args[0])) }}
}

// FIntegral returns the rounding to an integer in a direction, which fn does for
// numbers of up to 64 bits.
func FIntegral(t *ir.FloatType, mode Rounding, fn func(x float64) float64) Scalar {
	if t.Width <= 64 {
		return FloatUnary(t, fn)
	}
	return realUnary(t, func(x real) real {
		if x.IsInf() || x.IsInt() {
			return x
		}
		v, _ := x.Int(nil)
		rest := newReal().Sub(newReal().Abs(x), newReal().SetInt(new(big.Int).Abs(v)))
		half := rest.Cmp(big.NewFloat(0.5))
		away := false
		switch mode {
		case Downward:
			away = x.Signbit()
		case Upward:
			away = !x.Signbit()
		case ToNearestAway:
			away = half >= 0
		case ToNearestEven:
			away = half > 0 || half == 0 && v.Bit(0) == 1
		}
		r := newReal().SetInt(v.Abs(v))
		if away {
			r.Add(r, big.NewFloat(1))
		}
		if x.Signbit() {
			r.Neg(r)
		}
		return r
	})
}

// FoldWide returns the result of an operation on constants of a type of more than 64
// bits, or nil if they are no numbers.
func FoldWide(c *ir.Context, t *ir.FloatType, operation Scalar, operands []ir.Attribute) ir.Attribute {
	args := make([]any, len(operands))
	for i, a := range operands {
		x, ok := a.(*ir.FloatAttr)
		if !ok {
			return nil
		}
		args[i] = WideFloat{x.Lo, x.Hi}
	}
	r, ok := operation.Objects(args).(WideFloat)
	if !ok {
		return nil
	}
	return c.FloatBits(t, r.Lo, r.Hi)
}

// FCopySign returns the first number with the sign of the second; of a NaN, too.
func FCopySign(t *ir.FloatType) Scalar {
	if t.Format.Special == ir.FiniteNaNNegZero {
		// NaN has no sign.
		return FloatBinary(t, math.Copysign)
	}
	sign := uint(t.Width - 1)
	if t.Width <= 64 {
		m := t.Format.SignMask()
		return Scalar{F2: func(a, b uint64) uint64 { return a&^m | b&m }}
	}
	return Scalar{Objects: func(args []any) any {
		x := new(big.Int).Set(BitsOf(t, args[0]))
		return FromBits(t, x.SetBit(x, int(sign), BitsOf(t, args[1]).Bit(int(sign))))
	}}
}
