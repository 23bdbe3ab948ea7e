package prepare

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// SinkInsertions lets branches in op that hand on a slice of a tensor, where the slice is put back in its place afterwards, do
// that themselves: what computes another slice puts it there, and what hands on the slice as it was hands on the tensor. So
// nothing is moved where nothing changes, and what is new can be computed where it goes. It returns how many insertions sank.
// Linear time.
func SinkInsertions(op *ir.Op) (n int) {
	var work []*ir.Op
	op.Walk(func(op *ir.Op) bool {
		if interfaces.SubsetInsertion.Has(op) && op.NumResults() == 1 {
			work = append(work, op)
		}
		return true
	})
	b := ir.NewBuilder(op.Context())
	for len(work) > 0 {
		last := len(work) - 1
		insertion := work[last]
		work = work[:last]
		if ends := endsBefore(insertion); ends != nil {
			work = append(work, sink(b, insertion, ends)...)
			n++
		}
	}
	return n
}

// endsBefore returns the ends of the branches that hand on what an insertion puts into a tensor, if one of them hands on what is
// there anyway; else nil.
func endsBefore(insertion *ir.Op) (ends []*ir.Op) {
	m, _ := interfaces.SubsetInsertion.Of(insertion)
	source := m.Source(insertion).Value()
	branch := source.DefiningOp()
	if branch == nil || branch.Block() != insertion.Block() || !source.HasOneUse() {
		return nil
	}
	flow, ok := interfaces.RegionBranch.Of(branch)
	if !ok || interfaces.LoopLike.Has(branch) {
		return nil
	}
	for _, v := range insertion.Operands().Values() {
		if def := v.DefiningOp(); v != source && def != nil && def.Block() == branch.Block() && !def.IsBefore(branch) {
			return nil
		}
	}
	same := func(v, w *ir.Value) bool { return v == w }
	stays := false
	for _, r := range branch.Regions() {
		if r.NumBlocks() != 1 || r.Entry().NumArgs() > 0 {
			return nil
		}
		for _, next := range flow.Successors(branch, interfaces.RegionPoint{Region: r}) {
			if next.Region != nil {
				return nil
			}
		}
		end := r.Entry().Last()
		if end == nil || !interfaces.IsRegionTerminator(end) || end.NumOperands() != branch.NumResults() {
			return nil
		}
		ends = append(ends, end)
		stays = stays || m.EquivalentSubset(insertion, end.Operand(source.Index()), same)
	}
	if !stays {
		return nil
	}
	return ends
}

// sink moves an insertion to the ends of branches, and returns those that there are now.
func sink(b *ir.Builder, insertion *ir.Op, ends []*ir.Op) (made []*ir.Op) {
	m, _ := interfaces.SubsetInsertion.Of(insertion)
	source, into := m.Source(insertion), m.Destination(insertion).Value()
	handed := source.Value()
	same := func(v, w *ir.Value) bool { return v == w }
	for _, end := range ends {
		if v := end.Operand(handed.Index()); !m.EquivalentSubset(insertion, v, same) {
			b.SetBefore(end)
			mapping := ir.NewMapping()
			mapping.Map(handed, v)
			x := b.Clone(insertion, mapping)
			end.SetOperand(handed.Index(), x.Result(0))
			made = append(made, x)
		} else {
			end.SetOperand(handed.Index(), into)
		}
	}
	handed.SetType(into.Type())
	insertion.Result(0).ReplaceAllUsesWith(handed)
	insertion.Erase()
	return made
}
