package stablehlo

import (
	gomath "math"

	"freehold/dialect/arith"
	"freehold/dialect/builtin"
	"freehold/dialect/complex"
	"freehold/dialect/math"
	"freehold/dialect/quant"
	"freehold/dialect/stablehlo"
	"freehold/ir"
)

// element computes one element of the result of an operation on elements.
type element struct {
	*ir.Builder
	op *ir.Op
	// in and out are the types that the elements of operands and result have in the program.
	in  []ir.Type
	out ir.Type
	// attrs are attributes in the place of those of op.
	attrs []ir.NamedAttr
}

// enumValue is a number that an attribute says.
func (e *element) enumValue(name string, none uint64) uint64 {
	for _, a := range e.attrs {
		if a.Name == name {
			return a.Value.(*ir.EnumAttr).Value
		}
	}
	return stablehlo.EnumValue(e.op, name, none)
}

// typedConstant is the number that an attribute says.
func (e *element) typedConstant(a ir.Attribute) *ir.Value {
	return arith.NewConstant(e.Builder, a).Result(0)
}

// scalars are the operations whose elements are computed one by one: of elements of the operands, whose integers are
// signless. A function returns nil if it isn't defined for the types.
var scalars map[*ir.OpID]func(e *element, a []*ir.Value) *ir.Value

// makeScalars fills the table of the operations that are computed element by element.
func makeScalars() {
	scalars = map[*ir.OpID]func(e *element, a []*ir.Value) *ir.Value{
		stablehlo.Abs:                  (*element).abs,
		stablehlo.Add:                  arithmetic(arith.OrI, arith.AddI, arith.AddF, complex.Add),
		stablehlo.And:                  integral(arith.AndI),
		stablehlo.Atan2:                function(math.Atan2, complex.Atan2),
		stablehlo.BitcastConvert:       (*element).bitcast,
		stablehlo.Cbrt:                 (*element).cbrt,
		stablehlo.Ceil:                 function(math.Ceil, nil),
		stablehlo.Clamp:                func(e *element, a []*ir.Value) *ir.Value { return e.extreme(e.extreme(a[1], a[0], true), a[2], false) },
		stablehlo.Compare:              (*element).compare,
		stablehlo.Complex:              func(e *element, a []*ir.Value) *ir.Value { return complex.NewCreate(e.Builder, a[0], a[1]) },
		stablehlo.Convert:              func(e *element, a []*ir.Value) *ir.Value { return e.convert(a[0], e.in[0], e.out) },
		stablehlo.Cosine:               function(math.Cos, complex.Cos),
		stablehlo.CountLeadingZeros:    integral(math.CountLeadingZeros),
		stablehlo.Divide:               (*element).divide,
		stablehlo.Exponential:          function(math.Exp, complex.Exp),
		stablehlo.ExponentialMinusOne:  function(math.ExpM1, complex.Expm1),
		stablehlo.Floor:                function(math.Floor, nil),
		stablehlo.Imag:                 (*element).imag,
		stablehlo.IsFinite:             (*element).isFinite,
		stablehlo.Log:                  function(math.Log, complex.Log),
		stablehlo.LogPlusOne:           function(math.Log1p, complex.Log1p),
		stablehlo.Logistic:             (*element).logistic,
		stablehlo.Maximum:              func(e *element, a []*ir.Value) *ir.Value { return e.extreme(a[0], a[1], true) },
		stablehlo.Minimum:              func(e *element, a []*ir.Value) *ir.Value { return e.extreme(a[0], a[1], false) },
		stablehlo.Multiply:             arithmetic(arith.AndI, arith.MulI, arith.MulF, complex.Mul),
		stablehlo.Negate:               (*element).negate,
		stablehlo.Not:                  func(e *element, a []*ir.Value) *ir.Value { return e.invert(a[0]) },
		stablehlo.Or:                   integral(arith.OrI),
		stablehlo.PopCount:             integral(math.CtPop),
		stablehlo.Power:                (*element).power,
		stablehlo.Real:                 (*element).real,
		stablehlo.ReducePrecision:      (*element).reducePrecision,
		stablehlo.Remainder:            (*element).remainder,
		stablehlo.RoundNearestAfz:      function(math.Round, nil),
		stablehlo.RoundNearestEven:     function(math.RoundEven, nil),
		stablehlo.Rsqrt:                function(math.Rsqrt, complex.Rsqrt),
		stablehlo.Select:               func(e *element, a []*ir.Value) *ir.Value { return arith.NewSelect(e.Builder, a[0], a[1], a[2]) },
		stablehlo.ShiftLeft:            func(e *element, a []*ir.Value) *ir.Value { return e.shift(arith.ShLI, a) },
		stablehlo.ShiftRightArithmetic: (*element).shiftArithmetic,
		stablehlo.ShiftRightLogical:    func(e *element, a []*ir.Value) *ir.Value { return e.shift(arith.ShRUI, a) },
		stablehlo.Sign:                 (*element).sign,
		stablehlo.Sine:                 function(math.Sin, complex.Sin),
		stablehlo.Sqrt:                 function(math.Sqrt, complex.Sqrt),
		stablehlo.Subtract:             arithmetic(nil, arith.SubI, arith.SubF, complex.Sub),
		stablehlo.Tan:                  function(math.Tan, complex.Tan),
		stablehlo.Tanh:                 function(math.Tanh, complex.Tanh),
		stablehlo.UniformDequantize:    func(_ *element, a []*ir.Value) *ir.Value { return a[0] },
		stablehlo.UniformQuantize:      func(_ *element, a []*ir.Value) *ir.Value { return a[0] },
		stablehlo.Xor:                  integral(arith.XOrI),
	}
	addClients()
}

func isBool(t ir.Type) bool { return t == ir.Type(ir.I1) }

func isInteger(t ir.Type) bool { return ir.IsInteger(t) }

func complexOf(t ir.Type) *ir.ComplexType { c, _ := t.(*ir.ComplexType); return c }

// arithmetic is an operation that there is for booleans, integers, floating-point and complex numbers; nil where there is none.
func arithmetic(onBool, onInt, onFloat, onComplex *ir.OpID) func(e *element, a []*ir.Value) *ir.Value {
	return func(e *element, a []*ir.Value) *ir.Value {
		id := onInt
		switch t := a[0].Type(); {
		case isBool(t):
			id = onBool
		case ir.IsFloat(t):
			id = onFloat
		case complexOf(t) != nil:
			id = onComplex
		}
		if id == nil {
			return nil
		}
		return e.New(id, a...)
	}
}

// New creates an operation of a dialect of scalars whose result has the type of its first operand.
func (e *element) New(id *ir.OpID, a ...*ir.Value) *ir.Value {
	return e.CreateOp(id, []ir.Type{a[0].Type()}, a).Result(0)
}

func integral(id *ir.OpID) func(e *element, a []*ir.Value) *ir.Value {
	return func(e *element, a []*ir.Value) *ir.Value {
		if !isInteger(a[0].Type()) {
			return nil
		}
		return e.New(id, a...)
	}
}

func function(onFloat, onComplex *ir.OpID) func(e *element, a []*ir.Value) *ir.Value {
	return func(e *element, a []*ir.Value) *ir.Value {
		switch t := a[0].Type(); {
		case ir.IsFloat(t):
			return e.New(onFloat, a...)
		case complexOf(t) != nil && onComplex != nil:
			return e.New(onComplex, a...)
		}
		return nil
	}
}

// number is a constant of a type of elements with signless integers.
func (e *element) number(t ir.Type, x float64) *ir.Value {
	switch t := t.(type) {
	case *ir.FloatType:
		return arith.ConstantFloat(e.Builder, t, x)
	case *ir.ComplexType:
		return complex.NewCreate(e.Builder, e.number(t.Elem, x), e.number(t.Elem, 0))
	}
	return arith.ConstantInt(e.Builder, t, int64(x))
}

func (e *element) integer(t ir.Type, n int64) *ir.Value { return arith.ConstantInt(e.Builder, t, n) }

func (e *element) invert(v *ir.Value) *ir.Value {
	if !isInteger(v.Type()) {
		return nil
	}
	return e.New(arith.XOrI, v, e.integer(v.Type(), -1))
}

func (e *element) cmpI(p arith.IntPredicate, a, b *ir.Value) *ir.Value {
	return arith.NewCmpI(e.Builder, p, a, b)
}

func (e *element) cmpF(p arith.FloatPredicate, a, b *ir.Value) *ir.Value {
	return arith.NewCmpF(e.Builder, p, a, b)
}

func (e *element) choose(cond, a, b *ir.Value) *ir.Value {
	return arith.NewSelect(e.Builder, cond, a, b)
}

func (e *element) part(id *ir.OpID, v *ir.Value) *ir.Value {
	return e.CreateOp(id, []ir.Type{complexOf(v.Type()).Elem}, []*ir.Value{v}).Result(0)
}

func (e *element) abs(a []*ir.Value) *ir.Value {
	v := a[0]
	switch t := v.Type(); {
	case ir.IsFloat(t):
		return e.New(math.AbsF, v)
	case complexOf(t) != nil:
		return e.part(complex.Abs, v)
	case stablehlo.IsUnsigned(e.in[0]):
		return v
	}
	zero := e.integer(v.Type(), 0)
	return e.choose(e.cmpI(arith.SLT, v, zero), e.New(arith.SubI, zero, v), v)
}

func (e *element) negate(a []*ir.Value) *ir.Value {
	switch t := a[0].Type(); {
	case ir.IsFloat(t):
		return e.New(arith.NegF, a[0])
	case complexOf(t) != nil:
		return e.New(complex.Neg, a[0])
	}
	return e.New(arith.SubI, e.integer(a[0].Type(), 0), a[0])
}

func (e *element) real(a []*ir.Value) *ir.Value {
	if complexOf(a[0].Type()) == nil {
		return a[0]
	}
	return e.part(complex.Re, a[0])
}

func (e *element) imag(a []*ir.Value) *ir.Value {
	if complexOf(a[0].Type()) == nil {
		return e.number(a[0].Type(), 0)
	}
	return e.part(complex.Im, a[0])
}

func (e *element) cbrt(a []*ir.Value) *ir.Value {
	t := a[0].Type()
	if complexOf(t) == nil {
		return e.New(math.Cbrt, a[0])
	}
	return e.New(complex.Pow, a[0], e.number(t, 1.0/3))
}

func (e *element) isFinite(a []*ir.Value) *ir.Value {
	t, ok := a[0].Type().(*ir.FloatType)
	if !ok {
		return nil
	}
	largest := arith.NewConstant(e.Builder, e.Context().FloatBits(t, t.Format.MaxFinite(), 0)).Result(0)
	return e.cmpF(arith.OLE, e.New(math.AbsF, a[0]), largest)
}

func (e *element) logistic(a []*ir.Value) *ir.Value {
	t := a[0].Type()
	one := e.number(t, 1)
	if complexOf(t) != nil {
		return e.New(complex.Div, one, e.New(complex.Add, one, e.New(complex.Exp, e.New(complex.Neg, a[0]))))
	}
	return e.New(arith.DivF, one, e.New(arith.AddF, one, e.New(math.Exp, e.New(arith.NegF, a[0]))))
}

func (e *element) sign(a []*ir.Value) *ir.Value {
	v := a[0]
	t := v.Type()
	switch {
	case complexOf(t) != nil:
		return e.complexSign(v)
	case ir.IsFloat(t):
		// Zeros keep their sign, and NaN is what it is.
		zero := e.number(t, 0)
		return e.choose(e.cmpF(arith.ONE, v, zero), e.New(math.CopySign, e.number(t, 1), v), v)
	}
	zero, one := e.integer(t, 0), e.integer(t, 1)
	positive := e.choose(e.cmpI(arith.EQ, v, zero), zero, one)
	if stablehlo.IsUnsigned(e.in[0]) {
		return positive
	}
	return e.choose(e.cmpI(arith.SLT, v, zero), e.integer(t, -1), positive)
}

// complexSign is the number of length 1 in the same direction, which is NaN if a part is, and 0 of 0.
func (e *element) complexSign(v *ir.Value) *ir.Value {
	part := complexOf(v.Type()).Elem
	re, im := e.part(complex.Re, v), e.part(complex.Im, v)
	unknown := e.cmpF(arith.UNO, re, im)
	nan := e.number(part, gomath.NaN())
	return e.choose(unknown, complex.NewCreate(e.Builder, nan, nan), e.New(complex.Sign, v))
}

// extreme is the larger or the smaller one of two numbers.
func (e *element) extreme(x, y *ir.Value, largest bool) *ir.Value {
	pick := func(a, b *ir.OpID) *ir.OpID {
		if largest {
			return a
		}
		return b
	}
	switch t := x.Type(); {
	case complexOf(t) != nil:
		less := e.before(x, y, false)
		if largest {
			return e.choose(less, y, x)
		}
		return e.choose(less, x, y)
	case ir.IsFloat(t):
		return e.New(pick(arith.MaximumF, arith.MinimumF), x, y)
	case stablehlo.IsUnsigned(e.in[0]):
		return e.New(pick(arith.MaxUI, arith.MinUI), x, y)
	}
	return e.New(pick(arith.MaxSI, arith.MinSI), x, y)
}

// before tells whether a complex number comes before another one, or is the same: by the real parts, and by the imaginary ones
// where these are the same.
func (e *element) before(x, y *ir.Value, orSame bool) *ir.Value {
	p := arith.OLT
	if orSame {
		p = arith.OLE
	}
	a, b := e.part(complex.Re, x), e.part(complex.Re, y)
	c, d := e.part(complex.Im, x), e.part(complex.Im, y)
	return e.choose(e.cmpF(arith.OEQ, a, b), e.cmpF(p, c, d), e.cmpF(arith.OLT, a, b))
}

var predicates = map[uint64]struct {
	float            arith.FloatPredicate
	signed, unsigned arith.IntPredicate
}{
	stablehlo.EQ: {arith.OEQ, arith.EQ, arith.EQ},
	stablehlo.NE: {arith.UNE, arith.NE, arith.NE},
	stablehlo.GE: {arith.OGE, arith.SGE, arith.UGE},
	stablehlo.GT: {arith.OGT, arith.SGT, arith.UGT},
	stablehlo.LE: {arith.OLE, arith.SLE, arith.ULE},
	stablehlo.LT: {arith.OLT, arith.SLT, arith.ULT},
}

func (e *element) compare(a []*ir.Value) *ir.Value {
	direction := e.enumValue("comparison_direction", stablehlo.EQ)
	p := predicates[direction]
	switch t := a[0].Type(); {
	case complexOf(t) != nil:
		return e.compareComplex(direction, a)
	case ir.IsFloat(t):
		if e.enumValue("compare_type", 0) == stablehlo.TotalOrder {
			return e.cmpI(p.signed, e.ordered(a[0]), e.ordered(a[1]))
		}
		return e.cmpF(p.float, a[0], a[1])
	case stablehlo.IsUnsigned(e.in[0]):
		return e.cmpI(p.unsigned, a[0], a[1])
	}
	return e.cmpI(p.signed, a[0], a[1])
}

func (e *element) compareComplex(direction uint64, a []*ir.Value) *ir.Value {
	x, y := a[0], a[1]
	switch direction {
	case stablehlo.EQ:
		return e.CreateOp(complex.Equal, []ir.Type{ir.I1}, a).Result(0)
	case stablehlo.NE:
		return e.CreateOp(complex.NotEqual, []ir.Type{ir.I1}, a).Result(0)
	case stablehlo.GE, stablehlo.GT:
		x, y = y, x
	}
	return e.before(x, y, direction == stablehlo.GE || direction == stablehlo.LE)
}

// bits returns the bits of a floating-point number as an integer.
func (e *element) bits(v *ir.Value) *ir.Value {
	return arith.NewCast(e.Builder, arith.Bitcast, e.Context().Integer(v.Type().(*ir.FloatType).Width), v)
}

// ordered returns an integer by which floating-point numbers are in total order: -NaN, the negative ones, -0, 0, the positive ones, NaN.
func (e *element) ordered(v *ir.Value) *ir.Value {
	n := e.bits(v)
	t := n.Type().(*ir.IntegerType)
	sign := e.New(arith.ShRSI, n, e.integer(t, int64(t.Width-1)))
	return e.New(arith.XOrI, n, e.New(arith.ShRUI, sign, e.integer(t, 1)))
}

// divide divides; integers by zero to -1, and the least number by -1 to itself.
func (e *element) divide(a []*ir.Value) *ir.Value {
	switch t := a[0].Type(); {
	case ir.IsFloat(t):
		return e.New(arith.DivF, a...)
	case complexOf(t) != nil:
		return e.New(complex.Div, a...)
	}
	zero, divisor := e.divisor(a)
	id := arith.DivSI
	if stablehlo.IsUnsigned(e.in[0]) {
		id = arith.DivUI
	}
	return e.choose(zero, e.integer(a[0].Type(), -1), e.New(id, a[0], divisor))
}

// remainder is what is left of a division, with the sign of the dividend; it is that where the divisor is zero.
func (e *element) remainder(a []*ir.Value) *ir.Value {
	switch t := a[0].Type(); {
	case ir.IsFloat(t):
		return e.New(arith.RemF, a...)
	case complexOf(t) != nil:
		return nil
	}
	zero, divisor := e.divisor(a)
	id := arith.RemSI
	if stablehlo.IsUnsigned(e.in[0]) {
		id = arith.RemUI
	}
	return e.choose(zero, a[0], e.New(id, a[0], divisor))
}

// divisor returns whether the divisor is zero, and one that there is a quotient for: 1 in its place, and in that of -1 for
// the least number.
func (e *element) divisor(a []*ir.Value) (zero, safe *ir.Value) {
	t := a[1].Type().(*ir.IntegerType)
	zero = e.cmpI(arith.EQ, a[1], e.integer(t, 0))
	bad := zero
	if !stablehlo.IsUnsigned(e.in[0]) {
		least := e.cmpI(arith.EQ, a[0], e.integer(t, -1<<(t.Width-1)))
		bad = e.New(arith.OrI, zero, e.New(arith.AndI, least, e.cmpI(arith.EQ, a[1], e.integer(t, -1))))
	}
	return zero, e.choose(bad, e.integer(t, 1), a[1])
}

// shift shifts; by as many bits as there are or more to zero.
func (e *element) shift(id *ir.OpID, a []*ir.Value) *ir.Value {
	t, ok := a[0].Type().(*ir.IntegerType)
	if !ok {
		return nil
	}
	zero := e.integer(t, 0)
	fits := e.cmpI(arith.ULT, a[1], e.integer(t, int64(t.Width)))
	return e.choose(fits, e.New(id, a[0], e.choose(fits, a[1], zero)), zero)
}

// shiftArithmetic shifts to the right; by as many bits as there are or more to copies of the sign.
func (e *element) shiftArithmetic(a []*ir.Value) *ir.Value {
	t, ok := a[0].Type().(*ir.IntegerType)
	if !ok {
		return nil
	}
	return e.New(arith.ShRSI, a[0], e.New(arith.MinUI, a[1], e.integer(t, int64(t.Width-1))))
}

// entered makes a value of a type of elements one that operations on scalars know: signless integers. It undoes what leave does.
func enter(b *ir.Builder, v *ir.Value, signless ir.Type) *ir.Value {
	if v.Type() == signless {
		return v
	}
	return builtin.NewUnrealizedConversionCast(b, []ir.Type{signless}, v).Result(0)
}

// plain returns the type that elements have without what only operations of stablehlo know: signs and quantization.
func plain(c *ir.Context, t ir.Type) ir.Type {
	switch x := t.(type) {
	case *ir.IntegerType:
		return c.Integer(x.Width)
	case *ir.OpaqueType, *ir.DialectType:
		if q := quant.Of(t); q != nil {
			return c.Integer(q.Width)
		}
	}
	return t
}

// isComputable tells whether there are operations on elements of a type, if they are complex: on those with parts that are floats.
func isComputable(t ir.Type) bool {
	z := complexOf(t)
	return z == nil || ir.IsFloat(z.Elem)
}

// compute computes an element of an operation from those of its operands, of which quantized ones are the numbers that they stand for; nil if that isn't defined.
func (l *lowering) compute(op *ir.Op, args []*ir.Value, quantizations func(t ir.Type) *quantization) *ir.Value {
	fn := scalars[op.ID()]
	if fn == nil {
		return nil
	}
	b := l.b
	c := b.Context()
	e := &element{Builder: b, op: op, out: ir.ElementType(op.Result(0).Type())}
	list := make([]*ir.Value, len(args))
	moves := op.Is(stablehlo.Select)
	for i, a := range args {
		t := ir.ElementType(op.Operand(i).Type())
		if !isComputable(t) {
			return nil
		}
		list[i] = enter(b, a, plain(c, t))
		if q := quantizations(op.Operand(i).Type()); q != nil && !moves {
			list[i], t = q.dequantize(e, list[i]), q.Expressed
		}
		e.in = append(e.in, t)
	}
	result := e.out
	q := quantizations(op.Result(0).Type())
	if q != nil && !moves {
		e.out = q.Expressed
	}
	v := fn(e, list)
	if v == nil {
		return nil
	}
	if q != nil && !moves {
		v = q.quantize(e, v)
	}
	return enter(b, v, result)
}
