package elementary

import "math"

// logarithm1p returns the logarithm of 1+r, where |r| < 2^-6.
func logarithm1p(r dd) dd {
	h := r.h
	r2 := r.mul(r)
	r3 := r2.mul(r).mul(third)
	tail := r2.h * r2.h * (-1.0/4 + h*(1.0/5+h*(-1.0/6+h*(1.0/7+h*(-1.0/8+h*(1.0/9+h*(-1.0/10+h*(1.0/11))))))))
	s := quickSum(h, -r2.h/2)
	t := quickSum(s.h, r3.h)
	return quickSum(t.h, t.l+(s.l+(r.l-r2.l/2+r3.l+tail)))
}

// logarithm returns the logarithm of a positive normal number times 2^k.
func logarithm(x dd, k int) dd {
	// m is x by a power of two, between 11/16 and 11/8.
	const least = 0x3fe6000000000000
	offset := math.Float64bits(x.h) - least
	e := int64(offset) >> 52
	by := powerOfTwo(int(-e) >> 1)
	by2 := powerOfTwo(int(-e) - int(-e)>>1)
	m, rest := x.h*by*by2, x.l*by*by2
	t := &logarithms[offset>>45&127]
	p := product(m, t.inverse)
	r := quickSum(p.h-1, math.FMA(rest, t.inverse, p.l))
	s := logarithm1p(r)
	n := float64(e + int64(k))
	if n == 0 && t.inverse == 1 {
		return s
	}
	// n * ln2High is exact.
	a := sum(n*ln2High, t.logarithm.h)
	b := sum(a.h, s.h)
	return quickSum(b.h, b.l+(a.l+(s.l+(t.logarithm.l+n*ln2Low))))
}

// logarithmOf returns the logarithm of a positive number.
func logarithmOf(x float64) dd {
	if x < 0x1p-1022 {
		return logarithm(dd{x * 0x1p54, 0}, -54)
	}
	return logarithm(dd{x, 0}, 0)
}

// hasNoLogarithm tells whether a number isn't positive and finite, and what the logarithm is then.
func hasNoLogarithm(x float64) (float64, bool) {
	switch {
	case x != x || x > math.MaxFloat64:
		return x, true
	case x == 0:
		return math.Inf(-1), true
	case x < 0:
		return math.NaN(), true
	}
	return 0, false
}

// Log returns the natural logarithm.
func Log(x float64) float64 {
	if y, ok := hasNoLogarithm(x); ok {
		return y
	}
	return logarithmOf(x).h
}

// Log2 returns the logarithm to the base of 2.
func Log2(x float64) float64 {
	if y, ok := hasNoLogarithm(x); ok {
		return y
	}
	return logarithmOf(x).mul(inverse2).h
}

// Log10 returns the logarithm to the base of 10.
func Log10(x float64) float64 {
	if y, ok := hasNoLogarithm(x); ok {
		return y
	}
	return logarithmOf(x).mul(inverse10).h
}

// log1p returns the logarithm of 1+x, which is positive.
func log1p(x dd) dd {
	if math.Abs(x.h) < 0x1p-7 {
		return logarithm1p(x)
	}
	return logarithm(x.plus(1), 0)
}

// Log1p returns the logarithm of 1+x.
func Log1p(x float64) float64 {
	switch {
	case math.Abs(x) < 0x1p-54:
		return x
	case !(x > -1 && x <= math.MaxFloat64):
		y, _ := hasNoLogarithm(x + 1)
		return y
	}
	return log1p(dd{x, 0}).h
}

// Asinh returns the number whose hyperbolic sine is x.
func Asinh(x float64) float64 {
	a := math.Abs(x)
	if a < 0x1p-28 || !(a <= math.MaxFloat64) {
		return x
	}
	return math.Copysign(asinh(a).h, x)
}

// asinh returns the inverse hyperbolic sine of a number of at least 2^-28.
func asinh(a float64) dd {
	if a > 0x1p28 {
		return logarithmOf(a).add(ln2).plus(0.25 / a / a)
	}
	square := product(a, a)
	return log1p(square.div(square.plus(1).root().plus(1)).plus(a))
}

// Acosh returns the positive number whose hyperbolic cosine is x.
func Acosh(x float64) float64 {
	switch {
	case !(x >= 1):
		return math.NaN()
	case x > math.MaxFloat64:
		return x
	case x > 0x1p28:
		return logarithmOf(x).add(ln2).plus(-0.25 / x / x).h
	}
	if x == 1 {
		return 0
	}
	t := sum(x, -1)
	return log1p(t.add(t.mul(t.plus(2)).root())).h
}

// Atanh returns the number whose hyperbolic tangent is x.
func Atanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-28 || x != x:
		return x
	case a > 1:
		return math.NaN()
	case a == 1:
		return math.Copysign(math.Inf(1), x)
	}
	return math.Copysign(log1p(dd{2 * a, 0}.div(sum(1, -a))).h/2, x)
}
