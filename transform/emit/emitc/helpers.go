package emitc

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"freehold/ir"
)

// helperSet has the functions of ours that a program needs, in the order in which each comes after what it needs.
type helperSet struct {
	m       *module
	defined map[string]bool
	list    []helper
	// written tells that the file has them already.
	written bool
	// headers are the headers of C's library that are needed.
	headers map[string]bool
}

func newHelperSet(m *module) *helperSet {
	return &helperSet{m: m, defined: map[string]bool{}, headers: map[string]bool{}}
}

func (h *helperSet) has(name string) bool { return h.defined[name] }

// define adds a function, once, and returns its name.
func (h *helperSet) define(name, text string, headers ...string) string {
	for _, header := range headers {
		h.headers[header] = true
	}
	if !h.defined[name] {
		h.defined[name] = true
		h.list = append(h.list, helper{name, strings.TrimSpace(text) + "\n"})
	}
	return name
}

// helper is what one name is defined by.
type helper struct{ name, text string }

// guarded returns the text for a file that may be included beside others with the same helper.
func (x helper) guarded() string {
	guard := strings.ToUpper(x.name) + "_IS_DEFINED"
	return "#ifndef " + guard + "\n#define " + guard + "\n" + x.text + "#endif\n"
}

// dropUnused drops the functions that neither the program nor other helpers use: clang complains of them. What defines more than a function stays.
func (h *helperSet) dropUnused(program ...[]byte) {
	used := map[string]bool{}
	for _, text := range program {
		addHelperNames(used, text)
	}
	for i, x := range slices.Backward(h.list) { // what one needs comes before it
		if strings.Count(x.text, "static ") == 1 && !strings.Contains(x.text, "#") && !used[x.name] {
			h.list = slices.Delete(h.list, i, i+1)
			continue
		}
		addHelperNames(used, []byte(x.text))
	}
}

// addHelperNames adds the names in a text that are those of helpers.
func addHelperNames(names map[string]bool, text []byte) {
	for {
		i := bytes.Index(text, []byte("fh_"))
		if i < 0 {
			return
		}
		text = text[i:]
		end := bytes.IndexFunc(text, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		})
		if end < 0 {
			end = len(text)
		}
		names[string(text[:end])] = true
		text = text[end:]
	}
}

// fixed are the functions that are the same in all programs.
var fixed = map[string]struct {
	text    string
	headers []string
	needs   []string
}{
	"fh_alloc": {headers: []string{"stdlib.h", "string.h"}, text: `
/* Memory at an address that is a multiple of a power of two. What free needs is right before it. */
#ifdef FH_SANITIZE
extern int posix_memalign(void **memory, size_t alignment, size_t size);
#endif
#ifdef __GNUC__
__attribute__((noinline)) /* so that compilers don't follow what is never written */
#endif
static void *fh_alloc(size_t size, size_t alignment) {
#ifdef FH_SANITIZE
  void *exact;
  if (posix_memalign(&exact, alignment, size)) abort();
  return exact;
#else
  char *start = malloc(size + alignment + sizeof start);
  char *memory;
  if (!start) abort();
  memory = start + sizeof start;
  memory += (alignment - (uintptr_t)memory % alignment) % alignment;
  memcpy(memory - sizeof start, &start, sizeof start);
  return memory;
#endif
}`},
	"fh_free": {headers: []string{"stdlib.h", "string.h"}, text: `
static void fh_free(void *memory) {
#ifdef FH_SANITIZE
  free(memory);
#else
  char *start;
  if (!memory) return;
  memcpy(&start, (char *)memory - sizeof start, sizeof start);
  free(start);
#endif
}`},
	"fh_release": {headers: []string{"stdlib.h"}, text: `
/* Ends what was reserved by fh_reserve. */
static void fh_release(void *list) {
  while (list) {
    void *next = *(void **)list;
    free(list);
    list = next;
  }
}`},
	"fh_reserve": {headers: []string{"stdlib.h"}, text: `
/* Memory that lives until the end of a scope, which has a list of all of it. */
static void *fh_reserve(void **list, size_t size, size_t alignment) {
  char *start = malloc(size + alignment + sizeof(void *));
  if (!start) abort();
  *(void **)start = *list;
  *list = start;
  start += sizeof(void *);
  return start + (alignment - (uintptr_t)start % alignment) % alignment;
}`},
	"fh_float_bits": {headers: []string{"string.h"}, text: `
static inline uint32_t fh_float_bits(float x) {
  uint32_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}`},
	"fh_float_of": {headers: []string{"string.h"}, text: `
static inline float fh_float_of(uint32_t bits) {
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}`},
	"fh_double_bits": {headers: []string{"string.h"}, text: `
static inline uint64_t fh_double_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}`},
	"fh_double_of": {headers: []string{"string.h"}, text: `
static inline double fh_double_of(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}`},
	"fh_small_to_double": {headers: []string{"math.h"}, needs: []string{"fh_double_of"}, text: `
/* The value of a number with few bits. Special tells what has no exponent of infinity: 0 as IEEE has it, 1 only NaN with all bits set,
   2 NaN in place of -0, 3 neither, 4 powers of two. */
static inline double fh_small_to_double(uint64_t bits, int exponent_bits, int fraction_bits, int bias, int special) {
  uint64_t top = ((uint64_t)1 << exponent_bits) - 1;
  uint64_t exponent = bits >> fraction_bits & top, fraction = bits & (((uint64_t)1 << fraction_bits) - 1);
  uint64_t sign = special == 4 ? 0 : bits >> (exponent_bits + fraction_bits) & 1;
  double value;
  if (special == 4) return bits == top ? NAN : fh_double_of((bits + 1023 - (uint64_t)bias) << 52 ? (bits + 1023 - (uint64_t)bias) << 52 : (uint64_t)1 << 51);
  if (special == 0 && exponent == top) return fh_double_of(sign << 63 | (uint64_t)0x7ff << 52 | fraction << (52 - fraction_bits));
  if (special == 1 && exponent == top && fraction == ((uint64_t)1 << fraction_bits) - 1) return sign ? -NAN : NAN;
  if (special == 2 && sign && !exponent && !fraction) return NAN;
  if (exponent) return fh_double_of(sign << 63 | (exponent + 1023 - (uint64_t)bias) << 52 | fraction << (52 - fraction_bits));
  value = (double)fraction * fh_double_of((uint64_t)(1023 + 1 - bias - fraction_bits) << 52);
  return sign ? -value : value;
}`},
	"fh_small_from_double": {headers: []string{"math.h"}, needs: []string{"fh_double_bits"}, text: `
/* The number with few bits that is next to a value, of two the even one. */
static inline uint64_t fh_small_from_double(double x, int exponent_bits, int fraction_bits, int bias, int special) {
  uint64_t bits = fh_double_bits(x), top = ((uint64_t)1 << exponent_bits) - 1;
  uint64_t sign = special == 4 ? 0 : bits >> 63 << (exponent_bits + fraction_bits);
  uint64_t all = ((uint64_t)1 << (exponent_bits + fraction_bits)) - 1;
  uint64_t most = special == 0 ? (top << fraction_bits) - 1 : special == 1 ? all - 1 : all;
  uint64_t over = special == 0 ? sign | top << fraction_bits : special == 1 ? sign | all : special == 2 ? all + 1 : sign | most;
  uint64_t mantissa = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52, kept, rest, half;
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023 + bias, drop = 52 - fraction_bits;
  if (special == 4) {
    if (x != x || isinf(x)) return top;
    if (x == 0) return 0;
    if (mantissa >= (uint64_t)3 << 51) exponent++;
    return exponent < 0 ? 0 : (uint64_t)exponent >= top ? top : (uint64_t)exponent;
  }
  if (x != x) {
    if (special == 1) return sign | all;
    if (special == 2) return all + 1;
    if (special == 3) return all;
    return sign | top << fraction_bits | (bits & (((uint64_t)1 << 52) - 1)) >> (52 - fraction_bits) | (uint64_t)1 << (fraction_bits - 1);
  }
  if (isinf(x)) return over;
  if (x == 0) return special == 2 ? 0 : sign;
  if (exponent <= 0) {
    drop += 1 - exponent;
    exponent = 0;
  }
  if (drop > 54) drop = 54;
  kept = mantissa >> drop;
  rest = mantissa & (((uint64_t)1 << drop) - 1);
  half = (uint64_t)1 << drop >> 1;
  if (rest > half || (rest == half && kept & 1)) kept++;
  if (exponent) kept += (uint64_t)(exponent - 1) << fraction_bits;
  if (kept > most) return over;
  return kept == 0 && special == 2 ? 0 : sign | kept;
}`},
	"fh_odd_sum": {headers: []string{"math.h"}, needs: []string{"fh_double_bits", "fh_double_of"}, text: `
/* x+y so that rounding it once more is as rounding the exact sum: an inexact one has an odd last bit. */
static inline double fh_odd_sum(double x, double y) {
  double s = x + y, v, rest;
  uint64_t bits;
  if (isinf(s) || s != s) return s;
  v = s - x;
  rest = (x - (s - v)) + (y - v);
  bits = fh_double_bits(s);
  if (rest == 0 || bits & 1) return s;
  return fh_double_of((rest > 0) == (s > 0) ? bits + 1 : bits - 1);
}`},
	"fh_to_wide": {text: `
/* Towards zero, as an integer of 128 bits; 0 where that is not between the limits. */
static inline fh_u128 fh_to_wide(double x, double low, double high) {
  return x > low && x < high ? (x < 0 ? -(fh_u128)-x : (fh_u128)x) : 0;
}`},
	"fh_odd_unsigned_wide": {headers: []string{"math.h"}, needs: []string{"fh_odd_sum"}, text: `
/* A number of 128 bits as a double that rounds to narrower types as the number itself. */
static inline double fh_odd_unsigned_wide(fh_u128 a, int negative) {
  int shift = 0;
  double x;
  for (; a >> 64; shift++) a = a >> 1 | (a & 1);
  x = fh_odd_sum((double)((uint64_t)a & ~UINT64_C(0xffffffff)), (double)((uint64_t)a & UINT64_C(0xffffffff)));
  return ldexp(negative ? -x : x, shift);
}`},
	"fh_odd_wide": {needs: []string{"fh_odd_unsigned_wide"}, text: `
static inline double fh_odd_wide(fh_i128 a) { return fh_odd_unsigned_wide(a < 0 ? -(fh_u128)a : (fh_u128)a, a < 0); }`},
	"fh_high_half": {text: `
/* The upper 128 bits of a product. */
static fh_u128 fh_high_half(fh_u128 a, fh_u128 b) {
  fh_u128 a0 = (uint64_t)a, a1 = a >> 64, b0 = (uint64_t)b, b1 = b >> 64;
  fh_u128 low = a0 * b0, middle = a1 * b0 + (low >> 64), other = a0 * b1 + (uint64_t)middle;
  return a1 * b1 + (middle >> 64) + (other >> 64);
}`},
	"fh_signed_high_half": {needs: []string{"fh_high_half"}, text: `
static fh_u128 fh_signed_high_half(fh_u128 a, fh_u128 b) { return fh_high_half(a, b) - (a >> 127 ? b : 0) - (b >> 127 ? a : 0); }`},
	"fh_copy": {headers: []string{"string.h"}, text: `
/* Copies the elements of one memref of unknown rank to another one. */
static void fh_copy(fh_unranked from, fh_unranked to, size_t size) {
  int64_t at[sizeof from.sizes / sizeof *from.sizes] = {0}, count = 1, d;
  for (d = 0; d < from.rank; d++) count *= from.sizes[d];
  for (; count > 0; count--) {
    int64_t p = from.offset, q = to.offset;
    for (d = 0; d < from.rank; d++) {
      p += at[d] * from.strides[d];
      q += at[d] * to.strides[d];
    }
    memmove((char *)to.data + q * (int64_t)size, (const char *)from.data + p * (int64_t)size, size);
    for (d = from.rank - 1; d >= 0; d--) {
      if (++at[d] < from.sizes[d]) break;
      at[d] = 0;
    }
  }
}`},
	"fh_row_major": {text: `
/* A memref of unknown rank of the same sizes as another one, in other memory, without gaps. */
static fh_unranked fh_row_major(fh_unranked m, void *memory) {
  int64_t count = 1, d;
  m.allocated = m.data = memory;
  m.offset = 0;
  for (d = m.rank - 1; d >= 0; d--) {
    m.strides[d] = count;
    count *= m.sizes[d];
  }
  return m;
}`},
	"fh_count": {text: `
static int64_t fh_count(fh_unranked m) {
  int64_t count = 1, d;
  for (d = 0; d < m.rank; d++) count *= m.sizes[d];
  return count;
}`},
	"fh_apart": {headers: []string{"stddef.h"}, text: `
/* Tells whether two pieces of memory don't overlap. */
static inline int fh_apart(const void *a, size_t n, const void *b, size_t m) {
  return (uintptr_t)a + n <= (uintptr_t)b || (uintptr_t)b + m <= (uintptr_t)a;
}`},
	"fh_steps": {text: `
/* How far one number is from another one, by their bits, of which one is the sign. */
static uint64_t fh_steps(uint64_t a, uint64_t b, uint64_t sign) {
  uint64_t p = a & (sign - 1), q = b & (sign - 1);
  if ((a ^ b) & sign) return p + q;
  return p > q ? p - q : q - p;
}`},
	"fh_assert": {headers: []string{"stdlib.h"}, text: `
static void fh_assert(int holds) {
  if (!holds) abort();
}`},
}

// helper returns the name of a function that is the same in all programs, which is needed from now on.
func (m *module) helper(name string) string {
	x, ok := fixed[name]
	if !ok {
		panic("emitc: there is no helper " + name)
	}
	for _, n := range x.needs {
		m.helper(n)
	}
	return m.helpers.define(name, x.text, x.headers...)
}

// smallFloat returns the name of the function that converts numbers of a type with few bits.
func (m *module) smallFloat(t *ir.FloatType, how string) string {
	if isHalf(t) {
		return m.half(t, how)
	}
	name := "fh_" + identifier(t.String()) + "_" + how
	special := map[ir.FloatSpecial]int{ir.IEEE: 0, ir.FiniteNaNAllOnes: 1, ir.FiniteNaNNegZero: 2, ir.FiniteOnly: 3, ir.PowersOfTwo: 4}[t.Format.Special]
	bits := fmt.Sprintf("%d, %d, %d, %d", t.Format.ExpBits, t.Format.MantBits, t.Format.Bias, special)
	c := unsignedType(storageBits(t.Width))
	if how == "to_double" {
		m.helper("fh_small_to_double")
		return m.helpers.define(name, fmt.Sprintf("static inline double %s(%s x) { return fh_small_to_double(x, %s); }", name, c, bits))
	}
	m.helper("fh_small_from_double")
	return m.helpers.define(name, fmt.Sprintf("static inline %s %s(double x) { return (%s)fh_small_from_double(x, %s); }", c, name, c, bits))
}
