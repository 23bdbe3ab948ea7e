package math

import (
	"math"
	"math/big"

	"freehold/dialect/ub"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/fold"
)

// foldIntegral folds roundings to integers, which are exact in every format.
func foldIntegral(mode exec.Rounding, f func(float64) float64) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return exactFolder(func(args []float64) (float64, bool) { return f(args[0]), true },
		func(t *ir.FloatType) exec.Scalar { return exec.FIntegral(t, mode, f) })
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

// foldFunction folds a function of one number.
func foldFunction(f func(float64) float64) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return libraryFolder(func(args []float64) (float64, bool) { return f(args[0]), true })
}

// foldArc folds a function of one number whose NaN, for numbers that it isn't defined for, has no sign.
func foldArc(f func(float64) float64) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return libraryFolderWith(fold.FloatsWithPositiveNaN, func(args []float64) (float64, bool) { return f(args[0]), true })
}

// foldNonNegative folds a function of one number that has no sign; others are left.
func foldNonNegative(f func(float64) float64) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return libraryFolder(func(args []float64) (float64, bool) { return f(args[0]), !math.Signbit(args[0]) })
}

// libraryFolder folds functions of f32 and f64 numbers. The other formats are left
// to the target's library.
func libraryFolder(f func(args []float64) (float64, bool)) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return libraryFolderWith(fold.FloatsWithNaN, f)
}

// libraryFolderWith is libraryFolder with how constants are folded, which says which sign a NaN has that the function makes.
func libraryFolderWith(floats func(*ir.Context, ir.Type, []ir.Attribute, func([]float64) (float64, bool)) ir.Attribute,
	f func(args []float64) (float64, bool)) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	quieted := func(args []float64) (float64, bool) {
		v, ok := f(args)
		if math.IsNaN(v) {
			for _, x := range args {
				if math.IsNaN(x) {
					return quiet(x), ok
				}
			}
		}
		return v, ok
	}
	return func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
		p := poisoned(operands)
		if w := ir.ElementType(op.Result(0).Type()).(*ir.FloatType).Width; p != nil || w != 32 && w != 64 {
			return p
		}
		return folded(floats(op.Context(), op.Result(0).Type(), operands, quieted))
	}
}

// quiet returns a NaN with its sign and payload, which doesn't signal.
func quiet(x float64) float64 { return math.Float64frombits(math.Float64bits(x) | 1<<51) }

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
