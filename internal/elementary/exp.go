package elementary

import "math"

// exponential returns the exponential of x, where |x| < 1000, as m * 2^k with m from 1 to 2, and the exponential less 1 if x is
// so small that m is 1 and that.
func exponential(x dd) (m, less1 dd, k int) {
	const (
		inverse = 0x1.71547652b82fep+7 // 128 / ln 2
		high    = 0x1.62e42fefa39efp-8 // ln 2 / 128
		low     = 0x1.abc9e3b39803fp-63
	)
	n := float64(x.h*inverse) + 0x1.8p52
	n -= 0x1.8p52
	// The first one is exact, as its result is a multiple of 2^-61 and less than 2^-8.
	r := sum(math.FMA(-n, high, x.h), math.FMA(-n, low, x.l))
	return powerAndRest(int(n), r)
}

// powerAndRest returns 2^(n/128) times the exponential of r, which is less than 2^-8, as [exponential] does.
func powerAndRest(n int, r dd) (m, less1 dd, k int) {
	h := r.h
	q := h * h * (1.0/2 + h*(1.0/6+h*(1.0/24+h*(1.0/120+h*(1.0/720+h*(1.0/5040))))))
	p := quickSum(h, math.FMA(h, r.l, r.l)+q)
	t := &powers[n&127]
	u := product(t.h, p.h)
	s := quickSum(t.h, u.h)
	return quickSum(s.h, s.l+(u.l+math.FMA(t.l, p.h, math.FMA(t.h, p.l, t.l)))), p, n >> 7
}

// The logarithms of what is above the largest number, and below half of the least one.
const (
	tooLarge = 709.8
	tooSmall = -745.2
)

// Exp returns the exponential.
func Exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > tooLarge:
		return math.Inf(1)
	case x < tooSmall:
		return 0
	}
	m, _, k := exponential(dd{x, 0})
	return m.ldexp(k)
}

// Exp2 returns 2 to the power of x.
func Exp2(x float64) float64 {
	switch {
	case x != x:
		return x
	case x >= 1024:
		return math.Inf(1)
	case x < -1075:
		return 0
	}
	n := float64(x*128) + 0x1.8p52
	n -= 0x1.8p52
	m, _, k := powerAndRest(int(n), ln2.times(x-n/128))
	return m.ldexp(k)
}

// expm1 returns the exponential of a number between -50 and 50, less 1.
func expm1(x dd) dd {
	m, less1, k := exponential(x)
	if k == 0 && math.Abs(x.h) < 0x1p-9 {
		return less1
	}
	return m.scaled(powerOfTwo(k)).plus(-1)
}

// Expm1 returns the exponential of x, less 1.
func Expm1(x float64) float64 {
	switch {
	case x > 50:
		return Exp(x)
	case x < -50:
		return -1
	case math.Abs(x) < 0x1p-54 || x != x:
		return x
	}
	return expm1(dd{x, 0}).number()
}

// Sinh returns the hyperbolic sine.
func Sinh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-28 || x != x:
		return x // what follows x^3/6 doesn't show
	case a > 711:
		return math.Copysign(math.Inf(1), x)
	case a > 40:
		m, _, k := exponential(dd{a, 0})
		return math.Copysign(m.ldexp(k-1), x)
	}
	// e^a - e^-a, where d is e^a - 1.
	d := expm1(dd{a, 0})
	return math.Copysign(d.add(d.div(d.plus(1))).number()/2, x)
}

// Cosh returns the hyperbolic cosine.
func Cosh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x != x:
		return x
	case a > 711:
		return math.Inf(1)
	}
	m, _, k := exponential(dd{a, 0})
	if a > 40 {
		return m.ldexp(k - 1)
	}
	m = m.scaled(powerOfTwo(k))
	return m.add(dd{1, 0}.div(m)).number() / 2
}

// Tanh returns the hyperbolic tangent.
func Tanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-28 || x != x:
		return x
	case a > 22:
		return math.Copysign(1, x)
	}
	d := expm1(dd{2 * a, 0})
	return math.Copysign(d.div(d.plus(2)).number(), x)
}
