package elementary

import "math"

// arctangent returns the angle whose tangent is t, from 0 to 1.
func arctangent(t dd) dd {
	i := int(t.h*64 + 0.5)
	u := t
	if i > 0 {
		c := float64(i) * (1.0 / 64)
		u = quickSum(t.h-c, t.l).div(t.times(c).plus(1))
	}
	square := u.h * u.h
	rest := u.l + u.h*square*(-1.0/3+square*(1.0/5+square*(-1.0/7+square*(1.0/9))))
	a := &arctangents[i]
	s := quickSum(a.h, u.h)
	return quickSum(s.h, s.l+(a.l+rest))
}

// angle returns the angle of a point whose coordinates aren't negative, nor both 0.
func angle(y, x dd) dd {
	if y.h <= x.h {
		return arctangent(y.div(x))
	}
	return halfPi.sub(arctangent(x.div(y)))
}

// Atan returns the angle between -π/2 and π/2 whose tangent is x.
func Atan(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-28 || x != x:
		return x
	case a > 0x1p60:
		return math.Copysign(halfPi.h, x)
	}
	return math.Copysign(angle(dd{a, 0}, dd{1, 0}).h, x)
}

// Atan2 returns the angle of the point (x, y).
func Atan2(y, x float64) float64 { return math.Copysign(atan2(math.Abs(y), x), y) }

// atan2 is Atan2 for y that isn't negative.
func atan2(y, x float64) float64 {
	a := math.Abs(x)
	left := math.Signbit(x)
	switch {
	case x != x || y != y:
		return math.NaN()
	case y == 0 || math.IsInf(x, 0) && !math.IsInf(y, 0):
		if left {
			return pi.h
		}
		return 0
	case a == 0 || math.IsInf(y, 0) && !math.IsInf(x, 0):
		return halfPi.h
	case math.IsInf(y, 0):
		if left {
			return 3 * math.Pi / 4
		}
		return math.Pi / 4
	}
	_, ey := math.Frexp(y)
	_, ex := math.Frexp(a)
	switch {
	case ey-ex > 100:
		return halfPi.h
	case ex-ey > 100 && left:
		return pi.h
	case ex-ey > 100:
		return y / a
	}
	k := -max(ex, ey)
	r := angle(dd{math.Ldexp(y, k), 0}, dd{math.Ldexp(a, k), 0})
	if left {
		r = pi.sub(r)
	}
	return r.h
}

// Asin returns the angle between -π/2 and π/2 whose sine is x.
func Asin(x float64) float64 {
	a := math.Abs(x)
	switch {
	case a < 0x1p-28 || x != x:
		return x
	case a > 1:
		return math.NaN()
	}
	return math.Copysign(angle(dd{a, 0}, other(a)).h, x)
}

// other returns the cosine of the angle whose sine is a, or the sine of that whose cosine it is.
func other(a float64) dd {
	if a == 1 {
		return dd{}
	}
	return sum(1, -a).mul(sum(1, a)).root()
}

// Acos returns the angle between 0 and π whose cosine is x.
func Acos(x float64) float64 {
	a := math.Abs(x)
	if !(a <= 1) {
		return math.NaN()
	}
	r := angle(other(a), dd{a, 0})
	if x < 0 {
		r = pi.sub(r)
	}
	return r.h
}
