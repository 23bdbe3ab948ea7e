package analysis

import "freehold/ir"

// forwardRegion knows how control comes to the blocks of a region in which it only goes forward in the text, and to each of them.
type forwardRegion struct {
	number map[*ir.Block]int
	blocks []*ir.Block
	// before is, by block, all that may be executed between the entry and the block, but for itself.
	before []*pathSpan
}

// pathSpan is a span of times of whole blocks, with those that are before it. Lists have parts in common.
type pathSpan struct {
	Span
	rest *pathSpan
}

// forward returns what is known about a region if control only goes forward in it; nil otherwise. It is found once, in
// near linear time where what joins again is close together in the text.
func (l *Lifetimes) forward(region *ir.Region) *forwardRegion {
	f, known := l.forwards[region]
	if known {
		return f
	}
	f = &forwardRegion{number: map[*ir.Block]int{}}
	if !f.find(l, region) {
		f = nil
	}
	if l.forwards == nil {
		l.forwards = map[*ir.Region]*forwardRegion{}
	}
	l.forwards[region] = f
	return f
}

func (f *forwardRegion) find(l *Lifetimes, region *ir.Region) bool {
	for b := range region.Blocks() {
		f.number[b] = len(f.blocks)
		f.blocks = append(f.blocks, b)
	}
	dominators := make([]int, len(f.blocks)) // the immediate ones
	f.before = make([]*pathSpan, len(f.blocks))
	for i, b := range f.blocks {
		if i == 0 {
			if b.FirstPred() != nil {
				return false
			}
			continue
		}
		d := -1
		for u := b.FirstPred(); u != nil; u = u.NextPred() {
			p, ok := f.number[u.Owner().Block()]
			if !ok || p >= i {
				return false
			}
			for d >= 0 && p != d {
				if p > d {
					p = dominators[p]
				} else {
					d = dominators[d]
				}
			}
			d = p
		}
		if d < 0 {
			return false // control never comes there
		}
		dominators[i] = d
		// What is on a way to a predecessor, after the dominator, and the predecessor itself.
		at := f.blocks[d]
		s := spanner{l: l}
		s.add(l.blockStart(at), l.blockEnd(at))
		for u := b.FirstPred(); u != nil; u = u.NextPred() {
			p := u.Owner().Block()
			if p != at {
				s.add(l.blockStart(p), l.blockEnd(p))
				f.between(&s, l.blockEnd(at), f.number[p])
			}
		}
		list := f.before[d]
		for _, x := range s.merged() {
			if list != nil && list.Upper >= x.Lower {
				x.Lower, list = list.Lower, list.rest
			}
			list = &pathSpan{x, list}
		}
		f.before[i] = list
	}
	return true
}

// between adds the times, from one on, that may be before a block.
func (f *forwardRegion) between(s *spanner, from int64, block int) {
	for x := f.before[block]; x != nil && x.Upper > from; x = x.rest {
		s.add(max(x.Lower, from), x.Upper)
	}
}
