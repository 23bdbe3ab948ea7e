package emitc

import (
	"fmt"

	"freehold/ir"
)

// Floats of few bits that are as IEEE 754 has them, such as f16 and bf16, become floats and back without a branch, so that compilers convert several at a
// time. They have so few bits that a sum, product, quotient or root of two of them that is rounded to a float can be rounded once more
// without harm (S. Figueroa, When is double rounding innocuous?, ACM SIGNUM Newsletter 30(3), 1995).

// isHalf tells whether a type is of that kind.
func isHalf(t *ir.FloatType) bool {
	return !isNative(t) && t.Width <= 32 && t.Format.Special == ir.IEEE && t.Format.MantBits <= 10 && t.Format.Bias <= 127
}

// floatType returns the type in which arithmetic on numbers of a type is done.
func floatType(t *ir.FloatType) *ir.FloatType {
	switch {
	case isNative(t):
		return t
	case isHalf(t):
		return ir.F32
	}
	return ir.F64
}

// computed returns a number as one of the type in which arithmetic is done.
func (m *module) computed(t *ir.FloatType, e string) string {
	switch {
	case isNative(t):
		return factor(e)
	case isHalf(t):
		return m.half(t, "to_float") + "(" + e + ")"
	}
	return m.double(t, e)
}

// roundedComputed rounds a number of that type.
func (m *module) roundedComputed(t *ir.FloatType, e string) string {
	switch {
	case isNative(t):
		return e
	case isHalf(t):
		return m.half(t, "from_float") + "(" + e + ")"
	}
	return m.rounded(t, e)
}

// half returns the name of the function that converts numbers of such a type.
func (m *module) half(t *ir.FloatType, how string) string {
	name := "fh_" + identifier(t.String()) + "_" + how
	bits := fmt.Sprintf("%d, %d, %d", t.Format.ExpBits, t.Format.MantBits, t.Format.Bias)
	c := unsignedType(storageBits(t.Width))
	m.helper("fh_float_of")
	m.helper("fh_float_bits")
	switch how {
	case "to_float":
		m.helpers.define("fh_half_to_float", halfToFloat)
		return m.helpers.define(name, fmt.Sprintf("static inline float %s(%s x) { return fh_half_to_float(x, %s); }", name, c, bits))
	case "to_double":
		return m.helpers.define(name, fmt.Sprintf("static inline double %s(%s x) { return (double)%s(x); }", name, c, m.half(t, "to_float")))
	case "from_float":
		m.helpers.define("fh_float_to_half", floatToHalf)
		return m.helpers.define(name, fmt.Sprintf("static inline %s %s(float x) { return (%s)fh_float_to_half(x, %s); }", c, name, c, bits))
	}
	m.helpers.define("fh_odd_float", oddFloat, "math.h")
	return m.helpers.define(name, fmt.Sprintf("static inline %s %s(double x) { return %s(fh_odd_float(x)); }", c, name, m.half(t, "from_float")))
}

// halfVector returns the name of the function that loads several numbers of such a type as a vector of floats.
func (m *module) halfVector(t *ir.FloatType, vector string, n int64) string {
	name := fmt.Sprintf("fh_%s_x%d_load", identifier(t.String()), n)
	convert := m.half(t, "to_float")
	var each []string
	for i := range n {
		each = append(each, fmt.Sprintf("%s((p)[%d])", convert, i))
	}
	// A function that returns a vector would be called in different ways with and without some instructions, of which compilers warn.
	text := fmt.Sprintf(`#ifdef __GNUC__
#define %[2]s(p) ((%[1]s){%[6]s})
#else
static %[1]s %[2]s(const %[3]s *p) { %[1]s v; int i; for (i = 0; i < %[4]d; i++) v.e[i] = %[5]s(p[i]); return v; }
#endif`, vector, name, unsignedType(storageBits(t.Width)), n, convert, commas(each))
	if t == ir.F16 && n == 8 {
		text = fmt.Sprintf(`#if defined(__GNUC__) && defined(__F16C__)
#include <immintrin.h>
#define %s(p) ((%s)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(p))))
#else
%s
#endif`, name, vector, text)
	}
	return m.helpers.define(name, text)
}

// oneHalf returns the name of the function that converts a number of such a type where compilers wouldn't convert several at a time anyway: some processors
// have an instruction for f16.
func (m *module) oneHalf(t *ir.FloatType) string {
	plain := m.half(t, "to_float")
	if t != ir.F16 {
		return plain
	}
	return m.helpers.define("fh_f16_one", `#if defined(__GNUC__) && defined(__F16C__)
#include <immintrin.h>
#define fh_f16_one(x) _cvtsh_ss(x)
#else
#define fh_f16_one(x) `+plain+`(x)
#endif`)
}

// halfToFloat is the conversion to floats.
const halfToFloat = `
/* The value of a number with few bits. */
static inline float fh_half_to_float(uint32_t bits, int exponent_bits, int fraction_bits, int bias) {
  uint32_t size = bits & (((uint32_t)1 << (exponent_bits + fraction_bits)) - 1), sign = bits >> (exponent_bits + fraction_bits) << 31;
  uint32_t normal = (size << (23 - fraction_bits)) + ((uint32_t)(127 - bias) << 23);
  uint32_t infinite = (((uint32_t)1 << exponent_bits) - 1) << fraction_bits;
  uint32_t small = fh_float_bits((float)(int32_t)size * fh_float_of((uint32_t)(127 + 1 - bias - fraction_bits) << 23));
  if (bias == 127) return fh_float_of(bits << (31 - exponent_bits - fraction_bits));
  normal |= size >= infinite ? 0x7f800000 : 0;
  return fh_float_of((size >> fraction_bits ? normal : small) | sign);
}`

// floatToHalf is the conversion from floats.
const floatToHalf = `
/* The number with few bits that is next to a value, of two the even one. */
static inline uint32_t fh_float_to_half(float x, int exponent_bits, int fraction_bits, int bias) {
  uint32_t bits = fh_float_bits(x), size = bits & 0x7fffffff, sign = bits >> 31 << (exponent_bits + fraction_bits);
  uint32_t infinite = (((uint32_t)1 << exponent_bits) - 1) << fraction_bits, least = (uint32_t)(128 - bias) << 23;
  uint32_t last = size >> (23 - fraction_bits) & 1, drop = ((uint32_t)1 << (22 - fraction_bits)) - 1;
  uint32_t normal = (size + drop + last - ((uint32_t)(127 - bias) << 23)) >> (23 - fraction_bits);
  /* Below the least normal number, the sum with a power of two rounds at the last place. */
  uint32_t power = (uint32_t)(127 + 23 + 1 - bias - fraction_bits) << 23;
  uint32_t small = fh_float_bits(fh_float_of(size) + fh_float_of(power)) - power;
  uint32_t nan = infinite | (size >> (23 - fraction_bits) & (((uint32_t)1 << fraction_bits) - 1)) | (uint32_t)1 << (fraction_bits - 1);
  uint32_t near = bias == 127 || size >= least ? normal : small;
  near = near < infinite ? near : infinite;
  return (size > 0x7f800000 ? nan : near) | sign;
}`

// oddFloat is what doubles go through on their way to fewer bits.
const oddFloat = `
/* A double as a float that rounds to fewer bits as the double itself: an inexact one has an odd last bit. */
static inline float fh_odd_float(double x) {
  float near = (float)x;
  uint32_t bits = fh_float_bits(near), smaller = fabs((double)near) > fabs(x) ? bits - 1 : bits;
  return fh_float_of((double)near == x || x != x ? bits : smaller | 1);
}`
