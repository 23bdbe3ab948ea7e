package order

import (
	"cmp"
	"slices"

	"freehold/internal/bitset"
)

// ray is a state of a beam search.
type ray struct {
	state
	set   bitset.Set
	ready []int32
}

// trace is how a state of a beam search was reached.
type trace struct{ parent, item int32 }

// beam goes through the downsets of a graph level by level, and keeps some at each: those with the smallest peak, and of these the least
// alive. What has a peak of at most floor is as good as what has less; it returns an order whose peak is below a number, or nil.
func (r *reduced) beam(width int, floor, below int64, b *budget) (order []int32, peak int64) {
	n := len(r.items)
	names := names(n)
	first := ray{state: state{live: r.start, peak: r.start, parent: -1, item: -1}, set: bitset.New(n)}
	for i := range int32(n) {
		if len(r.before[i]) == 0 {
			first.ready = append(first.ready, i)
		}
	}
	level, traces := []ray{first}, make([][]trace, 0, n)
	for range n {
		next := r.beamLevel(level, names, floor, below, b)
		if len(next) == 0 {
			return nil, 0
		}
		slices.SortFunc(next, func(x, y state) int {
			return cmp.Or(cmp.Compare(max(x.peak, floor), max(y.peak, floor)), cmp.Compare(x.live, y.live), cmp.Compare(x.item, y.item), cmp.Compare(x.parent, y.parent))
		})
		var kept []ray
		var steps []trace
		seen := make(map[hash]bool, width)
		for _, x := range next {
			if seen[x.name] {
				continue
			}
			seen[x.name] = true
			kept, steps = append(kept, r.step(&level[x.parent], x)), append(steps, trace{x.parent, x.item})
			if len(kept) == width {
				break
			}
		}
		level, traces = kept, append(traces, steps)
	}
	order = make([]int32, n)
	at := int32(0)
	for i := n - 1; i >= 0; i-- {
		order[i] = traces[i][at].item
		at = traces[i][at].parent
	}
	return order, level[0].peak
}

// beamLevel returns what can come after the states of a level; nil if the budget is used up.
func (r *reduced) beamLevel(level []ray, names []hash, floor, below int64, b *budget) (next []state) {
	for k := range level {
		x := &level[k]
		from := len(next)
		for _, i := range x.ready {
			if !b.spend() {
				return nil
			}
			peak, live := r.do(i, x.live, func(j int32) bool { return x.set.Has(int(j)) })
			if peak >= below {
				continue
			}
			y := state{x.name.xor(names[i]), live, max(x.peak, peak), int32(k), i, x.count + 1}
			if peak <= max(x.peak, floor) && live <= x.live {
				// Doing it at once is as good as anything.
				next = append(next[:from], y)
				break
			}
			next = append(next, y)
		}
	}
	return next
}

// step returns a state with what follows from it.
func (r *reduced) step(from *ray, x state) ray {
	out := ray{state: x, set: slices.Clone(from.set), ready: make([]int32, 0, len(from.ready)+2)}
	out.set.Add(int(x.item))
	for _, i := range from.ready {
		if i != x.item {
			out.ready = append(out.ready, i)
		}
	}
	for _, i := range r.after[x.item] {
		if !slices.ContainsFunc(r.before[i], func(p int32) bool { return !out.set.Has(int(p)) }) {
			out.ready = append(out.ready, i)
		}
	}
	return out
}
