package plan

import (
	"cmp"
	"slices"
)

// firstFit places buffers in the order, those that are pinned first, each at the lowest
// offset where it doesn't overlap any that is placed and alive at the same time. It takes
// k log k for a buffer with k such. It returns nil if the peak would be above the limit,
// or stop says so.
func firstFit(m *model, near *neighbours, order []int32, limit int64, stop func() bool) []int64 {
	offsets := make([]int64, len(m.size))
	placed := make([]bool, len(m.size))
	for i, o := range m.pin {
		if o >= 0 {
			offsets[i], placed[i] = o, true
		}
	}
	type block struct{ offset, end int64 }
	var taken []block
	seen := make([]int32, len(m.size)) // by which buffer, plus one
	for n, i := range order {
		if n%256 == 255 && stop() {
			return nil
		}
		if placed[i] {
			continue
		}
		taken = taken[:0]
		for _, s := range m.spans[i] {
			near.visit(s, func(j int32) {
				if placed[j] && seen[j] != i+1 {
					seen[j] = i + 1
					taken = append(taken, block{offsets[j], offsets[j] + m.size[j]})
				}
			})
		}
		slices.SortFunc(taken, func(x, y block) int { return cmp.Compare(x.offset, y.offset) })
		var at int64
		for _, b := range taken {
			if b.offset-m.size[i] >= at {
				break
			}
			at = max(at, alignUp(b.end, m.align[i]))
		}
		if at > limit-m.size[i] {
			return nil
		}
		offsets[i], placed[i] = at, true
	}
	return offsets
}

// neighbours finds the buffers that are alive at a point of a range: spans in the order of
// their first points, and a tree of the largest last points over it.
type neighbours struct {
	spans  []ownedSpan
	last   []int32 // node k has children 2k and 2k+1; the leaves are the spans
	leaves int     // a power of two
}

type ownedSpan struct {
	span
	buffer int32
}

func newNeighbours(m *model) *neighbours {
	t := &neighbours{}
	at := make([]int32, m.points+1) // how many spans begin before a point
	for _, ss := range m.spans {
		for _, s := range ss {
			at[s.lo+1]++
		}
	}
	for p := range m.points {
		at[p+1] += at[p]
	}
	t.spans = make([]ownedSpan, at[m.points])
	for i, ss := range m.spans {
		for _, s := range ss {
			t.spans[at[s.lo]] = ownedSpan{s, int32(i)}
			at[s.lo]++
		}
	}
	t.leaves = 1
	for t.leaves < len(t.spans) {
		t.leaves *= 2
	}
	t.last = make([]int32, 2*t.leaves)
	for k, s := range t.spans {
		t.last[t.leaves+k] = s.hi
	}
	for k := t.leaves - 1; k > 0; k-- {
		t.last[k] = max(t.last[2*k], t.last[2*k+1])
	}
	return t
}

// visit calls f with the buffers of the spans that overlap s, in log n for each.
func (t *neighbours) visit(s span, f func(buffer int32)) {
	t.visitNode(1, 0, t.leaves, s, f)
}

func (t *neighbours) visitNode(k, from, to int, s span, f func(int32)) {
	if from >= len(t.spans) || t.spans[from].lo >= s.hi || t.last[k] <= s.lo {
		return
	}
	if to-from == 1 {
		f(t.spans[from].buffer)
		return
	}
	mid := (from + to) / 2
	t.visitNode(2*k, from, mid, s, f)
	t.visitNode(2*k+1, mid, to, s, f)
}

// pairs returns the number of pairs of spans that overlap, up to the limit, in n log n.
func (t *neighbours) pairs(limit int) int {
	ends := make([]int32, 0, len(t.spans))
	for _, s := range t.spans {
		ends = append(ends, s.hi)
	}
	slices.Sort(ends)
	n, over := 0, 0
	for k, s := range t.spans {
		for over < len(ends) && ends[over] <= s.lo {
			over++
		}
		if n += k - over; n > limit {
			return limit
		}
	}
	return n
}
