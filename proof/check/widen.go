package check

import (
	"slices"

	"freehold/proof/kernel"
)

// widening is the step of the fixpoint iteration that finds out what a loop changes: the shape of the loop grows by what an
// iteration is seen to change, until there is nothing new.
type widening struct {
	*analysis
	s              *shape
	in, head, next kernel.Edge
	// first is the number of the first object that the iteration made, firstCell that of the first element.
	first, firstCell int
	grew             bool
}

// widen adds to the shape what the iteration changes. It returns false if that was
// all there already. Objects from first on, and elements from firstCell on, are new.
func (a *analysis) widen(s *shape, in, head, next kernel.Edge, first, firstCell int) bool {
	w := &widening{analysis: a, s: s, in: in, head: head, next: next, first: first, firstCell: firstCell}
	moved := slices.Contains(s.own, true)
	for k := range next.Values {
		w.value(k)
	}
	head.St.Live.Compare(next.St.Live, func(o int, x, y kernel.Lit) { w.life(o, x, y, moved) })
	head.St.Memory.Compare(next.St.Memory, w.element)
	return a.reviseGuess(s, in, next, first) || w.grew
}

// mark notes that something holds.
func (w *widening) mark(b *bool) {
	if !*b {
		*b, w.grew = true, true
	}
}

// value adds what the iteration makes of value k.
func (w *widening) value(k int) {
	v, h, in := w.next.Values[k], w.head.Values[k], &w.in.Values[k]
	v.Shape = h.Shape // which is any
	switch {
	case h.Kind == kernel.Derived, h.Kind == kernel.Number && !v.Address(), !w.s.changed[k] && h == v:
		return
	case h.Kind != v.Kind:
		// Something that isn't followed, but whether it carries addresses.
		if *in = w.Fresh(kernel.Number); h.Address() || v.Address() {
			*in = w.Fresh(kernel.Derived)
		}
		w.grew = true
		return
	}
	entry := *in
	w.mark(&w.s.changed[k])
	if v.Window != entry.Window && entry.Window != nil {
		in.Window, w.grew = nil, true
	}
	if v.Part != entry.Part && entry.Part != kernel.Yes {
		in.Part, w.grew = kernel.Yes, true
	}
	if h.Kind != kernel.Pointer {
		return
	}
	if v.Shift != h.Shift && entry.Shift != kernel.AnyShift {
		in.Shift, w.grew = kernel.AnyShift, true
	}
	w.pointer(k)
}

// pointer adds where pointer k points to after the iteration.
func (w *widening) pointer(k int) {
	s, v := w.s, w.next.Values[k]
	if w.leader(s, w.in, w.next, k, w.first) {
		w.mark(&s.own[k])
		return
	}
	if s.guess.entry[k] {
		own, more, ok := w.ownPart(&s.guess, k, v, w.first)
		if ok && len(s.guess.from[k])+len(more) <= maxFrom {
			if own != kernel.No {
				w.mark(&s.own[k])
			}
			s.guess.from[k] = append(s.guess.from[k], more...)
			w.grew = w.grew || len(more) > 0
			return
		}
		s.guess.entry[k], w.grew = false, true
	}
	for _, t := range w.Targets(v) {
		switch {
		case w.made(t.Object, w.first):
			w.mark(&s.own[k])
		case !s.outer[k][t.Object]:
			s.outer[k][t.Object], w.grew = true, true
		}
	}
}

// life adds an object from before the loop of which the life is x at the head, and y after the iteration; moved tells that pointers
// may have moved on before.
func (w *widening) life(o int, x, y kernel.Lit, moved bool) {
	if w.made(o, w.first) || w.s.lives[o] || w.sameAfter(w.next, x, y) {
		return
	}
	w.s.lives[o], w.grew = true, true
	if w.f.older(y, w.s.before) {
		w.s.first[o] = y
	}
	w.s.guess.end(w.analysis, o, w.in, moved)
}

// element adds an element that holds x at the head, and y after the iteration.
func (w *widening) element(c int, x, y *kernel.Value) {
	if c >= w.firstCell || slices.Contains(w.s.kept, c) {
		return // of a buffer that the iteration made, or a value of the head
	}
	carries, known := w.s.cells[c]
	differ := x == nil || y == nil || *x != *y
	address := x != nil && x.Address() || y != nil && y.Address()
	switch {
	case !differ || x == nil && !address:
	case !known && x != nil && x.Kind == kernel.Boolean && y != nil && y.Kind == kernel.Boolean && len(w.s.kept) < maxKeptCells:
		w.s.keep(c)
		w.grew = true
	case !known && x != nil || !carries && address:
		w.s.cells[c], w.grew = address, true
	}
}
