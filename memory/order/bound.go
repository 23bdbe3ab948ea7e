package order

import "math/bits"

// mostForBound limits the number of items for which it is computed which come before which in all orders.
const mostForBound = 12000

// bound returns what no order can do with less: while an item is done, what was made before it in all orders, and is used by it or after it in
// all orders, is alive. Quadratic, in bits, for up to mostForBound items; for more, only what an item touches counts.
func (r *reduced) bound() (most int64) {
	n := len(r.items)
	maker := r.makers()
	if n > mostForBound {
		return r.touched(maker)
	}
	earlier, later := r.closure(r.before, true), r.closure(r.after, false)
	need := make([]int64, n)
	always := r.start
	during := newBitset(n)
	for b, size := range r.size {
		if !r.outside[b] && len(r.by[b]) == 0 || size == 0 {
			continue
		}
		clear(during)
		for _, t := range r.by[b] {
			during.union(earlier[t])
			during.set(t)
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
		peak, _ := r.do(v, always+need[v], func(i int32) bool { return !later[v].has(i) })
		most = max(most, peak)
	}
	return most
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
func (r *reduced) closure(links [][]int32, down bool) []bitset {
	n := len(r.items)
	out := make([]bitset, n)
	for k := range n {
		v := k
		if !down {
			v = n - 1 - k
		}
		out[v] = newBitset(n)
		for _, p := range links[v] {
			out[v].set(p)
			out[v].union(out[p])
		}
	}
	return out
}
