package linalg

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/transform/generic/memref"
)

// UnitDimPatterns returns the patterns that drop dimensions of size 1, and those that simplify what this leaves behind.
func UnitDimPatterns(c *ir.Context, o UnitDimOptions) []rewrite.Pattern {
	u := unitDims{slices: o.Slices}
	list := []rewrite.Pattern{
		{Name: "DropUnitDims", Root: linalg.Generic, Rewrite: u.dropUnitLoops},
		{Name: "DropPadUnitDims", Root: tensor.Pad, Rewrite: u.dropPadDims},
	}
	if !u.slices {
		list = append(list,
			rewrite.Pattern{Name: "RankReducedExtractSliceOp", Root: tensor.ExtractSlice, Rewrite: reduceExtraction},
			rewrite.Pattern{Name: "RankReducedInsertSliceOp", Root: tensor.InsertSlice, Rewrite: reduceInsertion},
			rewrite.Pattern{Name: "RankReducedInsertSliceOp", Root: tensor.ParallelInsertSlice, Rewrite: reduceInsertion})
	}
	simplified := []*ir.OpID{linalg.Fill, tensor.Empty}
	if !u.slices {
		simplified = []*ir.OpID{linalg.Fill, tensor.CollapseShape, tensor.Empty, tensor.ExpandShape}
	}
	for _, id := range simplified {
		list = append(list, rewrite.CanonicalizationOf(c.OpNameOf(id))...)
	}
	list = append(list, emptyPatterns()...)
	list = append(list, memref.ResolveDimPatterns()...)
	return append(list, rewrite.Pattern{Name: "MoveInitOperandsToInput", Root: linalg.Generic, Rewrite: ReadInitsAsInputs})
}

// dropUnitLoops drops the dimensions of size 1 of the iteration space of a linalg.generic, and the dimensions of its operands that
// only they walk through.
func (u unitDims) dropUnitLoops(r *rewrite.Rewriter, op *ir.Op) bool {
	o := linalg.StructuredOp{Op: op}
	maps := o.IndexingMaps()
	sizes, ok := o.StaticLoopRanges()
	if !ok || len(maps) == 0 || len(maps) != op.NumOperands() {
		return false
	}
	kept := keptDims{c: op.Context(), exprs: make([]*ir.AffineExpr, len(sizes))}
	var iterators []interfaces.Iterator
	for d, kind := range o.Iterators() {
		if sizes[d] == 1 {
			kept.exprs[d] = kept.c.AffineConstant(0)
			continue
		}
		kept.exprs[d] = kept.c.AffineDim(kept.n)
		kept.n++
		iterators = append(iterators, kind)
	}
	parts := make([]operandDims, len(maps))
	reduced := make([]*ir.AffineMap, len(maps))
	for i, m := range maps {
		parts[i] = kept.of(op.Operand(i).Type(), m)
		reduced[i] = parts[i].at
	}
	if slices.Equal(maps, reduced) || !determineLoops(reduced, kept.n) {
		return false
	}
	r.Loc = op.Loc()
	operands := op.Operands().Values()
	for i, p := range parts {
		if p.groups != nil {
			operands[i] = u.collapse(r.Builder, operands[i], p.shape, p.groups)
		}
	}
	inputs := len(o.Inputs())
	n := linalg.NewGenericWithoutBody(r.Builder, operands[:inputs], operands[inputs:], reduced, iterators)
	r.InlineRegionBefore(op.RegionAt(0), n.RegionAt(0), nil)
	kept.renumber(r, n)
	results := n.Results().Values()
	for i := range results {
		if p := parts[inputs+i]; p.groups != nil {
			results[i] = u.expand(r.Builder, results[i], op.Operand(inputs+i), p.groups)
		}
	}
	r.Replace(op, results...)
	return true
}

// keptDims says which dimensions of an iteration space stay: exprs has what a dimension is in the new space, a dimension or 0, and n is
// the number of those that stay.
type keptDims struct {
	c     *ir.Context
	exprs []*ir.AffineExpr
	n     int
}

// operandDims is what is left of an operand: its shape, the groups of its dimensions that each become one (nil if all stay), and
// where it is accessed.
type operandDims struct {
	shape  []int64
	groups [][]int64
	at     *ir.AffineMap
}

// of returns what is left of an operand of type t that is accessed at m.
func (k keptDims) of(t ir.Type, m *ir.AffineMap) operandDims {
	shape, _ := ir.ShapeOf(t)
	drops := func(d int) bool {
		e := m.Results[d]
		return shape[d] == 1 && (e.IsConst(0) || e.Kind == ir.AffineDim && k.exprs[e.Value].Kind == ir.AffineConst)
	}
	if !collapsible(t) {
		drops = func(int) bool { return false }
	}
	var p operandDims
	var results []*ir.AffineExpr
	keep := make([]bool, len(m.Results))
	for d, e := range m.Results {
		if keep[d] = !drops(d); keep[d] {
			p.shape = append(p.shape, shape[d])
			results = append(results, k.c.AffineReplace(e, k.exprs, nil))
		}
	}
	if len(results) < len(m.Results) {
		p.groups = groupsKeeping(keep)
	}
	p.at = k.c.AffineMap(k.n, 0, results...)
	return p
}

// collapsible tells whether values of the type have views that lack dimensions of size 1, whichever these are.
func collapsible(t ir.Type) bool {
	switch t := t.(type) {
	case *ir.RankedTensorType:
		return t.Encoding == nil
	case *ir.MemRefType:
		return t.HasIdentityLayout()
	}
	return false
}

// groupsKeeping returns groups of dimensions each of which has one that is kept: what isn't kept belongs to the group before, or else to the
// first one. There are none, but not nil, if nothing is kept.
func groupsKeeping(keep []bool) [][]int64 {
	groups := [][]int64{}
	var group []int64
	for d := range keep {
		if keep[d] && slices.ContainsFunc(group, func(d int64) bool { return keep[d] }) {
			groups, group = append(groups, group), nil
		}
		group = append(group, int64(d))
	}
	if slices.Contains(keep, true) {
		groups = append(groups, group)
	}
	return groups
}

// determineLoops tells whether each of n dimensions is a position of an operand by itself, so that the shapes of the operands say how
// large the iteration space is.
func determineLoops(maps []*ir.AffineMap, n int) bool {
	seen, left := make([]bool, n), n
	for _, m := range maps {
		for _, e := range m.Results {
			if e.Kind == ir.AffineDim && !seen[e.Value] {
				seen[e.Value] = true
				left--
			}
		}
	}
	return left == 0
}

// renumber makes the body ask for its position in the new iteration space.
func (k keptDims) renumber(r *rewrite.Rewriter, generic *ir.Op) {
	var list []linalg.IndexOp
	for op := range generic.BodyBlock(0).Ops() {
		if op.Is(linalg.Index) {
			list = append(list, linalg.IndexOp{Op: op})
		}
	}
	at := r.InsertionPoint()
	for _, o := range list {
		switch e := k.exprs[o.Dim()]; {
		case e.Kind == ir.AffineConst:
			r.Replace(o.Op, arith.ConstantIndex(r.At(o.Op), 0))
		case e.Value != o.Dim():
			r.Modify(o.Op, func() { o.SetDim(e.Value) })
		}
	}
	r.SetInsertionPoint(at)
}
