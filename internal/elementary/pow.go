package elementary

import "math"

// parity tells whether a number is an integer, and whether an odd one.
func parity(y float64) (integer, odd bool) {
	if math.Abs(y) >= 0x1p53 {
		return true, false
	}
	n := int64(y)
	integer = float64(n) == y
	return integer, integer && n&1 != 0
}

// Pow returns x to the power of y.
func Pow(x, y float64) float64 {
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return math.NaN()
	case y == 1:
		return x
	case y == 2:
		return x * x // as C code has it
	}
	a := math.Abs(x)
	if math.IsInf(y, 0) {
		switch {
		case a == 1:
			return 1
		case (a > 1) == (y > 0):
			return math.Inf(1)
		}
		return 0
	}
	integer, odd := parity(y)
	sign := 1.0
	if odd && math.Signbit(x) {
		sign = -1
	}
	switch {
	case (a == 0) == (y > 0) && (a == 0 || a > math.MaxFloat64):
		return math.Copysign(0, sign)
	case a == 0 || a > math.MaxFloat64:
		return math.Copysign(math.Inf(1), sign)
	case x < 0 && !integer:
		return math.NaN()
	}
	log := logarithmOf(a)
	switch p := log.h * y; {
	case p > tooLarge:
		return sign * math.Inf(1)
	case p < tooSmall:
		return math.Copysign(0, sign)
	case math.Abs(p) < 0x1p-60:
		return sign
	}
	m, _, k := exponential(log.times(y))
	return sign * m.ldexp(k)
}

// Cbrt returns the cube root.
func Cbrt(x float64) float64 {
	a, by := math.Abs(x), 1.0
	switch {
	case a == 0 || !(a <= math.MaxFloat64):
		return x
	case a < 0x1p-900:
		a, by = a*0x1p300, 0x1p-100
	case a > 0x1p900:
		a, by = a*0x1p-300, 0x1p100
	}
	y := math.Cbrt(a)
	y2 := product(y, y)
	rest := y2.times(y).plus(-a)
	return math.Copysign((y-rest.h/(3*y2.h))*by, x)
}

// Rsqrt returns the inverse of the square root, rounded twice as C code does it.
func Rsqrt(x float64) float64 { return 1 / math.Sqrt(x) }

// hypot returns the root of the sum of the squares of finite numbers, not both 0, divided by 2^k.
func hypot(a, b float64) (h dd, k int) {
	a, b = math.Abs(a), math.Abs(b)
	if a < b {
		a, b = b, a
	}
	_, k = math.Frexp(a)
	a = math.Ldexp(a, -k)
	if b = math.Ldexp(b, -k); b < 0x1p-60 {
		return dd{a, b * b / (2 * a)}, k
	}
	return product(a, a).add(product(b, b)).root(), k
}

// Hypot returns the length of the hypotenuse of a right triangle with these legs.
func Hypot(a, b float64) float64 {
	switch {
	case math.IsInf(a, 0) || math.IsInf(b, 0):
		return math.Inf(1)
	case a != a || b != b:
		return math.NaN()
	case a == 0:
		return math.Abs(b)
	case b == 0:
		return math.Abs(a)
	}
	h, k := hypot(a, b)
	return h.ldexp(k)
}
