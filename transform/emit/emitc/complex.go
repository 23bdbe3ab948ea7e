package emitc

import (
	"fmt"
	"strings"

	complexd "freehold/dialect/complex"
	"freehold/ir"
)

func complexEmitters() map[*ir.OpID]emitter {
	return map[*ir.OpID]emitter{
		complexd.Constant: func(f *function, op *ir.Op) {
			t := op.Result(0).Type().(*ir.ComplexType)
			parts := op.Prop(0).(*ir.ArrayAttr).Elems
			f.result(op.Result(0), "{"+f.literal(op, t.Elem, parts[0])+", "+f.literal(op, t.Elem, parts[1])+"}")
			f.ctype(op, t)
		},
	}
}

func complexScalars() map[*ir.OpID]scalar {
	return map[*ir.OpID]scalar{
		complexd.Create: func(x *element) string { return x.complex(x.args[0], x.args[1]) },
		complexd.Re:     func(x *element) string { return factor(x.args[0]) + ".re" },
		complexd.Im:     func(x *element) string { return factor(x.args[0]) + ".im" },
		complexd.Add: func(x *element) string {
			return x.complex(x.part("+", x.args[0]+".re", x.args[1]+".re"), x.part("+", x.args[0]+".im", x.args[1]+".im"))
		},
		complexd.Sub: func(x *element) string {
			return x.complex(x.part("-", x.args[0]+".re", x.args[1]+".re"), x.part("-", x.args[0]+".im", x.args[1]+".im"))
		},
		complexd.Neg:      func(x *element) string { return x.complex(x.negated(x.args[0]+".re"), x.negated(x.args[0]+".im")) },
		complexd.Conj:     func(x *element) string { return x.complex(x.args[0]+".re", x.negated(x.args[0]+".im")) },
		complexd.Mul:      func(x *element) string { return x.complexCall("mul", complexProduct) },
		complexd.Div:      complexDivide,
		complexd.Equal:    func(x *element) string { return x.sameComplex("==", "&&") },
		complexd.NotEqual: func(x *element) string { return x.sameComplex("!=", "||") },
		complexd.Cos:      complexFunction("ccos(%s)"),
		complexd.Exp:      complexFunction("cexp(%s)"),
		complexd.Log:      complexFunction("clog(%s)"),
		complexd.Sin:      complexFunction("csin(%s)"),
		complexd.Sqrt:     complexFunction("csqrt(%s)"),
		complexd.Tan:      complexFunction("ctan(%s)"),
		complexd.Tanh:     complexFunction("ctanh(%s)"),
		complexd.Rsqrt:    complexFunction("1.0 / csqrt(%s)"),
		complexd.Pow:      func(x *element) string { return x.complexCall("pow", complexPow, "float.h") },
		complexd.Sign: func(x *element) string {
			return x.complexCall("sign", complexSign)
		},
		complexd.Expm1: func(x *element) string {
			x.f.m.complexOf()
			return x.complexCall("expm1", complexExpm1)
		},
		complexd.Log1p: func(x *element) string { return x.complexCall("log1p", complexLog1p) },
		complexd.Atan2: func(x *element) string {
			x.f.m.complexOf()
			return x.complexCall("atan2", complexAtan2)
		},
		complexd.Powi: func(x *element) string {
			x.args = []string{x.args[0], "(int64_t)" + x.f.m.signed(x.in[1], x.args[1])}
			x.f.m.complexOf()
			return x.complexCall("powi", complexPowi)
		},
		complexd.Bitcast: reinterpretComplex,
		complexd.Abs: func(x *element) string {
			return x.ofParts(func(re, im string) string { return "hypot(" + re + ", " + im + ")" })
		},
		complexd.Angle: func(x *element) string {
			return x.ofParts(func(re, im string) string { return "atan2(" + im + ", " + re + ")" })
		},
	}
}

// complex returns a complex number of its parts.
func (x *element) complex(re, im string) string {
	return "(" + x.f.ctype(x.op, x.out) + "){" + re + ", " + im + "}"
}

// partType returns the type of the parts of a complex type.
func (x *element) partType(t ir.Type) *ir.FloatType {
	c, ok := t.(*ir.ComplexType)
	if !ok {
		x.f.fail(x.op, "it is not written for '%s'", t)
	}
	return x.float(c.Elem)
}

// part returns an operation on parts.
func (x *element) part(sign, a, b string) string {
	t := x.partType(x.in[0])
	y := &element{f: x.f, op: x.op, in: []ir.Type{t, t}, out: t, args: []string{a, b}}
	return floatBinary(sign)(y)
}

func (x *element) negated(a string) string {
	t := x.partType(x.in[0])
	return negate(&element{f: x.f, op: x.op, in: []ir.Type{t}, out: t, args: []string{a}})
}

// sameComplex compares numbers: they are the same if their difference is 0, or if they are equal, as infinities are.
func (x *element) sameComplex(sign, join string) string {
	t, m := x.partType(x.in[0]), x.f.m
	a, b := x.args[0], x.args[1]
	return m.double(t, a+".re") + " " + sign + " " + m.double(t, b+".re") + " " + join + " " + m.double(t, a+".im") + " " + sign + " " + m.double(t, b+".im")
}

// reinterpretComplex returns the bits of a number as those of another one; the real part of a complex one are the lower ones.
func reinterpretComplex(x *element) string {
	f, c := x.f, x.op.Context()
	from, to := x.in[0], x.args[0]
	if t, ok := from.(*ir.ComplexType); ok {
		half := c.Integer(f.m.width(t.Elem))
		whole := c.Integer(2 * half.Width)
		wide := f.ctype(x.op, whole)
		re, im := f.bits(x.op, t.Elem, half, to+".re"), f.bits(x.op, t.Elem, half, to+".im")
		from, to = whole, f.m.wrapped(whole, fmt.Sprintf("(%s)%s << %d | %s", wide, factor(im), half.Width, re))
	}
	t, ok := x.out.(*ir.ComplexType)
	if !ok {
		return f.bits(x.op, from, x.out, to)
	}
	half := c.Integer(f.m.width(t.Elem))
	whole := c.Integer(2 * half.Width)
	all := f.define("bits", f.ctype(x.op, whole), f.bits(x.op, from, whole, to))
	return x.complex(f.bits(x.op, half, t.Elem, f.m.wrapped(half, all)), f.bits(x.op, half, t.Elem, f.m.wrapped(half, fmt.Sprintf("%s >> %d", all, half.Width))))
}

// ofParts returns a number that a function of C's library computes of the parts.
func (x *element) ofParts(fn func(re, im string) string) string {
	t, m := x.partType(x.in[0]), x.f.m
	m.helpers.headers["math.h"] = true
	m.library = true
	return m.rounded(t, fn(m.double(t, x.args[0]+".re"), m.double(t, x.args[0]+".im")))
}

// complexCall returns the call of a function of ours on numbers. What parts are is left open in its text: VALUE is a part as a number that C computes with,
// NUMBER the type of that, ROUNDED a number of it rounded to a part's type, and PART the part that a double becomes.
func (x *element) complexCall(name, body string, headers ...string) string {
	t, m := x.partType(x.out), x.f.m
	m.helpers.headers["math.h"] = true
	m.library = m.library || name != "mul" && name != "div"
	c := x.f.ctype(x.op, x.out)
	full := c + "_" + name
	number, value, rounded, part := x.f.ctype(x.op, t), "", "", ""
	if isNative(t) {
		part = "(" + number + ")"
	} else {
		number, value, part = "double", m.smallFloat(t, "to_double"), m.smallFloat(t, "from_double")
		rounded = m.helpers.define("fh_"+identifier(t.String())+"_round", fmt.Sprintf("static inline double fh_%s_round(double x) { return %s(%s(x)); }", identifier(t.String()), value, part))
	}
	m.helpers.define(full, strings.NewReplacer("COMPLEX", c, "NAME", full, "NUMBER", number, "VALUE", value, "ROUNDED", rounded, "PART", part).Replace(body), headers...)
	return full + "(" + commas(x.args) + ")"
}

// complexOf defines the conversions between numbers of C's and ours.
func (m *module) complexOf() {
	m.helpers.headers["complex.h"] = true
	m.helpers.define("fh_complex", `
static inline double _Complex fh_complex(double re, double im) {
  union { double parts[2]; double _Complex value; } x;
  x.parts[0] = re;
  x.parts[1] = im;
  return x.value;
}`)
}

// complexFunction returns a function of C's library, which is in a function of ours: gcc 12 leaves out the rounding to float between two of them, where it rounds
// and widens both parts at a time.
func complexFunction(call string) scalar {
	return func(x *element) string {
		t, m, c := x.partType(x.in[0]), x.f.m, x.f.ctype(x.op, x.out)
		m.complexOf()
		m.library = true
		_, name, _ := strings.Cut(x.op.Name(), ".")
		name = c + "_" + name
		args, params := make([]any, len(x.args)), make([]string, len(x.args))
		for i := range x.args {
			p := string(rune('x' + i))
			params[i] = c + " " + p
			args[i] = "fh_complex(" + m.double(t, p+".re") + ", " + m.double(t, p+".im") + ")"
		}
		m.helpers.define(name, fmt.Sprintf(`
#ifdef __GNUC__
__attribute__((noinline)) /* as gcc 12 leaves out the rounding between two such functions that it sees together */
#endif
static %[1]s %[2]s(%[3]s) {
  double _Complex number = %[4]s;
  return (%[1]s){%[5]s, %[6]s};
}`, c, name, strings.Join(params, ", "), fmt.Sprintf(call, args...), m.rounded(t, "creal(number)"), m.rounded(t, "cimag(number)")))
		return name + "(" + commas(x.args) + ")"
	}
}

// complexSign is the number of length 1 in the direction of another one, and 0 for 0.
const complexSign = `
static COMPLEX NAME(COMPLEX x) {
  double length = hypot((double)VALUE(x.re), (double)VALUE(x.im));
  if (VALUE(x.re) == 0 && VALUE(x.im) == 0) return x;
  return (COMPLEX){PART((double)VALUE(x.re) / length), PART((double)VALUE(x.im) / length)};
}`

// complexExpm1 is exp(x)-1 without cancellation near 0.
const complexExpm1 = `
static COMPLEX NAME(COMPLEX x) {
  double a = VALUE(x.re), b = VALUE(x.im);
  long double half;
  if (b == 0) return (COMPLEX){PART(expm1(a)), PART(b)};
  if (!(fabs(a) < 50 && isfinite(b))) {
    double _Complex all = cexp(fh_complex(a, b));
    return (COMPLEX){PART(creal(all) - 1), PART(cimag(all))};
  }
  half = sinl((long double)b / 2);
  return (COMPLEX){PART((double)(expm1l(a) * cosl(b) - 2 * half * half)), PART((double)(expl(a) * sinl(b)))};
}`

// complexLog1p is log(1+x) without cancellation near 0.
const complexLog1p = `
static COMPLEX NAME(COMPLEX x) {
  double a = VALUE(x.re), b = VALUE(x.im);
  long double more = 1.0L + a, square = -1;
  if (fabs(a) < 0x1p400 && fabs(b) < 0x1p400) square = a * (2.0L + a) + (long double)b * b;
  return (COMPLEX){PART((double)(square > -0.75L ? log1pl(square) / 2 : logl(hypotl(more, b)))), PART((double)atan2l(b, more))};
}`

// complexPow is exp(y log(x)). The angle of x is n quarters of a turn, and that of (u, v). Of y, whole quarters of a turn are exact, too, so that the square of i is -1.
const complexPow = `
static COMPLEX NAME(COMPLEX x, COMPLEX y) {
  double a = VALUE(x.re), b = VALUE(x.im), c = VALUE(y.re), d = VALUE(y.im), n = 0, u = a, v = b, quarters, whole;
  long double l, t, size = 0, rest = 0, cosine, sine;
  int turn;
  if (c == 0 && d == 0) return (COMPLEX){PART(1.0), PART(0.0)};
  if (a == 0 && b == 0) {
    if (c > 0) return (COMPLEX){PART(0.0), PART(0.0)};
    if (c < 0) return (COMPLEX){PART((double)INFINITY), PART(d == 0 ? 0.0 : (double)INFINITY)};
    return (COMPLEX){PART((double)NAN), PART((double)NAN)};
  }
  if (fabs(b) > fabs(a)) {
    n = copysign(1, b);
    u = fabs(b);
    v = -a * n;
  } else if (a < 0) {
    n = copysign(2, b);
    u = -a;
    v = -b;
  }
  quarters = c * n;
  whole = rint(quarters);
  l = logl(hypotl(a, b));
  t = atan2l(v, u);
  if (c != 0) {
    size = c * l;
    rest = c * t + (quarters - whole) * 1.57079632679489661923L;
  }
  if (d != 0) {
    size -= d * (t + n * 1.57079632679489661923L);
    rest += d * l;
  }
  if (size != size || !(fabsl(rest) <= DBL_MAX)) return (COMPLEX){PART((double)NAN), PART((double)NAN)};
  size = expl(size);
  turn = (int)fmod(whole, 4) & 3;
  cosine = turn & 1 ? sinl(rest) : cosl(rest);
  sine = turn & 1 ? cosl(rest) : sinl(rest);
  if (turn == 1 || turn == 2) cosine = -cosine;
  if (turn & 2) sine = -sine;
  return (COMPLEX){PART(cosine == 0 ? 0.0 : (double)(size * cosine)), PART(sine == 0 ? 0.0 : (double)(size * sine))};
}`

// complexAtan2 is -i log((x + iy) / sqrt(x^2 + y^2)).
const complexAtan2 = `
static COMPLEX NAME(COMPLEX y, COMPLEX x) {
  double _Complex a = fh_complex((double)VALUE(x.re), (double)VALUE(x.im)), b = fh_complex((double)VALUE(y.re), (double)VALUE(y.im)), i = fh_complex(0, 1);
  double _Complex r = -i * clog((a + i * b) / csqrt(a * a + b * b));
  return (COMPLEX){PART(creal(r)), PART(cimag(r))};
}`

// complexPowi multiplies a number with itself, or divides 1 by the product for a negative power.
const complexPowi = `
static COMPLEX NAME(COMPLEX x, int64_t n) {
  double a = VALUE(x.re), b = VALUE(x.im), re = 1, im = 0, t;
  uint64_t times = n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
  for (; times > 0; times >>= 1) {
    if (times & 1) {
      t = re * a - im * b;
      im = re * b + im * a;
      re = t;
    }
    t = a * a - b * b;
    b = a * b + b * a;
    a = t;
  }
  if (n < 0) {
    double _Complex inverse = 1 / fh_complex(re, im);
    re = creal(inverse);
    im = cimag(inverse);
  }
  return (COMPLEX){PART(re), PART(im)};
}`

// complexProduct is the product, which is infinite where a factor is, or where a product of parts is, though the formula gives NaN.
const complexProduct = `
static COMPLEX NAME(COMPLEX x, COMPLEX y) {
  NUMBER ac = ROUNDED(VALUE(x.re) * VALUE(y.re)), bd = ROUNDED(VALUE(x.im) * VALUE(y.im));
  NUMBER ad = ROUNDED(VALUE(x.re) * VALUE(y.im)), bc = ROUNDED(VALUE(x.im) * VALUE(y.re)), re = ROUNDED(ac - bd), im = ROUNDED(bc + ad);
  COMPLEX out = {PART(re), PART(im)};
  double a = VALUE(x.re), b = VALUE(x.im), c = VALUE(y.re), d = VALUE(y.im);
  int infinite = 0;
  if (re == re || im == im) return out;
  if (isinf(a) || isinf(b)) {
    a = copysign(isinf(a) ? 1.0 : 0.0, a);
    b = copysign(isinf(b) ? 1.0 : 0.0, b);
    if (c != c) c = copysign(0.0, c);
    if (d != d) d = copysign(0.0, d);
    infinite = 1;
  }
  if (isinf(c) || isinf(d)) {
    c = copysign(isinf(c) ? 1.0 : 0.0, c);
    d = copysign(isinf(d) ? 1.0 : 0.0, d);
    if (a != a) a = copysign(0.0, a);
    if (b != b) b = copysign(0.0, b);
    infinite = 1;
  }
  if (!infinite && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {
    if (a != a) a = copysign(0.0, a);
    if (b != b) b = copysign(0.0, b);
    if (c != c) c = copysign(0.0, c);
    if (d != d) d = copysign(0.0, d);
    infinite = 1;
  }
  if (infinite) {
    out.re = PART((double)INFINITY * (a * c - b * d));
    out.im = PART((double)INFINITY * (a * d + b * c));
  }
  return out;
}`

// complexDivide returns the quotient. Only doubles can be so large or small that they are brought nearer to 1 before.
func complexDivide(x *element) string {
	before, after := "", ""
	if x.partType(x.out) == ir.F64 {
		before, after = nearerToOne, "\n  if (n) {\n    e = ldexp(e, n);\n    f = ldexp(f, n);\n  }"
	}
	return x.complexCall("div", strings.NewReplacer("BEFORE", before, "AFTER", after).Replace(complexQuotient))
}

const nearerToOne = `
  int n = 0;
  double size = fmax(fabs(a), fabs(b)), by_size = fmax(fabs(c), fabs(d)), factor;
  if (isfinite(size) && (size >= 0x1p500 || (size > 0 && size <= 0x1p-500))) {
    n = size > 1 ? 600 : -600;
    factor = size > 1 ? 0x1p-600 : 0x1p600;
    a *= factor;
    b *= factor;
  }
  if (isfinite(by_size) && (by_size >= 0x1p500 || (by_size > 0 && by_size <= 0x1p-500))) {
    n -= by_size > 1 ? 600 : -600;
    factor = by_size > 1 ? 0x1p-600 : 0x1p600;
    c *= factor;
    d *= factor;
  }`

// complexQuotient is the quotient (R. L. Smith, Algorithm 116, Communications of the ACM, 1962), with the infinities and zeros of
// annex G of the C standard.
const complexQuotient = `
static COMPLEX NAME(COMPLEX x, COMPLEX y) {
  double a = VALUE(x.re), b = VALUE(x.im), c = VALUE(y.re), d = VALUE(y.im), e, f;BEFORE
  if (fabs(c) >= fabs(d)) {
    double ratio = d / c, by = c + ratio * d;
    e = (a + b * ratio) / by;
    f = (b - a * ratio) / by;
  } else {
    double ratio = c / d, by = d + ratio * c;
    e = (a * ratio + b) / by;
    f = (b * ratio - a) / by;
  }AFTER
  if (e != e || f != f) {
    if (c == 0 && d == 0 && (a == a || b == b)) {
      e = copysign((double)INFINITY, c) * a;
      f = copysign((double)INFINITY, c) * b;
    } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
      a = copysign(isinf(a) ? 1.0 : 0.0, a);
      b = copysign(isinf(b) ? 1.0 : 0.0, b);
      e = (double)INFINITY * (a * c + b * d);
      f = (double)INFINITY * (b * c - a * d);
    } else if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) {
      c = copysign(isinf(c) ? 1.0 : 0.0, c);
      d = copysign(isinf(d) ? 1.0 : 0.0, d);
      e = 0.0 * (a * c + b * d);
      f = 0.0 * (b * c - a * d);
    }
  }
  return (COMPLEX){PART(e), PART(f)};
}`
