package elementary

import "math"

// dd is the unevaluated sum of two numbers, of which the second is at most half a unit in the last place of the first.
type dd struct{ h, l float64 }

// quickSum returns a+b, where |a| >= |b| or a is zero.
func quickSum(a, b float64) dd {
	s := a + b
	return dd{s, b - (s - a)}
}

// sum returns a+b.
func sum(a, b float64) dd {
	s := a + b
	t := s - a
	return dd{s, (a - (s - t)) + (b - t)}
}

// product returns a*b.
func product(a, b float64) dd {
	p := float64(a * b)
	return dd{p, math.FMA(a, b, -p)}
}

func (a dd) neg() dd { return dd{-a.h, -a.l} }

func (a dd) add(b dd) dd {
	s, t := sum(a.h, b.h), sum(a.l, b.l)
	s = quickSum(s.h, s.l+t.h)
	return quickSum(s.h, s.l+t.l)
}

func (a dd) sub(b dd) dd { return a.add(b.neg()) }

// plus returns a+b.
func (a dd) plus(b float64) dd {
	s := sum(a.h, b)
	return quickSum(s.h, s.l+a.l)
}

func (a dd) mul(b dd) dd {
	p := product(a.h, b.h)
	return quickSum(p.h, math.FMA(a.l, b.h, math.FMA(a.h, b.l, p.l)))
}

// times returns a*b.
func (a dd) times(b float64) dd {
	p := product(a.h, b)
	return quickSum(p.h, math.FMA(a.l, b, p.l))
}

func (a dd) div(b dd) dd {
	q := a.h / b.h
	r := math.FMA(-q, b.l, math.FMA(-q, b.h, a.h)+a.l)
	return quickSum(q, r/b.h)
}

// root returns the square root of a positive number.
func (a dd) root() dd {
	s := math.Sqrt(a.h)
	return quickSum(s, (math.FMA(-s, s, a.h)+a.l)/(2*s))
}

// scaled returns a times a power of two, where neither part becomes subnormal.
func (a dd) scaled(by float64) dd { return dd{a.h * by, a.l * by} }

// number returns the sum, rounded.
func (a dd) number() float64 { return a.h + a.l }

// powerOfTwo returns 2^k, which is a normal number.
func powerOfTwo(k int) float64 { return math.Float64frombits(uint64(k+1023) << 52) }

// ldexp returns a * 2^k, rounded once, where a is between 2^-20 and 4.
func (a dd) ldexp(k int) float64 {
	switch {
	case k > 1022:
		return a.number() * 0x1p1022 * powerOfTwo(min(k-1022, 1000))
	case k >= -1000:
		return a.number() * powerOfTwo(k)
	}
	e := int(math.Float64bits(a.h)>>52) - 1023
	a, k = a.scaled(powerOfTwo(-e)), max(k+e, -1080)
	if k >= -1022 && a.h >= 1 {
		return a.number() * powerOfTwo(k)
	}
	// A subnormal number is a multiple of 2^-1074, which is 2^(-1074-k) here. So is the unit in the last place of this:
	unit := powerOfTwo(52 - 1074 - k)
	s := quickSum(unit, a.h)
	return (s.h + (s.l + a.l) - unit) * powerOfTwo(k/2) * powerOfTwo(k-k/2)
}

// The constants of which functions are made, and their parts.
const (
	ln2High = 0x1.62e42fefa38p-1 // has 42 bits, so that its product with an exponent is exact
	ln2Low  = 0x1.ef35793c7673p-45
	ln2Last = 0x1.f97b57a079a19p-103
)

var (
	ln2       = dd{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56}
	inverse2  = dd{0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56} // 1/ln 2
	inverse10 = dd{0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57} // 1/ln 10
	third     = dd{0x1.5555555555555p-2, 0x1.5555555555555p-56}
	pi        = dd{0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53}
	halfPi    = dd{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}
)
