package memref

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

func collapseShapePatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "ComposeReassociativeReshapeOps<CollapseShapeOp>", Rewrite: collapseOfCollapse},
		{Name: "ComposeCollapseOfExpandOp", Rewrite: collapseOfExpand},
		{Name: "CollapseShapeOpMemRefCastFolder", Rewrite: collapseOfCast},
	}
}

func expandShapePatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "ComposeReassociativeReshapeOps<ExpandShapeOp>", Rewrite: expandOfExpand},
		{Name: "ComposeExpandOfCollapseOp", Rewrite: expandOfCollapse},
		{Name: "ExpandShapeOpMemRefCastFolder", Since: 22, Rewrite: expandOfCast},
	}
}

// compose joins the groups of two reshapes in the same direction: outer lists
// groups of the dimensions that inner lists groups of.
func compose(outer, inner [][]int64) [][]int64 {
	out := make([][]int64, len(outer))
	for i, g := range outer {
		for _, d := range g {
			if d < 0 || d >= int64(len(inner)) {
				return nil
			}
			out[i] = append(out[i], inner[d]...)
		}
	}
	return out
}

func collapseOfCollapse(r *rewrite.Rewriter, op *ir.Op) bool {
	def := CollapseShapeOp{op}.Source().DefiningOp()
	if def == nil || !def.Is(CollapseShape) || !memrefOf(CollapseShapeOp{op}.Source().Type()).HasIdentityLayout() {
		return false
	}
	groups := compose(interfaces.Reassociation(op), interfaces.Reassociation(def))
	if groups == nil {
		return false
	}
	r.At(op)
	r.Replace(op, NewCollapseShape(r.Builder, memrefOf(op.Result(0).Type()), CollapseShapeOp{def}.Source(), groups))
	return true
}

func expandOfExpand(r *rewrite.Rewriter, op *ir.Op) bool {
	def := ExpandShapeOp{op}.Source().DefiningOp()
	if def == nil || !def.Is(ExpandShape) || !memrefOf(ExpandShapeOp{op}.Source().Type()).HasIdentityLayout() {
		return false
	}
	groups := compose(interfaces.Reassociation(def), interfaces.Reassociation(op))
	if groups == nil {
		return false
	}
	r.At(op)
	r.Replace(op, NewExpandShape(r.Builder, memrefOf(op.Result(0).Type()), ExpandShapeOp{def}.Source(), groups, ExpandShapeOp{op}.OutputShape()))
	return true
}

// nested finds, for the groups of a coarser division of a shape, the groups of a
// finer division that each consists of; nil if they don't fit.
func nested(coarse, fine [][]int64) [][]int64 {
	out := make([][]int64, len(coarse))
	j := 0
	for i, g := range coarse {
		n := 0
		for n < len(g) {
			if j >= len(fine) {
				return nil
			}
			n += len(fine[j])
			out[i] = append(out[i], int64(j))
			j++
		}
		if n != len(g) {
			return nil
		}
	}
	if j != len(fine) {
		return nil
	}
	return out
}

// collapseOfExpand replaces an expansion and a collapse by what is left of them.
func collapseOfExpand(r *rewrite.Rewriter, op *ir.Op) bool {
	def := CollapseShapeOp{op}.Source().DefiningOp()
	if def == nil || !def.Is(ExpandShape) {
		return false
	}
	from, to := memrefOf(ExpandShapeOp{def}.Source().Type()), memrefOf(op.Result(0).Type())
	if !from.HasIdentityLayout() || !to.HasIdentityLayout() || !memrefOf(CollapseShapeOp{op}.Source().Type()).HasIdentityLayout() || len(from.Shape) == len(to.Shape) {
		return false
	}
	r.At(op)
	if len(from.Shape) > len(to.Shape) {
		groups := nested(interfaces.Reassociation(op), interfaces.Reassociation(def))
		if groups == nil {
			return false
		}
		r.Replace(op, NewCollapseShape(r.Builder, to, ExpandShapeOp{def}.Source(), groups))
		return true
	}
	groups := nested(interfaces.Reassociation(def), interfaces.Reassociation(op))
	if groups == nil || !ir.IsStaticShape(to.Shape) {
		return false
	}
	r.Replace(op, NewExpandShape(r.Builder, to, ExpandShapeOp{def}.Source(), groups, shapes.ConstSizes(to.Shape)))
	return true
}

// expandOfCollapse replaces a collapse and an expansion by what is left of them.
func expandOfCollapse(r *rewrite.Rewriter, op *ir.Op) bool {
	def := ExpandShapeOp{op}.Source().DefiningOp()
	if def == nil || !def.Is(CollapseShape) {
		return false
	}
	from, to := memrefOf(CollapseShapeOp{def}.Source().Type()), memrefOf(op.Result(0).Type())
	if !from.HasIdentityLayout() || !to.HasIdentityLayout() || len(from.Shape) == len(to.Shape) {
		return false
	}
	r.At(op)
	fromGroups, toGroups := interfaces.Reassociation(def), interfaces.Reassociation(op)
	given := ExpandShapeOp{op}.OutputShape()
	if len(from.Shape) > len(to.Shape) {
		groups, ok := shapes.GroupsOfCollapseThenExpand(fromGroups, toGroups, from.Shape, to.Shape,
			func(d, td int) bool { return isSizeOf(given[td], CollapseShapeOp{def}.Source(), d) })
		if ok {
			r.Replace(op, NewCollapseShape(r.Builder, to, CollapseShapeOp{def}.Source(), groups))
		}
		return ok
	}
	groups, ok := shapes.GroupsOfCollapseThenExpand(toGroups, fromGroups, to.Shape, from.Shape,
		func(d, td int) bool { return isSizeOf(given[d], CollapseShapeOp{def}.Source(), td) })
	if ok {
		r.Replace(op, NewExpandShape(r.Builder, to, CollapseShapeOp{def}.Source(), groups, given))
	}
	return ok
}

// isSizeOf tells whether a size is that of dimension i of a buffer: what asks for it, or what the buffer was made with.
func isSizeOf(size shapes.OpFoldResult, v *ir.Value, i int) bool {
	if size.Value == nil {
		return false
	}
	if DynamicSize(v, i) == size.Value {
		return true
	}
	def := size.Value.DefinedBy(Dim)
	if def == nil || (DimOp{def}).Source() != v {
		return false
	}
	n, ok := ir.ConstantInt((DimOp{def}).Index())
	return ok && n == int64(i)
}

// collapseOfCast collapses the source of a cast.
func collapseOfCast(r *rewrite.Rewriter, op *ir.Op) bool {
	cast := castOf(CollapseShapeOp{op}.Source())
	if cast == nil || !CanFoldIntoConsumer(cast) {
		return false
	}
	t := CollapsedType(r.Context(), memrefOf(CastOp{cast}.Source().Type()), interfaces.Reassociation(op))
	if t == nil {
		return false
	}
	if ir.Type(t) == op.Result(0).Type() {
		r.Modify(op, func() { op.SetOperand(0, CastOp{cast}.Source()) })
		return true
	}
	r.At(op)
	v := NewCollapseShape(r.Builder, t, CastOp{cast}.Source(), interfaces.Reassociation(op))
	r.Replace(op, NewCast(r.Builder, op.Result(0).Type(), v))
	return true
}
