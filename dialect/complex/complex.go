// Package complex defines the complex dialect: arithmetic on complex numbers.
package complex

import (
	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
)

// Dialect is the complex dialect.
var Dialect = &ir.Dialect{
	Name: "complex",
	Ops: []*ir.OpDef{
		Abs, Add, Angle, Atan2, Bitcast, Conj, Constant, Cos, Create, Div, Equal, Exp, Expm1, Im, Log, Log1p, Mul,
		Neg, NotEqual, Pow, Re, Rsqrt, Sign, Sin, Sqrt, Sub, Tan, Tanh,
	},
	PrintAttr: printNumber,
	Models: []ir.Model{
		exec.DialectModels.Model(execute),
		exec.DialectElementwise.Model(elementwise),
		iface.ConstantMaterializer.Model(materialize),
		iface.Inliner.Model(inliner{}),
		asm.AttrParser.Model(parseNumber),
	},
}

var complexOfFloat = constraint.ComplexOf(constraint.AnyFloat)

func binary(name string) *ir.OpDef {
	return &ir.OpDef{
		Name:     "complex." + name,
		Operands: []ir.OperandDef{{Name: "lhs", Type: complexOfFloat}, {Name: "rhs", Type: complexOfFloat}},
		Results:  []ir.ResultDef{{Name: "result", Type: complexOfFloat}},
		Attrs:    []ir.AttrDef{arith.FastMathAttr},
		Traits:   ir.TraitPure | ir.TraitSameOperandsAndResultType | ir.TraitElementwise,
		Format:   "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
	}
}

func unaryTo(name, result string, t ir.TypeConstraint) *ir.OpDef {
	return &ir.OpDef{
		Name:     "complex." + name,
		Operands: []ir.OperandDef{{Name: "complex", Type: complexOfFloat}},
		Results:  []ir.ResultDef{{Name: result, Type: t}},
		Attrs:    []ir.AttrDef{arith.FastMathAttr},
		Traits:   ir.TraitPure | ir.TraitElementwise,
		Format:   "$complex (`fastmath` `` $fastmath^)? attr-dict `:` type($complex)",
	}
}

func unary(name string) *ir.OpDef {
	def := unaryTo(name, "result", complexOfFloat)
	def.Traits |= ir.TraitSameOperandsAndResultType
	return def
}

// part is an operation whose result is a real number.
func part(name, result string) *ir.OpDef {
	def := unaryTo(name, result, constraint.AnyFloat)
	def.TypeRules = []ir.TypeRule{{
		From: "complex", To: result, Transform: elementType,
		Summary: "complex element type matches result type",
	}}
	def.InferTypes = func(s *ir.OpState) ([]ir.Type, error) {
		return []ir.Type{elementType(s.Operands[0].Type())}, nil
	}
	return def
}

func elementType(t ir.Type) ir.Type {
	if c, ok := t.(*ir.ComplexType); ok {
		return c.Elem
	}
	return nil
}

func comparison(name string) *ir.OpDef {
	return &ir.OpDef{
		Name:       "complex." + name,
		Operands:   []ir.OperandDef{{Name: "lhs", Type: complexOfFloat}, {Name: "rhs", Type: complexOfFloat}},
		Results:    []ir.ResultDef{{Name: "result", Type: constraint.I1}},
		Traits:     ir.TraitPure | ir.TraitElementwise,
		TypeRules:  []ir.TypeRule{{Same: []string{"lhs", "rhs"}, Summary: "all of {lhs, rhs} have same type"}},
		Format:     "$lhs `,` $rhs attr-dict `:` type($lhs)",
		InferTypes: func(*ir.OpState) ([]ir.Type, error) { return []ir.Type{ir.I1}, nil },
	}
}

// Arithmetic and functions of two numbers.
var (
	Add      = binary("add")
	Sub      = binary("sub")
	Mul      = binary("mul")
	Div      = binary("div")
	Atan2    = binary("atan2")
	Pow      = binary("pow")
	Equal    = comparison("eq")
	NotEqual = comparison("neq")
)

// Functions of one number.
var (
	Conj  = unary("conj")
	Cos   = unary("cos")
	Exp   = unary("exp")
	Expm1 = unary("expm1")
	Log   = unary("log")
	Log1p = unary("log1p")
	Neg   = unary("neg")
	Rsqrt = unary("rsqrt")
	Sign  = unary("sign")
	Sin   = unary("sin")
	Sqrt  = unary("sqrt")
	Tan   = unary("tan")
	Tanh  = unary("tanh")
	Abs   = part("abs", "result")
	Angle = part("angle", "result")
	Re    = part("re", "real")
	Im    = part("im", "imaginary")
)

// Create is complex.create, the number with a given real and imaginary part.
var Create = &ir.OpDef{
	Name:     "complex.create",
	Operands: []ir.OperandDef{{Name: "real", Type: constraint.AnyFloat}, {Name: "imaginary", Type: constraint.AnyFloat}},
	Results:  []ir.ResultDef{{Name: "complex", Type: complexOfFloat}},
	Traits:   ir.TraitPure,
	TypeRules: []ir.TypeRule{
		{Same: []string{"real", "imaginary"}, Summary: "all of {real, imaginary} have same type"},
		{From: "complex", To: "real", Transform: elementType, Summary: "complex element type matches real operand type"},
		{From: "complex", To: "imaginary", Transform: elementType, Summary: "complex element type matches imaginary operand type"},
	},
	Format: "$real `,` $imaginary attr-dict `:` type($complex)",
}

// Constant is complex.constant; its value is an array of the two parts.
var Constant = &ir.OpDef{
	Name:    "complex.constant",
	Results: []ir.ResultDef{{Name: "complex", Type: constraint.AnyComplex}},
	Attrs:   []ir.AttrDef{{Name: "value", Type: constraint.ArrayAttr}},
	Traits:  ir.TraitPure | ir.TraitConstantLike,
	Format:  "$value attr-dict `:` type($complex)",
	Verify:  verifyConstant,
	Models: []ir.Model{asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) {
		name(op.Result(0), "cst")
	})},
}

// Bitcast is complex.bitcast, a cast between a complex type and an integer or
// floating-point type of the same width.
var Bitcast = &ir.OpDef{
	Name:     "complex.bitcast",
	Operands: []ir.OperandDef{{Name: "operand", Type: constraint.AnyType}},
	Results:  []ir.ResultDef{{Name: "result", Type: constraint.AnyType}},
	Traits:   ir.TraitPure,
	Format:   "$operand attr-dict `:` type($operand) `to` type($result)",
	Verify:   verifyBitcast,
}

// NewCreate creates the number with the given parts and returns it.
func NewCreate(b *ir.Builder, re, im *ir.Value) *ir.Value {
	return b.CreateOp(Create, []ir.Type{b.Context().Complex(re.Type())}, []*ir.Value{re, im}).Result(0)
}

func isConstantValue(value ir.Attribute, t ir.Type) bool {
	arr, ok := value.(*ir.ArrayAttr)
	c, isComplex := t.(*ir.ComplexType)
	return ok && isComplex && len(arr.Elems) == 2 &&
		ir.TypeOfAttr(arr.Elems[0]) == c.Elem && ir.TypeOfAttr(arr.Elems[1]) == c.Elem
}

func verifyConstant(op *ir.Op) error {
	elems := op.Prop(0).(*ir.ArrayAttr).Elems
	if len(elems) != 2 {
		return op.Errorf("requires 'value' to be a complex constant, represented as array of two values")
	}
	t := op.Result(0).Type().(*ir.ComplexType).Elem
	re, im := ir.TypeOfAttr(elems[0]), ir.TypeOfAttr(elems[1])
	if !isNumber(elems[0]) || !isNumber(elems[1]) {
		return op.Errorf("requires attribute's elements to be float or integer attributes")
	}
	if re != t || im != t {
		return op.Errorf("requires attribute's element types (%s, %s) to match the element type of the op's return type (%s)", quoted(re), quoted(im), quoted(t))
	}
	return nil
}

func isNumber(a ir.Attribute) bool {
	switch a.(type) {
	case *ir.IntegerAttr, *ir.FloatAttr:
		return true
	}
	return false
}

func quoted(t ir.Type) string { return "'" + t.String() + "'" }

func isComplexType(t ir.Type) bool { _, ok := t.(*ir.ComplexType); return ok }

func verifyBitcast(op *ir.Op) error {
	in, out := op.Operand(0).Type(), op.Result(0).Type()
	if in == out { // folds away
		return nil
	}
	for i, t := range []ir.Type{in, out} {
		if !isComplexType(t) && !ir.IsFloat(t) && !ir.IsInteger(t) {
			return op.Errorf("%s must be int/float/complex", [...]string{"operand", "result"}[i])
		}
	}
	if isComplexType(in) == isComplexType(out) {
		return op.Errorf("requires that either input or output has a complex type")
	}
	if wi, wo := width(in), width(out); wi != wo {
		return op.Errorf("casting bitwidths do not match")
	}
	return nil
}

func width(t ir.Type) int {
	switch t := t.(type) {
	case *ir.ComplexType:
		return 2 * width(t.Elem)
	case *ir.FloatType:
		return t.Width
	case *ir.IntegerType:
		return t.Width
	}
	return 0
}

// materialize creates the constant for a folded attribute: a complex number, or a
// part of one.
func materialize(b *ir.Builder, value ir.Attribute, t ir.Type) *ir.Op {
	if isConstantValue(value, t) {
		return b.CreateOp(Constant, []ir.Type{t}, nil, ir.NamedAttr{Name: "value", Value: value})
	}
	m, _ := iface.ConstantMaterializer.OfDialect(arith.Dialect)
	return m(b, value, t)
}

type inliner struct{}

func (inliner) LegalCall(call, callee *ir.Op) bool                     { return true }
func (inliner) LegalOp(op *ir.Op, dest *ir.Region) bool                { return true }
func (inliner) Terminator(*ir.Builder, *ir.Op, *ir.Block, []*ir.Value) {}
