package emitc

import (
	"fmt"
	gomath "math"
	"strconv"
	"strings"

	"freehold/dialect/math"
	"freehold/ir"
)

// Functions are polynomials of ours or those of C's library, of double precision, whose results are rounded to the type as package exec does with those of package elementary: the two
// may differ in the last place of a double, which numbers of fewer bits show only rarely.
func mathScalars() map[*ir.OpID]scalar {
	return map[*ir.OpID]scalar{
		math.Acos:      library("acos"),
		math.Acosh:     library("acosh"),
		math.Asin:      library("asin"),
		math.Asinh:     library("asinh"),
		math.Atan:      library("atan"),
		math.Atanh:     library("atanh"),
		math.Atan2:     library("atan2"),
		math.Cbrt:      library("cbrt"),
		math.Ceil:      library("ceil"),
		math.Cos:       approximated("cos"),
		math.Cosh:      library("cosh"),
		math.Erf:       approximated("erf"),
		math.Erfc:      library("erfc"),
		math.Exp:       approximated("exp"),
		math.Exp2:      approximated("exp2"),
		math.ExpM1:     library("expm1"),
		math.Floor:     library("floor"),
		math.Log:       approximated("log"),
		math.Log10:     library("log10"),
		math.Log1p:     library("log1p"),
		math.Log2:      approximated("log2"),
		math.PowF:      power,
		math.Round:     library("round"),
		math.RoundEven: library("rint"),
		math.Sin:       approximated("sin"),
		math.Sinh:      library("sinh"),
		math.Sqrt:      library("sqrt"),
		math.Tan:       library("tan"),
		math.Tanh:      approximated("tanh"),
		math.Trunc:     library("trunc"),
		math.Rsqrt:     rsqrt,
		math.AbsF:      absoluteFloat,
		math.CopySign:  copySign,
		math.Fma:       fusedMultiplyAdd,
		math.FPowI: func(x *element) string {
			t, m := x.float(x.in[0]), x.f.m
			if n, ok := number(x.args[1]); ok && x.multiplies(n) {
				return x.product(n)
			}
			m.helpers.headers["math.h"] = true
			m.library = true
			return m.rounded(t, "pow("+m.double(t, x.args[0])+", (double)"+m.signed(x.in[1], x.args[1])+")")
		},
		math.IsNaN:              classify(func(a string) string { return a + " != " + a }),
		math.IsInf:              classify(func(a string) string { return "fabs(" + a + ") == (double)INFINITY" }),
		math.IsFinite:           classify(func(a string) string { return "fabs(" + a + ") < (double)INFINITY" }),
		math.IsNormal:           isNormal,
		math.ClampF:             clamp,
		math.AbsI:               absoluteInt,
		math.CountLeadingZeros:  countBits("leading_zeros", "for (n = bits; a; n--) a >>= 1;"),
		math.CountTrailingZeros: countBits("trailing_zeros", "if (!a) return bits;\n  for (n = 0; !(a & 1); n++) a >>= 1;"),
		math.CtPop:              countBits("ones", "for (n = 0; a; n++) a &= a - 1;"),
		math.IPowI:              intPower,
	}
}

// mathEmitters has sine and cosine of a number.
func mathEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		math.SinCos: func(f *function, op *ir.Op) {
			for i, name := range []string{"sin", "cos"} {
				f.elementwiseResult(op, op.Result(i), approximated(name))
			}
		},
	}
}

// library returns a function of C's library.
func library(name string) scalar {
	exact := map[string]bool{"ceil": true, "floor": true, "round": true, "rint": true, "trunc": true, "sqrt": true}[name]
	return func(x *element) string {
		t, m := x.float(x.out), x.f.m
		m.helpers.headers["math.h"] = true
		m.library = m.library || !exact
		if exact && floatType(t) == ir.F32 {
			return m.roundedComputed(t, name+"f("+m.computed(t, x.args[0])+")")
		}
		e := name + "("
		for i, a := range x.args {
			if i > 0 {
				e += ", "
			}
			e += m.double(t, a)
		}
		return m.rounded(t, e+")")
	}
}

// power returns a power of numbers.
func power(x *element) string {
	n, err := strconv.ParseFloat(strings.TrimSuffix(x.args[1], "f"), 64)
	if err == nil && x.multiplies(int64(n)) && n == gomath.Trunc(n) {
		return x.product(int64(n))
	}
	return library("pow")(x)
}

// multiplies tells whether a power is the product of doubles to the bit: where that is exact or the only rounding before that to the type.
func (x *element) multiplies(n int64) bool {
	return n == 2 || n > 2 && n <= 4 && x.out != ir.Type(ir.F64)
}

// product returns a power with a small exponent.
func (x *element) product(n int64) string {
	t, m := x.float(x.out), x.f.m
	if isNative(t) && n == 2 {
		return factor(x.args[0]) + " * " + factor(x.args[0])
	}
	a := x.f.define("base", "double", m.double(t, x.args[0]))
	square := a + " * " + a
	switch n {
	case 3:
		square += " * " + a
	case 4:
		square += " * (" + square + ")"
	}
	return m.rounded(t, square)
}

func rsqrt(x *element) string {
	t, m := x.float(x.out), x.f.m
	m.helpers.headers["math.h"] = true
	return m.rounded(t, "(1.0 / sqrt("+m.double(t, x.args[0])+"))")
}

func absoluteFloat(x *element) string {
	t, m := x.float(x.out), x.f.m
	m.helpers.headers["math.h"] = true
	switch t {
	case ir.F32:
		return "fabsf(" + x.args[0] + ")"
	case ir.F64:
		return "fabs(" + x.args[0] + ")"
	}
	return m.rounded(t, "fabs("+m.double(t, x.args[0])+")")
}

func copySign(x *element) string {
	t, m := x.float(x.out), x.f.m
	m.helpers.headers["math.h"] = true
	if t == ir.F32 {
		return "copysignf(" + x.args[0] + ", " + x.args[1] + ")"
	}
	return m.rounded(t, "copysign("+m.double(t, x.args[0])+", "+m.double(t, x.args[1])+")")
}

// fusedMultiplyAdd rounds once. The product of numbers of up to 32 bits is exact as a double.
func fusedMultiplyAdd(x *element) string {
	t, m := x.float(x.out), x.f.m
	m.helpers.headers["math.h"] = true
	switch t {
	case ir.F64:
		return "fma(" + x.args[0] + ", " + x.args[1] + ", " + x.args[2] + ")"
	case ir.F32:
		return "fmaf(" + x.args[0] + ", " + x.args[1] + ", " + x.args[2] + ")"
	}
	return m.rounded(t, fmt.Sprintf("%s(%s * %s, %s)", m.helper("fh_odd_sum"), m.double(t, x.args[0]), m.double(t, x.args[1]), m.double(t, x.args[2])))
}

// classify returns a test of a number.
func classify(test func(a string) string) scalar {
	return func(x *element) string {
		t, m := x.float(x.in[0]), x.f.m
		m.helpers.headers["math.h"] = true
		return test(m.double(t, x.args[0]))
	}
}

// isNormal tells whether a number is neither infinite nor NaN, nor smaller than those that have all their bits.
func isNormal(x *element) string {
	t, m := x.float(x.in[0]), x.f.m
	m.helpers.headers["math.h"] = true
	least := floatLiteral(ir.F64, gomath.Ldexp(1, 1-t.Format.Bias))
	size := x.f.define("size", "double", "fabs("+m.double(t, x.args[0])+")")
	return size + " >= " + least + " && " + size + " < (double)INFINITY"
}

// clamp returns the number between two others that is nearest to a number, NaN if one of the three is.
func clamp(x *element) string {
	t := x.float(x.out)
	least := *x
	least.args = []string{x.args[0], x.args[2]}
	greatest := *x
	greatest.args = []string{x.f.define("lesser", x.f.ctype(x.op, t), floatExtreme("<", false)(&least)), x.args[1]}
	return floatExtreme(">", false)(&greatest)
}

func absoluteInt(x *element) string {
	m := x.f.m
	return m.wrapped(x.out, m.signed(x.out, x.args[0])+" < 0 ? 0 - "+m.wide(x.out, x.args[0])+" : "+m.wide(x.out, x.args[0]))
}

// forWidth returns the name of a function of ours for integers as wide as the result, and the C type in which it computes.
func (x *element) forWidth(name string) (fn, ctype string) {
	if x.f.m.width(x.out) > 64 {
		return name + "_wide", "fh_u128"
	}
	return name, "uint64_t"
}

// countBits returns a function that counts bits.
func countBits(name, how string) scalar {
	return func(x *element) string {
		m, w := x.f.m, x.f.m.width(x.out)
		fn, c := x.forWidth("fh_" + name)
		bits, width := "", ""
		if strings.Contains(how, "bits") {
			bits, width = ", unsigned bits", ", "+strconv.Itoa(w)
		}
		m.helpers.define(fn, fmt.Sprintf("static inline %[1]s %[2]s(%[1]s a%[4]s) {\n  %[1]s n;\n  %[3]s\n  return n;\n}", c, fn, how, bits))
		return m.wrapped(x.out, fmt.Sprintf("%s(%s%s)", fn, m.unsigned(x.out, x.args[0]), width))
	}
}

// intPower returns a power of integers. A negative power of anything but 1 and -1 is 0.
func intPower(x *element) string {
	m := x.f.m
	fn, c := x.forWidth("fh_power")
	m.helpers.define(fn, fmt.Sprintf(`
static inline %[1]s %[2]s(%[3]s a, %[3]s n) {
  %[1]s factor = (%[1]s)a, power = 1;
  if (n < 0) return a == 1 ? 1 : a == -1 ? (n & 1 ? (%[1]s)-1 : 1) : 0;
  for (; n; n >>= 1) {
    if (n & 1) power *= factor;
    factor *= factor;
  }
  return power;
}`, c, fn, map[string]string{"uint64_t": "int64_t", "fh_u128": "fh_i128"}[c]))
	return m.wrapped(x.out, fn+"("+m.signed(x.out, x.args[0])+", "+m.signed(x.out, x.args[1])+")")
}
