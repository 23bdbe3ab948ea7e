package tosa

import (
	"math"
	"math/big"

	"freehold/ir"
	"freehold/ir/fold"
)

// same folds an operation to an operand that has the type of its result.
func same(op *ir.Op, v *ir.Value) []ir.FoldResult {
	if v.Type() != op.Result(0).Type() {
		return nil
	}
	return ir.FoldValue(v)
}

// splat returns the element that all elements of a constant are, or nil.
func splat(op *ir.Op, a ir.Attribute) ir.Attribute {
	if d, ok := a.(*ir.DenseElementsAttr); ok && d.Splat {
		return d.Elem(op.Context(), 0)
	}
	return nil
}

// isNumberOf tells whether an element is a number; a floating-point zero has a sign.
func isNumberOf(a ir.Attribute, n float64) bool {
	switch a := a.(type) {
	case *ir.IntegerAttr:
		return fold.Signed(a).Cmp(big.NewInt(int64(n))) == 0
	case *ir.FloatAttr:
		return a.Is(n)
	}
	return false
}

// isNeutral tells whether an element is the zero that changes no number: of floating-point ones, the one with the sign of zero.
func isNeutral(a ir.Attribute, zero float64) bool {
	if _, isFloat := a.(*ir.FloatAttr); isFloat {
		return isNumberOf(a, zero)
	}
	return isNumberOf(a, 0)
}

// constantOf is a constant of the type of the result with the same element everywhere.
func constantOf(op *ir.Op, elem ir.Attribute) []ir.FoldResult {
	t, ok := op.Result(0).Type().(*ir.RankedTensorType)
	if !ok || !ir.IsStaticShape(t.Shape) || elem == nil || ir.TypeOfAttr(elem) != t.Elem {
		return nil
	}
	return ir.FoldAttr(op.Context().DenseElements(t, ir.AppendElement(nil, elem)))
}

// onSplats computes a constant of two, all elements of each of which are the same.
func onSplats(op *ir.Op, operands []ir.Attribute, ints func(a, b *big.Int) *big.Int, floats func(a, b float64) float64) []ir.FoldResult {
	a, b := splat(op, operands[0]), splat(op, operands[1])
	if a == nil || b == nil || ir.TypeOfAttr(a) != ir.TypeOfAttr(b) {
		return nil
	}
	c, elem := op.Context(), ir.ElementType(op.Result(0).Type())
	switch a := a.(type) {
	case *ir.IntegerAttr:
		if v := ints(fold.Signed(a), fold.Signed(b.(*ir.IntegerAttr))); v != nil {
			return constantOf(op, c.BigIntegerAttr(elem, v))
		}
	case *ir.FloatAttr:
		if t, ok := elem.(*ir.FloatType); ok && floats != nil && t.Width <= 64 {
			return constantOf(op, c.FloatAttr(t, floats(a.Float64(), b.(*ir.FloatAttr).Float64())))
		}
	}
	return nil
}

// sameBut is [same] for an operation on a tensor and a constant, operand i, which changes no element: it may repeat
// them, if the tensor's size turns out to be 1 where the constant's isn't.
func sameBut(op *ir.Op, i int) []ir.FoldResult {
	v := op.Operand(1 - i)
	t, c := tensorType(v), tensorType(op.Operand(i))
	if t == nil || c == nil || len(c.Shape) > len(t.Shape) {
		return nil
	}
	for k, d := range c.Shape {
		if d != 1 && t.Shape[len(t.Shape)-len(c.Shape)+k] == ir.Dynamic {
			return nil
		}
	}
	return same(op, v)
}

func foldAdd(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if !sameElements(op) {
		return nil
	}
	for i, a := range operands {
		if !isNeutral(splat(op, a), math.Copysign(0, -1)) {
			continue
		}
		if f := sameBut(op, i); f != nil {
			return f
		}
	}
	return onSplats(op, operands, func(a, b *big.Int) *big.Int { return new(big.Int).Add(a, b) }, func(a, b float64) float64 { return a + b })
}

func sameElements(op *ir.Op) bool {
	t := ir.ElementType(op.Result(0).Type())
	o := binaryOp{op}
	return ir.ElementType(o.Input1().Type()) == t && ir.ElementType(o.Input2().Type()) == t
}

func foldSub(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if !sameElements(op) {
		return nil
	}
	if isNeutral(splat(op, operands[1]), 0) {
		if f := sameBut(op, 1); f != nil {
			return f
		}
	}
	return onSplats(op, operands, func(a, b *big.Int) *big.Int { return new(big.Int).Sub(a, b) }, func(a, b float64) float64 { return a - b })
}

// foldMul leaves products by floating-point zero: not a number times zero isn't zero.
func foldMul(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	shift := uint(op.Attr("shift").(*ir.IntegerAttr).Value)
	if sameElements(op) {
		for i, a := range operands {
			s := splat(op, a)
			one := float64(1)
			if _, isInt := s.(*ir.IntegerAttr); isInt {
				if isNumberOf(s, 0) {
					return constantOf(op, s)
				}
				if shift > 62 {
					continue
				}
				one = float64(int64(1) << shift)
			}
			if isNumberOf(s, one) {
				if f := sameBut(op, i); f != nil {
					return f
				}
			}
		}
	}
	return onSplats(op, operands, func(a, b *big.Int) *big.Int {
		product := new(big.Int).Mul(a, b)
		if shift > 0 {
			if shift > 62 {
				return nil
			}
			product.Add(product, new(big.Int).Lsh(big.NewInt(1), shift-1))
			product.Rsh(product, shift)
		}
		return product
	}, func(a, b float64) float64 { return a * b })
}

func foldIntDiv(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if (IntDivOp{op}).Input1().Type() != (IntDivOp{op}).Input2().Type() {
		return nil
	}
	a, b := splat(op, operands[0]), splat(op, operands[1])
	if isNumberOf(a, 0) && ir.TypeOfAttr(operands[0]) == op.Result(0).Type() {
		return ir.FoldAttr(operands[0])
	}
	if isNumberOf(b, 1) {
		if f := same(op, IntDivOp{op}.Input1()); f != nil {
			return f
		}
	}
	if b == nil || isNumberOf(b, 0) {
		return nil
	}
	return onSplats(op, operands, func(a, b *big.Int) *big.Int { return new(big.Int).Quo(a, b) }, nil)
}

// foldComparison decides between constants.
func foldComparison(op *ir.Op, operands []ir.Attribute, ints func(c int) bool, floats func(a, b float64) bool) []ir.FoldResult {
	a, b := splat(op, operands[0]), splat(op, operands[1])
	if a == nil || b == nil {
		return nil
	}
	holds := false
	switch a := a.(type) {
	case *ir.IntegerAttr:
		holds = ints(fold.Signed(a).Cmp(fold.Signed(b.(*ir.IntegerAttr))))
	case *ir.FloatAttr:
		holds = floats(a.Float64(), b.(*ir.FloatAttr).Float64())
	default:
		return nil
	}
	return constantOf(op, op.Context().Bool(holds))
}

func foldGreater(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	return foldComparison(op, operands, func(c int) bool { return c > 0 }, func(a, b float64) bool { return a > b })
}

func foldGreaterEqual(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	return foldComparison(op, operands, func(c int) bool { return c >= 0 }, func(a, b float64) bool { return a >= b })
}

// foldEqual: integers are equal to themselves.
func foldEqual(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if (EqualOp{op}).Input1() == (EqualOp{op}).Input2() && ir.IsInteger(ir.ElementType(EqualOp{op}.Input1().Type())) {
		if f := constantOf(op, op.Context().Bool(true)); f != nil {
			return f
		}
	}
	return foldComparison(op, operands, func(c int) bool { return c == 0 }, func(a, b float64) bool { return a == b })
}

func foldAbs(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if (AbsOp{op}).Input1().DefinedBy(Abs) != nil {
		return same(op, AbsOp{op}.Input1())
	}
	return nil
}

// foldNegate folds the negation of a negation.
func foldNegate(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	inner := NegateOp{op}.Input1().DefinedBy(Negate)
	if inner == nil || op.Attr(quantName) != nil || inner.Attr(quantName) != nil {
		return nil
	}
	return same(op, NegateOp{inner}.Input1())
}

func foldReciprocal(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	x, ok := splat(op, operands[0]).(*ir.FloatAttr)
	if !ok || x.Type.Width > 64 {
		return nil
	}
	return constantOf(op, op.Context().FloatAttr(x.Type, 1/x.Float64()))
}

func foldSelect(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if (SelectOp{op}).OnTrue() == (SelectOp{op}).OnFalse() {
		return same(op, SelectOp{op}.OnTrue())
	}
	pred, ok := splat(op, operands[0]).(*ir.IntegerAttr)
	if !ok {
		return nil
	}
	if pred.Value != 0 {
		return same(op, SelectOp{op}.OnTrue())
	}
	return same(op, SelectOp{op}.OnFalse())
}
