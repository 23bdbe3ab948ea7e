package analysis

import (
	"freehold/iface"
	"freehold/ir"
)

// Tensors returns the lifetimes of the tensors that operations of the function compute, each
// as a buffer of its own, in their order. What only passes tensors on, such as control flow
// and casts, computes none; own tells for other operations.
func (l *Lifetimes) Tensors(own func(v *ir.Value) bool) (out []Lifetime) {
	for i, op := range l.seq {
		if i > 0 && l.times[op].Lower != int64(2*i) || op == l.fn || passesOn(op) {
			continue
		}
		for _, v := range op.Results().Values() {
			if !ir.IsTensor(v.Type()) || !own(v) {
				continue
			}
			s := spanner{l: l}
			seen := map[*ir.Value]bool{v: true}
			for work := []*ir.Value{v}; len(work) > 0; {
				name := work[len(work)-1]
				work = work[:len(work)-1]
				s.value(name)
				for u := name.FirstUse(); u != nil; u = u.Next() {
					forEachPassed(u, func(to *ir.Value) {
						if !seen[to] {
							seen[to] = true
							work = append(work, to)
						}
					})
				}
			}
			out = append(out, Lifetime{Value: v, Spans: s.merged()})
		}
	}
	return out
}

// passesOn tells whether the results of an operation are values that it is given.
func passesOn(op *ir.Op) bool {
	return isRegionBranch(op) || iface.IsCast(op)
}

// forEachPassed calls fn for what a use passes its value on as.
func forEachPassed(u *ir.Use, fn func(to *ir.Value)) {
	op, i := u.Owner(), u.Index()
	pass := func(start, n int, s iface.RegionSuccessor) {
		if i >= start && i < start+n && i-start < len(s.Inputs) {
			fn(s.Inputs[i-start])
		}
	}
	if iface.IsCast(op) && op.NumResults() == 1 {
		fn(op.Result(0))
		return
	}
	if m, ok := iface.Branch.Of(op); ok {
		for s := range op.NumSuccessors() {
			if start, n, produced := m.SuccessorOperands(op, s); i >= start && i < start+n {
				fn(op.Successor(s).Arg(produced + i - start))
			}
		}
		return
	}
	if m, ok := iface.RegionBranch.Of(op); ok {
		for _, s := range m.Successors(op, iface.ParentPoint) {
			start, n := m.EntryOperands(op, iface.RegionPoint{Region: s.Region})
			pass(start, n, s)
		}
	}
	if iface.IsRegionTerminator(op) && op.Parent() != nil {
		if m, ok := iface.RegionBranch.Of(op.Parent()); ok {
			for _, s := range m.Successors(op.Parent(), iface.RegionPoint{Region: op.Region()}) {
				start, n := iface.TerminatorOperands(op, iface.RegionPoint{Region: s.Region})
				pass(start, n, s)
			}
		}
	}
}
