package linalg

import (
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// emptyPatterns make what only rearranges empty tensors an empty tensor.
func emptyPatterns() []rewrite.Pattern {
	list := []rewrite.Pattern{{Name: "FoldEmptyTensorWithExtractSliceOp", Root: tensor.ExtractSlice, Rewrite: sliceOfEmpty}}
	for _, id := range []*ir.OpID{tensor.ExpandShape, tensor.CollapseShape, tensor.Concat} {
		list = append(list, rewrite.Pattern{Name: "FoldEmptyTensorWithReshapeOp", Root: id, Rewrite: reshapeOfEmpty})
	}
	for _, id := range []*ir.OpID{tensor.Pack, tensor.Unpack} {
		list = append(list, rewrite.Pattern{Name: "FoldEmptyTensorWithPackOp", Root: id, Rewrite: relayoutOfEmpty})
	}
	return list
}

func isEmpty(v *ir.Value) bool { return v.DefinedBy(tensor.Empty) != nil }

func sliceOfEmpty(r *rewrite.Rewriter, op *ir.Op) bool {
	o := tensor.ExtractSliceOp{Op: op}
	if !isEmpty(o.Source()) {
		return false
	}
	var sizes []*ir.Value
	for _, s := range o.Slice().Sizes {
		if s.Value != nil {
			sizes = append(sizes, s.Value)
		}
	}
	r.Replace(op, tensor.NewEmptyOf(r.At(op), o.Type(), sizes))
	return true
}

// reshapeOfEmpty makes an empty tensor with the sizes of the result of an operation all of whose tensors are empty.
func reshapeOfEmpty(r *rewrite.Rewriter, op *ir.Op) bool {
	tensors := op.Operands()
	if !op.Is(tensor.Concat) {
		tensors = tensors[:1]
	}
	for i := range tensors {
		if !isEmpty(tensors.At(i)) {
			return false
		}
	}
	reify, ok := interfaces.ReifyShapes.Of(op)
	t, ranked := op.Result(0).Type().(*ir.RankedTensorType)
	if !ok || !ranked {
		return false
	}
	b := r.At(op)
	sizes := reify(b, op)
	if len(sizes) != 1 || len(sizes[0]) != len(t.Shape) {
		return false
	}
	r.Replace(op, castTo(b, t, tensor.NewEmpty(b, sizes[0], t.Elem, t.Encoding)))
	return true
}

// relayoutOfEmpty leaves the destination as it is. Padding would have to be written to it.
func relayoutOfEmpty(r *rewrite.Rewriter, op *ir.Op) bool {
	o := tensor.RelayoutOp{Op: op}
	if !isEmpty(o.Source()) || op.Is(tensor.Pack) && o.Padding() != nil {
		return false
	}
	r.Replace(op, o.Dest())
	return true
}
