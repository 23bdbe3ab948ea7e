package stablehlo

import (
	gomath "math"
	"slices"

	"freehold/dialect/stablehlo"
	"freehold/ir"
)

// formula writes a function of numbers down, by operations of stablehlo: on elements, which become operations on scalars, or on
// whole tensors.
type formula struct {
	// elem is the type of the numbers.
	elem ir.Type
	// emit creates an operation of stablehlo whose result has the elements of a type.
	emit func(id *ir.OpID, elem ir.Type, attrs []ir.NamedAttr, args ...*ir.Value) *ir.Value
	// constant makes a number, a floating-point number of any type or an integer.
	constant func(a ir.Attribute) *ir.Value
	c        *ir.Context
}

// elementwiseFormula is a formula on elements.
func elementFormula(e *element, elem ir.Type) *formula {
	return &formula{elem: elem, c: e.Context(), constant: func(a ir.Attribute) *ir.Value { return e.typedConstant(a) },
		emit: func(id *ir.OpID, elem ir.Type, attrs []ir.NamedAttr, args ...*ir.Value) *ir.Value {
			inner := &element{Builder: e.Builder, op: e.op, out: elem, attrs: attrs}
			for _, a := range args {
				inner.in = append(inner.in, a.Type())
			}
			return scalars[id](inner, args)
		}}
}

// tensorFormula is a formula on tensors of the type of v.
func (l *lowering) tensorFormula(v *ir.Value, elem ir.Type) *formula {
	c := l.b.Context()
	shape := ranked(v).Shape
	return &formula{elem: elem, c: c,
		constant: func(a ir.Attribute) *ir.Value { return l.constantLike(v, a) },
		emit: func(id *ir.OpID, elem ir.Type, attrs []ir.NamedAttr, args ...*ir.Value) *ir.Value {
			return l.b.CreateOp(id, []ir.Type{c.RankedTensor(shape, elem)}, args, attrs...).Result(0)
		}}
}

// of is the same formula on numbers of another type.
func (f *formula) of(elem ir.Type) *formula {
	out := *f
	out.elem = elem
	return &out
}

// at is the number x.
func (f *formula) at(x float64) *ir.Value {
	switch t := f.elem.(type) {
	case *ir.FloatType:
		return f.constant(f.c.FloatAttr(t, x))
	case *ir.ComplexType:
		part := f.of(t.Elem)
		return f.complex(part.at(x), part.at(0))
	}
	return f.constant(f.c.IntegerAttr(f.elem, int64(x)))
}

func (f *formula) do(id *ir.OpID, args ...*ir.Value) *ir.Value {
	return f.emit(id, f.elem, nil, args...)
}

func (f *formula) add(a *ir.Value, more ...*ir.Value) *ir.Value {
	for _, b := range more {
		a = f.do(stablehlo.Add, a, b)
	}
	return a
}

func (f *formula) mul(a *ir.Value, more ...*ir.Value) *ir.Value {
	for _, b := range more {
		a = f.do(stablehlo.Multiply, a, b)
	}
	return a
}

func (f *formula) sub(a, b *ir.Value) *ir.Value { return f.do(stablehlo.Subtract, a, b) }
func (f *formula) div(a, b *ir.Value) *ir.Value { return f.do(stablehlo.Divide, a, b) }
func (f *formula) neg(a *ir.Value) *ir.Value    { return f.do(stablehlo.Negate, a) }
func (f *formula) abs(a *ir.Value) *ir.Value    { return f.do(stablehlo.Abs, a) }
func (f *formula) exp(a *ir.Value) *ir.Value    { return f.do(stablehlo.Exponential, a) }
func (f *formula) log(a *ir.Value) *ir.Value    { return f.do(stablehlo.Log, a) }
func (f *formula) log1p(a *ir.Value) *ir.Value  { return f.do(stablehlo.LogPlusOne, a) }
func (f *formula) sqrt(a *ir.Value) *ir.Value   { return f.do(stablehlo.Sqrt, a) }
func (f *formula) floor(a *ir.Value) *ir.Value  { return f.do(stablehlo.Floor, a) }
func (f *formula) sin(a *ir.Value) *ir.Value    { return f.do(stablehlo.Sine, a) }
func (f *formula) cos(a *ir.Value) *ir.Value    { return f.do(stablehlo.Cosine, a) }
func (f *formula) square(a *ir.Value) *ir.Value { return f.mul(a, a) }

func (f *formula) atan2(a, b *ir.Value) *ir.Value { return f.do(stablehlo.Atan2, a, b) }

func (f *formula) compare(direction uint64, a, b *ir.Value) *ir.Value {
	return f.emit(stablehlo.Compare, ir.I1, []ir.NamedAttr{{Name: "comparison_direction", Value: f.c.EnumAttr(stablehlo.ComparisonDirection, direction)}}, a, b)
}

func (f *formula) less(a, b *ir.Value) *ir.Value { return f.compare(stablehlo.LT, a, b) }
func (f *formula) same(a, b *ir.Value) *ir.Value { return f.compare(stablehlo.EQ, a, b) }

func (f *formula) either(a, b *ir.Value) *ir.Value {
	return f.emit(stablehlo.Or, ir.I1, nil, a, b)
}

func (f *formula) both(a, b *ir.Value) *ir.Value {
	return f.emit(stablehlo.And, ir.I1, nil, a, b)
}

func (f *formula) choose(cond, a, b *ir.Value) *ir.Value { return f.do(stablehlo.Select, cond, a, b) }

func (f *formula) complex(re, im *ir.Value) *ir.Value { return f.do(stablehlo.Complex, re, im) }

// parts are the two parts of a complex number, and the formula for them.
func (f *formula) parts(z *ir.Value) (g *formula, re, im *ir.Value) {
	g = f.of(f.elem.(*ir.ComplexType).Elem)
	return g, g.do(stablehlo.Real, z), g.do(stablehlo.Imag, z)
}

// polynomial is the one with these coefficients, the highest first.
func (f *formula) polynomial(x *ir.Value, coefficients ...float64) *ir.Value {
	p := f.at(coefficients[0])
	for _, k := range coefficients[1:] {
		p = f.add(f.mul(p, x), f.at(k))
	}
	return p
}

// monic is a polynomial whose highest coefficient is 1.
func (f *formula) monic(x *ir.Value, coefficients ...float64) *ir.Value {
	return f.polynomial(x, slices.Concat([]float64{1}, coefficients)...)
}

func (f *formula) nan() *ir.Value      { return f.at(gomath.NaN()) }
func (f *formula) infinity() *ir.Value { return f.at(gomath.Inf(1)) }

// signOf gives a the sign of b; a is not negative.
func (f *formula) withSign(a, b *ir.Value) *ir.Value {
	return f.choose(f.negative(b), f.neg(a), a)
}

// negative tells whether the sign of a number says minus, also that of zero.
func (f *formula) negative(a *ir.Value) *ir.Value {
	// 1 divided by -0 is -infinity.
	zero := f.at(0)
	return f.choose1(f.same(a, zero), f.less(f.div(f.at(1), a), zero), f.less(a, zero))
}

// choose1 chooses between conditions.
func (f *formula) choose1(cond, a, b *ir.Value) *ir.Value {
	return f.emit(stablehlo.Select, ir.I1, nil, cond, a, b)
}

// convert makes numbers of another type.
func (f *formula) convert(a *ir.Value, to ir.Type) *ir.Value {
	return f.emit(stablehlo.Convert, to, nil, a)
}
