package emitc

import (
	"fmt"

	complexd "freehold/dialect/complex"
	"freehold/ir"
)

var complexEmitters = map[*ir.OpID]emitter{
	complexd.Constant: func(f *function, op *ir.Op) {
		t := op.Result(0).Type().(*ir.ComplexType)
		parts := op.Prop(0).(*ir.ArrayAttr).Elems
		f.result(op.Result(0), "{"+f.literal(op, t.Elem, parts[0])+", "+f.literal(op, t.Elem, parts[1])+"}")
		f.ctype(op, t)
	},
}

var complexScalars = map[*ir.OpID]scalar{
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
	complexd.Div:      func(x *element) string { return x.complexCall("div", complexQuotient) },
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
	complexd.Pow:      complexFunction("cpow(%s, %s)"),
	complexd.Sign: func(x *element) string {
		return x.complexCall("sign", complexSign)
	},
	complexd.Expm1: func(x *element) string { return x.complexCall("expm1", complexExpm1) },
	complexd.Log1p: func(x *element) string { return x.complexCall("log1p", complexLog1p) },
	complexd.Atan2: func(x *element) string {
		x.f.m.complexOf()
		return x.complexCall("atan2", complexAtan2)
	},
	complexd.Abs: func(x *element) string {
		return x.ofParts(func(re, im string) string { return "hypot(" + re + ", " + im + ")" })
	},
	complexd.Angle: func(x *element) string {
		return x.ofParts(func(re, im string) string { return "atan2(" + im + ", " + re + ")" })
	},
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

// ofParts returns a number that a function of C's library computes of the parts.
func (x *element) ofParts(fn func(re, im string) string) string {
	t, m := x.partType(x.in[0]), x.f.m
	m.helpers.headers["math.h"] = true
	m.library = true
	return m.rounded(t, fn(m.double(t, x.args[0]+".re"), m.double(t, x.args[0]+".im")))
}

// complexCall returns the call of a function of ours on two numbers.
func (x *element) complexCall(name, body string) string {
	t, m := x.partType(x.in[0]), x.f.m
	m.helpers.headers["math.h"] = true
	m.library = m.library || name != "mul" && name != "div"
	c := x.f.ctype(x.op, x.out)
	part := x.f.ctype(x.op, t)
	if !isNative(t) {
		x.f.fail(x.op, "it is not written for '%s'", x.out)
	}
	full := c + "_" + name
	m.helpers.define(full, fmt.Sprintf(body, c, full, part))
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

// complexFunction returns a function of C's library.
func complexFunction(call string) scalar {
	return func(x *element) string {
		t, m := x.partType(x.in[0]), x.f.m
		m.complexOf()
		m.library = true
		args := make([]any, len(x.args))
		for i, a := range x.args {
			args[i] = "fh_complex(" + m.double(t, a+".re") + ", " + m.double(t, a+".im") + ")"
		}
		c := x.f.define("number", "double _Complex", fmt.Sprintf(call, args...))
		return x.complex(m.rounded(t, "creal("+c+")"), m.rounded(t, "cimag("+c+")"))
	}
}

// complexSign is the number of length 1 in the direction of another one, and 0 for 0.
const complexSign = `
static %[1]s %[2]s(%[1]s x) {
  double length = hypot((double)x.re, (double)x.im);
  if (x.re == 0 && x.im == 0) return x;
  return (%[1]s){(%[3]s)((double)x.re / length), (%[3]s)((double)x.im / length)};
}`

// complexExpm1 is exp(x)-1 without cancellation near 0.
const complexExpm1 = `
static %[1]s %[2]s(%[1]s x) {
  double half = sin((double)x.im / 2);
  return (%[1]s){(%[3]s)(expm1((double)x.re) * cos((double)x.im) - 2 * half * half), (%[3]s)(exp((double)x.re) * sin((double)x.im))};
}`

// complexLog1p is log(1+x) without cancellation near 0.
const complexLog1p = `
static %[1]s %[2]s(%[1]s x) {
  double a = x.re, b = x.im;
  return (%[1]s){(%[3]s)(log1p(a * (2 + a) + b * b) / 2), (%[3]s)atan2(b, 1 + a)};
}`

// complexAtan2 is -i log((x + iy) / sqrt(x^2 + y^2)).
const complexAtan2 = `
static %[1]s %[2]s(%[1]s y, %[1]s x) {
  double _Complex a = fh_complex((double)x.re, (double)x.im), b = fh_complex((double)y.re, (double)y.im), i = fh_complex(0, 1);
  double _Complex r = -i * clog((a + i * b) / csqrt(a * a + b * b));
  return (%[1]s){(%[3]s)creal(r), (%[3]s)cimag(r)};
}`

// complexProduct is the product, which is infinite where a factor is, or where a product of parts is, though the formula gives NaN.
const complexProduct = `
static %[1]s %[2]s(%[1]s x, %[1]s y) {
  %[3]s ac = x.re * y.re, bd = x.im * y.im, ad = x.re * y.im, bc = x.im * y.re;
  %[1]s out = {ac - bd, bc + ad};
  double a = x.re, b = x.im, c = y.re, d = y.im;
  int infinite = 0;
  if (out.re == out.re || out.im == out.im) return out;
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
    out.re = (%[3]s)((double)INFINITY * (a * c - b * d));
    out.im = (%[3]s)((double)INFINITY * (a * d + b * c));
  }
  return out;
}`

// complexQuotient is the quotient (R. L. Smith, Algorithm 116, Communications of the ACM, 1962), with the infinities and zeros of
// annex G of the C standard.
const complexQuotient = `
static %[1]s %[2]s(%[1]s x, %[1]s y) {
  double a = x.re, b = x.im, c = y.re, d = y.im, e, f;
  if (fabs(c) >= fabs(d)) {
    double ratio = d / c, by = c + ratio * d;
    e = (a + b * ratio) / by;
    f = (b - a * ratio) / by;
  } else {
    double ratio = c / d, by = d + ratio * c;
    e = (a * ratio + b) / by;
    f = (b * ratio - a) / by;
  }
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
  return (%[1]s){(%[3]s)e, (%[3]s)f};
}`
