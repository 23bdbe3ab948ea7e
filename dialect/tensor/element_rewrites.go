package tensor

import (
	"freehold/ir"
	"freehold/ir/rewrite"
)

// foldExtract reads an element of a constant, or of a tensor made from elements.
func foldExtract(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	o := ExtractOp{op}
	if len(operands) == 0 {
		operands = make([]ir.Attribute, op.NumOperands())
	}
	dense, _ := operands[0].(*ir.DenseElementsAttr)
	if dense != nil && dense.Splat {
		return ir.FoldAttr(dense.Elem(op.Context(), 0))
	}
	shape := ranked(o.Tensor().Type()).Shape
	flat, inside := int64(0), true
	for i, a := range operands[1:] {
		x, ok := a.(*ir.IntegerAttr)
		if !ok || i >= len(shape) {
			return nil
		}
		inside = inside && x.Value >= 0 && x.Value < shape[i]
		flat = flat*shape[i] + x.Value
	}
	if f := o.Tensor().DefinedBy(FromElements); f != nil {
		if flat < 0 || flat >= int64(f.NumOperands()) {
			return nil
		}
		return ir.FoldValue(f.Operand(int(flat)))
	}
	if !inside {
		return nil
	}
	if dense != nil {
		return ir.FoldAttr(dense.Elem(op.Context(), flat))
	}
	if sparse, ok := operands[0].(*ir.SparseElementsAttr); ok {
		if a := sparse.Elem(op.Context(), flat); a != nil {
			return ir.FoldAttr(a)
		}
	}
	return nil
}

// foldLaterExtract is how LLVM 22 folds tensor.extract: also of what was inserted at the same constant position.
func foldLaterExtract(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if f := foldExtract(op, operands); f != nil {
		return f
	}
	ins := (ExtractOp{op}).Tensor().DefinedBy(Insert)
	if ins == nil {
		return nil
	}
	at := InsertOp{ins}.Indices()
	for i, v := range (ExtractOp{op}).Indices().Values() {
		x, ok := ir.ConstantInt(v)
		if y, same := ir.ConstantInt(at.At(i)); !ok || !same || x != y {
			return nil
		}
	}
	return ir.FoldValue(InsertOp{ins}.Scalar())
}

func extractPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "ExtractFromTensorCast", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		o := ExtractOp{op}
		cast := o.Tensor().DefinedBy(Cast)
		if cast == nil || ranked(CastOp{cast}.Source().Type()) == nil {
			return false
		}
		r.Replace(op, NewExtract(r.At(op), CastOp{cast}.Source(), o.Indices().Values()...))
		return true
	}}}
}

// foldInsert drops inserting the element of a splat constant into it.
func foldInsert(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if len(operands) < 2 || operands[0] == nil {
		return nil
	}
	d, ok := operands[1].(*ir.DenseElementsAttr)
	if ok && d.Splat && d.Elem(op.Context(), 0) == operands[0] {
		return ir.FoldAttr(d)
	}
	return nil
}
