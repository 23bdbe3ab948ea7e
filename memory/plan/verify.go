package plan

import (
	"fmt"
	"math"
	"math/bits"
)

// OverlapError says that two buffers share memory while both are alive.
type OverlapError struct {
	// First and Second are their places in the problem.
	First, Second int
	// Time is a time at which both are alive.
	Time int64
	text string
}

func (e *OverlapError) Error() string { return e.text }

// Verify checks a solution, in time n log n for n intervals: offsets are multiples of
// their alignments and what they are pinned to, no two buffers that are alive at the same
// time overlap, the peak is as stated and not above the capacity, the bound holds, and
// the lower bound is no higher, unless a search proved it, which Verify takes on trust.
// It shares nothing with the solver but how a problem is read. Overlaps are
// of type [*OverlapError], what else is wrong with a buffer of type [*BufferError].
func Verify(p *Problem, s *Solution) error {
	evs, err := p.validate()
	if err != nil {
		return err
	}
	if len(s.Offsets) != len(p.Buffers) {
		return fmt.Errorf("%d offsets for %d buffers", len(s.Offsets), len(p.Buffers))
	}
	var peak int64
	for i := range p.Buffers {
		b, o := &p.Buffers[i], s.Offsets[i]
		fail := func(format string, args ...any) error {
			return &BufferError{i, b.ID, fmt.Sprintf(format, args...)}
		}
		switch {
		case o < 0:
			return fail("the offset %d is below zero", o)
		case o%max(b.Alignment, 1) != 0:
			return fail("the offset %d is no multiple of the alignment %d", o, b.Alignment)
		case b.Pinned && o != b.Offset:
			return fail("it is at offset %d, but pinned to %d", o, b.Offset)
		case o > math.MaxInt64-b.Size:
			return fail("the offset %d and the size %d add up to more than %d", o, b.Size, int64(math.MaxInt64))
		case !b.inUse():
			continue
		case p.Capacity > 0 && o+b.Size > p.Capacity:
			return fail("it ends at %d, above the capacity %d", o+b.Size, p.Capacity)
		}
		peak = max(peak, o+b.Size)
	}
	if c := findOverlap(p, s.Offsets, evs); c != nil {
		a, b := &p.Buffers[c.a], &p.Buffers[c.b]
		return &OverlapError{c.a, c.b, c.time, fmt.Sprintf("%s at [%d, %d) and %s at [%d, %d) are both alive at time %d",
			p.name(c.a), s.Offsets[c.a], s.Offsets[c.a]+a.Size, p.name(c.b), s.Offsets[c.b], s.Offsets[c.b]+b.Size, c.time)}
	}
	if s.Peak != peak {
		return fmt.Errorf("the peak is %d, not %d", peak, s.Peak)
	}
	if err := s.Bound.verify(p); err != nil {
		return err
	}
	if s.LowerBound < s.Bound.Bytes || s.LowerBound > s.Bound.Bytes && !s.Searched {
		return fmt.Errorf("the lower bound is %d, not %d", s.Bound.Bytes, s.LowerBound)
	}
	if s.Peak < s.LowerBound {
		return fmt.Errorf("the peak %d is below the lower bound %d", s.Peak, s.LowerBound)
	}
	return nil
}

// overlap is two buffers in each other's way.
type overlap struct {
	a, b int
	time int64
}

// findOverlap looks for two buffers of the events that overlap while both are alive.
// It goes through the times; those that are alive are sorted by their offset, where only neighbours
// can be the first to overlap.
func findOverlap(p *Problem, offsets []int64, evs []event) *overlap {
	order := make([]int32, len(p.Buffers))
	for i := range order {
		order[i] = int32(i)
	}
	order = sortByNumber(order, func(i int32) int64 { return offsets[i] })
	rank := make([]int32, len(order))
	for r, i := range order {
		rank[i] = int32(r)
	}
	alive := newRankSet(len(order))
	for _, e := range evs {
		i := int(e.buffer)
		r := int(rank[i])
		if !e.start {
			alive.remove(r)
			continue
		}
		if below := alive.below(r); below >= 0 {
			if j := int(order[below]); offsets[j]+p.Buffers[j].Size > offsets[i] {
				return &overlap{j, i, e.time}
			}
		}
		if above := alive.above(r); above >= 0 {
			if j := int(order[above]); offsets[i]+p.Buffers[i].Size > offsets[j] {
				return &overlap{j, i, e.time}
			}
		}
		alive.add(r)
	}
	return nil
}

// rankSet is a set of small numbers that knows neighbours: a tree whose nodes are words
// of 64 bits, one for each child that isn't empty. Everything takes log64 n.
type rankSet struct{ levels [][]uint64 }

func newRankSet(n int) *rankSet {
	s := &rankSet{}
	for {
		n = (n + 63) / 64
		s.levels = append(s.levels, make([]uint64, max(n, 1)))
		if n <= 1 {
			return s
		}
	}
}

func (s *rankSet) add(i int) {
	for _, l := range s.levels {
		l[i/64] |= 1 << (i % 64)
		i /= 64
	}
}

func (s *rankSet) remove(i int) {
	for _, l := range s.levels {
		l[i/64] &^= 1 << (i % 64)
		if l[i/64] != 0 {
			return
		}
		i /= 64
	}
}

// below returns the largest element below i, or -1.
func (s *rankSet) below(i int) int {
	for k, l := range s.levels {
		if w := l[i/64] & (1<<(i%64) - 1); w != 0 {
			i = i&^63 + 63 - bits.LeadingZeros64(w)
			for k > 0 {
				k--
				i = i*64 + 63 - bits.LeadingZeros64(s.levels[k][i])
			}
			return i
		}
		i /= 64
	}
	return -1
}

// above returns the smallest element above i, or -1.
func (s *rankSet) above(i int) int {
	for k, l := range s.levels {
		if w := l[i/64] &^ (1<<(i%64) | (1<<(i%64) - 1)); w != 0 {
			i = i&^63 + bits.TrailingZeros64(w)
			for k > 0 {
				k--
				i = i*64 + bits.TrailingZeros64(s.levels[k][i])
			}
			return i
		}
		i /= 64
	}
	return -1
}
