package exec

import (
	"slices"

	"freehold/ir"
)

// A program may keep buffers in an arena, a buffer of bytes: parts of it, which are
// buffers of their own as long as their elements are needed. Parts that overlap must not be
// needed at the same time. So a part holds its bytes from an access on, until one that
// overlaps is written: then it is stale, and its elements must not be read before it is
// written again. What it holds then is undefined at first. If it was only read, of what is undefined, it may be read so again.

// arenaPart is what an allocation that is a part of an arena knows.
type arenaPart struct {
	arena    *Alloc
	from, to int64 // bytes
	op       *ir.Op
	call     int64 // the activation of the function that made it
	// taker is what took the part's bytes, nil if nothing did or none of them was defined, and taken the operation
	// that wrote to it.
	taker *Alloc
	taken *ir.Op
	// gone tells that the arena was freed.
	gone bool
	// apart tells that the elements are objects, in a store of the part's own: no bytes of the arena tell them.
	apart bool
}

// hasAny tells whether something in a part is defined.
func (p *Alloc) hasAny() bool {
	if p.part.apart {
		return p.Store.hasAny(0, p.Store.n)
	}
	return p.Store.hasAny(p.part.from, p.part.to)
}

// Part returns the allocation that stands for count elements of an arena, from byte start of its
// store on, as an operation sees it in an activation of its function: parts of earlier ones, whose arena
// the caller brought, are others. Linear in the number of the arena's parts, and in the depth of calls where
// a part is new.
func (a *Alloc) Part(f *Frame, op *ir.Op, start, count int64, e *Elem, t ir.Type) *Alloc {
	size := count * e.Bytes
	if e.Size != 0 {
		size = count * e.Size
	}
	if a.part != nil {
		a = a.part.arena
	}
	if a.freed {
		return a
	}
	for _, p := range a.parts {
		if p.part.op == op && p.part.from == start && p.part.to == start+size && p.part.call == f.call {
			return p
		}
	}
	a.parts = slices.DeleteFunc(a.parts, func(p *Alloc) bool { return p.part.call != f.call && !f.M.isActive(p.part.call) })
	p := &Alloc{Store: a.Store, ID: a.ID, place: a.place, Origin: a.Origin, Loc: op.Loc(), Type: t, Bytes: size, freed: true,
		part: &arenaPart{arena: a, from: start, to: start + size, op: op, call: f.call}}
	if e.Size == 0 {
		p.part.apart, p.Store = true, NewStore(e, count, false)
	}
	a.parts = append(a.parts, p)
	return p
}

// take makes a part hold its bytes, of which nothing is defined then. Linear in the number of
// parts.
func (a *Alloc) take(op *ir.Op) {
	for _, p := range a.part.arena.parts {
		if p != a && !p.freed && p.part.from < a.part.to && a.part.from < p.part.to {
			p.freed = true
			if p.hasAny() {
				p.part.taker, p.part.taken = a, op
			}
		}
	}
	a.freed, a.part.taker, a.part.taken = false, nil, nil
	from, to := a.part.from, a.part.to
	if a.part.apart {
		from, to = 0, a.Store.n
	}
	for i := from; i < to; {
		n := int64(1)
		if i%64 == 0 && i+64 <= to {
			n = 64
		}
		a.Store.forget(i, n)
		i += n
	}
}

// stale checks that a part that doesn't hold its bytes may be accessed, and makes it hold them.
func (m *MemRef) stale(op *ir.Op, write bool) error {
	a := m.Alloc
	switch {
	case a.part.gone:
		return Findf(UseAfterFree, op, "memory is used after it was freed").about(a.part.arena)
	case !write && a.part.taker != nil:
		f := Findf(Overlap, op, "a part of an arena is read after another part that overlaps it was written")
		f.WithNote(a.Loc, "the part that is read")
		f.WithNote(a.part.taker.Loc, "the part that was written")
		f.WithNote(a.part.taken.Loc(), "written here")
		return f
	}
	a.take(op)
	return nil
}

// dropParts notes that an arena was freed.
func (a *Alloc) dropParts() {
	for _, p := range a.parts {
		p.freed, p.part.gone = true, true
		if !p.part.apart {
			p.Store = a.Store
		}
	}
	a.parts = nil
}
