package elementary

import "math"

// Functions of complex numbers. Parts are rounded once, from twice the precision, and no step between overflows. Where annex G of the C standard leaves the sign of
// a zero or an infinity open, it is the one that the function's symmetries give; the sign of NaN doesn't count. Package emitc has the same functions in C.

func finite(x float64) bool { return math.Abs(x) <= math.MaxFloat64 }

// zeroOf returns a zero with the sign of a number, of which that of NaN doesn't count.
func zeroOf(x float64) float64 {
	if x != x {
		return 0
	}
	return math.Copysign(0, x)
}

// number2 returns a * 2^k of any size.
func (a dd) number2(k int) float64 {
	if a.h == 0 {
		return a.h
	}
	_, e := math.Frexp(a.h)
	b := dd{math.Ldexp(a.h, 1-e), math.Ldexp(a.l, 1-e)}
	if k += e - 1; b.h < 0 {
		return -b.neg().ldexp(max(k, -2000))
	}
	return b.ldexp(max(k, -2000))
}

// productOf returns a * b * 2^k, where a factor may be so small that the product has no second part, or has no bits at all, before it is multiplied by the power.
func productOf(a, b dd, k int) float64 {
	if a.h == 0 || b.h == 0 {
		return a.h * b.h
	}
	_, e := math.Frexp(a.h)
	_, f := math.Frexp(b.h)
	a, b = dd{math.Ldexp(a.h, -e), math.Ldexp(a.l, -e)}, dd{math.Ldexp(b.h, -f), math.Ldexp(b.l, -f)}
	return a.mul(b).number2(k + e + f)
}

// limited returns the exponential as m * 2^k, of which numbers so large or small that it doesn't matter are any.
func limited(x dd) (m dd, k int) {
	const far = 1500
	if math.Abs(x.h) > far {
		x = dd{math.Copysign(far, x.h), 0}
	}
	m, _, k = exponential(x)
	return m, k
}

// sineOf is [circle], and exact for what is so small that it is its own sine.
func sineOf(r dd, n int) dd {
	if n&3 == 0 && math.Abs(r.h) < 0x1p-60 {
		return r
	}
	return circle(r, n)
}

// CExp returns the exponential.
func CExp(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case y == 0:
		return complex(Exp(x), y)
	case math.IsInf(x, -1) && !finite(y):
		return complex(0, zeroOf(y))
	case math.IsInf(x, 1) && !finite(y):
		return complex(x, math.NaN())
	case x != x || !finite(y):
		return complex(math.NaN(), math.NaN())
	}
	m, k := limited(dd{x, 0})
	r, n := reduce(y)
	return complex(productOf(m, circle(r, n+1), k), productOf(m, sineOf(r, n), k))
}

// CExpm1 returns the exponential, less 1.
func CExpm1(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case y == 0:
		return complex(Expm1(x), y)
	case !finite(y) || !(x > -50 && x < 50):
		return CExp(z) - 1
	}
	m, _, k := exponential(dd{x, 0})
	r, n := reduce(y)
	e, cosine := expm1(dd{x, 0}), circle(r, n+1)
	// cos y - 1 is -2 sin²(y/2).
	half := sineOf(reduce(y / 2))
	less1 := half.mul(half).scaled(-2)
	if math.Abs(y) < 0x1p-400 {
		less1 = dd{-(y / 2) * y, 0} // which may be too small for two parts
	}
	re := less1.h // -0 if it is too small for one
	if x != 0 {
		re = e.mul(cosine).add(less1).h
	}
	return complex(re, productOf(m, sineOf(r, n), k))
}

// CLog returns the logarithm whose imaginary part is at most π.
func CLog(z complex128) complex128 {
	x, y := real(z), imag(z)
	h := Hypot(x, y)
	if finite(x) && finite(y) && h != 0 {
		h = logarithm(hypot(x, y)).h
	} else {
		h = Log(h)
	}
	return complex(h, Atan2(y, x))
}

// CLog1p returns the logarithm of 1+z.
func CLog1p(z complex128) complex128 {
	x, y := real(z), imag(z)
	if !(math.Abs(x) < 0x1p400 && math.Abs(y) < 0x1p400) {
		return CLog(complex(1+x, y))
	}
	// |1+z|^2 - 1
	square := sum(2, x).times(x).add(product(y, y))
	if square.h < -0.75 {
		return CLog(complex(1+x, y)) // the sum is exact
	}
	u := sum(1, x)
	im := Atan2(y, u.h)
	if math.Abs(y) > 0x1p-900 && u.h > 0 {
		im = math.Copysign(angle(dd{math.Abs(y), 0}, u).h, y)
	}
	return complex(log1p(square).h/2, im)
}

// hyperbolic returns the hyperbolic sine and cosine of a number, divided by 2^k.
func hyperbolic(x float64) (sine, cosine dd, k int) {
	a := math.Abs(x)
	if a > 40 {
		m, k := limited(dd{a, 0})
		if x < 0 {
			return m.neg(), m, k - 1
		}
		return m, m, k - 1
	}
	m, _, k := exponential(dd{a, 0})
	m = m.scaled(powerOfTwo(k))
	inverse := dd{1, 0}.div(m)
	d := expm1(dd{a, 0})
	sine, cosine = d.add(d.div(m)).scaled(0.5), m.add(inverse).scaled(0.5)
	if a < 0x1p-60 {
		sine = dd{a, 0}
	}
	if math.Signbit(x) {
		sine = sine.neg()
	}
	return sine, cosine, 0
}

// csinh returns the hyperbolic sine.
func csinh(x, y float64) (re, im float64) {
	switch {
	case y == 0:
		return Sinh(x), y
	case !finite(y) && x == 0:
		return x, math.NaN()
	case !finite(y) && math.IsInf(x, 0):
		return x, math.NaN()
	case !finite(y) || x != x:
		return math.NaN(), math.NaN()
	case x == 0:
		return x * Cos(y), Sin(y)
	}
	s, c, k := hyperbolic(x)
	r, n := reduce(y)
	return productOf(s, circle(r, n+1), k), productOf(c, sineOf(r, n), k)
}

// ccosh returns the hyperbolic cosine.
func ccosh(x, y float64) (re, im float64) {
	switch {
	case y == 0 && x != x:
		return x, y
	case y == 0:
		return Cosh(x), math.Copysign(1, x) * y
	case !finite(y) && x == 0 && y < 0:
		return math.NaN(), -x
	case !finite(y) && x == 0:
		return math.NaN(), x
	case !finite(y) && math.IsInf(x, 0):
		return math.Inf(1), math.NaN()
	case !finite(y) || x != x:
		return math.NaN(), math.NaN()
	case x == 0:
		return Cos(y), x * Sin(y)
	}
	s, c, k := hyperbolic(x)
	r, n := reduce(y)
	return productOf(c, circle(r, n+1), k), productOf(s, sineOf(r, n), k)
}

// CSin returns the sine.
func CSin(z complex128) complex128 {
	re, im := csinh(-imag(z), real(z))
	return complex(im, -re)
}

// CCos returns the cosine.
func CCos(z complex128) complex128 { return complex(ccosh(-imag(z), real(z))) }

// CTanh returns the hyperbolic tangent.
func CTanh(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case y == 0:
		return complex(Tanh(x), y)
	case math.IsInf(x, 0) && !finite(y):
		return complex(math.Copysign(1, x), zeroOf(y))
	case x == 0 && !finite(y):
		return complex(x, math.NaN())
	case x != x || !finite(y):
		return complex(math.NaN(), math.NaN())
	case x == 0:
		return complex(x, Tan(y))
	}
	r, n := reduce(y)
	s, c := sineOf(r, n), circle(r, n+1)
	if math.Abs(x) > 40 {
		// 4 sin y cos y e^(-2|x|)
		m, k := limited(dd{-2 * math.Abs(x), 0})
		return complex(math.Copysign(1, x), productOf(c.mul(m), s, k+2))
	}
	sh, ch, _ := hyperbolic(x)
	by := sh.mul(sh).add(c.mul(c))
	return complex(sh.mul(ch).div(by).number2(0), s.mul(c).div(by).number2(0))
}

// CTan returns the tangent.
func CTan(z complex128) complex128 {
	t := CTanh(complex(-imag(z), real(z)))
	return complex(imag(t), -real(t))
}

// CSqrt returns the square root whose real part isn't negative.
func CSqrt(z complex128) complex128 {
	x, y := real(z), imag(z)
	switch {
	case math.IsInf(y, 0):
		return complex(math.Inf(1), y)
	case math.IsInf(x, 1) && y != y:
		return complex(x, y)
	case math.IsInf(x, 1):
		return complex(x, math.Copysign(0, y))
	case math.IsInf(x, -1) && y != y:
		return complex(y, -x)
	case math.IsInf(x, -1):
		return complex(0, math.Copysign(-x, y))
	case x != x || y != y:
		return complex(math.NaN(), math.NaN())
	case x == 0 && y == 0:
		return complex(0, y)
	}
	h, k := hypot(x, y)
	if k&1 != 0 {
		h, k = h.scaled(0.5), k+1
	}
	greater := h.add(dd{math.Ldexp(math.Abs(x), -k), 0}).scaled(0.5).root()
	m, e := math.Frexp(math.Abs(y))
	lesser := dd{m, 0}.div(greater.scaled(2)).number2(e - k/2)
	if x < 0 {
		return complex(lesser, math.Copysign(greater.number2(k/2), y))
	}
	return complex(greater.number2(k/2), math.Copysign(lesser, y))
}

// CPow returns z to the power of w. It is NaN for a power of 0 that has no limit: one whose real part is zero, other than 0, or NaN.
func CPow(z, w complex128) complex128 {
	a, b, c, d := real(z), imag(z), real(w), imag(w)
	switch {
	case w == 0:
		return 1
	case z == 0 && c > 0:
		return 0
	case z == 0 && c < 0 && d == 0:
		return complex(math.Inf(1), 0)
	case z == 0 && c < 0:
		return complex(math.Inf(1), math.Inf(1))
	case z == 0:
		return complex(math.NaN(), math.NaN())
	}
	// The angle of z is n quarters of a turn, and that of u. Of w, whole quarters of a turn are exact, too, so that the square of i is -1.
	n, u, v := 0.0, a, b
	switch {
	case math.Abs(b) > math.Abs(a):
		n = math.Copysign(1, b)
		u, v = math.Abs(b), -a*n
	case a < 0:
		n = math.Copysign(2, b)
		u, v = -a, -b
	}
	quarters := c * n
	k := math.RoundToEven(quarters)
	l, t := dd{Log(Hypot(a, b)), 0}, dd{Atan2(v, u), 0}
	if finite(a) && finite(b) {
		l = logarithm(hypot(a, b))
		if v != 0 {
			t = direction(v, u)
		}
	}
	size, rest := l.times(c).sub(t.times(d).add(halfPi.times(n*d))), l.times(d).add(t.times(c)).add(halfPi.times(quarters-k))
	if !finite(size.h) || !finite(rest.h) {
		// Where a part of w is 0, an infinite logarithm makes no difference to it.
		size, rest = dd{}, dd{}
		if c != 0 {
			size.h, rest.h = c*l.h, c*t.h+(quarters-k)*halfPi.h
		}
		if d != 0 {
			size.h, rest.h = size.h-d*(t.h+n*halfPi.h), rest.h+d*l.h
		}
	}
	if size.h != size.h || !finite(rest.h) {
		return complex(math.NaN(), math.NaN())
	}
	m, e := limited(size)
	r, i := reduceSum(rest)
	i += int(math.Mod(k, 4))
	cosine, sine := circle(r, i+1), sineOf(r, i)
	return complex(productOf(m, cosine.plus(0), e), productOf(m, sine.plus(0), e)) // a zero is positive
}

// direction is the angle of the finite point (x, y), where x is at least |y|, which isn't 0.
func direction(y, x float64) dd {
	_, k := math.Frexp(x)
	r := arctangent(dd{math.Ldexp(math.Abs(y), -k), 0}.div(dd{math.Ldexp(x, -k), 0}))
	if y < 0 {
		return r.neg()
	}
	return r
}

// CDiv returns the quotient (R. L. Smith, Algorithm 116, Communications of the ACM, 1962), with the infinities and zeros of annex G of the C
// standard. Large and small numbers are brought nearer to 1 before.
func CDiv(x, y complex128) complex128 {
	a, b, c, d := real(x), imag(x), real(y), imag(y)
	n := nearer(&a, &b) - nearer(&c, &d)
	var e, f float64
	if math.Abs(c) >= math.Abs(d) {
		ratio := d / c
		by := c + float64(ratio*d)
		e, f = (a+float64(b*ratio))/by, (b-float64(a*ratio))/by
	} else {
		ratio := c / d
		by := d + float64(ratio*c)
		e, f = (float64(a*ratio)+b)/by, (float64(b*ratio)-a)/by
	}
	if n != 0 {
		e, f = math.Ldexp(e, n), math.Ldexp(f, n)
	}
	if e == e && f == f {
		return complex(e, f)
	}
	one := func(x float64) float64 {
		if math.IsInf(x, 0) {
			return math.Copysign(1, x)
		}
		return math.Copysign(0, x)
	}
	switch {
	case c == 0 && d == 0 && (a == a || b == b):
		infinite := math.Copysign(math.Inf(1), c)
		return complex(infinite*a, infinite*b)
	case (math.IsInf(a, 0) || math.IsInf(b, 0)) && finite(c) && finite(d):
		a, b = one(a), one(b)
		return complex(math.Inf(1)*(float64(a*c)+float64(b*d)), math.Inf(1)*(float64(b*c)-float64(a*d)))
	case (math.IsInf(c, 0) || math.IsInf(d, 0)) && finite(a) && finite(b):
		c, d = one(c), one(d)
		return complex(0*(float64(a*c)+float64(b*d)), 0*(float64(b*c)-float64(a*d)))
	}
	return complex(e, f)
}

// nearer multiplies numbers by a power of two, if the larger one is very large or small, and returns the exponent of the inverse of that.
func nearer(a, b *float64) int {
	switch m := max(math.Abs(*a), math.Abs(*b)); {
	case m >= 0x1p500 && m <= math.MaxFloat64:
		*a, *b = *a*0x1p-600, *b*0x1p-600
		return 600
	case m <= 0x1p-500 && m > 0:
		*a, *b = *a*0x1p600, *b*0x1p600
		return -600
	}
	return 0
}
