package vector

import (
	"slices"

	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// samePlace tells whether two transfers move vectors of one type at the same
// indices in the same order.
func samePlace(a, b TransferOp) bool {
	return slices.Equal(a.Indices().Values(), b.Indices().Values()) && a.PermutationMap() == b.PermutationMap() && a.VectorType() == b.VectorType()
}

// mayBeOutside tells whether a transfer may go out of bounds.
func (o TransferOp) mayBeOutside() bool { return slices.Contains(o.InBounds(), false) }

// disjoint tells whether two transfers are certain to touch different elements.
func disjoint(a, b TransferOp) bool {
	t := a.VectorType()
	if t != b.VectorType() {
		return false
	}
	leading := len(a.Indices()) - len(t.Shape)
	for i := range a.Indices() {
		x, ok := ir.ConstantInt(a.Indices().At(i))
		y, ok2 := ir.ConstantInt(b.Indices().At(i))
		if !ok || !ok2 {
			continue
		}
		if i < leading && x != y || i >= leading && max(x-y, y-x) >= t.Shape[i-leading] {
			return true
		}
	}
	return false
}

func writeOf(v *ir.Value) (TransferOp, bool) {
	op := v.DefinedBy(TransferWrite)
	return TransferOp{op}, op != nil
}

// foldTransferRead gives back what was written at the place that is read.
func foldTransferRead(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	o := TransferOp{op}
	if ir.IsTensor(o.Source().Type()) {
		for w, ok := writeOf(o.Source()); ok; w, ok = writeOf(w.Source()) {
			if samePlace(w, o) && !w.mayBeOutside() && w.Mask() == nil && o.Mask() == nil {
				return ir.FoldValue(TransferWriteOp(w).Vector())
			}
			if !disjoint(w, o) {
				break
			}
		}
	}
	return foldTransfer(op, operands)
}

// foldTransferWrite folds writes of what was read at the same place, and of all of
// a tensor.
func foldTransferWrite(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	o := TransferOp{op}
	if op.NumResults() > 0 {
		if rd := (TransferWriteOp{op}).Vector().DefinedBy(TransferRead); rd != nil {
			read := TransferOp{rd}
			if copiesAll(read, o) || read.Source() == o.Source() && samePlace(read, o) && read.Mask() == nil && o.Mask() == nil {
				return ir.FoldValue(read.Source())
			}
		}
	}
	return foldTransfer(op, operands)
}

// copiesAll tells whether a whole tensor is read, and written to a whole tensor.
func copiesAll(read, write TransferOp) bool {
	t, ok := write.Source().Type().(*ir.RankedTensorType)
	c := write.Context()
	if !ok || len(write.VectorType().Shape) == 0 || read.Source().Type() != write.Source().Type() || read.VectorType() != write.VectorType() {
		return false
	}
	if !isMinorIdentity(c, read.PermutationMap()) || !isMinorIdentity(c, write.PermutationMap()) ||
		read.mayBeOutside() || write.mayBeOutside() || !slices.Equal(read.VectorType().Shape, t.Shape) {
		return false
	}
	for _, v := range append(read.Indices().Values(), write.Indices().Values()...) {
		if at, ok := ir.ConstantInt(v); !ok || at != 0 {
			return false
		}
	}
	return read.Mask() == nil && write.Mask() == nil
}

func transferReadPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "read-after-write-of-other-shape", Rewrite: readAfterWrite}}
}

// readAfterWrite broadcasts and transposes the vector that was written to the
// place that is read.
func readAfterWrite(r *rewrite.Rewriter, op *ir.Op) bool {
	o := TransferOp{op}
	w, ok := writeOf(o.Source())
	if !ok || o.mayBeOutside() || w.mayBeOutside() || o.Mask() != w.Mask() || !ir.IsTensor(o.Source().Type()) ||
		!slices.Equal(o.Indices().Values(), w.Indices().Values()) || !slices.Equal(chunk(o), chunk(w)) {
		return false
	}
	used := usedDims(o)
	if !slices.Equal(used, usedDims(w)) {
		return false
	}
	// from[i] is the dimension of the written vector that dimension i of the one that
	// is read comes from, -1 where it is broadcast.
	written := map[int64]int{}
	for i, e := range w.PermutationMap().Results {
		if e.Kind == ir.AffineDim {
			written[e.Value] = i
		}
	}
	rank := len(o.VectorType().Shape)
	if rank == 0 {
		return false
	}
	var from []int
	last := len(w.VectorType().Shape)
	for _, e := range o.PermutationMap().Results {
		d := -1
		if e.Kind == ir.AffineDim {
			i, ok := written[e.Value]
			if !ok {
				return false
			}
			d = i
		}
		from = append(from, d)
	}
	// The broadcast vector has new dimensions first, then those that were written, of
	// which there can't be more than there are in the end.
	lead := rank - last
	if lead < 0 {
		return false
	}
	perm := make([]int64, rank)
	taken := make([]bool, rank)
	for i, d := range from {
		if d >= 0 {
			perm[i] = int64(lead + d)
			taken[lead+d] = true
		}
	}
	free := 0
	for i, d := range from {
		if d < 0 {
			for taken[free] {
				free++
			}
			perm[i], taken[free] = int64(free), true
		}
	}
	t := o.VectorType()
	shape, scalable := make([]int64, rank), make([]bool, rank)
	for i, p := range perm {
		shape[p] = t.Shape[i]
		scalable[p] = t.Scalable != nil && t.Scalable[i]
	}
	wide := op.Context().Vector(shape, scalable, t.Elem)
	if !broadcastable(TransferWriteOp(w).Vector().Type(), wide) {
		return false
	}
	r.Loc = op.Loc()
	v := r.CreateOp(Broadcast, []ir.Type{wide}, []*ir.Value{TransferWriteOp(w).Vector()}).Result(0)
	r.Replace(op, r.CreateOp(Transpose, []ir.Type{t}, []*ir.Value{v},
		ir.NamedAttr{Name: "permutation", Value: op.Context().DenseI64Array(perm...)}).Result(0))
	return true
}

// chunk returns the sizes of the part of the source that a transfer touches.
func chunk(o TransferOp) []int64 {
	m, t := o.PermutationMap(), o.VectorType()
	out := make([]int64, m.Dims)
	for i := range out {
		out[i] = 1
	}
	for i, e := range m.Results {
		if e.Kind == ir.AffineDim {
			out[e.Value] = t.Shape[i]
		}
	}
	return out
}

func usedDims(o TransferOp) []bool {
	m := o.PermutationMap()
	out := make([]bool, m.Dims)
	for _, e := range m.Results {
		if e.Kind == ir.AffineDim {
			out[e.Value] = true
		}
	}
	return out
}

func transferWritePatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "write-after-write", Rewrite: writeAfterWrite}}
}

// writeAfterWrite drops a write that is overwritten.
func writeAfterWrite(r *rewrite.Rewriter, op *ir.Op) bool {
	o := TransferOp{op}
	if op.NumResults() == 0 {
		return false
	}
	change := o
	for w, ok := writeOf(o.Source()); ok; w, ok = writeOf(w.Source()) {
		if samePlace(o, w) && o.Mask() == w.Mask() {
			r.Modify(change.Op, func() { change.SetOperand(1, w.Source()) })
			return true
		}
		if !disjoint(w, o) || !w.Result(0).HasOneUse() {
			return false
		}
		change = w
	}
	return false
}

// writeSlicePattern writes into a slice of a tensor instead of taking it from what
// is written, where the slice is overwritten as a whole and inserted elsewhere.
var writeSlicePattern = rewrite.Pattern{Name: "swap-extract-slice-of-transfer-write", Root: tensor.InsertSlice, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
	ins := tensor.InsertSliceOp{Op: op}
	ext := ins.Source().DefinedBy(tensor.ExtractSlice)
	if ext == nil || !ext.Result(0).HasOneUse() {
		return false
	}
	from := tensor.ExtractSliceOp{Op: ext}
	w, ok := writeOf(from.Source())
	if !ok || !w.Result(0).HasOneUse() || !hasUnitStrides(from.Slice()) || !hasUnitStrides(ins.Slice()) {
		return false
	}
	t := from.Type()
	if len(t.Shape) != len(w.VectorType().Shape) || len(t.Shape) != len(w.Indices()) {
		return false
	}
	for _, o := range from.Slice().Offsets {
		if !o.IsConst(0) {
			return false
		}
	}
	for _, v := range w.Indices().Values() {
		if at, ok := ir.ConstantInt(v); !ok || at != 0 {
			return false
		}
	}
	if !slices.EqualFunc(ins.Slice().Sizes, from.Slice().Sizes, shapes.OpFoldResult.Same) {
		return false
	}
	shape, _ := ir.ShapeOf(w.Source().Type())
	if !slices.Equal(shape, chunk(w)) {
		return false // not everything is overwritten
	}
	r.SetBefore(op)
	r.Loc = ext.Loc()
	part := tensor.NewExtractSlice(r.Builder, t, ins.Dest(), ins.Slice())
	elems := make([]ir.Attribute, len(t.Shape))
	for i, e := range w.PermutationMap().Results {
		elems[i] = op.Context().Bool(e.Kind != ir.AffineDim || t.Shape[e.Value] == w.VectorType().Shape[i])
	}
	s := ir.OpState{Name: w.OpName(), Loc: w.Loc(), Types: []ir.Type{t}}
	for _, a := range w.AllAttrs() {
		s.SetAttr(a.Name, a.Value)
	}
	s.Operands = append([]*ir.Value{TransferWriteOp(w).Vector(), part}, w.Operands()[2:].Values()...)
	s.SetAttr(inBounds, op.Context().ArrayAttr(elems...))
	next := r.Create(s)
	r.Modify(op, func() { op.SetOperand(0, next.Result(0)) })
	return true
}}

func hasUnitStrides(s shapes.Slice) bool {
	for _, x := range s.Strides {
		if !x.IsConst(1) {
			return false
		}
	}
	return true
}
