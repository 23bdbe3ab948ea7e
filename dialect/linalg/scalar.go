package linalg

import (
	"errors"
	"fmt"

	"freehold/dialect/arith"
	complexd "freehold/dialect/complex"
	"freehold/dialect/math"
	"freehold/ir"
)

// scalar is an expression over the arguments of a body: what a named operation
// computes for one point of its iteration space.
type scalar struct {
	kind scalarKind
	fn   string // keyword of the function
	attr string // attribute that overrides fn, if the operation has it
	arg  int
	args []*scalar
	// to is the argument whose type a cast has; toType is that type if it doesn't
	// depend on the operands.
	to     int
	toType ir.Type
	number func(c *ir.Context) ir.Attribute
}

type scalarKind uint8

const (
	argScalar scalarKind = iota
	unaryScalar
	binaryScalar
	ternaryScalar
	castScalar
	constScalar
	indexScalar
)

func arg(i int) *scalar { return &scalar{kind: argScalar, arg: i} }

func unary(fn string, x *scalar) *scalar {
	return &scalar{kind: unaryScalar, fn: fn, args: []*scalar{x}}
}

func binary(fn string, x, y *scalar) *scalar {
	return &scalar{kind: binaryScalar, fn: fn, args: []*scalar{x, y}}
}

func ternary(fn string, x, y, z *scalar) *scalar {
	return &scalar{kind: ternaryScalar, fn: fn, args: []*scalar{x, y, z}}
}

// orAttr lets the attribute choose the function.
func (s *scalar) orAttr(name string) *scalar {
	s.attr = name
	return s
}

// cast converts x, as a signed number, to the type of argument to.
func cast(to int, x *scalar) *scalar {
	return &scalar{kind: castScalar, fn: "cast_signed", to: to, args: []*scalar{x}}
}

func castUnsigned(to int, x *scalar) *scalar {
	return &scalar{kind: castScalar, fn: "cast_unsigned", to: to, args: []*scalar{x}}
}

// castTo converts x to a fixed type.
func castTo(t ir.Type, x *scalar) *scalar {
	return &scalar{kind: castScalar, fn: "cast_signed", toType: t, args: []*scalar{x}}
}

func intNumber(v int64) *scalar {
	return &scalar{kind: constScalar, number: func(c *ir.Context) ir.Attribute { return c.I64Attr(v) }}
}

func floatNumber(v float64) *scalar {
	return &scalar{kind: constScalar, number: func(c *ir.Context) ir.Attribute { return c.FloatAttr(ir.F64, v) }}
}

func indexOf(dim int) *scalar { return &scalar{kind: indexScalar, arg: dim} }

// scalarOps are the operations that compute a function, by the class of its operands;
// nil where there is none.
type scalarOps struct{ float, int, bool, complex *ir.OpID }

var unaryOps = map[string]*ir.OpID{
	"exp": math.Exp, "log": math.Log, "abs": math.AbsF, "ceil": math.Ceil, "floor": math.Floor, "negf": arith.NegF,
	"round": math.Round, "sqrt": math.Sqrt, "rsqrt": math.Rsqrt, "tanh": math.Tanh, "erf": math.Erf,
}

var binaryOps = map[string]scalarOps{
	"add":          {arith.AddF, arith.AddI, arith.OrI, complexd.Add},
	"sub":          {arith.SubF, arith.SubI, nil, complexd.Sub},
	"mul":          {arith.MulF, arith.MulI, arith.AndI, complexd.Mul},
	"div":          {arith.DivF, arith.DivSI, nil, complexd.Div},
	"div_unsigned": {nil, arith.DivUI, nil, nil},
	"max_signed":   {arith.MaximumF, arith.MaxSI, arith.MaxSI, nil},
	"min_signed":   {arith.MinimumF, arith.MinSI, arith.MinSI, nil},
	"max_unsigned": {arith.MaximumF, arith.MaxUI, arith.MaxUI, nil},
	"min_unsigned": {arith.MinimumF, arith.MinUI, arith.MinUI, nil},
	"powf":         {math.PowF, nil, nil, nil},
}

// scalarBuilder writes the body of a named operation.
type scalarBuilder struct {
	ctx  *ir.Context
	args []*ir.Value
	op   attributed
	// b creates operations. If it is nil, those of a block are followed instead: next is to be what
	// would be created.
	b    *ir.Builder
	next *ir.Op
}

// attributed is what has the attributes of an operation: itself, or its state before it is made.
type attributed interface {
	Attr(name string) ir.Attribute
}

// errOther tells that a block that is followed has another operation.
var errOther = errors.New("the body has another operation")

func (s *scalarBuilder) fn(e *scalar) string {
	if e.attr != "" {
		if a, ok := s.op.Attr(e.attr).(*ir.EnumAttr); ok {
			return a.Keyword()
		}
	}
	return e.fn
}

// registered says what is wrong if the context doesn't know an operation that the body needs.
func (s *scalarBuilder) registered(id *ir.OpID) error {
	if s.ctx.OpName(id.String()) == nil {
		return fmt.Errorf("operation '%s', which the body needs, is not registered", id)
	}
	return nil
}

func (s *scalarBuilder) create(id *ir.OpID, t ir.Type, operands ...*ir.Value) (*ir.Value, error) {
	if s.b == nil {
		return s.follow(id, t, ir.NamedAttr{}, operands...)
	}
	if err := s.registered(id); err != nil {
		return nil, err
	}
	return s.b.CreateOp(id, []ir.Type{t}, operands).Result(0), nil
}

// follow returns the result of the next operation of a block, which has to be as it would be
// created with these operands and one attribute.
func (s *scalarBuilder) follow(id *ir.OpID, t ir.Type, attr ir.NamedAttr, operands ...*ir.Value) (*ir.Value, error) {
	op := s.next
	if op == nil || !op.Is(id) || op.NumResults() != 1 || op.Result(0).Type() != t || op.NumOperands() != len(operands) || len(op.DiscardableAttrs()) > 0 {
		return nil, errOther
	}
	for i, v := range operands {
		if op.Operand(i) != v {
			return nil, errOther
		}
	}
	for i, d := range op.Def().Attrs {
		var want ir.Attribute
		switch {
		case d.Name == attr.Name:
			want = attr.Value
		case d.Default != nil:
			want = d.Default(s.ctx)
		}
		if op.Prop(i) != want {
			return nil, errOther
		}
	}
	s.next = op.Next()
	return op.Result(0), nil
}

func (s *scalarBuilder) constant(a ir.Attribute) (*ir.Value, error) {
	if s.b == nil {
		return s.follow(arith.Constant, ir.TypeOfAttr(a), ir.NamedAttr{Name: "value", Value: a})
	}
	if err := s.registered(arith.Constant); err != nil {
		return nil, err
	}
	return arith.NewConstant(s.b, a).Result(0), nil
}

// build writes the expression, operands first, and returns its value.
func (s *scalarBuilder) build(e *scalar) (*ir.Value, error) {
	var xs [3]*ir.Value
	for i, a := range e.args {
		v, err := s.build(a)
		if err != nil {
			return nil, err
		}
		xs[i] = v
	}
	c := s.ctx
	switch e.kind {
	case argScalar:
		return s.args[e.arg], nil
	case constScalar:
		a := e.number(c)
		return s.constant(a)
	case indexScalar:
		dim := ir.NamedAttr{Name: "dim", Value: c.I64Attr(int64(e.arg))}
		if s.b == nil {
			return s.follow(Index, ir.Index, dim)
		}
		return s.b.CreateOp(Index, []ir.Type{ir.Index}, nil, dim).Result(0), nil
	case unaryScalar:
		return s.unary(s.fn(e), xs[0])
	case binaryScalar:
		return s.binary(s.fn(e), xs[0], xs[1])
	case ternaryScalar:
		return s.create(arith.Select, xs[1].Type(), xs[0], xs[1], xs[2])
	}
	to := e.toType
	if to == nil {
		to = s.args[e.to].Type()
	}
	return s.cast(xs[0], to, s.fn(e) == "cast_unsigned")
}

func (s *scalarBuilder) unary(fn string, x *ir.Value) (*ir.Value, error) {
	t := x.Type()
	switch fn {
	case "reciprocal":
		elem, ok := numberOf(t).(*ir.FloatType)
		if !ok {
			return nil, fmt.Errorf("function %s is not defined for type '%s'", fn, t)
		}
		var one ir.Attribute = s.ctx.FloatAttr(elem, 1)
		if t != ir.Type(elem) {
			one = s.ctx.DenseElements(t, ir.AppendElement(nil, one))
		}
		c, err := s.constant(one)
		if err != nil {
			return nil, err
		}
		return s.create(arith.DivF, t, c, x)
	case "square":
		return s.create(arith.MulF, t, x, x)
	}
	return s.create(unaryOps[fn], t, x)
}

func (s *scalarBuilder) binary(fn string, x, y *ir.Value) (*ir.Value, error) {
	ops := binaryOps[fn]
	var id *ir.OpID
	tx, ty := numberOf(x.Type()), numberOf(y.Type())
	_, cx := tx.(*ir.ComplexType)
	_, cy := ty.(*ir.ComplexType)
	switch {
	case cx && cy:
		id = ops.complex
	case ir.IsFloat(tx) && ir.IsFloat(ty):
		id = ops.float
	case tx == ir.Type(ir.I1) && ty == ir.Type(ir.I1):
		id = ops.bool
	}
	if id == nil {
		id = ops.int // which the verifier refuses where it isn't one for these types, as in MLIR
	}
	if id == nil {
		id = ops.float
	}
	return s.create(id, x.Type(), x, y)
}

// numberOf returns the type of the elements of a vector, or the type itself: the
// elements of operands may be vectors.
func numberOf(t ir.Type) ir.Type {
	if v, ok := t.(*ir.VectorType); ok {
		return v.Elem
	}
	return t
}

// cast converts between integer and floating-point types; what can't be
// converted stays as it is.
func (s *scalarBuilder) cast(x *ir.Value, to ir.Type, unsigned bool) (*ir.Value, error) {
	from := x.Type()
	if from == to {
		return x, nil
	}
	pick := func(ifUnsigned, ifSigned *ir.OpID) *ir.OpID {
		if unsigned {
			return ifUnsigned
		}
		return ifSigned
	}
	var id *ir.OpID
	switch to := to.(type) {
	case *ir.IntegerType:
		switch from := from.(type) {
		case *ir.FloatType:
			id = pick(arith.FPToUI, arith.FPToSI)
		case *ir.IndexType:
			id = arith.IndexCast
		case *ir.IntegerType:
			if to.Width > from.Width {
				id = pick(arith.ExtUI, arith.ExtSI)
			} else if to.Width < from.Width {
				id = arith.TruncI
			}
		}
	case *ir.FloatType:
		switch from := from.(type) {
		case *ir.IntegerType:
			id = pick(arith.UIToFP, arith.SIToFP)
		case *ir.FloatType:
			if to.Width > from.Width {
				id = arith.ExtF
			} else if to.Width < from.Width {
				id = arith.TruncF
			}
		}
	case *ir.ComplexType:
		return s.castComplex(x, to, unsigned)
	}
	if id == nil {
		return x, nil
	}
	return s.create(id, to, x)
}

func (s *scalarBuilder) castComplex(x *ir.Value, to *ir.ComplexType, unsigned bool) (*ir.Value, error) {
	elem, ok := to.Elem.(*ir.FloatType)
	if !ok {
		return x, nil
	}
	switch x.Type().(type) {
	case *ir.FloatType, *ir.IntegerType:
		re, err := s.cast(x, elem, unsigned)
		if err != nil || re.Type() != to.Elem {
			return x, err
		}
		im, err := s.constant(s.ctx.FloatAttr(elem, 0))
		if err != nil {
			return nil, err
		}
		return s.create(complexd.Create, to, re, im)
	}
	return x, nil
}
