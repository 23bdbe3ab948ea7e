package memref

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// foldLaterSubView is how LLVM 22 folds memref.subview: only a part that is known to be all of the source is the source.
func foldLaterSubView(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	o := SubViewOp{op}
	t, s := o.SourceType(), o.Slice()
	if ir.Type(t) != op.Result(0).Type() || !shapes.AllConst(s.Offsets, 0) || !shapes.AllConst(s.Strides, 1) {
		return nil
	}
	if def := o.Source().DefinedBy(SubView); def != nil && shapes.SameList(s.Sizes, interfaces.MixedSizes(def)) {
		return ir.FoldValue(o.Source())
	}
	for i, size := range s.Sizes {
		if t.Shape[i] == ir.Dynamic || !size.IsConst(t.Shape[i]) {
			return nil
		}
	}
	return ir.FoldValue(o.Source())
}

// foldView is how LLVM 22 folds memref.view: one of all bytes is its source. A part of an arena stays one, as a buffer of its own.
func foldView(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	o := ViewOp{op}
	if o.Source().Type() == op.Result(0).Type() && len(o.Sizes()) == 0 && shapes.SizeOf(o.ByteShift()).IsConst(0) && !IsArena(o.Source()) {
		return ir.FoldValue(o.Source())
	}
	return nil
}

// forgetsSizes tells whether a cast makes a buffer without a layout one of another size, or of one that isn't known.
func forgetsSizes(cast *ir.Op) bool {
	from := memrefOf(cast.Operand(0).Type())
	return from != nil && from.HasIdentityLayout()
}

// expandOfCast expands the source of a cast, if its static sizes are static in the result as well, and its sizes multiply to them.
func expandOfCast(r *rewrite.Rewriter, op *ir.Op) bool {
	cast := castOf(ExpandShapeOp{op}.Source())
	if cast == nil || !CanFoldIntoConsumer(cast) {
		return false
	}
	from, groups := memrefOf(CastOp{cast}.Source().Type()), interfaces.Reassociation(op)
	sizes := ExpandShapeOp{op}.OutputShape()
	shapes.FoldConstants(sizes, true, false)
	shape := shapes.StaticOf(sizes)
	for i, g := range groups {
		size := int64(1)
		for _, d := range g {
			if shape[d] == ir.Dynamic {
				size = ir.Dynamic
				break
			}
			size *= shape[d]
		}
		if size != from.Shape[i] {
			return false
		}
	}
	t := ExpandedType(op.Context(), from, shape, groups)
	if t == nil {
		return false
	}
	r.At(op)
	r.Replace(op, NewCast(r.Builder, op.Result(0).Type(), NewExpandShape(r.Builder, t, CastOp{cast}.Source(), groups, sizes)))
	return true
}

func reinterpretCastPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "ReinterpretCastOpExtractStridedMetadataFolder", Rewrite: reinterpretMetadata},
		{Name: "ReinterpretCastOpExtractStridedMetadataFolder", Since: 22, Rewrite: reinterpretBase},
		{Name: "ReinterpretCastOpConstantFolder", Since: 22, Rewrite: reinterpretConstants},
	}
}

// reinterpretBase looks at the memory of a buffer, not at that of its base.
func reinterpretBase(r *rewrite.Rewriter, op *ir.Op) bool {
	def := ReinterpretCastOp{op}.Source().DefinedBy(ExtractStridedMetadata)
	if def == nil || (ReinterpretCastOp{op}).Source() != (ExtractStridedMetadataOp{def}).BaseBuffer() {
		return false
	}
	r.Modify(op, func() { op.SetOperand(0, ExtractStridedMetadataOp{def}.Source()) })
	return true
}

// reinterpretConstants moves constant offsets, sizes and strides into the attributes, unless they can't be there: neither offsets nor
// sizes are negative.
func reinterpretConstants(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ReinterpretCastOp{op}
	s := o.Slice()
	for _, list := range [][]shapes.OpFoldResult{s.Offsets, s.Sizes} {
		for _, x := range list {
			if n, ok := x.Int(); ok && n < 0 {
				return false
			}
		}
	}
	offset := shapes.FoldConstants(s.Offsets, true, false)
	sizes := shapes.FoldConstants(s.Sizes, true, false)
	if !shapes.FoldConstants(s.Strides, false, op.Context().LLVM() < ir.ZeroStrides) && !sizes && !offset {
		return false
	}
	old := memrefOf(op.Result(0).Type())
	layout := op.Context().StridedLayout(shapes.StaticOf(s.Offsets)[0], shapes.StaticOf(s.Strides))
	t := op.Context().MemRefOf(shapes.StaticOf(s.Sizes), old.Elem, layout, old.Space)
	if !CastCompatible(t, old) {
		return false
	}
	r.At(op)
	r.Replace(op, NewCast(r.Builder, old, NewReinterpretCast(r.Builder, t, o.Source(), s)))
	return true
}
