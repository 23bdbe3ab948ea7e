package core

import (
	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/dialect/vector"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
)

// AffinePatterns lower operations of affine to scf, memref, vector and arith.
func AffinePatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "AffineApplyLowering", Root: affine.Apply, Rewrite: lowerApply},
		{Name: "AffineDmaStartLowering", Root: affine.DmaStart, Rewrite: lowerDmaStart},
		{Name: "AffineDmaWaitLowering", Root: affine.DmaWait, Rewrite: lowerDmaWait},
		{Name: "AffineLoadLowering", Root: affine.Load, Rewrite: lowerLoad},
		{Name: "AffineMinLowering", Root: affine.Min, Rewrite: lowerMinMax},
		{Name: "AffineMaxLowering", Root: affine.Max, Rewrite: lowerMinMax},
		{Name: "AffineParallelLowering", Root: affine.Parallel, Rewrite: lowerParallel},
		{Name: "AffinePrefetchLowering", Root: affine.Prefetch, Rewrite: lowerPrefetch},
		{Name: "AffineStoreLowering", Root: affine.Store, Rewrite: lowerStore},
		{Name: "AffineForLowering", Root: affine.For, Rewrite: lowerFor},
		{Name: "AffineIfLowering", Root: affine.If, Rewrite: lowerIf},
		{Name: "AffineYieldOpLowering", Root: affine.Yield, Rewrite: lowerYield},
		{Name: "AffineVectorLoadLowering", Root: affine.VectorLoad, Rewrite: lowerLoad},
		{Name: "AffineVectorStoreLowering", Root: affine.VectorStore, Rewrite: lowerStore},
		{Name: "LowerDelinearizeIndexOps", Root: affine.DelinearizeIndex, Rewrite: lowerDelinearize},
		{Name: "LowerLinearizeIndexOps", Root: affine.LinearizeIndex, Rewrite: lowerLinearize},
	}
}

// LowerAffine replaces the operations of affine in op. Those whose expressions divide
// by a constant below 1 stay; report is told why.
func LowerAffine(op *ir.Op, patterns *rewrite.PatternSet, report func(*ir.Diagnostic)) error {
	t := conversion.NewTarget()
	t.LegalDialects("arith", "memref", "scf", "vector")
	return conversion.Partial(op, t, patterns, conversion.Config{Report: report})
}

func lowerApply(r *rewrite.Rewriter, op *ir.Op) bool {
	values, ok := expandMap(r, op, affine.MapOf(op), op.Operands().Values())
	if ok {
		r.Replace(op, values...)
	}
	return ok
}

func lowerMinMax(r *rewrite.Rewriter, op *ir.Op) bool {
	def := arith.MinSI
	if op.Is(affine.Max) {
		def = arith.MaxSI
	}
	m := affine.MapOf(op)
	v := extreme(r, op, m.Results, m.Dims, op.Operands().Values(), def)
	if v == nil {
		return false
	}
	r.Replace(op, v)
	return true
}

func lowerLoad(r *rewrite.Rewriter, op *ir.Op) bool {
	o := affine.AccessOp{Op: op}
	indices, ok := expandMap(r, op, o.Map(), o.MapOperands().Values())
	if !ok {
		return false
	}
	if op.Is(affine.Load) {
		r.Replace(op, memref.NewLoad(r.Builder, o.MemRef(), indices...))
		return true
	}
	load := r.CreateOp(vector.Load, op.Results().Types(), append([]*ir.Value{o.MemRef()}, indices...))
	r.Replace(op, load.Result(0))
	return true
}

func lowerStore(r *rewrite.Rewriter, op *ir.Op) bool {
	o := affine.AccessOp{Op: op}
	indices, ok := expandMap(r, op, o.Map(), o.MapOperands().Values())
	if !ok {
		return false
	}
	if op.Is(affine.Store) {
		memref.NewStore(r.Builder, o.Value(), o.MemRef(), indices...)
	} else {
		r.CreateOp(vector.Store, nil, append([]*ir.Value{o.Value(), o.MemRef()}, indices...))
	}
	r.Erase(op)
	return true
}

func lowerPrefetch(r *rewrite.Rewriter, op *ir.Op) bool {
	o := affine.AccessOp{Op: op}
	indices, ok := expandMap(r, op, o.Map(), o.MapOperands().Values())
	if !ok {
		return false
	}
	s := r.State(memref.Prefetch)
	s.Operands = append([]*ir.Value{o.MemRef()}, indices...)
	for _, a := range memref.PrefetchAttrs() {
		s.SetAttr(a.Name, op.Attr(a.Name))
	}
	r.Create(s)
	r.Erase(op)
	return true
}

// expandSides appends the buffers of a transfer with their indices.
func expandSides(r *rewrite.Rewriter, op *ir.Op, sides []affine.DmaSide) (lists [][]*ir.Value, ok bool) {
	for _, s := range sides {
		indices, ok := expandMap(r, op, s.Map, s.Operands.Values())
		if !ok {
			return nil, false
		}
		lists = append(lists, append([]*ir.Value{s.MemRef}, indices...))
	}
	return lists, true
}

func lowerDmaStart(r *rewrite.Rewriter, op *ir.Op) bool {
	sides, rest, _ := affine.DmaSides(op, affine.SrcMapAttr, affine.DstMapAttr, affine.TagMapAttr)
	l, ok := expandSides(r, op, sides)
	if !ok {
		return false
	}
	count, stride := rest.Values()[:1], rest.Values()[1:]
	operands := append(append(append(append(l[0], l[1]...), count...), l[2]...), stride...)
	r.CreateOp(memref.DmaStart, nil, operands)
	r.Erase(op)
	return true
}

func lowerDmaWait(r *rewrite.Rewriter, op *ir.Op) bool {
	sides, rest, _ := affine.DmaSides(op, affine.TagMapAttr)
	l, ok := expandSides(r, op, sides)
	if !ok {
		return false
	}
	r.CreateOp(memref.DmaWait, nil, append(l[0], rest.Values()...))
	r.Erase(op)
	return true
}

// lowerYield gives the terminator that the lowered operation around op wants.
func lowerYield(r *rewrite.Rewriter, op *ir.Op) bool {
	r.SetEnd(op.Block())
	if p := op.Parent(); p != nil && p.Is(scf.Parallel) {
		r.CreateOp(scf.Reduce, nil, nil)
	} else {
		scf.NewYield(r.Builder, op.Operands().Values()...)
	}
	r.Erase(op)
	return true
}

func lowerFor(r *rewrite.Rewriter, op *ir.Op) bool {
	o := affine.ForOp{Op: op}
	l, u := o.LowerMap(), o.UpperMap()
	lower := extreme(r, op, l.Results, l.Dims, o.LowerOperands().Values(), arith.MaxSI)
	if lower == nil {
		return false
	}
	upper := extreme(r, op, u.Results, u.Dims, o.UpperOperands().Values(), arith.MinSI)
	if upper == nil {
		return false
	}
	s := r.State(scf.For)
	s.Operands = append([]*ir.Value{lower, upper, arith.ConstantIndex(r.Builder, o.Step())}, o.Inits().Values()...)
	s.Types = op.Results().Types()
	body := s.AddRegion()
	loop := r.Create(s)
	r.InlineRegionBefore(op.RegionAt(0), body, nil)
	r.Replace(op, loop.Results().Values()...)
	return true
}

func lowerIf(r *rewrite.Rewriter, op *ir.Op) bool {
	set := affine.IfOp{Op: op}.Set()
	if set == nil {
		return false
	}
	zero := arith.ConstantIndex(r.Builder, 0)
	var cond *ir.Value
	for i, x := range set.Constraints {
		v, ok := expandAll(r, op, []*ir.AffineExpr{x}, set.Dims, op.Operands().Values())
		if !ok {
			return false
		}
		pred := arith.SGE
		if set.Eq[i] {
			pred = arith.EQ
		}
		holds := arith.NewCmpI(r.Builder, pred, v[0], zero)
		if cond == nil {
			cond = holds
		} else {
			cond = arith.New(r.Builder, arith.AndI, cond, holds)
		}
	}
	if cond == nil {
		cond = arith.ConstantBool(r.Builder, true)
	}
	s := r.State(scf.If)
	s.Operands, s.Types = []*ir.Value{cond}, op.Results().Types()
	then, els := s.AddRegion(), s.AddRegion()
	choice := r.Create(s)
	r.InlineRegionBefore(op.RegionAt(0), then, nil)
	r.InlineRegionBefore(op.RegionAt(1), els, nil)
	r.Replace(op, choice.Results().Values()...)
	return true
}
