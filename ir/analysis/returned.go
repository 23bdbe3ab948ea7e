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

// returnedBy is what a return gives to the caller: what is a view of these nodes, or certainly one of these buffers.
type returnedBy struct {
	roots   map[int32]bool
	buffers map[*ir.Value]bool
}

// returnedBy returns what an operation at the end of the function has as operands.
func (h *holders) returnedBy(t *ir.Op) *returnedBy {
	if known := h.ends[t]; known != nil {
		return known
	}
	out := &returnedBy{map[int32]bool{}, map[*ir.Value]bool{}}
	for _, x := range t.Operands().Values() {
		if !ir.IsMemRef(x.Type()) {
			continue
		}
		if i := h.b.numbers.Value(x); i >= 0 && i < len(h.of) {
			out.roots[h.root(int32(i))] = true
		}
		if b, only := h.b.Only(x); only {
			out.buffers[b] = true
		}
	}
	if h.ends == nil {
		h.ends = map[*ir.Op]*returnedBy{}
	}
	h.ends[t] = out
	return out
}

// returns tells whether an operation at the end of the function certainly has the buffer as an operand, if name is it.
func (r *returning) returns(t *ir.Op, name *ir.Value) bool {
	by := r.returnedBy(t)
	if i := r.b.numbers.Value(name); i >= 0 && i < len(r.of) && by.roots[r.root(int32(i))] {
		return true
	}
	return by.buffers[r.v]
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
		return r.returns(t, at.name) || t.NumSuccessors() == 0 && !interfaces.IsRegionTerminator(t) // never left
	}
	op := at.block.ParentOp()
	if !r.l.entersOnce(op) || !interfaces.IsRegionTerminator(t) {
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
