package staticplan

import (
	"cmp"
	"slices"
)

// lifetime is a buffer that gets a place in the arena: its size in bytes, the alignment that it asks for and that of its elements, the index
// of the operation that allocates it, and that of the last one that it is needed for.
type lifetime struct {
	size, align, natural int64
	start, end           int
	offset               int64
}

// alignUp returns the first place from n on that is aligned as x wants.
func (x *lifetime) alignUp(n int64) int64 {
	align := lcm(max(1, x.align), max(1, x.natural)) // 0 asks for none
	return (n + align - 1) / align * align
}

func lcm(a, b int64) int64 {
	product := a
	for n := b; n != 0; {
		a, n = n, a%n
	}
	return product / a * b
}

// placeInTurn puts one buffer behind the other. No memory is shared.
func placeInTurn(buffers []*lifetime) {
	cursor := int64(0)
	for _, x := range buffers {
		x.offset = x.alignUp(cursor)
		cursor = x.offset + x.size
	}
}

// placeBestFit puts each buffer, in the order of their starts, into the smallest room in which it fits between those that are alive
// at its start, or else behind them. Time O(n² log n).
func placeBestFit(buffers []*lifetime) {
	end := int64(0)
	var placed []*lifetime
	for _, x := range buffers {
		var alive []*lifetime
		for _, p := range placed {
			if p.end > x.start {
				alive = append(alive, p)
			}
		}
		slices.SortStableFunc(alive, func(a, b *lifetime) int { return cmp.Compare(a.offset, b.offset) })
		x.offset = x.bestOffset(alive, end)
		end = max(end, x.offset+x.size)
		placed = append(placed, x)
	}
}

// bestOffset returns where x fits best between the buffers that are alive, by offset, in an arena that ends at end so far.
func (x *lifetime) bestOffset(alive []*lifetime, end int64) int64 {
	best, smallest := int64(-1), int64(0)
	try := func(from, to int64) {
		at := x.alignUp(from)
		if room := to - at; at < to && room >= x.size && (best < 0 || room < smallest) {
			best, smallest = at, room
		}
	}
	last := int64(0)
	for _, p := range alive {
		try(last, p.offset)
		last = max(last, p.offset+p.size)
	}
	try(last, end)
	if best >= 0 {
		return best
	}
	return x.alignUp(last)
}

// extent returns the size of the arena that holds all buffers, and its alignment: the least common multiple of those that are asked for.
func extent(buffers []*lifetime) (size, align int64) {
	align = 1
	for _, x := range buffers {
		size, align = max(size, x.offset+x.size), lcm(align, x.align)
	}
	return size, align
}
