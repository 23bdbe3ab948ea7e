package linalg

import (
	"fmt"

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

// scalarOps names the operations that compute a function, by the class of its
// operands; "" where there is none.
type scalarOps struct{ float, int, bool, complex string }

var unaryOps = map[string]string{
	"exp": "math.exp", "log": "math.log", "abs": "math.absf", "ceil": "math.ceil", "floor": "math.floor", "negf": "arith.negf",
	"round": "math.round", "sqrt": "math.sqrt", "rsqrt": "math.rsqrt", "tanh": "math.tanh", "erf": "math.erf",
}

var binaryOps = map[string]scalarOps{
	"add":          {"arith.addf", "arith.addi", "arith.ori", "complex.add"},
	"sub":          {"arith.subf", "arith.subi", "", "complex.sub"},
	"mul":          {"arith.mulf", "arith.muli", "arith.andi", "complex.mul"},
	"div":          {"arith.divf", "arith.divsi", "", "complex.div"},
	"div_unsigned": {"", "arith.divui", "", ""},
	"max_signed":   {"arith.maximumf", "arith.maxsi", "arith.maxsi", ""},
	"min_signed":   {"arith.minimumf", "arith.minsi", "arith.minsi", ""},
	"max_unsigned": {"arith.maximumf", "arith.maxui", "arith.maxui", ""},
	"min_unsigned": {"arith.minimumf", "arith.minui", "arith.minui", ""},
	"powf":         {"math.powf", "", "", ""},
}

// scalarBuilder writes the body of a named operation.
type scalarBuilder struct {
	b    *ir.Builder
	args []*ir.Value
	attr func(name string) ir.Attribute
}

func (s *scalarBuilder) fn(e *scalar) string {
	if e.attr != "" {
		if a, ok := s.attr(e.attr).(*ir.EnumAttr); ok {
			return a.Keyword()
		}
	}
	return e.fn
}

func (s *scalarBuilder) create(name string, t ir.Type, operands ...*ir.Value) (*ir.Value, error) {
	n := s.b.Context().OpName(name)
	if n == nil {
		return nil, fmt.Errorf("operation '%s', which the body needs, is not registered", name)
	}
	return s.b.Create(ir.OpState{Name: n, Loc: s.b.Loc, Operands: operands, Types: []ir.Type{t}}).Result(0), nil
}

func (s *scalarBuilder) constant(a ir.Attribute, t ir.Type) (*ir.Value, error) {
	n := s.b.Context().OpName("arith.constant")
	if n == nil {
		return nil, fmt.Errorf("operation 'arith.constant', which the body needs, is not registered")
	}
	return s.b.Create(ir.OpState{Name: n, Loc: s.b.Loc, Types: []ir.Type{t},
		Attrs: []ir.NamedAttr{{Name: "value", Value: a}}}).Result(0), nil
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
	c := s.b.Context()
	switch e.kind {
	case argScalar:
		return s.args[e.arg], nil
	case constScalar:
		a := e.number(c)
		return s.constant(a, ir.TypeOfAttr(a))
	case indexScalar:
		return s.b.CreateOp(Index, []ir.Type{ir.Index}, nil, ir.NamedAttr{Name: "dim", Value: c.I64Attr(int64(e.arg))}).Result(0), nil
	case unaryScalar:
		return s.unary(s.fn(e), xs[0])
	case binaryScalar:
		return s.binary(s.fn(e), xs[0], xs[1])
	case ternaryScalar:
		return s.create("arith.select", xs[1].Type(), xs[0], xs[1], xs[2])
	}
	to := e.toType
	if to == nil {
		to = s.args[e.to].Type()
	}
	return s.cast(xs[0], to, s.fn(e) == "cast_unsigned")
}

func (s *scalarBuilder) unary(fn string, x *ir.Value) (*ir.Value, error) {
	t, ok := x.Type().(*ir.FloatType)
	if !ok {
		return nil, fmt.Errorf("function %s is not defined for type '%s'", fn, x.Type())
	}
	switch fn {
	case "reciprocal":
		one, err := s.constant(s.b.Context().FloatAttr(t, 1), t)
		if err != nil {
			return nil, err
		}
		return s.create("arith.divf", t, one, x)
	case "square":
		return s.create("arith.mulf", t, x, x)
	}
	return s.create(unaryOps[fn], t, x)
}

func (s *scalarBuilder) binary(fn string, x, y *ir.Value) (*ir.Value, error) {
	ops, name := binaryOps[fn], ""
	_, cx := x.Type().(*ir.ComplexType)
	_, cy := y.Type().(*ir.ComplexType)
	switch {
	case cx && cy:
		name = ops.complex
	case ir.IsFloat(x.Type()) && ir.IsFloat(y.Type()):
		name = ops.float
	case x.Type() == ir.Type(ir.I1) && y.Type() == ir.Type(ir.I1):
		name = ops.bool
	case ir.IsInteger(x.Type()) && ir.IsInteger(y.Type()):
		name = ops.int
	}
	if name == "" {
		return nil, fmt.Errorf("function %s is not defined for types '%s' and '%s'", fn, x.Type(), y.Type())
	}
	return s.create(name, x.Type(), x, y)
}

// cast converts between integer and floating-point types; what can't be
// converted stays as it is.
func (s *scalarBuilder) cast(x *ir.Value, to ir.Type, unsigned bool) (*ir.Value, error) {
	from := x.Type()
	if from == to {
		return x, nil
	}
	pick := func(ifUnsigned, ifSigned string) string {
		if unsigned {
			return ifUnsigned
		}
		return ifSigned
	}
	name := ""
	switch to := to.(type) {
	case *ir.IntegerType:
		switch from := from.(type) {
		case *ir.FloatType:
			name = pick("arith.fptoui", "arith.fptosi")
		case *ir.IndexType:
			name = "arith.index_cast"
		case *ir.IntegerType:
			if to.Width > from.Width {
				name = pick("arith.extui", "arith.extsi")
			} else if to.Width < from.Width {
				name = "arith.trunci"
			}
		}
	case *ir.FloatType:
		switch from := from.(type) {
		case *ir.IntegerType:
			name = pick("arith.uitofp", "arith.sitofp")
		case *ir.FloatType:
			if to.Width > from.Width {
				name = "arith.extf"
			} else if to.Width < from.Width {
				name = "arith.truncf"
			}
		}
	case *ir.ComplexType:
		return s.castComplex(x, to, unsigned)
	}
	if name == "" {
		return x, nil
	}
	return s.create(name, to, x)
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
		im, err := s.constant(s.b.Context().FloatAttr(elem, 0), elem)
		if err != nil {
			return nil, err
		}
		return s.create("complex.create", to, re, im)
	}
	return x, nil
}
