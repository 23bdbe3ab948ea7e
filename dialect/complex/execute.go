package complex

import (
	"math"

	"freehold/exec"
	"freehold/internal/elementary"
	"freehold/ir"
)

// computeCreate is how complex.create computes an element.
func computeCreate(*ir.Op, []ir.Type, ir.Type) (exec.Scalar, bool) {
	return exec.Scalar{Objects: func(args []any) any { return exec.Complex{Re: args[0], Im: args[1]} }}, true
}

// computeAdd is how complex.add computes an element.
var computeAdd exec.ScalarModel = onNumbers(func(p *parts, x, y exec.Complex) any {
	return exec.Complex{Re: p.add.Apply(x.Re, y.Re), Im: p.add.Apply(x.Im, y.Im)}
})

// computeSub is how complex.sub computes an element.
var computeSub exec.ScalarModel = onNumbers(func(p *parts, x, y exec.Complex) any {
	return exec.Complex{Re: p.sub.Apply(x.Re, y.Re), Im: p.sub.Apply(x.Im, y.Im)}
})

// computeNeg is how complex.neg computes an element.
var computeNeg exec.ScalarModel = onNumber(func(p *parts, x exec.Complex) any {
	return exec.Complex{Re: p.neg.Apply(x.Re), Im: p.neg.Apply(x.Im)}
})

// computeAtan2 is how complex.atan2 computes an element.
var computeAtan2 exec.ScalarModel = functionOfTwo(func(y, x complex128) complex128 {
	// -i log((x + iy) / sqrt(x^2 + y^2))
	return -1i * elementary.CLog(elementary.CDiv(x+1i*y, elementary.CSqrt(x*x+y*y)))
})

// sign returns the number of length 1 in the direction of x, and 0 for 0.
func sign(x complex128) complex128 {
	if x == 0 {
		return x
	}
	abs := elementary.Hypot(real(x), imag(x))
	return complex(real(x)/abs, imag(x)/abs)
}

func rsqrt(x complex128) complex128 { return elementary.CDiv(1, elementary.CSqrt(x)) }

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

// computePowi is how complex.powi computes an element.
func computePowi(_ *ir.Op, in []ir.Type, _ ir.Type) (exec.Scalar, bool) {
	p := partsOf(in[0])
	width := exec.Width(in[1])
	if p == nil || width > 64 {
		return exec.Scalar{}, false
	}
	return exec.Scalar{Objects: func(args []any) any {
		return p.value(power(p.number(args[0].(exec.Complex)), exec.SignExtend(args[1].(uint64), width)))
	}}, true
}

// power multiplies x with itself, n times, or divides 1 by the product if n is negative.
func power(x complex128, n int64) complex128 {
	product, times := complex128(1), uint64(n)
	if n < 0 {
		times = -times
	}
	for ; times > 0; times >>= 1 {
		if times&1 != 0 {
			product *= x
		}
		x *= x
	}
	if n < 0 {
		return elementary.CDiv(1, product)
	}
	return product
}

func toReal(fn func(complex128) float64) exec.ScalarModel {
	return onNumber(func(p *parts, x exec.Complex) any { return exec.FloatValue(p.t, fn(p.number(x))) })
}

// executeConstant is how complex.constant executes.
func executeConstant(c *exec.Compiler, op *ir.Op) (exec.Step, error) {
	elems := op.Prop(0).(*ir.ArrayAttr).Elems
	re, ok1 := exec.NumberOf(elems[0])
	im, ok2 := exec.NumberOf(elems[1])
	if !ok1 || !ok2 {
		return nil, exec.Unsupported(op, "its value is not a number")
	}
	c.Constant(op.Result(0), exec.Complex{Re: re, Im: im})
	return nil, nil
}
