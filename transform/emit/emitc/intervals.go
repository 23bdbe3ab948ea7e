package emitc

import "math/bits"

// interval is what an index may be: a number from low to high.
type interval struct{ low, high int64 }

// anyIndex is the interval of an index of which nothing is known.
func (m *module) anyIndex() interval {
	return interval{-1 << (m.o.IndexBits - 1), 1<<(m.o.IndexBits-1) - 1}
}

// within returns an interval, if it is one, and within the range of index; otherwise that of any index, as what leaves the range comes back on its other
// side. It tells which.
func (m *module) within(low, high int64, exact bool) (interval, bool) {
	all := m.anyIndex()
	if exact && low <= high && low >= all.low && high <= all.high {
		return interval{low, high}, true
	}
	return all, false
}

// The following return sums, differences and products, and whether they are in the range of index.

func (m *module) added(a, b interval) (interval, bool) {
	low, ok1 := addExact(a.low, b.low)
	high, ok2 := addExact(a.high, b.high)
	return m.within(low, high, ok1 && ok2)
}

func (m *module) subtracted(a, b interval) (interval, bool) {
	low, ok1 := subExact(a.low, b.high)
	high, ok2 := subExact(a.high, b.low)
	return m.within(low, high, ok1 && ok2)
}

func (m *module) multiplied(a, b interval) (interval, bool) {
	exact := true
	product := func(x, y int64) int64 {
		p, ok := mulExact(x, y)
		exact = exact && ok
		return p
	}
	p, q, r, s := product(a.low, b.low), product(a.low, b.high), product(a.high, b.low), product(a.high, b.high)
	return m.within(min(p, q, r, s), max(p, q, r, s), exact)
}

// isSmall tells whether 31 bits are enough for an index that isn't negative.
func (i interval) isSmall() bool { return i.low >= 0 && i.high < 1<<31 }

func addExact(a, b int64) (int64, bool) {
	s := a + b
	return s, (s < a) == (b < 0)
}

func subExact(a, b int64) (int64, bool) {
	d := a - b
	return d, (d < a) == (b > 0)
}

func mulExact(a, b int64) (int64, bool) {
	high, low := bits.Mul64(uint64(a), uint64(b))
	// Of the numbers with signs, the upper half is less by the other factor.
	if a < 0 {
		high -= uint64(b)
	}
	if b < 0 {
		high -= uint64(a)
	}
	return int64(low), int64(high) == int64(low)>>63
}
