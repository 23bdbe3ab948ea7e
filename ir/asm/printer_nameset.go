package asm

import "hash/maphash"

// nameSet is a set of names from which the last ones added can be taken out again:
// a hash table with linear probing, in which what was added last is in nobody's
// way.
type nameSet struct {
	slots []uint32 // numbers of names, plus 1; its length is a power of two
	names []string // in the order in which they were added
}

// find returns the place of a name, which is empty if the set doesn't have it.
func (s *nameSet) find(name string) *uint32 {
	mask := uint32(len(s.slots) - 1)
	i := uint32(maphash.String(nameSeed, name)) & mask
	for s.slots[i] != 0 && s.names[s.slots[i]-1] != name {
		i = (i + 1) & mask
	}
	return &s.slots[i]
}

func (s *nameSet) has(name string) bool { return len(s.names) > 0 && *s.find(name) != 0 }

// reserve makes room for n names in an empty set.
func (s *nameSet) reserve(n int) {
	size := minSlots
	for size < 2*n {
		size *= 2
	}
	if size > len(s.slots) {
		s.slots, s.names = make([]uint32, size), make([]string, 0, n)
	}
}

// add adds a name that the set doesn't have.
func (s *nameSet) add(name string) {
	s.names = append(s.names, name)
	if 2*len(s.names) > len(s.slots) {
		s.slots = make([]uint32, max(minSlots, 2*len(s.slots)))
		for i, n := range s.names {
			*s.find(n) = uint32(i + 1)
		}
		return
	}
	*s.find(name) = uint32(len(s.names))
}

// truncate takes out all but the first n names.
func (s *nameSet) truncate(n int) {
	for i := len(s.names) - 1; i >= n; i-- {
		*s.find(s.names[i]) = 0
	}
	clear(s.names[n:])
	s.names = s.names[:n]
}
