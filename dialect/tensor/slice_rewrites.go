package tensor

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// foldExtractSlice folds slices of splats, of all of a tensor, and of just what
// was inserted.
func foldExtractSlice(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if f := foldSplatSource(op, operands); f != nil {
		return f
	}
	o := ExtractSliceOp{op}
	if o.SourceType() == o.Type() && wholeSlice(op, o.Type().Shape) {
		return ir.FoldValue(o.Source())
	}
	if ins := o.Source().DefinedBy(InsertSlice); ins != nil && (InsertSliceOp{ins}).Source().Type() == op.Result(0).Type() && sameSlice(ins, op) {
		return ir.FoldValue(InsertSliceOp{ins}.Source())
	}
	return nil
}

func extractSlicePatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "OpWithOffsetSizesAndStridesConstantArgumentFolder", Until: 21, Rewrite: staticExtractSlice(foldSlice)},
		{Name: "OpWithOffsetSizesAndStridesConstantArgumentFolder", Since: 22, Rewrite: staticExtractSlice(shapes.Slice.FoldConstantsWithin)},
		{Name: "FoldUnpackWithExtractSliceOp", Since: 22, Rewrite: sliceOfUnpack},
		{Name: "ExtractSliceOpCastFolder", Until: 21, Rewrite: extractSliceOfCast(shapes.Slice.Anywhere)},
		{Name: "ExtractSliceOpCastFolder", Since: 22, Rewrite: extractSliceOfCast(shapes.Slice.Within)},
	}
}

// extractSliceOfCast takes the slice of what was cast, if that may have it.
func extractSliceOfCast(may func(s shapes.Slice, shape []int64) bool) func(*rewrite.Rewriter, *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		o := ExtractSliceOp{op}
		if hasConstantIndex(op) {
			return false
		}
		cast := FoldableCast(o.Source())
		if cast == nil || !may(o.Slice(), ranked(CastOp{cast}.Source().Type()).Shape) {
			return false
		}
		r.Replace(op, NewExtractSlice(r.At(op), o.Type(), CastOp{cast}.Source(), o.Slice()))
		return true
	}
}

// foldSlice makes constant offsets, sizes and strides of a slice of any shape static.
func foldSlice(s shapes.Slice, _ []int64) bool { return s.FoldConstants() }

// staticExtractSlice makes what is constant of a slice static; fold does that for a slice of a shape.
func staticExtractSlice(fold func(s shapes.Slice, shape []int64) bool) func(*rewrite.Rewriter, *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		s := ExtractSliceOp{op}.Slice()
		return fold(s, ExtractSliceOp{op}.SourceType().Shape) && replaceExtractSlice(r, op, s)
	}
}

// replaceExtractSlice replaces a slice by one of the same elements with static offsets and sizes.
func replaceExtractSlice(r *rewrite.Rewriter, op *ir.Op, s shapes.Slice) bool {
	o := ExtractSliceOp{op}
	c, sizes := op.Context(), shapes.StaticOf(s.Sizes)
	t := SliceType(c, o.SourceType(), sizes)
	if len(o.Type().Shape) != len(sizes) {
		dropped := o.DroppedDims()
		var shape []int64
		for i, d := range sizes {
			if !dropped[i] {
				shape = append(shape, d)
			}
		}
		t = c.RankedTensor(shape, t.Elem)
	}
	replaceCast(r, op, NewExtractSlice(r.At(op), t, o.Source(), s))
	return true
}

// foldInsertSlice folds insertions that replace the whole tensor, that are
// overwritten, that put back what was taken out, or that insert nothing.
func foldInsertSlice(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	o := InsertSliceOp{op}
	t := o.DestType()
	if o.SourceType() == t && ir.IsStaticShape(t.Shape) && wholeSlice(op, t.Shape) {
		return ir.FoldValue(o.Source())
	}
	if prev := o.Dest().DefinedBy(InsertSlice); prev != nil && (InsertSliceOp{prev}).Source().Type() == o.Source().Type() && sameSlice(prev, op) {
		op.SetOperand(1, InsertSliceOp{prev}.Dest())
		return ir.FoldedInPlace()
	}
	if e := o.Source().DefinedBy(ExtractSlice); e != nil && (ExtractSliceOp{e}).Source() == o.Dest() && sameSlice(e, op) {
		return ir.FoldValue(o.Dest())
	}
	for _, s := range interfaces.MixedSizes(op) {
		if s.IsConst(0) {
			return ir.FoldValue(o.Dest())
		}
	}
	return nil
}

func insertSlicePatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "InsertSliceOpConstantArgumentFolder", Until: 21, Rewrite: staticInsertSlice(foldSlice)},
		{Name: "InsertSliceOpConstantArgumentFolder", Since: 22, Rewrite: staticInsertSlice(shapes.Slice.FoldConstantsWithin)},
		{Name: "InsertSliceOpCastFolder", Until: 21, Rewrite: insertSliceOfCast(shapes.Slice.Anywhere)},
		{Name: "InsertSliceOpCastFolder", Since: 22, Rewrite: insertSliceOfCast(shapes.Slice.Within)},
		{Name: "InsertSliceOpSourceCastInserter", Rewrite: insertSliceSourceCast},
	}
}

func parallelInsertSlicePatterns() []rewrite.Pattern { return insertSlicePatterns() }

// replaceInsert replaces an insertion by one with other operands.
func replaceInsert(r *rewrite.Rewriter, op *ir.Op, source, dest *ir.Value, s shapes.Slice) {
	b := r.At(op)
	if op.Is(ParallelInsertSlice) {
		NewParallelInsertSlice(b, source, dest, s)
		r.Erase(op)
		return
	}
	replaceCast(r, op, NewInsertSlice(b, source, dest, s))
}

// castSource casts the source of an insertion; for a parallel one, before the
// operation that combines the threads.
func castSource(r *rewrite.Rewriter, op *ir.Op, t ir.Type, v *ir.Value) *ir.Value {
	where := op
	if op.Is(ParallelInsertSlice) {
		where = op.Parent()
	}
	b := r.At(where)
	b.Loc = op.Loc()
	return NewCast(b, t, v)
}

// staticInsertSlice is [staticExtractSlice] for insertions.
func staticInsertSlice(fold func(s shapes.Slice, shape []int64) bool) func(*rewrite.Rewriter, *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		s := InsertSliceOp{op}.Slice()
		return fold(s, InsertSliceOp{op}.DestType().Shape) && replaceStaticInsert(r, op, s)
	}
}

// replaceStaticInsert replaces an insertion by one at a place whose offsets and sizes are static.
func replaceStaticInsert(r *rewrite.Rewriter, op *ir.Op, s shapes.Slice) bool {
	o := InsertSliceOp{op}
	src := o.Source()
	t := RankReducedSliceType(op.Context(), len(o.SourceType().Shape), o.DestType(), shapes.StaticOf(s.Sizes))
	if t != o.SourceType() {
		if !CastCompatible(o.SourceType(), t) {
			return false
		}
		src = castSource(r, op, t, src)
	}
	replaceInsert(r, op, src, o.Dest(), s)
	return true
}

// insertSliceOfCast inserts what was cast, and into what was cast, if that may have the slice.
func insertSliceOfCast(may func(s shapes.Slice, shape []int64) bool) func(*rewrite.Rewriter, *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		if hasConstantIndex(op) {
			return false
		}
		o := InsertSliceOp{op}
		srcCast, dstCast := FoldableCast(o.Source()), FoldableCast(o.Dest())
		if srcCast == nil && dstCast == nil {
			return false
		}
		src, dst := o.Source(), o.Dest()
		if srcCast != nil {
			src = CastOp{srcCast}.Source()
		}
		if dstCast != nil {
			dst = CastOp{dstCast}.Source()
		}
		st, dt := ranked(src.Type()), ranked(dst.Type())
		if st == nil || dt == nil {
			return false
		}
		s := o.Slice()
		dropped, ok := reductionMatchingDynamic(shapes.StaticOf(s.Sizes), st.Shape)
		if !ok {
			return false
		}
		j := 0
		for i := range s.Sizes {
			if dropped[i] {
				continue
			}
			if d := st.Shape[j]; d != ir.Dynamic {
				s.Sizes[i] = shapes.ConstSize(d)
			}
			j++
		}
		if !may(s, dt.Shape) || verifySliceType(op, SliceType(op.Context(), dt, shapes.StaticOf(s.Sizes)), st) != nil {
			return false
		}
		replaceInsert(r, op, src, dst, s)
		return true
	}
}

// reductionMatchingDynamic is shapes.RankReduction where a dynamic size matches
// any other, unless the size is 1.
func reductionMatchingDynamic(shape, reduced []int64) (dropped []bool, ok bool) {
	dropped = make([]bool, len(shape))
	j := 0
	for i, d := range shape {
		if j < len(reduced) && (d == reduced[j] || d != 1 && (d == ir.Dynamic || reduced[j] == ir.Dynamic)) {
			j++
			continue
		}
		if d != 1 {
			return nil, false
		}
		dropped[i] = true
	}
	return dropped, j == len(reduced)
}

// insertSliceSourceCast gives the source of an insertion the sizes that the slice
// says it has.
func insertSliceSourceCast(r *rewrite.Rewriter, op *ir.Op) bool {
	o := InsertSliceOp{op}
	t := o.SourceType()
	if len(t.Shape) != len(o.DestType().Shape) {
		return false
	}
	s := o.Slice()
	shape := append([]int64(nil), t.Shape...)
	for i := range shape {
		if n, ok := s.Sizes[i].Int(); ok {
			if n < 0 {
				return false
			}
			shape[i] = n
		}
	}
	n := op.Context().RankedTensorOf(shape, t.Elem, t.Encoding)
	if n == t || !PreservesStatic(t, n) || !CastCompatible(t, n) {
		return false
	}
	replaceInsert(r, op, castSource(r, op, n, o.Source()), o.Dest(), s)
	return true
}

// foldConcat drops concatenating a single tensor.
func foldConcat(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if op.NumOperands() == 1 && op.OnlyOperand().Type() == op.Result(0).Type() {
		return ir.FoldValue(op.OnlyOperand())
	}
	return nil
}

func concatPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "SingleInputConcatOp", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		if op.NumOperands() != 1 {
			return false
		}
		r.Replace(op, NewCast(r.At(op), op.Result(0).Type(), op.OnlyOperand()))
		return true
	}},
		{Name: "InferConcatOperandTypes", Since: 20, Rewrite: staticConcatInputs},
		{Name: "InferConcatResultType", Since: 20, Rewrite: staticConcatResult},
	}
}

// foldGather folds gathering from a splat.
func foldGather(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	return foldSplatSource(op, operands)
}
