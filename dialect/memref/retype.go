package memref

import (
	"freehold/ir"
	"freehold/ir/shapes"
)

// ViewType returns the type of the result of a memref.subview, expand_shape, collapse_shape or transpose if its source were
// of another strided type of the same shape; for a collapse_shape, that of what [NewCollapsed] makes. It is nil if op is none of
// these, or if it isn't known to be possible.
func ViewType(op *ir.Op, source *ir.MemRefType) *ir.MemRefType {
	c := op.Context()
	if _, _, strided := source.StridesAndOffset(); !strided {
		return nil
	}
	switch {
	case op.Is(SubView):
		o := SubViewOp{op}
		return canonicalSubViewType(o, source, o.Slice())
	case op.Is(ExpandShape):
		o := ExpandShapeOp{op}
		return ExpandedType(c, source, memrefOf(op.Result(0).Type()).Shape, o.Reassociation())
	case op.Is(CollapseShape):
		return collapsedInSteps(c, source, CollapseShapeOp{op}.Reassociation())
	case op.Is(Transpose):
		return transposedType(c, source, TransposeOp{op}.Permutation())
	}
	return nil
}

// SourceType returns a type that the source of a memref.expand_shape, collapse_shape or transpose could have, for its result to be
// a view of all of a buffer of a strided type with the shape of the result. It is nil if op is none of these, or if it isn't known to be possible.
func SourceType(op *ir.Op, result *ir.MemRefType) *ir.MemRefType {
	c := op.Context()
	if _, _, strided := result.StridesAndOffset(); !strided {
		return nil
	}
	switch {
	case op.Is(ExpandShape):
		return collapsedInSteps(c, result, ExpandShapeOp{op}.Reassociation())
	case op.Is(CollapseShape):
		shape := memrefOf(CollapseShapeOp{op}.Source().Type()).Shape
		if !ir.IsStaticShape(shape) {
			return nil
		}
		return ExpandedType(c, result, shape, CollapseShapeOp{op}.Reassociation())
	case op.Is(Transpose):
		return transposedType(c, result, inverse(c, TransposeOp{op}.Permutation()))
	}
	return nil
}

// NewSource creates a view of v, which has the shape of the result of op, with the shape of op's source, for an operation for which there
// is a [SourceType].
func NewSource(b *ir.Builder, op *ir.Op, v *ir.Value) *ir.Value {
	t := SourceType(op, memrefOf(v.Type()))
	switch {
	case op.Is(ExpandShape):
		return NewCollapsed(b, v, ExpandShapeOp{op}.Reassociation())
	case op.Is(CollapseShape):
		return NewExpandShape(b, t, v, CollapseShapeOp{op}.Reassociation(), shapes.ConstSizes(t.Shape))
	}
	return NewTranspose(b, v, inverse(b.Context(), TransposeOp{op}.Permutation()))
}

// inverse returns the inverse of a permutation.
func inverse(c *ir.Context, perm *ir.AffineMap) *ir.AffineMap {
	out := make([]int64, len(perm.Results))
	for i, r := range perm.Results {
		out[r.Value] = int64(i)
	}
	return c.PermutationMap(out)
}

// NewCollapsed creates a view of v in which groups of dimensions are one each, for a type for which it is known that there is one:
// a memref.collapse_shape, before which dimensions of size 1 are dropped by a subview if it couldn't be valid else, since their
// strides are those of something else.
func NewCollapsed(b *ir.Builder, v *ir.Value, groups [][]int64) *ir.Value {
	c, source := b.Context(), memrefOf(v.Type())
	if t := collapsedType(c, source, groups, certain); t != nil {
		return NewCollapseShape(b, t, v, groups)
	}
	dropped, left := withoutUnits(source, groups)
	reduced := dropDims(c, source, dropped)
	zeros, sizes, steps := make([]shapes.OpFoldResult, len(dropped)), shapes.ConstSizes(source.Shape), make([]shapes.OpFoldResult, len(dropped))
	for i := range dropped {
		zeros[i], steps[i] = shapes.ConstSize(0), shapes.ConstSize(1)
	}
	v = NewSubView(b, reduced, v, shapes.Slice{Offsets: zeros, Sizes: sizes, Strides: steps})
	if len(left) == len(reduced.Shape) {
		return v
	}
	return NewCollapseShape(b, collapsedType(c, reduced, left, certain), v, left)
}

// collapsedInSteps returns the type of what [NewCollapsed] makes of a buffer of a type, or nil.
func collapsedInSteps(c *ir.Context, source *ir.MemRefType, groups [][]int64) *ir.MemRefType {
	if t := collapsedType(c, source, groups, certain); t != nil {
		return t
	}
	dropped, left := withoutUnits(source, groups)
	if dropped == nil || !ir.IsStaticShape(source.Shape) {
		return nil
	}
	reduced := dropDims(c, source, dropped)
	if reduced == nil || len(left) == len(reduced.Shape) {
		return reduced
	}
	return collapsedType(c, reduced, left, certain)
}

// withoutUnits returns which dimensions of size 1 needn't be in groups, such that one dimension of each is left, and the groups of
// those that are. dropped is nil if there are none.
func withoutUnits(t *ir.MemRefType, groups [][]int64) (dropped []bool, left [][]int64) {
	all, n := make([]bool, len(t.Shape)), int64(0)
	for _, g := range groups {
		var rest []int64
		for i, d := range g {
			if t.Shape[d] == 1 && (len(rest) > 0 || i < len(g)-1) {
				all[d], dropped = true, all
				continue
			}
			rest = append(rest, n)
			n++
		}
		left = append(left, rest)
	}
	return dropped, left
}
