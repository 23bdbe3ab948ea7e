package vector

import (
	"slices"

	"freehold/ir"
	"freehold/ir/rewrite"
)

// foldExtractStridedSlice folds slices that are everything, and those of what was
// inserted.
func foldExtractStridedSlice(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if f := foldSame(0)(op, operands); f != nil {
		return f
	}
	offsets, sizes, strides := listAttr(op, "offsets"), listAttr(op, "sizes"), listAttr(op, "strides")
	for ins := (ExtractStridedSliceOp{op}).Vector().DefinedBy(InsertStridedSlice); ins != nil; ins = (InsertStridedSliceOp{ins}).Dest().DefinedBy(InsertStridedSlice) {
		src := vec(InsertStridedSliceOp{ins}.Source().Type())
		insOffsets, insStrides := listAttr(ins, "offsets"), listAttr(ins, "strides")
		if len(src.Shape) != rankOf(ExtractStridedSliceOp{op}.Vector().Type()) || len(offsets) > len(insOffsets) || len(offsets) > len(insStrides) {
			return nil
		}
		apart, inside := false, true
		at := make([]int64, 0, len(offsets))
		for d, o := range offsets {
			if strides[d] != insStrides[d] {
				return nil
			}
			start, end := insOffsets[d], insOffsets[d]+src.Shape[d]
			if o >= end || o+sizes[d] <= start {
				apart = true
				break
			}
			inside = inside && start <= o && o+sizes[d] <= end
			at = append(at, o-start)
		}
		// Of the other dimensions, the slice has all.
		inside = inside && slices.Equal(src.Shape[len(offsets):], vec(ExtractStridedSliceOp{op}.Vector().Type()).Shape[len(offsets):])
		switch {
		case apart:
			continue
		case !inside:
			return nil
		}
		op.SetOperand(0, InsertStridedSliceOp{ins}.Source())
		setAttrInts(op, "offsets", at)
		return ir.FoldedInPlace()
	}
	return nil
}

// foldLaterSlice is how LLVM 22 folds vector.extract_strided_slice: also of constants.
func foldLaterSlice(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if f := foldExtractStridedSlice(op, operands); f != nil {
		return f
	}
	return foldToConstant(sliceOfConstant)(op, operands)
}

func extractStridedSlicePatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "slice-of-create-mask", Since: 22, Rewrite: sliceOfCreateMask},
		{Name: "slice-of-constant-mask", Rewrite: sliceOfConstantMask},
		{Name: "slice-of-constant", Until: 21, Rewrite: asConstant(sliceOfConstant)},
		{Name: "slice-of-broadcast", Rewrite: sliceOfBroadcast},
		{Name: "slice-in-one-piece", Since: 22, Rewrite: sliceAsExtract},
		{Name: "slice-of-splat", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			s := ExtractStridedSliceOp{op}.Vector().DefinedBy(Splat)
			return s != nil && replaceSplat(r, op, SplatOp{s}.Input())
		}},
	}
}

func sliceOfConstantMask(r *rewrite.Rewriter, op *ir.Op) bool {
	m := ExtractStridedSliceOp{op}.Vector().DefinedBy(ConstantMask)
	if m == nil || !allOnes(listAttr(op, "strides")) {
		return false
	}
	bounds, offsets, sizes := maskBounds(m), listAttr(op, "offsets"), listAttr(op, "sizes")
	for i := range offsets {
		bounds[i] = max(0, min(offsets[i]+sizes[i], bounds[i])-offsets[i])
	}
	replaceMask(r, op, bounds)
	return true
}

// sliceOfConstant returns the constant that is a slice of one, or nil.
func sliceOfConstant(op *ir.Op) ir.Attribute {
	d := constantOf(ExtractStridedSliceOp{op}.Vector())
	switch {
	case d == nil:
		return nil
	case d.Splat:
		return constantLike(op, []byte(d.Data))
	case !allOnes(listAttr(op, "strides")):
		return nil
	}
	shape, offsets := vec(ExtractStridedSliceOp{op}.Vector().Type()).Shape, slices.Clone(listAttr(op, "offsets"))
	for len(offsets) < len(shape) {
		offsets = append(offsets, 0)
	}
	all := rawElements(d)
	var out [][]byte
	eachPosition(vec(op.Result(0).Type()).Shape, func(idx []int64) { out = append(out, all[linear(shape, offsets, idx)]) })
	return constantLike(op, out...)
}

// eachPosition calls fn for each position, in row-major order. fn must not keep
// the slice.
func eachPosition(shape []int64, fn func(idx []int64)) {
	if n, ok := ir.NumElements(shape); !ok || n == 0 {
		return
	}
	idx := make([]int64, len(shape))
	for {
		fn(idx)
		d := len(shape) - 1
		for ; d >= 0; d-- {
			if idx[d]++; idx[d] < shape[d] {
				break
			}
			idx[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// linear returns the number of the element at offsets + idx.
func linear(shape, offsets, idx []int64) int64 {
	n := int64(0)
	for d, size := range shape {
		n = n*size + offsets[d] + idx[d]
	}
	return n
}

func sliceOfBroadcast(r *rewrite.Rewriter, op *ir.Op) bool {
	bc := ExtractStridedSliceOp{op}.Vector().DefinedBy(Broadcast)
	if bc == nil {
		return false
	}
	source, t := BroadcastOp{bc}.Source(), vec(op.Result(0).Type())
	src := vec(source.Type())
	if src != nil && elementCount(src) != 1 {
		diff := len(t.Shape) - len(src.Shape)
		tail := func(name string) []int64 {
			list := listAttr(op, name)
			return slices.Clone(list[min(diff, len(list)):])
		}
		offsets, sizes, strides := tail("offsets"), tail("sizes"), tail("strides")
		for d := range sizes {
			if src.Shape[d] == 1 && vec(bc.Result(0).Type()).Shape[diff+d] != 1 {
				offsets[d], sizes[d] = 0, 1 // wherever the slice is, it is this one
			}
		}
		shape := slices.Clone(src.Shape)
		copy(shape, sizes)
		if !slices.Equal(src.Shape, shape) {
			r.Loc = op.Loc()
			list := func(name string, l []int64) ir.NamedAttr {
				return ir.NamedAttr{Name: name, Value: i64Array(op.Context(), l)}
			}
			source = r.CreateOp(ExtractStridedSlice, []ir.Type{op.Context().Vector(shape, src.Scalable, src.Elem)}, []*ir.Value{source},
				list("offsets", offsets), list("sizes", sizes), list("strides", strides)).Result(0)
		}
	}
	return replaceBroadcast(r, op, source)
}

func insertStridedSlicePatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "insert-splat-slice", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			src, dst := broadcastSource(InsertStridedSliceOp{op}.Source()), broadcastSource(InsertStridedSliceOp{op}.Dest())
			if src == nil || src != dst {
				a, ok := ir.ConstantOf(InsertStridedSliceOp{op}.Source()).(*ir.DenseElementsAttr)
				b, ok2 := ir.ConstantOf(InsertStridedSliceOp{op}.Dest()).(*ir.DenseElementsAttr)
				if !ok || !ok2 || !a.Splat || !b.Splat || a.Data != b.Data {
					return false
				}
			} else if (InsertStridedSliceOp{op}).Source().DefinedBy(Splat) == nil || (InsertStridedSliceOp{op}).Dest().DefinedBy(Splat) == nil {
				return false
			}
			r.Replace(op, InsertStridedSliceOp{op}.Dest())
			return true
		}},
		{Name: "insert-slice-of-equal-elements", Since: 22, Rewrite: insertEqualSlice},
		{Name: "insert-extracted-slice", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			from := InsertStridedSliceOp{op}.Source().DefinedBy(ExtractStridedSlice)
			if from == nil || (ExtractStridedSliceOp{from}).Vector() != (InsertStridedSliceOp{op}).Dest() || from.Attr("offsets") != op.Attr("offsets") || from.Attr("strides") != op.Attr("strides") {
				return false
			}
			r.Replace(op, InsertStridedSliceOp{op}.Dest())
			return true
		}},
		{Name: "insert-constant-slice", Rewrite: insertConstantSlice},
	}
}

func insertConstantSlice(r *rewrite.Rewriter, op *ir.Op) bool {
	source, ok := ir.ConstantOf(InsertStridedSliceOp{op}.Source()).(*ir.DenseElementsAttr)
	if !ok || !allOnes(listAttr(op, "strides")) {
		return false
	}
	elems := foldableDest(InsertStridedSliceOp{op}.Dest())
	if elems == nil {
		return false
	}
	src, dst := vec(InsertStridedSliceOp{op}.Source().Type()), vec(op.Result(0).Type())
	offsets, diff := listAttr(op, "offsets"), len(dst.Shape)-len(src.Shape)
	i := int64(0)
	at := make([]int64, len(dst.Shape))
	eachPosition(src.Shape, func(idx []int64) {
		copy(at[diff:], idx)
		elems[linear(dst.Shape, offsets, at)] = []byte(source.Raw(i))
		i++
	})
	return replaceConstant(r, op, elems...)
}
