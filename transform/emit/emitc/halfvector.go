package emitc

import (
	"fmt"
	"math"
	"strings"

	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/ir"
)

// halfVector returns the name of what loads numbers of such a type as a vector of floats ("load"), stores one ("store"), or rounds its elements to the type
// ("round").
func (m *module) halfVector(t *ir.FloatType, vector string, n int64, how string) string {
	name := vectorName(identifier(t.String()), n) + "_" + how
	c, count := unsignedType(storageBits(t.Width)), m.lanesText(n)
	convert := m.half(t, map[string]string{"load": "to_float", "store": "from_float", "round": "round"}[how])
	loop := "int i_; for (i_ = 0; i_ < " + count + "; i_++)"
	// A function that returns a vector would be called in different ways with and without some instructions, of which compilers warn.
	macro := map[string]string{
		"load":  fmt.Sprintf("%s(p) __extension__({ const %s *p_ = (p); %s v_ = {0}; %s v_[i_] = %s(p_[i_]); v_; })", name, c, vector, loop, convert),
		"store": fmt.Sprintf("%s(p, v) do { %s *p_ = (p); const %s v_ = (v); %s p_[i_] = %s(v_[i_]); } while (0)", name, c, vector, loop, convert),
		"round": fmt.Sprintf("%s(v) __extension__({ %s v_ = (v); %s v_[i_] = %s(v_[i_]); v_; })", name, vector, loop, convert),
	}
	function := map[string]string{
		"load":  "static %[1]s %[2]s(const %[3]s *p) { %[1]s v; int i; for (i = 0; i < %[4]s; i++) v.e[i] = %[5]s(p[i]); return v; }",
		"store": "static void %[2]s(%[3]s *p, %[1]s v) { int i; for (i = 0; i < %[4]s; i++) p[i] = %[5]s(v.e[i]); }",
		"round": "static %[1]s %[2]s(%[1]s v) { int i; for (i = 0; i < %[4]s; i++) v.e[i] = %[5]s(v.e[i]); return v; }",
	}
	text := fmt.Sprintf("#ifdef __GNUC__\n#define "+macro[how]+"\n#else\n"+function[how]+"\n#endif", vector, name, c, count, convert)
	switch t {
	case ir.F16:
		text = f16Instructions(name, vector, n, how, m.byBits(t, vector, n, how, text))
	case ir.BF16:
		text = m.byBits(t, vector, n, how, text)
		if n == mostLanes {
			text = bf16Instructions(name, vector, how, text)
		}
	}
	return m.helpers.define(name, text)
}

// gatheringLoad returns the name of what loads numbers of such a type that aren't beside each other as a vector of floats. Every second one is the lower half of 32 bits
// that are: the upper half of the last is left out, as there may be nothing.
func (m *module) gatheringLoad(t *ir.FloatType, load, stride string, l *lanes) string {
	vector := strings.TrimSuffix(load, "load")
	name, c, count := vector+"gather", unsignedType(storageBits(t.Width)), m.lanesText(l.width)
	each := fmt.Sprintf("const %s each_[] = {%s};", c, eachOf(l.width))
	if l.width == mostLanes {
		each = fmt.Sprintf("%[1]s each_[%[2]s]; int j_; for (j_ = 0; j_ < %[2]s; j_++) each_[j_] = p_[j_ * s_];", c, count)
	}
	text := fmt.Sprintf(`#ifdef __GNUC__
#define %[1]s(p, s) __extension__({ const %[2]s *p_ = (p); const %[3]s s_ = (s); %[4]s %[5]s(each_); })
#else
static %[6]s %[1]s(const %[2]s *p, %[3]s s) { %[2]s each[%[7]s]; int i; for (i = 0; i < %[7]s; i++) each[i] = p[i * s]; return %[5]s(each); }
#endif`, name, c, m.types.index(), each, load, l.ctype, count)
	m.helpers.define(name, "\n"+text)
	if stride != "2" || t != ir.F16 && t != ir.BF16 {
		return name
	}
	bits, last, has := 512, "0x7fffffff", "FH_LANES == 16"
	if l.width == 8 {
		bits, last, has = 256, "0x7fff", "defined(__AVX512VL__)"
	} else if l.width != mostLanes {
		return name
	}
	value := fmt.Sprintf("((%s)_mm%d_slli_epi32(_mm%d_maskz_loadu_epi16(%s, (const void *)(p)), 16))", l.ctype, bits, bits, last)
	if t == ir.F16 {
		value = fmt.Sprintf("((%s)_mm%d_cvtph_ps(_mm%d_cvtepi32_epi16(_mm%d_maskz_loadu_epi16(%s, (const void *)(p)))))", l.ctype, bits, bits, bits, last)
	}
	second := vector + "every_second"
	return m.helpers.define(second, fmt.Sprintf(`
#if defined(__GNUC__) && defined(__AVX512BW__) && %[1]s
#include <immintrin.h>
#define %[2]s(p, s) %[3]s
#else
#define %[2]s(p, s) %[4]s(p, s)
#endif`, has, second, value, name))
}

// eachOf returns the elements that are a stride from each other.
func eachOf(n int64) string {
	each := make([]string, n)
	for i := range each {
		each[i] = fmt.Sprintf("p_[%d * s_]", i)
	}
	return strings.Join(each, ", ")
}

// normalHalfVector is [module.halfVector] for floats that may be taken for 0 where they are below the least normal one, or of which none is: of bf16, the instruction needs no test then.
func (m *module) normalHalfVector(t *ir.FloatType, vector string, n int64, how string) string {
	checked := m.halfVector(t, vector, n, how)
	if t != ir.BF16 || n != mostLanes {
		return checked
	}
	instruction := map[string]string{
		"store": "$NAME(p, v) _mm256_storeu_si256((__m256i *)(void *)(p), (__m256i)_mm512_cvtneps_pbh((__m512)(v)))\n#else\n#define $NAME(p, v) $CHECKED(p, v)",
		"round": "$NAME(v) (($VECTOR)_mm512_slli_epi32(_mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh((__m512)(v))), 16))\n#else\n#define $NAME(v) $CHECKED(v)",
	}[how]
	return m.helpers.define(checked+"_normal", strings.NewReplacer("$NAME", checked+"_normal", "$CHECKED", checked, "$VECTOR", vector).Replace(
		"#if defined(FH_CONVERTS_VECTORS) && defined(__AVX512BF16__) && defined(__AVX512DQ__)\n#include <immintrin.h>\n#define "+instruction+"\n#endif"))
}

// addsNormal tells whether an operation adds to a number of bf16, or subtracts from or by one, a constant so large that the sum is 0 or a normal float, and that a number below the least normal
// one makes no difference to it.
func addsNormal(op *ir.Op) bool {
	if op == nil || !op.Is(arith.AddF) && !op.Is(arith.SubF) || op.Result(0).Type() != ir.Type(ir.BF16) {
		return false
	}
	for _, v := range op.Operands().Values() {
		word, ok := exec.NumberOf(ir.ConstantOf(v))
		bits, isWord := word.(uint64)
		if x := math.Abs(exec.FloatOf(ir.BF16, bits)); ok && isWord && x >= 0x1p-100 && x <= math.MaxFloat32 {
			return true
		}
	}
	return false
}

// isNormalOrZero tells whether the result of an operation is 0 or a normal number of bf16: a sum with a large constant, or an integer.
func isNormalOrZero(op *ir.Op) bool {
	return addsNormal(op) || op != nil && (op.Is(arith.SIToFP) || op.Is(arith.UIToFP))
}

// needsNoSubnormals tells whether a value of bf16 isn't below the least normal number, or may be taken for 0 then, as all that uses it adds a constant.
func needsNoSubnormals(v *ir.Value) bool {
	if isNormalOrZero(v.DefiningOp()) {
		return true
	}
	if v.Type() != ir.Type(ir.BF16) || !v.HasUses() {
		return false
	}
	for _, u := range v.Uses() {
		if !addsNormal(u.Owner()) {
			return false
		}
	}
	return true
}

// f16Instructions returns what converts several f16 by an instruction where there is one, and else by other text.
func f16Instructions(name, vector string, n int64, how, other string) string {
	instructions := map[string]string{
		"load":  "%[1]s(p) ((%[2]s)_mm%[3]d_cvtph_ps(_mm%[4]s_loadu_si%[5]d((const __m%[5]di *)(const void *)(p))))",
		"store": "%[1]s(p, v) _mm%[4]s_storeu_si%[5]d((__m%[5]di *)(void *)(p), _mm%[3]d_cvtps_ph((__m%[3]d)(v), 0))",
		"round": "%[1]s(v) ((%[2]s)_mm%[3]d_cvtph_ps(_mm%[3]d_cvtps_ph((__m%[3]d)(v), 0)))",
	}
	long := fmt.Sprintf("#define "+instructions[how]+"\n", name, vector, 512, "256", 256)
	short := fmt.Sprintf("#define "+instructions[how]+"\n", name, vector, 256, "", 128)
	switch n {
	case mostLanes:
		return "#if defined(__GNUC__) && defined(__AVX512F__)\n#include <immintrin.h>\n" + long + "#elif defined(__GNUC__) && defined(__F16C__) && defined(__AVX2__)\n#include <immintrin.h>\n" + short + "#else\n" + other + "\n#endif"
	case 8:
		return "#if defined(__GNUC__) && defined(__F16C__)\n#include <immintrin.h>\n" + short + "#else\n" + other + "\n#endif"
	}
	return other
}

// bf16Instructions returns what converts as many bf16 as there are in a long vector by instructions where there are some, and else by other text. The
// one that rounds takes floats below the least normal one for 0, so these are rounded by their bits.
func bf16Instructions(name, vector, how, other string) string {
	start, _, _ := strings.Cut(name, "_lanes")
	text := map[string]string{
		"load": `
#if defined(__GNUC__) && defined(__AVX512F__)
#include <immintrin.h>
#define $NAME(p) (($VECTOR)_mm512_slli_epi32(_mm512_cvtepu16_epi32(_mm256_loadu_si256((const __m256i *)(const void *)(p))), 16))
#elif defined(__GNUC__) && defined(__AVX2__)
#include <immintrin.h>
#define $NAME(p) (($VECTOR)_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)(p))), 16))
#else
$OTHER
#endif`,
		"store": `
#if defined(FH_CONVERTS_VECTORS) && defined(__AVX512BF16__) && defined(__AVX512DQ__)
#include <immintrin.h>
#define $NAME(p, v) do { \
  const $VECTOR n_ = (v); \
  void *to_ = (p); \
  if (__builtin_expect(_mm512_fpclass_ps_mask((__m512)n_, 0x20) != 0, 0)) *($SHORT_memory *)to_ = __builtin_convertvector($START_lanes_bits(n_), $SHORT); \
  else _mm256_storeu_si256((__m256i *)to_, (__m256i)_mm512_cvtneps_pbh((__m512)n_)); \
} while (0)
#else
$OTHER
#endif`,
		"round": `
#if defined(FH_CONVERTS_VECTORS) && defined(__AVX512BF16__) && defined(__AVX512DQ__)
#include <immintrin.h>
#define $NAME(v) __extension__({ \
  const $VECTOR n_ = (v); \
  $VECTOR rounded_; \
  if (__builtin_expect(_mm512_fpclass_ps_mask((__m512)n_, 0x20) != 0, 0)) rounded_ = $START_lanes_of_bits($START_lanes_bits(n_)); \
  else rounded_ = ($VECTOR)_mm512_slli_epi32(_mm512_cvtepu16_epi32((__m256i)_mm512_cvtneps_pbh((__m512)n_)), 16); \
  rounded_; })
#else
$OTHER
#endif`,
	}[how]
	return strings.NewReplacer("$NAME", name, "$VECTOR", vector, "$SHORT", vectorName("short", mostLanes), "$START", start, "$OTHER", other).Replace(text)
}

// byBits returns what converts several numbers by operations on vectors of their bits, where compilers have these, and else by other text.
func (m *module) byBits(t *ir.FloatType, vector string, n int64, how, other string) string {
	name, all := vectorName(identifier(t.String()), n), m.bitsType(n)
	short := m.helpers.define(vectorName("short", n), fmt.Sprintf(`
#if defined(__clang__) || __GNUC__ >= 9
#define FH_CONVERTS_VECTORS
typedef uint16_t %[1]s __attribute__((vector_size(2 * %[2]s)));
typedef uint16_t %[1]s_memory __attribute__((vector_size(2 * %[2]s), aligned(2), may_alias));
#endif`, vectorName("short", n), m.lanesText(n)))
	m.helpers.define(name+"_bits", strings.NewReplacer("NAME", name, "VECTOR", vector, "BITS", all).Replace(map[*ir.FloatType]string{ir.F16: f16Bits, ir.BF16: bf16Bits}[t]))
	macro := map[string]string{
		"load":  "%[1]s_load(p) %[1]s_of_bits(__builtin_convertvector(*(const %[2]s_memory *)(const void *)(p), %[3]s))",
		"store": "%[1]s_store(p, v) (*(%[2]s_memory *)(void *)(p) = __builtin_convertvector(%[1]s_bits(v), %[2]s))",
		"round": "%[1]s_round(v) %[1]s_of_bits(%[1]s_bits(v))",
	}
	return fmt.Sprintf("#ifdef FH_CONVERTS_VECTORS\n#define "+macro[how]+"\n#else\n%[4]s\n#endif", name, short, all, other)
}

// f16Bits and bf16Bits are the conversions between vectors of floats and of the bits of fewer, as [floatToF16] and [floatCut] do it for one.
const f16Bits = `
#define NAME_of_bits(h) __extension__({ \
  BITS h_ = (h), s_ = h_ & 0x7fff, normal_, small_, of_normal_; \
  small_ = (BITS)(__builtin_convertvector((BITS_signed)s_, VECTOR) * 0x1p-24f); \
  normal_ = ((s_ << 13) + 0x38000000) | ((BITS)((BITS_signed)s_ >= 0x7c00) & 0x7f800000); \
  of_normal_ = (BITS)((BITS_signed)s_ >= 0x400); \
  (VECTOR)((normal_ & of_normal_) | (small_ & ~of_normal_) | h_ >> 15 << 31); })
#define NAME_bits(v) __extension__({ \
  BITS b_ = (BITS)(v), s_ = b_ & 0x7fffffff, near_, small_, is_; \
  near_ = (s_ + 0xfff + (s_ >> 13 & 1) - 0x38000000) >> 13; \
  small_ = (BITS)((VECTOR)s_ + 0.5f) - 0x3f000000; \
  is_ = (BITS)((BITS_signed)s_ < 0x38800000); \
  near_ = (near_ & ~is_) | (small_ & is_); \
  is_ = (BITS)((BITS_signed)near_ < 0x7c00); \
  near_ = (near_ & is_) | (~is_ & 0x7c00); \
  is_ = (BITS)((BITS_signed)s_ > 0x7f800000); \
  (near_ & ~is_) | ((s_ >> 13 | 0x200) & is_ & 0x7fff) | (is_ & 0x7c00) | b_ >> 31 << 15; })`

const bf16Bits = `
#define NAME_of_bits(h) ((VECTOR)((h) << 16))
#define NAME_bits(v) __extension__({ \
  VECTOR v_ = (v); \
  BITS b_ = (BITS)v_, nan_ = (BITS)(v_ != v_), near_ = b_ + 0x7fff + (b_ >> 16 & 1); \
  ((near_ & ~nan_) | ((b_ | 0x400000) & nan_)) >> 16; })`

// bitsType returns the name of the type of the bits of several floats.
func (m *module) bitsType(n int64) string {
	return m.helpers.define(vectorName("bits", n), fmt.Sprintf(`
#ifdef __GNUC__
typedef uint32_t %[1]s __attribute__((vector_size(4 * %[2]s)));
typedef int32_t %[1]s_signed __attribute__((vector_size(4 * %[2]s)));
#endif`, vectorName("bits", n), m.lanesText(n)))
}
