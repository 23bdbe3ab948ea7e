package plan

import (
	"cmp"
	"math"
	"slices"
)

// bestFit places buffers in the order in which they become alive, of those that do so at
// the same time the larger first, each in the smallest free block that has room for it, as
// an allocator would that knows no future. A buffer keeps its place between its intervals.
// It takes n log n. It returns nil if the peak would be above the limit.
func bestFit(m *model, limit int64) []int64 {
	n := len(m.size)
	hulls := make([]span, n)
	for i := range hulls {
		hulls[i] = m.hull(int32(i))
	}
	starts := byPoint(hulls, m.points, func(h span) int32 { return h.lo })
	ends := byPoint(hulls, m.points, func(h span) int32 { return h.hi })
	for from := 0; from < n; {
		to := from + 1
		for to < n && hulls[starts[to]].lo == hulls[starts[from]].lo {
			to++
		}
		slices.SortStableFunc(starts[from:to], func(x, y int32) int { return cmp.Compare(m.size[y], m.size[x]) })
		from = to
	}
	offsets := make([]int64, n)
	free := newFreeBlocks()
	for _, i := range starts {
		for hulls[ends[0]].hi <= hulls[i].lo {
			free.add(offsets[ends[0]], m.size[ends[0]])
			ends = ends[1:]
		}
		at, ok := free.take(m.size[i], m.align[i])
		if !ok || at > limit-m.size[i] {
			return nil
		}
		offsets[i] = at
	}
	return offsets
}

// byPoint returns the buffers in the order of a point that they have.
func byPoint(hulls []span, points int, point func(hull span) int32) []int32 {
	at := make([]int32, points+2)
	for _, h := range hulls {
		at[point(h)+1]++
	}
	for p := range points + 1 {
		at[p+1] += at[p]
	}
	out := make([]int32, len(hulls))
	for i, h := range hulls {
		p := point(h)
		out[at[p]] = int32(i)
		at[p]++
	}
	return out
}

// freeBlocks is the memory that isn't taken: blocks sorted by size in a treap, and their
// ends in maps. The topmost has no end.
type freeBlocks struct {
	root   *freeBlock
	starts map[int64]int64 // size of the block that starts here
	ends   map[int64]int64 // size of the block that ends here
	top    int64           // from here on everything is free
	spare  *freeBlock      // blocks to use again, linked by left
	seed   uint64
}

type freeBlock struct {
	size, offset int64
	priority     uint64
	left, right  *freeBlock
}

func newFreeBlocks() *freeBlocks {
	return &freeBlocks{starts: map[int64]int64{}, ends: map[int64]int64{}}
}

// add makes a block free.
func (f *freeBlocks) add(offset, size int64) {
	if s, ok := f.ends[offset]; ok {
		f.remove(offset-s, s)
		offset, size = offset-s, size+s
	}
	if s, ok := f.starts[offset+size]; ok {
		f.remove(offset+size, s)
		size += s
	}
	if offset+size == f.top {
		f.top = offset
		return
	}
	f.insert(offset, size)
}

// take finds room for a buffer and makes it taken. It is false if offsets would be too
// large.
func (f *freeBlocks) take(size, align int64) (int64, bool) {
	if b := f.atLeast(size); b != nil && align > 1 && alignUp(b.offset, align)-b.offset > b.size-size {
		if size > math.MaxInt64-align {
			return 0, false
		}
		if b = f.atLeast(size + align - 1); b != nil {
			return f.cut(b.offset, b.size, size, align), true
		}
	} else if b != nil {
		return f.cut(b.offset, b.size, size, align), true
	}
	at := alignUp(f.top, align)
	if at > math.MaxInt64-size {
		return 0, false
	}
	if at > f.top {
		f.insert(f.top, at-f.top)
	}
	f.top = at + size
	return at, true
}

// cut takes a part of a free block.
func (f *freeBlocks) cut(offset, have, size, align int64) int64 {
	f.remove(offset, have)
	at := alignUp(offset, align)
	if at > offset {
		f.insert(offset, at-offset)
	}
	if end := offset + have; end > at+size {
		f.insert(at+size, end-at-size)
	}
	return at
}

func (f *freeBlocks) insert(offset, size int64) {
	f.starts[offset] = size
	f.ends[offset+size] = size
	f.seed += 0x9e3779b97f4a7c15
	n := f.spare
	if n == nil {
		n = new(freeBlock)
	} else {
		f.spare = n.left
	}
	*n = freeBlock{size: size, offset: offset, priority: mix(f.seed)}
	p := &f.root
	for *p != nil && (*p).priority >= n.priority {
		if n.before(*p) {
			p = &(*p).left
		} else {
			p = &(*p).right
		}
	}
	// Split what is below by the new block.
	rest := *p
	*p = n
	l, r := &n.left, &n.right
	for rest != nil {
		if rest.before(n) {
			*l = rest
			l = &rest.right
			rest = rest.right
		} else {
			*r = rest
			r = &rest.left
			rest = rest.left
		}
	}
	*l, *r = nil, nil
}

func (f *freeBlocks) remove(offset, size int64) {
	delete(f.starts, offset)
	delete(f.ends, offset+size)
	p := &f.root
	key := freeBlock{size: size, offset: offset}
	for (*p).size != size || (*p).offset != offset {
		if key.before(*p) {
			p = &(*p).left
		} else {
			p = &(*p).right
		}
	}
	gone := *p
	l, r := gone.left, gone.right
	for l != nil && r != nil {
		if l.priority >= r.priority {
			*p = l
			p = &l.right
			l = l.right
		} else {
			*p = r
			p = &r.left
			r = r.left
		}
	}
	if l == nil {
		l = r
	}
	*p = l
	gone.left, gone.right = f.spare, nil
	f.spare = gone
}

func (b *freeBlock) before(c *freeBlock) bool {
	return b.size < c.size || b.size == c.size && b.offset < c.offset
}

// atLeast returns the smallest free block of at least the size, of several the lowest.
func (f *freeBlocks) atLeast(size int64) *freeBlock {
	var best *freeBlock
	for b := f.root; b != nil; {
		if b.size >= size {
			best, b = b, b.left
		} else {
			b = b.right
		}
	}
	return best
}

// mix scatters the bits of a number.
func mix(x uint64) uint64 {
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	x ^= x >> 32
	x *= 0xd6e8feb86659fd93
	x ^= x >> 32
	return x
}
