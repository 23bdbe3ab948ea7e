// Package memref makes views of buffers explicit: what they compute about
// offsets, sizes and strides becomes operations on indices.
package memref

import (
	"slices"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/shapes"
)

// metadata describes a buffer: the allocation it lies in, as a buffer of rank 0,
// and what is added to it.
type metadata struct {
	base           *ir.Value
	offset         shapes.OpFoldResult
	sizes, strides []shapes.OpFoldResult
}

// source is a strided buffer that was taken apart.
type source struct {
	t       *ir.MemRefType
	parts   memref.ExtractStridedMetadataOp
	offset  int64
	strides []int64
}

// takeApart creates an extract_strided_metadata. It fails if the buffer is not
// ranked or not strided.
func takeApart(b *ir.Builder, v *ir.Value) (source, bool) {
	t, ok := v.Type().(*ir.MemRefType)
	if !ok {
		return source{}, false
	}
	strides, offset, ok := t.StridesAndOffset()
	if !ok {
		return source{}, false
	}
	return source{t, memref.NewExtractStridedMetadata(b, v), offset, strides}, true
}

// known is the number that a type says, or else the value.
func known(n int64, v *ir.Value) shapes.OpFoldResult {
	if n != ir.Dynamic {
		return shapes.ConstSize(n)
	}
	return shapes.SizeOf(v)
}

// size, stride and start are what the type says, or else results of the operation.
func (s source) size(i int) shapes.OpFoldResult { return known(s.t.Shape[i], s.parts.Sizes().At(i)) }
func (s source) stride(i int) shapes.OpFoldResult {
	return known(s.strides[i], s.parts.Strides().At(i))
}
func (s source) start() shapes.OpFoldResult { return known(s.offset, s.parts.Offset()) }

// resolvers compute the metadata of what certain operations return from their
// operands. They create operations only if they succeed.
var resolvers = map[*ir.OpID]func(b *ir.Builder, op *ir.Op) (metadata, bool){
	memref.SubView:                resolveSubView,
	memref.ExpandShape:            resolveExpandShape,
	memref.CollapseShape:          resolveCollapseShape,
	memref.Alloc:                  resolveAlloc,
	memref.Alloca:                 resolveAlloc,
	memref.GetGlobal:              resolveAlloc,
	memref.Cast:                   resolveCast,
	memref.ReinterpretCast:        resolveReinterpretCast,
	memref.ExtractStridedMetadata: resolveBase,
}

// resolveSubView scales strides by the steps of the slice, and adds to the offset
// the position of the first element.
func resolveSubView(b *ir.Builder, op *ir.Op) (metadata, bool) {
	o, c := memref.SubViewOp{Op: op}, op.Context()
	dropped := o.DroppedDims()
	src, ok := takeApart(b, o.Source())
	if !ok || dropped == nil && len(src.t.Shape) > 0 {
		return metadata{}, false
	}
	slice := o.Slice()
	m := metadata{base: src.parts.BaseBuffer()}
	offset, terms := c.AffineSymbol(0), []shapes.OpFoldResult{src.start()}
	for i := range src.strides {
		stride := src.stride(i)
		step := affine.FoldedApply(b, 0, c.AffineMul(c.AffineSymbol(0), c.AffineSymbol(1)), slice.Strides[i], stride)
		n := len(terms)
		offset = c.AffineAdd(offset, c.AffineMul(c.AffineSymbol(n), c.AffineSymbol(n+1)))
		terms = append(terms, slice.Offsets[i], stride)
		if !dropped[i] {
			m.sizes, m.strides = append(m.sizes, slice.Sizes[i]), append(m.strides, step)
		}
	}
	m.offset = affine.FoldedApply(b, 0, offset, terms...)
	return m, true
}

// resolveExpandShape divides the size of a dimension by the static sizes it is
// expanded to, to get the one that is dynamic; where several are, it takes the sizes
// that the operation is given.
func resolveExpandShape(b *ir.Builder, op *ir.Op) (metadata, bool) {
	o := memref.ExpandShapeOp{Op: op}
	src, ok := takeApart(b, o.Source())
	if !ok {
		return metadata{}, false
	}
	m := metadata{base: src.parts.BaseBuffer(), offset: src.start()}
	shape := op.Result(0).Type().(*ir.MemRefType).Shape
	if len(src.t.Shape) == 0 {
		for range shape {
			m.sizes, m.strides = append(m.sizes, shapes.ConstSize(1)), append(m.strides, shapes.ConstSize(1))
		}
		return m, true
	}
	for g, group := range o.Reassociation() {
		dynamic, empty := 0, false
		for _, d := range group {
			if shape[d] == ir.Dynamic {
				dynamic++
			}
			empty = empty || shape[d] == 0
		}
		var sizes, strides []shapes.OpFoldResult
		if dynamic > 1 || dynamic == 1 && empty { // no size follows from the others
			sizes, strides = expandToSizes(b, src.stride(g), o.OutputShape()[group[0]:][:len(group)])
		} else {
			sizes, strides = expandDim(b, src, g, group, shape)
		}
		m.sizes, m.strides = append(m.sizes, sizes...), append(m.strides, strides...)
	}
	return m, true
}

// expandToSizes returns sizes and strides of dimensions of given sizes that a
// dimension with the stride is expanded to.
func expandToSizes(b *ir.Builder, stride shapes.OpFoldResult, sizes []shapes.OpFoldResult) (_, strides []shapes.OpFoldResult) {
	c := b.Context()
	strides = make([]shapes.OpFoldResult, len(sizes))
	e, factors := c.AffineSymbol(0), []shapes.OpFoldResult{stride}
	for i := len(sizes) - 1; i >= 0; i-- {
		strides[i] = affine.FoldedApply(b, 0, e, factors...)
		e = c.AffineMul(e, c.AffineSymbol(len(factors)))
		factors = append(factors, sizes[i])
	}
	return sizes, strides
}

// expandDim returns sizes and strides of the dimensions, of which at most one is
// dynamic, that dimension dim is expanded to.
func expandDim(b *ir.Builder, src source, dim int, group []int64, shape []int64) (sizes, strides []shapes.OpFoldResult) {
	c := b.Context()
	sizes, strides = make([]shapes.OpFoldResult, len(group)), make([]shapes.OpFoldResult, len(group))
	inner := make([]int64, len(group)) // the product of the static sizes of the dimensions further in
	dynamic, product := -1, int64(1)
	for i := len(group) - 1; i >= 0; i-- {
		inner[i] = product
		if n := shape[group[i]]; n == ir.Dynamic {
			dynamic = i
		} else {
			sizes[i] = shapes.ConstSize(n)
			product *= n
		}
	}
	s0, s1 := c.AffineSymbol(0), c.AffineSymbol(1)
	size, stride := src.size(dim), src.stride(dim)
	if dynamic >= 0 {
		sizes[dynamic] = affine.FoldedApply(b, 0, c.AffineFloorDiv(s0, c.AffineConstant(product)), size)
	}
	for i := range strides {
		if i < dynamic {
			whole := c.AffineFloorDiv(c.AffineMul(s0, c.AffineConstant(inner[i])), c.AffineConstant(product))
			strides[i] = affine.FoldedApply(b, 0, c.AffineMul(whole, s1), size, stride)
		} else {
			strides[i] = affine.FoldedApply(b, 0, c.AffineMul(s0, c.AffineConstant(inner[i])), stride)
		}
	}
	return sizes, strides
}

// resolveCollapseShape multiplies the sizes of collapsed dimensions, which are contiguous; a rule tells which of their strides is that of all.
func resolveCollapseShape(b *ir.Builder, op *ir.Op) (metadata, bool) {
	o := memref.CollapseShapeOp{Op: op}
	t := op.Result(0).Type().(*ir.MemRefType)
	outer, _, ok := t.StridesAndOffset()
	if !ok {
		return metadata{}, false
	}
	src, ok := takeApart(b, o.Source())
	if !ok {
		return metadata{}, false
	}
	m, stride := metadata{base: src.parts.BaseBuffer(), offset: src.start()}, ruleOf(b.Context(), collapsedStrides)
	for g, group := range o.Reassociation() {
		size := shapes.ConstSize(t.Shape[g])
		if t.Shape[g] == ir.Dynamic {
			size = collapsedSize(b, src, group)
		}
		m.sizes, m.strides = append(m.sizes, size), append(m.strides, stride(b, src, group, outer[g]))
	}
	return m, true
}

func collapsedSize(b *ir.Builder, src source, group []int64) shapes.OpFoldResult {
	c := b.Context()
	e, factors := c.AffineConstant(1), make([]shapes.OpFoldResult, len(group))
	for i, d := range group {
		e = c.AffineMul(e, c.AffineSymbol(i))
		factors[i] = src.size(int(d))
	}
	return affine.FoldedApply(b, 0, e, factors...)
}

// countedDims returns the dimensions of a group whose strides may be that of the whole, from the outermost on: those up to the first, from the
// inside, of which it is known that it has not one element, without those that have one.
func countedDims(src source, group []int64) (dims []int) {
	for _, d := range slices.Backward(group) {
		n := src.t.Shape[d]
		if n != 1 {
			dims = append(dims, int(d))
		}
		if n != ir.Dynamic && n != 1 {
			break
		}
	}
	slices.Reverse(dims)
	return dims
}

// strideRule returns the stride of a dimension that a group of those of a source is collapsed to. static is that in the type of
// the result, if it has one.
type strideRule func(b *ir.Builder, src source, group []int64, static int64) shapes.OpFoldResult

// collapsedStrides are the rules of versions of LLVM, the latest first.
var collapsedStrides = []versioned[strideRule]{{22, lastStride}, {0, strideBySizes}}

// lastStride is that of the last dimension, where those of size 1 don't count if there are others.
func lastStride(_ *ir.Builder, src source, group []int64, static int64) shapes.OpFoldResult {
	if static != ir.Dynamic || len(group) == 0 {
		return shapes.ConstSize(static)
	}
	n := len(group)
	for n > 1 && src.t.Shape[group[n-1]] == 1 {
		n--
	}
	return src.stride(int(group[n-1]))
}

// strideBySizes is that of the last dimension that has not one element, where the dimensions may be anywhere. It is not the smallest one there, as
// mlir-opt-19 has it: the stride of a dimension of one element says nothing, and others may be negative.
func strideBySizes(b *ir.Builder, src source, group []int64, static int64) shapes.OpFoldResult {
	dims := countedDims(src, group)
	if static != ir.Dynamic || src.t.HasIdentityLayout() || len(dims) == 0 {
		return smallestStride(b, src, group, static)
	}
	stride := src.stride(dims[0])
	for _, d := range dims[1:] {
		if next := src.stride(d); next != stride {
			many := arith.NewCmpI(b, arith.NE, arith.ValueOf(b, src.size(d)), arith.ConstantIndex(b, 1))
			stride = shapes.SizeOf(arith.NewSelect(b, many, arith.ValueOf(b, next), arith.ValueOf(b, stride)))
		}
	}
	return stride
}

// smallestStride is the smallest one.
// The strides of dimensions of size 1 say nothing; if there are no others, the
// stride is what the type of the result has, or any that is dynamic.
func smallestStride(b *ir.Builder, src source, group []int64, static int64) shapes.OpFoldResult {
	if static < 0 && static != ir.Dynamic {
		return shapes.ConstSize(static) // the smallest isn't the innermost then
	}
	var strides []shapes.OpFoldResult
	for _, d := range group {
		if src.t.Shape[d] != 1 {
			strides = append(strides, src.stride(int(d)))
		}
	}
	if len(strides) > 0 {
		return affine.FoldedMin(b, strides...)
	}
	for _, d := range group {
		if static == ir.Dynamic && src.strides[d] == ir.Dynamic {
			return src.stride(int(d))
		}
	}
	if static == ir.Dynamic {
		static = 1
	}
	return shapes.ConstSize(static)
}

// resolveAlloc gives a contiguous buffer its row-major strides.
func resolveAlloc(b *ir.Builder, op *ir.Op) (metadata, bool) {
	c, v := op.Context(), op.Result(0)
	t := v.Type().(*ir.MemRefType)
	if !t.HasIdentityLayout() {
		return metadata{}, false
	}
	m := metadata{sizes: shapes.Mixed(t.Shape, op.Operands().Values()[:ir.NumDynamic(t.Shape)])}
	m.strides = make([]shapes.OpFoldResult, len(t.Shape))
	e := c.AffineConstant(1)
	for i := len(t.Shape) - 1; i >= 0; i-- {
		inner := m.sizes[i+1:]
		if n := len(inner); n > 0 {
			e = c.AffineMul(e, c.AffineSymbol(n-1))
		}
		m.strides[i] = affine.FoldedApply(b, 0, e, inner...)
	}
	m.base = v
	if len(t.Shape) > 0 {
		m.base = memref.NewReinterpretCast(b, c.MemRefOf(nil, t.Elem, nil, t.Space), v, shapes.Slice{Offsets: []shapes.OpFoldResult{{}}})
	}
	return m, true
}

// resolveCast returns the metadata of the source of the cast.
func resolveCast(b *ir.Builder, op *ir.Op) (metadata, bool) {
	src, ok := takeApart(b, memref.CastOp{Op: op}.Source())
	if !ok {
		return metadata{}, false
	}
	m := metadata{base: src.parts.BaseBuffer(), offset: shapes.SizeOf(src.parts.Offset())}
	for i := range src.strides {
		m.sizes, m.strides = append(m.sizes, shapes.SizeOf(src.parts.Sizes().At(i))), append(m.strides, shapes.SizeOf(src.parts.Strides().At(i)))
	}
	return m, true
}

// resolveReinterpretCast returns what the cast says.
func resolveReinterpretCast(b *ir.Builder, op *ir.Op) (metadata, bool) {
	o := memref.ReinterpretCastOp{Op: op}
	src, ok := takeApart(b, o.Source())
	if !ok {
		return metadata{}, false
	}
	s := o.Slice()
	return metadata{src.parts.BaseBuffer(), s.Offsets[0], s.Sizes, s.Strides}, true
}

// resolveBase is about the base of a buffer that was taken apart before: it lies in
// itself, at the start.
func resolveBase(_ *ir.Builder, op *ir.Op) (metadata, bool) {
	return metadata{base: memref.ExtractStridedMetadataOp{Op: op}.BaseBuffer()}, true
}
