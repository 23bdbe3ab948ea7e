package asm

import (
	"hash/maphash"

	"freehold/ir"
)

// labelTable holds the blocks of a region by their labels. Few labels are searched one
// after the other, many by hash.
type labelTable struct {
	pages   []*[labelPage]blockEntry
	n       uint32   // number of entries
	slots   []uint32 // numbers of entries, plus 1; its length is 0 or a power of two
	pending int      // blocks that are used and not defined
}

type blockEntry struct {
	block   *ir.Block
	label   string
	pos     Pos
	defined bool
}

const (
	// fewLabels is how many labels are searched without hashing.
	fewLabels = 8
	labelPage = 32
)

func (t *labelTable) entry(i uint32) *blockEntry { return &t.pages[i/labelPage][i%labelPage] }

// at returns the entry of a label, made if need be.
func (t *labelTable) at(label string, pos Pos) *blockEntry {
	if t.n < fewLabels {
		for i := range t.n {
			if e := t.entry(i); e.label == label {
				return e
			}
		}
	} else {
		if 2*int(t.n) >= len(t.slots) {
			t.grow()
		}
		slot := t.find(label)
		if *slot != 0 {
			return t.entry(*slot - 1)
		}
		*slot = t.n + 1
	}
	if t.n/labelPage == uint32(len(t.pages)) {
		t.pages = append(t.pages, new([labelPage]blockEntry))
	}
	e := t.entry(t.n)
	t.n++
	e.label, e.pos = label, pos
	return e
}

// find returns the place of a label's number in slots.
func (t *labelTable) find(label string) *uint32 {
	mask := uint32(len(t.slots) - 1)
	i := uint32(maphash.String(nameSeed, label)) & mask
	for t.slots[i] != 0 && t.entry(t.slots[i]-1).label != label {
		i = (i + 1) & mask
	}
	return &t.slots[i]
}

func (t *labelTable) grow() {
	t.slots = make([]uint32, max(minSlots, 2*len(t.slots)))
	for i := range t.n {
		*t.find(t.entry(i).label) = i + 1
	}
}

// reset empties the table and keeps what a small one needs.
func (t *labelTable) reset() {
	for i := range min(t.n, labelPage) {
		*t.entry(i) = blockEntry{}
	}
	if len(t.pages) > 1 {
		t.pages = t.pages[:1:1]
	}
	t.slots, t.n, t.pending = nil, 0, 0
}
