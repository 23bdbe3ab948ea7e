package plan

import (
	"cmp"
	"hash/maphash"
	"slices"
)

// sortByNumber sorts items stably by a number that each has: digit by digit where there are
// many, which takes linear time. It may use the slice's memory.
func sortByNumber[T any](items []T, number func(T) int64) []T {
	if len(items) < 1<<12 {
		slices.SortStableFunc(items, func(x, y T) int { return cmp.Compare(number(x), number(y)) })
		return items
	}
	least, most := number(items[0]), number(items[0])
	for _, x := range items {
		least, most = min(least, number(x)), max(most, number(x))
	}
	const bits = 11
	other := make([]T, len(items))
	for shift := 0; shift < 64 && uint64(most-least)>>shift > 0; shift += bits {
		var at [1 << bits]int32
		digit := func(x T) uint64 { return uint64(number(x)-least) >> shift % (1 << bits) }
		for _, x := range items {
			at[digit(x)]++
		}
		var sum int32
		for d, n := range at {
			at[d] = sum
			sum += n
		}
		for _, x := range items {
			d := digit(x)
			other[at[d]] = x
			at[d]++
		}
		items, other = other, items
	}
	return items
}

// nameTable is a set of buffers with different names: a hash table of their places, which
// takes much less memory, and so time, than a map with the names.
type nameTable struct {
	buffers []Buffer
	slots   []nameSlot // a power of two, at least half of them empty
	seed    maphash.Seed
}

type nameSlot struct {
	hash  uint32
	place int32 // plus one; 0 in empty slots
}

func newNameTable(buffers []Buffer) *nameTable {
	n := 1
	for n < 2*len(buffers) {
		n *= 2
	}
	return &nameTable{buffers, make([]nameSlot, n), maphash.MakeSeed()}
}

// add adds a buffer by its place, unless there is one of its name.
func (t *nameTable) add(i int32) bool {
	h := maphash.String(t.seed, t.buffers[i].ID)
	for k := h; ; k++ {
		s := &t.slots[k%uint64(len(t.slots))]
		if s.place == 0 {
			*s = nameSlot{uint32(h >> 32), i + 1}
			return true
		}
		if s.hash == uint32(h>>32) && t.buffers[s.place-1].ID == t.buffers[i].ID {
			return false
		}
	}
}
