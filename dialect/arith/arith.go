// Package arith defines the arith dialect: arithmetic on integers, index and
// floating-point numbers, and on vectors and tensors of them.
package arith

import (
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
)

// standardNames are the names in the standard dialect, from which LLVM took these operations.
func standardNames() map[*ir.OpID][]string {
	return map[*ir.OpID][]string{
		AddF: {"std.addf"}, AddI: {"std.addi"}, AndI: {"std.and"}, Bitcast: {"std.bitcast"}, CeilDivSI: {"std.ceildivi_signed"}, CmpF: {"std.cmpf"},
		CmpI: {"std.cmpi"}, Constant: {"std.constant"}, DivF: {"std.divf"}, DivSI: {"std.divi_signed"}, DivUI: {"std.divi_unsigned"},
		ExtF: {"std.fpext"}, ExtSI: {"std.sexti"}, ExtUI: {"std.zexti"}, FPToSI: {"std.fptosi"}, FPToUI: {"std.fptoui"},
		FloorDivSI: {"std.floordivi_signed"}, IndexCast: {"std.index_cast"}, MulF: {"std.mulf"}, MulI: {"std.muli"}, NegF: {"std.negf"},
		OrI: {"std.or"}, RemF: {"std.remf"}, RemSI: {"std.remi_signed"}, RemUI: {"std.remi_unsigned"}, SIToFP: {"std.sitofp"},
		Select: {"std.select"}, ShLI: {"std.shift_left"}, ShRSI: {"std.shift_right_signed"}, ShRUI: {"std.shift_right_unsigned"},
		SubF: {"std.subf"}, SubI: {"std.subi"}, TruncF: {"std.fptrunc"}, TruncI: {"std.trunci"}, UIToFP: {"std.uitofp"}, XOrI: {"std.xor"},
		MaxSI: {"std.maxsi"}, MaxUI: {"std.maxui"}, MinSI: {"std.minsi"}, MinUI: {"std.minui"}, MaximumF: {"std.maxf"}, MinimumF: {"std.minf"},
	}
}

// Dialect is the arith dialect.
var Dialect = &ir.Dialect{
	Name: "arith",
	Ops: func() []*ir.OpDef {
		return ir.WithNames([]*ir.OpDef{
			addFDef(), addIDef(), addUIExtendedDef(), andIDef(), bitcastDef(), ceilDivSIDef(), ceilDivUIDef(), cmpFDef(), cmpIDef(), constantDef(), divFDef(), divSIDef(), divUIDef(),
			extFDef(), extSIDef(), extUIDef(), floorDivSIDef(), fpToSIDef(), fpToUIDef(), indexCastDef(), indexCastUIDef(), maxNumFDef(), maxSIDef(), maxUIDef(), maximumFDef(),
			minNumFDef(), minSIDef(), minUIDef(), minimumFDef(), mulFDef(), mulIDef(), mulSIExtendedDef(), mulUIExtendedDef(), negFDef(), orIDef(), remFDef(), remSIDef(), remUIDef(),
			scalingExtFDef(), scalingTruncFDef(), selectDef(), shLIDef(), shRSIDef(), shRUIDef(), siToFPDef(), subFDef(), subIDef(), truncFDef(), truncIDef(), uiToFPDef(), xOrIDef(),
		}, 14, standardNames())
	},
	Models: []ir.Model{
		asm.Enums.Model([]*ir.EnumDef{FastMathFlags, OverflowFlags}),
		interfaces.ConstantMaterializer.Model(Materialize),
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
	},
}

// FastMathFlags is #arith.fastmath, what a floating-point operation may assume.
var FastMathFlags = &ir.EnumDef{
	Dialect: "arith", Mnemonic: "fastmath", Name: "FastMathFlags", Attr: "Arith_FastMathAttr", Bit: true, Separator: ",",
	Cases: []ir.EnumCase{
		{Keyword: "none", Value: 0}, {Keyword: "reassoc", Value: Reassociate}, {Keyword: "nnan", Value: NoNaNs},
		{Keyword: "ninf", Value: NoInfs}, {Keyword: "nsz", Value: NoSignedZeros}, {Keyword: "arcp", Value: 16},
		{Keyword: "contract", Value: Contract}, {Keyword: "afn", Value: 64}, {Keyword: "fast", Value: 127},
	},
}

// Values of [FastMathFlags].
const (
	Reassociate   = 1
	NoNaNs        = 2
	NoInfs        = 4
	NoSignedZeros = 8
	Contract      = 32
)

// OverflowFlags is #arith.overflow, what an integer operation may assume.
var OverflowFlags = &ir.EnumDef{
	Dialect: "arith", Mnemonic: "overflow", Name: "IntegerOverflowFlags", Attr: "Arith_IntegerOverflowAttr", Bit: true, Separator: ", ",
	Cases: []ir.EnumCase{{Keyword: "none", Value: 0}, {Keyword: "nsw", Value: NSW}, {Keyword: "nuw", Value: NUW}},
}

// Values of [OverflowFlags]: no signed wrap, no unsigned wrap.
const (
	NSW = 1
	NUW = 2
)

// RoundingMode is how arith.truncf rounds.
var RoundingMode = &ir.EnumDef{
	Name: "RoundingMode", Int: ir.I32,
	Cases: []ir.EnumCase{
		{Keyword: "to_nearest_even", Value: 0}, {Keyword: "downward", Value: 1}, {Keyword: "upward", Value: 2},
		{Keyword: "toward_zero", Value: 3}, {Keyword: "to_nearest_away", Value: 4},
	},
}

// CmpIPredicate is the predicate of arith.cmpi.
var CmpIPredicate = &ir.EnumDef{
	Name: "CmpIPredicate", Int: ir.I64,
	Cases: []ir.EnumCase{
		{Keyword: "eq", Value: uint64(EQ)}, {Keyword: "ne", Value: uint64(NE)},
		{Keyword: "slt", Value: uint64(SLT)}, {Keyword: "sle", Value: uint64(SLE)},
		{Keyword: "sgt", Value: uint64(SGT)}, {Keyword: "sge", Value: uint64(SGE)},
		{Keyword: "ult", Value: uint64(ULT)}, {Keyword: "ule", Value: uint64(ULE)},
		{Keyword: "ugt", Value: uint64(UGT)}, {Keyword: "uge", Value: uint64(UGE)},
	},
}

// IntPredicate is a value of [CmpIPredicate].
type IntPredicate int64

// The predicates of integer comparisons.
const (
	EQ IntPredicate = iota
	NE
	SLT
	SLE
	SGT
	SGE
	ULT
	ULE
	UGT
	UGE
)

// CmpFPredicate is the predicate of arith.cmpf.
var CmpFPredicate = &ir.EnumDef{
	Name: "CmpFPredicate", Int: ir.I64,
	Cases: []ir.EnumCase{
		{Keyword: "false", Value: uint64(AlwaysFalse)}, {Keyword: "oeq", Value: uint64(OEQ)},
		{Keyword: "ogt", Value: uint64(OGT)}, {Keyword: "oge", Value: uint64(OGE)},
		{Keyword: "olt", Value: uint64(OLT)}, {Keyword: "ole", Value: uint64(OLE)},
		{Keyword: "one", Value: uint64(ONE)}, {Keyword: "ord", Value: uint64(ORD)},
		{Keyword: "ueq", Value: uint64(UEQ)}, {Keyword: "ugt", Value: uint64(FUGT)},
		{Keyword: "uge", Value: uint64(FUGE)}, {Keyword: "ult", Value: uint64(FULT)},
		{Keyword: "ule", Value: uint64(FULE)}, {Keyword: "une", Value: uint64(UNE)},
		{Keyword: "uno", Value: uint64(UNO)}, {Keyword: "true", Value: uint64(AlwaysTrue)},
	},
}

// FloatPredicate is a value of [CmpFPredicate].
type FloatPredicate int64

// The predicates of floating-point comparisons; those with U (FU where an integer
// predicate has the name) hold for unordered operands, too.
const (
	AlwaysFalse FloatPredicate = iota
	OEQ
	OGT
	OGE
	OLT
	OLE
	ONE
	ORD
	UEQ
	FUGT
	FUGE
	FULT
	FULE
	UNE
	UNO
	AlwaysTrue
)
