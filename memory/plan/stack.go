package plan

import (
	"cmp"
	"container/heap"
	"math/bits"
	"slices"
)

// maxStacks limits how many sets of buffers are looked at for the bounds of all cliques.
const maxStacks = 300_000

// stacks looks for the order in which buffers end lowest that are in each other's way all, and so lie on top of each other: with alignments
// and pinned ones among them, not all orders end at the sum of the sizes.
//
// It is the dynamic program over sets (M. Held, R. Karp 1962): of the orders of a set, the one that ends lowest is as good as any for what lies above. Sets are
// looked at in the order of what they and the rest need at least (A*), so that what is next to be looked at is a bound at any time.
type stacks struct {
	*windows
	pins  []block
	known map[uint64]int64 // the lowest end of a set that was found
	top   uint64           // buffers with the largest alignment, if it is a multiple of all others
	next  stackQueue
}

// stack is a set of buffers that lie at the bottom.
type stack struct {
	rest uint64 // what lies above
	end  int64
	need int64 // the least that all needs
}

// stackBound returns what no plan can be below for what is in each other's way, at least bound; what was found until it looked at as many sets as are left.
func (s *windows) stackBound(bound int64, left *int64, stop func() bool) int64 {
	for _, c := range s.cliques {
		x := &stacks{windows: s, known: map[uint64]int64{}}
		var free uint64
		for w := c; w != 0; w &= w - 1 {
			if i := bits.TrailingZeros64(w); s.pin[i] < 0 {
				free |= 1 << i
			} else {
				x.pins = append(x.pins, block{s.pin[i], s.pin[i] + s.size[i]})
			}
		}
		slices.SortFunc(x.pins, func(a, b block) int { return cmp.Compare(a.offset, b.offset) })
		bound = max(bound, x.least(free, bound, left, stop))
	}
	return bound
}

// least returns what some buffers need, if that is more than enough; a number that isn't above it if no more sets may be looked at.
func (x *stacks) least(free uint64, enough int64, left *int64, stop func() bool) int64 {
	x.top = x.topmost(free)
	x.push(free, 0)
	for {
		s := heap.Pop(&x.next).(stack)
		if s.rest == 0 || s.need > enough && (*left < 0 || *left%256 == 0 && stop()) {
			return s.need
		}
		if *left < 0 {
			return enough
		}
		if s.end > x.known[s.rest] {
			continue // there is a lower one
		}
		*left--
		var buffer [maxWindows]placing
		for _, p := range x.lowest(s.rest, s.end, buffer[:0]) {
			x.push(s.rest&^(1<<p.buffer), p.at+x.size[p.buffer])
		}
	}
}

// push adds a set, given by what isn't in it, unless it is known to end lower.
func (x *stacks) push(rest uint64, end int64) {
	if known, ok := x.known[rest]; ok && known <= end {
		return
	}
	x.known[rest] = end
	need := end
	for w := rest; w != 0; w &= w - 1 {
		need += x.size[bits.TrailingZeros64(w)]
	}
	for _, b := range x.pins {
		need = max(need+max(b.end-max(b.offset, end), 0), b.end)
	}
	heap.Push(&x.next, stack{rest, end, need})
}

// placing is a buffer at a place.
type placing struct {
	buffer int
	at     int64
}

// topmost returns the buffers with the largest alignment, if it is a multiple of all others. Each with what lies between it and the next such buffer is a block; blocks can
// change places, but for the last one, since each takes a multiple of the alignment.
func (x *stacks) topmost(free uint64) (top uint64) {
	if len(x.pins) > 0 {
		return 0
	}
	largest := int64(1)
	for w := free; w != 0; w &= w - 1 {
		largest = max(largest, x.align[bits.TrailingZeros64(w)])
	}
	for w := free; w != 0; w &= w - 1 {
		switch i := bits.TrailingZeros64(w); {
		case x.align[i] == largest:
			top |= 1 << i
		case largest%x.align[i] != 0:
			return 0
		}
	}
	return top
}

// turn tells which of the buffers of [stacks.topmost] are next if they come in the order of their numbers, but for one that is left for the last.
func (x *stacks) turn(rest uint64) uint64 {
	left := rest & x.top
	first := left & -left
	second := left &^ first
	second &= -second
	switch {
	case second == 0:
		return first
	case x.top&^rest >= first: // a later one lies below, so that this is the one that is left for the last
		return second
	}
	return first | second
}

// lowest returns what can lie lowest of some buffers; of buffers that are alike, one.
func (x *stacks) lowest(rest uint64, from int64, out []placing) []placing {
	first := int64(never)
	next := x.turn(rest)
	for w := rest&^x.top | next; w != 0; w &= w - 1 {
		i := bits.TrailingZeros64(w)
		if next>>i&1 == 0 && slices.ContainsFunc(out, func(p placing) bool { return x.size[p.buffer] == x.size[i] && x.align[p.buffer] == x.align[i] }) {
			continue
		}
		at := lowestFrom(from, x.size[i], x.align[i], x.pins)
		if next>>i&1 == 0 {
			first = min(first, at+x.size[i])
		}
		out = append(out, placing{i, at})
	}
	return slices.DeleteFunc(out, func(p placing) bool { return p.at >= first })
}

// stackQueue has first what needs least, then what has the fewest buffers left.
type stackQueue []stack

func (q stackQueue) Len() int { return len(q) }
func (q stackQueue) Less(i, j int) bool {
	return q[i].need < q[j].need || q[i].need == q[j].need && bits.OnesCount64(q[i].rest) < bits.OnesCount64(q[j].rest)
}
func (q stackQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *stackQueue) Push(x any)   { *q = append(*q, x.(stack)) }
func (q *stackQueue) Pop() any {
	last := len(*q) - 1
	x := (*q)[last]
	*q = (*q)[:last]
	return x
}
