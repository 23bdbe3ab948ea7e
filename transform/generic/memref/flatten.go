package memref

import (
	"math"
	"slices"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/vector"
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// FlattenPatterns returns the patterns that give allocations and accesses of buffers one dimension.
func FlattenPatterns() []rewrite.Pattern {
	var list []rewrite.Pattern
	for id := range accesses {
		list = append(list, rewrite.Pattern{Name: "MemRefRewritePattern", Root: id, Rewrite: flattenAccess})
	}
	for _, id := range []*ir.OpID{memref.Alloc, memref.Alloca} {
		list = append(list, rewrite.Pattern{Name: "MemRefRewritePattern", Root: id, Rewrite: flattenAllocation})
	}
	return list
}

// flattenAccess accesses a view of one dimension of the buffer.
func flattenAccess(r *rewrite.Rewriter, op *ir.Op) bool {
	a := accesses[op.ID()]
	buffer := op.OperandGroup(a.buffer).At(0)
	t, ok := buffer.Type().(*ir.MemRefType)
	if !ok || len(t.Shape) < 2 || !isFlat(t) || a.vector && !flattensVector(op) {
		return false
	}
	b := r.At(op)
	s := stridedOf(b, buffer, t)
	indices := op.OperandGroup(a.indices).Values()
	at := arith.ValuesOf(b, []shapes.OpFoldResult{s.position(b, mixed(indices))})
	flat := shapes.Slice{Offsets: []shapes.OpFoldResult{s.offset}, Sizes: []shapes.OpFoldResult{s.size(b)}, Strides: []shapes.OpFoldResult{shapes.ConstSize(1)}}
	source := buffer
	if def := buffer.DefinedBy(memref.ReinterpretCast); def != nil {
		source = memref.ReinterpretCastOp{Op: def}.Source()
	}
	view := source
	if flatType := flatTypeOf(b.Context(), t, flat); flatType != source.Type() {
		view = memref.NewReinterpretCast(b, flatType, source, flat)
	}
	r.Modify(op, func() {
		op.SetOperandGroup(a.indices, at)
		start, _ := op.OperandGroupRange(a.buffer)
		op.SetOperand(start, view)
		if op.Is(vector.TransferRead) || op.Is(vector.TransferWrite) {
			vector.TransferOp{Op: op}.SetPermutationMap(b.Context().IdentityMap(1))
		}
	})
	return true
}

// flattensVector tells whether an access of a vector is one of elements that are next to each other, all of them in the buffer. A mask has
// a meaning of its own in transfers, which stay then.
func flattensVector(op *ir.Op) bool {
	if len(vectorOf(op).Shape) != 1 {
		return false
	}
	if !op.Is(vector.TransferRead) && !op.Is(vector.TransferWrite) {
		return true
	}
	o := vector.TransferOp{Op: op}
	t, ok := o.Source().Type().(*ir.MemRefType)
	if !ok || o.Mask() != nil || slices.Contains(o.InBounds(), false) {
		return false
	}
	strides, _, ok := t.StridesAndOffset()
	last := o.PermutationMap().Results[0]
	return ok && strides[len(strides)-1] == 1 && last.Kind == ir.AffineDim && int(last.Value) == len(t.Shape)-1
}

// isFlat tells whether a buffer is known to end where its largest dimension does: then that many elements are all that it has.
// So it is unless its rows overlap.
func isFlat(t *ir.MemRefType) bool {
	if t.Layout == nil {
		return true
	}
	strides, _, ok := t.StridesAndOffset()
	if !ok || !ir.IsStaticShape(strides) || !ir.IsStaticShape(t.Shape) {
		return false
	}
	largest, last := int64(0), int64(0)
	for i, stride := range strides {
		size := t.Shape[i]
		if stride <= 0 || size != 0 && stride > math.MaxInt32/max(size, 1) {
			return false
		}
		largest = max(largest, stride*size)
		last += stride * (size - 1)
	}
	return last < largest || slices.Contains(t.Shape, 0)
}

// strided are the parts of a buffer that its type tells, or else what memref.extract_strided_metadata returns.
type strided struct {
	offset         shapes.OpFoldResult
	sizes, strides []shapes.OpFoldResult
}

func stridedOf(b *ir.Builder, v *ir.Value, t *ir.MemRefType) strided {
	strides, offset, _ := t.StridesAndOffset()
	at := shapes.ConstSize(offset)
	var sizes, steps []*ir.Value // those that aren't constant
	if !ir.IsStaticShape(t.Shape) || !ir.IsStaticShape(strides) || offset == ir.Dynamic {
		m := memref.NewExtractStridedMetadata(b, v)
		if offset == ir.Dynamic {
			at = shapes.SizeOf(m.Offset())
		}
		sizes, steps = dynamicOf(t.Shape, m.Sizes()), dynamicOf(strides, m.Strides())
	}
	return strided{at, shapes.Mixed(t.Shape, sizes), shapes.Mixed(strides, steps)}
}

// dynamicOf returns the values of what isn't constant.
func dynamicOf(static []int64, values ir.Results) (list []*ir.Value) {
	for i, n := range static {
		if n == ir.Dynamic {
			list = append(list, values.At(i))
		}
	}
	return list
}

// position returns the number of the element at the indices.
func (s strided) position(b *ir.Builder, indices []shapes.OpFoldResult) shapes.OpFoldResult {
	c := b.Context()
	e := c.AffineConstant(0)
	var operands []shapes.OpFoldResult
	for i, at := range indices {
		e = c.AffineAdd(e, c.AffineMul(c.AffineSymbol(2*i), c.AffineSymbol(2*i+1)))
		operands = append(operands, at, s.strides[i])
	}
	return affine.FoldedApply(b, 0, e, operands...)
}

// size returns the number of elements from the first one to the last one: those of the largest dimension.
func (s strided) size(b *ir.Builder) shapes.OpFoldResult {
	c := b.Context()
	largest, constant := int64(0), true
	var results []*ir.AffineExpr
	var operands []*ir.Value
	part := func(x shapes.OpFoldResult) *ir.AffineExpr {
		if k, ok := x.Int(); ok {
			return c.AffineConstant(k)
		}
		constant = false
		operands = append(operands, x.Value)
		return c.AffineSymbol(len(operands) - 1)
	}
	for i := range s.sizes {
		e := c.AffineMul(part(s.strides[i]), part(s.sizes[i]))
		if e.Kind == ir.AffineConst {
			largest = max(largest, e.Value)
		}
		results = append(results, e)
	}
	if constant {
		return shapes.ConstSize(largest)
	}
	return shapes.SizeOf(affine.NewMax(b, c.AffineMap(0, len(operands), results...), operands...))
}

// flatTypeOf returns the type of a buffer with one dimension.
func flatTypeOf(c *ir.Context, t *ir.MemRefType, s shapes.Slice) *ir.MemRefType {
	layout := c.StridedLayout(shapes.StaticOf(s.Offsets)[0], []int64{1})
	return c.MemRefOf(shapes.StaticOf(s.Sizes), t.Elem, layout, t.Space)
}

// flattenAllocation allocates a buffer of one dimension, and views it as what it was. Sizes that are values stay, as mlir-opt makes an
// invalid operation of them.
func flattenAllocation(r *rewrite.Rewriter, op *ir.Op) bool {
	o := memref.AllocOp{Op: op}
	t := o.Type()
	strides, offset, ok := t.StridesAndOffset()
	if !ok || len(t.Shape) < 2 || offset != 0 || !ir.IsStaticShape(t.Shape) || !ir.IsStaticShape(strides) || !isFlat(t) || op.NumOperands() > 0 {
		return false
	}
	b := r.At(op)
	s := stridedOf(b, op.Result(0), t)
	whole := shapes.Slice{Offsets: []shapes.OpFoldResult{s.offset}, Sizes: []shapes.OpFoldResult{s.size(b)}}
	state := b.State(op.ID())
	state.Types = []ir.Type{flatTypeOf(b.Context(), t, whole)}
	state.Attrs = append(state.Attrs, op.AllAttrs()...)
	flat := b.Create(state).Result(0)
	r.Replace(op, memref.NewReinterpretCast(b, t, flat, shapes.Slice{Offsets: whole.Offsets, Sizes: s.sizes, Strides: s.strides}))
	return true
}
