package math

import (
	gomath "math"
	"math/bits"

	"freehold/exec"
	"freehold/ir"
)

// elementwise returns how an operation computes an element. Elementary functions
// are computed with 64 bits and rounded.
func elementwise(op string) exec.ScalarModel {
	switch op {
	case "math.absf":
		return onFloat(gomath.Abs)
	case "math.acos":
		return onFloat(gomath.Acos)
	case "math.acosh":
		return onFloat(gomath.Acosh)
	case "math.asin":
		return onFloat(gomath.Asin)
	case "math.asinh":
		return onFloat(gomath.Asinh)
	case "math.atan":
		return onFloat(gomath.Atan)
	case "math.atanh":
		return onFloat(gomath.Atanh)
	case "math.cbrt":
		return onFloat(gomath.Cbrt)
	case "math.ceil":
		return onFloat(gomath.Ceil)
	case "math.cos":
		return onFloat(gomath.Cos)
	case "math.cosh":
		return onFloat(gomath.Cosh)
	case "math.erf":
		return onFloat(gomath.Erf)
	case "math.exp":
		return onFloat(gomath.Exp)
	case "math.exp2":
		return onFloat(gomath.Exp2)
	case "math.expm1":
		return onFloat(gomath.Expm1)
	case "math.floor":
		return onFloat(gomath.Floor)
	case "math.log":
		return onFloat(gomath.Log)
	case "math.log10":
		return onFloat(gomath.Log10)
	case "math.log1p":
		return onFloat(gomath.Log1p)
	case "math.log2":
		return onFloat(gomath.Log2)
	case "math.round":
		return onFloat(gomath.Round)
	case "math.roundeven":
		return onFloat(gomath.RoundToEven)
	case "math.rsqrt":
		return onFloat(func(x float64) float64 { return 1 / gomath.Sqrt(x) })
	case "math.sin":
		return onFloat(gomath.Sin)
	case "math.sinh":
		return onFloat(gomath.Sinh)
	case "math.sqrt":
		return onFloat(gomath.Sqrt)
	case "math.tan":
		return onFloat(gomath.Tan)
	case "math.tanh":
		return onFloat(gomath.Tanh)
	case "math.trunc":
		return onFloat(gomath.Trunc)
	case "math.atan2":
		return onFloats(gomath.Atan2)
	case "math.copysign":
		return onFloats(gomath.Copysign)
	case "math.powf":
		return onFloats(gomath.Pow)
	case "math.fma":
		return func(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
			t, ok := in[0].(*ir.FloatType)
			if !ok || t.Width > 64 {
				return exec.Scalar{}, false
			}
			return exec.FloatTernary(t, gomath.FMA), true
		}
	case "math.fpowi":
		return func(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
			t, ok := in[0].(*ir.FloatType)
			if !ok || !exec.IsWord(t) || !exec.IsWord(in[1]) {
				return exec.Scalar{}, false
			}
			w := exec.Width(in[1])
			return exec.Scalar{F2: func(a, b uint64) uint64 {
				return exec.FloatWord(t, gomath.Pow(exec.FloatOf(t, a), float64(exec.SignExtend(b, w))))
			}}, true
		}
	case "math.absi":
		return onInts(func(w int) exec.Scalar {
			return exec.Scalar{F1: func(a uint64) uint64 {
				if exec.SignExtend(a, w) < 0 {
					return exec.Mask(-a, w)
				}
				return a
			}}
		})
	case "math.ctlz":
		return onInts(func(w int) exec.Scalar {
			return exec.Scalar{F1: func(a uint64) uint64 { return uint64(bits.LeadingZeros64(a) - 64 + w) }}
		})
	case "math.cttz":
		return onInts(func(w int) exec.Scalar {
			return exec.Scalar{F1: func(a uint64) uint64 { return uint64(min(bits.TrailingZeros64(a), w)) }}
		})
	case "math.ctpop":
		return onInts(func(w int) exec.Scalar {
			return exec.Scalar{F1: func(a uint64) uint64 { return uint64(bits.OnesCount64(a)) }}
		})
	case "math.ipowi":
		return onInts(func(w int) exec.Scalar {
			return exec.Scalar{
				F2: func(a, b uint64) uint64 { return exec.Mask(power(a, b, w), w) },
				Check: func(a, b uint64) *exec.Fault {
					if a == 0 && exec.SignExtend(b, w) < 0 {
						return &exec.Fault{Kind: exec.DivisionByZero, Message: "zero is raised to a negative power"}
					}
					return nil
				},
			}
		})
	}
	return nil
}

// power returns a to the signed power b, modulo 2^w. A negative power of anything
// but 1 and -1 is 0.
func power(a, b uint64, w int) uint64 {
	if exec.SignExtend(b, w) < 0 {
		switch exec.SignExtend(a, w) {
		case 1:
			return 1
		case -1:
			if b&1 == 0 {
				return 1
			}
			return a
		}
		return 0
	}
	r := uint64(1)
	for ; b != 0; b >>= 1 {
		if b&1 == 1 {
			r *= a
		}
		a *= a
	}
	return r
}

func onFloat(fn func(float64) float64) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
		t, ok := in[0].(*ir.FloatType)
		if !ok || t.Width > 64 {
			return exec.Scalar{}, false
		}
		return exec.FloatUnary(t, fn), true
	}
}

func onFloats(fn func(x, y float64) float64) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
		t, ok := in[0].(*ir.FloatType)
		if !ok || t.Width > 64 {
			return exec.Scalar{}, false
		}
		return exec.FloatBinary(t, fn), true
	}
}

func onInts(fn func(width int) exec.Scalar) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
		return fn(exec.Width(in[0])), exec.IsWord(in[0])
	}
}
