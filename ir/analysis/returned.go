package analysis

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// alwaysReturned tells whether a buffer that appears in the function is returned on all paths that come to a return
// after it was made: it is handed on, from block to block and out of regions, by values that are nothing else.
func (h *holders) alwaysReturned(v *ir.Value) bool {
	r := &returning{h, v, map[heldBy]bool{}}
	return r.from(heldBy{v, v.ParentBlock()})
}

// heldBy is a value that is the buffer at the end of a block.
type heldBy struct {
	name  *ir.Value
	block *ir.Block
}

// returning follows one buffer.
type returning struct {
	*holders
	v *ir.Value
	// seen are what was asked for; paths that go on for ever return nothing.
	seen map[heldBy]bool
}

// is tells whether a value is certainly the buffer, if name is.
func (r *returning) is(x, name *ir.Value) bool {
	if !ir.IsMemRef(x.Type()) {
		return false
	}
	if i, j := r.b.numbers.Value(x), r.b.numbers.Value(name); min(i, j) >= 0 && max(i, j) < len(r.of) && r.root(int32(i)) == r.root(int32(j)) {
		return true
	}
	t, only := r.b.Only(x)
	return only && t == r.v
}

// from tells whether the buffer is returned on all paths from the end of a block on. Its steps are the
// blocks times the values that may be the buffer.
func (r *returning) from(at heldBy) bool {
	if r.seen[at] {
		return true
	}
	r.seen[at] = true
	t := at.block.Last()
	if t == nil {
		return true
	}
	if m, ok := interfaces.Branch.Of(t); ok {
		for i := range t.NumSuccessors() {
			s := t.Successor(i)
			start, n, produced := m.SuccessorOperands(t, i)
			passed := false
			for j := range n {
				if r.is(t.Operand(start+j), at.name) {
					passed = passed || r.from(heldBy{s.Arg(produced + j), s})
				}
			}
			if !passed && !r.from(heldBy{at.name, s}) {
				return false
			}
		}
		return true
	}
	if at.block.ParentOp() == r.l.fn {
		for _, x := range t.Operands().Values() {
			if r.is(x, at.name) {
				return true
			}
		}
		return t.NumSuccessors() == 0 && !interfaces.IsRegionTerminator(t) // never left
	}
	op := at.block.ParentOp()
	if !entersOnce(op) || !interfaces.IsRegionTerminator(t) {
		return false
	}
	m, _ := interfaces.RegionBranch.Of(op)
	for _, s := range m.Successors(op, interfaces.RegionPoint{Region: at.block.Region()}) {
		start, n := interfaces.TerminatorOperands(t, interfaces.RegionPoint{Region: s.Region})
		for j := range min(n, len(s.Inputs)) {
			if r.is(t.Operand(start+j), at.name) && r.from(heldBy{s.Inputs[j], op.Block()}) {
				return true
			}
		}
	}
	return false
}
