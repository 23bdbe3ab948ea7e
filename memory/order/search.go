package order

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"freehold/internal/bitset"
)

// mostForSearch limits the number of items of a graph whose downsets are searched.
const mostForSearch = 512

// hash is the name of a set of items.
type hash struct{ a, b uint64 }

func (h hash) xor(o hash) hash { return hash{h.a ^ o.a, h.b ^ o.b} }

// state is a set of items that are done, and how it was reached.
type state struct {
	name       hash
	live, peak int64
	parent     int32
	item       int32 // the one that was done last
	count      int32
}

// search goes through the downsets of a graph.
type search struct {
	*reduced
	// floor is what the peak need not be below; what is no larger is as good.
	floor int64
	// below is what the peak must be below.
	below  int64
	budget *budget
	names  []hash
	words  int
	states []state
	sets   []uint64
	// stacks are the states that are to be looked at, by peak; peaks are these, in order.
	peaks  []int64
	stacks [][]int32
	seen   map[hash]int64
	all    []next // scratch
}

// next is an item that can be done next, with what is alive while it is, and after it.
type next struct {
	item       int32
	peak, live int64
}

// outcome is what a search found.
type outcome struct {
	order []int32
	// peak is that of the order, if there is one.
	peak int64
	// bound is what no order is below, as far as it is below what was asked for.
	bound int64
}

// optimum searches for the order with the smallest peak, if that is below a number, among those that may have a peak up to floor for nothing. It gives
// up when the budget is used up.
func (r *reduced) optimum(floor, below int64, b *budget) outcome {
	n := len(r.items)
	s := &search{reduced: r, floor: floor, below: below, budget: b, words: (n + 63) / 64, seen: map[hash]int64{}, names: names(n)}
	s.add(state{live: r.start, peak: r.start, parent: -1, item: -1}, nil)
	bound := floor
	for k := s.pop(); k >= 0; k = s.pop() {
		x := s.states[k]
		if s.seen[x.name] < x.peak {
			continue
		}
		bound = max(bound, x.peak)
		if int(x.count) == n {
			return outcome{s.orderTo(k), x.peak, bound}
		}
		if !s.expand(k) {
			return outcome{bound: bound}
		}
	}
	return outcome{bound: below}
}

// names returns a name for each item; sets are named by the sum of those of their members.
func names(n int) []hash {
	rng := rand.New(rand.NewPCG(3, 4))
	out := make([]hash, n)
	for i := range out {
		out[i] = hash{rng.Uint64(), rng.Uint64()}
	}
	return out
}

// setOf returns the set of a state.
func (s *search) setOf(k int32) bitset.Set {
	return bitset.Set(s.sets[int(k)*s.words : (int(k)+1)*s.words])
}

// orderTo returns the items in the order in which a state was reached.
func (s *search) orderTo(k int32) []int32 {
	out := make([]int32, s.states[k].count)
	for i := len(out) - 1; i >= 0; i-- {
		out[i] = s.states[k].item
		k = s.states[k].parent
	}
	return out
}

// note makes a state without putting it where it is taken from.
func (s *search) note(x state, set bitset.Set) int32 {
	k := int32(len(s.states))
	s.states = append(s.states, x)
	if set == nil {
		set = bitset.New(len(s.items))
	}
	s.sets = append(s.sets, set...)
	if x.item >= 0 {
		s.setOf(k).Add(int(x.item))
	}
	return k
}

// add makes a state that is to be looked at, unless one with the same set and no larger peak was.
func (s *search) add(x state, set bitset.Set) {
	if best, known := s.seen[x.name]; known && best <= x.peak {
		return
	}
	s.seen[x.name] = x.peak
	s.push(s.note(x, set))
}

// expand adds what can be done next: only one item, or a chain of them, if doing it at once is as good as anything. It is false if the
// budget is used up.
func (s *search) expand(k int32) bool {
	x, set := s.states[k], s.setOf(k)
	level := max(x.peak, s.floor)
	done := func(i int32) bool { return set.Has(int(i)) }
	all := s.all[:0]
	for i := range int32(len(s.items)) {
		if set.Has(int(i)) || !s.ready(i, set) {
			continue
		}
		if !s.budget.spend() {
			return false
		}
		peak, live := s.do(i, x.live, done)
		if peak <= level && live <= x.live {
			s.add(state{x.name.xor(s.names[i]), live, max(x.peak, peak), k, i, x.count + 1}, set)
			return true
		}
		if peak < s.below {
			all = append(all, next{i, peak, live})
		}
	}
	tries := 64
	for _, n := range all {
		if n.peak <= level {
			if chain := s.chain(n.item, n.live, x.live, level, append(bitset.Set{}, set...), &tries); chain != nil {
				s.follow(k, append([]int32{n.item}, chain...))
				return true
			}
		}
	}
	// What leaves the least behind is to be looked at first.
	slices.SortFunc(all, func(x, y next) int { return cmp.Or(cmp.Compare(y.live, x.live), cmp.Compare(y.item, x.item)) })
	s.all = all
	for _, n := range all {
		s.add(state{x.name.xor(s.names[n.item]), n.live, max(x.peak, n.peak), k, n.item, x.count + 1}, s.setOf(k))
	}
	return true
}

// ready tells whether all that an item needs is done.
func (s *search) ready(i int32, set bitset.Set) bool {
	for _, p := range s.before[i] {
		if !set.Has(int(p)) {
			return false
		}
	}
	return true
}

// chain looks for items after one, each of which needs the one before, that stay within a level and leave no more than target behind. The items before are in
// set, and are taken out again.
func (s *search) chain(last int32, live, target, level int64, set bitset.Set, tries *int) []int32 {
	set.Add(int(last))
	for _, i := range s.after[last] {
		if *tries == 0 {
			break
		}
		if !s.ready(i, set) {
			continue
		}
		*tries--
		peak, after := s.do(i, live, func(j int32) bool { return set.Has(int(j)) })
		if peak > level {
			continue
		}
		if after <= target {
			return []int32{i}
		}
		if rest := s.chain(i, after, target, level, set, tries); rest != nil {
			return append([]int32{i}, rest...)
		}
	}
	set[last>>6] &^= 1 << (last & 63)
	return nil
}

// follow adds the state after some items, all of which stay within the level of the state before.
func (s *search) follow(k int32, items []int32) {
	for n, i := range items {
		x := s.states[k]
		set := append(bitset.Set{}, s.setOf(k)...)
		peak, live := s.do(i, x.live, func(j int32) bool { return set.Has(int(j)) })
		y := state{x.name.xor(s.names[i]), live, max(x.peak, peak), k, i, x.count + 1}
		if n == len(items)-1 {
			s.add(y, set)
			return
		}
		k = s.note(y, set)
	}
}

// push puts a state on the stack of its peak: what is pushed last is looked at first, so that the search goes down as long as it may.
func (s *search) push(k int32) {
	peak := max(s.states[k].peak, s.floor)
	i, known := slices.BinarySearch(s.peaks, peak)
	if !known {
		s.peaks, s.stacks = slices.Insert(s.peaks, i, peak), slices.Insert(s.stacks, i, nil)
	}
	s.stacks[i] = append(s.stacks[i], k)
}

// pop takes a state with the smallest peak; -1 if there is none.
func (s *search) pop() int32 {
	for len(s.peaks) > 0 {
		if n := len(s.stacks[0]); n > 0 {
			k := s.stacks[0][n-1]
			s.stacks[0] = s.stacks[0][:n-1]
			return k
		}
		s.peaks, s.stacks = s.peaks[1:], s.stacks[1:]
	}
	return -1
}
