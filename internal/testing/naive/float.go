package naive

import (
	"fmt"
	"math"
	"math/big"

	"freehold/ir"
)

// Number is a floating-point number: NaN, an infinity, or a fraction with a sign, which
// zero has as well.
type Number struct {
	NaN, Inf, Neg bool
	Abs           *big.Rat // of a finite number
}

func nan() Number { return Number{NaN: true} }

func infinity(neg bool) Number { return Number{Inf: true, Neg: neg} }

func finite(neg bool, abs *big.Rat) Number { return Number{Neg: neg, Abs: abs} }

func (x Number) zero() bool { return !x.NaN && !x.Inf && x.Abs.Sign() == 0 }

// rat returns the value of a finite number.
func (x Number) rat() *big.Rat {
	if x.Neg {
		return new(big.Rat).Neg(x.Abs)
	}
	return x.Abs
}

// compare returns -1, 0 or 1 for numbers other than NaN.
func (x Number) compare(y Number) int {
	rank := func(x Number) int {
		switch {
		case x.Inf && x.Neg:
			return -1
		case x.Inf:
			return 1
		}
		return 0
	}
	if a, b := rank(x), rank(y); a != 0 || b != 0 {
		return big.NewInt(int64(a)).Cmp(big.NewInt(int64(b)))
	}
	return x.rat().Cmp(y.rat())
}

func power2(e int) *big.Rat {
	p := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(max(e, -e))))
	if e < 0 {
		p.Inv(p)
	}
	return p
}

// The rounding modes have the numbers of arith's attribute.
const (
	nearestEven = iota
	downward
	upward
	towardZero
	nearestAway
)

// integral rounds a fraction that isn't negative to an integer; neg is the sign of the
// number that it is part of.
func integral(neg bool, abs *big.Rat, mode int) *big.Int {
	q, r := new(big.Int).QuoRem(abs.Num(), abs.Denom(), new(big.Int))
	half := new(big.Int).Lsh(r, 1).Cmp(abs.Denom())
	up := false
	switch mode {
	case nearestEven:
		up = half > 0 || half == 0 && q.Bit(0) == 1
	case nearestAway:
		up = half >= 0
	case downward:
		up = neg && r.Sign() > 0
	case upward:
		up = !neg && r.Sign() > 0
	}
	if up {
		q.Add(q, big.NewInt(1))
	}
	return q
}

// greatest returns the greatest finite number of a format.
func greatest(f ir.FloatFormat) *big.Rat {
	exp := 1<<f.ExpBits - 1 - f.Bias
	mant := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(f.MantBits+1)), big.NewInt(1))
	switch f.Special {
	case ir.IEEE, ir.X87:
		exp--
	case ir.FiniteNaNAllOnes:
		mant.Sub(mant, big.NewInt(1))
	case ir.PowersOfTwo:
		exp--
	}
	return new(big.Rat).Mul(new(big.Rat).SetInt(mant), power2(exp-f.MantBits))
}

// round returns the number of the format for an exact result.
func round(t *ir.FloatType, x Number, mode int) Number {
	f := t.Format
	noInf := f.Special == ir.FiniteNaNAllOnes || f.Special == ir.FiniteNaNNegZero || f.Special == ir.PowersOfTwo
	lowest := 1 - f.Bias // exponent
	switch f.Special {
	case ir.FiniteOnly:
		if x.NaN || x.Inf {
			return finite(x.Neg && x.Inf, greatest(f))
		}
	case ir.PowersOfTwo:
		lowest = -f.Bias
		x.Neg = false
		if !x.NaN && !x.Inf && x.Abs.Cmp(power2(lowest)) < 0 {
			return finite(false, power2(lowest))
		}
	}
	if x.Inf && noInf {
		return nan()
	}
	if x.NaN || x.Inf {
		return x
	}
	if x.Abs.Sign() == 0 {
		return finite(x.Neg && f.Special != ir.FiniteNaNNegZero, x.Abs)
	}
	// The exponent of the leading bit.
	e := x.Abs.Num().BitLen() - x.Abs.Denom().BitLen()
	if x.Abs.Cmp(power2(e)) < 0 {
		e--
	}
	e = max(e, lowest)
	unit := power2(e - f.MantBits)
	n := integral(x.Neg, new(big.Rat).Quo(x.Abs, unit), mode)
	abs := new(big.Rat).Mul(new(big.Rat).SetInt(n), unit)
	if abs.Cmp(greatest(f)) > 0 {
		if mode == towardZero || mode == downward && !x.Neg || mode == upward && x.Neg {
			return finite(x.Neg, greatest(f))
		}
		switch {
		case f.Special == ir.FiniteOnly:
			return finite(x.Neg, greatest(f))
		case noInf:
			return nan()
		}
		return infinity(x.Neg)
	}
	return finite(x.Neg && (n.Sign() != 0 || f.Special != ir.FiniteNaNNegZero), abs)
}

// decode returns the number with the given bits.
func decode(t *ir.FloatType, bits *big.Int) Number {
	f := t.Format
	if f.Special == ir.PowersOfTwo {
		exp := int(bits.Int64())
		if exp == 1<<f.ExpBits-1 {
			return nan()
		}
		return finite(false, power2(exp-f.Bias))
	}
	field := func(from, n int) *big.Int {
		v := new(big.Int).Rsh(bits, uint(from))
		return v.And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(n)), big.NewInt(1)))
	}
	mantBits := f.MantBits
	if f.Special == ir.X87 {
		mantBits++ // the integer bit is explicit
	}
	mant, exp := field(0, mantBits), int(field(mantBits, f.ExpBits).Int64())
	neg := field(mantBits+f.ExpBits, 1).Sign() != 0
	ones := 1<<f.ExpBits - 1
	switch f.Special {
	case ir.IEEE:
		if exp == ones {
			if mant.Sign() != 0 {
				return nan()
			}
			return infinity(neg)
		}
	case ir.X87:
		if exp == ones {
			if field(0, f.MantBits).Sign() != 0 {
				return nan()
			}
			return infinity(neg)
		}
	case ir.FiniteNaNAllOnes:
		if exp == ones && mant.Cmp(new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(mantBits)), big.NewInt(1))) == 0 {
			return nan()
		}
	case ir.FiniteNaNNegZero:
		if neg && exp == 0 && mant.Sign() == 0 {
			return nan()
		}
	}
	if exp == 0 {
		exp = 1
	} else if f.Special != ir.X87 {
		mant.SetBit(mant, mantBits, 1)
	}
	return finite(neg, new(big.Rat).Mul(new(big.Rat).SetInt(mant), power2(exp-f.Bias-f.MantBits)))
}

// encode returns the bits of a number of the format.
func encode(t *ir.FloatType, x Number) *big.Int {
	f := t.Format
	if f.Special == ir.PowersOfTwo {
		exp := 0
		for !x.NaN && x.Abs.Cmp(power2(exp-f.Bias)) > 0 {
			exp++
		}
		if x.NaN {
			exp = 1<<f.ExpBits - 1
		}
		return big.NewInt(int64(exp))
	}
	mantBits := f.MantBits
	if f.Special == ir.X87 {
		mantBits++
	}
	ones := int64(1<<f.ExpBits - 1)
	mant, exp := new(big.Int), int64(0)
	switch {
	case x.NaN && f.Special == ir.FiniteNaNAllOnes:
		exp = ones
		mant.Sub(new(big.Int).Lsh(big.NewInt(1), uint(mantBits)), big.NewInt(1))
	case x.NaN && f.Special == ir.FiniteNaNNegZero:
		x.Neg = true
	case x.NaN:
		exp = ones
		mant.SetBit(mant, f.MantBits-1, 1)
	case x.Inf:
		exp = ones
	case x.Abs.Sign() != 0:
		e := x.Abs.Num().BitLen() - x.Abs.Denom().BitLen()
		if x.Abs.Cmp(power2(e)) < 0 {
			e--
		}
		e = max(e, 1-f.Bias)
		m := new(big.Rat).Quo(x.Abs, power2(e-f.MantBits))
		if !m.IsInt() {
			panic(fmt.Sprintf("%v is no %s", x.Abs, t))
		}
		mant.Set(m.Num())
		if mant.Bit(f.MantBits) == 1 {
			exp = int64(e + f.Bias)
			if f.Special != ir.X87 {
				mant.SetBit(mant, f.MantBits, 0)
			}
		}
	}
	if exp == ones && f.Special == ir.X87 {
		mant.SetBit(mant, f.MantBits, 1)
	}
	bits := new(big.Int).Lsh(big.NewInt(exp), uint(mantBits))
	bits.Or(bits, mant)
	if x.Neg {
		bits.SetBit(bits, mantBits+f.ExpBits, 1)
	}
	return bits
}

// FromBits returns the value of a type with the given bits.
func FromBits(t ir.Type, bits *big.Int) any {
	switch t := t.(type) {
	case *ir.FloatType:
		return decode(t, bits)
	case *ir.ComplexType:
		w := uint(width(t.Elem))
		w = max(8, (w+7)/8*8) // as in dense attributes
		return Complex{FromBits(t.Elem, wrap(new(big.Int).Set(bits), int(w))), FromBits(t.Elem, new(big.Int).Rsh(bits, w))}
	}
	return wrap(new(big.Int).Set(bits), width(t))
}

// Bits returns the bits of a defined value.
func Bits(t ir.Type, v any) *big.Int {
	switch v := v.(type) {
	case Number:
		return encode(t.(*ir.FloatType), v)
	case *big.Int:
		return v
	}
	panic(fmt.Errorf("bits of %T: %w", v, ErrUnknown))
}

func float(t ir.Type) *ir.FloatType { return t.(*ir.FloatType) }

// add returns the exact sum.
func add(x, y Number) Number {
	switch {
	case x.NaN || y.NaN || x.Inf && y.Inf && x.Neg != y.Neg:
		return nan()
	case x.Inf:
		return x
	case y.Inf:
		return y
	case x.zero() && y.zero():
		return finite(x.Neg && y.Neg, new(big.Rat))
	}
	s := new(big.Rat).Add(x.rat(), y.rat())
	return finite(s.Sign() < 0, s.Abs(s))
}

func negate(x Number) Number {
	x.Neg = !x.Neg
	return x
}

func multiply(x, y Number) Number {
	neg := x.Neg != y.Neg
	switch {
	case x.NaN || y.NaN || x.Inf && y.zero() || x.zero() && y.Inf:
		return nan()
	case x.Inf || y.Inf:
		return infinity(neg)
	}
	return finite(neg, new(big.Rat).Mul(x.Abs, y.Abs))
}

func divide(x, y Number) Number {
	neg := x.Neg != y.Neg
	switch {
	case x.NaN || y.NaN || x.Inf && y.Inf || x.zero() && y.zero():
		return nan()
	case x.Inf || y.zero():
		return infinity(neg)
	case y.Inf:
		return finite(neg, new(big.Rat))
	}
	return finite(neg, new(big.Rat).Quo(x.Abs, y.Abs))
}

// remainder returns what division leaves that rounds towards zero.
func remainder(x, y Number) Number {
	switch {
	case x.NaN || y.NaN || x.Inf || y.zero():
		return nan()
	case y.Inf || x.zero():
		return x
	}
	n := integral(false, new(big.Rat).Quo(x.Abs, y.Abs), towardZero)
	return finite(x.Neg, new(big.Rat).Sub(x.Abs, new(big.Rat).Mul(new(big.Rat).SetInt(n), y.Abs)))
}

// extreme returns the greater (order 1) or the lesser (-1) number; zeros are ordered, too.
func extreme(x, y Number, order int, numberWins bool) Number {
	switch {
	case x.NaN && y.NaN:
		return x
	case x.NaN:
		if numberWins {
			return y
		}
		return x
	case y.NaN:
		if numberWins {
			return x
		}
		return y
	}
	c := x.compare(y)
	if c == 0 && x.zero() && x.Neg != y.Neg {
		c = 1
		if x.Neg {
			c = -1
		}
	}
	if c == order {
		return x
	}
	return y
}

// root returns the square root, rounded to the format.
func root(t *ir.FloatType, x Number) Number {
	switch {
	case x.NaN || x.Neg && !x.zero():
		return round(t, nan(), nearestEven)
	case x.Inf || x.zero():
		return x
	}
	// Scaled to an integer with more than twice the bits that are needed, the root's
	// integer part and whether there is a rest tell how to round.
	shift := 4*(t.Format.MantBits+4) + 2*len(x.Abs.Denom().Bits())*64
	n := new(big.Int).Lsh(x.Abs.Num(), uint(2*shift))
	n, rest := n.QuoRem(n, x.Abs.Denom(), new(big.Int))
	r := new(big.Int).Sqrt(n)
	if rest.Sign() != 0 || new(big.Int).Mul(r, r).Cmp(n) != 0 {
		r.Lsh(r, 1).Add(r, big.NewInt(1)) // a bit below all others
	} else {
		r.Lsh(r, 1)
	}
	return round(t, finite(false, new(big.Rat).SetFrac(r, new(big.Int).Lsh(big.NewInt(1), uint(shift+1)))), nearestEven)
}

// double returns the number as the nearest float64.
func double(x Number) float64 {
	switch {
	case x.NaN:
		return math.NaN()
	case x.Inf && x.Neg:
		return math.Inf(-1)
	case x.Inf:
		return math.Inf(1)
	}
	v, _ := x.Abs.Float64()
	if x.Neg {
		v = -v
	}
	return v
}

// fromDouble returns the number of a float64.
func fromDouble(v float64) Number {
	switch {
	case math.IsNaN(v):
		return nan()
	case math.IsInf(v, 0):
		return infinity(v < 0)
	}
	r := new(big.Rat)
	r.SetFloat64(math.Abs(v))
	return finite(math.Signbit(v), r)
}
