package plan

import (
	"cmp"
	"math/bits"
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
	var sorter blockSorter
	seen := make([]int32, len(m.size)) // by which buffer, plus one
	var taken []block
	add := func(j int32) {
		if placed[j] {
			taken = append(taken, block{offsets[j], offsets[j] + m.size[j]})
		}
	}
	for n, i := range order {
		if n%256 == 255 && stop() {
			return nil
		}
		if placed[i] {
			continue
		}
		taken = taken[:0]
		visit := add
		if m.gaps {
			visit = func(j int32) {
				if seen[j] != i+1 {
					seen[j] = i + 1
					add(j)
				}
			}
		}
		for _, s := range m.spans[i] {
			near.visit(s, visit)
		}
		var at int64
		for _, b := range sorter.sort(taken) {
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

// blockSorter sorts blocks by their offsets: into as many bins as there are blocks, over the range of offsets, which takes linear time as long as blocks are spread about
// evenly, as those are that don't overlap, and then each bin.
type blockSorter struct {
	at  []int32
	out []block
}

// sort returns the blocks sorted, until it is called again.
func (s *blockSorter) sort(blocks []block) []block {
	if len(blocks) < 32 {
		sortBlocks(blocks)
		return blocks
	}
	var most int64
	for _, b := range blocks {
		most = max(most, b.offset)
	}
	shift := max(0, bits.Len64(uint64(most))-bits.Len(uint(len(blocks))))
	bins := int(most>>shift) + 1
	s.at = slices.Grow(s.at[:0], bins+1)[:bins+1]
	clear(s.at)
	for _, b := range blocks {
		s.at[b.offset>>shift+1]++
	}
	for k := 1; k < bins; k++ {
		s.at[k] += s.at[k-1]
	}
	s.out = slices.Grow(s.out[:0], len(blocks))[:len(blocks)]
	for _, b := range blocks {
		k := b.offset >> shift
		s.out[s.at[k]] = b
		s.at[k]++
	}
	from := int32(0)
	for _, to := range s.at[:bins] { // where each bin ends, now
		if to-from > 1 {
			sortBlocks(s.out[from:to])
		}
		from = to
	}
	return s.out
}

// sortBlocks sorts a few blocks by their offsets.
func sortBlocks(blocks []block) {
	if len(blocks) > 32 {
		slices.SortFunc(blocks, func(x, y block) int { return cmp.Compare(x.offset, y.offset) })
		return
	}
	for k := 1; k < len(blocks); k++ {
		b, j := blocks[k], k
		for ; j > 0 && blocks[j-1].offset > b.offset; j-- {
			blocks[j] = blocks[j-1]
		}
		blocks[j] = b
	}
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

// visit calls f with the buffers of the spans that overlap s, in log n for each at most.
func (t *neighbours) visit(s span, f func(buffer int32)) {
	t.visitNode(1, 0, t.leaves, s, f)
}

// visitNode is visit for the spans of a node; those of few are looked at one by one.
func (t *neighbours) visitNode(k, from, to int, s span, f func(int32)) {
	if from >= len(t.spans) || t.spans[from].lo >= s.hi || t.last[k] <= s.lo {
		return
	}
	if to-from <= 8 {
		for _, x := range t.spans[from:min(to, len(t.spans))] {
			if x.lo < s.hi && x.hi > s.lo {
				f(x.buffer)
			}
		}
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
