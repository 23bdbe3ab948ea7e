package hlo

import (
	"cmp"
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
)

// simplifyLoops makes deallocations of the results of loops in the function's block deallocations of
// their operands, where the loops do nothing but permute the buffers. Near-linear.
func (r *reuser) simplifyLoops() bool {
	if r.fn.RegionAt(0).NumBlocks() != 1 {
		return false
	}
	number(r.fn)
	defer unnumber(r.fn)
	body := r.fn.BodyBlock(0)
	p := permutations{sets: map[*ir.Value]*permuted{}}
	r.fn.Walk(func(op *ir.Op) bool {
		if m, ok := interfaces.RegionBranch.Of(op); ok {
			interfaces.ForEachRegionEdge(op, m, p.edge)
		}
		return true
	})
	changed := false
	for op := body.First(); op != nil; op = op.Next() {
		if !interfaces.RegionBranch.Has(op) {
			continue
		}
		done := map[*permuted]bool{}
		for _, v := range memrefs(op.Results().Values()) {
			s := p.of(v) // results of reductions are passed along no edge
			if done[s] {
				continue
			}
			done[s] = true
			changed = r.freeOperands(op, s) || changed
		}
	}
	return changed
}

// permutations are classes of the buffers that are passed along edges of control flow, as a union-find structure.
type permutations struct{ sets map[*ir.Value]*permuted }

// permuted is a class: its values in the order in which they joined.
type permuted struct {
	parent *permuted
	values []*ir.Value
}

func (s *permuted) root() *permuted {
	for s.parent != nil {
		if s.parent.parent != nil {
			s.parent = s.parent.parent
		}
		s = s.parent
	}
	return s
}

func (p *permutations) of(v *ir.Value) *permuted {
	s := p.sets[v]
	if s == nil {
		s = &permuted{values: []*ir.Value{v}}
		p.sets[v] = s
	}
	return s.root()
}

// edge joins what is passed along an edge with what receives it.
func (p *permutations) edge(operands ir.Operands, inputs []*ir.Value) {
	for i := range min(len(operands), len(inputs)) {
		if !isMemRef(inputs[i]) {
			continue
		}
		s, t := p.of(operands.At(i)), p.of(inputs[i])
		if s == t {
			continue
		}
		t.parent = s
		s.values = append(s.values, t.values...)
		t.values = nil
	}
}

// freeOperands makes the deallocations of a class those of the operands of the loop that permutes it, and tells
// whether that is possible. What is freed is all operands then, as no buffer is freed twice.
func (r *reuser) freeOperands(loop *ir.Op, s *permuted) bool {
	var operands []*ir.Value
	var deallocs []*ir.Op
	for _, v := range s.values {
		switch {
		case v.DefiningOp() == loop:
			if !v.HasUses() {
				continue
			}
			d := deallocIn(v, loop.Block())
			if d == nil || !v.HasOneUse() {
				return false
			}
			deallocs = append(deallocs, d)
		case v.IsBlockArg() && v.ArgOwner().ParentOp() == loop:
		case isOperand(v, loop):
			operands = append(operands, v)
		default:
			return false
		}
	}
	if len(deallocs) == 0 || len(operands) != len(deallocs) || usedAfterFirst(operands, deallocs) {
		return false
	}
	slices.SortFunc(operands, func(a, b *ir.Value) int { return cmp.Compare(placeOf(a), placeOf(b)) })
	for i, d := range deallocs {
		d.SetOperand(0, operands[i])
		r.LoopDeallocs.Add(1)
	}
	return true
}

func isOperand(v *ir.Value, op *ir.Op) bool {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if u.Owner() == op {
			return true
		}
	}
	return false
}

// usedAfterFirst tells whether one of the buffers is used after the first of the deallocations: the buffer that is
// freed there is another one then.
func usedAfterFirst(buffers []*ir.Value, deallocs []*ir.Op) bool {
	first := slices.MinFunc(deallocs, func(a, b *ir.Op) int {
		if a.IsBefore(b) {
			return -1
		}
		return 1
	})
	for _, v := range buffers {
		for _, u := range transitiveUsers(v) {
			at := first.Block().AncestorIn(u)
			if at == nil || first.IsBefore(at) && !slices.Contains(deallocs, at) {
				return true
			}
		}
	}
	return false
}
