package linalg

import (
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// unitGroups returns the groups that collapse a shape to its dimensions that aren't 1, and whether there are others to drop. These
// belong to the group of the next dimension that stays.
func unitGroups(shape []int64) (groups [][]int64, drops bool) {
	groups = [][]int64{}
	var group []int64
	for d, n := range shape {
		group = append(group, int64(d))
		if n == 1 {
			drops = true
			continue
		}
		groups, group = append(groups, group), nil
	}
	if last := len(groups) - 1; last >= 0 {
		groups[last] = append(groups[last], group...)
	}
	return groups, drops
}

// reduceExtraction makes a slice lack dimensions of size 1, which are added afterwards.
func reduceExtraction(r *rewrite.Rewriter, op *ir.Op) bool {
	o := tensor.ExtractSliceOp{Op: op}
	groups, drops := unitGroups(o.Type().Shape)
	if !drops {
		return false
	}
	r.Loc = op.Loc()
	s := o.Slice()
	t := tensor.RankReducedSliceType(r.Context(), len(groups), o.SourceType(), interfaces.StaticInts(op, interfaces.StaticSizes))
	r.Replace(op, unitDims{}.expand(r.Builder, tensor.NewExtractSlice(r.Builder, t, o.Source(), s), op.Result(0), groups))
	return true
}

// reduceInsertion inserts a source that lacks dimensions of size 1.
func reduceInsertion(r *rewrite.Rewriter, op *ir.Op) bool {
	o := tensor.InsertSliceOp{Op: op}
	groups, drops := unitGroups(o.SourceType().Shape)
	if !drops {
		return false
	}
	r.Loc = op.Loc()
	if !op.Is(tensor.ParallelInsertSlice) {
		source := tensor.NewCollapseShape(r.Builder, o.Source(), groups)
		r.Replace(op, tensor.NewInsertSlice(r.Builder, source, o.Dest(), o.Slice()))
		return true
	}
	at := r.InsertionPoint()
	r.SetBefore(op.Parent())
	source := tensor.NewCollapseShape(r.Builder, o.Source(), groups)
	r.SetInsertionPoint(at)
	tensor.NewParallelInsertSlice(r.Builder, source, o.Dest(), o.Slice())
	r.Erase(op)
	return true
}
