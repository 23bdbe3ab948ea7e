package elementary

import (
	"math"
	"math/cmplx"
	"math/rand/v2"
	"testing"
)

// complexFunctions have what they compute exactly, of parts of many digits.
var complexFunctions = []struct {
	name  string
	fn    func(z complex128) complex128
	exact func(x, y *number) (re, im *number)
	size  float64 // of the largest real part, where exponentials aren't too large
	limit float64
}{
	{"exp", CExp, func(x, y *number) (re, im *number) {
		return times(bigExp(x), bigSin(y, 1)), times(bigExp(x), bigSin(y, 0))
	}, 700, 0.51},
	{"expm1", CExpm1, func(x, y *number) (re, im *number) {
		return minus(times(bigExp(x), bigSin(y, 1)), of(1)), times(bigExp(x), bigSin(y, 0))
	}, 700, 0.51},
	{"sin", CSin, func(x, y *number) (re, im *number) {
		return times(bigSin(x, 0), bigCosh(y)), times(bigSin(x, 1), bigSinh(y))
	}, 700, 0.51},
	{"cos", CCos, func(x, y *number) (re, im *number) {
		return times(bigSin(x, 1), bigCosh(y)), negated(times(bigSin(x, 0), bigSinh(y)))
	}, 700, 0.51},
	{"tanh", CTanh, bigCTanh, 200, 0.51},
	{"tan", CTan, func(x, y *number) (re, im *number) {
		a, b := bigCTanh(negated(y), x)
		return b, negated(a)
	}, 200, 0.51},
	{"log", CLog, func(x, y *number) (re, im *number) {
		return half(bigLog(plus(times(x, x), times(y, y))), 1), bigAtan2(y, x)
	}, 1e300, 0.51},
	{"log1p", CLog1p, func(x, y *number) (re, im *number) {
		u := plus(x, of(1))
		return half(bigLog1p(plus(times(x, plus(x, of(2))), times(y, y))), 1), bigAtan2(y, u)
	}, 1e300, 0.51},
	{"sqrt", CSqrt, func(x, y *number) (re, im *number) {
		h := root(plus(times(x, x), times(y, y)))
		if x.Sign() < 0 {
			b := root(half(minus(h, x), 1))
			if y.Sign() < 0 {
				b = negated(b)
			}
			return half(over(y, b), 1), b
		}
		a := root(half(plus(h, x), 1))
		return a, half(over(y, a), 1)
	}, 1e300, 0.51},
}

func bigCTanh(x, y *number) (re, im *number) {
	sinh, cosh, sin, cos := bigSinh(x), bigCosh(x), bigSin(y, 0), bigSin(y, 1)
	by := plus(times(sinh, sinh), times(cos, cos))
	return over(times(sinh, cosh), by), over(times(sin, cos), by)
}

// TestErrorsOfComplex compares both parts with numbers of 320 bits.
func TestErrorsOfComplex(t *testing.T) {
	for _, f := range complexFunctions {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(3, uint64(len(f.name))))
			part := func() float64 {
				switch r.IntN(4) {
				case 0:
					return r.NormFloat64()
				case 1:
					return math.Ldexp(r.NormFloat64(), -r.IntN(100))
				case 2:
					return math.Pi / 4 * float64(r.IntN(9)-4) * (1 + math.Ldexp(r.NormFloat64(), -r.IntN(60)))
				}
				return f.size * (2*r.Float64() - 1) * math.Ldexp(1, -r.IntN(10))
			}
			worst, where := 0.0, complex128(0)
			for range 500 {
				z := complex(part(), part())
				if real(z) == 0 || imag(z) == 0 {
					continue
				}
				got := f.fn(z)
				re, im := f.exact(of(real(z)), of(imag(z)))
				if e := max(ulps(real(got), re), ulps(imag(got), im)); e > worst {
					worst, where = e, z
				}
			}
			if worst > f.limit {
				t.Errorf("%s(%v) is %v, of which a part is %.4f units in the last place off, and not at most %v", f.name, where, f.fn(where), worst, f.limit)
			}
			t.Logf("| complex `%s` | %.5f | %v |", f.name, worst, where)
		})
	}
}

// TestErrorsOfComplexPowers compares powers whose parts are neither too large nor too small.
func TestErrorsOfComplexPowers(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 0))
	worst := 0.0
	for range 500 {
		a, b, c, d := r.NormFloat64(), r.NormFloat64(), math.Ldexp(r.NormFloat64(), r.IntN(8)), math.Ldexp(r.NormFloat64(), r.IntN(6))
		l, angle := half(bigLog(plus(times(of(a), of(a)), times(of(b), of(b)))), 1), bigAtan2(of(b), of(a))
		re, im := minus(times(of(c), l), times(of(d), angle)), plus(times(of(d), l), times(of(c), angle))
		if x, _ := re.Float64(); math.Abs(x) > 700 {
			continue
		}
		m := bigExp(re)
		got := CPow(complex(a, b), complex(c, d))
		if e := max(ulps(real(got), times(m, bigSin(im, 1))), ulps(imag(got), times(m, bigSin(im, 0)))); e > worst {
			worst = e
			if e > 0.51 {
				t.Errorf("(%v, %v) to the power of (%v, %v) is %v, of which a part is %.4f units in the last place off", a, b, c, d, got, e)
			}
		}
	}
	t.Logf("| complex `pow` | %.5f |", worst)
}

// TestSpecialComplex has what annex G of the C standard says.
func TestSpecialComplex(t *testing.T) {
	for _, c := range []struct {
		name           string
		fn             func(z complex128) complex128
		x, y, re, im   float64
		anySign, other bool // of the real, or the imaginary part, if it is zero
	}{
		{name: "exp", fn: CExp, x: 0, y: neg, re: 1, im: neg},
		{name: "exp", fn: CExp, x: 1000, y: 0, re: inf, im: 0},
		{name: "exp", fn: CExp, x: 1000, y: 1e-300, re: inf, im: 1.970071114017047e+134},
		{name: "exp", fn: CExp, x: inf, y: 1, re: inf, im: inf},
		{name: "exp", fn: CExp, x: inf, y: inf, re: inf, im: nan},
		{name: "exp", fn: CExp, x: -inf, y: inf, re: 0, im: 0},
		{name: "exp", fn: CExp, x: -inf, y: 2, re: neg, im: 0},
		{name: "exp", fn: CExp, x: 1, y: inf, re: nan, im: nan},
		{name: "exp", fn: CExp, x: nan, y: 0, re: nan, im: 0},
		{name: "exp", fn: CExp, x: inf, y: 0, re: inf, im: 0},
		{name: "expm1", fn: CExpm1, x: inf, y: 0, re: inf, im: 0},
		{name: "expm1", fn: CExpm1, x: -inf, y: 1, re: -1, im: 0},
		{name: "expm1", fn: CExpm1, x: 0, y: 1e-200, re: 0, im: 1e-200, anySign: true},
		{name: "expm1", fn: CExpm1, x: 0, y: 1e-300, re: neg, im: 1e-300},
		{name: "expm1", fn: CExpm1, x: neg, y: -1e-300, re: neg, im: -1e-300},
		{name: "expm1", fn: CExpm1, x: 0, y: 1e-160, re: -4.99996e-321, im: 1e-160},
		{name: "exp", fn: CExp, x: -inf, y: nan, re: 0, im: 0},
		{name: "exp", fn: CExp, x: -inf, y: math.Copysign(nan, -1), re: 0, im: 0},
		{name: "log", fn: CLog, x: 0, y: 0, re: -inf, im: 0},
		{name: "log", fn: CLog, x: neg, y: 0, re: -inf, im: math.Pi},
		{name: "log", fn: CLog, x: 5e-324, y: 0, re: -744.4400719213812, im: 0},
		{name: "log", fn: CLog, x: 1e-20, y: 1, re: 5e-41, im: math.Pi / 2},
		{name: "log", fn: CLog, x: 1e308, y: 1e308, re: 709.542782232446, im: math.Pi / 4},
		{name: "log", fn: CLog, x: -inf, y: nan, re: inf, im: nan},
		{name: "log", fn: CLog, x: inf, y: inf, re: inf, im: math.Pi / 4},
		{name: "log1p", fn: CLog1p, x: -1, y: 0, re: -inf, im: 0},
		{name: "log1p", fn: CLog1p, x: 1e300, y: 1e300, re: 691.1221014884936, im: math.Pi / 4},
		{name: "log1p", fn: CLog1p, x: -1, y: 1e-10, re: -23.025850929940457, im: math.Pi / 2},
		{name: "sin", fn: CSin, x: 0, y: 1000, re: 0, im: inf},
		{name: "sin", fn: CSin, x: neg, y: -1000, re: neg, im: -inf},
		{name: "sin", fn: CSin, x: inf, y: 0, re: nan, im: 0, other: true},
		{name: "sin", fn: CSin, x: 1, y: inf, re: inf, im: inf},
		{name: "cos", fn: CCos, x: 1000, y: 0, re: 0.5623790762907029, im: neg},
		{name: "cos", fn: CCos, x: 0, y: 1000, re: inf, im: neg},
		{name: "cos", fn: CCos, x: inf, y: 1, re: nan, im: nan},
		{name: "cos", fn: CCos, x: inf, y: 0, re: nan, im: neg},
		{name: "cos", fn: CCos, x: -inf, y: 0, re: nan, im: 0},
		{name: "cos", fn: CCos, x: nan, y: 0, re: nan, im: neg},
		{name: "sin", fn: CSin, x: inf, y: -inf, re: nan, im: -inf},
		{name: "tanh", fn: CTanh, x: 1000, y: 0, re: 1, im: 0},
		{name: "tanh", fn: CTanh, x: -1000, y: 1, re: -1, im: 0},
		{name: "tanh", fn: CTanh, x: inf, y: inf, re: 1, im: 0, other: true},
		{name: "tanh", fn: CTanh, x: inf, y: math.Copysign(nan, -1), re: 1, im: 0},
		{name: "tanh", fn: CTanh, x: neg, y: 0, re: neg, im: 0},
		{name: "tanh", fn: CTanh, x: 1, y: inf, re: nan, im: nan},
		{name: "tan", fn: CTan, x: 0, y: 1000, re: 0, im: 1},
		{name: "tan", fn: CTan, x: 1, y: -1000, re: 0, im: -1},
		{name: "sqrt", fn: CSqrt, x: neg, y: neg, re: 0, im: neg},
		{name: "sqrt", fn: CSqrt, x: -4, y: neg, re: 0, im: -2},
		{name: "sqrt", fn: CSqrt, x: nan, y: inf, re: inf, im: inf},
		{name: "sqrt", fn: CSqrt, x: -inf, y: nan, re: nan, im: inf},
		{name: "sqrt", fn: CSqrt, x: -inf, y: 1, re: 0, im: inf},
		{name: "sqrt", fn: CSqrt, x: inf, y: -1, re: inf, im: neg},
		{name: "sqrt", fn: CSqrt, x: math.MaxFloat64, y: math.MaxFloat64, re: 1.4730945569055652e+154, im: 6.1017574412827024e+153},
		{name: "sqrt", fn: CSqrt, x: 5e-324, y: 5e-324, re: 2.4421097261308304e-162, im: 1.0115549693666347e-162},
		{name: "sqrt", fn: CSqrt, x: 1, y: 5e-324, re: 1, im: 0},
	} {
		got := c.fn(complex(c.x, c.y))
		re, im := real(got), imag(got)
		if c.anySign && math.Abs(re) < inf {
			c.re = re
		}
		if c.other {
			im = math.Abs(im)
		}
		if !same(re, c.re) || !same(im, c.im) {
			t.Errorf("%s of (%v, %v) is %v, not (%v, %v)", c.name, c.x, c.y, got, c.re, c.im)
		}
	}
	z := func(x, y float64) complex128 { return complex(x, y) }
	for _, c := range []struct {
		name   string
		fn     func(z, w complex128) complex128
		z, w   complex128
		re, im float64
	}{
		{"pow", CPow, 0, 0, 1, 0},
		{"pow", CPow, z(nan, inf), 0, 1, 0},
		{"pow", CPow, 0, -1, inf, 0},
		{"pow", CPow, 0, z(2, 1), 0, 0},
		{"pow", CPow, 0, z(0, 1), nan, nan},
		{"pow", CPow, 10, z(300, 1), -6.682015101903129e+299, 7.439803369574931e+299},
		{"pow", CPow, 2, 3, 8, 0},
		{"pow", CPow, z(0, inf), -2, neg, 0},
		{"pow", CPow, z(inf, 0), 2, inf, 0},
		{"pow", CPow, -4, 0.5, 0, 2},
		{"pow", CPow, -1, 101, -1, 0},
		{"pow", CPow, z(0, 1), 2, -1, 0},
		{"div", CDiv, z(1e308, 1e308), z(1e308, 1e308), 1, 0},
		{"div", CDiv, z(1e-320, 0), z(1e-320, 1e-320), 0.5, -0.5},
		{"div", CDiv, z(1e308, 0), z(1e-308, 0), inf, 0},
		{"div", CDiv, 1, 0, inf, nan},
		{"div", CDiv, z(inf, 1), z(1, 1), inf, -inf},
		{"div", CDiv, z(1, 1), z(inf, 1), 0, 0},
		{"div", CDiv, z(6, 8), 2, 3, 4},
	} {
		if got := c.fn(c.z, c.w); !same(real(got), c.re) || !same(imag(got), c.im) {
			t.Errorf("%s of %v and %v is %v, not (%v, %v)", c.name, c.z, c.w, got, c.re, c.im)
		}
	}
	if got := CSqrt(-1); cmplx.Abs(got-1i) != 0 {
		t.Errorf("the square root of -1 is %v", got)
	}
}

// TestAnyBits has functions of numbers with any bits, and of extreme ones: none panics.
func TestAnyBits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 0))
	extreme := []float64{0, neg, 1, -1, inf, -inf, nan, math.MaxFloat64, -math.MaxFloat64, 5e-324, -5e-324, math.MaxFloat32, -math.MaxFloat32, 100, math.Pi, 0x1p53, 0x1p60, 0.5}
	any := func() float64 {
		if r.IntN(2) == 0 {
			return extreme[r.IntN(len(extreme))]
		}
		return math.Float64frombits(r.Uint64())
	}
	for range 100000 {
		x, y, u, v := any(), any(), any(), any()
		for _, f := range functions {
			f.fn(x)
		}
		for _, f := range pairs {
			f.fn(x, y)
		}
		for _, f := range complexFunctions {
			f.fn(complex(x, y))
		}
		CPow(complex(x, y), complex(u, v))
		CDiv(complex(x, y), complex(u, v))
	}
}

// The angle of a power may be a number whose fraction is in the second part of a sum.
func TestPowersOfManyTurns(t *testing.T) {
	for _, c := range []struct{ a, b, c, d float64 }{
		{5, 0, 0, 1e20}, {3, 4, 1e-3, 1e18}, {2, 1, 0, 1e16},
	} {
		a, b := of(c.a), of(c.b)
		l, angle := half(bigLog(plus(times(a, a), times(b, b))), 1), bigAtan2(b, a)
		re, im := minus(times(of(c.c), l), times(of(c.d), angle)), plus(times(of(c.d), l), times(of(c.c), angle))
		got, m := CPow(complex(c.a, c.b), complex(c.c, c.d)), bigExp(re)
		x, _ := re.Float64()
		if x < -745 && got == 0 {
			continue
		}
		if e := max(ulps(real(got), times(m, bigSin(im, 1))), ulps(imag(got), times(m, bigSin(im, 0)))); !(e < 1e10) {
			t.Errorf("%v: %v is %v units off", c, got, e)
		}
	}
}

// TestSymmetriesOfComplex has numbers whose parts are extreme: what annex G of the C standard leaves open follows from the symmetries, too.
func TestSymmetriesOfComplex(t *testing.T) {
	parts := []float64{0, 5e-324, 1e-300, 1, 100, math.MaxFloat64, inf}
	odd := map[string]bool{"sin": true, "tan": true, "tanh": true}
	for _, f := range complexFunctions {
		for _, x := range parts {
			for _, y := range parts {
				for _, x := range []float64{x, -x} {
					at := f.fn(complex(x, y))
					below := f.fn(complex(x, -y))
					if !same(real(below), real(at)) || !same(imag(below), -imag(at)) {
						t.Errorf("%s of (%v, %v) is %v, and %v on the other side of the real axis", f.name, x, y, at, below)
					}
					opposite := f.fn(complex(-x, -y))
					if odd[f.name] && (!same(real(opposite), -real(at)) || !same(imag(opposite), -imag(at))) {
						t.Errorf("%s of (%v, %v) is %v, and %v of the opposite", f.name, x, y, at, opposite)
					}
					if f.name == "cos" && (!same(real(opposite), real(at)) || !same(imag(opposite), imag(at))) {
						t.Errorf("%s of (%v, %v) is %v, and %v of the opposite", f.name, x, y, at, opposite)
					}
				}
			}
		}
	}
}
