package order

import (
	"math"
	"math/bits"

	"freehold/internal/bitset"
)

// mostForBound limits the number of items for which it is computed which come before which in all orders.
const mostForBound = 12000

// bound returns what no order can do with less: while an item is done, what was made before it in all orders, and is used by it or after it in
// all orders, is alive; and the first item and the last one are some that can be. Quadratic, in bits, for up to mostForBound items; for more, only
// what an item touches counts.
func (r *reduced) bound() (most int64) {
	n := len(r.items)
	maker := r.makers()
	most = r.ends()
	if n > mostForBound {
		return max(most, r.touched(maker))
	}
	earlier, later := r.closure(r.before, true), r.closure(r.after, false)
	need := make([]int64, n)
	always := r.start
	during := bitset.New(n)
	for b, size := range r.size {
		if !r.outside[b] && len(r.by[b]) == 0 || size == 0 {
			continue
		}
		clear(during)
		for _, t := range r.by[b] {
			during.Union(earlier[t])
			during.Add(int(t))
		}
		if m := maker[b]; m < 0 {
			always -= size
		}
		for w, word := range during {
			if r.outside[b] {
				word = ^uint64(0)
			}
			if m := maker[b]; m >= 0 {
				word &= later[m][w]
			}
			for ; word != 0; word &= word - 1 {
				if v := w<<6 + bits.TrailingZeros64(word); v < n {
					need[v] += size
				}
			}
		}
	}
	for v := range int32(n) {
		peak, _ := r.do(v, always+need[v], func(i int32) bool { return !later[v].Has(int(i)) })
		most = max(most, peak)
	}
	return most
}

// ends returns what no order can do with less while the first item is done, and while the last one is, when all that is kept is alive. Linear.
func (r *reduced) ends() int64 {
	if len(r.items) == 0 {
		return r.start
	}
	live := r.start
	for i := range r.items {
		for k := range r.items[i].moves {
			live += r.items[i].moves[k].born
		}
	}
	for b, size := range r.size {
		if !r.outside[b] && len(r.by[b]) > 0 {
			live -= size
		}
	}
	first, last := int64(math.MaxInt64), int64(math.MaxInt64)
	for i := range int32(len(r.items)) {
		if len(r.before[i]) == 0 {
			peak, _ := r.do(i, r.start, func(int32) bool { return false })
			first = min(first, peak)
		}
		if len(r.after[i]) == 0 {
			peak, after := r.do(i, 0, nil)
			last = min(last, live-after+peak)
		}
	}
	return max(first, last)
}

// makers returns the item that makes each buffer, or -1.
func (r *reduced) makers() []int32 {
	maker := make([]int32, len(r.size))
	for b := range maker {
		maker[b] = -1
	}
	for v := range r.items {
		for i := range r.items[v].moves {
			for _, b := range r.items[v].moves[i].made {
				maker[b] = int32(v)
			}
		}
	}
	return maker
}

// touched returns what an item needs at most for what it touches alone.
func (r *reduced) touched(maker []int32) (most int64) {
	need := make([]int64, len(r.items))
	for b, by := range r.by {
		for _, v := range by {
			if maker[b] != v {
				need[v] += r.size[b]
			}
		}
	}
	for v := range int32(len(need)) {
		peak, _ := r.do(v, need[v], func(int32) bool { return true })
		most = max(most, peak)
	}
	return most
}

// closure returns the items that are reached from each by links, which lead down if down is true, else up.
func (r *reduced) closure(links [][]int32, down bool) []bitset.Set {
	n := len(r.items)
	out := make([]bitset.Set, n)
	for k := range n {
		v := k
		if !down {
			v = n - 1 - k
		}
		out[v] = bitset.New(n)
		for _, p := range links[v] {
			out[v].Add(int(p))
			out[v].Union(out[p])
		}
	}
	return out
}
