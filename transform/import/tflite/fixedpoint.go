package tflite

import (
	"math"
	"math/bits"
)

// The functions in this file compute what the kernels of TensorFlow Lite prepare before an execution: multipliers in fixed
// point, and the tables of functions of elements of 8 bits, by the fixed-point arithmetic of gemmlowp.

// multiplier is a positive real number as m/2³¹·2^shift, where m is at least 2³⁰, or 0.
type multiplier struct {
	m     int64
	shift int
}

// quantizeMultiplier returns the multiplier that is nearest to a number.
func quantizeMultiplier(x float64) multiplier {
	if x == 0 {
		return multiplier{}
	}
	fraction, shift := math.Frexp(x)
	m := int64(math.Round(fraction * (1 << 31)))
	if m == 1<<31 {
		m, shift = m/2, shift+1
	}
	if shift < -31 {
		return multiplier{}
	}
	return multiplier{m, shift}
}

// apply returns the product of x and the multiplier, rounded twice: to a multiple of 2^-shift, and then to an integer.
func (q multiplier) apply(x int32) int32 {
	return roundingShift(highMul(x<<max(q.shift, 0), int32(q.m)), max(-q.shift, 0))
}

// highMul returns the upper half of twice the product, rounded.
func highMul(a, b int32) int32 {
	if a == math.MinInt32 && b == math.MinInt32 {
		return math.MaxInt32
	}
	return int32((int64(a)*int64(b) + 1<<30) >> 31)
}

// roundingShift divides by a power of two, and rounds halves away from zero.
func roundingShift(x int32, by int) int32 {
	if by == 0 {
		return x
	}
	n := int64(x) + 1<<(by-1)
	if x < 0 {
		n--
	}
	return int32(n >> by)
}

// saturatingShift multiplies by a power of two, within the limits of the type.
func saturatingShift(x int32, by int) int32 {
	n := int64(x) << by
	return int32(min(max(n, math.MinInt32), math.MaxInt32))
}

// expOnNegative returns e^a for a ≤ 0 with the given number of integer bits, as a number without any.
func expOnNegative(a int32, integerBits int) int32 {
	if a == 0 {
		return math.MaxInt32
	}
	quarter := int32(1) << (31 - integerBits - 2)
	inQuarter := a&(quarter-1) - quarter
	result := expNearZero(saturatingShift(inQuarter, integerBits))
	rest := inQuarter - a
	// e to the powers -1/4, -1/2, -1, … -16, one for each bit of what is left.
	for i, factor := range [...]int32{1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242} {
		exponent := i - 2
		if integerBits > exponent && rest&(1<<(31-integerBits+exponent)) != 0 {
			result = highMul(result, factor)
		}
	}
	return result
}

// expNearZero returns e^a for -1/4 ≤ a < 0, by a polynomial around -1/8.
func expNearZero(a int32) int32 {
	const atMiddle, third = 1895147668, 715827883
	x := a + 1<<28
	x2 := highMul(x, x)
	x3 := highMul(x2, x)
	x4 := highMul(x2, x2)
	rest := roundingShift(highMul(roundingShift(x4, 2)+x3, third)+x2, 1)
	return atMiddle + highMul(atMiddle, x+rest)
}

// halfReciprocal returns 1/(1+a)·2 for 0 ≤ a ≤ 1, with two integer bits, by Newton's method.
func halfReciprocal(a int32) int32 {
	const c48over17, minus32over17 = 1515870810, -1010580540
	half := int32((int64(a) + math.MaxInt32 + 1) / 2)
	x := c48over17 + highMul(half, minus32over17)
	for range 3 {
		x += saturatingShift(highMul(x, 1<<29-highMul(half, x)), 2)
	}
	return x
}

// logistic returns 1/(1+e^-a) for a number with four integer bits, as one without any.
func logistic(a int32) int32 {
	if a == 0 {
		return 1 << 30
	}
	positive := saturatingShift(halfReciprocal(expOnNegative(-abs(a), 4)), 1)
	if a > 0 {
		return positive
	}
	return math.MaxInt32 - positive
}

// tanh returns the hyperbolic tangent of a number with four integer bits, as one without any.
func tanh(a int32) int32 {
	if a == 0 {
		return 0
	}
	// The exponent is twice the number, which has the same bits with one integer bit more.
	t := saturatingShift(halfReciprocal(expOnNegative(-abs(a), 5))-1<<29, 2)
	if a < 0 {
		return -t
	}
	return t
}

// inverseRoot returns 1/√x for a positive x, by Newton's method on a number with three integer bits.
func inverseRoot(x int32) multiplier {
	const sqrtHalf, three = 1518500250, 3
	if x <= 1 {
		return multiplier{math.MaxInt32, 0}
	}
	shift := 11
	for ; x >= 1<<29; x /= 4 {
		shift++
	}
	pairs := (bits.LeadingZeros32(uint32(x))-1)/2 - 1
	shift -= pairs
	in := x << (2 * pairs) >> 1
	half := roundingShift(in, 1)
	y := int32(1) << 28
	for range 5 {
		cube := saturatingShift(highMul(highMul(y, y), y), 2*three)
		y = saturatingShift(highMul(1<<28+1<<27, y)-highMul(half, cube), three)
	}
	y = highMul(y, sqrtHalf)
	if shift < 0 {
		return multiplier{int64(y << -shift), 0}
	}
	return multiplier{int64(y), -shift}
}

func abs(x int32) int32 { return max(x, -x) }

// inputRadius returns from where on a function of a scaled input doesn't change any more.
func inputRadius(integerBits, leftShift int) int32 {
	return int32(math.Floor(float64(int64(1)<<integerBits-1) * float64(int64(1)<<(31-integerBits)) / float64(int64(1)<<leftShift)))
}
