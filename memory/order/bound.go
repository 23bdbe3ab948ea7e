package order

import "math/bits"

// mostForBound limits the number of items for which it is computed which come before which in all orders.
const mostForBound = 12000

// bound returns what no order can do with less: while an item is done, what was made before it in all orders, and is used by it or after it in
// all orders, is alive. Quadratic, in bits, for up to mostForBound items; for more, only the items next to one count.
func (r *reduced) bound() (most int64) {
	earlier, later := r.closure(r.before, true), r.closure(r.after, false)
	n := len(r.items)
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
			if n <= mostForBound {
				out[v].union(out[p])
			}
		}
	}
	return out
}
