package ir

import (
	"slices"
	"sync"
	"sync/atomic"

	"freehold/internal/slab"
)

// Numbering gives the numbers 0, 1, 2, ... to values and blocks, so that what is
// known of them can be kept in slices. Looking one up takes a few instructions: each
// value and block remembers the numbering that numbered it last, and its number
// there. Where several numberings have the same values, also on several goroutines,
// those that are older look into a map. The zero value is empty.
//
// A numbering is filled by one goroutine; then any number may look up numbers. The
// program may be changed meanwhile.
//
// The idea is that of sparse sets (Briggs and Torczon, An Efficient Representation
// for Sparse Sets, 1993).
type Numbering struct {
	id    *numberingID
	items []*slot
	mu    sync.Mutex
	lost  map[*slot]int // the first items, once another numbering took some of them
}

// numberingID outlives the numbering in the values it numbered.
type numberingID struct {
	robbed atomic.Bool // another numbering took values over
}

// slot is what a value or block remembers.
type slot struct {
	owner  atomic.Pointer[numberingID]
	number atomic.Uint32
	index  uint32 // position of the value; it is here because there is room
}

// Len returns how many values and blocks have numbers.
func (n *Numbering) Len() int { return len(n.items) }

// AddValue returns the number of a value, a new one if it has none.
func (n *Numbering) AddValue(v *Value) (number int, added bool) { return n.add(&v.slot) }

// AddBlock returns the number of a block, a new one if it has none.
func (n *Numbering) AddBlock(b *Block) (number int, added bool) { return n.add(&b.slot) }

// Value returns the number of a value, or -1.
func (n *Numbering) Value(v *Value) int { return n.find(&v.slot) }

// Block returns the number of a block, or -1.
func (n *Numbering) Block(b *Block) int { return n.find(&b.slot) }

// Reserve makes room for that many numbers.
func (n *Numbering) Reserve(size int) {
	if size > cap(n.items) {
		n.items = slices.Grow(n.items, size-len(n.items))
	}
}

// Reset takes all numbers back, in constant time.
func (n *Numbering) Reset() { n.id, n.items, n.lost = nil, n.items[:0], nil }

func (n *Numbering) add(s *slot) (number int, added bool) {
	if i := n.find(s); i >= 0 {
		return i, false
	}
	if n.id == nil {
		n.id = new(numberingID)
	}
	i := len(n.items)
	n.items = slab.Append(n.items, s)
	// The old owner must know before it looks, whoever it is by then.
	for o := s.owner.Load(); ; o = s.owner.Load() {
		if o != nil && o != n.id && !o.robbed.Load() {
			o.robbed.Store(true)
		}
		if s.owner.CompareAndSwap(o, n.id) {
			break
		}
	}
	s.number.Store(uint32(i))
	return i, true
}

func (n *Numbering) find(s *slot) int {
	if n.id == nil {
		return -1
	}
	if s.owner.Load() == n.id {
		// The number may be that of a numbering that took the slot over, or had it before.
		if i := int(s.number.Load()); i < len(n.items) && n.items[i] == s {
			return i
		}
	} else if !n.id.robbed.Load() {
		return -1
	}
	return n.search(s)
}

// search finds what other numberings took over.
func (n *Numbering) search(s *slot) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.lost == nil {
		n.lost = make(map[*slot]int, len(n.items))
	}
	for i := len(n.lost); i < len(n.items); i++ {
		n.lost[n.items[i]] = i
	}
	if i, ok := n.lost[s]; ok {
		return i
	}
	return -1
}
