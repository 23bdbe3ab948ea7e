package math

import (
	"math"
	"math/big"

	"freehold/dialect/ub"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/fold"
)

func init() {
	for def, f := range map[*ir.OpDef]func(float64) float64{
		Acos: math.Acos, Acosh: math.Acosh, Asin: math.Asin, Asinh: math.Asinh, Atan: math.Atan, Atanh: math.Atanh,
		Cos: math.Cos, Cosh: math.Cosh, Erf: math.Erf, Exp: math.Exp, ExpM1: math.Expm1, Round: math.Round,
		Exp2: func(x float64) float64 { return math.Pow(2, x) }, Sin: math.Sin, Sinh: math.Sinh,
		Tan: math.Tan, Tanh: math.Tanh, Trunc: math.Trunc,
	} {
		def.Fold = libraryFolder(func(args []float64) (float64, bool) { return f(args[0]), true })
	}
	// Logarithms and square roots of negative numbers are left alone.
	Log1p.Fold = libraryFolder(func(args []float64) (float64, bool) { return math.Log1p(args[0]), !math.Signbit(args[0] + 1) })
	for def, f := range map[*ir.OpDef]func(float64) float64{
		Log: log, Log10: log10, Log2: math.Log2, Sqrt: math.Sqrt,
	} {
		def.Fold = libraryFolder(func(args []float64) (float64, bool) { return f(args[0]), !math.Signbit(args[0]) })
	}
	Atan2.Fold = libraryFolder(func(args []float64) (float64, bool) { return math.Atan2(args[0], args[1]), true })
	PowF.Fold = libraryFolder(func(args []float64) (float64, bool) { return pow(args[0], args[1]), true })

	// These are exact in every format.
	integral := func(mode exec.Rounding, f func(float64) float64) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
		return exactFolder(func(args []float64) (float64, bool) { return f(args[0]), true },
			func(t *ir.FloatType) exec.Scalar { return exec.FIntegral(t, mode, f) })
	}
	Floor.Fold = integral(exec.Downward, math.Floor)
	Ceil.Fold = integral(exec.Upward, math.Ceil)
	RoundEven.Fold = integral(exec.ToNearestEven, math.RoundToEven)
	AbsF.Fold = exactFolder(func(args []float64) (float64, bool) { return math.Abs(args[0]), true }, exec.FAbs)
	CopySign.Fold = exactFolder(func(args []float64) (float64, bool) { return math.Copysign(args[0], args[1]), true }, exec.FCopySign)

	AbsI.Fold = intFolder(func(_ int, args []*big.Int) *big.Int { return new(big.Int).Abs(args[0]) })
	CountLeadingZeros.Fold = intFolder(func(w int, args []*big.Int) *big.Int {
		return big.NewInt(int64(w - fold.Unsigned(args[0], w).BitLen()))
	})
	CountTrailingZeros.Fold = intFolder(func(w int, args []*big.Int) *big.Int {
		if args[0].Sign() == 0 {
			return big.NewInt(int64(w))
		}
		return big.NewInt(int64(args[0].TrailingZeroBits()))
	})
	CtPop.Fold = intFolder(func(w int, args []*big.Int) *big.Int {
		v := fold.Unsigned(args[0], w)
		n := 0
		for i := range v.BitLen() {
			n += int(v.Bit(i))
		}
		return big.NewInt(int64(n))
	})
	IPowI.Fold = intFolder(integerPower)
}

func poisoned(operands []ir.Attribute) []ir.FoldResult {
	for _, o := range operands {
		if ub.IsPoison(o) {
			return ir.FoldAttr(o)
		}
	}
	return nil
}

func folded(a ir.Attribute) []ir.FoldResult {
	if a == nil {
		return nil
	}
	return ir.FoldAttr(a)
}

// libraryFolder folds functions of f32 and f64 numbers. The other formats are left
// to the target's library.
func libraryFolder(f func(args []float64) (float64, bool)) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	exact := exactFolder(f, nil)
	return func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
		if w := ir.ElementType(op.Result(0).Type()).(*ir.FloatType).Width; w != 32 && w != 64 {
			return poisoned(operands)
		}
		return exact(op, operands)
	}
}

// exactFolder folds functions that f computes for numbers of at most 64 bits, and wide
// for others.
func exactFolder(f func(args []float64) (float64, bool), wide func(*ir.FloatType) exec.Scalar) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
		if p := poisoned(operands); p != nil {
			return p
		}
		if t := ir.ElementType(op.Result(0).Type()).(*ir.FloatType); t.Width > 64 {
			c, operation := op.Context(), wide(t)
			return folded(fold.Elementwise(c, op.Result(0).Type(), operands, func(attrs []ir.Attribute) ir.Attribute {
				return exec.FoldWide(c, t, operation, attrs)
			}))
		}
		return folded(fold.FloatsWithNaN(op.Context(), op.Result(0).Type(), operands, f))
	}
}

func intFolder(f func(w int, args []*big.Int) *big.Int) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
		if p := poisoned(operands); p != nil {
			return p
		}
		return folded(fold.Ints(op.Context(), op.Result(0).Type(), operands, f))
	}
}

// integerPower raises a number to a signed power. A negative power of anything but one
// and minus one is zero; that of zero is undefined and not folded.
func integerPower(w int, args []*big.Int) *big.Int {
	base, exp := args[0], args[1]
	one := big.NewInt(1)
	if exp.Sign() >= 0 {
		return new(big.Int).Exp(fold.Unsigned(base, w), exp, new(big.Int).Lsh(one, uint(w)))
	}
	switch {
	case base.Sign() == 0:
		return nil
	case base.Cmp(one) == 0:
		return one
	case base.Cmp(big.NewInt(-1)) == 0:
		if exp.Bit(0) == 0 {
			return one
		}
		return base
	}
	return new(big.Int)
}
