package arith

import (
	"math/big"

	"freehold/ir"
	"freehold/ir/fold"
)

func signedBits(_ int, a []*big.Int) *big.Int   { return a[0] }
func unsignedBits(w int, a []*big.Int) *big.Int { return fold.Unsigned(a[0], w) }

// foldExt folds an extension of the same kind of extension, and of constants.
func foldExt(op *ir.Op, operands []ir.Attribute, id *ir.OpID, value func(int, []*big.Int) *big.Int) []ir.FoldResult {
	if ext := (castOp{op}).In().DefiningOp(); ext != nil && ext.Is(id) {
		op.SetOperand(0, castOp{ext}.In())
		return ir.FoldedInPlace()
	}
	return foldResized(op, operands, value)
}

func foldResized(op *ir.Op, operands []ir.Attribute, value func(int, []*big.Int) *big.Int) []ir.FoldResult {
	if p := poisoned(operands); p != nil {
		return ir.FoldAttr(p)
	}
	return folded(fold.Ints(op.Context(), op.Result(0).Type(), operands, value))
}

func foldTruncI(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if def := (TruncIOp{op}).In().DefiningOp(); def != nil {
		switch {
		case def.Is(ExtUI) || def.Is(ExtSI):
			if src := (castOp{def}).In(); src.Type() == op.Result(0).Type() {
				return ir.FoldValue(src)
			}
		case def.Is(TruncI):
			op.SetOperand(0, TruncIOp{def}.In())
			return ir.FoldedInPlace()
		}
	}
	return foldResized(op, operands, signedBits)
}

func foldBitcast(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if p := poisoned(operands); p != nil {
		return ir.FoldAttr(p)
	}
	c := op.Context()
	t := op.Result(0).Type()
	switch a := operands[0].(type) {
	case *ir.DenseElementsAttr:
		if ir.ElementBytes(ir.ElementType(a.Type)) != ir.ElementBytes(ir.ElementType(t)) {
			return nil
		}
		return ir.FoldAttr(c.DenseElements(t, []byte(a.Data)))
	case *ir.IntegerAttr, *ir.FloatAttr:
		if ir.IsShaped(t) {
			return nil
		}
		// A dense constant of one element reads the bits as another type.
		return ir.FoldAttr(c.DenseElements(c.RankedTensor([]int64{1}, t), ir.AppendElement(nil, a)).Elem(c, 0))
	}
	if (BitcastOp{op}).In().Type() == t {
		return ir.FoldValue(BitcastOp{op}.In())
	}
	return nil
}
