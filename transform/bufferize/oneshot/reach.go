package oneshot

import "math"

// reach is which part of the function's block the uses of a set of aliases are in, so that sets of which one is used after the other needn't be
// compared use by use.
type reach struct {
	known bool
	// Writes before from, or after to, conflict with no read of the set.
	from, to int32
	// first and last are the positions of its own writes.
	first, last int32
}

// nothing is the reach of a set without uses.
var nothing = reach{known: true, from: math.MaxInt32, to: math.MinInt32, first: math.MaxInt32, last: math.MinInt32}

// apart tells whether no read of the set conflicts with writes at positions from first to last, as [groups.apart] tells it of each.
func (r *reach) apart(first, last int32) bool {
	return first > last || first != noPosition && (r.from > last || r.to < first)
}

// read adds a read.
func (r *reach) read(s *span) { r.from, r.to = min(r.from, s.from), max(r.to, s.to) }

// write adds a write. One of which the position isn't known may be anywhere; then the first position is noPosition, which is the least one.
func (r *reach) write(at extent) { r.first, r.last = min(r.first, at.from), max(r.last, at.to) }

// reachOf returns the reach of a set of which the number of the root is given. It is found out once, in linear time.
func (g *groups) reachOf(root int32) *reach {
	x := &g.of[root]
	if !x.reach.known {
		x.reach = g.findReach(x)
	}
	return &x.reach
}

func (g *groups) findReach(x *group) reach {
	out := nothing
	for r := x.reads.first; r != 0; r = g.links[r-1].read {
		out.read(g.span(r))
	}
	for w := x.writes.first; w != 0; w = g.links[w-1].write {
		out.write(g.order.extentOf(g.plan.entries[w-1].use.Owner()))
	}
	return out
}

// joined returns the reach of two sets together, if that of one is known.
func (g *groups) joined(x, y *group) reach {
	if !x.reach.known && !y.reach.known {
		return reach{}
	}
	for _, s := range []*group{x, y} {
		if !s.reach.known {
			s.reach = g.findReach(s)
		}
	}
	a, b := x.reach, y.reach
	return reach{true, min(a.from, b.from), max(a.to, b.to), min(a.first, b.first), max(a.last, b.last)}
}
