package elementary

import "math"

// Erf returns the error function.
func Erf(x float64) float64 { return math.Erf(x) }

// errorStep is the step of a sum that takes the place of an integral. Its error is exp(-(π/h)^2), or 2^-86.
const errorStep = 13.0 / 32

// Erfc returns the complementary error function, by the sum of C. Chiarella and A. Reichel (On the evaluation of integrals related to the error function, Mathematics of
// Computation 22, 1968).
func Erfc(x float64) float64 {
	a := math.Abs(x)
	switch {
	case x != x:
		return x
	case x > 28:
		return 0
	case x < -7:
		return 2
	case a < 0.5:
		return 1 - Erf(x)
	}
	square := product(a, a)
	// The terms from this one on are less than a thousandth of the sum.
	const small = 7
	rest := 0.0
	for i := len(gaussian) - 1; i >= small; i-- {
		at := float64(i) * errorStep
		rest += gaussian[i].h / (square.h + at*at)
	}
	s := dd{1, 0}.div(square).plus(2 * rest)
	for i := 1; i < small; i++ {
		at := float64(i) * errorStep
		s = s.add(gaussian[i].scaled(2).div(square.plus(at * at)))
	}
	m, _, k := exponential(square.neg())
	s = s.mul(m).mul(dd{0x1.08d575933f2eap-3, 0x1.321cdff75a974p-58}.times(a)) // by h/π
	if a < 8 {
		// The pole of the integrand.
		s = s.scaled(powerOfTwo(k))
		k = 0
		n, _, e := exponential(dd{0x1.eeebf2ca2ada8p+3, -0x1.1a9a999bf8ebcp-51}.times(a)) // 2π/h
		s = s.sub(dd{2, 0}.div(n.scaled(powerOfTwo(e)).plus(-1)))
	}
	if x < 0 {
		return dd{2, 0}.sub(s.scaled(powerOfTwo(k))).h
	}
	return s.ldexp(k)
}
