package asm

import (
	"hash/maphash"

	"freehold/ir"
)

// labelTable holds the blocks of a region by their labels. Few labels are searched one
// after the other, many by hash.
type labelTable struct {
	entries []blockEntry
	slots   []uint32 // numbers of entries, plus 1; its length is 0 or a power of two
	pending int      // blocks that are used and not defined
}

type blockEntry struct {
	block   *ir.Block
	label   string
	pos     Pos
	defined bool
}

// fewLabels is how many labels are searched without hashing.
const fewLabels = 8

// at returns the entry of a label, made if need be. The entry is valid until the next
// call.
func (t *labelTable) at(label string, pos Pos) *blockEntry {
	if len(t.entries) < fewLabels {
		for i := range t.entries {
			if t.entries[i].label == label {
				return &t.entries[i]
			}
		}
	} else {
		if 2*len(t.entries) >= len(t.slots) {
			t.grow()
		}
		slot := t.find(label)
		if *slot != 0 {
			return &t.entries[*slot-1]
		}
		*slot = uint32(len(t.entries) + 1)
	}
	t.entries = append(t.entries, blockEntry{label: label, pos: pos})
	return &t.entries[len(t.entries)-1]
}

// find returns the place of a label's number in slots.
func (t *labelTable) find(label string) *uint32 {
	mask := uint32(len(t.slots) - 1)
	i := uint32(maphash.String(nameSeed, label)) & mask
	for t.slots[i] != 0 && t.entries[t.slots[i]-1].label != label {
		i = (i + 1) & mask
	}
	return &t.slots[i]
}

func (t *labelTable) grow() {
	t.slots = make([]uint32, max(minSlots, 2*len(t.slots)))
	for i := range t.entries {
		*t.find(t.entries[i].label) = uint32(i + 1)
	}
}

// reset empties the table and keeps what a small one needs.
func (t *labelTable) reset() {
	clear(t.entries)
	t.entries, t.slots, t.pending = t.entries[:0], nil, 0
	if cap(t.entries) > minSlots {
		t.entries = nil
	}
}
