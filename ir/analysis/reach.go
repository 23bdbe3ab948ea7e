package analysis

import "freehold/ir"

// mostReached limits the spans of time that are kept of what control may get to from a block.
// Further ones are taken as one.
const mostReached = 256

// reachable knows when what is that control may get to from the ends of the blocks of a region.
type reachable struct {
	cycles *Cycles
	after  [][]Span // by the components of cycles
}

// reachIn returns what control may get to in a region of several blocks. It is computed once, in
// linear time but for the spans, of which there are few where blocks stand in the order of control.
func (l *Lifetimes) reachIn(region *ir.Region) *reachable {
	if r := l.reached[region]; r != nil {
		return r
	}
	r := &reachable{cycles: l.cyclesOf(region)}
	r.after = make([][]Span, len(r.cycles.cyclic))
	blocks := make([][]*ir.Block, len(r.after))
	for b := range region.Blocks() {
		k := r.cycles.of(b)
		blocks[k] = append(blocks[k], b)
	}
	// A component comes after those that it leads to.
	for k, members := range blocks {
		s := spanner{l: l}
		last := int32(-1)
		for _, b := range members {
			if r.cycles.cyclic[k] {
				s.add(l.blockStart(b), l.blockEnd(b))
			}
			t := b.Last()
			if t == nil {
				continue
			}
			for i := range t.NumSuccessors() {
				x := t.Successor(i)
				s.add(l.blockStart(x), l.blockEnd(x))
				if c := r.cycles.of(x); c >= 0 && c != int32(k) && c != last {
					s.spans = append(s.spans, r.after[c]...)
					last = c
				}
			}
		}
		spans := s.merged()
		if n := len(spans); n > mostReached {
			spans[mostReached-1].Upper = spans[n-1].Upper
			spans = spans[:mostReached]
		}
		r.after[k] = spans
	}
	if l.reached == nil {
		l.reached = map[*ir.Region]*reachable{}
	}
	l.reached[region] = r
	return r
}

// from returns the times of what control may get to from the end of a block.
func (r *reachable) from(b *ir.Block) []Span { return r.after[r.cycles.of(b)] }
