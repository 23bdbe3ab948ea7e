package footprint

import (
	"cmp"
	"slices"

	"freehold/memory/plan"
)

// PlacedParts are parts of an arena, each with when it is alive, and with sums of which its size and its place are the largest. So is the size of the arena.
type PlacedParts struct {
	Buffers        []plan.Buffer
	Sizes, Offsets [][]Size
	Bytes          []Size
}

// PlacementProblem is what isn't known of the places of parts.
type PlacementProblem int

const (
	// AllApart is the problem of parts of which all is known.
	AllApart PlacementProblem = iota
	// MayOverlap is the problem of two parts that aren't seen to be apart while both are alive.
	MayOverlap
	// MayEndAfter is the problem of a part that isn't seen to end where the arena does, or before.
	MayEndAfter
)

// mostEnds limits the sums of which the end of a part is the largest. Where there would be more, a sum that is at least all that its size may be stands for these.
const mostEnds = 256

// ends returns where the parts end.
func (p PlacedParts) ends() [][]Size {
	ends := make([][]Size, len(p.Offsets))
	for i, offsets := range p.Offsets {
		sizes := p.Sizes[i]
		if len(offsets)*len(sizes) > mostEnds {
			sizes = []Size{atLeastAll(sizes)}
		}
		ends[i] = eachOf(offsets, sizes, Size.Plus)
	}
	return ends
}

// atLeastAll returns a sum that is at least as large as each of some.
func atLeastAll(sizes []Size) (most Size) {
	for _, s := range sizes {
		most = most.Max(s)
	}
	return most
}

// Check looks for two parts of which it isn't known that they are apart, whatever the sizes are, while both are alive, and for a part that may end after the
// arena. It takes the square of the number of parts that are alive together.
func (n *Numbers) Check(p PlacedParts) (x, y int, problem PlacementProblem) {
	ends := p.ends()
	type alive struct {
		plan.Interval
		part int
	}
	var all, now []alive
	for i, b := range p.Buffers {
		for _, l := range b.Live {
			all = append(all, alive{l, i})
		}
	}
	slices.SortFunc(all, func(x, y alive) int { return cmp.Compare(x.Lower, y.Lower) })
	for _, x := range all {
		now = slices.DeleteFunc(now, func(y alive) bool { return y.Upper <= x.Lower })
		for _, y := range now {
			if x.part != y.part && !n.allWithin(ends[x.part], p.Offsets[y.part]) && !n.allWithin(ends[y.part], p.Offsets[x.part]) {
				return x.part, y.part, MayOverlap
			}
		}
		now = append(now, x)
	}
	for i, end := range ends {
		if !n.allWithin(end, p.Bytes) {
			return i, i, MayEndAfter
		}
	}
	return 0, 0, AllApart
}

// allWithin tells whether the largest of some sums is at most the largest of others, whatever sizes are; false if that isn't seen.
func (n *Numbers) allWithin(sums, others []Size) bool {
	for _, y := range sums {
		if !slices.ContainsFunc(others, func(x Size) bool { return n.atLeast(x, y) }) {
			return false
		}
	}
	return true
}
