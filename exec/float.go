package exec

import (
	"math"

	"freehold/ir"
)

// The functions of this file return the scalar operations on numbers of a
// floating-point type of up to 64 bits. Narrow formats are computed with 64 bits
// and rounded, which for the four basic operations is the correctly rounded
// result.

// FloatUnary returns an operation on one number.
func FloatUnary(t *ir.FloatType, fn func(x float64) float64) Scalar {
	s := Scalar{F1: func(a uint64) uint64 { return FloatWord(t, fn(FloatOf(t, a))) }}
	switch t {
	case ir.F32:
		s.Run32 = func(dst []float32, args [][]float32) {
			for i, x := range args[0] {
				dst[i] = float32(fn(float64(x)))
			}
		}
	case ir.F64:
		s.Run64 = func(dst []float64, args [][]float64) {
			for i, x := range args[0] {
				dst[i] = fn(x)
			}
		}
	}
	return s
}

// FloatBinary returns an operation on two numbers.
func FloatBinary(t *ir.FloatType, fn func(x, y float64) float64) Scalar {
	s := Scalar{F2: func(a, b uint64) uint64 { return FloatWord(t, fn(FloatOf(t, a), FloatOf(t, b))) }}
	switch t {
	case ir.F32:
		s.Run32 = func(dst []float32, args [][]float32) {
			y := args[1]
			for i, x := range args[0] {
				dst[i] = float32(fn(float64(x), float64(y[i])))
			}
		}
	case ir.F64:
		s.Run64 = func(dst []float64, args [][]float64) {
			y := args[1]
			for i, x := range args[0] {
				dst[i] = fn(x, y[i])
			}
		}
	}
	return s
}

// FloatTernary returns an operation on three numbers.
func FloatTernary(t *ir.FloatType, fn func(x, y, z float64) float64) Scalar {
	return Scalar{F3: func(a, b, c uint64) uint64 {
		return FloatWord(t, fn(FloatOf(t, a), FloatOf(t, b), FloatOf(t, c)))
	}}
}

// FAdd returns addition.
func FAdd(t *ir.FloatType) Scalar {
	s := FloatBinary(t, func(x, y float64) float64 { return x + y })
	s.Fused = FusedAdd
	switch t {
	case ir.F32:
		s.Emit = func(d int, args []int) Step {
			a, b := args[0], args[1]
			return func(f *Frame) error {
				f.W[d] = wordOf32(wordTo32(f.W[a]) + wordTo32(f.W[b]))
				return nil
			}
		}
		s.Run32 = func(dst []float32, args [][]float32) { addRun(dst, args[0], args[1]) }
	case ir.F64:
		s.Emit = func(d int, args []int) Step {
			a, b := args[0], args[1]
			return func(f *Frame) error {
				f.W[d] = wordOf64(wordTo64(f.W[a]) + wordTo64(f.W[b]))
				return nil
			}
		}
		s.Run64 = func(dst []float64, args [][]float64) { addRun(dst, args[0], args[1]) }
	}
	return s
}

// FMul returns multiplication.
func FMul(t *ir.FloatType) Scalar {
	s := FloatBinary(t, func(x, y float64) float64 { return x * y })
	s.Fused = FusedMul
	switch t {
	case ir.F32:
		s.Emit = func(d int, args []int) Step {
			a, b := args[0], args[1]
			return func(f *Frame) error {
				f.W[d] = wordOf32(wordTo32(f.W[a]) * wordTo32(f.W[b]))
				return nil
			}
		}
		s.Run32 = func(dst []float32, args [][]float32) { mulRun(dst, args[0], args[1]) }
	case ir.F64:
		s.Emit = func(d int, args []int) Step {
			a, b := args[0], args[1]
			return func(f *Frame) error {
				f.W[d] = wordOf64(wordTo64(f.W[a]) * wordTo64(f.W[b]))
				return nil
			}
		}
		s.Run64 = func(dst []float64, args [][]float64) { mulRun(dst, args[0], args[1]) }
	}
	return s
}

// FSub returns subtraction.
func FSub(t *ir.FloatType) Scalar {
	s := FloatBinary(t, func(x, y float64) float64 { return x - y })
	s.Run32 = runOf(s.Run32, func(dst, x, y []float32) { subRun(dst, x, y) })
	s.Run64 = runOf(s.Run64, func(dst, x, y []float64) { subRun(dst, x, y) })
	return s
}

// FDiv returns division.
func FDiv(t *ir.FloatType) Scalar {
	s := FloatBinary(t, func(x, y float64) float64 { return x / y })
	s.Run32 = runOf(s.Run32, func(dst, x, y []float32) { divRun(dst, x, y) })
	s.Run64 = runOf(s.Run64, func(dst, x, y []float64) { divRun(dst, x, y) })
	return s
}

// FMaximum returns the greater number, or NaN if one is NaN.
func FMaximum(t *ir.FloatType) Scalar { return FloatBinary(t, math.Max) }

// FMinimum returns the lesser number, or NaN if one is NaN.
func FMinimum(t *ir.FloatType) Scalar { return FloatBinary(t, math.Min) }

// FMaxNum returns the greater number; of a number and NaN, the number.
func FMaxNum(t *ir.FloatType) Scalar { return FloatBinary(t, numeric(math.Max)) }

// FMinNum returns the lesser number; of a number and NaN, the number.
func FMinNum(t *ir.FloatType) Scalar { return FloatBinary(t, numeric(math.Min)) }

func numeric(fn func(x, y float64) float64) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		switch {
		case x != x:
			return y
		case y != y:
			return x
		}
		return fn(x, y)
	}
}

// FNeg returns the number with the opposite sign.
func FNeg(t *ir.FloatType) Scalar { return FloatUnary(t, func(x float64) float64 { return -x }) }

func runOf[F float32 | float64](old func([]F, [][]F), fn func(dst, x, y []F)) func([]F, [][]F) {
	if old == nil {
		return nil
	}
	return func(dst []F, args [][]F) { fn(dst, args[0], args[1]) }
}

func addRun[F float32 | float64](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

func subRun[F float32 | float64](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] - y[i]
	}
}

func mulRun[F float32 | float64](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}

func divRun[F float32 | float64](dst, x, y []F) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] / y[i]
	}
}

// FloatPredicate is a comparison of floating-point numbers: a set of the outcomes
// for which it holds.
type FloatPredicate uint8

// The outcomes of comparing two numbers, of which Unordered is that with a NaN.
const (
	FEqual FloatPredicate = 1 << iota
	FGreater
	FLess
	FUnordered
)

// FCompare returns a comparison.
func FCompare(t *ir.FloatType, p FloatPredicate) Scalar {
	return Scalar{F2: func(a, b uint64) uint64 {
		x, y := FloatOf(t, a), FloatOf(t, b)
		outcome := FUnordered
		switch {
		case x == y:
			outcome = FEqual
		case x > y:
			outcome = FGreater
		case x < y:
			outcome = FLess
		}
		return bit(p&outcome != 0)
	}}
}

// FConvert returns the conversion between floating-point types, to nearest.
func FConvert(from, to *ir.FloatType) Scalar {
	return Scalar{F1: func(a uint64) uint64 { return FloatWord(to, FloatOf(from, a)) }}
}

// IntToFloat returns the conversion of an integer, to nearest.
func IntToFloat(width int, to *ir.FloatType, isSigned bool) Scalar {
	if to == ir.F32 {
		if isSigned {
			return Scalar{F1: func(a uint64) uint64 { return wordOf32(float32(SignExtend(a, width))) }}
		}
		return Scalar{F1: func(a uint64) uint64 { return wordOf32(float32(a)) }}
	}
	if isSigned {
		return Scalar{F1: func(a uint64) uint64 { return FloatWord(to, float64(SignExtend(a, width))) }}
	}
	return Scalar{F1: func(a uint64) uint64 { return FloatWord(to, float64(a)) }}
}

// FloatToInt returns the conversion to an integer, towards zero. What doesn't fit
// is poison in the source language, and becomes the nearest number that fits
// here; NaN becomes 0.
func FloatToInt(from *ir.FloatType, width int, isSigned bool) Scalar {
	lo, hi := 0.0, math.Ldexp(1, width)
	if isSigned {
		lo, hi = -math.Ldexp(1, width-1), math.Ldexp(1, width-1)
	}
	return Scalar{F1: func(a uint64) uint64 {
		x := math.Trunc(FloatOf(from, a))
		switch {
		case x != x:
			return 0
		case x <= lo:
			if isSigned {
				return uint64(1) << (width - 1)
			}
			return 0
		case x >= hi:
			if isSigned {
				return uint64(1)<<(width-1) - 1
			}
			return Mask(^uint64(0), width)
		case x < 0:
			return Mask(uint64(int64(x)), width)
		}
		return Mask(uint64(x), width)
	}}
}
