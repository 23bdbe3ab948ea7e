package analysis

import (
	"freehold/iface"
	"freehold/ir"
)

// skippedFree returns the only operation that may free a buffer, and which some paths skip, so that it is never
// freed on these; nil if there is none, or the buffer has other names than views of it.
func (l *Lifetimes) skippedFree(v *ir.Value) *ir.Op {
	var free *ir.Op
	at := 0
	names := []*ir.Value{v}
	for k := 0; k < len(names) && k < mostHolders; k++ {
		for u := names[k].FirstUse(); u != nil; u = u.Next() {
			op := u.Owner()
			switch {
			case MayFree(op, u.Index()):
				if free != nil {
					return nil
				}
				free, at = op, u.Index()
			case op.Has(ir.TraitTerminator):
				return nil
			case anyMemRef(ir.TypesOf(op.Results().Values())):
				if m, ok := iface.ViewLike.Of(op); !ok || m(op) != names[k] {
					return nil
				}
				for _, r := range op.Results().Values() {
					if ir.IsMemRef(r.Type()) {
						names = append(names, r)
					}
				}
			}
		}
	}
	if free == nil || len(names) > mostHolders {
		return nil
	}
	if m, ok := iface.ConditionalFree.Of(free); ok {
		start, n := m(free)
		if i := at + n; i < free.NumOperands() && at >= start {
			if c, known := ir.ConstantInt(free.Operand(i)); !known || c == 0 {
				return free
			}
		}
	}
	from := v.ParentBlock()
	op := free
	for op.Region() != from.Region() {
		if mayBeSkipped(op.Region()) {
			return free
		}
		if op = op.Parent(); op == nil || op.Block() == nil {
			return nil
		}
	}
	if from.ParentOp() == l.fn && len(l.avoiding(from, op.Block())) > 0 {
		return free
	}
	return nil
}

// mayBeSkipped tells whether the operation around a region may be executed without the region.
func mayBeSkipped(r *ir.Region) bool {
	op := r.Op()
	if m, ok := iface.TripCount.Of(op); ok {
		n, known := m(op)
		return !known || n == 0
	}
	m, ok := iface.RegionBranch.Of(op)
	if !ok {
		return false
	}
	next := m.Successors(op, iface.RegionPoint{})
	return len(next) != 1 || next[0].Region != r
}

// avoiding returns the blocks on the ways from one to where the function ends, without another one; none if there
// are no such ways.
func (l *Lifetimes) avoiding(from, without *ir.Block) (out []*ir.Block) {
	if from == without {
		return nil
	}
	ends := false
	seen := map[*ir.Block]bool{from: true, without: true}
	out = append(out, from)
	for k := 0; k < len(out); k++ {
		next := out[k].Succs()
		ends = ends || len(next) == 0
		for _, b := range next {
			if !seen[b] {
				seen[b] = true
				out = append(out, b)
			}
		}
	}
	if !ends {
		return nil
	}
	return out
}

// addSkipped adds the times at which a buffer is alive on the paths that skip its only free.
func (s *spanner) addSkipped(v *ir.Value, free *ir.Op) {
	from := v.ParentBlock()
	op := free
	for op.Region() != from.Region() {
		region, parent := op.Region(), op.Parent()
		for _, r := range parent.Regions() {
			for b := range r.Blocks() {
				if r != region {
					s.add(s.l.blockStart(b), s.l.blockEnd(b))
				}
			}
		}
		if op = parent; op.Block() != from {
			_, end := s.l.Of(op)
			s.add(end, s.l.blockEnd(op.Block()))
		}
	}
	if op.Block() == from {
		_, end := s.l.Of(op)
		s.toEnd(from, end, false)
		return
	}
	for _, b := range s.l.avoiding(from, op.Block()) {
		start := s.l.blockStart(b)
		if b == from {
			start = s.l.defined(v)
		}
		s.add(start, s.l.blockEnd(b))
	}
	if op != free {
		_, end := s.l.Of(op)
		s.toEnd(op.Block(), end, false)
	}
}
