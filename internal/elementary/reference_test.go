package elementary

import (
	"math"
	"math/big"
)

// The functions of this file compute with numbers of many digits, by series.

type number = big.Float

const digits = 320 // in bits

func at(prec uint) *number       { return new(number).SetPrec(prec) }
func of(x float64) *number       { return at(digits).SetFloat64(x) }
func plus(a, b *number) *number  { return at(max(a.Prec(), b.Prec())).Add(a, b) }
func minus(a, b *number) *number { return at(max(a.Prec(), b.Prec())).Sub(a, b) }
func times(a, b *number) *number { return at(max(a.Prec(), b.Prec())).Mul(a, b) }
func over(a, b *number) *number  { return at(max(a.Prec(), b.Prec())).Quo(a, b) }
func root(a *number) *number     { return at(a.Prec()).Sqrt(a) }
func half(a *number, n int) *number {
	return at(a.Prec()).SetMantExp(a, -n)
}
func negated(a *number) *number { return at(a.Prec()).Neg(a) }

// series sums terms until they don't matter; next makes term i of term i-1.
func series(first *number, next func(i int64, term *number) *number) *number {
	s, term := at(first.Prec()).Set(first), first
	for i := int64(1); term.Sign() != 0 && term.MantExp(nil) > s.MantExp(nil)-int(first.Prec())-8; i++ {
		term = next(i, term)
		s.Add(s, term)
	}
	return s
}

func integer(n int64) *number { return at(digits).SetInt64(n) }

// bigExp halves x until it is small, and squares as often.
func bigExp(x *number) *number {
	const more = 2 * digits
	n := max(0, x.MantExp(nil)+16)
	if x.Sign() == 0 {
		n = 0
	}
	y := half(at(more).Set(x), n)
	e := series(at(more).SetInt64(1), func(i int64, t *number) *number { return over(times(t, y), integer(i)) })
	for range n {
		e = times(e, e)
	}
	return at(digits).Set(e)
}

// bigExpm1 is the series.
func bigExpm1(x *number) *number {
	if x.Sign() == 0 || x.MantExp(nil) > 0 {
		return minus(bigExp(x), of(1))
	}
	return series(x, func(i int64, t *number) *number { return over(times(t, x), integer(i+1)) })
}

// bigLog improves an approximation twice by Newton's method, whose digits double each time, after taking the power of two.
func bigLog(x *number) *number {
	m := at(2 * digits)
	k := x.MantExp(m)
	if d := minus(at(2*digits).Set(x), of(1)); d.Sign() == 0 || d.MantExp(nil) < -4 {
		return bigLog1p(d)
	}
	f, _ := m.Float64()
	l := at(2 * digits).SetFloat64(math.Log(f))
	for range 4 {
		l = plus(l, minus(over(m, bigExp(l)), of(1)))
	}
	return plus(l, times(at(digits).SetInt64(int64(k)), bigLn2()))
}

// bigLog1p is 2 atanh(x/(2+x)).
func bigLog1p(x *number) *number {
	if x.Sign() != 0 && x.MantExp(nil) > -3 {
		return bigLog(plus(x, of(1)))
	}
	y := over(x, plus(x, of(2)))
	return times(of(2), bigAtanh(y))
}

func bigAtanh(y *number) *number {
	square, power := times(y, y), y
	if y.Sign() == 0 {
		return y
	}
	return series(y, func(i int64, _ *number) *number {
		power = times(power, square)
		return over(power, integer(2*i+1))
	})
}

func bigLn2() *number { return times(of(2), bigAtanh(over(of(1), of(3)))) }

// bigPi is Machin's formula.
func bigPi(prec uint) *number {
	inverse := func(n int64) *number {
		x := at(prec).Quo(of(1), at(prec).SetInt64(n))
		square, power := times(x, x), x
		return series(x, func(i int64, _ *number) *number {
			power = negated(times(power, square))
			return at(prec).Quo(power, integer(2*i+1))
		})
	}
	return times(of(4), minus(times(of(4), inverse(5)), inverse(239)))
}

var piOf1600 = bigPi(1600)

// bigSin is the sine of x and n quarters of a turn.
func bigSin(x *number, n int64) *number {
	quarter := half(piOf1600, 1)
	turns := over(x, quarter)
	k, _ := plus(turns, at(1600).SetFloat64(math.Copysign(0.5, float64(x.Sign())))).Int(nil)
	r := at(digits).Sub(at(1600).Set(x), times(quarter, at(1600).SetInt(k)))
	n += new(big.Int).And(k, big.NewInt(3)).Int64()
	if r.Sign() == 0 {
		if n&1 == 0 {
			return r
		}
	}
	square := negated(times(r, r))
	var s *number
	if n&1 == 0 {
		s = series(r, func(i int64, t *number) *number { return over(times(t, square), integer(2*i*(2*i+1))) })
	} else {
		s = series(of(1), func(i int64, t *number) *number { return over(times(t, square), integer(2*i*(2*i-1))) })
	}
	if n&2 != 0 {
		s = negated(s)
	}
	return s
}

// bigAtan halves the angle until it is small.
func bigAtan(x *number) *number {
	const n = 8
	for range n {
		x = over(x, plus(of(1), root(plus(of(1), times(x, x)))))
	}
	if x.Sign() == 0 {
		return x
	}
	square, power := times(x, x), x
	return half(series(x, func(i int64, _ *number) *number {
		power = negated(times(power, square))
		return over(power, integer(2*i+1))
	}), -n)
}

func bigAtan2(y, x *number) *number {
	p := at(digits).Set(piOf1600)
	switch {
	case x.Sign() == 0:
		return half(times(p, of(float64(y.Sign()))), 1)
	case x.Sign() > 0:
		return bigAtan(over(y, x))
	case y.Sign() >= 0:
		return plus(bigAtan(over(y, x)), p)
	}
	return minus(bigAtan(over(y, x)), p)
}

func bigSinh(x *number) *number {
	if x.Sign() < 0 {
		return negated(bigSinh(negated(x)))
	}
	e := bigExpm1(x)
	return half(plus(e, over(e, plus(e, of(1)))), 1)
}

func bigCosh(x *number) *number {
	e := bigExp(x)
	return half(plus(e, over(of(1), e)), 1)
}

func bigTanh(x *number) *number {
	e := bigExpm1(times(of(2), x))
	return over(e, plus(e, of(2)))
}

func bigAsinh(x *number) *number {
	if x.Sign() < 0 {
		return negated(bigAsinh(negated(x)))
	}
	s := times(x, x)
	return bigLog1p(plus(x, over(s, plus(of(1), root(plus(of(1), s))))))
}

// bigErf is the series, with digits for what its terms cancel.
func bigErf(x *number) *number {
	f, _ := x.Float64()
	prec := uint(digits + 64 + 3.2*f*f)
	x = at(prec).Set(x)
	square, power := negated(times(x, x)), x
	s := series(x, func(i int64, _ *number) *number {
		power = over(times(power, square), at(prec).SetInt64(i))
		return over(power, at(prec).SetInt64(2*i+1))
	})
	p := piOf1600
	if prec > 1600 {
		p = bigPi(prec)
	}
	return over(times(s, of(2)), root(at(prec).Set(p)))
}

// ulps tells how many units in its last place a number is from the exact one; infinite if that is too large by less than half a unit counts as right.
func ulps(got float64, exact *number) float64 {
	want, _ := exact.Float64()
	if math.IsInf(want, 0) || got == want && want == 0 {
		if got == want {
			return 0
		}
		return math.Inf(1)
	}
	if got != got || math.IsInf(got, 0) {
		return math.Inf(1)
	}
	_, e := math.Frexp(want)
	unit := of(math.Ldexp(1, max(e-53, -1074)))
	d, _ := over(minus(of(got), exact), unit).Float64()
	return math.Abs(d)
}
