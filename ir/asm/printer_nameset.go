package asm

import "hash/maphash"

// nameSet is a set of names from which the last ones added can be taken out again. It
// numbers all names that were ever in it: a hash table with linear probing.
type nameSet struct {
	slots []uint32 // numbers of names, plus 1; its length is a power of two
	names []string
	in    []bool   // parallel to names
	added []uint32 // the names in the set, in the order in which they were added
	// outer is a set whose names are in this one as well; nil if there is none.
	outer *nameSet
}

// find returns the place of a name's number in slots.
func (s *nameSet) find(name string) *uint32 {
	mask := uint32(len(s.slots) - 1)
	i := uint32(maphash.String(nameSeed, name)) & mask
	for s.slots[i] != 0 && s.names[s.slots[i]-1] != name {
		i = (i + 1) & mask
	}
	return &s.slots[i]
}

func (s *nameSet) has(name string) bool {
	for ; s != nil; s = s.outer {
		if len(s.names) == 0 {
			continue
		}
		if n := *s.find(name); n != 0 && s.in[n-1] {
			return true
		}
	}
	return false
}

// add adds a name that the set doesn't have and returns its number.
func (s *nameSet) add(name string) uint32 {
	if 2*len(s.names) >= len(s.slots) {
		s.grow()
	}
	p := s.find(name)
	if *p == 0 {
		s.names = append(s.names, name)
		s.in = append(s.in, true)
		*p = uint32(len(s.names))
	}
	n := *p - 1
	s.in[n] = true
	s.added = append(s.added, n)
	return n
}

func (s *nameSet) grow() {
	size := max(minSlots, 2*len(s.slots))
	if size <= cap(s.slots) {
		s.slots = s.slots[:size]
		clear(s.slots)
	} else {
		s.slots = make([]uint32, size)
	}
	for i, n := range s.names {
		*s.find(n) = uint32(i + 1)
	}
}

// truncate takes out all but the first n names.
func (s *nameSet) truncate(n int) {
	for _, i := range s.added[n:] {
		s.in[i] = false
	}
	s.added = s.added[:n]
}

// reset empties the set and forgets the names. It takes time by their number.
func (s *nameSet) reset() {
	clear(s.slots)
	s.slots = s.slots[:min(minSlots, len(s.slots))]
	clear(s.names)
	s.names, s.in, s.added = s.names[:0], s.in[:0], s.added[:0]
}
