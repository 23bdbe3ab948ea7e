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
		return factor(m.asComputed(t, e))
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
	switch how {
	case "to_double":
		return m.helpers.define(name, fmt.Sprintf("static inline double %s(%s x) { return (double)%s(x); }", name, c, m.half(t, "to_float")))
	case "from_double":
		return m.helpers.define(name, fmt.Sprintf("static inline %s %s(double x) { return %s(%s(x)); }", c, name, m.half(t, "from_float"), m.oddFloat()))
	case "round":
		if t == ir.F16 {
			m.half(t, "to_float")
			m.half(t, "from_float")
			return m.helpers.define(name, roundToF16)
		}
		return m.helpers.define(name, fmt.Sprintf("#define %s(x) %s(%s(x))", name, m.half(t, "to_float"), m.half(t, "from_float")))
	}
	if t == ir.F16 {
		return m.helpers.define(name, map[string]string{"to_float": f16ToFloat, "from_float": floatToF16}[how])
	}
	m.helper("fh_float_of")
	m.helper("fh_float_bits")
	switch drop := 23 - t.Format.MantBits; {
	case t.Format.Bias == 127 && how == "to_float":
		return m.helpers.define(name, fmt.Sprintf("static inline float %s(%s x) { return fh_float_of((uint32_t)x << %d); }", name, c, drop))
	case t.Format.Bias == 127:
		m.helpers.define("fh_float_cut", floatCut)
		return m.helpers.define(name, fmt.Sprintf("static inline %s %s(float x) { return (%s)fh_float_cut(x, %d); }", c, name, c, drop))
	case how == "to_float":
		m.helpers.define("fh_half_to_float", halfToFloat)
		return m.helpers.define(name, fmt.Sprintf("static inline float %s(%s x) { return fh_half_to_float(x, %s); }", name, c, bits))
	}
	m.helpers.define("fh_float_to_half", floatToHalf)
	return m.helpers.define(name, fmt.Sprintf("static inline %s %s(float x) { return (%s)fh_float_to_half(x, %s); }", c, name, c, bits))
}

// f16ToFloat and floatToF16 are the conversions of f16, by an instruction where there is one. They use no other function, and the instruction is a macro: what nothing
// uses in the end would be complained of.
const f16ToFloat = `
/* The value of an f16. */
#if defined(__GNUC__) && defined(__F16C__)
#include <immintrin.h>
#define fh_f16_to_float(x) _cvtsh_ss(x)
#else
static inline float fh_f16_to_float(uint16_t x) {
  union { uint32_t bits; float value; } normal, small;
  uint32_t size = x & 0x7fffu;
  small.value = (float)(int32_t)size * 0x1p-24f;
  normal.bits = ((size << 13) + 0x38000000u) | (size >= 0x7c00 ? 0x7f800000u : 0);
  normal.bits = (size >> 10 ? normal.bits : small.bits) | (uint32_t)(x >> 15) << 31;
  return normal.value;
}
#endif`

const floatToF16 = `
/* The f16 that is next to a value, of two the even one. */
#if defined(__GNUC__) && defined(__F16C__)
#include <immintrin.h>
#define fh_f16_from_float(x) (uint16_t)_cvtss_sh(x, 0)
#else
static inline uint16_t fh_f16_from_float(float x) {
  union { float value; uint32_t bits; } v, small;
  uint32_t size, sign, normal, nan, near;
  v.value = x;
  size = v.bits & 0x7fffffff;
  sign = v.bits >> 31 << 15;
  normal = (size + 0xfff + (size >> 13 & 1) - 0x38000000u) >> 13;
  nan = 0x7e00 | (size >> 13 & 0x3ff);
  /* Below the least normal number, the sum with a half rounds at the last place. */
  v.bits = size;
  small.value = v.value + 0.5f;
  near = size >= 0x38800000 ? normal : small.bits - 0x3f000000;
  near = near < 0x7c00 ? near : 0x7c00;
  return (uint16_t)((size > 0x7f800000 ? nan : near) | sign);
}
#endif`

// roundToF16 rounds a float to an f16 that is a float again. It stays in the registers of floats, so that sums don't wait for it to leave them and to come back.
const roundToF16 = `
#if defined(__GNUC__) && defined(__F16C__)
#define fh_f16_round(x) _mm_cvtss_f32(_mm_cvtph_ps(_mm_cvtps_ph(_mm_set_ss(x), 0)))
#else
#define fh_f16_round(x) fh_f16_to_float(fh_f16_from_float(x))
#endif`

// floatCut is the conversion from floats to types with as many bits for the exponent.
const floatCut = `
/* The upper bits of a float, rounded, of two the even ones. */
static inline uint32_t fh_float_cut(float x, int drop) {
  uint32_t bits = fh_float_bits(x), near = (bits + (((uint32_t)1 << (drop - 1)) - 1) + (bits >> drop & 1)) >> drop;
  return (bits & 0x7fffffff) > 0x7f800000 ? bits >> drop | (uint32_t)1 << (22 - drop) : near;
}`

// halfToFloat is the conversion to floats.
const halfToFloat = `
/* The value of a number with few bits. */
static inline float fh_half_to_float(uint32_t bits, int exponent_bits, int fraction_bits, int bias) {
  uint32_t size = bits & (((uint32_t)1 << (exponent_bits + fraction_bits)) - 1), sign = bits >> (exponent_bits + fraction_bits) << 31;
  uint32_t normal = (size << (23 - fraction_bits)) + ((uint32_t)(127 - bias) << 23);
  uint32_t infinite = (((uint32_t)1 << exponent_bits) - 1) << fraction_bits;
  uint32_t small = fh_float_bits((float)(int32_t)size * fh_float_of((uint32_t)(127 + 1 - bias - fraction_bits) << 23));
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
  uint32_t near = size >= least ? normal : small;
  near = near < infinite ? near : infinite;
  return (size > 0x7f800000 ? nan : near) | sign;
}`

// oddFloat returns the name of the function that doubles go through on their way to fewer bits.
func (m *module) oddFloat() string {
	m.helper("fh_float_of")
	m.helper("fh_float_bits")
	return m.helpers.define("fh_odd_float", oddText, "math.h")
}

// oddText is that function.
const oddText = `
/* A double as a float that rounds to fewer bits as the double itself: an inexact one has an odd last bit. */
static inline float fh_odd_float(double x) {
  float near = (float)x;
  uint32_t bits = fh_float_bits(near), exact = -(uint32_t)(((double)near == x) | (x != x));
  uint32_t odd = (bits - (uint32_t)(fabs((double)near) > fabs(x))) | 1;
  return fh_float_of((bits & exact) | (odd & ~exact));
}`
