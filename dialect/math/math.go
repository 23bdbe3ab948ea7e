// Package math defines the math dialect: elementary functions on floating-point
// numbers and integers, and on vectors and tensors of them.
package math

import (
	"math"
	"math/big"

	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/internal/elementary"
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/fold"
	"freehold/ir/interfaces"
)

// standardNames are the names in the standard dialect, from which LLVM took these operations.
func standardNames() map[*ir.OpID][]string {
	return map[*ir.OpID][]string{
		AbsF: {"std.absf"}, Atan: {"std.atan"}, Atan2: {"std.atan2"}, Ceil: {"std.ceilf"}, CopySign: {"std.copysign"}, Cos: {"std.cos"},
		Exp: {"std.exp"}, Exp2: {"std.exp2"}, ExpM1: {"std.expm1"}, Floor: {"std.floorf"}, Fma: {"std.fmaf"}, Log: {"std.log"},
		Log10: {"std.log10"}, Log1p: {"std.log1p"}, Log2: {"std.log2"}, PowF: {"std.powf"}, Rsqrt: {"std.rsqrt"}, Sin: {"std.sin"},
		Sqrt: {"std.sqrt"}, Tanh: {"std.tanh"},
	}
}

// Dialect is the math dialect.
var Dialect = &ir.Dialect{
	Name: "math",
	Ops: func() []*ir.OpDef {
		return ir.WithNames([]*ir.OpDef{
			absFDef(), absIDef(), acosDef(), acoshDef(), asinDef(), asinhDef(), atanDef(), atan2Def(), atanhDef(), cbrtDef(), ceilDef(), clampFDef(), copySignDef(), cosDef(), coshDef(),
			countLeadingZerosDef(), countTrailingZerosDef(), ctPopDef(), erfDef(), erfcDef(), expDef(), exp2Def(), expM1Def(), floorDef(), fmaDef(), fPowIDef(), iPowIDef(), isFiniteDef(), isInfDef(), isNaNDef(), isNormalDef(), logDef(), log10Def(),
			log1pDef(), log2Def(), powFDef(), roundDef(), roundEvenDef(), rsqrtDef(), sinDef(), sinCosDef(), sinhDef(), sqrtDef(), tanDef(), tanhDef(), truncDef(),
		}, 14, standardNames())
	},
	Models: []ir.Model{
		interfaces.ConstantMaterializer.Model(arith.Materialize),
		interfaces.Inliner.Model(interfaces.InlineAnywhere{}),
	},
}

const traits = ir.TraitPure | ir.ElementwiseMappable

func float(id *ir.OpID, operands ...string) *ir.OpDef {
	def := &ir.OpDef{
		ID:      id,
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

func unary(id *ir.OpID) *ir.OpDef { return float(id, "operand") }

// function is a function of one number, which is computed alike when it is folded, as folds says, and when it is executed.
func function(id *ir.OpID, f func(float64) float64, folds func(func(float64) float64) func(*ir.Op, []ir.Attribute) []ir.FoldResult) *ir.OpDef {
	return unary(id).With(ir.OpDef{
		Fold: folds(f),
		Models: []ir.Model{
			exec.Elementwise.Model(onFloat(f)),
		},
	})
}

func integer(id *ir.OpID, format string, operands ...string) *ir.OpDef {
	def := &ir.OpDef{
		ID:      id,
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
	AbsF      = ir.NewOpID("math.absf")
	Acos      = ir.NewOpID("math.acos")
	Acosh     = ir.NewOpID("math.acosh")
	Asin      = ir.NewOpID("math.asin")
	Asinh     = ir.NewOpID("math.asinh")
	Atan      = ir.NewOpID("math.atan")
	Atanh     = ir.NewOpID("math.atanh")
	Cbrt      = ir.NewOpID("math.cbrt")
	Ceil      = ir.NewOpID("math.ceil")
	Cos       = ir.NewOpID("math.cos")
	Cosh      = ir.NewOpID("math.cosh")
	Erf       = ir.NewOpID("math.erf")
	Exp       = ir.NewOpID("math.exp")
	Exp2      = ir.NewOpID("math.exp2")
	ExpM1     = ir.NewOpID("math.expm1")
	Floor     = ir.NewOpID("math.floor")
	Log       = ir.NewOpID("math.log")
	Log10     = ir.NewOpID("math.log10")
	Log1p     = ir.NewOpID("math.log1p")
	Log2      = ir.NewOpID("math.log2")
	Round     = ir.NewOpID("math.round")
	RoundEven = ir.NewOpID("math.roundeven")
	Rsqrt     = ir.NewOpID("math.rsqrt")
	Sin       = ir.NewOpID("math.sin")
	Sinh      = ir.NewOpID("math.sinh")
	Sqrt      = ir.NewOpID("math.sqrt")
	Tan       = ir.NewOpID("math.tan")
	Tanh      = ir.NewOpID("math.tanh")
	Trunc     = ir.NewOpID("math.trunc")
)

func absFDef() *ir.OpDef {
	return unary(AbsF).With(ir.OpDef{
		Earlier: []ir.Spelling{{Until: 15, Name: "math.abs"}},
		Fold:    exactFolder(func(args []float64) (float64, bool) { return math.Abs(args[0]), true }, exec.FAbs),
		Models: []ir.Model{
			exec.Elementwise.Model(onType(exec.FAbs)),
		},
	})
}

func acosDef() *ir.OpDef { return function(Acos, elementary.Acos, foldArc) }

func acoshDef() *ir.OpDef { return function(Acosh, elementary.Acosh, foldFunction) }

func asinDef() *ir.OpDef { return function(Asin, elementary.Asin, foldArc) }

func asinhDef() *ir.OpDef { return function(Asinh, elementary.Asinh, foldFunction) }

func atanDef() *ir.OpDef { return function(Atan, elementary.Atan, foldFunction) }

func atanhDef() *ir.OpDef { return function(Atanh, elementary.Atanh, foldFunction) }

func cbrtDef() *ir.OpDef {
	return unary(Cbrt).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(onFloat(elementary.Cbrt)),
		},
	})
}

func ceilDef() *ir.OpDef {
	return unary(Ceil).With(ir.OpDef{
		Fold: foldIntegral(exec.Upward, math.Ceil),
		Models: []ir.Model{
			exec.Elementwise.Model(integral(exec.Upward, math.Ceil)),
		},
	})
}

func cosDef() *ir.OpDef { return function(Cos, elementary.Cos, foldFunction) }

func coshDef() *ir.OpDef { return function(Cosh, elementary.Cosh, foldFunction) }

func erfDef() *ir.OpDef { return function(Erf, elementary.Erf, foldFunction) }

func expDef() *ir.OpDef { return function(Exp, elementary.Exp, foldFunction) }

func exp2Def() *ir.OpDef { return function(Exp2, elementary.Exp2, foldFunction) }

func expM1Def() *ir.OpDef { return function(ExpM1, elementary.Expm1, foldFunction) }

func floorDef() *ir.OpDef {
	return unary(Floor).With(ir.OpDef{
		Fold: foldIntegral(exec.Downward, math.Floor),
		Models: []ir.Model{
			exec.Elementwise.Model(integral(exec.Downward, math.Floor)),
		},
	})
}

func logDef() *ir.OpDef { return function(Log, elementary.Log, foldNonNegative) }

func log10Def() *ir.OpDef { return function(Log10, elementary.Log10, foldNonNegative) }

func log1pDef() *ir.OpDef {
	return unary(Log1p).With(ir.OpDef{
		// Logarithms and square roots of negative numbers are left alone.
		Fold: libraryFolder(func(args []float64) (float64, bool) { return elementary.Log1p(args[0]), !math.Signbit(args[0] + 1) }),
		Models: []ir.Model{
			exec.Elementwise.Model(onFloat(elementary.Log1p)),
		},
	})
}

func log2Def() *ir.OpDef { return function(Log2, elementary.Log2, foldNonNegative) }

func roundDef() *ir.OpDef {
	return unary(Round).With(ir.OpDef{
		Fold: foldFunction(math.Round),
		Models: []ir.Model{
			exec.Elementwise.Model(integral(exec.ToNearestAway, math.Round)),
		},
	})
}

func roundEvenDef() *ir.OpDef {
	return unary(RoundEven).With(ir.OpDef{
		Fold: foldIntegral(exec.ToNearestEven, math.RoundToEven),
		Models: []ir.Model{
			exec.Elementwise.Model(integral(exec.ToNearestEven, math.RoundToEven)),
		},
	})
}

func rsqrtDef() *ir.OpDef {
	return unary(Rsqrt).With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(onFloat(elementary.Rsqrt)),
		},
	})
}

func sinDef() *ir.OpDef { return function(Sin, elementary.Sin, foldFunction) }

func sinhDef() *ir.OpDef { return function(Sinh, elementary.Sinh, foldFunction) }

func sqrtDef() *ir.OpDef {
	return unary(Sqrt).With(ir.OpDef{
		Fold: foldNonNegative(math.Sqrt),
		Models: []ir.Model{
			exec.Elementwise.Model(onType(exec.FSqrt)),
		},
	})
}

func tanDef() *ir.OpDef { return function(Tan, elementary.Tan, foldFunction) }

func tanhDef() *ir.OpDef { return function(Tanh, elementary.Tanh, foldFunction) }

func truncDef() *ir.OpDef {
	return unary(Trunc).With(ir.OpDef{
		Fold: foldFunction(math.Trunc),
		Models: []ir.Model{
			exec.Elementwise.Model(integral(exec.TowardZero, math.Trunc)),
		},
	})
}

// Functions of several floating-point numbers.
var (
	Atan2    = ir.NewOpID("math.atan2")
	CopySign = ir.NewOpID("math.copysign")
	PowF     = ir.NewOpID("math.powf")
	Fma      = ir.NewOpID("math.fma")
)

func atan2Def() *ir.OpDef {
	return float(Atan2, "lhs", "rhs").With(ir.OpDef{
		Fold: libraryFolder(func(args []float64) (float64, bool) { return elementary.Atan2(args[0], args[1]), true }),
		Models: []ir.Model{
			exec.Elementwise.Model(onFloats(elementary.Atan2)),
		},
	})
}

func copySignDef() *ir.OpDef {
	return float(CopySign, "lhs", "rhs").With(ir.OpDef{
		Fold: exactFolder(func(args []float64) (float64, bool) { return math.Copysign(args[0], args[1]), true }, exec.FCopySign),
		Models: []ir.Model{
			exec.Elementwise.Model(onType(exec.FCopySign)),
		},
	})
}

func powFDef() *ir.OpDef {
	return float(PowF, "lhs", "rhs").With(ir.OpDef{
		Fold: libraryFolder(func(args []float64) (float64, bool) { return elementary.Pow(args[0], args[1]), true }),
		Models: []ir.Model{
			exec.Elementwise.Model(onFloats(elementary.Pow)),
		},
	})
}

func fmaDef() *ir.OpDef {
	return float(Fma, "a", "b", "c").With(ir.OpDef{
		Models: []ir.Model{
			exec.Elementwise.Model(onType(exec.FFMA)),
		},
	})
}

// Functions of integers.
var (
	AbsI               = ir.NewOpID("math.absi")
	CountLeadingZeros  = ir.NewOpID("math.ctlz")
	CountTrailingZeros = ir.NewOpID("math.cttz")
	CtPop              = ir.NewOpID("math.ctpop")
	IPowI              = ir.NewOpID("math.ipowi")
)

func absIDef() *ir.OpDef {
	return integer(AbsI, "$operand", "operand").With(ir.OpDef{
		Fold: intFolder(func(_ int, args []*big.Int) *big.Int { return new(big.Int).Abs(args[0]) }),
		Models: []ir.Model{
			exec.Elementwise.Model(onInt(func(a *big.Int, w int) *big.Int { return a.Abs(exec.Signed(a, w)) })),
		},
	})
}

func countLeadingZerosDef() *ir.OpDef {
	return integer(CountLeadingZeros, "$operand", "operand").With(ir.OpDef{
		Fold: intFolder(func(w int, args []*big.Int) *big.Int {
			return big.NewInt(int64(w - fold.Unsigned(args[0], w).BitLen()))
		}),
		Models: []ir.Model{
			exec.Elementwise.Model(onInt(func(a *big.Int, w int) *big.Int { return big.NewInt(int64(w - a.BitLen())) })),
		},
	})
}

func countTrailingZerosDef() *ir.OpDef {
	return integer(CountTrailingZeros, "$operand", "operand").With(ir.OpDef{
		Fold: intFolder(func(w int, args []*big.Int) *big.Int {
			if args[0].Sign() == 0 {
				return big.NewInt(int64(w))
			}
			return big.NewInt(int64(args[0].TrailingZeroBits()))
		}),
		Models: []ir.Model{
			exec.Elementwise.Model(computeCountTrailingZeros),
		},
	})
}

func ctPopDef() *ir.OpDef {
	return integer(CtPop, "$operand", "operand").With(ir.OpDef{
		Fold: intFolder(func(w int, args []*big.Int) *big.Int {
			v := fold.Unsigned(args[0], w)
			n := 0
			for i := range v.BitLen() {
				n += int(v.Bit(i))
			}
			return big.NewInt(int64(n))
		}),
		Models: []ir.Model{
			exec.Elementwise.Model(computeCtPop),
		},
	})
}

func iPowIDef() *ir.OpDef {
	return integer(IPowI, "$lhs `,` $rhs", "lhs", "rhs").With(ir.OpDef{
		Fold: intFolder(integerPower),
		Models: []ir.Model{
			exec.Elementwise.Model(computeIPowI),
		},
	})
}

// FPowI is math.fpowi, a floating-point number to the power of an integer.
var FPowI = ir.NewOpID("math.fpowi")

func fPowIDef() *ir.OpDef {
	return &ir.OpDef{
		ID: FPowI,
		Operands: []ir.OperandDef{
			{Name: "lhs", Type: constraint.FloatLike}, {Name: "rhs", Type: constraint.SignlessIntegerLike},
		},
		Results:    []ir.ResultDef{{Name: "result", Type: constraint.FloatLike}},
		Attrs:      []ir.AttrDef{arith.FastMathAttr},
		Traits:     traits | ir.TraitSameOperandsAndResultShape,
		TypeRules:  []ir.TypeRule{{Same: []string{"lhs", "result"}, Summary: "all of {lhs, result} have same type"}},
		Format:     "$lhs `,` $rhs (`fastmath` `` $fastmath^)? attr-dict `:` type($lhs) `,` type($rhs)",
		InferTypes: func(s *ir.OpState) ([]ir.Type, error) { return []ir.Type{s.Operands[0].Type()}, nil },
		Models: []ir.Model{
			exec.Elementwise.Model(computeFPowI),
		},
	}
}

// New creates a math operation whose result has the type of its first operand, and
// returns the result.
func New(b *ir.Builder, id *ir.OpID, operands ...*ir.Value) *ir.Value {
	return b.CreateOp(id, []ir.Type{operands[0].Type()}, operands).Result(0)
}
