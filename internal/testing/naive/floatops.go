package naive

import (
	"math"
	"math/big"

	"freehold/internal/elementary"
	"freehold/ir"
)

// promised returns Undefined where the fast-math flags of an operation promise otherwise:
// no NaN (2), no infinity (4), in operands and result.
func promised(op *ir.Op, v Number, args []any) any {
	flags, ok := op.Attr("fastmath").(*ir.EnumAttr)
	if !ok {
		return v
	}
	for _, a := range append([]any{v}, args...) {
		x, ok := a.(Number)
		if ok && (x.NaN && flags.Value&noNaNs != 0 || x.Inf && flags.Value&noInfs != 0) {
			return Undefined{}
		}
	}
	return v
}

// The bits of arith.fastmath.
const noNaNs, noInfs = 2, 4

// onFloats is an operation whose exact result is rounded to the type.
func onFloats(fn func(args []Number) Number) integerFunction {
	return func(op *ir.Op, _ []ir.Type, out ir.Type, args []any) any {
		var xs []Number
		for _, a := range args {
			xs = append(xs, a.(Number))
		}
		return promised(op, round(float(out), fn(xs), nearestEven), args)
	}
}

func rounded(mode int) integerFunction {
	return onFloats(func(x []Number) Number {
		if x[0].NaN || x[0].Inf {
			return x[0]
		}
		return finite(x[0].Neg, new(big.Rat).SetInt(integral(x[0].Neg, x[0].Abs, mode)))
	})
}

// elementary64 computes with 64 bits.
func elementary64(fn func(x float64) float64) integerFunction {
	return onFloats(func(x []Number) Number { return fromDouble(fn(double(x[0]))) })
}

func elementaryPair(fn func(x, y float64) float64) integerFunction {
	return onFloats(func(x []Number) Number { return fromDouble(fn(double(x[0]), double(x[1]))) })
}

func toInteger(isSigned bool) integerFunction {
	return func(_ *ir.Op, _ []ir.Type, out ir.Type, args []any) any {
		x, w := args[0].(Number), width(out)
		if x.NaN || x.Inf {
			return Undefined{}
		}
		n := integral(x.Neg, x.Abs, towardZero)
		if x.Neg {
			n.Neg(n)
		}
		least, most := limits(w)
		if isSigned && (n.Cmp(least) < 0 || n.Cmp(most) > 0) || !isSigned && (n.Sign() < 0 || n.BitLen() > w) {
			return Undefined{}
		}
		return wrap(n, w)
	}
}

func fromInteger(isSigned bool) integerFunction {
	return func(_ *ir.Op, in []ir.Type, out ir.Type, args []any) any {
		v := args[0].(*big.Int)
		if isSigned {
			v = signed(v, width(in[0]))
		}
		return round(float(out), finite(v.Sign() < 0, new(big.Rat).SetInt(new(big.Int).Abs(v))), nearestEven)
	}
}

func convert(op *ir.Op, _ []ir.Type, out ir.Type, args []any) any {
	return promised(op, round(float(out), args[0].(Number), roundingOf(op)), args)
}

// roundingOf returns how a conversion rounds.
func roundingOf(op *ir.Op) int {
	mode := nearestEven
	switch a := op.Attr("roundingmode").(type) {
	case *ir.IntegerAttr:
		mode = int(a.Value)
	case *ir.EnumAttr:
		mode = int(a.Value)
	}
	return mode
}

func floatFunctions() map[string]integerFunction {
	return map[string]integerFunction{
		"arith.addf":     onFloats(func(x []Number) Number { return add(x[0], x[1]) }),
		"arith.subf":     onFloats(func(x []Number) Number { return add(x[0], negate(x[1])) }),
		"arith.mulf":     onFloats(func(x []Number) Number { return multiply(x[0], x[1]) }),
		"arith.divf":     onFloats(func(x []Number) Number { return divide(x[0], x[1]) }),
		"arith.remf":     onFloats(func(x []Number) Number { return remainder(x[0], x[1]) }),
		"arith.negf":     onFloats(func(x []Number) Number { return negate(x[0]) }),
		"arith.maximumf": onFloats(func(x []Number) Number { return extreme(x[0], x[1], 1, false) }),
		"arith.minimumf": onFloats(func(x []Number) Number { return extreme(x[0], x[1], -1, false) }),
		"arith.maxnumf":  onFloats(func(x []Number) Number { return extreme(x[0], x[1], 1, true) }),
		"arith.minnumf":  onFloats(func(x []Number) Number { return extreme(x[0], x[1], -1, true) }),
		"vector.fma":     onFloats(func(x []Number) Number { return add(multiply(x[0], x[1]), x[2]) }),
		"math.clampf":    onFloats(func(x []Number) Number { return extreme(extreme(x[0], x[2], -1, false), x[1], 1, false) }),
		"math.fma":       onFloats(func(x []Number) Number { return add(multiply(x[0], x[1]), x[2]) }),
		"arith.scaling_extf": func(op *ir.Op, _ []ir.Type, out ir.Type, args []any) any {
			t := float(out)
			x, scale := round(t, args[0].(Number), nearestEven), round(t, args[1].(Number), nearestEven)
			return promised(op, round(t, multiply(x, scale), nearestEven), args)
		},
		"arith.scaling_truncf": func(op *ir.Op, in []ir.Type, out ir.Type, args []any) any {
			t := float(in[0])
			scale := round(t, args[1].(Number), nearestEven)
			// Promises are about operands and result, not about what is between them.
			return promised(op, round(float(out), round(t, divide(args[0].(Number), scale), nearestEven), roundingOf(op)), args)
		},
		"arith.extf":   convert,
		"arith.truncf": convert,
		"arith.fptosi": toInteger(true),
		"arith.fptoui": toInteger(false),
		"arith.sitofp": fromInteger(true),
		"arith.uitofp": fromInteger(false),
		"arith.bitcast": func(_ *ir.Op, in []ir.Type, out ir.Type, args []any) any {
			if x, ok := args[0].(Number); ok && x.NaN {
				if _, ok := out.(*ir.FloatType); !ok {
					return AnyBits{} // of which NaN is not said
				}
			}
			return FromBits(out, Bits(in[0], args[0]))
		},
		"arith.cmpf": func(op *ir.Op, in []ir.Type, _ ir.Type, args []any) any {
			x, y := args[0].(Number), args[1].(Number)
			p := int64(0)
			switch e := op.Attr("predicate").(type) {
			case *ir.EnumAttr:
				p = int64(e.Value)
			case *ir.IntegerAttr:
				p = e.Value
			}
			if flags, ok := op.Attr("fastmath").(*ir.EnumAttr); ok && flags.Value&noNaNs != 0 && (x.NaN || y.NaN) {
				return Undefined{}
			}
			un := x.NaN || y.NaN
			c := 0
			if !un {
				c = x.compare(y)
			}
			ordered := []bool{false, c == 0, c > 0, c >= 0, c < 0, c <= 0, c != 0, true}
			if p < 8 {
				return truth(!un && ordered[p])
			}
			return truth(un || []bool{c == 0, c > 0, c >= 0, c < 0, c <= 0, c != 0, false, true}[p-8])
		},
	}
}

// AnyBits is a value that nothing is said about, such as the bits of NaN.
type AnyBits struct{}

// kind is an operation that tells whether a number is of a kind.
func kind(is func(t *ir.FloatType, x Number) bool) integerFunction {
	return func(_ *ir.Op, in []ir.Type, _ ir.Type, args []any) any {
		return truth(is(float(in[0]), args[0].(Number)))
	}
}

func mathFunctions() map[string]integerFunction {
	return map[string]integerFunction{
		"math.isfinite": kind(func(_ *ir.FloatType, x Number) bool { return !x.NaN && !x.Inf }),
		"math.isinf":    kind(func(_ *ir.FloatType, x Number) bool { return x.Inf }),
		"math.isnan":    kind(func(_ *ir.FloatType, x Number) bool { return x.NaN }),
		"math.isnormal": kind(func(t *ir.FloatType, x Number) bool {
			least := new(big.Rat).SetFloat64(math.Ldexp(1, 1-t.Format.Bias))
			return !x.NaN && !x.Inf && x.Abs.Cmp(least) >= 0
		}),
		"math.absf": onFloats(func(x []Number) Number { x[0].Neg = false; return x[0] }),
		"math.copysign": func(op *ir.Op, in []ir.Type, out ir.Type, args []any) any {
			if sign := args[1].(Number); sign.NaN && promised(op, sign, args) != any(Undefined{}) {
				return AnyBits{} // the sign of NaN isn't kept
			}
			return onFloats(func(x []Number) Number { x[0].Neg = x[1].Neg; return x[0] })(op, in, out, args)
		},
		"math.ceil":      rounded(upward),
		"math.floor":     rounded(downward),
		"math.trunc":     rounded(towardZero),
		"math.round":     rounded(nearestAway),
		"math.roundeven": rounded(nearestEven),
		"math.sqrt": func(op *ir.Op, _ []ir.Type, out ir.Type, args []any) any {
			return promised(op, root(float(out), args[0].(Number)), args)
		},
		"math.rsqrt": elementary64(elementary.Rsqrt),
		"math.acos":  elementary64(elementary.Acos),
		"math.acosh": elementary64(elementary.Acosh),
		"math.asin":  elementary64(elementary.Asin),
		"math.asinh": elementary64(elementary.Asinh),
		"math.atan":  elementary64(elementary.Atan),
		"math.atanh": elementary64(elementary.Atanh),
		"math.cbrt":  elementary64(elementary.Cbrt),
		"math.cos":   elementary64(elementary.Cos),
		"math.cosh":  elementary64(elementary.Cosh),
		"math.erf":   elementary64(elementary.Erf),
		"math.erfc":  elementary64(elementary.Erfc),
		"math.exp":   elementary64(elementary.Exp),
		"math.exp2":  elementary64(elementary.Exp2),
		"math.expm1": elementary64(elementary.Expm1),
		"math.log":   elementary64(elementary.Log),
		"math.log10": elementary64(elementary.Log10),
		"math.log1p": elementary64(elementary.Log1p),
		"math.log2":  elementary64(elementary.Log2),
		"math.sin":   elementary64(elementary.Sin),
		"math.sinh":  elementary64(elementary.Sinh),
		"math.tan":   elementary64(elementary.Tan),
		"math.tanh":  elementary64(elementary.Tanh),
		"math.atan2": elementaryPair(elementary.Atan2),
		"math.powf":  elementaryPair(elementary.Pow),
		"math.fpowi": func(op *ir.Op, in []ir.Type, out ir.Type, args []any) any {
			n, _ := new(big.Float).SetInt(signed(args[1].(*big.Int), width(in[1]))).Float64()
			return round(float(out), fromDouble(elementary.Pow(double(args[0].(Number)), n)), nearestEven)
		},
	}
}

func onComplex(fn func(t *ir.FloatType, args []Complex) any) integerFunction {
	return func(_ *ir.Op, in []ir.Type, _ ir.Type, args []any) any {
		var xs []Complex
		for _, a := range args {
			xs = append(xs, a.(Complex))
		}
		return fn(float(in[0].(*ir.ComplexType).Elem), xs)
	}
}

func parts(fn func(x, y Number) Number) integerFunction {
	return onComplex(func(t *ir.FloatType, x []Complex) any {
		return Complex{round(t, fn(x[0].Re.(Number), x[1].Re.(Number)), nearestEven), round(t, fn(x[0].Im.(Number), x[1].Im.(Number)), nearestEven)}
	})
}

func complexDouble(x Complex) complex128 {
	return complex(double(x.Re.(Number)), double(x.Im.(Number)))
}

func fromComplexDouble(t *ir.FloatType, v complex128) Complex {
	return Complex{round(t, fromDouble(real(v)), nearestEven), round(t, fromDouble(imag(v)), nearestEven)}
}

func complexElementary(fn func(x complex128) complex128) integerFunction {
	return onComplex(func(t *ir.FloatType, x []Complex) any { return fromComplexDouble(t, fn(complexDouble(x[0]))) })
}

func sameComplex(x, y Complex) bool {
	for _, p := range [][2]Number{{x.Re.(Number), y.Re.(Number)}, {x.Im.(Number), y.Im.(Number)}} {
		if p[0].NaN || p[1].NaN || p[0].compare(p[1]) != 0 {
			return false
		}
	}
	return true
}

func complexFunctions() map[string]integerFunction {
	return map[string]integerFunction{
		"complex.create": func(_ *ir.Op, _ []ir.Type, _ ir.Type, args []any) any { return Complex{args[0], args[1]} },
		"complex.re":     onComplex(func(_ *ir.FloatType, x []Complex) any { return x[0].Re }),
		"complex.im":     onComplex(func(_ *ir.FloatType, x []Complex) any { return x[0].Im }),
		"complex.add":    parts(add),
		"complex.sub":    parts(func(x, y Number) Number { return add(x, negate(y)) }),
		"complex.neg": onComplex(func(_ *ir.FloatType, x []Complex) any {
			return Complex{negate(x[0].Re.(Number)), negate(x[0].Im.(Number))}
		}),
		"complex.conj": onComplex(func(_ *ir.FloatType, x []Complex) any { return Complex{x[0].Re, negate(x[0].Im.(Number))} }),
		"complex.eq":   onComplex(func(_ *ir.FloatType, x []Complex) any { return truth(sameComplex(x[0], x[1])) }),
		"complex.neq":  onComplex(func(_ *ir.FloatType, x []Complex) any { return truth(!sameComplex(x[0], x[1])) }),
		"complex.mul": onComplex(func(t *ir.FloatType, x []Complex) any {
			a, b, c, d := x[0].Re.(Number), x[0].Im.(Number), x[1].Re.(Number), x[1].Im.(Number)
			for _, n := range []Number{a, b, c, d} {
				if n.NaN || n.Inf {
					return AnyBits{} // C's rules for these are left to tests of their own
				}
			}
			p := func(x, y Number) Number { return round(t, multiply(x, y), nearestEven) }
			return Complex{round(t, add(p(a, c), negate(p(b, d))), nearestEven), round(t, add(p(b, c), p(a, d)), nearestEven)}
		}),
		"complex.abs": onComplex(func(t *ir.FloatType, x []Complex) any {
			return round(t, fromDouble(elementary.Hypot(double(x[0].Re.(Number)), double(x[0].Im.(Number)))), nearestEven)
		}),
		"complex.angle": onComplex(func(t *ir.FloatType, x []Complex) any {
			return round(t, fromDouble(elementary.Atan2(double(x[0].Im.(Number)), double(x[0].Re.(Number)))), nearestEven)
		}),
		"complex.div": onComplex(func(t *ir.FloatType, x []Complex) any {
			return fromComplexDouble(t, elementary.CDiv(complexDouble(x[0]), complexDouble(x[1])))
		}),
		"complex.cos":  complexElementary(elementary.CCos),
		"complex.exp":  complexElementary(elementary.CExp),
		"complex.log":  complexElementary(elementary.CLog),
		"complex.sin":  complexElementary(elementary.CSin),
		"complex.sqrt": complexElementary(elementary.CSqrt),
		"complex.tan":  complexElementary(elementary.CTan),
		"complex.tanh": complexElementary(elementary.CTanh),
	}
}
