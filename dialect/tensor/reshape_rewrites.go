package tensor

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// foldReshape folds reshapes of splats, of reshapes, and those that are known to
// change nothing.
func foldReshape(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if f := foldSplatSource(op, operands); f != nil {
		return f
	}
	o := ReshapeOp{op}
	if inner := o.Source().DefinedBy(Reshape); inner != nil {
		op.SetOperand(0, ReshapeOp{inner}.Source())
		return ir.FoldedInPlace()
	}
	t := ranked(o.Source().Type())
	if t == nil || op.Result(0).Type() != ir.Type(t) {
		return nil
	}
	if len(t.Shape) == 1 {
		return ir.FoldValue(o.Source())
	}
	shape := o.Shape().DefinedBy(FromElements)
	if shape == nil || shape.NumOperands() != len(t.Shape) {
		return nil
	}
	for i, d := range t.Shape {
		size := shape.Operand(i)
		if n, ok := ir.ConstantInt(size); ok {
			if n != d {
				return nil
			}
			continue
		}
		dim := size.DefinedBy(Dim)
		if dim == nil || (DimOp{dim}).Source() != o.Source() {
			return nil
		}
		if n, ok := (DimOp{dim}).ConstantIndex(); !ok || n != int64(i) {
			return nil
		}
	}
	return ir.FoldValue(o.Source())
}

func foldExpandShape(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	return foldReassociated(op, operands, CollapseShape)
}

func foldCollapseShape(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	return foldReassociated(op, operands, ExpandShape)
}

// foldReassociated folds reshapes that change nothing, of constants, and of their
// inverse.
func foldReassociated(op *ir.Op, operands []ir.Attribute, inverse *ir.OpID) []ir.FoldResult {
	src, t := ReassociationOp{op}.Src(), op.Result(0).Type()
	if src.Type() == t {
		return ir.FoldValue(src)
	}
	rt := ranked(t)
	if len(operands) > 0 && rt != nil && ir.IsStaticShape(rt.Shape) {
		if d, ok := operands[0].(*ir.DenseElementsAttr); ok {
			return ir.FoldAttr(op.Context().DenseElements(t, []byte(d.Data)))
		}
	}
	inner := src.DefinedBy(inverse)
	if inner == nil || (ReassociationOp{inner}).Src().Type() != t {
		return nil
	}
	groups := interfaces.Reassociation(op)
	if ir.NumDynamic(rt.Shape) < 2 {
		return ir.FoldValue(ReassociationOp{inner}.Src())
	}
	if !shapes.SameGroups(interfaces.Reassociation(inner), groups) ||
		op.Is(ExpandShape) && slices.ContainsFunc(groups, func(g []int64) bool { return unknown(g, rt.Shape) > 1 }) {
		return nil
	}
	return ir.FoldValue(ReassociationOp{inner}.Src())
}

// newReshape creates a reshape like op, with another source and other groups.
func newReshape(b *ir.Builder, op *ir.Op, src *ir.Value, groups [][]int64) *ir.Value {
	t := op.Result(0).Type()
	if op.Is(ExpandShape) {
		return NewExpandShape(b, t, src, groups, ExpandShapeOp{op}.OutputShape())
	}
	return newCollapseShape(b, t, src, groups)
}

// sharedReshapePatterns apply to both expand_shape and collapse_shape.
func sharedReshapePatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "ComposeReassociativeReshapeOps", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			inner := ReassociationOp{op}.Src().DefinedBy(op.ID())
			if inner == nil {
				return false
			}
			groups, ok := shapes.ComposeReassociation(interfaces.Reassociation(inner), interfaces.Reassociation(op))
			if !ok {
				return false
			}
			r.Replace(op, newReshape(r.At(op), op, ReassociationOp{inner}.Src(), groups))
			return true
		}},
		{Name: "FoldReshapeWithSplat", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			s := ReassociationOp{op}.Src().DefinedBy(Splat)
			if s == nil || !ir.IsStaticShape(ranked(s.Result(0).Type()).Shape) {
				return false
			}
			b := r.At(op)
			r.Replace(op, b.CreateOp(Splat, []ir.Type{op.Result(0).Type()}, []*ir.Value{SplatOp{s}.Input()}).Result(0))
			return true
		}},
		{Name: "FoldReshapeWithFromElements", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			f := ReassociationOp{op}.Src().DefinedBy(FromElements)
			if f == nil || !ir.IsStaticShape(ranked(op.Result(0).Type()).Shape) {
				return false
			}
			r.Replace(op, NewFromElements(r.At(op), op.Result(0).Type(), f.Operands().Values()...))
			return true
		}},
	}
}

func expandShapePatterns() []rewrite.Pattern {
	return append(sharedReshapePatterns(),
		rewrite.Pattern{Name: "ComposeExpandOfCollapseOp", Rewrite: expandOfCollapse},
		rewrite.Pattern{Name: "FoldDimOfExpandShape", Until: 21, Root: Dim, Rewrite: dimOfExpandShape},
		rewrite.Pattern{Name: "FoldDimOfCollapseShape", Until: 21, Root: Dim, Rewrite: dimOfCollapseShape},
	)
}

func collapseShapePatterns() []rewrite.Pattern {
	return append(sharedReshapePatterns(),
		rewrite.Pattern{Name: "ComposeCollapseOfExpandOp", Rewrite: collapseOfExpand},
		rewrite.Pattern{Name: "FoldCollapseOfCastOp", Rewrite: collapseOfCast},
	)
}

func expandOfCollapse(r *rewrite.Rewriter, op *ir.Op) bool {
	inner := ExpandShapeOp{op}.Source().DefinedBy(CollapseShape)
	if inner == nil {
		return false
	}
	src := CollapseShapeOp{inner}.Source()
	st, rt := ranked(src.Type()), ranked(op.Result(0).Type())
	if st == rt {
		return false
	}
	sg, rg := interfaces.Reassociation(inner), interfaces.Reassociation(op)
	given := ExpandShapeOp{op}.OutputShape()
	if len(st.Shape) > len(rt.Shape) {
		groups, ok := shapes.GroupsOfCollapseThenExpand(sg, rg, st.Shape, rt.Shape, func(d, td int) bool { return isSizeOf(given[td], src, d) })
		if !ok {
			return false
		}
		r.Replace(op, newCollapseShape(r.At(op), rt, src, groups))
		return true
	}
	groups, ok := shapes.GroupsOfCollapseThenExpand(rg, sg, rt.Shape, st.Shape, func(d, td int) bool { return isSizeOf(given[d], src, td) })
	if !ok || len(st.Shape) == len(rt.Shape) {
		return false
	}
	r.Replace(op, NewExpandShape(r.At(op), rt, src, groups, given))
	return true
}

// isSizeOf tells whether a size is that of dimension i of a tensor: what asks for it.
func isSizeOf(size shapes.OpFoldResult, v *ir.Value, i int) bool {
	if size.Value == nil {
		return false
	}
	def := size.Value.DefinedBy(Dim)
	if def == nil || (DimOp{def}).Source() != v {
		return false
	}
	n, ok := (DimOp{def}).ConstantIndex()
	return ok && n == int64(i)
}

func collapseOfExpand(r *rewrite.Rewriter, op *ir.Op) bool {
	inner := CollapseShapeOp{op}.Source().DefinedBy(ExpandShape)
	if inner == nil {
		return false
	}
	src := ExpandShapeOp{inner}.Source()
	st, rt := ranked(src.Type()), ranked(op.Result(0).Type())
	if st == rt {
		return false
	}
	many, few := interfaces.Reassociation(inner), interfaces.Reassociation(op)
	if len(st.Shape) <= len(rt.Shape) {
		many, few = few, many
	}
	groups, ok := shapes.GroupsOfExpandThenCollapse(many, few)
	if !ok {
		return false
	}
	switch b := r.At(op); {
	case len(st.Shape) > len(rt.Shape):
		r.Replace(op, newCollapseShape(b, rt, src, groups))
	case len(st.Shape) < len(rt.Shape):
		r.Replace(op, NewExpandShape(b, rt, src, groups, sizesBetween(b, src, groups, inner, op)))
	default:
		r.Replace(op, NewCast(b, rt, src))
	}
	return true
}

// sizesBetween returns the sizes of what an expansion of src and a collapse of that come to, an expansion by groups: what the source's
// are divided by the static ones or, if that doesn't tell, products of those that the expansion has.
func sizesBetween(b *ir.Builder, src *ir.Value, groups [][]int64, expand, collapse *ir.Op) []shapes.OpFoldResult {
	shape := ranked(collapse.Result(0).Type()).Shape
	out := shapes.ConstSizes(shape)
	if dividesEvenly(ranked(src.Type()).Shape, groups, shape) {
		for i, size := range MixedSizes(b, src) {
			known := int64(1)
			open := -1
			for _, d := range groups[i] {
				if shape[d] == ir.Dynamic {
					open = int(d)
				} else {
					known *= shape[d]
				}
			}
			if open >= 0 {
				out[open] = size
			}
			if open >= 0 && known != 1 {
				out[open] = shapes.SizeOf(arith.New(b, arith.DivUI, size.Value, arith.ConstantIndex(b, known)))
			}
		}
		return out
	}
	sizes := ExpandShapeOp{expand}.OutputShape()
	for i, group := range interfaces.Reassociation(collapse) {
		if shape[i] != ir.Dynamic {
			continue
		}
		factors := make([]shapes.OpFoldResult, len(group))
		for j, g := range group {
			factors[j] = sizes[g]
		}
		out[i] = productSize(b, factors)
	}
	return out
}

// dividesEvenly reports whether at most one size of each group is unknown, and none where the source's is known or another one is 0.
func dividesEvenly(source []int64, groups [][]int64, shape []int64) bool {
	for i, group := range groups {
		n := unknown(group, shape)
		if n > 1 || n == 1 && (source[i] != ir.Dynamic || slices.ContainsFunc(group, func(d int64) bool { return shape[d] == 0 })) {
			return false
		}
	}
	return true
}

// unknown counts the dimensions in a group whose size is dynamic.
func unknown(group, shape []int64) (n int) {
	for _, d := range group {
		if shape[d] == ir.Dynamic {
			n++
		}
	}
	return n
}

func collapseOfCast(r *rewrite.Rewriter, op *ir.Op) bool {
	cast := FoldableCast(CollapseShapeOp{op}.Source())
	if cast == nil {
		return false
	}
	src := CastOp{cast}.Source()
	st, groups := ranked(src.Type()), interfaces.Reassociation(op)
	t := op.Context().RankedTensor(shapes.CollapsedShape(st.Shape, groups), st.Elem)
	if ir.Type(t) == op.Result(0).Type() {
		r.Modify(op, func() { op.SetOperand(0, src) })
		return true
	}
	replaceCast(r, op, newCollapseShape(r.At(op), t, src, groups))
	return true
}

// dimOf returns the reshape, of the given kind, the type of its result, and the dimension
// of it that a tensor.dim asks for, if its size isn't static.
func dimOf(op *ir.Op, kind *ir.OpID) (e *ir.Op, t *ir.RankedTensorType, i int64) {
	i, ok := DimOp{op}.ConstantIndex()
	if e = (DimOp{op}).Source().DefinedBy(kind); e == nil || !ok {
		return nil, nil, 0
	}
	t = ranked(e.Result(0).Type())
	if i < 0 || i >= int64(len(t.Shape)) || t.Shape[i] != ir.Dynamic {
		return nil, nil, 0
	}
	return e, t, i
}

// dimOfExpandShape computes a size of the result from that of the source.
func dimOfExpandShape(r *rewrite.Rewriter, op *ir.Op) bool {
	e, t, i := dimOf(op, ExpandShape)
	if e == nil {
		return false
	}
	for src, g := range interfaces.Reassociation(e) {
		n, found := int64(1), false
		for _, d := range g {
			if d == i {
				found = true
			} else if t.Shape[d] == ir.Dynamic {
				found = false
				break
			} else {
				n *= t.Shape[d]
			}
		}
		if !found {
			continue
		}
		if n == 0 {
			return false // any size would do
		}
		c, b := op.Context(), r.At(op)
		size := NewDim(b, ExpandShapeOp{e}.Source(), int64(src))
		r.Replace(op, newApply(b, c.AffineFloorDiv(c.AffineSymbol(0), c.AffineConstant(n)), size))
		return true
	}
	return false
}

// dimOfCollapseShape computes a size of the result from those of the source.
func dimOfCollapseShape(r *rewrite.Rewriter, op *ir.Op) bool {
	e, _, i := dimOf(op, CollapseShape)
	if e == nil {
		return false
	}
	c, b := op.Context(), r.At(op)
	var product *ir.AffineExpr
	var sizes []*ir.Value
	for k, d := range interfaces.Reassociation(e)[i] {
		sizes = append(sizes, NewDim(b, CollapseShapeOp{e}.Source(), d))
		if s := c.AffineSymbol(k); product == nil {
			product = s
		} else {
			product = c.AffineMul(product, s)
		}
	}
	r.Replace(op, newApply(b, product, sizes...))
	return true
}
