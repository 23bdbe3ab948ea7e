// Package math defines the math dialect: elementary functions on floating-point
// numbers and integers, and on vectors and tensors of them.
package math

import (
	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/constraint"
)

// Dialect is the math dialect.
var Dialect = &ir.Dialect{
	Name: "math",
	Ops: []*ir.OpDef{
		AbsF, AbsI, Acos, Acosh, Asin, Asinh, Atan, Atan2, Atanh, Cbrt, Ceil, CopySign, Cos, Cosh,
		CountLeadingZeros, CountTrailingZeros, CtPop, Erf, Exp, Exp2, ExpM1, Floor, Fma, FPowI, IPowI, Log, Log10,
		Log1p, Log2, PowF, Round, RoundEven, Rsqrt, Sin, Sinh, Sqrt, Tan, Tanh, Trunc,
	},
	Models: []ir.Model{
		exec.DialectElementwise.Model(elementwise),
		iface.ConstantMaterializer.Model(materialize),
		iface.Inliner.Model(inliner{}),
	},
}

const traits = ir.TraitPure | ir.ElementwiseMappable

func float(name string, operands ...string) *ir.OpDef {
	def := &ir.OpDef{
		Name:    "math." + name,
		Results: []ir.ResultDef{{Name: "result", Type: constraint.FloatLike}},
		Attrs:   []ir.AttrDef{arith.FastMathAttr},
		Traits:  traits | ir.TraitSameOperandsAndResultType,
	}
	for i, o := range operands {
		def.Operands = append(def.Operands, ir.OperandDef{Name: o, Type: constraint.FloatLike})
		if i > 0 {
			def.Format += " `,` "
		}
		def.Format += "$" + o
	}
	def.Format += " (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
	return def
}

func unary(name string) *ir.OpDef { return float(name, "operand") }

func integer(name, format string, operands ...string) *ir.OpDef {
	def := &ir.OpDef{
		Name:    "math." + name,
		Results: []ir.ResultDef{{Name: "result", Type: constraint.SignlessIntegerLike}},
		Traits:  traits | ir.TraitSameOperandsAndResultType,
		Format:  format + " attr-dict `:` type($result)",
	}
	for _, o := range operands {
		def.Operands = append(def.Operands, ir.OperandDef{Name: o, Type: constraint.SignlessIntegerLike})
	}
	return def
}

// Functions of one floating-point number.
var (
	AbsF      = unary("absf")
	Acos      = unary("acos")
	Acosh     = unary("acosh")
	Asin      = unary("asin")
	Asinh     = unary("asinh")
	Atan      = unary("atan")
	Atanh     = unary("atanh")
	Cbrt      = unary("cbrt")
	Ceil      = unary("ceil")
	Cos       = unary("cos")
	Cosh      = unary("cosh")
	Erf       = unary("erf")
	Exp       = unary("exp")
	Exp2      = unary("exp2")
	ExpM1     = unary("expm1")
	Floor     = unary("floor")
	Log       = unary("log")
	Log10     = unary("log10")
	Log1p     = unary("log1p")
	Log2      = unary("log2")
	Round     = unary("round")
	RoundEven = unary("roundeven")
	Rsqrt     = unary("rsqrt")
	Sin       = unary("sin")
	Sinh      = unary("sinh")
	Sqrt      = unary("sqrt")
	Tan       = unary("tan")
	Tanh      = unary("tanh")
	Trunc     = unary("trunc")
)

// Functions of several floating-point numbers.
var (
	Atan2    = float("atan2", "lhs", "rhs")
	CopySign = float("copysign", "lhs", "rhs")
	PowF     = float("powf", "lhs", "rhs")
	Fma      = float("fma", "a", "b", "c")
)

// Functions of integers.
var (
	AbsI               = integer("absi", "$operand", "operand")
	CountLeadingZeros  = integer("ctlz", "$operand", "operand")
	CountTrailingZeros = integer("cttz", "$operand", "operand")
	CtPop              = integer("ctpop", "$operand", "operand")
	IPowI              = integer("ipowi", "$lhs `,` $rhs", "lhs", "rhs")
)

// FPowI is math.fpowi, a floating-point number to the power of an integer.
var FPowI = &ir.OpDef{
	Name: "math.fpowi",
	Operands: []ir.OperandDef{
		{Name: "lhs", Type: constraint.FloatLike}, {Name: "rhs", Type: constraint.SignlessIntegerLike},
	},
	Results:    []ir.ResultDef{{Name: "result", Type: constraint.FloatLike}},
	Attrs:      []ir.AttrDef{arith.FastMathAttr},
	Traits:     traits | ir.TraitSameOperandsAndResultShape,
	TypeRules:  []ir.TypeRule{{Same: []string{"lhs", "result"}, Summary: "all of {lhs, result} have same type"}},
	Format:     "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs) `,` type($rhs)",
	InferTypes: func(s *ir.OpState) ([]ir.Type, error) { return []ir.Type{s.Operands[0].Type()}, nil },
}

// New creates a math operation whose result has the type of its first operand, and
// returns the result.
func New(b *ir.Builder, def *ir.OpDef, operands ...*ir.Value) *ir.Value {
	return b.CreateOp(def, []ir.Type{operands[0].Type()}, operands).Result(0)
}

// materialize creates the arith.constant for a folded attribute.
func materialize(b *ir.Builder, value ir.Attribute, t ir.Type) *ir.Op {
	m, _ := iface.ConstantMaterializer.OfDialect(arith.Dialect)
	return m(b, value, t)
}

type inliner struct{}

func (inliner) LegalCall(call, callee *ir.Op) bool                     { return true }
func (inliner) LegalOp(op *ir.Op, dest *ir.Region) bool                { return true }
func (inliner) Terminator(*ir.Builder, *ir.Op, *ir.Block, []*ir.Value) {}
