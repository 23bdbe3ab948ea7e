package memref

import (
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// ExpandPatterns returns the patterns that make explicit what views of buffers
// compute: views that change sizes become memref.reinterpret_cast of the base of
// their source, and memref.extract_strided_metadata of what is known is replaced by
// that.
func ExpandPatterns() []rewrite.Pattern {
	list := []rewrite.Pattern{
		{Name: "ExtractStridedMetadataFolder", Root: memref.ExtractStridedMetadata, Rewrite: foldMetadata},
		{Name: "ExtractStridedMetadataOpAssumeAlignmentFolder", Since: 21, Root: memref.ExtractStridedMetadata, Rewrite: metadataOfAligned},
		{Name: "RewriteExtractAlignedPointerAsIndexOfViewLikeOp", Root: memref.ExtractAlignedPointerAsIndex, Rewrite: pointerOfView},
	}
	for _, id := range []*ir.OpID{memref.SubView, memref.ExpandShape, memref.CollapseShape} {
		list = append(list, rewrite.Pattern{Name: "ViewFolder", Root: id, Rewrite: reinterpret})
	}
	return list
}

// reinterpret replaces a view by a cast of the base of its source.
func reinterpret(r *rewrite.Rewriter, op *ir.Op) bool {
	r.Loc = op.Loc()
	m, ok := resolvers[op.ID()](r.Builder, op)
	if !ok {
		return false
	}
	t := op.Result(0).Type().(*ir.MemRefType)
	slice := shapes.Slice{Offsets: []shapes.OpFoldResult{m.offset}, Sizes: m.sizes, Strides: m.strides}
	r.Replace(op, memref.NewReinterpretCast(r.Builder, t, m.base, slice))
	return true
}

// foldMetadata replaces the parts of a buffer by what the operation that makes the
// buffer knows about them.
func foldMetadata(r *rewrite.Rewriter, op *ir.Op) bool {
	def := memref.ExtractStridedMetadataOp{Op: op}.Source().DefiningOp()
	if def == nil || resolvers[def.ID()] == nil {
		return false
	}
	r.Loc = op.Loc()
	m, ok := resolvers[def.ID()](r.Builder, def)
	if !ok {
		return false
	}
	if def.Is(memref.Alloc) {
		freeAllocation(r, op, def.Result(0))
	}
	values := []*ir.Value{m.base, arith.ValueOf(r.Builder, m.offset)}
	values = append(values, arith.ValuesOf(r.Builder, m.sizes)...)
	r.Replace(op, append(values, arith.ValuesOf(r.Builder, m.strides)...)...)
	return true
}

// freeAllocation frees an allocation itself instead of its base, which is a buffer of one element from now on.
func freeAllocation(r *rewrite.Rewriter, parts *ir.Op, allocated *ir.Value) {
	for u := parts.Result(0).FirstUse(); u != nil; {
		free, next := u.Owner(), u.Next()
		if free.Is(memref.Dealloc) {
			r.Modify(free, func() { free.SetOperand(0, allocated) })
		}
		u = next
	}
}

// metadataOfAligned takes the parts of a buffer instead of those of the same buffer that is said to be aligned.
func metadataOfAligned(r *rewrite.Rewriter, op *ir.Op) bool {
	def := memref.ExtractStridedMetadataOp{Op: op}.Source().DefinedBy(memref.AssumeAlignment)
	if def == nil {
		return false
	}
	r.Modify(op, func() { op.SetOperand(0, memref.AssumeAlignmentOp{Op: def}.MemRef()) })
	return true
}

// pointerOfView takes the address of what is viewed instead of the view's: views
// keep the aligned pointer, but for a memref.view, which shifts it.
func pointerOfView(r *rewrite.Rewriter, op *ir.Op) bool {
	def := memref.ExtractAlignedPointerAsIndexOp{Op: op}.Source().DefiningOp()
	if def == nil {
		return false
	}
	source, ok := interfaces.ViewLike.Of(def)
	if !ok || def.Is(memref.View) {
		return false
	}
	r.Modify(op, func() { op.SetOperand(0, source(def)) })
	return true
}
