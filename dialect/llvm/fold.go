package llvm

import (
	"math"
	"math/big"

	"freehold/ir"
	"freehold/ir/fold"
	"freehold/ir/rewrite"
)

// onNumbers folds an operation on integers, but not on vectors of them, by [fold.Ints].
func onNumbers(fn func(w int, args []*big.Int) *big.Int) func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	return func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
		if !ir.IsInteger(op.Result(0).Type()) {
			return nil
		}
		if a := fold.Ints(op.Context(), op.Result(0).Type(), operands, fn); a != nil {
			return ir.FoldAttr(a)
		}
		return nil
	}
}

var (
	foldOr = onNumbers(func(_ int, args []*big.Int) *big.Int { return new(big.Int).Or(args[0], args[1]) })

	foldShl = onNumbers(func(w int, args []*big.Int) *big.Int {
		n := fold.Unsigned(args[1], w)
		if n.Cmp(big.NewInt(int64(w))) >= 0 {
			return nil
		}
		return new(big.Int).Lsh(args[0], uint(n.Uint64()))
	})

	foldZExt = onNumbers(func(w int, args []*big.Int) *big.Int { return fold.Unsigned(args[0], w) })
)

// foldICmp compares a value with itself, and what is allocated on the stack with null, for equality.
func foldICmp(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	p, _ := op.Attr("predicate").(*ir.IntegerAttr)
	if p == nil || p.Value > 1 {
		return nil
	}
	equal := p.Value == 0 // eq, and 1 is ne
	x, y := ICmpOp{op}.LHS(), ICmpOp{op}.RHS()
	switch {
	case x == y:
	case x.DefinedBy(Alloca) != nil && y.DefinedBy(Zero) != nil, x.DefinedBy(Zero) != nil && y.DefinedBy(Alloca) != nil:
		equal = !equal
	default:
		return nil
	}
	t := op.Result(0).Type()
	if _, isVector := t.(*ir.VectorType); !isVector && t != ir.I1 {
		return nil
	}
	flag := int64(0)
	if equal {
		flag = 1
	}
	if a := fold.Filled(op.Context(), t, flag); a != nil {
		return ir.FoldAttr(a)
	}
	return nil
}

// foldCast removes casts to the same type, and makes one of two of a kind.
func foldCast(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	x, t := op.OnlyOperand(), op.Result(0).Type()
	if x.Type() == t {
		return ir.FoldValue(x)
	}
	inner := x.DefinedBy(op.ID())
	switch {
	case inner == nil || rewrite.LeadsBack(inner, op):
		return nil
	case inner.OnlyOperand().Type() == t:
		return ir.FoldValue(inner.OnlyOperand())
	}
	op.SetOperand(0, inner.OnlyOperand())
	return ir.FoldedInPlace()
}

// foldGEP removes an offset of zero, and makes indices static that are constant.
func foldGEP(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	raw, ok := op.Attr(rawIndices).(*ir.DenseArrayAttr)
	if !ok {
		return nil
	}
	base := GetElementPtrOp{op}.Base()
	indices := make([]int32, raw.Len())
	var static []int
	dynamic := 0
	for i := range indices {
		indices[i] = int32(raw.Int(i))
		if indices[i] != dynamicIndex {
			continue
		}
		dynamic++
		n, ok := operands[dynamic].(*ir.IntegerAttr)
		if ok && n.Big == nil && math.MinInt32 < n.Value && n.Value <= math.MaxInt32 {
			indices[i] = int32(n.Value)
			static = append(static, dynamic)
		}
	}
	if len(indices) == 1 && indices[0] == 0 && base.Type() == op.Result(0).Type() {
		return ir.FoldValue(base)
	}
	if static == nil {
		return nil
	}
	for i := len(static) - 1; i >= 0; i-- {
		op.EraseOperands(static[i], 1)
	}
	op.SetAttr(rawIndices, op.Context().DenseI32Array(indices...))
	return ir.FoldedInPlace()
}
