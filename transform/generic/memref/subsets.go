package memref

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/dialect/vector"
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// SubsetPatterns returns the patterns that let transfers read from what a slice of a tensor was taken from, write to what it is put into,
// and put slices of slices where they go in the end.
func SubsetPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "TransferReadOfExtractSliceOpFolder", Root: vector.TransferRead, Rewrite: readOfSlice},
		{Name: "InsertSliceOfTransferWriteOpFolder", Root: tensor.InsertSlice, Rewrite: insertionOfWrite},
		{Name: "InsertSliceOfInsertSliceFolder", Root: tensor.InsertSlice, Rewrite: insertionOfInsertion},
		{Name: "InsertSliceOfInsertSliceFolder", Root: tensor.ParallelInsertSlice, Rewrite: insertionOfInsertion},
	}
}

// meansSameInWhole tells whether a transfer from or to a slice can be one from or to what the slice is of.
func meansSameInWhole(o vector.TransferOp, s shapes.Slice) bool {
	return o.Mask() == nil && !slices.Contains(o.InBounds(), false) && shapes.AllConst(s.Strides, 1)
}

// readOfSlice reads from what a slice was taken from.
func readOfSlice(r *rewrite.Rewriter, op *ir.Op) bool {
	o := vector.TransferOp{Op: op}
	def := o.Source().DefinedBy(tensor.ExtractSlice)
	if def == nil {
		return false
	}
	slice := tensor.ExtractSliceOp{Op: def}
	if !meansSameInWhole(o, slice.Slice()) {
		return false
	}
	b := r.At(op)
	b.Loc = op.Loc()
	dropped := slice.DroppedDims()
	at := arith.ValuesOf(b, positionOfSlice(b, slice.Slice(), dropped, mixed(o.Indices().Values())))
	r.Modify(op, func() { access{buffer: 0, indices: 1}.moveTo(o, slice.Source(), at, dropped) })
	return true
}

// insertionOfWrite writes a vector, which is all of a slice, to where the slice is put.
func insertionOfWrite(r *rewrite.Rewriter, op *ir.Op) bool {
	into := tensor.InsertSliceOp{Op: op}
	def := into.Source().DefinedBy(vector.TransferWrite)
	if def == nil {
		return false
	}
	o := vector.TransferOp{Op: def}
	if !meansSameInWhole(o, into.Slice()) || !o.PermutationMap().IsIdentity() || !slices.Equal(o.VectorType().Shape, into.SourceType().Shape) {
		return false
	}
	b := r.At(op)
	b.Loc = def.Loc()
	dropped := into.DroppedDims()
	at := arith.ValuesOf(b, positionOfSlice(b, into.Slice(), dropped, mixed(o.Indices().Values())))
	write := b.Clone(def, ir.NewMapping())
	access{buffer: 1, indices: 2}.moveTo(vector.TransferOp{Op: write}, into.Dest(), at, dropped)
	write.Result(0).SetType(into.DestType())
	r.Replace(op, write.Result(0))
	return true
}

// moveTo makes a transfer one from or to a larger tensor or buffer, which also has the dropped dimensions.
func (a access) moveTo(o vector.TransferOp, whole *ir.Value, at []*ir.Value, dropped []bool) {
	a.replace(o.Op, whole, at)
	keepDims(o, dropped)
}

// insertionOfInsertion puts a slice, which is all of the tensor it is put into, to where that goes.
func insertionOfInsertion(r *rewrite.Rewriter, op *ir.Op) bool {
	outer := tensor.InsertSliceOp{Op: op}
	def := outer.Source().DefinedBy(tensor.InsertSlice)
	if def == nil {
		return false
	}
	inner := tensor.InsertSliceOp{Op: def}
	s, dropped := outer.Slice(), outer.DroppedDims()
	var sizes []shapes.OpFoldResult
	for d, size := range s.Sizes {
		if !dropped[d] {
			sizes = append(sizes, size)
		}
	}
	if !shapes.AllConst(inner.Slice().Strides, 1) || !shapes.SameList(sizes, inner.Slice().Sizes) {
		return false
	}
	b := r.At(op)
	if op.Is(tensor.ParallelInsertSlice) {
		b.SetBefore(op.Parent()) // nothing else is beside the operation
	}
	b.Loc = op.Loc()
	s.Offsets = positionOfSlice(b, s, dropped, inner.Slice().Offsets)
	r.At(op)
	if op.Is(tensor.ParallelInsertSlice) {
		tensor.NewParallelInsertSlice(b, inner.Source(), outer.Dest(), s)
		r.Erase(op)
		return true
	}
	r.Replace(op, tensor.NewInsertSlice(b, inner.Source(), outer.Dest(), s))
	return true
}
