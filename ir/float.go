package ir

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// FloatFormat says how a floating-point type uses its bits: a sign bit (but see
// [PowersOfTwo]), ExpBits of exponent with the given bias, MantBits of stored mantissa.
type FloatFormat struct {
	ExpBits, MantBits, Bias int
	Special                 FloatSpecial
}

// FloatSpecial says how a format represents infinity and NaN.
type FloatSpecial uint8

const (
	// IEEE formats have infinities and NaNs in the highest exponent.
	IEEE FloatSpecial = iota
	// X87 is the 80-bit format with an explicit integer bit.
	X87
	// FiniteNaNAllOnes formats have no infinity, and one NaN, all bits set.
	FiniteNaNAllOnes
	// FiniteNaNNegZero formats have no infinity and no negative zero; its pattern
	// is the only NaN.
	FiniteNaNNegZero
	// FiniteOnly formats have neither infinity nor NaN: what is out of range becomes the
	// largest number, as does NaN.
	FiniteOnly
	// PowersOfTwo formats have an exponent only. There is no sign, which is dropped, and no
	// zero, which becomes the smallest number. All bits set are NaN.
	PowersOfTwo
)

// SignMask returns the bit of the sign in the last word of a number; 0 if there is none.
func (f FloatFormat) SignMask() uint64 {
	if f.Special == PowersOfTwo {
		return 0
	}
	at := f.ExpBits + f.MantBits
	if f.Special == X87 {
		at++
	}
	return 1 << (at % 64)
}

// FromFloat64 rounds x to the format, to nearest with ties to even, and returns
// its bits and whether the value is exact. What is out of range becomes infinity,
// or what the format has instead of it. It is for formats of up to 64 bits.
func (f FloatFormat) FromFloat64(x float64) (pattern uint64, exact bool) {
	switch {
	case f.ExpBits == 11 && f.MantBits == 52:
		return math.Float64bits(x), true
	case f.Special == PowersOfTwo:
		return f.power(x)
	}
	b := math.Float64bits(x)
	sign := b >> 63 << (f.ExpBits + f.MantBits)
	maxExp := 1<<f.ExpBits - 1
	switch {
	case math.IsNaN(x):
		switch f.Special {
		case FiniteNaNAllOnes:
			return sign | (1<<(f.ExpBits+f.MantBits) - 1), true
		case FiniteNaNNegZero:
			return 1 << (f.ExpBits + f.MantBits), true
		case FiniteOnly:
			return f.MaxFinite(), false
		}
		return sign | uint64(maxExp)<<f.MantBits | (b&(1<<52-1))>>(52-f.MantBits) | 1<<(f.MantBits-1), true
	case math.IsInf(x, 0):
		return f.overflow(sign), f.Special == IEEE
	case x == 0:
		if f.Special == FiniteNaNNegZero {
			return 0, true
		}
		return sign, true
	}
	frac, e := math.Frexp(math.Abs(x)) // frac in [0.5, 1)
	mant := uint64(math.Ldexp(frac, 53))
	exp := e - 1 + f.Bias // biased exponent of 1.m
	drop := 52 - f.MantBits
	if exp <= 0 {
		drop += 1 - exp
		exp = 0
	}
	if drop > 54 {
		drop = 54
	}
	kept := mant >> drop
	rest := mant & (1<<drop - 1)
	exact = rest == 0
	half := uint64(1) << drop >> 1
	if rest > half || rest == half && drop > 0 && kept&1 == 1 {
		kept++
	}
	var out uint64
	if exp == 0 {
		out = kept // a carry into the exponent makes the smallest normal number
	} else {
		out = uint64(exp-1)<<f.MantBits + kept
	}
	if out > f.MaxFinite() {
		return f.overflow(sign), false
	}
	if out == 0 && f.Special == FiniteNaNNegZero {
		return 0, exact
	}
	return sign | out, exact
}

// power returns the exponent of the power of two that is next to x, whose sign is
// dropped.
func (f FloatFormat) power(x float64) (pattern uint64, exact bool) {
	nan := uint64(1)<<f.ExpBits - 1
	switch {
	case math.IsNaN(x), math.IsInf(x, 0):
		return nan, math.IsNaN(x)
	case x == 0:
		return 0, false
	}
	frac, e := math.Frexp(math.Abs(x))
	exact = x > 0 && frac == 0.5
	if frac >= 0.75 {
		e++
	}
	switch exp := e - 1 + f.Bias; {
	case exp < 0:
		return 0, false
	case uint64(exp) >= nan:
		return nan, false
	default:
		return uint64(exp), exact
	}
}

// MaxFinite returns the bits of the largest finite number of a format of up to 64 bits.
func (f FloatFormat) MaxFinite() uint64 {
	switch f.Special {
	case FiniteNaNAllOnes:
		return 1<<(f.ExpBits+f.MantBits) - 2
	case FiniteNaNNegZero, FiniteOnly:
		return 1<<(f.ExpBits+f.MantBits) - 1
	}
	return uint64(1<<f.ExpBits-1)<<f.MantBits - 1
}

func (f FloatFormat) overflow(sign uint64) uint64 {
	switch f.Special {
	case FiniteNaNAllOnes:
		return sign | (1<<(f.ExpBits+f.MantBits) - 1)
	case FiniteNaNNegZero:
		return 1 << (f.ExpBits + f.MantBits)
	case FiniteOnly:
		return sign | f.MaxFinite()
	}
	return sign | uint64(1<<f.ExpBits-1)<<f.MantBits
}

// ToFloat64 returns the value of a bit pattern. It is exact for formats of up to
// 64 bits.
func (f FloatFormat) ToFloat64(pattern uint64) float64 {
	switch {
	case f.ExpBits == 11 && f.MantBits == 52:
		return math.Float64frombits(pattern)
	case f.Special == PowersOfTwo && pattern == 1<<f.ExpBits-1:
		return math.NaN()
	case f.Special == PowersOfTwo:
		return math.Ldexp(1, int(pattern)-f.Bias)
	}
	neg := pattern>>(f.ExpBits+f.MantBits)&1 == 1
	exp := int(pattern >> f.MantBits & (1<<f.ExpBits - 1))
	mant := pattern & (1<<f.MantBits - 1)
	var v float64
	switch {
	case f.Special == FiniteNaNNegZero && pattern == 1<<(f.ExpBits+f.MantBits),
		f.Special == FiniteNaNAllOnes && pattern&(1<<(f.ExpBits+f.MantBits)-1) == 1<<(f.ExpBits+f.MantBits)-1:
		v = math.NaN()
	case f.Special == IEEE && exp == 1<<f.ExpBits-1 && mant == 0:
		v = math.Inf(1)
	case f.Special == IEEE && exp == 1<<f.ExpBits-1:
		return math.Float64frombits(pattern>>(f.ExpBits+f.MantBits)&1<<63 | 0x7ff<<52 | mant<<(52-f.MantBits))
	case exp == 0:
		v = math.Ldexp(float64(mant), 1-f.Bias-f.MantBits)
	default:
		v = math.Ldexp(float64(mant|1<<f.MantBits), exp-f.Bias-f.MantBits)
	}
	if neg {
		v = math.Copysign(v, -1)
	}
	return v
}

// ParseDecimal returns the bits, low word first, of the number that a decimal literal
// without sign spells. Like mlir-opt, it takes what a double nearest to the literal is, but
// for the formats wider than 64 bits only if the literal has no more digits than a double
// can tell apart: longer ones, as mlir-opt writes for numbers that are no doubles, are
// rounded to the format itself, so that what is printed is read as the same number. Numbers
// out of range become infinity or zero.
func (f FloatFormat) ParseDecimal(s string, neg bool) (lo, hi uint64) {
	const doubleDigits = 17
	if f.wide() && significantDigits(s) > doubleDigits {
		if x, _, err := big.ParseFloat(s, 10, uint(f.MantBits)+64, big.ToNearestEven); err == nil {
			if neg {
				x.Neg(x)
			}
			return f.FromBig(x)
		}
	}
	x, _ := strconv.ParseFloat(s, 64)
	if neg {
		x = -x
	}
	if f.wide() {
		return f.FromBig(new(big.Float).SetFloat64(x))
	}
	lo, _ = f.FromFloat64(x)
	return lo, 0
}

// wide tells whether numbers have more than 64 bits.
func (f FloatFormat) wide() bool { return f.ExpBits+f.MantBits >= 64 }

// significantDigits counts the digits of a decimal literal from the first to the last that
// isn't zero; 0 if its exponent is larger than any format has, since such numbers are out of
// range however many digits they have, and would take long to compute.
func significantDigits(s string) int {
	mantissa := s
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		mantissa = s[:i]
		if n, err := strconv.Atoi(s[i+1:]); err != nil || n > 20000 || n < -20000 {
			return 0
		}
	}
	digits := strings.Trim(strings.Replace(mantissa, ".", "", 1), "0")
	return len(digits)
}

// FromBig rounds x to the format and returns its bits as two words, low first;
// it serves the formats wider than 64 bits.
func (f FloatFormat) FromBig(x *big.Float) (lo, hi uint64) {
	var sign uint64
	if x.Signbit() {
		sign = 1
	}
	prec := f.MantBits + 1
	maxExp := 1<<f.ExpBits - 1
	assemble := func(exp int, mant *big.Int) (uint64, uint64) {
		v := new(big.Int).Set(mant)
		expPos := f.MantBits
		if f.Special == X87 {
			expPos++
		} else {
			v.SetBit(v, f.MantBits, 0)
		}
		v.Or(v, new(big.Int).Lsh(big.NewInt(int64(exp)), uint(expPos)))
		v.Or(v, new(big.Int).Lsh(new(big.Int).SetUint64(sign), uint(expPos+f.ExpBits)))
		mask := new(big.Int).SetUint64(math.MaxUint64)
		return new(big.Int).And(v, mask).Uint64(), new(big.Int).Rsh(v, 64).Uint64()
	}
	inf := func() (uint64, uint64) {
		return assemble(maxExp, new(big.Int).Lsh(big.NewInt(1), uint(f.MantBits)))
	}
	if x.IsInf() {
		return inf()
	}
	if x.Sign() == 0 {
		return assemble(0, new(big.Int))
	}
	e := x.MantExp(nil) // |x| in [0.5, 1) * 2^e
	exp := e - 1 + f.Bias
	if exp <= 0 {
		prec -= 1 - exp
		if prec < 0 {
			return assemble(0, new(big.Int))
		}
	}
	r := new(big.Float).SetMode(big.ToNearestEven).SetPrec(uint(max(prec, 1))).Set(x)
	if re := r.MantExp(nil); re != e {
		exp += re - e
	}
	if exp >= maxExp {
		return inf()
	}
	shift := f.MantBits - (max(exp, 1) - f.Bias)
	m, _ := new(big.Float).SetMantExp(new(big.Float).Abs(r), shift).Int(nil)
	return assemble(max(exp, 0), m)
}

// NaNBits returns the format's quiet NaN as two words, low first.
func (f FloatFormat) NaNBits() (lo, hi uint64) {
	width := 1 + f.ExpBits + f.MantBits
	if width <= 64 {
		lo, _ = f.FromFloat64(math.Float64frombits(0x7ff8 << 48)) // Go's has a payload
		return lo, 0
	}
	if f.Special == X87 {
		return 3 << 62, 1<<15 - 1
	}
	return 0, 0x7fff8 << (f.MantBits - 64 - 4)
}

// ToBig returns the value of a finite bit pattern of any format, and false for
// an infinity or NaN.
func (f FloatFormat) ToBig(lo, hi uint64) (*big.Float, bool) {
	if 1+f.ExpBits+f.MantBits <= 64 {
		v := f.ToFloat64(lo)
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, false
		}
		return big.NewFloat(v), true
	}
	v := new(big.Int).SetUint64(hi)
	v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(lo))
	expPos := f.MantBits
	if f.Special == X87 {
		expPos++
	}
	exp := int(new(big.Int).Rsh(v, uint(expPos)).Int64()) & (1<<f.ExpBits - 1)
	neg := v.Bit(expPos+f.ExpBits) == 1
	mant := new(big.Int).And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(expPos)), big.NewInt(1)))
	if exp == 1<<f.ExpBits-1 {
		return nil, false
	}
	if exp != 0 && f.Special != X87 {
		mant.SetBit(mant, f.MantBits, 1)
	}
	r := new(big.Float).SetPrec(uint(f.MantBits + 1 + bits.UintSize)).SetInt(mant)
	r.SetMantExp(r, max(exp, 1)-f.Bias-f.MantBits)
	if neg {
		r.Neg(r)
	}
	return r, true
}

func wideToFloat64(f FloatFormat, lo, hi uint64) float64 {
	if v, ok := f.ToBig(lo, hi); ok {
		x, _ := v.Float64()
		return x
	}
	neg, frac := hi>>63 == 1, hi&(1<<48-1)|lo
	if f.Special == X87 {
		neg, frac = hi>>15&1 == 1, lo<<1
	}
	if frac != 0 {
		return math.NaN()
	}
	if neg {
		return math.Inf(-1)
	}
	return math.Inf(1)
}
