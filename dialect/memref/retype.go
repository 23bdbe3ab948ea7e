package memref

import (
	"freehold/ir"
	"freehold/ir/shapes"
)

// ViewType returns the type of the result of a memref.subview, expand_shape, collapse_shape or transpose if its source were
// of another strided type of the same shape. It is nil if op is none of these, or if it isn't known to be possible.
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
		return collapsedType(c, source, CollapseShapeOp{op}.Reassociation(), true)
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
		return collapsedType(c, result, ExpandShapeOp{op}.Reassociation(), true)
	case op.Is(CollapseShape):
		shape := memrefOf(op.Operand(0).Type()).Shape
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
		return NewCollapseShape(b, t, v, ExpandShapeOp{op}.Reassociation())
	case op.Is(CollapseShape):
		return NewExpandShape(b, t, v, CollapseShapeOp{op}.Reassociation(), shapes.Mixed(t.Shape, nil))
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
