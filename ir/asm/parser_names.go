package asm

import (
	"hash/maphash"

	"freehold/ir"
)

// nameSeed makes the places of names in tables unpredictable.
var nameSeed = maphash.MakeSeed()

// valueTable maps the names of one isolated scope to values: a hash table with
// linear probing whose entries, once made, stay until the scope ends, whether the
// name has a value or not.
type valueTable struct {
	// slots holds numbers of entries, plus 1; its length is a power of two.
	slots []uint32
	pages []*[entryPage]valueEntry
	n     uint32 // number of entries
	// defined lists the entries of the definitions in order, so that leaving a region
	// undoes those made in it.
	defined []*valueEntry
}

const (
	entryPage = 64
	minSlots  = 64
)

// valueEntry holds the values under one name: value 0, and those after it.
type valueEntry struct {
	valueRef
	rest *[]valueRef // nil if there are none, which is nearly always
	name string
	hash uint32
	// known is set once the name was defined, even if that was undone.
	known bool
	// unknown is set if the name was defined by something that couldn't be read.
	unknown bool
}

// valueRef is a value and where it was defined, or first used if it is a forward
// reference.
type valueRef struct {
	value *ir.Value
	pos   Pos
}

func (t *valueTable) at(i uint32) *valueEntry { return &t.pages[i/entryPage][i%entryPage] }

// find returns the entry of a name, or nil, and the name's hash and place.
func (t *valueTable) find(name string, hash uint32) (e *valueEntry, slot uint32) {
	mask := uint32(len(t.slots) - 1)
	for slot = hash & mask; t.slots[slot] != 0; slot = (slot + 1) & mask {
		if e := t.at(t.slots[slot] - 1); e.hash == hash && e.name == name {
			return e, slot
		}
	}
	return nil, slot
}

// entry returns the entry of a name; it makes an empty one if there is none.
func (t *valueTable) entry(name string) *valueEntry {
	return t.hashed(name, uint32(maphash.String(nameSeed, name)))
}

// hashed is entry for a name with a known hash.
func (t *valueTable) hashed(name string, hash uint32) *valueEntry {
	if t.slots == nil {
		t.slots = make([]uint32, minSlots)
	}
	e, slot := t.find(name, hash)
	if e != nil {
		return e
	}
	if t.n/entryPage == uint32(len(t.pages)) {
		t.pages = append(t.pages, new([entryPage]valueEntry))
	}
	e = t.at(t.n)
	e.name, e.hash = name, hash
	t.n++
	t.slots[slot] = t.n
	if 2*int(t.n) > len(t.slots) {
		t.grow()
	}
	return e
}

// lookup returns the entry of another table's entry's name, or nil.
func (t *valueTable) lookup(x *valueEntry) *valueEntry {
	if t.n == 0 {
		return nil
	}
	e, _ := t.find(x.name, x.hash)
	return e
}

func (t *valueTable) grow() { t.resize(2 * len(t.slots)) }

// reserve makes room for n names.
func (t *valueTable) reserve(n int) {
	size := minSlots
	for size < 2*n {
		size *= 2
	}
	if size > len(t.slots) {
		t.resize(size)
	}
}

// resize makes the number of slots that power of two, which must be larger.
func (t *valueTable) resize(size int) {
	if size <= cap(t.slots) {
		clear(t.slots)
		t.slots = t.slots[:size]
	} else {
		t.slots = make([]uint32, size)
		clear(t.slots) // see slab.Pool.Take
	}
	mask := uint32(size - 1)
	for i := range t.n {
		slot := t.at(i).hash & mask
		for t.slots[slot] != 0 {
			slot = (slot + 1) & mask
		}
		t.slots[slot] = i + 1
	}
}

// reset empties the table. It takes time by the number of entries.
func (t *valueTable) reset() {
	clear(t.slots)
	t.slots = t.slots[:min(minSlots, len(t.slots))]
	for i := range t.n {
		*t.at(i) = valueEntry{}
	}
	t.n = 0
	clear(t.defined)
	t.defined = t.defined[:0]
}

// undo forgets the definitions from number n on.
func (t *valueTable) undo(n int) {
	for _, e := range t.defined[n:] {
		e.valueRef, e.rest, e.unknown = valueRef{}, nil, false
	}
	t.defined = t.defined[:n]
}

// more returns the values after the first.
func (e *valueEntry) more() []valueRef {
	if e.rest == nil {
		return nil
	}
	return *e.rest
}

// at returns the reference to value n of the entry.
func (e *valueEntry) at(n int) *valueRef {
	if n == 0 {
		return &e.valueRef
	}
	if e.rest == nil {
		e.rest = new([]valueRef)
	}
	if missing := n - len(*e.rest); missing > 0 {
		*e.rest = append(*e.rest, make([]valueRef, missing)...)
	}
	return &(*e.rest)[n-1]
}
