package arith

import (
	"math"
	"math/big"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/fold"
)

// number returns a function of two numbers that is the other one if one is NaN.
func number(of func(x, y float64) float64) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		switch {
		case math.IsNaN(x):
			return y
		case math.IsNaN(y):
			return x
		}
		return of(x, y)
	}
}

// floatFolder folds a binary floating-point operation by what it does with
// constants.
type floatFolder struct {
	// same tells that the operation of a value with itself is the value.
	same bool
	// neutral right operands give the left one.
	neutral func(*ir.FloatAttr) bool
	// absorbing right operands are the result where an operation promises that there is neither NaN nor a zero whose sign counts.
	absorbing func(*ir.FloatAttr) bool
	// seesNaN tells that NaN among the operands isn't the result: compute is called for it, too, and what is neutral
	// for numbers may be the result for it.
	seesNaN bool
	// compute returns the result for two constants.
	compute func(x, y float64) float64
	// wide returns the operation on a type of more than 64 bits.
	wide func(t *ir.FloatType) exec.Scalar
}

// isNumber tells of a constant whether it is the given number, with its sign.
func isNumber(x float64) func(*ir.FloatAttr) bool {
	return func(a *ir.FloatAttr) bool { return a.Is(x) }
}

// isZeroF tells of a constant whether it is a zero of either sign.
func isZeroF(a *ir.FloatAttr) bool { return a.Is(0) || a.Is(math.Copysign(0, -1)) }

func (f floatFolder) fold(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	c := op.Context()
	if f.same && (BinaryOp{op}).LHS() == (BinaryOp{op}).RHS() {
		return ir.FoldValue(BinaryOp{op}.LHS())
	}
	if r, ok := splat(c, operands[1]).(*ir.FloatAttr); ok {
		switch {
		case f.neutral != nil && f.neutral(r) && (!f.seesNaN || isNaN(r) || Allows(op, NoNaNs)):
			return ir.FoldValue(BinaryOp{op}.LHS())
		case f.absorbing != nil && f.absorbing(r) && Allows(op, NoNaNs|NoSignedZeros):
			return ir.FoldAttr(operands[1])
		}
	}
	if p := poisoned(operands); p != nil {
		return ir.FoldAttr(p)
	}
	if operands[0] == nil || operands[1] == nil {
		return nil
	}
	if t, ok := ir.ElementType(op.Result(0).Type()).(*ir.FloatType); ok && t.Width > 64 {
		return folded(f.foldWide(c, op.Result(0).Type(), t, operands))
	}
	floats := fold.Floats
	if f.seesNaN {
		floats = fold.FloatsWithNaN
	}
	return folded(floats(c, op.Result(0).Type(), operands, func(args []float64) (float64, bool) {
		return f.compute(args[0], args[1]), true
	}))
}

// foldWide computes with constants of a type of more than 64 bits.
func (f floatFolder) foldWide(c *ir.Context, result ir.Type, t *ir.FloatType, operands []ir.Attribute) ir.Attribute {
	operation := f.wide(t)
	return fold.Elementwise(c, result, operands, func(attrs []ir.Attribute) ir.Attribute {
		for _, a := range attrs {
			if x, ok := a.(*ir.FloatAttr); ok && isNaN(x) && !f.seesNaN {
				return x
			}
		}
		return exec.FoldWide(c, t, operation, attrs)
	})
}

func foldNegF(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if neg := (NegFOp{op}).OperandValue().DefiningOp(); neg != nil && neg.Is(NegF) {
		return ir.FoldValue(NegFOp{neg}.OperandValue())
	}
	if p := poisoned(operands); p != nil {
		return ir.FoldAttr(p)
	}
	c := op.Context()
	return folded(fold.Elementwise(c, op.Result(0).Type(), operands, func(args []ir.Attribute) ir.Attribute {
		a, ok := args[0].(*ir.FloatAttr)
		if !ok {
			return nil
		}
		if a.Type.Format.Special == ir.FiniteNaNNegZero && (a.Lo == 0 || isNaN(a)) {
			return a
		}
		sign := a.Type.Format.SignMask()
		if a.Type.Width <= 64 {
			return c.FloatBits(a.Type, a.Lo^sign, a.Hi)
		}
		return c.FloatBits(a.Type, a.Lo, a.Hi^sign)
	}))
}

// Promises tells whether an operation on integers has all of some overflow flags.
func Promises(op *ir.Op, flags uint64) bool {
	f, ok := op.Attr("overflowFlags").(*ir.EnumAttr)
	return ok && f.Value&flags == flags
}

// Allows tells whether an operation has all of some fast-math flags.
func Allows(op *ir.Op, flags uint64) bool {
	f, ok := op.Attr(FastMathAttr.Name).(*ir.EnumAttr)
	return ok && f.Value&flags == flags
}

func foldExtF(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if trunc := (ExtFOp{op}).In().DefiningOp(); trunc != nil && trunc.Is(TruncF) && (TruncFOp{trunc}).In().Type() == op.Result(0).Type() &&
		Allows(trunc, Contract) && Allows(op, Contract) {
		return ir.FoldValue(TruncFOp{trunc}.In())
	}
	if p := poisoned(operands); p != nil {
		return ir.FoldAttr(p)
	}
	return foldConversion(op, operands)
}

func foldTruncF(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if p := poisoned(operands); p != nil {
		return ir.FoldAttr(p)
	}
	return foldConversion(op, operands)
}

// foldLaterTruncF is how LLVM 22 folds arith.truncf: also of what was extended from a type all of whose numbers the wider one has.
func foldLaterTruncF(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if ext := (TruncFOp{op}).In().DefinedBy(ExtF); ext != nil {
		src := ExtFOp{ext}.In()
		from, to := ir.ElementType(src.Type()).(*ir.FloatType), ir.ElementType(op.Result(0).Type()).(*ir.FloatType)
		switch {
		case !hasNumbersOf(ir.ElementType(ext.Result(0).Type()).(*ir.FloatType), from):
		case from.Width > to.Width:
			op.SetOperand(0, src)
			return ir.FoldedInPlace()
		case src.Type() == op.Result(0).Type():
			return ir.FoldValue(src)
		}
	}
	return foldTruncF(op, operands)
}

// hasNumbersOf tells whether a format with infinities has all numbers of another one.
func hasNumbersOf(wide, t *ir.FloatType) bool {
	return wide.Format.Special == ir.IEEE && t.Format.Special == ir.IEEE && wide.Format.ExpBits >= t.Format.ExpBits && wide.Format.MantBits >= t.Format.MantBits
}

// foldConversion converts floating-point constants to another type where that
// loses nothing.
func foldConversion(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	c := op.Context()
	to := ir.ElementType(op.Result(0).Type()).(*ir.FloatType)
	return folded(fold.Elementwise(c, op.Result(0).Type(), operands, func(args []ir.Attribute) ir.Attribute {
		a, ok := args[0].(*ir.FloatAttr)
		if !ok {
			return nil
		}
		return convertFloat(c, a, to)
	}))
}

// convertFloat returns the number in another type, or nil if that can't represent
// it.
func convertFloat(c *ir.Context, a *ir.FloatAttr, to *ir.FloatType) ir.Attribute {
	switch {
	case isNaN(a):
		return convertNaN(c, a, to)
	case a.Is(math.Copysign(0, -1)) && to.Format.Special == ir.FiniteNaNNegZero:
		return nil // there is no negative zero
	}
	if a.Type.Width <= 64 && to.Width <= 64 {
		bits, exact := to.Format.FromFloat64(a.Float64())
		if !exact {
			return nil
		}
		return c.FloatBits(to, bits, 0)
	}
	x, finite := a.Type.Format.ToBig(a.Lo, a.Hi)
	if !finite {
		return c.FloatAttr(to, a.Float64())
	}
	r := bigToFloat(c, to, x)
	if y, ok := to.Format.ToBig(r.Lo, r.Hi); !ok || y.Cmp(x) != 0 {
		return nil
	}
	return r
}

// bigToFloat rounds x to the type.
func bigToFloat(c *ir.Context, t *ir.FloatType, x *big.Float) *ir.FloatAttr {
	if t.Width > 64 {
		lo, hi := t.Format.FromBig(x)
		return c.FloatBits(t, lo, hi)
	}
	// Rounding to odd first makes the second rounding exact.
	f, acc := x.Float64()
	if t.Width < 64 && acc != big.Exact && !math.IsInf(f, 0) {
		if odd := math.Float64bits(f)&1 == 1; !odd {
			if towardsZero := (acc == big.Below) != (f < 0); towardsZero {
				f = math.Float64frombits(math.Float64bits(f) | 1)
			} else {
				f = math.Float64frombits(math.Float64bits(f) - 1)
			}
		}
	}
	return c.FloatAttr(t, f)
}

func foldIntToFloat(op *ir.Op, operands []ir.Attribute, signed bool) []ir.FoldResult {
	if p := poisoned(operands); p != nil {
		return ir.FoldAttr(p)
	}
	c := op.Context()
	to := ir.ElementType(op.Result(0).Type()).(*ir.FloatType)
	return folded(fold.Elementwise(c, op.Result(0).Type(), operands, func(args []ir.Attribute) ir.Attribute {
		a, ok := args[0].(*ir.IntegerAttr)
		if !ok {
			return nil
		}
		v := fold.Signed(a)
		if !signed {
			v = fold.Unsigned(v, fold.Width(a.Type))
		}
		if v.Sign() == 0 {
			return c.FloatAttr(to, 0)
		}
		return bigToFloat(c, to, new(big.Float).SetInt(v))
	}))
}

func foldFloatToInt(op *ir.Op, operands []ir.Attribute, signed bool) []ir.FoldResult {
	if p := poisoned(operands); p != nil {
		return ir.FoldAttr(p)
	}
	c := op.Context()
	to := ir.ElementType(op.Result(0).Type())
	w := fold.Width(to)
	return folded(fold.Elementwise(c, op.Result(0).Type(), operands, func(args []ir.Attribute) ir.Attribute {
		a, ok := args[0].(*ir.FloatAttr)
		if !ok {
			return nil
		}
		x, finite := a.Type.Format.ToBig(a.Lo, a.Hi)
		if !finite {
			return nil
		}
		v, _ := x.Int(nil)
		fits := v.Sign() >= 0 && v.BitLen() <= w
		if signed {
			fits = fold.Wrap(v, w).Cmp(v) == 0
		}
		if !fits {
			return nil
		}
		return c.BigIntegerAttr(to, v)
	}))
}
