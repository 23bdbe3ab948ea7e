package emitc

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"freehold/exec"
	"freehold/ir"
)

// literal returns a constant of a number type as an expression.
func (f *function) literal(op *ir.Op, t ir.Type, a ir.Attribute) string {
	v, ok := exec.NumberOf(a)
	if !ok {
		f.fail(op, "its value is not a number")
	}
	s, err := f.m.number(t, v)
	if err != nil {
		f.fail(op, "%v", err)
	}
	return s
}

// number returns a word (uint64) or object of a type, as package exec has it, as a constant expression.
func (m *module) number(t ir.Type, v any) (string, error) {
	switch t := t.(type) {
	case *ir.IndexType:
		if w, ok := v.(uint64); ok {
			return constant(int64(w)), nil
		}
	case *ir.IntegerType:
		switch v := v.(type) {
		case uint64:
			return integerLiteral(v, t.Width), nil
		case *big.Int:
			if v.Sign() < 0 || v.BitLen() > 128 || t.Width > 128 {
				break
			}
			lo, hi := halves(v)
			if hi == 0 {
				return fmt.Sprintf("%s%s)", wideLiteral, unsignedLiteral(lo)), nil
			}
			return fmt.Sprintf("%s%s << 64 | %s)", wideLiteral, unsignedLiteral(hi), unsignedLiteral(lo)), nil
		}
	case *ir.FloatType:
		w, ok := v.(uint64)
		if !ok {
			break
		}
		if !isNative(t) {
			return fmt.Sprintf("%#x", w), nil
		}
		x := exec.FloatOf(t, w)
		if !isFinite(x) {
			m.helpers.headers["math.h"] = true
		}
		if payload := unusualNaN(t, w); payload != 0 {
			return m.nanLiteral(t, payload, math.Signbit(x)), nil
		}
		return floatLiteral(t, x), nil
	case *ir.ComplexType:
		c, ok := v.(exec.Complex)
		if !ok {
			break
		}
		re, err := m.number(t.Elem, c.Re)
		if err != nil {
			return "", err
		}
		im, err := m.number(t.Elem, c.Im)
		return "{" + re + ", " + im + "}", err
	case *ir.VectorType:
		x, ok := v.(*exec.Tensor)
		if !ok {
			break
		}
		list, err := m.numbers(x)
		return "{{" + strings.Join(list, ", ") + "}}", err
	}
	return "", fmt.Errorf("there is no C constant of type '%s'", t)
}

// halves returns the lower and the upper 64 bits of a word or large integer, as package exec has them; 0 for what has no value.
func halves(v any) (lo, hi uint64) {
	switch v := v.(type) {
	case uint64:
		lo = v
	case *big.Int:
		lo = new(big.Int).And(v, new(big.Int).SetUint64(math.MaxUint64)).Uint64()
		hi = new(big.Int).Rsh(v, 64).Uint64()
	}
	return lo, hi
}

// numbers returns the elements of a tensor as constant expressions.
func (m *module) numbers(x *exec.Tensor) ([]string, error) {
	list := make([]string, x.Elements())
	for i := range list {
		v, ok := x.Element(int64(i))
		if !ok {
			v = uint64(0)
		}
		s, err := m.number(x.Elem.Type, v)
		if err != nil {
			return nil, err
		}
		list[i] = s
	}
	return list, nil
}

// mostNegative is down to which number an unsigned one is written as a negative one that is converted.
const mostNegative = -1 << 16

// integerLiteral returns the number that the bits of an integer type are, as an unsigned one.
func integerLiteral(v uint64, width int) string {
	switch n := signExtended(v, width); {
	case width != 32 && width != 64 || n >= 0:
	case n >= mostNegative:
		return fmt.Sprintf("(uint%d_t)%d", width, n)
	case width == 64 && n == math.MinInt32:
		return "(uint64_t)INT32_MIN"
	}
	return unsignedLiteral(v)
}

// signExtended returns the signed number that so many bits are.
func signExtended(v uint64, width int) int64 { return int64(v) << (64 - width) >> (64 - width) }

// literal returns the bits of an expression that integerLiteral wrote, and whether it is one.
func literal(e string) (uint64, bool) {
	for _, bits := range []int{32, 64} {
		if negative, ok := strings.CutPrefix(e, fmt.Sprintf("(uint%d_t)-", bits)); ok {
			n, err := strconv.ParseUint(negative, 10, 31)
			return -n << (64 - bits) >> (64 - bits), err == nil
		}
	}
	if e == "(uint64_t)INT32_MIN" {
		return 0xffffffff80000000, true
	}
	if inner, ok := strings.CutPrefix(e, "UINT64_C("); ok {
		e = strings.TrimSuffix(inner, ")")
	}
	n, err := strconv.ParseUint(strings.TrimSuffix(e, "u"), 0, 64)
	return n, err == nil
}

// wideLiteral is how a literal of more than 64 bits begins.
const wideLiteral = "((fh_u128)"

func unsignedLiteral(v uint64) string {
	switch {
	case v <= math.MaxInt32:
		return strconv.FormatUint(v, 10)
	case v <= math.MaxUint32:
		return strconv.FormatUint(v, 10) + "u"
	}
	return fmt.Sprintf("UINT64_C(%#x)", v)
}

// unusualNaN returns the bits behind the exponent of a NaN that NAN hasn't; 0 for other numbers.
func unusualNaN(t *ir.FloatType, w uint64) uint64 {
	payload := w & (1<<t.Format.MantBits - 1)
	if x := exec.FloatOf(t, w); x == x || payload == 1<<(t.Format.MantBits-1) {
		return 0
	}
	return payload
}

// nanLiteral returns a NaN with the bits of one that isn't the usual one, as far as the compiler knows how to write it.
func (m *module) nanLiteral(t *ir.FloatType, payload uint64, negative bool) string {
	quiet := uint64(1) << (t.Format.MantBits - 1)
	name := "FH_NAN"
	if payload&quiet == 0 {
		name = "FH_SIGNALING_NAN"
	}
	if t == ir.F32 {
		name += "F"
	}
	if m.helpers.written && !m.helpers.defined[name] {
		return floatLiteral(t, math.NaN()) // a part of a number or vector in a constant
	}
	builtin := strings.ToLower(strings.NewReplacer("FH_", "__builtin_", "SIGNALING_NAN", "nans").Replace(name))
	m.helpers.define(name, fmt.Sprintf("#if defined(__GNUC__)\n#define %s(bits) %s(#bits)\n#else\n#define %s(bits) NAN\n#endif", name, builtin, name))
	sign := ""
	if negative {
		sign = "-"
	}
	return fmt.Sprintf("%s%s(%#x)", sign, name, payload&^quiet)
}

// floatLiteral returns a number so that it is read as just that number.
func floatLiteral(t *ir.FloatType, x float64) string {
	switch {
	case x != x && math.Signbit(x):
		return "-NAN"
	case x != x:
		return "NAN"
	case math.IsInf(x, 1):
		return "INFINITY"
	case math.IsInf(x, -1):
		return "-INFINITY"
	}
	s := strconv.FormatFloat(x, 'g', -1, t.Width)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	if t == ir.F32 {
		s += "f"
	}
	return s
}
