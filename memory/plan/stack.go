package plan

import (
	"cmp"
	"math/bits"
	"slices"
)

// stackTries limits how many placings are tried for the bounds of all cliques.
const stackTries = 1_000_000

// stacks looks for orders in which buffers lie that are in each other's way all, and so on top of each other: with alignments and pinned ones among them, not all orders
// end at the sum of the sizes.
type stacks struct {
	*windows
	pins     []block
	capacity int64
	short    int64 // by how much the capacity has to be larger for any other outcome
	// bad is from where on a set doesn't fit below the capacity, good up to where it does.
	bad, good map[uint64]int64
	tries     *int64
}

// stackBound returns what no plan can be below for what is in each other's way, at least bound; if the tries are used up, what was
// found out until then.
func (s *windows) stackBound(bound int64, tries *int64, stop func() bool) int64 {
	for _, c := range s.cliques {
		x := &stacks{windows: s, tries: tries}
		var free uint64
		for w := c; w != 0; w &= w - 1 {
			if i := bits.TrailingZeros64(w); s.pin[i] < 0 {
				free |= 1 << i
			} else {
				x.pins = append(x.pins, block{s.pin[i], s.pin[i] + s.size[i]})
			}
		}
		slices.SortFunc(x.pins, func(a, b block) int { return cmp.Compare(a.offset, b.offset) })
		for !stop() {
			x.capacity, x.short, x.bad, x.good = bound, never, map[uint64]int64{}, map[uint64]int64{}
			if x.fit(free, 0) || *tries < 0 || x.short == never {
				break
			}
			bound += x.short
		}
	}
	return bound
}

// fit tells whether buffers fit below the capacity from a place on, in some order. It is true if the tries are used up.
func (x *stacks) fit(rest uint64, from int64) bool {
	if rest == 0 {
		return true
	}
	if bad, known := x.bad[rest]; known && from >= bad {
		return false
	}
	if good, known := x.good[rest]; known && from <= good {
		return true
	}
	need := from
	for w := rest; w != 0; w &= w - 1 {
		need += x.size[bits.TrailingZeros64(w)]
	}
	for _, b := range x.pins {
		need += max(b.end-max(b.offset, from), 0)
	}
	if need > x.capacity {
		x.short = min(x.short, need-x.capacity)
		x.bad[rest] = from
		return false
	}
	if *x.tries--; *x.tries < 0 {
		return true
	}
	var buffer [maxWindows]placing
	for _, p := range x.lowest(rest, from, buffer[:0]) {
		if x.fit(rest&^(1<<p.buffer), p.at+x.size[p.buffer]) {
			x.good[rest] = from
			return true
		}
	}
	x.bad[rest] = from
	return false
}

// placing is a buffer at a place.
type placing struct {
	buffer int
	at     int64
}

// lowest returns what can lie lowest of some buffers, what wastes least first; of buffers that are alike, one.
func (x *stacks) lowest(rest uint64, from int64, out []placing) []placing {
	first := int64(never)
	for w := rest; w != 0; w &= w - 1 {
		i := bits.TrailingZeros64(w)
		if slices.ContainsFunc(out, func(p placing) bool { return x.size[p.buffer] == x.size[i] && x.align[p.buffer] == x.align[i] }) {
			continue
		}
		at := lowestFrom(from, x.size[i], x.align[i], x.pins)
		first = min(first, at+x.size[i])
		out = append(out, placing{i, at})
	}
	out = slices.DeleteFunc(out, func(p placing) bool { return p.at >= first })
	slices.SortFunc(out, func(p, q placing) int {
		return cmp.Or(cmp.Compare(p.at, q.at), cmp.Compare(x.align[q.buffer], x.align[p.buffer]), cmp.Compare(x.size[q.buffer], x.size[p.buffer]))
	})
	return out
}
