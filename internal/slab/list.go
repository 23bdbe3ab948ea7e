package slab

// List is a list in pages, which gets long without being copied. The zero value is empty and ready.
type List[T any] struct {
	pages [][]T // full ones, one that isn't, and empty ones
	n     int
}

const (
	pageBits = 9
	page     = 1 << pageBits // elements in a page
)

// Len returns the number of elements.
func (l *List[T]) Len() int { return l.n }

// At returns element i, which stays where it is once the list is longer than a page.
func (l *List[T]) At(i int) *T { return &l.pages[i>>pageBits][i&(page-1)] }

// Append adds an element.
func (l *List[T]) Append(x T) {
	k := l.n >> pageBits
	if k == len(l.pages) {
		// The first page grows, for many lists are short.
		var p []T
		if k > 0 {
			p = make([]T, 0, page)
		}
		l.pages = append(l.pages, p)
	}
	l.pages[k] = append(l.pages[k], x)
	l.n++
}

// Pop removes the last element, of which there must be one, and returns it. Its room stays.
func (l *List[T]) Pop() T {
	var zero T
	l.n--
	p := &l.pages[l.n>>pageBits]
	last := len(*p) - 1
	x := (*p)[last]
	(*p)[last] = zero
	*p = (*p)[:last]
	return x
}

// Clear removes all elements. Their room stays.
func (l *List[T]) Clear() {
	for k, p := range l.pages {
		clear(p)
		l.pages[k] = p[:0]
	}
	l.n = 0
}
