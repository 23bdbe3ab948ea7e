package tile

import (
	"math"

	"freehold/ir"
)

// start is how a group of operations starts to grow towards the start of a block: with the last one, along a dimension of its result, or one that it reduces.
type start struct {
	last, dim int
	// alone tells that what the last operation doesn't need is computed before.
	alone bool
	// near tells that other ends than the last operation read what is in the group by then.
	near bool
	// over tells that rows of what a result might lie over are read once.
	over bool
}

// choice is a group of operations that are computed tile by tile, from the first one on.
type choice struct {
	start
	first   int
	peak    int64
	members int
}

// reach returns how many operations there may be from the first one of a group to the last, beside those that make destinations: fewer in long blocks, so that time stays
// near-linear.
func (b *block) reach(search int) int {
	n := 0
	for _, place := range b.place {
		if !place {
			n++
		}
	}
	return max(48, min(1024, search/max(n, 1)))
}

// choices are the groups that could be computed in tiles, by the last operation, as far as they matter.
type choices struct {
	*block
	limit int // of operations from the first one of a group to the last
	of    [][]choice
	known []bool // those that end with an operation
	// peaks are what is alive at least, before each operation.
	peaks []int64
}

// lowest returns the groups among which those are by which the peak gets as low as can be, or below the limit. Groups matter only near operations at which
// more is alive than then, so they are looked for where more is alive than some bound, which falls until the peak doesn't get below it. Bounds don't depend on the limit, so that neither do the
// groups, if it can't be kept.
func (b *block) lowest(o Options) *choices {
	n, limit := len(b.Ops), max(o.Limit, b.atEnd())
	c := &choices{block: b, limit: b.reach(o.search()), of: make([][]choice, n), known: make([]bool, n), peaks: make([]int64, n+1)}
	for bound := b.peak / 2; ; bound /= 2 {
		c.above(bound)
		for i := range n {
			c.peaks[i+1] = max(c.peaks[i], b.profile[i])
			for _, x := range c.of[i] {
				c.peaks[i+1] = min(c.peaks[i+1], max(c.peaks[x.first], x.peak))
			}
		}
		if c.peaks[n] > bound || bound <= limit {
			return c
		}
	}
}

// above finds the groups that may have operations at which more is alive than a bound.
func (c *choices) above(bound int64) {
	far := c.limit // from the last operation at which more is alive
	for last, op := range c.Ops {
		if far++; c.place[last] {
			far--
		}
		if c.profile[last] > bound {
			far = 0
		}
		if c.known[last] || far >= c.limit || op.NumResults() != 1 || c.place[last] {
			continue
		}
		c.known[last] = true
		for _, dim := range dimensions(op) {
			if n := c.node(last, dim); n != nil && n.size > 1 {
				c.add(start{last: last, dim: dim}, last)
			}
		}
	}
}

// dimensions returns those by which an operation may go row by row.
func dimensions(op *ir.Op) (out []int) {
	shape, ranked := ir.ShapeOf(op.Result(0).Type())
	if !ranked || !ir.IsTensor(op.Result(0).Type()) {
		return nil
	}
	for dim, size := range shape {
		if size > 1 || size == ir.Dynamic {
			out = append(out, dim)
		}
	}
	return append(out, reduced)
}

// add adds the groups that end with an operation and begin before a place, and then those that have no other ends.
func (c *choices) add(s start, before int) {
	g, left := c.grow(s, 1), c.limit
	var most int64 // of what is alive at the operations
	apart := -1    // where the group has an end that it wouldn't have alone
	far := -1      // where it has an end that it wouldn't have near
	for first := s.last; first >= 0 && left > 0 && g.take(first) && g.held+g.kept < c.peak; first-- {
		if !c.place[first] {
			left--
		}
		most = max(most, c.profile[first])
		if apart < 0 && len(g.others)+len(g.late) > 0 {
			apart = first
		}
		if far < 0 && g.far {
			far = first
		}
		if first > before || len(g.order) < 2 || g.members[first] == nil && !c.place[first] || first > 0 && c.place[first-1] || g.least(first)+g.saved-g.mostSaved() >= most {
			continue
		}
		if peak := g.peak(first); peak < most {
			c.of[s.last] = append(c.of[s.last], choice{s, first, peak, len(g.order)})
		}
	}
	if apart >= 0 && !s.over && !s.near {
		c.add(start{last: s.last, dim: s.dim, alone: true}, apart)
	}
	if far >= 0 && !s.over {
		c.add(start{last: s.last, dim: s.dim, near: true}, far)
	}
	if g.again && !s.over {
		c.add(start{last: s.last, dim: s.dim, alone: s.alone, near: s.near, over: true}, before)
	}
}

// choose returns the groups, from the end and apart from each other, by which the peak gets as low as the limit with the fewest operations in tiles; if it can't
// get there, as low as it can. It returns that peak as well. With a margin, there are as few places near that peak as possible, so that it matters less if more is needed in one of them than estimated.
func (b *block) choose(o Options) ([]choice, int64) {
	found := b.lowest(o)
	all, least := found.of, found.peaks
	n, end := len(b.Ops), b.atEnd()
	bound := max(least[n], o.Limit, end)
	near := bound - bound/100*int64(o.Margin)
	price, by := make([]int, n+1), make([]*choice, n+1)
	risk := func(peak int64) int {
		if peak > near {
			return n + 1
		}
		return 0
	}
	for i := range n {
		price[i+1] = math.MaxInt
		if b.profile[i] <= bound && price[i] < math.MaxInt {
			price[i+1] = price[i] + risk(b.profile[i])
		}
		for k := range all[i] {
			c := &all[i][k]
			if c.peak > bound || price[c.first] == math.MaxInt {
				continue
			}
			if with := price[c.first] + c.members + risk(c.peak); with < price[i+1] {
				price[i+1], by[i+1] = with, c
			}
		}
	}
	var out []choice
	for i := n; i > 0; {
		if c := by[i]; c != nil {
			out = append(out, *c)
			i = c.first
		} else {
			i--
		}
	}
	return out, max(least[n], end)
}

// atEnd returns what is alive at most while what the block hands on is copied at its end, if anything is: no group lowers that.
func (b *block) atEnd() (most int64) {
	for _, p := range b.profile[len(b.Ops):] {
		most = max(most, p)
	}
	return most
}
