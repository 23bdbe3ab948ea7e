// Package complex defines the complex dialect: arithmetic on complex numbers.
package complex

import (
	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/internal/elementary"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// Dialect is the complex dialect.
var Dialect = &ir.Dialect{
	Name: "complex",
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{
			absDef(), addDef(), angleDef(), atan2Def(), bitcastDef(), conjDef(), constantDef(), cosDef(), createDef(), divDef(), equalDef(), expDef(), expm1Def(), imDef(), logDef(), log1pDef(), mulDef(),
			negDef(), notEqualDef(), powDef(), powiDef(), reDef(), rsqrtDef(), signDef(), sinDef(), sqrtDef(), subDef(), tanDef(), tanhDef(),
		}
	},
	PrintAttr: printNumber,
	Models: []ir.Model{
		interfaces.ConstantMaterializer.Model(Materialize),
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
		asm.AttrParser.Model(parseNumber),
	},
}

var complexOfFloat = constraint.ComplexOf(constraint.AnyFloat)

func binary(id *ir.OpID) *ir.OpDef {
	return &ir.OpDef{
		ID:       id,
		Operands: []ir.OperandDef{{Name: "lhs", Type: complexOfFloat}, {Name: "rhs", Type: complexOfFloat}},
		Results:  []ir.ResultDef{{Name: "result", Type: complexOfFloat}},
		Attrs:    []ir.AttrDef{arith.FastMathAttr},
		Traits:   ir.TraitPure | ir.TraitSameOperandsAndResultType | ir.TraitElementwise,
		Format:   "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
	}
}

func unaryTo(id *ir.OpID, result string, t ir.TypeConstraint) *ir.OpDef {
	return &ir.OpDef{
		ID:       id,
		Operands: []ir.OperandDef{{Name: "complex", Type: complexOfFloat}},
		Results:  []ir.ResultDef{{Name: result, Type: t}},
		Attrs:    []ir.AttrDef{arith.FastMathAttr},
		Traits:   ir.TraitPure | ir.TraitElementwise,
		Format:   "$complex (`fastmath` `` $fastmath^)? attr-dict `:` type($complex)",
	}
}

func unary(id *ir.OpID) *ir.OpDef {
	def := unaryTo(id, "result", complexOfFloat)
	def.Traits |= ir.TraitSameOperandsAndResultType
	return def
}

// part is an operation whose result is a real number.
func part(id *ir.OpID, result string) *ir.OpDef {
	def := unaryTo(id, result, constraint.AnyFloat)
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

func comparison(id *ir.OpID) *ir.OpDef {
	return &ir.OpDef{
		ID:         id,
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
	Add      = ir.NewOpID("complex.add")
	Sub      = ir.NewOpID("complex.sub")
	Mul      = ir.NewOpID("complex.mul")
	Div      = ir.NewOpID("complex.div")
	Atan2    = ir.NewOpID("complex.atan2")
	Pow      = ir.NewOpID("complex.pow")
	Powi     = ir.NewOpID("complex.powi")
	Equal    = ir.NewOpID("complex.eq")
	NotEqual = ir.NewOpID("complex.neq")
)

func addDef() *ir.OpDef {
	return binary(Add).With(ir.OpDef{
		Fold: foldAdd,
		Models: []ir.Model{
			exec.Elementwise.Model(computeAdd),
		},
	})
}

func subDef() *ir.OpDef {
	return binary(Sub).With(ir.OpDef{
		Fold: foldSub,
		Models: []ir.Model{
			exec.Elementwise.Model(computeSub),
		},
	})
}

func mulDef() *ir.OpDef {
	return binary(Mul).With(ir.OpDef{
		Fold: foldByOne,
		Models: []ir.Model{
			exec.Elementwise.Model(onNumbers((*parts).product)),
		},
	})
}

func divDef() *ir.OpDef {
	return binary(Div).With(ir.OpDef{
		Fold: foldByOne,
		Models: []ir.Model{
			exec.Elementwise.Model(functionOfTwo(elementary.CDiv)),
		},
	})
}

func atan2Def() *ir.OpDef {
	return binary(Atan2).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(computeAtan2),
		},
	})
}

func powDef() *ir.OpDef {
	return binary(Pow).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(functionOfTwo(elementary.CPow)),
		},
	})
}

func powiDef() *ir.OpDef {
	return &ir.OpDef{
		ID:         Powi,
		Since:      22,
		Operands:   []ir.OperandDef{ir.Operand("lhs", complexOfFloat), ir.Operand("rhs", constraint.AnySignlessInt)},
		Results:    ir.SingleResult("result", complexOfFloat),
		Attrs:      []ir.AttrDef{{Name: arith.FastMathAttr.Name, Type: arith.FastMathAttr.Type, Optional: true}},
		Traits:     ir.TraitPure | ir.TraitElementwise,
		TypeRules:  []ir.TypeRule{{Same: []string{"lhs", "result"}, Summary: "all of {lhs, result} have same type"}},
		Format:     "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result) `,` type($rhs)",
		InferTypes: func(s *ir.OpState) ([]ir.Type, error) { return []ir.Type{s.Operands[0].Type()}, nil },
		Models: []ir.Model{
			exec.Elementwise.Model(computePowi),
		},
	}
}

func equalDef() *ir.OpDef {
	return comparison(Equal).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(onNumbers(func(p *parts, x, y exec.Complex) any { return p.same(x, y) })),
		},
	})
}

func notEqualDef() *ir.OpDef {
	return comparison(NotEqual).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(onNumbers(func(p *parts, x, y exec.Complex) any { return 1 - p.same(x, y) })),
		},
	})
}

// Functions of one number.
var (
	Conj  = ir.NewOpID("complex.conj")
	Cos   = ir.NewOpID("complex.cos")
	Exp   = ir.NewOpID("complex.exp")
	Expm1 = ir.NewOpID("complex.expm1")
	Log   = ir.NewOpID("complex.log")
	Log1p = ir.NewOpID("complex.log1p")
	Neg   = ir.NewOpID("complex.neg")
	Rsqrt = ir.NewOpID("complex.rsqrt")
	Sign  = ir.NewOpID("complex.sign")
	Sin   = ir.NewOpID("complex.sin")
	Sqrt  = ir.NewOpID("complex.sqrt")
	Tan   = ir.NewOpID("complex.tan")
	Tanh  = ir.NewOpID("complex.tanh")
	Abs   = ir.NewOpID("complex.abs")
	Angle = ir.NewOpID("complex.angle")
	Re    = ir.NewOpID("complex.re")
	Im    = ir.NewOpID("complex.im")
)

func conjDef() *ir.OpDef {
	return unary(Conj).With(ir.OpDef{
		Fold: undoes(Conj),
		Models: []ir.Model{
			exec.Elementwise.Model(onNumber(func(p *parts, x exec.Complex) any { return exec.Complex{Re: x.Re, Im: p.neg.Apply(x.Im)} })),
		},
	})
}

func cosDef() *ir.OpDef {
	return unary(Cos).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(function(elementary.CCos)),
		},
	})
}

func expDef() *ir.OpDef {
	return unary(Exp).With(ir.OpDef{
		Fold: foldExp,
		Models: []ir.Model{
			exec.Elementwise.Model(function(elementary.CExp)),
		},
	})
}

func expm1Def() *ir.OpDef {
	return unary(Expm1).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(function(elementary.CExpm1)),
		},
	})
}

func logDef() *ir.OpDef {
	return unary(Log).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(function(elementary.CLog)),
		},
	})
}

func log1pDef() *ir.OpDef {
	return unary(Log1p).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(function(elementary.CLog1p)),
		},
	})
}

func negDef() *ir.OpDef {
	return unary(Neg).With(ir.OpDef{
		Fold: undoes(Neg),
		Models: []ir.Model{
			exec.Elementwise.Model(computeNeg),
		},
	})
}

func rsqrtDef() *ir.OpDef {
	return unary(Rsqrt).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(function(rsqrt)),
		},
	})
}

func signDef() *ir.OpDef {
	return unary(Sign).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(function(sign)),
		},
	})
}

func sinDef() *ir.OpDef {
	return unary(Sin).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(function(elementary.CSin)),
		},
	})
}

func sqrtDef() *ir.OpDef {
	return unary(Sqrt).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(function(elementary.CSqrt)),
		},
	})
}

func tanDef() *ir.OpDef {
	return unary(Tan).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(function(elementary.CTan)),
		},
	})
}

func tanhDef() *ir.OpDef {
	return unary(Tanh).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(function(elementary.CTanh)),
		},
	})
}

func absDef() *ir.OpDef {
	return part(Abs, "result").With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(toReal(func(x complex128) float64 { return elementary.Hypot(real(x), imag(x)) })),
		},
	})
}

func angleDef() *ir.OpDef {
	return part(Angle, "result").With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(toReal(func(x complex128) float64 { return elementary.Atan2(imag(x), real(x)) })),
		},
	})
}

func reDef() *ir.OpDef {
	return part(Re, "real").With(ir.OpDef{
		Fold: foldPart(0),
		Models: []ir.Model{
			exec.Elementwise.Model(onNumber(func(_ *parts, x exec.Complex) any { return x.Re })),
			partPatterns(0),
		},
	})
}

func imDef() *ir.OpDef {
	return part(Im, "imaginary").With(ir.OpDef{
		Fold: foldPart(1),
		Models: []ir.Model{
			exec.Elementwise.Model(onNumber(func(_ *parts, x exec.Complex) any { return x.Im })),
			partPatterns(1),
		},
	})
}

// Create is complex.create, the number with a given real and imaginary part.
var Create = ir.NewOpID("complex.create")

func createDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Create,
		Operands: []ir.OperandDef{{Name: "real", Type: constraint.AnyFloat}, {Name: "imaginary", Type: constraint.AnyFloat}},
		Results:  []ir.ResultDef{{Name: "complex", Type: complexOfFloat}},
		Traits:   ir.TraitPure,
		TypeRules: []ir.TypeRule{
			{Same: []string{"real", "imaginary"}, Summary: "all of {real, imaginary} have same type"},
			{From: "complex", To: "real", Transform: elementType, Summary: "complex element type matches real operand type"},
			{From: "complex", To: "imaginary", Transform: elementType, Summary: "complex element type matches imaginary operand type"},
		},
		Format: "$real `,` $imaginary attr-dict `:` type($complex)",
		Fold:   foldCreate,
		Models: []ir.Model{
			exec.Elementwise.Model(computeCreate),
		},
	}
}

// Constant is complex.constant; its value is an array of the two parts.
var Constant = ir.NewOpID("complex.constant")

func constantDef() *ir.OpDef {
	return &ir.OpDef{
		ID:      Constant,
		Results: []ir.ResultDef{{Name: "complex", Type: constraint.AnyComplex}},
		Attrs:   []ir.AttrDef{{Name: "value", Type: constraint.ArrayAttr}},
		Traits:  ir.TraitPure | ir.TraitConstantLike,
		Format:  "$value attr-dict `:` type($complex)",
		Verify:  verifyConstant,
		Models: []ir.Model{
			asm.ResultNames.Model(func(op *ir.Op, name func(*ir.Value, string)) {
				name(op.Result(0), "cst")
			}),
			exec.Executable.Model(executeConstant),
		},
	}
}

// Bitcast is complex.bitcast, a cast between a complex type and an integer or
// floating-point type of the same width.
var Bitcast = ir.NewOpID("complex.bitcast")

func bitcastDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       Bitcast,
		Operands: []ir.OperandDef{{Name: "operand", Type: constraint.AnyType}},
		Results:  []ir.ResultDef{{Name: "result", Type: constraint.AnyType}},
		Traits:   ir.TraitPure,
		Format:   "$operand attr-dict `:` type($operand) `to` type($result)",
		Verify:   verifyBitcast,
		Fold: func(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
			if (BitcastOp{op}).OperandValue().Type() == op.Result(0).Type() {
				return ir.FoldValue(BitcastOp{op}.OperandValue())
			}
			return nil
		},
		Models: []ir.Model{
			rewrite.Canonicalization.Model([]rewrite.Pattern{
				{Name: "MergeComplexBitcast", Root: Bitcast, Rewrite: mergeBitcasts},
				{Name: "MergeArithBitcast", Root: arith.Bitcast, Rewrite: mergeArithBitcast},
			}),
			exec.Elementwise.Model(func(_ *ir.Op, in []ir.Type, out ir.Type) (exec.Scalar, bool) {
				return exec.Reinterpret(in[0], out), true
			}),
		},
	}
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
	in, out := BitcastOp{op}.OperandValue().Type(), op.Result(0).Type()
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

// Materialize creates the constant of type t for the attribute that an operation was
// folded to: a complex number, or what [arith.Materialize] makes one of. It returns
// nil for anything else.
func Materialize(b *ir.Builder, value ir.Attribute, t ir.Type) *ir.Op {
	if isConstantValue(value, t) {
		return b.CreateOp(Constant, []ir.Type{t}, nil, ir.NamedAttr{Name: "value", Value: value})
	}
	return arith.Materialize(b, value, t)
}
