package plan

import (
	"math/bits"
	"slices"
)

// maxOrdered limits how many sets of buffers are looked at for the orders of a clique.
const maxOrdered = 1 << 13

// setsOfNode is how many sets take as long as a placing, which limits count.
const setsOfNode = 32

// orders finds out what all orders, in which the buffers of a clique can lie on top of each other within their windows, have in common: between which places each
// buffer is, and of which pairs only one order is possible.
//
// It is a dynamic program over the sets that can lie at the bottom: the lowest place where each can end, and the highest where it may, since the
// rest has to fit above it. A step, a buffer on top of a set, is possible if these two leave room for it. As opposed to rules for pairs, and
// for what is first or last, it misses nothing that a clique alone says; with alignments, that is what is lost between buffers.
type orders struct {
	sets    []orderedSet
	slots   []int32         // hash table of places in sets, plus one
	members []orderedMember // by where their windows end; sets have their places here
}

// orderedMember is a buffer of a clique.
type orderedMember struct {
	buffer          int
	size, low, high int64
	below           uint64 // what is decided to lie below it
	// What the orders have in common: the window, and what may lie below it.
	lowest, highest int64
	under           uint64
}

// orderedSet is a set of buffers that can lie at the bottom.
type orderedSet struct {
	set     uint64
	end     int64 // the lowest that it can
	left    int64 // the sizes of the rest
	highest int64 // that it may end, or -1
	slot    int32 // in the hash table
}

// inOrder makes windows of what is in each other's way smaller by all orders of a clique. It is false if there are none.
func (s *windows) inOrder(x *windowState, k int) bool {
	clique := s.cliques[k]
	decided := int32(0)
	for w := clique; w != 0; w &= w - 1 {
		decided += int32(bits.OnesCount64(x.above[bits.TrailingZeros64(w)] & clique))
	}
	if decided < x.patience[k] {
		return true
	}
	o := &s.orders
	o.start(s, x, clique)
	few := o.up(s)
	s.nodes += int64(len(o.sets) / setsOfNode)
	if !few {
		// There are too many, and about half as many with each pair.
		x.patience[k] = decided + int32(len(o.members)/2)
		return true
	}
	if !o.down(s) {
		for _, m := range o.members {
			s.weight[m.buffer]++
		}
		return false
	}
	for k, m := range o.members {
		for l := range o.members {
			if j := o.members[l].buffer; l != k && m.under>>l&1 == 0 && x.above[m.buffer]>>j&1 == 0 {
				x.above[m.buffer] |= 1 << j
				s.dirty |= 1<<m.buffer | 1<<j
			}
		}
		if !s.raise(x, m.buffer, m.lowest) || !s.sink(x, m.buffer, m.highest) {
			return false
		}
	}
	return true
}

// start makes the tables empty, but for the empty set.
func (o *orders) start(s *windows, x *windowState, clique uint64) {
	if o.slots == nil {
		o.slots = make([]int32, 4*maxOrdered)
	}
	for _, set := range o.sets {
		o.slots[set.slot] = 0
	}
	o.sets, o.members = o.sets[:0], o.members[:0]
	sum := int64(0)
	for w := clique; w != 0; w &= w - 1 {
		i := bits.TrailingZeros64(w)
		o.members = append(o.members, orderedMember{buffer: i, size: s.size[i], low: x.low[i], high: x.high[i], lowest: never, highest: -1})
		sum += s.size[i]
	}
	slices.SortFunc(o.members, func(a, b orderedMember) int {
		if a.high != b.high {
			return int(min(max(a.high-b.high, -1), 1))
		}
		return a.buffer - b.buffer
	})
	for k := range o.members {
		for l := range o.members {
			o.members[k].below |= x.above[o.members[l].buffer] >> o.members[k].buffer & 1 << l
		}
	}
	o.add(0, 0, sum, o.slot(0))
}

// slot returns where a set is in the hash table, or would be.
func (o *orders) slot(set uint64) int {
	mask := uint64(4*maxOrdered - 1)
	k := (set * 0x9e3779b97f4a7c15) >> 32 & mask
	for o.slots[k] != 0 && o.sets[o.slots[k]-1].set != set {
		k = (k + 1) & mask
	}
	return int(k)
}

// add adds a set that isn't in the hash table.
func (o *orders) add(set uint64, end, left int64, slot int) {
	o.sets = append(o.sets, orderedSet{set, end, left, -1, int32(slot)})
	o.slots[slot] = int32(len(o.sets))
}

// up finds the sets, each after all that are part of it, and where they can end. It is false if there are too many.
func (o *orders) up(s *windows) bool {
	all := uint64(1)<<len(o.members) - 1
	for k := 0; k < len(o.sets); k++ {
		from := o.sets[k]
		first := bits.TrailingZeros64(^from.set) // of the rest, what has to begin first
		if from.set == all || from.end > o.members[first].high {
			continue
		}
		for w := all &^ from.set; w != 0; w &= w - 1 {
			l := bits.TrailingZeros64(w)
			m := &o.members[l]
			if m.below&^from.set != 0 {
				continue
			}
			at := s.lowestOn(m, from.end)
			end := at + m.size
			if at > m.high || at > s.capacity-from.left || l != first && end > o.members[first].high {
				continue
			}
			slot := o.slot(from.set | 1<<l)
			if o.slots[slot] == 0 {
				if len(o.sets) == maxOrdered {
					return false
				}
				o.add(from.set|1<<l, end, from.left-m.size, slot)
			} else if to := &o.sets[o.slots[slot]-1]; end < to.end {
				to.end = end
			}
		}
	}
	return true
}

// lowestOn returns the lowest place in its window that a buffer has above a number.
func (s *windows) lowestOn(m *orderedMember, from int64) int64 {
	switch {
	case from <= m.low:
		return m.low
	case s.pin[m.buffer] >= 0:
		return never
	}
	return lowestFrom(from, m.size, s.align[m.buffer], s.pins[m.buffer])
}

// highestBelow returns the highest place in its window that a buffer has below a number.
func (s *windows) highestBelow(m *orderedMember, to int64) int64 {
	switch {
	case to-m.size >= m.high:
		return m.high
	case s.pin[m.buffer] >= 0:
		return -1
	}
	return highestTo(to-m.size, m.size, s.align[m.buffer], s.pins[m.buffer])
}

// down finds out how high sets may end, and what the steps that are possible have in common. It is false if there are none.
func (o *orders) down(s *windows) bool {
	all := uint64(1)<<len(o.members) - 1
	last := &o.sets[len(o.sets)-1]
	if last.set != all {
		return false
	}
	last.highest = s.capacity
	for k := len(o.sets) - 2; k >= 0; k-- {
		from := &o.sets[k]
		for w := all &^ from.set; w != 0; w &= w - 1 {
			l := bits.TrailingZeros64(w)
			m := &o.members[l]
			if m.below&^from.set != 0 {
				continue
			}
			slot := o.slots[o.slot(from.set|1<<l)]
			if slot == 0 || o.sets[slot-1].highest < from.end+m.size {
				continue
			}
			at := s.lowestOn(m, from.end)
			to := s.highestBelow(m, o.sets[slot-1].highest)
			if at > to {
				continue
			}
			from.highest = max(from.highest, to)
			m.lowest, m.highest = min(m.lowest, at), max(m.highest, to)
			m.under |= from.set
		}
	}
	return o.sets[0].highest >= 0
}
