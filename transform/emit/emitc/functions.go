package emitc

import (
	"slices"
	"strings"

	"freehold/ir"
)

// Functions of numbers of up to 32 bits are computed by polynomials of double precision, whose error is far below what rounding the result shows. Those without a
// branch compilers compute for several numbers at a time.

// polynomials are the functions that C's library isn't needed for, by the operations' names for them.
var polynomials = map[string]struct {
	text  string
	needs []string
}{
	"exp":  {needs: []string{"fh_exp_sum"}, text: expText},
	"exp2": {needs: []string{"fh_exp_sum"}, text: exp2Text},
	"tanh": {text: tanhText},
	"erf":  {text: erfText()},
	"log":  {needs: []string{"fh_log_parts"}, text: logText},
	"log2": {needs: []string{"fh_log_parts"}, text: log2Text},
	"sin":  {needs: []string{"fh_is_far", "fh_sine"}, text: sineText("sin", "0")},
	"cos":  {needs: []string{"fh_is_far", "fh_sine"}, text: sineText("cos", "1")},
}

// shared are the parts that several of them have in common.
var shared = map[string]string{"fh_exp_sum": expSum, "fh_log_parts": logParts(), "fh_sine": sinePart, "fh_is_far": farText}

// approximated returns a function of a number: by a polynomial where there is one, and else, as for all in double precision, that of C's library.
func approximated(name string) scalar {
	return func(x *element) string {
		t, m := x.float(x.out), x.f.m
		if t == ir.F64 {
			return library(name)(x)
		}
		if t == ir.F32 {
			return m.rounded(t, m.polynomial(name)+"("+x.args[0]+")")
		}
		return m.rounded(t, m.polynomial(name)+"((float)"+m.double(t, x.args[0])+")")
	}
}

// polynomial returns the name of the C function from a float to a double.
func (m *module) polynomial(name string) string {
	m.library = true
	for _, h := range []string{"fh_double_of", "fh_double_bits", "fh_float_of", "fh_float_bits"} {
		m.helper(h)
	}
	p := polynomials[name]
	for _, n := range p.needs {
		m.helpers.define(n, shared[n])
	}
	return m.helpers.define("fh_"+name, p.text, "math.h")
}

// horner returns the statement that gives a variable the value of a polynomial: the sums of even and odd powers apart, so that one needn't wait for the other.
func horner(variable, in, square string, coefficients ...string) string {
	half := func(first int) string {
		var list []string
		for i := first; i < len(coefficients); i += 2 {
			list = append(list, coefficients[i])
		}
		slices.Reverse(list)
		e := list[0]
		for i, c := range list[1:] {
			if i > 0 {
				e = "(" + e + ")"
			}
			e += " * " + square
			if i%4 == 2 {
				e += "\n     "
			}
			e += " + " + c
		}
		return e
	}
	return "  " + variable + " = " + half(0) + ";\n  " + variable + " = " + variable + " + (" + half(1) + ") * " + in + ";\n"
}

// expSum is the series of exp.
const expSum = `
/* exp(n ln 2 + r) by its series to r^13/13!, in pairs. The bits of n at the end of the fraction are those of the number. */
static inline double fh_exp_sum(double n, double r) {
  double r2 = r * r, r4 = r2 * r2, low, middle, high;
  low = (1.0 + r) + (0.5 + r * (1.0 / 6.0)) * r2;
  middle = (1.0 / 24.0 + r * (1.0 / 120.0)) + (1.0 / 720.0 + r * (1.0 / 5040.0)) * r2;
  high = (1.0 / 40320.0 + r * (1.0 / 362880.0)) + (1.0 / 3628800.0 + r * (1.0 / 39916800.0)) * r2;
  high = high + (1.0 / 479001600.0 + r * (1.0 / 6227020800.0)) * r4;
  return ((low + middle * r4) + high * (r4 * r4)) * fh_double_of((fh_double_bits(n) + 1023) << 52);
}`

const expText = `
/* exp, for results of fewer bits. What is far out of range counts as 200. */
static inline double fh_exp(float number) {
  uint32_t bits = fh_float_bits(number), size = bits & 0x7fffffff;
  double x = (double)fh_float_of(size > 0x43480000 && size <= 0x7f800000 ? (bits & 0x80000000u) | 0x43480000 : bits);
  double n = x * 0x1.71547652b82fep+0 + 0x1.8p+52, r = n - 0x1.8p+52;
  return fh_exp_sum(n, (x - r * 0x1.62e42fefa3800p-1) - r * 0x1.ef35793c76730p-45);
}`

const exp2Text = `
/* exp2, for results of fewer bits. What is far out of range counts as 200. */
static inline double fh_exp2(float number) {
  uint32_t bits = fh_float_bits(number), size = bits & 0x7fffffff;
  double x = (double)fh_float_of(size > 0x43480000 && size <= 0x7f800000 ? (bits & 0x80000000u) | 0x43480000 : bits);
  double n = x + 0x1.8p+52;
  return fh_exp_sum(n, (x - (n - 0x1.8p+52)) * 0x1.62e42fefa39efp-1);
}`

const tanhText = `
/* tanh, for results of fewer bits: e / (e + 2), where e is exp(2 x) - 1. From 20 on it is 1. */
static inline double fh_tanh(float number) {
  uint32_t bits = fh_float_bits(number), size = bits & 0x7fffffff, over = -(uint32_t)(size > 0x41a00000 && size <= 0x7f800000);
  double x = 2.0 * (double)fh_float_of((size & ~over) | (0x41a00000 & over));
  double n = x * 0x1.71547652b82fep+0 + 0x1.8p+52, r = n - 0x1.8p+52, r2, r4, low, middle, high, power;
  r = (x - r * 0x1.62e42fefa3800p-1) - r * 0x1.ef35793c76730p-45;
  r2 = r * r;
  r4 = r2 * r2;
  low = r + (0.5 + r * (1.0 / 6.0)) * r2;
  middle = (1.0 / 24.0 + r * (1.0 / 120.0)) + (1.0 / 720.0 + r * (1.0 / 5040.0)) * r2;
  high = (1.0 / 40320.0 + r * (1.0 / 362880.0)) + (1.0 / 3628800.0 + r * (1.0 / 39916800.0)) * r2;
  high = high + (1.0 / 479001600.0 + r * (1.0 / 6227020800.0)) * r4;
  power = fh_double_of((fh_double_bits(n) + 1023) << 52);
  x = power * ((low + middle * r4) + high * (r4 * r4)) + (power - 1.0);
  return fh_double_of(fh_double_bits(x / (x + 2.0)) | (uint64_t)(bits >> 31) << 63);
}`

// erfText has the polynomials that go through erf(x)/x for x^2 in [0, 1], and through erf(x) in [1, 4], at the zeros of Chebyshev's polynomials of degree 13 and 28.
func erfText() string {
	return `
/* erf, for results of fewer bits: below 1 x times a polynomial of x^2, and then one of t, which goes from -1 to 1. From 4 on it is 1. */
static inline double fh_erf(float number) {
  uint32_t bits = fh_float_bits(number), size = bits & 0x7fffffff, over = -(uint32_t)(size > 0x40800000 && size <= 0x7f800000);
  double x = (double)fh_float_of((size & ~over) | (0x40800000 & over)), x2 = x * x, x4 = x2 * x2;
  double t = (x - 2.5) * (2.0 / 3.0), t2 = t * t, small, large;
  uint64_t of_small = -(uint64_t)(size < 0x3f800000);
` + horner("small", "x2", "x4", strings.Fields(`0x1.20dd750429b6dp+0 -0x1.812746b0379e6p-2 0x1.ce2f21a042b30p-4 -0x1.b82ce31284e00p-6 0x1.565bcd0dbaa38p-8
		-0x1.c02db3dac435fp-11 0x1.f9a321d5b8e1ep-14 -0x1.f4d1e3183f7aep-17 0x1.b9df224ca4b97p-20 -0x1.5f1ecb6f0764cp-23 0x1.f7b4bf3b13964p-27
		-0x1.389d4f2641625p-30 0x1.05ffd737fb32ep-34`)...) +
		horner("large", "t", "t2", strings.Fields(`0x1.ffcaa8f4c9bebp-1 0x1.ac44a2979f26cp-9 -0x1.9180586e266e4p-7 0x1.cdb9ff4b77bdcp-6 -0x1.65964ec2053cep-5
		0x1.7c8c499341f8ap-5 -0x1.0521f985a19ecp-5 0x1.2fae21fa91473p-7 0x1.b5d3681f5ab70p-8 -0x1.3b499a010f1e6p-7 0x1.29cd03a10561bp-8 0x1.d1ec46b848aecp-12
		-0x1.dee3f4cdca9e1p-10 0x1.dea5995d69b35p-11 0x1.bbe8e9894f8edp-15 -0x1.266d496a07b51p-12 0x1.ee11b32f9efd2p-14 0x1.29672c501fc65p-16
		-0x1.276ea4f03e8c4p-15 0x1.4cc4a2ad9cfcfp-17 0x1.0795e3d6cb61bp-18 -0x1.c8c55f34649bep-19 0x1.2bd1777b54ad6p-22 0x1.1e0832172fb45p-21
		-0x1.4a318055031c3p-23 -0x1.6044361e96aefp-25 0x1.29796d916377ep-26 0x1.73ccdd0850143p-31`)...) +
		`  return fh_double_of((fh_double_bits(x * small) & of_small) | (fh_double_bits(large) & ~of_small) | (uint64_t)(bits >> 31) << 63);
}`
}

// logParts has the polynomial that goes through (atanh(s)/s - 1)/s^2 at the zeros of Chebyshev's polynomial of degree 8.
func logParts() string {
	return `
/* The logarithm of m, where a number is m times two to the exponent, and m is between the roots of 1/2 and 2: 2 atanh((m - 1) / (m + 1)). */
static inline double fh_log_parts(float number, double *exponent) {
  uint64_t bits = fh_double_bits((double)number), e = (bits - UINT64_C(0x3fe6a09e667f3bcd) + (UINT64_C(1022) << 52)) >> 52;
  double m = fh_double_of(bits - ((e - 1022) << 52)), s = (m - 1.0) / (m + 1.0), z = s * s, z2 = z * z, sum;
` + horner("sum", "z", "z2", strings.Fields(`0x1.5555555555555p-2 0x1.9999999999a38p-3 0x1.2492492476cccp-3 0x1.c71c720159177p-4 0x1.745cf9048dd95p-4 0x1.3b1c355a8f7a2p-4
		0x1.0fbe95d716020p-4 0x1.0c039c49989c6p-4`)...) +
		`  *exponent = fh_double_of(UINT64_C(0x4330000000000000) | e) - (0x1p+52 + 1022.0);
  return 2.0 * s + 2.0 * s * z * sum;
}
/* What the logarithm of a number is that isn't positive and finite, and else x. */
static inline double fh_log_or(float number, double x) {
  uint32_t bits = fh_float_bits(number), size = bits & 0x7fffffff;
  uint64_t other = size == 0 ? UINT64_C(0xfff0000000000000) : bits == 0x7f800000 ? UINT64_C(0x7ff0000000000000) : UINT64_C(0x7ff8000000000000);
  uint64_t ordinary = -(uint64_t)(bits - 1 < 0x7f7fffff);
  return fh_double_of((fh_double_bits(x) & ordinary) | (other & ~ordinary));
}`
}

const logText = `
/* log, for results of fewer bits. */
static inline double fh_log(float number) {
  double n, x = fh_log_parts(number, &n);
  return fh_log_or(number, n * 0x1.62e42fefa3800p-1 + (x + n * 0x1.ef35793c76730p-45));
}`

const log2Text = `
/* log2, for results of fewer bits. */
static inline double fh_log2(float number) {
  double n, x = fh_log_parts(number, &n);
  return fh_log_or(number, n + x * 0x1.71547652b82fep+0);
}`

const sinePart = `
/* The sine of k quarters of a turn and x, which isn't large. */
static inline double fh_sine(double x, uint64_t k) {
  double n = x * 0x1.45f306dc9c883p-1 + 0x1.8p+52, r = n - 0x1.8p+52, r2, r4, sine, cosine;
  k += fh_double_bits(n);
  r = ((x - r * 0x1.921fb54400000p+0) - r * 0x1.0b4611a600000p-34) - r * 0x1.3198a2e037073p-69;
  r2 = r * r;
  r4 = r2 * r2;
  sine = (-1.0 / 39916800.0 + r2 * (1.0 / 6227020800.0)) - r4 * (1.0 / 1307674368000.0);
  sine = ((-1.0 / 6.0 + r2 * (1.0 / 120.0)) + (-1.0 / 5040.0 + r2 * (1.0 / 362880.0)) * r4) + sine * (r4 * r4);
  cosine = (-1.0 / 3628800.0 + r2 * (1.0 / 479001600.0)) + (-1.0 / 87178291200.0 + r2 * (1.0 / 20922789888000.0)) * r4;
  cosine = ((-1.0 / 2.0 + r2 * (1.0 / 24.0)) + (-1.0 / 720.0 + r2 * (1.0 / 40320.0)) * r4) + cosine * (r4 * r4);
  sine = r * (1.0 + r2 * sine);
  cosine = 1.0 + r2 * cosine;
  return fh_double_of(fh_double_bits(k & 1 ? cosine : sine) ^ (k & 2) << 62);
}`

// sineText returns sine or cosine, which is the sine a quarter of a turn on. Large numbers are left to C's library.
func sineText(name, quarters string) string {
	return strings.NewReplacer("NAME", name, "QUARTERS", quarters).Replace(`
/* NAME, for results of fewer bits. */
static inline double fh_NAME(float number) {
  if (fh_is_far(number)) return NAME((double)number);
  return fh_sine((double)number, QUARTERS);
}`)
}

// farText tells which numbers are large.
const farText = `
/* Tells whether a number is so large that C's library finds its place in the circle. */
static inline uint32_t fh_is_far(float number) { return (fh_float_bits(number) & 0x7fffffff) > 0x47800000; }`

// isCircular tells whether a function is one for which large numbers are left to C's library.
func isCircular(name string) bool { return name == "sin" || name == "cos" }

// circular returns the name of the function that replaces so many numbers by what one of those functions is of them: large ones apart, so that the others are
// computed several at a time.
func (m *module) circular(name string, width int64) string {
	m.polynomial(name)
	return m.helpers.define("fh_"+name+"_each", strings.NewReplacer("NAME", name, "QUARTERS", map[string]string{"sin": "0", "cos": "1"}[name], "COUNT", m.lanesText(width)).Replace(`
/* NAME of some numbers. */
static inline void fh_NAME_each(float *x) {
  float near[COUNT];
  uint32_t far = 0;
  int i;
  for (i = 0; i < COUNT; i++) {
    far |= fh_is_far(x[i]);
    near[i] = (float)fh_sine((double)x[i], QUARTERS);
  }
  for (i = 0; far && i < COUNT; i++) {
    if (fh_is_far(x[i])) near[i] = (float)NAME((double)x[i]);
  }
  memcpy(x, near, sizeof near);
}`), "string.h", "math.h")
}
