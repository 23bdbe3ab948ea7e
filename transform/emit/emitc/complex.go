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
		complexd.Cos:      complexFunction("cos"),
		complexd.Exp:      complexFunction("exp"),
		complexd.Expm1:    complexFunction("expm1"),
		complexd.Log:      complexFunction("log"),
		complexd.Log1p:    complexFunction("log1p"),
		complexd.Sin:      complexFunction("sin"),
		complexd.Sqrt:     complexFunction("sqrt"),
		complexd.Tan:      complexFunction("tan"),
		complexd.Tanh:     complexFunction("tanh"),
		complexd.Rsqrt:    complexFunction("rsqrt"),
		complexd.Sign:     complexFunction("sign"),
		complexd.Pow:      complexFunction("pow"),
		complexd.Atan2:    complexFunction("atan2"),
		complexd.Powi:     complexFunction("powi"),
		complexd.Bitcast:  reinterpretComplex,
		complexd.Abs: func(x *element) string {
			return x.ofParts("fh_hypot", ".re", ".im")
		},
		complexd.Angle: func(x *element) string {
			return x.ofParts("fh_atan2", ".im", ".re")
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

// ofParts returns a function of ours of the parts.
func (x *element) ofParts(name, first, second string) string {
	t, m := x.partType(x.in[0]), x.f.m
	return m.rounded(t, m.elementary(name)+"("+m.double(t, x.args[0]+first)+", "+m.double(t, x.args[0]+second)+")")
}

// complexCall returns the call of a function of ours on numbers. What parts are is left open in its text: VALUE is a part as a number that C computes with,
// NUMBER the type of that, ROUNDED a number of it rounded to a part's type, and PART the part that a double becomes.
func (x *element) complexCall(name, body string) string {
	t, m := x.partType(x.out), x.f.m
	m.helpers.headers["math.h"] = true
	c := x.f.ctype(x.op, x.out)
	full := c + "_" + name
	number, value, rounded, part := x.f.ctype(x.op, t), "", "", ""
	if isNative(t) {
		part = "(" + number + ")"
	} else {
		number, value, part = "double", m.smallFloat(t, "to_double"), m.smallFloat(t, "from_double")
		rounded = m.helpers.define("fh_"+identifier(t.String())+"_round", fmt.Sprintf("static inline double fh_%s_round(double x) { return %s(%s(x)); }", identifier(t.String()), value, part))
	}
	m.helpers.define(full, strings.NewReplacer("COMPLEX", c, "NAME", full, "NUMBER", number, "VALUE", value, "ROUNDED", rounded, "PART", part).Replace(body))
	return full + "(" + commas(x.args) + ")"
}

// complexFunction returns a function of package elementary, which is in a function of ours: gcc 12 leaves out the rounding to float between two of them, where it rounds
// and widens both parts at a time.
func complexFunction(name string) scalar {
	return func(x *element) string {
		t, m, c := x.partType(x.out), x.f.m, x.f.ctype(x.op, x.out)
		full := c + "_" + name
		args, params := make([]string, len(x.args)), make([]string, len(x.args))
		for i := range x.args {
			p := string(rune('x' + i))
			if _, ok := x.in[i].(*ir.ComplexType); ok {
				params[i] = c + " " + p
				args[i] = "(fh_z){" + m.double(t, p+".re") + ", " + m.double(t, p+".im") + "}"
			} else {
				x.args[i] = "(int64_t)" + m.signed(x.in[i], x.args[i])
				params[i] = "int64_t " + p
				args[i] = p
			}
		}
		m.helpers.define(full, fmt.Sprintf(`
#ifdef __GNUC__
__attribute__((noinline)) /* as gcc 12 leaves out the rounding between two such functions that it sees together */
#endif
static %[1]s %[2]s(%[3]s) {
  fh_z z = %[4]s(%[5]s);
  return (%[1]s){%[6]s, %[7]s};
}`, c, full, strings.Join(params, ", "), m.elementary("fh_z_"+name), strings.Join(args, ", "), m.rounded(t, "z.re"), m.rounded(t, "z.im")))
		return full + "(" + commas(x.args) + ")"
	}
}

// complexQuotient defines division of numbers with parts of double precision.
func (m *module) complexQuotient() {
	text := strings.NewReplacer("BEFORE", nearerToOne, "AFTER", multipliedAgain).Replace(complexQuotient)
	m.helpers.define("fh_z_div", strings.NewReplacer("COMPLEX", "fh_z", "NAME", "fh_z_div", "VALUE", "", "PART", "").Replace(text), "math.h")
}

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
		before, after = nearerToOne, multipliedAgain
	}
	return x.complexCall("div", strings.NewReplacer("BEFORE", before, "AFTER", after).Replace(complexQuotient))
}

const multipliedAgain = "\n  if (n) {\n    e = ldexp(e, n);\n    f = ldexp(f, n);\n  }"

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
