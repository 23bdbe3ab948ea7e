package exec

import "freehold/ir"

// Loads and stores of words in memrefs of rank 1 and 2 are most of what loop
// nests over buffers execute, so they have steps of their own. What is wrong in
// any way is left to the general step, which finds out what it is.

// fastIndex is the position of an element in a memref of rank 1 or 2: the words
// of its indices, of which a memref of rank 1 has only the first.
type fastIndex struct {
	i, j int
	two  bool
}

// at returns the byte of the element, or -1 where something is wrong.
func (x *fastIndex) at(f *Frame, m *MemRef, size int64) int64 {
	u := f.W[x.i]
	if m.Alloc.freed || u >= uint64(m.Sizes[0]) {
		return -1
	}
	p := m.Offset + int64(u)*m.Strides[0]
	if x.two {
		v := f.W[x.j]
		if v >= uint64(m.Sizes[1]) {
			return -1
		}
		p += int64(v) * m.Strides[1]
	}
	p = p*size + m.Shift
	if p < 0 || p > m.Alloc.n-size {
		return -1
	}
	return p
}

func fastIndexOf(idx []int) (*fastIndex, bool) {
	switch len(idx) {
	case 1:
		return &fastIndex{i: idx[0]}, true
	case 2:
		return &fastIndex{idx[0], idx[1], true}, true
	}
	return nil, false
}

// fastLoad returns the step for reading a word of the given size, or nil.
func fastLoad(ref, word int, idx []int, size int64, slow Step) Step {
	x, ok := fastIndexOf(idx)
	if !ok {
		return nil
	}
	if size == 4 {
		return func(f *Frame) error {
			m := f.O[ref].(*MemRef)
			p := x.at(f, m, 4)
			if p < 0 || m.Alloc.written != nil && !m.Alloc.has(p, 4) {
				return slow(f)
			}
			f.W[word] = uint64(*(*uint32)(m.Alloc.pointer(p)))
			return nil
		}
	}
	return func(f *Frame) error {
		m := f.O[ref].(*MemRef)
		p := x.at(f, m, size)
		if p < 0 || m.Alloc.written != nil && !m.Alloc.has(p, size) {
			return slow(f)
		}
		f.W[word] = m.Alloc.load(p, size)
		return nil
	}
}

// fastStore returns the step for writing a word of the given size, or nil.
func fastStore(ref, word int, idx []int, size int64, slow Step) Step {
	x, ok := fastIndexOf(idx)
	if !ok {
		return nil
	}
	return func(f *Frame) error {
		m := f.O[ref].(*MemRef)
		a := m.Alloc
		p := x.at(f, m, size)
		if p < 0 || a.ReadOnly {
			return slow(f)
		}
		if size == 4 {
			*(*uint32)(a.pointer(p)) = uint32(f.W[word])
		} else {
			a.store(p, size, f.W[word])
		}
		if a.written != nil {
			a.wrote(p, size)
		}
		return nil
	}
}

// isPlainWord tells whether elements of the value's type are words, and the value
// can't be poison.
func (c *Compiler) isPlainWord(v *ir.Value) bool {
	return IsWord(v.Type()) && !c.poisonable[v]
}
