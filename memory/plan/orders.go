package plan

import (
	"math/bits"
)

// maxOrdered limits how many sets of buffers are looked at for the orders of a clique.
const maxOrdered = 1 << 14

// orders finds out what all orders, in which the buffers of a clique can lie on top of each other within their windows, have in common: between which places each
// buffer is, and of which pairs only one order is possible.
//
// It is a dynamic program over the sets that can lie at the bottom: the lowest place where each can end, and the highest where it may, since the
// rest has to fit above it. A step, a buffer on top of a set, is possible if these two leave room for it. As opposed to rules for pairs, and
// for what is first or last, it misses nothing that a clique alone says; with alignments, that is what is lost between buffers.
type orders struct {
	sets  []orderedSet
	slots []int32 // hash table of places in sets, plus one
	local []int   // the buffers, by their numbers in sets
	below []uint64
	low   []int64
	high  []int64
	under []uint64
}

// orderedSet is a set of buffers that can lie at the bottom.
type orderedSet struct {
	set     uint64
	end     int64 // the lowest that it can
	highest int64 // that it may end, or -1
	slot    int32 // in the hash table
}

// inOrder makes windows of what is in each other's way smaller by all orders of it. It is false if there are none.
func (s *windows) inOrder(x *windowState, clique uint64) bool {
	o := &s.orders
	o.start(s, x, clique)
	if !o.up(s, x) {
		return true // too many
	}
	if !o.down(s, x) {
		for _, i := range o.local {
			s.weight[i]++
		}
		return false
	}
	for k, i := range o.local {
		for l, j := range o.local {
			if l != k && o.under[k]>>l&1 == 0 && x.above[i]>>j&1 == 0 {
				x.above[i] |= 1 << j
				s.dirty |= 1<<i | 1<<j
			}
		}
		if !s.raise(x, i, o.low[k]) || !s.sink(x, i, o.high[k]) {
			return false
		}
	}
	return true
}

// start makes the tables empty.
func (o *orders) start(s *windows, x *windowState, clique uint64) {
	if o.slots == nil {
		o.slots = make([]int32, 4*maxOrdered)
	}
	for _, set := range o.sets {
		o.slots[set.slot] = 0
	}
	o.sets, o.local, o.below = o.sets[:0], o.local[:0], o.below[:0]
	for w := clique; w != 0; w &= w - 1 {
		o.local = append(o.local, bits.TrailingZeros64(w))
	}
	for _, i := range o.local {
		var below uint64
		for l, j := range o.local {
			below |= x.above[j] >> i & 1 << l
		}
		o.below = append(o.below, below)
	}
}

// slot returns where a set is in the hash table, or would be.
func (o *orders) slot(set uint64) int {
	k := int(mix(set) % uint64(len(o.slots)))
	for o.slots[k] != 0 && o.sets[o.slots[k]-1].set != set {
		if k++; k == len(o.slots) {
			k = 0
		}
	}
	return k
}

// add adds a set that isn't in the hash table.
func (o *orders) add(set uint64, end int64, slot int) {
	o.sets = append(o.sets, orderedSet{set, end, -1, int32(slot)})
	o.slots[slot] = int32(len(o.sets))
}

// up finds the sets, each after all that are part of it, and where they can end. It is false if there are too many.
func (o *orders) up(s *windows, x *windowState) bool {
	var rest int64
	for _, i := range o.local {
		rest += s.size[i]
	}
	all := uint64(1)<<len(o.local) - 1
	o.add(0, 0, o.slot(0))
	for k := 0; k < len(o.sets); k++ {
		from := o.sets[k]
		left := rest
		latest := int64(never)
		for w := from.set; w != 0; w &= w - 1 {
			left -= s.size[o.local[bits.TrailingZeros64(w)]]
		}
		for w := all &^ from.set; w != 0; w &= w - 1 {
			latest = min(latest, x.high[o.local[bits.TrailingZeros64(w)]])
		}
		if from.end > latest {
			continue
		}
		for w := all &^ from.set; w != 0; w &= w - 1 {
			l := bits.TrailingZeros64(w)
			if o.below[l]&^from.set != 0 {
				continue
			}
			i := o.local[l]
			at := s.lowestOn(x, i, from.end)
			if at > x.high[i] || at+left > s.capacity {
				continue
			}
			slot := o.slot(from.set | 1<<l)
			if o.slots[slot] == 0 {
				if len(o.sets) == maxOrdered {
					return false
				}
				o.add(from.set|1<<l, at+s.size[i], slot)
			} else if to := &o.sets[o.slots[slot]-1]; at+s.size[i] < to.end {
				to.end = at + s.size[i]
			}
		}
	}
	return true
}

// lowestOn returns the lowest place in its window that a buffer has above a number.
func (s *windows) lowestOn(x *windowState, i int, from int64) int64 {
	switch {
	case from <= x.low[i]:
		return x.low[i]
	case s.pin[i] >= 0:
		return never
	}
	return lowestFrom(from, s.size[i], s.align[i], s.pins[i])
}

// highestBelow returns the highest place in its window that a buffer has below a number.
func (s *windows) highestBelow(x *windowState, i int, to int64) int64 {
	switch {
	case to-s.size[i] >= x.high[i]:
		return x.high[i]
	case s.pin[i] >= 0:
		return -1
	}
	return highestTo(to-s.size[i], s.size[i], s.align[i], s.pins[i])
}

// down finds out how high sets may end, and what the steps that are possible have in common. It is false if there are none.
func (o *orders) down(s *windows, x *windowState) bool {
	n := len(o.local)
	o.low, o.high, o.under = o.low[:0], o.high[:0], o.under[:0]
	for range n {
		o.low, o.high, o.under = append(o.low, never), append(o.high, -1), append(o.under, 0)
	}
	all := uint64(1)<<n - 1
	if last := &o.sets[len(o.sets)-1]; last.set != all {
		return false
	}
	o.sets[len(o.sets)-1].highest = s.capacity
	for k := len(o.sets) - 2; k >= 0; k-- {
		from := &o.sets[k]
		for w := all &^ from.set; w != 0; w &= w - 1 {
			l := bits.TrailingZeros64(w)
			slot := o.slots[o.slot(from.set|1<<l)]
			if slot == 0 || o.below[l]&^from.set != 0 {
				continue
			}
			i := o.local[l]
			at := s.lowestOn(x, i, from.end)
			to := s.highestBelow(x, i, o.sets[slot-1].highest)
			if at > to {
				continue
			}
			from.highest = max(from.highest, to)
			o.low[l], o.high[l] = min(o.low[l], at), max(o.high[l], to)
			o.under[l] |= from.set
		}
	}
	return o.sets[0].highest >= 0
}
