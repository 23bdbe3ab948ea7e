package plan

import "math"

// skyline places buffers from the bottom up: always the one that can be lowest on top of
// what is placed, of several the first in the order. Its steps are the placings, and the
// times when a buffer turns out to be no longer the lowest; it gives up after a number of
// steps that is given, or when stop says so. A step takes log n for n buffers with one
// interval. It returns nil if it gave up, or the peak would be above the limit.
func skyline(m *model, order []int32, limit int64, steps int, stop func() bool) []int64 {
	n := len(order)
	offsets := make([]int64, len(m.size))
	top := newMaxTree(m.points)
	heap := make([]skylineItem, n) // sorted, and so a heap
	for r := range heap {
		heap[r] = skylineItem{rank: int32(r)}
	}
	for len(heap) > 0 {
		if steps--; steps < 0 || steps%(1<<14) == 0 && stop() {
			return nil
		}
		x := &heap[0]
		i := order[x.rank]
		var floor int64
		for _, s := range m.spans[i] {
			floor = max(floor, top.max(s))
		}
		floor = alignUp(floor, m.align[i])
		if floor > x.floor {
			x.floor = floor
			siftDown(heap)
			continue
		}
		last := len(heap) - 1
		heap[0] = heap[last]
		heap = heap[:last]
		siftDown(heap)
		if floor > limit-m.size[i] {
			return nil
		}
		offsets[i] = floor
		for _, s := range m.spans[i] {
			top.raise(s, floor+m.size[i])
		}
	}
	return offsets
}

// skylineItem is a buffer that isn't placed yet and can't be below floor.
type skylineItem struct {
	floor int64
	rank  int32 // place in the order
}

func siftDown(heap []skylineItem) {
	n := len(heap)
	if n == 0 {
		return
	}
	less := func(a, b skylineItem) bool { return a.floor < b.floor || a.floor == b.floor && a.rank < b.rank }
	x := heap[0]
	i := 0
	for {
		c := 2*i + 1
		if c >= n {
			break
		}
		if c+1 < n && less(heap[c+1], heap[c]) {
			c++
		}
		if !less(heap[c], x) {
			break
		}
		heap[i] = heap[c]
		i = c
	}
	heap[i] = x
}

// maxTree is an array of numbers, at first 0, with ranges that are raised to a number and
// asked for their largest, both in log n.
type maxTree struct {
	n     int
	nodes []maxNode
}

type maxNode struct {
	most int64 // of what is below the node
	all  int64 // what everything below the node was raised to
}

func newMaxTree(n int) *maxTree { return &maxTree{n, make([]maxNode, 2*n)} }

// raise makes the numbers in the range v where they are smaller.
func (t *maxTree) raise(s span, v int64) {
	lo, hi := int(s.lo)+t.n, int(s.hi)+t.n
	for l, r := lo, hi; l < r; l, r = l/2, r/2 {
		if l%2 == 1 {
			t.nodes[l].most = max(t.nodes[l].most, v)
			t.nodes[l].all = max(t.nodes[l].all, v)
			l++
		}
		if r%2 == 1 {
			r--
			t.nodes[r].most = max(t.nodes[r].most, v)
			t.nodes[r].all = max(t.nodes[r].all, v)
		}
	}
	for l := lo / 2; l > 0; l /= 2 {
		t.nodes[l].most = max(t.nodes[l].most, v)
	}
	for r := (hi - 1) / 2; r > 0; r /= 2 {
		t.nodes[r].most = max(t.nodes[r].most, v)
	}
}

// max returns the largest number in the range.
func (t *maxTree) max(s span) int64 {
	most := int64(math.MinInt64)
	lo, hi := int(s.lo)+t.n, int(s.hi)+t.n
	for l, r := lo, hi; l < r; l, r = l/2, r/2 {
		if l%2 == 1 {
			most = max(most, t.nodes[l].most)
			l++
		}
		if r%2 == 1 {
			r--
			most = max(most, t.nodes[r].most)
		}
	}
	for l := lo / 2; l > 0; l /= 2 {
		most = max(most, t.nodes[l].all)
	}
	for r := (hi - 1) / 2; r > 0; r /= 2 {
		most = max(most, t.nodes[r].all)
	}
	return most
}
