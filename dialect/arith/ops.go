package arith

import (
	"math"
	"math/big"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/constraint"
	"freehold/ir/fold"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
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

func binary(id *ir.OpID, t ir.TypeConstraint, traits ir.Traits, format string, attrs ...ir.AttrDef) *ir.OpDef {
	return &ir.OpDef{
		ID:       id,
		Operands: []ir.OperandDef{{Name: "lhs", Type: t}, {Name: "rhs", Type: t}},
		Results:  []ir.ResultDef{{Name: "result", Type: t}},
		Attrs:    attrs,
		Traits:   traits | ir.TraitSameOperandsAndResultType | ir.ElementwiseMappable,
		Format:   format,
	}
}

func intOp(id *ir.OpID, traits ir.Traits) *ir.OpDef {
	return binary(id, constraint.SignlessIntegerLike, traits|ir.TraitPure, binaryFormat)
}

// divOp is an integer operation that is undefined for some operands.
func divOp(id *ir.OpID) *ir.OpDef {
	return binary(id, constraint.SignlessIntegerLike, ir.TraitNoMemoryEffect, binaryFormat)
}

func overflowOp(id *ir.OpID, traits ir.Traits) *ir.OpDef {
	return binary(id, constraint.SignlessIntegerLike, traits|ir.TraitPure, overflowFormat, overflowAttr)
}

func floatOp(id *ir.OpID, traits ir.Traits) *ir.OpDef {
	return binary(id, constraint.FloatLike, traits|ir.TraitPure, floatFormat, FastMathAttr)
}

func extendedMul(id *ir.OpID) *ir.OpDef {
	t := constraint.SignlessIntegerLike
	return &ir.OpDef{
		ID:        id,
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
	AddI          = ir.NewOpID("arith.addi")
	SubI          = ir.NewOpID("arith.subi")
	MulI          = ir.NewOpID("arith.muli")
	ShLI          = ir.NewOpID("arith.shli")
	DivUI         = ir.NewOpID("arith.divui")
	DivSI         = ir.NewOpID("arith.divsi")
	CeilDivUI     = ir.NewOpID("arith.ceildivui")
	CeilDivSI     = ir.NewOpID("arith.ceildivsi")
	FloorDivSI    = ir.NewOpID("arith.floordivsi")
	RemUI         = ir.NewOpID("arith.remui")
	RemSI         = ir.NewOpID("arith.remsi")
	AndI          = ir.NewOpID("arith.andi")
	OrI           = ir.NewOpID("arith.ori")
	XOrI          = ir.NewOpID("arith.xori")
	ShRUI         = ir.NewOpID("arith.shrui")
	ShRSI         = ir.NewOpID("arith.shrsi")
	MaxSI         = ir.NewOpID("arith.maxsi")
	MaxUI         = ir.NewOpID("arith.maxui")
	MinSI         = ir.NewOpID("arith.minsi")
	MinUI         = ir.NewOpID("arith.minui")
	MulSIExtended = ir.NewOpID("arith.mulsi_extended")
	MulUIExtended = ir.NewOpID("arith.mului_extended")
	AddUIExtended = ir.NewOpID("arith.addui_extended")
)

func addIDef() *ir.OpDef {
	return overflowOp(AddI, ir.TraitCommutative).With(ir.OpDef{
		Fold: foldAddI,
		Models: []ir.Model{
			reassociations(reassociationsOfAdd,
				rewrite.Pattern{Name: "AddIMulNegativeOneRhs", Rewrite: addNegated(1)},
				rewrite.Pattern{Name: "AddIMulNegativeOneLhs", Rewrite: addNegated(0)}),
			exec.Elementwise.Model(wrapping(exec.Add)),
			linear(func(l, r interfaces.Linear) (interfaces.Linear, bool) { return l.Plus(r), true }),
		},
	})
}

func subIDef() *ir.OpDef {
	return overflowOp(SubI, 0).With(ir.OpDef{
		Fold: foldSubI,
		Models: []ir.Model{
			reassociations(reassociationsOfSub, rewrite.Pattern{Name: "SubISubILHSRHSLHS", Rewrite: subSubSame}),
			exec.Elementwise.Model(wrapping(exec.Sub)),
			linear(func(l, r interfaces.Linear) (interfaces.Linear, bool) { return l.Minus(r), true }),
		},
	})
}

func mulIDef() *ir.OpDef {
	return overflowOp(MulI, ir.TraitCommutative).With(ir.OpDef{
		Fold: intFolder{absorbing: isZero, neutral: isOne, compute: func(_ int, x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }}.fold,
		Models: []ir.Model{
			reassociations(reassociationsOfMul),
			asm.ResultNames.Model(nameMultiple),
			exec.Elementwise.Model(wrapping(exec.Mul)),
			linear(interfaces.Linear.Product),
		},
	})
}

func shLIDef() *ir.OpDef {
	return overflowOp(ShLI, 0).With(ir.OpDef{
		Fold: intFolder{neutral: isZero, keepPoison: true, partial: shift(func(_ int, x *big.Int, n uint) *big.Int { return new(big.Int).Lsh(x, n) })}.fold,
		Models: []ir.Model{
			exec.Elementwise.Model(wrapping(exec.Shl)),
		},
	})
}

func divUIDef() *ir.OpDef {
	return divOp(DivUI).With(ir.OpDef{
		Fold: intFolder{neutral: isOne, compute: func(w int, x, y *big.Int) *big.Int {
			return quotient(fold.Unsigned(x, w), fold.Unsigned(y, w))
		}}.fold,
		Later: exact,
		Models: []ir.Model{
			exec.Elementwise.Model(onInts(exec.DivU)),
			divides(false),
		},
	})
}

func divSIDef() *ir.OpDef {
	return divOp(DivSI).With(ir.OpDef{
		Fold: intFolder{neutral: isOne, compute: func(w int, x, y *big.Int) *big.Int {
			return fitting(w, quotient(x, y))
		}}.fold,
		Later: exact,
		Models: []ir.Model{
			exec.Elementwise.Model(onInts(exec.DivS)),
			divides(true),
		},
	})
}

func ceilDivUIDef() *ir.OpDef {
	return divOp(CeilDivUI).With(ir.OpDef{
		Fold: intFolder{neutral: isOne, compute: func(w int, x, y *big.Int) *big.Int {
			return ceilQuotient(fold.Unsigned(x, w), fold.Unsigned(y, w))
		}}.fold,
		Models: []ir.Model{
			exec.Elementwise.Model(onInts(exec.CeilDivU)),
			divides(false),
		},
	})
}

func ceilDivSIDef() *ir.OpDef {
	return divOp(CeilDivSI).With(ir.OpDef{
		Fold: intFolder{neutral: isOne, compute: foldCeilDiv}.fold,
		Models: []ir.Model{
			exec.Elementwise.Model(onInts(exec.CeilDivS)),
			divides(true),
		},
	})
}

func floorDivSIDef() *ir.OpDef {
	return intOp(FloorDivSI, 0).With(ir.OpDef{
		Fold: intFolder{neutral: isOne, partial: func(w int, x, y *big.Int) (*big.Int, bool) {
			if y.Sign() == 0 {
				return x, false
			}
			q := floorQuotient(x, y)
			return q, fitting(w, q) != nil
		}}.fold,
		Models: []ir.Model{
			exec.Elementwise.Model(onInts(exec.FloorDivS)),
			divides(true),
		},
	})
}

func remUIDef() *ir.OpDef {
	return intOp(RemUI, 0).With(ir.OpDef{
		Fold: intFolder{zeroForOne: true, compute: func(w int, x, y *big.Int) *big.Int {
			return remainder(fold.Unsigned(x, w), fold.Unsigned(y, w))
		}}.fold,
		Models: []ir.Model{
			exec.Elementwise.Model(onInts(exec.RemU)),
			divides(false),
		},
	})
}

func remSIDef() *ir.OpDef {
	return intOp(RemSI, 0).With(ir.OpDef{
		Fold: intFolder{zeroForOne: true, compute: func(_ int, x, y *big.Int) *big.Int { return remainder(x, y) }}.fold,
		Models: []ir.Model{
			exec.Elementwise.Model(onInts(exec.RemS)),
			divides(true),
		},
	})
}

func andIDef() *ir.OpDef {
	return intOp(AndI, ir.TraitCommutative|ir.TraitIdempotent).With(ir.OpDef{
		Fold: foldAndI,
		Models: []ir.Model{
			rewrite.Patterns(bitsOfExtensions...),
			exec.Elementwise.Model(onInts(exec.And)),
		},
	})
}

func orIDef() *ir.OpDef {
	return intOp(OrI, ir.TraitCommutative|ir.TraitIdempotent).With(ir.OpDef{
		Fold: foldOrI,
		Models: []ir.Model{
			rewrite.Patterns(bitsOfExtensions...),
			exec.Elementwise.Model(onInts(exec.Or)),
		},
	})
}

func xOrIDef() *ir.OpDef {
	return intOp(XOrI, ir.TraitCommutative).With(ir.OpDef{
		Fold: foldXOrI,
		Models: []ir.Model{
			rewrite.Patterns(
				rewrite.Pattern{Name: "XOrINotCmpI", Rewrite: notCmpI},
				rewrite.Pattern{Name: "XOrIOfExtUI", Rewrite: bitsOfExt(ExtUI)},
				rewrite.Pattern{Name: "XOrIOfExtSI", Rewrite: bitsOfExt(ExtSI)},
			),
			exec.Elementwise.Model(onInts(exec.Xor)),
		},
	})
}

func shRUIDef() *ir.OpDef {
	return intOp(ShRUI, 0).With(ir.OpDef{
		Fold:  intFolder{neutral: isZero, keepPoison: true, partial: shift(func(w int, x *big.Int, n uint) *big.Int { return new(big.Int).Rsh(fold.Unsigned(x, w), n) })}.fold,
		Later: exact,
		Models: []ir.Model{
			exec.Elementwise.Model(onInts(exec.ShrU)),
		},
	})
}

func shRSIDef() *ir.OpDef {
	return intOp(ShRSI, 0).With(ir.OpDef{
		Fold:  intFolder{neutral: isZero, keepPoison: true, partial: shift(func(_ int, x *big.Int, n uint) *big.Int { return new(big.Int).Rsh(x, n) })}.fold,
		Later: exact,
		Models: []ir.Model{
			exec.Elementwise.Model(onInts(exec.ShrS)),
		},
	})
}

func maxSIDef() *ir.OpDef {
	return intOp(MaxSI, ir.TraitCommutative).With(ir.OpDef{
		Fold: intFolder{same: true, absorbing: isSignedMax, neutral: isSignedMin, compute: func(_ int, x, y *big.Int) *big.Int { return pick(x.Cmp(y) >= 0, x, y) }}.fold,
		Models: []ir.Model{
			exec.Elementwise.Model(onInts(exec.MaxS)),
		},
	})
}

func maxUIDef() *ir.OpDef {
	return intOp(MaxUI, ir.TraitCommutative).With(ir.OpDef{
		Fold: intFolder{same: true, absorbing: isAllOnes, neutral: isZero, compute: func(w int, x, y *big.Int) *big.Int {
			return pick(fold.Unsigned(x, w).Cmp(fold.Unsigned(y, w)) >= 0, x, y)
		}}.fold,
		Models: []ir.Model{
			exec.Elementwise.Model(onInts(exec.MaxU)),
		},
	})
}

func minSIDef() *ir.OpDef {
	return intOp(MinSI, ir.TraitCommutative).With(ir.OpDef{
		Fold: intFolder{same: true, absorbing: isSignedMin, neutral: isSignedMax, compute: func(_ int, x, y *big.Int) *big.Int { return pick(x.Cmp(y) <= 0, x, y) }}.fold,
		Models: []ir.Model{
			exec.Elementwise.Model(onInts(exec.MinS)),
		},
	})
}

func minUIDef() *ir.OpDef {
	return intOp(MinUI, ir.TraitCommutative).With(ir.OpDef{
		Fold: intFolder{same: true, absorbing: isZero, neutral: isAllOnes, compute: func(w int, x, y *big.Int) *big.Int {
			return pick(fold.Unsigned(x, w).Cmp(fold.Unsigned(y, w)) <= 0, x, y)
		}}.fold,
		Models: []ir.Model{
			exec.Elementwise.Model(onInts(exec.MinU)),
		},
	})
}

func mulSIExtendedDef() *ir.OpDef {
	return extendedMul(MulSIExtended).With(ir.OpDef{
		Fold:      foldMulSIExtended,
		Revisions: []ir.Revision{{Since: 22, Fold: poisonedToo(foldMulSIExtended)}},
		Models: []ir.Model{
			rewrite.Patterns(
				rewrite.Pattern{Name: "MulSIExtendedToMulI", Rewrite: toPlain(MulI)},
				rewrite.Pattern{Name: "MulSIExtendedRHSOne", Rewrite: mulExtendedByOne},
			),
			exec.Executable.Model(executeMulSIExtended),
		},
	})
}

func mulUIExtendedDef() *ir.OpDef {
	return extendedMul(MulUIExtended).With(ir.OpDef{
		Fold:      foldMulUIExtended,
		Revisions: []ir.Revision{{Since: 22, Fold: poisonedToo(foldMulUIExtended)}},
		Models: []ir.Model{
			rewrite.Patterns(rewrite.Pattern{Name: "MulUIExtendedToMulI", Rewrite: toPlain(MulI)}),
			exec.Executable.Model(extended(func(a, b *big.Int, width int) *big.Int { return new(big.Int).Mul(a, b) })),
		},
	})
}

func addUIExtendedDef() *ir.OpDef {
	return &ir.OpDef{
		ID: AddUIExtended,
		Operands: []ir.OperandDef{
			{Name: "lhs", Type: constraint.SignlessIntegerLike}, {Name: "rhs", Type: constraint.SignlessIntegerLike},
		},
		Results: []ir.ResultDef{
			{Name: "sum", Type: constraint.SignlessIntegerLike}, {Name: "overflow", Type: constraint.BoolLike},
		},
		Traits:    ir.TraitPure | ir.TraitCommutative | ir.ElementwiseMappable,
		TypeRules: []ir.TypeRule{{Same: []string{"lhs", "rhs", "sum"}, Summary: "all of {lhs, rhs, sum} have same type"}},
		Format:    "$lhs `,` $rhs attr-dict `:` type($sum) `,` type($overflow)",
		Earlier:   []ir.Spelling{{Until: 15, Name: "arith.addui_carry"}},
		Fold:      foldAddUIExtended,
		Models: []ir.Model{
			rewrite.Patterns(rewrite.Pattern{Name: "AddUIExtendedToAddI", Rewrite: toPlain(AddI)}),
			exec.Executable.Model(extended(func(a, b *big.Int, width int) *big.Int { return new(big.Int).Add(a, b) })),
		},
	}
}

// Floating-point arithmetic.
var (
	AddF     = ir.NewOpID("arith.addf")
	SubF     = ir.NewOpID("arith.subf")
	MulF     = ir.NewOpID("arith.mulf")
	DivF     = ir.NewOpID("arith.divf")
	RemF     = ir.NewOpID("arith.remf")
	MaximumF = ir.NewOpID("arith.maximumf")
	MaxNumF  = ir.NewOpID("arith.maxnumf")
	MinimumF = ir.NewOpID("arith.minimumf")
	MinNumF  = ir.NewOpID("arith.minnumf")
	NegF     = ir.NewOpID("arith.negf")
)

func addFDef() *ir.OpDef {
	return floatOp(AddF, ir.TraitCommutative).With(ir.OpDef{
		Fold: floatFolder{neutral: isNumber(math.Copysign(0, -1)), compute: func(x, y float64) float64 { return x + y }, wide: exec.FAdd}.fold,
		Models: []ir.Model{
			exec.Elementwise.Model(onFloats(exec.FAdd)),
		},
	})
}

func subFDef() *ir.OpDef {
	return floatOp(SubF, 0).With(ir.OpDef{
		Fold: floatFolder{neutral: isNumber(0), compute: func(x, y float64) float64 { return x - y }, wide: exec.FSub}.fold,
		Models: []ir.Model{
			exec.Elementwise.Model(onFloats(exec.FSub)),
		},
	})
}

func mulFDef() *ir.OpDef {
	product := floatFolder{neutral: isNumber(1), compute: func(x, y float64) float64 { return x * y }, wide: exec.FMul}
	later := product
	later.absorbing = isZeroF
	return floatOp(MulF, ir.TraitCommutative).With(ir.OpDef{
		Fold:      product.fold,
		Revisions: []ir.Revision{{Since: 22, Fold: later.fold}},
		Models: []ir.Model{
			rewrite.Patterns(rewrite.Pattern{Name: "MulFOfNegF", Rewrite: ofNegations}),
			exec.Elementwise.Model(onFloats(exec.FMul)),
		},
	})
}

func divFDef() *ir.OpDef {
	return floatOp(DivF, 0).With(ir.OpDef{
		Fold: floatFolder{neutral: isNumber(1), compute: func(x, y float64) float64 { return x / y }, wide: exec.FDiv}.fold,
		Models: []ir.Model{
			rewrite.Patterns(rewrite.Pattern{Name: "DivFOfNegF", Rewrite: ofNegations}),
			exec.Elementwise.Model(onFloats(exec.FDiv)),
		},
	})
}

func remFDef() *ir.OpDef {
	return floatOp(RemF, 0).With(ir.OpDef{
		Fold: floatFolder{compute: math.Mod, wide: exec.FRem}.fold,
		Models: []ir.Model{
			exec.Elementwise.Model(onFloats(exec.FRem)),
		},
	})
}

func maximumFDef() *ir.OpDef {
	return floatOp(MaximumF, ir.TraitCommutative).With(ir.OpDef{
		Earlier: []ir.Spelling{{Until: 17, Name: "arith.maxf"}},
		Fold:    floatFolder{same: true, neutral: isNumber(math.Inf(-1)), compute: math.Max, wide: exec.FMaximum}.fold,
		Models: []ir.Model{
			exec.Elementwise.Model(onFloats(exec.FMaximum)),
		},
	})
}

func maxNumFDef() *ir.OpDef {
	folder := floatFolder{same: true, neutral: isNumber(math.Inf(-1)), seesNaN: true, compute: number(math.Max), wide: exec.FMaxNum}
	later := folder
	later.neutral = isNaN
	return floatOp(MaxNumF, ir.TraitCommutative).With(ir.OpDef{
		Fold:      folder.fold,
		Revisions: []ir.Revision{{Since: 22, Fold: later.fold}},
		Models: []ir.Model{
			exec.Elementwise.Model(onFloats(exec.FMaxNum)),
		},
	})
}

func minimumFDef() *ir.OpDef {
	return floatOp(MinimumF, ir.TraitCommutative).With(ir.OpDef{
		Earlier: []ir.Spelling{{Until: 17, Name: "arith.minf"}},
		Fold:    floatFolder{same: true, neutral: isNumber(math.Inf(1)), compute: math.Min, wide: exec.FMinimum}.fold,
		Models: []ir.Model{
			exec.Elementwise.Model(onFloats(exec.FMinimum)),
		},
	})
}

func minNumFDef() *ir.OpDef {
	folder := floatFolder{same: true, neutral: isNumber(math.Inf(1)), seesNaN: true, compute: number(math.Min), wide: exec.FMinNum}
	later := folder
	later.neutral = isNaN
	return floatOp(MinNumF, ir.TraitCommutative).With(ir.OpDef{
		Fold:      folder.fold,
		Revisions: []ir.Revision{{Since: 22, Fold: later.fold}},
		Models: []ir.Model{
			exec.Elementwise.Model(onFloats(exec.FMinNum)),
		},
	})
}

func negFDef() *ir.OpDef {
	return &ir.OpDef{
		ID:       NegF,
		Operands: []ir.OperandDef{{Name: "operand", Type: constraint.FloatLike}},
		Results:  []ir.ResultDef{{Name: "result", Type: constraint.FloatLike}},
		Attrs:    []ir.AttrDef{FastMathAttr},
		Traits:   ir.TraitPure | ir.TraitSameOperandsAndResultType | ir.ElementwiseMappable,
		Format:   "$operand (`fastmath` `` $fastmath^)? attr-dict `:` type($result)",
		Fold:     foldNegF,
		Models: []ir.Model{
			exec.Elementwise.Model(onFloats(exec.FNeg)),
		},
	}
}
