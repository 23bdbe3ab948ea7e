package arith

import (
	"freehold/ir"
	"freehold/ir/constraint"
)

const (
	binaryFormat   = "$lhs `,` $rhs attr-dict `:` type($result)"
	overflowFormat = "$lhs `,` $rhs (`overflow` `` $overflowFlags^)? attr-dict `:` type($result)"
	floatFormat    = "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($result)"
	castFormat     = "$in attr-dict `:` type($in) `to` type($out)"
)

// FastMathAttr is the declaration of the attribute fastmath, which the
// floating-point operations of several dialects have.
var FastMathAttr = ir.AttrDef{
	Name: "fastmath", Type: constraint.Enum("Floating point fast math flags", FastMathFlags),
	Default: func(c *ir.Context) ir.Attribute { return c.EnumAttr(FastMathFlags, 0) },
}

var optionalFastMath = ir.AttrDef{Name: "fastmath", Type: FastMathAttr.Type, Optional: true}

var overflowAttr = ir.AttrDef{
	Name: "overflowFlags", Type: constraint.Enum("Integer overflow arith flags", OverflowFlags),
	Default: func(c *ir.Context) ir.Attribute { return c.EnumAttr(OverflowFlags, 0) },
}

func binary(name string, t ir.TypeConstraint, traits ir.Traits, format string, attrs ...ir.AttrDef) *ir.OpDef {
	return &ir.OpDef{
		Name:     "arith." + name,
		Operands: []ir.OperandDef{{Name: "lhs", Type: t}, {Name: "rhs", Type: t}},
		Results:  []ir.ResultDef{{Name: "result", Type: t}},
		Attrs:    attrs,
		Traits:   traits | ir.TraitSameOperandsAndResultType | ir.ElementwiseMappable,
		Format:   format,
	}
}

func intOp(name string, traits ir.Traits) *ir.OpDef {
	return binary(name, constraint.SignlessIntegerLike, traits|ir.TraitPure, binaryFormat)
}

// divOp is an integer operation that is undefined for some operands.
func divOp(name string) *ir.OpDef {
	return binary(name, constraint.SignlessIntegerLike, ir.TraitNoMemoryEffect, binaryFormat)
}

func overflowOp(name string, traits ir.Traits) *ir.OpDef {
	return binary(name, constraint.SignlessIntegerLike, traits|ir.TraitPure, overflowFormat, overflowAttr)
}

func floatOp(name string, traits ir.Traits) *ir.OpDef {
	return binary(name, constraint.FloatLike, traits|ir.TraitPure, floatFormat, FastMathAttr)
}

func extendedMul(name string) *ir.OpDef {
	t := constraint.SignlessIntegerLike
	return &ir.OpDef{
		Name:      "arith." + name,
		Operands:  []ir.OperandDef{{Name: "lhs", Type: t}, {Name: "rhs", Type: t}},
		Results:   []ir.ResultDef{{Name: "low", Type: t}, {Name: "high", Type: t}},
		Traits:    ir.TraitPure | ir.TraitCommutative | ir.ElementwiseMappable,
		TypeRules: []ir.TypeRule{{Same: []string{"lhs", "rhs", "low", "high"}, Summary: "all of {lhs, rhs, low, high} have same type"}},
		Format:    "$lhs `,` $rhs attr-dict `:` type($lhs)",
		InferTypes: func(s *ir.OpState) ([]ir.Type, error) {
			t := s.Operands[0].Type()
			return []ir.Type{t, t}, nil
		},
	}
}

// Integer arithmetic.
var (
	AddI          = overflowOp("addi", ir.TraitCommutative)
	SubI          = overflowOp("subi", 0)
	MulI          = overflowOp("muli", ir.TraitCommutative)
	ShLI          = overflowOp("shli", 0)
	DivUI         = divOp("divui")
	DivSI         = divOp("divsi")
	CeilDivUI     = divOp("ceildivui")
	CeilDivSI     = divOp("ceildivsi")
	FloorDivSI    = intOp("floordivsi", 0)
	RemUI         = intOp("remui", 0)
	RemSI         = intOp("remsi", 0)
	AndI          = intOp("andi", ir.TraitCommutative|ir.TraitIdempotent)
	OrI           = intOp("ori", ir.TraitCommutative|ir.TraitIdempotent)
	XOrI          = intOp("xori", ir.TraitCommutative)
	ShRUI         = intOp("shrui", 0)
	ShRSI         = intOp("shrsi", 0)
	MaxSI         = intOp("maxsi", ir.TraitCommutative)
	MaxUI         = intOp("maxui", ir.TraitCommutative)
	MinSI         = intOp("minsi", ir.TraitCommutative)
	MinUI         = intOp("minui", ir.TraitCommutative)
	MulSIExtended = extendedMul("mulsi_extended")
	MulUIExtended = extendedMul("mului_extended")
	AddUIExtended = &ir.OpDef{
		Name: "arith.addui_extended",
		Operands: []ir.OperandDef{
			{Name: "lhs", Type: constraint.SignlessIntegerLike}, {Name: "rhs", Type: constraint.SignlessIntegerLike},
		},
		Results: []ir.ResultDef{
			{Name: "sum", Type: constraint.SignlessIntegerLike}, {Name: "overflow", Type: constraint.BoolLike},
		},
		Traits:    ir.TraitPure | ir.TraitCommutative | ir.ElementwiseMappable,
		TypeRules: []ir.TypeRule{{Same: []string{"lhs", "rhs", "sum"}, Summary: "all of {lhs, rhs, sum} have same type"}},
		Format:    "$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)",
	}
)

// Floating-point arithmetic.
var (
	AddF     = floatOp("addf", ir.TraitCommutative)
	SubF     = floatOp("subf", 0)
	MulF     = floatOp("mulf", ir.TraitCommutative)
	DivF     = floatOp("divf", 0)
	RemF     = floatOp("remf", 0)
	MaximumF = floatOp("maximumf", ir.TraitCommutative)
	MaxNumF  = floatOp("maxnumf", ir.TraitCommutative)
	MinimumF = floatOp("minimumf", ir.TraitCommutative)
	MinNumF  = floatOp("minnumf", ir.TraitCommutative)
	NegF     = &ir.OpDef{
		Name:     "arith.negf",
		Operands: []ir.OperandDef{{Name: "operand", Type: constraint.FloatLike}},
		Results:  []ir.ResultDef{{Name: "result", Type: constraint.FloatLike}},
		Attrs:    []ir.AttrDef{FastMathAttr},
		Traits:   ir.TraitPure | ir.TraitSameOperandsAndResultType | ir.ElementwiseMappable,
		Format:   "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
	}
)
