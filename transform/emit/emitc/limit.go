package emitc

import (
	"fmt"
	"math"
	"strings"

	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/ir"
)

// limit is the choice of the greater or lesser of a number and a constant, for which one comparison is enough: if it holds, the first of both is chosen, which NaN
// never is, and of zeros with different signs the one that counts.
type limit struct {
	sign          string
	first, second *ir.Value
}

// limitOf returns the choice that an operation is, if it is one with a constant.
func limitOf(op *ir.Op) *limit {
	var greater, number bool
	switch {
	case op.Is(arith.MaximumF):
		greater = true
	case op.Is(arith.MaxNumF):
		greater, number = true, true
	case op.Is(arith.MinNumF):
		number = true
	case !op.Is(arith.MinimumF):
		return nil
	}
	x, constant := arith.BinaryOp{Op: op}.LHS(), arith.BinaryOp{Op: op}.RHS()
	c, ok := constantFloat(constant)
	if !ok {
		x, constant = constant, x
		if c, ok = constantFloat(constant); !ok {
			return nil
		}
	}
	l := &limit{sign: "<", first: constant, second: x}
	if greater {
		l.sign = ">"
	}
	if number {
		l.first, l.second = x, constant
	}
	if c == 0 && math.Signbit(c) != (greater != number) {
		l.sign += "="
	}
	return l
}

// constantFloat returns the constant that a value is, if it is one that isn't NaN.
func constantFloat(v *ir.Value) (float64, bool) {
	t, ok := v.Type().(*ir.FloatType)
	if !ok || !isNative(t) {
		return 0, false
	}
	word, ok := exec.NumberOf(ir.ConstantOf(v))
	if !ok {
		return 0, false
	}
	bits, ok := word.(uint64)
	if !ok {
		return 0, false
	}
	x := exec.FloatOf(t, bits)
	return x, !math.IsNaN(x)
}

// chosen returns the name of what chooses the first of two vectors of floats where it is greater than the second one, or what else the sign says.
func (l *lanes) chosen(sign string) string {
	m, name := l.f.m, l.ctype+"_"+map[string]string{">": "greater", ">=": "not_less", "<": "lesser", "<=": "not_greater"}[sign]
	text := fmt.Sprintf(`
#ifdef __GNUC__
#define %[1]s(a, b) __extension__({ \
  %[2]s a_ = (a), b_ = (b); \
  %[3]s of_a_ = (%[3]s)(a_ %[4]s b_); \
  (%[2]s)(((%[3]s)a_ & of_a_) | ((%[3]s)b_ & ~of_a_)); })
#else
static %[2]s %[1]s(%[2]s a, %[2]s b) { int i; for (i = 0; i < %[5]s; i++) if (!(a.e[i] %[4]s b.e[i])) a.e[i] = b.e[i]; return a; }
#endif`, name, l.ctype, m.bitsType(l.width), sign, m.lanesText(l.width))
	if instruction := map[string]string{">": "max", "<": "min"}[sign]; instruction != "" && l.width == mostLanes {
		text = strings.NewReplacer("$NAME", name, "$WHICH", instruction, "$TYPE", l.ctype, "$OTHER", strings.TrimSpace(text)).Replace(`
#if defined(__GNUC__) && defined(__AVX512F__)
#include <immintrin.h>
#define $NAME(a, b) (($TYPE)_mm512_$WHICH_ps((__m512)(a), (__m512)(b)))
#elif defined(__GNUC__) && defined(__AVX2__)
#include <immintrin.h>
#define $NAME(a, b) (($TYPE)_mm256_$WHICH_ps((__m256)(a), (__m256)(b)))
#else
$OTHER
#endif`)
	}
	return m.helpers.define(name, text)
}

// limits returns numbers between which a float is, if it isn't NaN.
func limits(v *ir.Value) (low, high float64) {
	low, high = math.Inf(-1), math.Inf(1)
	op := v.DefiningOp()
	if op == nil {
		return low, high
	}
	l := limitOf(op)
	if l == nil {
		return low, high
	}
	x, constant := l.second, l.first
	c, ok := constantFloat(constant)
	if !ok {
		x, constant = constant, x
		c, _ = constantFloat(constant)
	}
	low, high = limits(x)
	if l.first != constant {
		// NaN isn't chosen, so that it may be the constant.
		low, high = min(low, c), max(high, c)
	}
	if op.Is(arith.MaximumF) || op.Is(arith.MaxNumF) {
		return max(low, c), max(high, c)
	}
	return min(low, c), min(high, c)
}

// staysWithin tells whether a float that is rounded towards zero fits in an integer of a width, if it isn't NaN.
func staysWithin(v *ir.Value, width int, signed bool) bool {
	low, high := limits(v)
	if signed {
		return low >= -math.Ldexp(1, width-1) && high < math.Ldexp(1, width-1)
	}
	return low > -1 && high < math.Ldexp(1, width)
}
