package plan

import (
	"fmt"
	"math"
	"slices"
)

// Bound is what no plan can be below, and why: what is alive at one time needs so much.
//
// All buffers that are alive at Time lie side by side. Those with an alignment that is a
// multiple of Granule start at multiples of it, so each but the topmost takes its size
// rounded up to a multiple of Granule. So the sum of the rounded sizes, less what the one
// that is rounded most is rounded by, is a bound; for Granule 1 it is the sum of all sizes.
type Bound struct {
	Bytes int64
	Time  int64
	// Granule is 1 or an alignment.
	Granule int64
	// Pinned is the place of a buffer that is pinned and ends at Bytes, which then is the
	// whole reason, or -1.
	Pinned int
}

// maxGranules limits the number of alignments that bounds are computed for.
const maxGranules = 64

// LowerBound returns the best bound that is known, in time n log n for n intervals and
// for each of the 64 largest alignments. The problem must be valid.
func LowerBound(p *Problem) Bound {
	return lowerBound(p, events(p, func(*Buffer) bool { return true }))
}

func lowerBound(p *Problem, evs []event) Bound {
	best := Bound{Granule: 1, Pinned: -1}
	granules := []int64{1}
	seen := map[int64]bool{0: true, 1: true}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if b.inUse() && !seen[b.Alignment] {
			seen[b.Alignment] = true
			granules = append(granules, b.Alignment)
		}
		if end := b.Offset + b.Size; b.Pinned && b.inUse() && end > best.Bytes {
			best = Bound{Bytes: end, Granule: 1, Pinned: i}
		}
	}
	slices.SortFunc(granules[1:], func(x, y int64) int { return int(min(max(y-x, -1), 1)) })
	for _, g := range granules[:min(len(granules), maxGranules+1)] {
		var sum, most, at int64
		for _, e := range evs {
			size, ok := roundTo(&p.Buffers[e.buffer], g)
			if !ok {
				continue
			}
			if !e.start {
				sum -= size
				continue
			}
			if size > math.MaxInt64-sum {
				break // larger than anything that can be counted
			}
			if sum += size; sum > most {
				most, at = sum, e.time
			}
		}
		b := Bound{Time: at, Granule: g, Pinned: -1}
		if b.Bytes = b.need(p); b.Bytes > best.Bytes {
			best = b
		}
	}
	return best
}

// roundTo returns the buffer's size rounded up to a multiple of g, if its alignment is one.
func roundTo(b *Buffer, g int64) (int64, bool) {
	if g == 1 {
		return b.Size, true
	}
	if b.Alignment%g != 0 || b.Alignment == 0 {
		return 0, false
	}
	return alignUp(b.Size, g), true
}

// alignUp returns the smallest multiple of a that isn't below x, or the largest int64.
func alignUp(x, a int64) int64 {
	if a <= 1 {
		return x
	}
	r := x % a
	switch {
	case r == 0:
		return x
	case x-r > math.MaxInt64-a:
		return math.MaxInt64
	}
	return x - r + a
}

// need returns how much what is alive at the bound's time needs, or 0 if that is more than
// int64 can hold.
func (c *Bound) need(p *Problem) int64 {
	var sum, saved int64
	for i := range p.Buffers {
		b := &p.Buffers[i]
		if b.Size == 0 || !b.aliveAt(c.Time) {
			continue
		}
		if size, ok := roundTo(b, c.Granule); ok {
			if size > math.MaxInt64-sum {
				return 0
			}
			sum += size
			saved = max(saved, size-b.Size)
		}
	}
	return sum - saved
}

func (b *Buffer) aliveAt(t int64) bool {
	for _, l := range b.Live {
		if l.Lower <= t && t < l.Upper {
			return true
		}
	}
	return false
}

// verify checks the bound, in linear time.
func (c *Bound) verify(p *Problem) error {
	if c.Pinned >= 0 {
		if c.Pinned >= len(p.Buffers) {
			return fmt.Errorf("the bound names buffer %d of %d", c.Pinned, len(p.Buffers))
		}
		if b := &p.Buffers[c.Pinned]; !b.Pinned || !b.inUse() || b.Offset+b.Size != c.Bytes {
			return fmt.Errorf("the bound %d is not the end of %s", c.Bytes, p.name(c.Pinned))
		}
		return nil
	}
	if c.Granule < 1 {
		return fmt.Errorf("the bound has granule %d", c.Granule)
	}
	if n := c.need(p); n != c.Bytes {
		return fmt.Errorf("what is alive at time %d needs %d, not %d", c.Time, n, c.Bytes)
	}
	return nil
}
