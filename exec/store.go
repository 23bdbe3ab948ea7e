package exec

import (
	"math/bits"
	"unsafe"
)

// Store is a run of memory that knows which of its bytes were written. Elements
// that are objects are kept in a list of their own, where one takes the place of
// one byte.
type Store struct {
	words []uint64
	base  unsafe.Pointer
	objs  []any
	n     int64 // bytes, or objects
	// written has a bit for each byte; it is nil once everything was written.
	written []uint64
	missing int64
}

// NewStore returns memory for count elements. Unless zeroed, it is uninitialised.
func NewStore(e *Elem, count int64, zeroed bool) *Store {
	s := &Store{n: count * e.unit()}
	if e.Size == 0 {
		s.objs = make([]any, count)
	} else {
		s.words = make([]uint64, (s.n+7)/8)
		s.base = unsafe.Pointer(unsafe.SliceData(s.words))
	}
	if !zeroed && s.n > 0 {
		s.written = make([]uint64, (s.n+63)/64)
		s.missing = s.n
	}
	return s
}

// Initialized tells whether every byte was written.
func (s *Store) Initialized() bool { return s.written == nil }

// has tells whether size bytes at p were written. size is a power of two and p a
// multiple of it.
func (s *Store) has(p, size int64) bool {
	if s.written == nil {
		return true
	}
	m := uint64(1<<size-1) << (p & 63)
	return s.written[p>>6]&m == m
}

// hasAny tells whether one of the bytes from one position to another was written. Linear.
func (s *Store) hasAny(from, to int64) bool {
	for p := from; p < to; {
		n := int64(1)
		if s.written == nil {
			return true
		}
		if p%64 == 0 && p+64 <= to {
			n = 64
			if s.written[p>>6] != 0 {
				return true
			}
		} else if s.has(p, 1) {
			return true
		}
		p += n
	}
	return false
}

// wrote notes that size bytes at p were written.
func (s *Store) wrote(p, size int64) {
	if s.written == nil {
		return
	}
	m := uint64(1<<size-1) << (p & 63)
	w := &s.written[p>>6]
	s.missing -= int64(bits.OnesCount64(m &^ *w))
	*w |= m
	if s.missing == 0 {
		s.written = nil
	}
}

// forget notes that size bytes at p hold nothing defined.
func (s *Store) forget(p, size int64) {
	if s.written == nil {
		s.written = make([]uint64, (s.n+63)/64)
		for i := range s.written {
			s.written[i] = ^uint64(0)
		}
		if r := s.n & 63; r != 0 {
			s.written[len(s.written)-1] = 1<<r - 1
		}
	}
	m := uint64(1<<size-1) << (p & 63)
	w := &s.written[p>>6]
	s.missing += int64(bits.OnesCount64(m & *w))
	*w &^= m
}

// wroteAll notes that everything was written.
func (s *Store) wroteAll() { s.written, s.missing = nil, 0 }

// load returns the word at byte p, which must be inside.
func (s *Store) load(p, size int64) uint64 {
	at := unsafe.Add(s.base, p)
	switch size {
	case 4:
		return uint64(*(*uint32)(at))
	case 8:
		return *(*uint64)(at)
	case 1:
		return uint64(*(*uint8)(at))
	}
	return uint64(*(*uint16)(at))
}

// store writes the word at byte p, which must be inside.
func (s *Store) store(p, size int64, v uint64) {
	at := unsafe.Add(s.base, p)
	switch size {
	case 4:
		*(*uint32)(at) = uint32(v)
	case 8:
		*(*uint64)(at) = v
	case 1:
		*(*uint8)(at) = uint8(v)
	default:
		*(*uint16)(at) = uint16(v)
	}
}

// inside tells whether size bytes at p are part of the store.
func (s *Store) inside(p, size int64) bool { return p >= 0 && p <= s.n-size }

// floats32 returns n numbers from byte p on as a slice, which must be inside.
func (s *Store) floats32(p, n int64) []float32 {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*float32)(unsafe.Add(s.base, p)), n)
}

// floats64 returns n numbers from byte p on as a slice, which must be inside.
func (s *Store) floats64(p, n int64) []float64 {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*float64)(unsafe.Add(s.base, p)), n)
}

// bytes returns n bytes from byte p on, which must be inside.
func (s *Store) bytes(p, n int64) []byte {
	if n == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Add(s.base, p)), n)
}

// element is an element that is moved as it is: a word or an object, or undefined.
type element struct {
	word    uint64
	object  any
	defined bool
}

// element returns the element at position p.
func (s *Store) element(p int64, e *Elem) element {
	switch {
	case !s.has(p, e.unit()):
		return element{}
	case e.Size == 0:
		return element{object: s.objs[p], defined: true}
	}
	return element{word: s.load(p, e.Size), defined: true}
}

// setElement sets the element at position p to one of the same type.
func (s *Store) setElement(p int64, e *Elem, v element) {
	switch {
	case !v.defined:
		s.forget(p, e.unit())
		return
	case e.Size == 0:
		s.objs[p] = v.object
	default:
		s.store(p, e.Size, v.word)
	}
	s.wrote(p, e.unit())
}

// clone returns a copy of the store and of what is known about it.
func (s *Store) clone() *Store {
	c := &Store{n: s.n, missing: s.missing}
	if s.objs != nil {
		c.objs = append([]any(nil), s.objs...)
	} else {
		c.words = append([]uint64(nil), s.words...)
		c.base = unsafe.Pointer(unsafe.SliceData(c.words))
	}
	if s.written != nil {
		c.written = append([]uint64(nil), s.written...)
	}
	return c
}

// pointer returns where byte p is, which must be inside.
func (s *Store) pointer(p int64) unsafe.Pointer { return unsafe.Add(s.base, p) }
