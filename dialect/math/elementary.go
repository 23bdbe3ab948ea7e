package math

import gomath "math"

// Go's logarithm takes subnormal numbers for normal ones where it is written in
// assembly, and so do the functions that are made of it. They are computed from
// numbers that are larger by this factor.
const (
	liftBits = 54
	lift     = 1 << liftBits
	normal   = 0x1p-1022 // the least normal number
)

// log returns the natural logarithm.
func log(x float64) float64 {
	if x > 0 && x < normal {
		return gomath.Log(x*lift) - liftBits*gomath.Ln2
	}
	return gomath.Log(x)
}

// log10 returns the decimal logarithm.
func log10(x float64) float64 {
	if x > 0 && x < normal {
		return gomath.Log10(x*lift) - liftBits*(gomath.Ln2/gomath.Ln10)
	}
	return gomath.Log10(x)
}

// pow returns x to the power of y.
func pow(x, y float64) float64 {
	if y == 2 {
		return x * x // rounded once, also where there are few bits left
	}
	if a := gomath.Abs(x); a > 0 && a < normal && y != 0 {
		return gomath.Pow(x*lift, y) * gomath.Exp2(-liftBits*y)
	}
	return gomath.Pow(x, y)
}
