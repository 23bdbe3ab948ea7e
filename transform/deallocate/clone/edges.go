package clone

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// edge is where a value is passed on: as operand number index of op, which goes to successor number successor; if that is
// -1, to regions, or out of one.
type edge struct {
	op               *ir.Op
	successor, index int
	// region is the one that op ends; nil if it is the operation around the regions.
	region *ir.Region
}

// edgesInto calls fn for each place where a block argument, or result of an operation with regions, gets its value.
func edgesInto(v *ir.Value, fn func(e edge)) error {
	op := v.DefiningOp()
	if op == nil {
		b := v.ArgOwner()
		for u := b.FirstPred(); u != nil; u = u.NextPred() {
			m, ok := interfaces.Branch.Of(u.Owner())
			if !ok {
				return u.Owner().PlainErrorf("terminators with successors that get buffers need to implement the BranchOpInterface")
			}
			start, n, produced := m.SuccessorOperands(u.Owner(), u.Index())
			i := v.Index() - produced
			if i < 0 || i >= n {
				return u.Owner().PlainErrorf("buffers that the terminator produces are not supported")
			}
			fn(edge{op: u.Owner(), successor: u.Index(), index: start + i})
		}
		if !b.IsEntry() {
			return nil
		}
		op = b.ParentOp()
	}
	m, ok := interfaces.RegionBranch.Of(op)
	if !ok {
		return nil
	}
	target := interfaces.ParentPoint
	if v.IsBlockArg() {
		target.Region = v.ParentRegion()
	}
	for _, r := range op.Regions() {
		for _, s := range m.Successors(op, interfaces.RegionPoint{Region: r}) {
			i := input(s, v)
			if s.Region != target.Region || i < 0 {
				continue
			}
			for b := range r.Blocks() {
				if t := b.Last(); t != nil && interfaces.IsRegionTerminator(t) {
					start, _ := interfaces.TerminatorOperands(t, target)
					fn(edge{op: t, successor: -1, index: start + i, region: r})
				}
			}
		}
	}
	for _, s := range m.Successors(op, interfaces.ParentPoint) {
		if i := input(s, v); s.Region == target.Region && i >= 0 {
			start, n := m.EntryOperands(op, target)
			if i < n {
				fn(edge{op: op, successor: -1, index: start + i})
			}
		}
	}
	return nil
}

// input returns the number of a value among those that a successor gets, or -1.
func input(s interfaces.RegionSuccessor, v *ir.Value) int {
	if len(s.Inputs) == 0 {
		return -1
	}
	if i := v.Index() - s.Inputs[0].Index(); i >= 0 && i < len(s.Inputs) && s.Inputs[i] == v {
		return i
	}
	return slices.Index(s.Inputs, v)
}

// others returns the values that get the same operand as v where control goes another way.
func (e edge) others(v *ir.Value) (list []*ir.Value) {
	if e.successor >= 0 {
		return nil
	}
	op, from := e.op, interfaces.ParentPoint
	if e.region != nil {
		op, from.Region = e.op.Parent(), e.region
	}
	m, _ := interfaces.RegionBranch.Of(op)
	for _, s := range m.Successors(op, from) {
		to := interfaces.RegionPoint{Region: s.Region}
		start, n := 0, 0
		if e.region != nil {
			start, n = interfaces.TerminatorOperands(e.op, to)
		} else {
			start, n = m.EntryOperands(op, to)
		}
		if i := e.index - start; i >= 0 && i < n && i < len(s.Inputs) && s.Inputs[i] != v {
			list = append(list, s.Inputs[i])
		}
	}
	return list
}
