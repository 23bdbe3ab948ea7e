package emitc

import (
	"fmt"
	"math"
	"strings"

	"freehold/dialect/arith"
	"freehold/dialect/index"
	"freehold/exec"
	"freehold/ir"
)

func castScalars() map[*ir.OpID]scalar {
	return map[*ir.OpID]scalar{
		arith.ExtUI:       resize(false),
		arith.ExtSI:       resize(true),
		arith.TruncI:      resize(false),
		arith.IndexCast:   resize(true),
		arith.IndexCastUI: resize(false),
		index.CastS:       resize(true),
		index.CastU:       resize(false),
		arith.UIToFP:      toFloat(false),
		arith.SIToFP:      toFloat(true),
		arith.FPToUI:      toInt(false),
		arith.FPToSI:      toInt(true),
		arith.ExtF:        convertFloat,
		arith.TruncF:      convertFloat,
		arith.ScalingExtF: func(x *element) string {
			to := x.float(x.out)
			return x.scaled("*", to, x.converted(x.float(x.in[0]), to, exec.ToNearestEven, x.args[0]))
		},
		arith.ScalingTruncF: func(x *element) string {
			from := x.float(x.in[0])
			return x.converted(from, x.float(x.out), roundingOf(x.op), x.scaled("/", from, x.args[0]))
		},
		arith.Bitcast: func(x *element) string { return x.f.bits(x.op, x.in[0], x.out, x.args[0]) },
	}
}

// resize returns an integer of another width.
func resize(bySign bool) scalar {
	return func(x *element) string {
		m := x.f.m
		from, to := m.width(x.in[0]), m.width(x.out)
		switch {
		case to > from && bySign:
			return m.wrapped(x.out, m.signed(x.in[0], x.args[0]))
		case x.in[0] == ir.Type(ir.Index) || to < from:
			return m.wrapped(x.out, m.unsigned(x.in[0], x.args[0]))
		}
		return "(" + x.f.ctype(x.op, x.out) + ")" + factor(x.args[0])
	}
}

// toFloat returns an integer as a floating-point number, rounded once.
func toFloat(bySign bool) scalar {
	return func(x *element) string {
		m, t, w := x.f.m, x.float(x.out), x.f.m.width(x.in[0])
		a := m.unsigned(x.in[0], x.args[0])
		if bySign {
			a = m.signed(x.in[0], x.args[0])
		}
		switch {
		case isNative(t):
			return "(" + x.f.ctype(x.op, t) + ")" + factor(a)
		case isHalf(t) && w <= 64 && isExact(w, t):
			return m.roundedComputed(t, "(float)"+factor(a))
		case w <= 53:
			return m.rounded(t, "(double)"+factor(a))
		case w > 64 && bySign:
			return m.rounded(t, fmt.Sprintf("%s(%s)", m.helper("fh_odd_wide"), a))
		case w > 64:
			return m.rounded(t, fmt.Sprintf("%s(%s, 0)", m.helper("fh_odd_unsigned_wide"), a))
		}
		m.helper("fh_odd_sum")
		c, mask := "uint64_t", "~UINT64_C(0xffffffff)"
		if bySign {
			c, mask = "int64_t", "~INT64_C(0xffffffff)"
		}
		name := m.helpers.define("fh_odd_"+c, fmt.Sprintf(`/* A number as a double that rounds to narrower types as the number itself. */
static inline double fh_odd_%s(%s a) {
  %s high = a & %s;
  return fh_odd_sum((double)high, (double)(a - high));
}`, c, c, c, mask))
		return m.rounded(t, name+"("+a+")")
	}
}

// isExact tells whether an integer of a width is a float, or one that is infinite as a number of a type.
func isExact(w int, t *ir.FloatType) bool {
	const bits = 24 // that a float has
	return w <= bits || t.Format.Bias < bits
}

// toInt returns a number rounded towards zero, 0 if that doesn't fit.
func toInt(bySign bool) scalar {
	return func(x *element) string {
		m, t, w := x.f.m, x.float(x.in[0]), x.f.m.width(x.out)
		if e := x.args[0]; w <= 32 && bySign && isNative(t) && x.op.NumOperands() == 1 && staysWithin(x.op.Operand(0), w, true) {
			return m.wrapped(x.out, fmt.Sprintf("%[1]s == %[1]s ? (int32_t)%[1]s : 0", factor(e)))
		}
		if w > 64 {
			return m.wrapped(x.out, fmt.Sprintf("%s(%s, %s, %s)", m.helper("fh_to_wide"), m.double(t, x.args[0]), limitLiteral(wideLow(w, bySign)), limitLiteral(wideHigh(w, bySign))))
		}
		low, high := toIntLimits(floatType(t), w, bySign)
		// Integers of 32 bits are made of floats by an instruction that most processors have.
		bits := 64
		if w <= 31 || w == 32 && bySign {
			bits = 32
		}
		return m.wrapped(x.out, fmt.Sprintf("%s(%s, %s, %s)", m.fromFloat(floatType(t), bits, bySign || w < 64), m.computed(t, x.args[0]), floatLiteral(floatType(t), low), floatLiteral(floatType(t), high)))
	}
}

// toIntLimits returns the numbers between which those lie that an integer of a width can be, rounded towards zero: of f32 or f64, those that are nearest.
func toIntLimits(t *ir.FloatType, w int, bySign bool) (low, high float64) {
	low, high = -1, math.Ldexp(1, w)
	if bySign {
		low, high = -math.Ldexp(1, w-1)-1, math.Ldexp(1, w-1)
	}
	// One less than the least number may be none that there is.
	switch {
	case bySign && t == ir.F32 && w > 24:
		low = float64(math.Nextafter32(float32(-high), float32(math.Inf(-1))))
	case bySign && w > 53:
		low = math.Nextafter(-high, math.Inf(-1))
	}
	return low, high
}

// fromFloat returns the name of the function that rounds a number of f32 or f64 towards zero, to an integer of 32 or 64 bits.
func (m *module) fromFloat(t *ir.FloatType, bits int, signed bool) string {
	c := signedType(bits)
	if !signed {
		c = unsignedType(bits)
	}
	name := "fh_" + floatWord(t) + "_to_" + strings.TrimSuffix(c, "_t")
	return m.helpers.define(name, fmt.Sprintf(`
/* Towards zero; 0 where that is not between the limits. */
static inline %[1]s %[2]s(%[3]s x, %[3]s low, %[3]s high) { return x > low && x < high ? (%[1]s)x : 0; }`, c, name, floatWord(t)))
}

// wideLow and wideHigh are the numbers between which those lie that an integer of more than 64 bits can be, rounded towards zero.
func wideLow(w int, bySign bool) float64 {
	if !bySign {
		return -1
	}
	return math.Nextafter(-math.Ldexp(1, w-1), math.Inf(-1))
}

func wideHigh(w int, bySign bool) float64 {
	if bySign {
		w--
	}
	return math.Ldexp(1, w)
}

func limitLiteral(x float64) string { return floatLiteral(ir.F64, x) }

// convertFloat returns a number in another floating-point type.
func convertFloat(x *element) string {
	return x.converted(x.float(x.in[0]), x.float(x.out), roundingOf(x.op), x.args[0])
}

// roundingOf returns the rounding that a conversion asks for.
func roundingOf(op *ir.Op) exec.Rounding {
	switch a := op.Attr("roundingmode").(type) {
	case *ir.IntegerAttr:
		return exec.Rounding(a.Value)
	case *ir.EnumAttr:
		return exec.Rounding(a.Value)
	}
	return exec.ToNearestEven
}

// converted returns a number of one floating-point type in another one.
func (x *element) converted(from, to *ir.FloatType, r exec.Rounding, a string) string {
	m := x.f.m
	switch {
	case from == to:
		return a
	case r != exec.ToNearestEven && to != ir.F64:
		return m.roundedTowards(to, r) + "(" + m.double(from, a) + ")"
	}
	if floatType(from) == ir.F32 && (to == ir.F32 || isHalf(to)) {
		return m.roundedComputed(to, m.computed(from, a))
	}
	return m.rounded(to, m.double(from, a))
}

// scaled returns a number times or divided by the scale that is the second operand.
func (x *element) scaled(sign string, t *ir.FloatType, a string) string {
	scale := x.converted(x.float(x.in[1]), t, exec.ToNearestEven, x.args[1])
	return floatBinary(sign)(&element{f: x.f, op: x.op, in: []ir.Type{t, t}, out: t, args: []string{a, scale}})
}

// bits returns an expression of one type for the bits of a value of another one of the same width.
func (f *function) bits(op *ir.Op, from, to ir.Type, e string) string {
	a, fromFloat := from.(*ir.FloatType)
	b, toFloat := to.(*ir.FloatType)
	fromFloat, toFloat = fromFloat && isNative(a), toFloat && isNative(b)
	name := func(t *ir.FloatType) string {
		if t == ir.F32 {
			return "float"
		}
		return "double"
	}
	switch {
	case from == to || fromFloat && toFloat:
		return e
	case fromFloat:
		return f.m.helper("fh_"+name(a)+"_bits") + "(" + e + ")"
	case toFloat:
		return f.m.helper("fh_"+name(b)+"_of") + "(" + e + ")"
	case ir.IsVector(from) || ir.IsVector(to):
		f.fail(op, "it is not written for vectors of other elements")
	}
	if _, ok := from.(*ir.ComplexType); ok {
		f.fail(op, "it is not written for complex numbers")
	}
	return e
}
