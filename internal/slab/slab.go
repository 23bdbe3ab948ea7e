// Package slab cuts many short slices out of few long ones, so that the garbage
// collector sees few objects.
package slab

import "slices"

// Pool hands out parts of slabs, each of which is twice as large as the one before, up
// to a limit: a pool of which little is used must not take much memory. The zero value
// is ready. A slab lives as long as any of its parts.
type Pool[T any] struct {
	free []T
	slab int // size of the last slab
}

const first, largest = 8, 256

// Take returns a slice of n zero values, with no room for more.
func (p *Pool[T]) Take(n int) []T {
	if n == 0 {
		return nil
	}
	if n > len(p.free) {
		if n > largest/8 {
			return make([]T, n)
		}
		p.slab = min(max(2*p.slab, first), largest)
		p.free = make([]T, max(n, p.slab))
		// Fresh memory whose pages are read first, as parts are, is mapped twice: to the
		// system's page of zeros, and again at the first write, which interrupts the other
		// processors. So it is written first.
		clear(p.free)
	}
	s := p.free[:n:n]
	p.free = p.free[n:]
	return s
}

// Append is append for lists that get long: it doubles their room where append adds a
// quarter, so that all the arrays that a list outgrew are together no longer than the
// list, and not four times as long.
func Append[T any](list []T, x T) []T {
	if len(list) == cap(list) {
		list = slices.Grow(list, max(first, len(list)))
	}
	return append(list, x)
}

// Copy returns a copy of list; nil for an empty one.
func (p *Pool[T]) Copy(list []T) []T {
	out := p.Take(len(list))
	copy(out, list)
	return out
}
