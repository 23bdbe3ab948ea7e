package analysis

import (
	"cmp"
	"slices"

	"freehold/ir"
)

// spanner collects times.
type spanner struct {
	l     *Lifetimes
	spans []Span
}

func (s *spanner) add(from, to int64) {
	if from < to {
		s.spans = append(s.spans, Span{from, to})
	}
}

// value adds when a value is live.
func (s *spanner) value(v *ir.Value) {
	var uses []*ir.Use
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if !s.l.toLastUse || !MayFree(u.Owner(), u.Index()) {
			uses = append(uses, u)
		}
	}
	start := s.l.defined(v)
	s.add(start, start+1)
	s.live(v.ParentBlock(), start, uses)
}

// live adds when a value is live that exists from a time on in a block, in the block's
// region.
func (s *spanner) live(def *ir.Block, start int64, uses []*ir.Use) {
	region := def.Region()
	if region.NumBlocks() == 1 {
		s.inBlock(def, start, uses)
		return
	}
	byBlock := map[*ir.Block][]*ir.Use{}
	var work []*ir.Block // those with uses, but for the first
	for _, u := range uses {
		b := region.AncestorIn(u.Owner()).Block()
		if byBlock[b] == nil && b != def {
			work = append(work, b)
		}
		byBlock[b] = append(byBlock[b], u)
	}
	if f := s.l.forward(region); f != nil {
		for _, b := range work {
			s.add(start, s.l.blockEnd(def))
			f.between(s, s.l.blockEnd(def), f.number[b])
			s.inBlock(b, s.l.blockStart(b), byBlock[b])
		}
		s.inBlock(def, start, byBlock[def])
		return
	}
	out := map[*ir.Block]bool{}
	in := map[*ir.Block]bool{}
	var order []*ir.Block
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if in[b] || b == def {
			continue
		}
		in[b] = true
		order = append(order, b)
		for u := b.FirstPred(); u != nil; u = u.NextPred() {
			p := u.Owner().Block()
			out[p] = true
			work = append(work, p)
		}
	}
	s.throughBlock(def, start, byBlock[def], out[def])
	for _, b := range order {
		s.throughBlock(b, s.l.blockStart(b), byBlock[b], out[b])
	}
}

func (s *spanner) throughBlock(b *ir.Block, start int64, uses []*ir.Use, out bool) {
	if out {
		s.add(start, s.l.blockEnd(b))
		return
	}
	s.inBlock(b, start, uses)
}

// inBlock adds when a value is live that exists from a time on in a block and is used there
// alone.
func (s *spanner) inBlock(b *ir.Block, start int64, uses []*ir.Use) {
	var last *ir.Op
	for _, u := range uses {
		if op := b.AncestorIn(u.Owner()); op != nil && (last == nil || last.IsBefore(op)) {
			last = op
		}
	}
	if last == nil {
		return
	}
	begin, end := s.l.Of(last)
	if last.NumRegions() == 0 {
		s.add(start, end+1)
		return
	}
	var inside []*ir.Use
	for _, u := range uses {
		if op := u.Owner(); op != last && b.AncestorIn(op) == last {
			inside = append(inside, u)
		}
	}
	// What control flow is given, it passes on when it begins.
	switch {
	case !isRegionBranch(last) || len(inside) > 0 && !s.l.entersOnce(last):
		s.add(start, end+1)
		return
	default:
		s.add(start, begin+1)
	}
	for _, r := range last.Regions() {
		var uses []*ir.Use
		for _, u := range inside {
			if r.AncestorIn(u.Owner()) != nil {
				uses = append(uses, u)
			}
		}
		if len(uses) > 0 {
			s.live(r.Entry(), s.l.blockStart(r.Entry()), uses)
		}
	}
}

// toEnd adds what comes after a time in a block, to the end of the function or of the
// scope in which allocations on the stack live.
func (s *spanner) toEnd(block *ir.Block, start int64, scoped bool) {
	for {
		region, op := block.Region(), block.ParentOp()
		if region.NumBlocks() == 1 {
			s.add(start, s.l.blockEnd(block))
		} else {
			s.add(start, s.l.blockEnd(block))
			s.spans = append(s.spans, s.l.reachIn(region).from(block)...)
		}
		if op == s.l.fn || op == nil || op.Block() == nil || scoped && op.Has(ir.TraitAutomaticAllocationScope) {
			return
		}
		begin, end := s.l.Of(op)
		if start = end; !s.l.entersOnce(op) {
			start = begin
		}
		s.add(start, end+1)
		block = op.Block()
	}
}

// hull returns the times from the first to the last.
func (s *spanner) hull() []Span {
	if len(s.spans) == 0 {
		return nil
	}
	out := s.spans[0]
	for _, x := range s.spans {
		out = out.hull(x)
	}
	return []Span{out}
}

// united returns the times of both, in order.
func united(x, y []Span) []Span {
	if len(x) == 0 {
		return y
	}
	out := make([]Span, 0, len(x)+len(y))
	for len(x)+len(y) > 0 {
		if len(x) == 0 || len(y) > 0 && y[0].Lower < x[0].Lower {
			x, y = y, x
		}
		if n := len(out); n > 0 && x[0].Lower <= out[n-1].Upper {
			out[n-1].Upper = max(out[n-1].Upper, x[0].Upper)
		} else {
			out = append(out, x[0])
		}
		x = x[1:]
	}
	return out
}

// merged returns the times in order.
func (s *spanner) merged() (out []Span) {
	slices.SortFunc(s.spans, func(x, y Span) int { return cmp.Compare(x.Lower, y.Lower) })
	for _, x := range s.spans {
		if n := len(out); n > 0 && x.Lower <= out[n-1].Upper {
			out[n-1].Upper = max(out[n-1].Upper, x.Upper)
			continue
		}
		out = append(out, x)
	}
	return out
}
