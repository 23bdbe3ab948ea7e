package complex

import (
	"math"
	"math/cmplx"

	"freehold/exec"
	"freehold/ir"
)

// elementwise returns how an operation computes its result. Sums and products are
// computed in the type of the parts, with C's rules for infinities (C99, annex G);
// everything else with 64 bits, and rounded.
func elementwise(op string) exec.ScalarModel {
	switch op {
	case "complex.create":
		return func(*ir.Op, []ir.Type, ir.Type) (exec.Scalar, bool) {
			return exec.Scalar{Objects: func(args []any) any { return exec.Complex{Re: args[0], Im: args[1]} }}, true
		}
	case "complex.re":
		return onNumber(func(_ *parts, x exec.Complex) any { return x.Re })
	case "complex.im":
		return onNumber(func(_ *parts, x exec.Complex) any { return x.Im })
	case "complex.add":
		return onNumbers(func(p *parts, x, y exec.Complex) any {
			return exec.Complex{Re: p.add.Apply(x.Re, y.Re), Im: p.add.Apply(x.Im, y.Im)}
		})
	case "complex.sub":
		return onNumbers(func(p *parts, x, y exec.Complex) any {
			return exec.Complex{Re: p.sub.Apply(x.Re, y.Re), Im: p.sub.Apply(x.Im, y.Im)}
		})
	case "complex.neg":
		return onNumber(func(p *parts, x exec.Complex) any {
			return exec.Complex{Re: p.neg.Apply(x.Re), Im: p.neg.Apply(x.Im)}
		})
	case "complex.conj":
		return onNumber(func(p *parts, x exec.Complex) any { return exec.Complex{Re: x.Re, Im: p.neg.Apply(x.Im)} })
	case "complex.mul":
		return onNumbers((*parts).product)
	case "complex.eq":
		return onNumbers(func(p *parts, x, y exec.Complex) any { return p.same(x, y) })
	case "complex.neq":
		return onNumbers(func(p *parts, x, y exec.Complex) any { return 1 - p.same(x, y) })
	case "complex.abs":
		return toReal(func(x complex128) float64 { return math.Hypot(real(x), imag(x)) })
	case "complex.angle":
		return toReal(cmplx.Phase)
	case "complex.div":
		return functionOfTwo(func(x, y complex128) complex128 { return x / y })
	case "complex.pow":
		return functionOfTwo(cmplx.Pow)
	case "complex.atan2":
		return functionOfTwo(func(y, x complex128) complex128 {
			// -i log((x + iy) / sqrt(x^2 + y^2))
			return -1i * cmplx.Log((x+1i*y)/cmplx.Sqrt(x*x+y*y))
		})
	}
	if fn := functions[op]; fn != nil {
		return function(fn)
	}
	switch op {
	case "complex.bitcast":
		return func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
			return exec.Reinterpret(in[0], out), true
		}
	}
	return nil
}

var functions = map[string]func(complex128) complex128{
	"complex.cos":   cmplx.Cos,
	"complex.exp":   cmplx.Exp,
	"complex.expm1": expm1,
	"complex.log":   cmplx.Log,
	"complex.log1p": log1p,
	"complex.rsqrt": func(x complex128) complex128 { return 1 / cmplx.Sqrt(x) },
	"complex.sign": func(x complex128) complex128 {
		if x == 0 {
			return x
		}
		abs := math.Hypot(real(x), imag(x))
		return complex(real(x)/abs, imag(x)/abs)
	},
	"complex.sin":  cmplx.Sin,
	"complex.sqrt": cmplx.Sqrt,
	"complex.tan":  cmplx.Tan,
	"complex.tanh": cmplx.Tanh,
}

// expm1 returns exp(x)-1 without cancellation near 0.
func expm1(x complex128) complex128 {
	s, c := math.Sincos(imag(x))
	half := math.Sin(imag(x) / 2)
	return complex(math.Expm1(real(x))*c-2*half*half, math.Exp(real(x))*s)
}

// log1p returns log(1+x) without cancellation near 0.
func log1p(x complex128) complex128 {
	a, b := real(x), imag(x)
	return complex(math.Log1p(a*(2+a)+b*b)/2, math.Atan2(b, 1+a))
}

// parts are the operations on the parts of a number.
type parts struct {
	t                  *ir.FloatType
	add, sub, mul, neg exec.Scalar
}

func partsOf(t ir.Type) *parts {
	c, ok := t.(*ir.ComplexType)
	if !ok {
		return nil
	}
	f, ok := c.Elem.(*ir.FloatType)
	if !ok {
		return nil
	}
	return &parts{f, exec.FAdd(f), exec.FSub(f), exec.FMul(f), exec.FNeg(f)}
}

func (p *parts) number(x exec.Complex) complex128 {
	return complex(exec.Float64(p.t, x.Re), exec.Float64(p.t, x.Im))
}

func (p *parts) value(x complex128) exec.Complex {
	return exec.Complex{Re: exec.FloatValue(p.t, real(x)), Im: exec.FloatValue(p.t, imag(x))}
}

func (p *parts) same(x, y exec.Complex) uint64 {
	if p.number(p.difference(x, y)) == 0 || p.number(x) == p.number(y) && p.t.Width <= 64 {
		return 1
	}
	return 0
}

func (p *parts) difference(x, y exec.Complex) exec.Complex {
	return exec.Complex{Re: p.sub.Apply(x.Re, y.Re), Im: p.sub.Apply(x.Im, y.Im)}
}

// product returns x*y. Where the formula gives NaN for both parts although a
// factor is infinite, or a product overflows, the result is an infinity.
func (p *parts) product(x, y exec.Complex) any {
	ac, bd := p.mul.Apply(x.Re, y.Re), p.mul.Apply(x.Im, y.Im)
	ad, bc := p.mul.Apply(x.Re, y.Im), p.mul.Apply(x.Im, y.Re)
	out := exec.Complex{Re: p.sub.Apply(ac, bd), Im: p.add.Apply(bc, ad)}
	if v := p.number(out); !math.IsNaN(real(v)) || !math.IsNaN(imag(v)) {
		return out
	}
	u, v := p.number(x), p.number(y)
	a, b, c, d := real(u), imag(u), real(v), imag(v)
	infinite := false
	box := func(a, b, c, d *float64) {
		if !math.IsInf(*a, 0) && !math.IsInf(*b, 0) {
			return
		}
		one := func(x float64) float64 {
			if math.IsInf(x, 0) {
				return math.Copysign(1, x)
			}
			return math.Copysign(0, x)
		}
		*a, *b = one(*a), one(*b)
		zero(c)
		zero(d)
		infinite = true
	}
	box(&a, &b, &c, &d)
	box(&c, &d, &a, &b)
	overflows := false
	for _, v := range []any{ac, bd, ad, bc} {
		overflows = overflows || math.IsInf(exec.Float64(p.t, v), 0)
	}
	if !infinite && overflows {
		for _, v := range []*float64{&a, &b, &c, &d} {
			zero(v)
		}
		infinite = true
	}
	if !infinite {
		return out
	}
	return p.value(complex(math.Inf(1)*(a*c-b*d), math.Inf(1)*(a*d+b*c)))
}

// zero replaces NaN by a zero of its sign.
func zero(x *float64) {
	if math.IsNaN(*x) {
		*x = math.Copysign(0, *x)
	}
}

func onNumber(fn func(p *parts, x exec.Complex) any) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
		p := partsOf(in[0])
		if p == nil {
			return exec.Scalar{}, false
		}
		return exec.Scalar{Objects: func(args []any) any { return fn(p, args[0].(exec.Complex)) }}, true
	}
}

func onNumbers(fn func(p *parts, x, y exec.Complex) any) exec.ScalarModel {
	return func(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
		p := partsOf(in[0])
		if p == nil {
			return exec.Scalar{}, false
		}
		return exec.Scalar{Objects: func(args []any) any {
			return fn(p, args[0].(exec.Complex), args[1].(exec.Complex))
		}}, true
	}
}

func function(fn func(complex128) complex128) exec.ScalarModel {
	return onNumber(func(p *parts, x exec.Complex) any { return p.value(fn(p.number(x))) })
}

func functionOfTwo(fn func(x, y complex128) complex128) exec.ScalarModel {
	return onNumbers(func(p *parts, x, y exec.Complex) any { return p.value(fn(p.number(x), p.number(y))) })
}

func toReal(fn func(complex128) float64) exec.ScalarModel {
	return onNumber(func(p *parts, x exec.Complex) any { return exec.FloatValue(p.t, fn(p.number(x))) })
}

// execute returns how an operation that elementwise doesn't know executes.
func execute(op string) exec.Model {
	if op != "complex.constant" {
		return nil
	}
	return func(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
		elems := op.Prop(0).(*ir.ArrayAttr).Elems
		re, ok1 := exec.NumberOf(elems[0])
		im, ok2 := exec.NumberOf(elems[1])
		if !ok1 || !ok2 {
			return nil, exec.Unsupported(op, "its value is not a number")
		}
		c.Constant(op.Result(0), exec.Complex{Re: re, Im: im})
		return nil, nil
	}
}
