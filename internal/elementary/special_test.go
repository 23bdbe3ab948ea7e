package elementary

import (
	"math"
	"math/big"
	"testing"
)

var (
	inf = math.Inf(1)
	nan = math.NaN()
	neg = math.Copysign(0, -1)
)

// same compares numbers with the signs of zeros; all NaNs are the same.
func same(a, b float64) bool {
	return a == b && math.Signbit(a) == math.Signbit(b) || a != a && b != b
}

// TestSpecial has what annex F of the C standard says of zeros, infinities and what functions aren't defined for.
func TestSpecial(t *testing.T) {
	for _, c := range []struct {
		name    string
		fn      func(x float64) float64
		in, out []float64
	}{
		{"exp", Exp, []float64{0, neg, inf, -inf, 709.7, 709.79, -745.14}, []float64{1, 1, inf, 0, 1.6549840276802644e+308, inf, 0}},
		{"exp2", Exp2, []float64{0, neg, inf, -inf, 1023, 1024, -1074, -1075, -1076, 3}, []float64{1, 1, inf, 0, 0x1p1023, inf, 5e-324, 0, 0, 8}},
		{"expm1", Expm1, []float64{0, neg, inf, -inf, -1000, 1000}, []float64{0, neg, inf, -1, -1, inf}},
		{"log", Log, []float64{0, neg, 1, inf, -inf, -1, 5e-324}, []float64{-inf, -inf, 0, inf, nan, nan, -744.4400719213812}},
		{"log2", Log2, []float64{0, neg, 1, inf, -inf, -1, 5e-324, 8, 1.0000000000000002}, []float64{-inf, -inf, 0, inf, nan, nan, -1074, 3, 3.203426503814917e-16}},
		{"log10", Log10, []float64{0, neg, 1, inf, -inf, -1, 1000, 1e22}, []float64{-inf, -inf, 0, inf, nan, nan, 3, 22}},
		{"log1p", Log1p, []float64{0, neg, -1, inf, -inf, -2}, []float64{0, neg, -inf, inf, nan, nan}},
		{"sin", Sin, []float64{0, neg, inf, -inf, math.Pi}, []float64{0, neg, nan, nan, 1.2246467991473532e-16}},
		{"cos", Cos, []float64{0, neg, inf, -inf}, []float64{1, 1, nan, nan}},
		{"tan", Tan, []float64{0, neg, inf, -inf}, []float64{0, neg, nan, nan}},
		{"sinh", Sinh, []float64{0, neg, inf, -inf, 710.4}, []float64{0, neg, inf, -inf, 1.6663642832806496e+308}},
		{"cosh", Cosh, []float64{0, neg, inf, -inf, 711}, []float64{1, 1, inf, inf, inf}},
		{"tanh", Tanh, []float64{0, neg, inf, -inf, 1000}, []float64{0, neg, 1, -1, 1}},
		{"asin", Asin, []float64{0, neg, 1, -1, 1.5, inf}, []float64{0, neg, math.Pi / 2, -math.Pi / 2, nan, nan}},
		{"acos", Acos, []float64{1, -1, 0, 1.5, inf}, []float64{0, math.Pi, math.Pi / 2, nan, nan}},
		{"atan", Atan, []float64{0, neg, inf, -inf}, []float64{0, neg, math.Pi / 2, -math.Pi / 2}},
		{"asinh", Asinh, []float64{0, neg, inf, -inf}, []float64{0, neg, inf, -inf}},
		{"acosh", Acosh, []float64{1, 0.5, inf, -inf}, []float64{0, nan, inf, nan}},
		{"atanh", Atanh, []float64{0, neg, 1, -1, 2}, []float64{0, neg, inf, -inf, nan}},
		{"cbrt", Cbrt, []float64{0, neg, inf, -inf, 27, -8}, []float64{0, neg, inf, -inf, 3, -2}},
		{"erf", Erf, []float64{0, neg, inf, -inf}, []float64{0, neg, 1, -1}},
		{"erfc", Erfc, []float64{0, inf, -inf, 28.5, -8}, []float64{1, 0, 2, 0, 2}},
		{"pow to 1.5", func(x float64) float64 { return Pow(x, 1.5) }, []float64{0, neg, inf, -inf, -4, 4}, []float64{0, 0, inf, inf, nan, 8}},
		{"pow to -1.5", func(x float64) float64 { return Pow(x, -1.5) }, []float64{0, neg, inf, -inf}, []float64{inf, inf, 0, 0}},
		{"pow to -3", func(x float64) float64 { return Pow(x, -3) }, []float64{0, neg, inf, -inf}, []float64{inf, -inf, 0, neg}},
		{"rsqrt", Rsqrt, []float64{0, neg, inf, -1, 4}, []float64{inf, -inf, 0, nan, 0.5}},
	} {
		for i, x := range append(c.in, nan) {
			want := nan
			if i < len(c.out) {
				want = c.out[i]
			}
			if got := c.fn(x); !same(got, want) {
				t.Errorf("%s(%v) is %v, not %v", c.name, x, got, want)
			}
		}
	}
}

// TestSpecialPowers has powers and angles of zeros and infinities.
func TestSpecialPowers(t *testing.T) {
	for _, c := range []struct{ x, y, want float64 }{
		{0, 0, 1}, {nan, 0, 1}, {1, nan, 1}, {1, inf, 1}, {-1, inf, 1}, {-1, -inf, 1}, {nan, 1, nan}, {2, nan, nan},
		{0, 3, 0}, {neg, 3, neg}, {neg, 2, 0}, {neg, 2.5, 0}, {0, -3, inf}, {neg, -3, -inf}, {neg, -2, inf}, {0, -inf, inf}, {neg, -inf, inf}, {0, inf, 0},
		{2, inf, inf}, {2, -inf, 0}, {0.5, inf, 0}, {0.5, -inf, inf}, {inf, 2.5, inf}, {inf, -2.5, 0}, {-inf, 3, -inf}, {-inf, 4, inf}, {-inf, -3, neg}, {-inf, -4, 0}, {-inf, 0.5, inf},
		{-8, 1.0 / 3, nan}, {-8, 3, -512}, {-2, -1, -0.5}, {-1, 0x1p53, 1}, {-1, 0x1p53 - 1, -1}, {-2, 1e300, inf}, {-2, -1e300, 0}, {2, 1e-300, 1}, {-5e-324, 3, neg}, {10, 308, 1e308},
		{1.0000001, 1e9, 2.6881038582144647e+43}, {3, 2, 9}, {8.385886227446542e-155, 2, 8.385886227446542e-155 * 8.385886227446542e-155},
	} {
		if got := Pow(c.x, c.y); !same(got, c.want) {
			t.Errorf("%v to the power of %v is %v, not %v", c.x, c.y, got, c.want)
		}
	}
	for _, c := range []struct{ y, x, want float64 }{
		{0, 0, 0}, {neg, 0, neg}, {0, neg, math.Pi}, {neg, neg, -math.Pi}, {1, 0, math.Pi / 2}, {-1, neg, -math.Pi / 2}, {0, -1, math.Pi}, {neg, 1, neg}, {inf, inf, math.Pi / 4}, {-inf, -inf, -3 * math.Pi / 4},
		{1, inf, 0}, {-1, -inf, -math.Pi}, {inf, 1, math.Pi / 2}, {nan, 1, nan}, {1, nan, nan}, {1e-300, -1e300, math.Pi}, {1e300, -1e-300, math.Pi / 2}, {5e-324, 2, 0}, {-5e-324, 1, -5e-324},
	} {
		if got := Atan2(c.y, c.x); !same(got, c.want) {
			t.Errorf("the angle of (%v, %v) is %v, not %v", c.x, c.y, got, c.want)
		}
	}
	for _, c := range []struct{ a, b, want float64 }{
		{0, neg, 0}, {3, -4, 5}, {inf, nan, inf}, {nan, 1, nan}, {5e-324, 0, 5e-324}, {5e-324, 5e-324, 5e-324}, {1e308, 1e308, 1.4142135623730951e308}, {math.MaxFloat64, math.MaxFloat64, inf},
	} {
		if got := Hypot(c.a, c.b); !same(got, c.want) {
			t.Errorf("hypot(%v, %v) is %v, not %v", c.a, c.b, got, c.want)
		}
	}
}

// TestTables computes the tables.
func TestTables(t *testing.T) {
	check := func(name string, i int, got dd, want *number) {
		t.Helper()
		high, _ := want.Float64()
		low, _ := minus(want, of(high)).Float64()
		if got.h != high || got.l != low {
			t.Errorf("%s[%d] is %x, not %x and %x", name, i, got, high, low)
		}
	}
	part := func(n int, of2 float64) *number { return of(float64(n) / of2) }
	for i, p := range powers {
		check("powers", i, p, bigExp(times(part(i, 128), bigLn2())))
	}
	for i, l := range logarithms {
		check("logarithms", i, l.logarithm, negated(bigLog(of(l.inverse))))
		low, width := 11.0/16+float64(i)/256, 1.0/256
		if i >= 80 {
			low, width = 1+float64(i-80)/128, 1.0/128
		}
		if math.Abs(low*l.inverse-1) > 0x1p-7 || math.Abs((low+width)*l.inverse-1) > 0x1p-7 {
			t.Errorf("logarithms[%d] is for other numbers than %v", i, low)
		}
	}
	for i, s := range sines {
		check("sines", i, s.sin, bigSin(part(i, 64), 0))
		check("cosines", i, s.cos, bigSin(part(i, 64), 1))
	}
	for i, a := range arctangents {
		check("arctangents", i, a, bigAtan(part(i, 64)))
	}
	for i, g := range gaussian {
		x := part(i*13, 32)
		check("gaussian", i, g, bigExp(negated(times(x, x))))
	}
	turns2 := at(1600).Quo(of(2), piOf1600)
	n, _ := at(1600).SetMantExp(turns2, 64*(len(turns)-1)).Int(nil)
	for i := len(turns) - 1; i >= 0; i-- {
		if got := new(big.Int).And(n, new(big.Int).SetUint64(math.MaxUint64)).Uint64(); got != turns[i] {
			t.Errorf("turns[%d] is %x, not %x", i, turns[i], got)
		}
		n.Rsh(n, 64)
	}
}
