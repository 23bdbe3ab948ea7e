package check

import (
	"freehold/dialect/deallocation"
	"freehold/ir"
)

// An owner, of the type !deallocation.ownership, is a pointer to what it owns: to an
// allocation as a whole, or to nothing if it is null.

// allocation is the shift of a pointer that is the address of an allocation, which isn't
// that of its first element.
const allocation = -2

func isOwner(t ir.Type) bool { return deallocation.IsOwnership(t) }

// nothing returns the object that null points to.
func (a *analysis) nothing() int {
	o, ok := a.sites[site{}]
	if !ok {
		o = a.newObject(object{kind: nothing, loc: a.fn.Loc()})
		a.sites[site{}] = o
	}
	return o
}

// null returns the owner of nothing.
func (a *analysis) null() value { return ownerOf(a.pointTo(a.nothing())) }

// ownerOf returns the owner of what a memref points to.
func ownerOf(v value) value {
	v.window, v.part, v.shift = anyWindow, no, allocation
	return v
}

// orNull returns a number as a pointer, if it is zero and meets one.
func (a *analysis) orNull(v, met value) value {
	if v.kind != integer || v.number != 0 || met.kind != pointer {
		return v
	}
	v = a.null()
	v.shift = met.shift
	return v
}

// allocations returns what the operands own, or are part of. It gives the operation up, and
// returns false, if nothing is known about one.
func (a *analysis) allocations(fr *frame, op *ir.Op, operands ir.Operands) ([]value, bool) {
	out := a.getAll(fr, operands)
	for i, v := range out {
		if v.kind != pointer {
			a.hide(fr, op)
			return nil, false
		}
		out[i] = ownerOf(v)
	}
	return out, true
}

func (a *analysis) nullOwner(fr *frame, op *ir.Op) bool {
	a.set(fr, op.Result(0), a.null())
	return true
}

// own returns the owner of a buffer, or its address.
func (a *analysis) own(fr *frame, op *ir.Op) bool {
	if of, ok := a.allocations(fr, op, op.Operands()); ok {
		a.set(fr, op.Result(0), of[0])
	}
	return true
}

// freeOwned frees what an owner owns, which must not be nothing.
func (a *analysis) freeOwned(fr *frame, op *ir.Op) bool {
	if owners, ok := a.allocations(fr, op, op.Operands()); ok {
		a.free(fr, op, owners[0], yes)
	}
	return true
}

// retain returns for each buffer the first of the owners that own it and weren't returned
// yet, and frees what the others own.
func (a *analysis) retain(fr *frame, op *ir.Op) bool {
	o := deallocation.RetainOp{Op: op}
	buffers, ok := a.allocations(fr, op, o.Retained())
	if !ok {
		return true
	}
	owners, ok := a.allocations(fr, op, o.Owners())
	if !ok {
		return true
	}
	for i, v := range a.keep(fr, op, buffers, owners, o.Counts) {
		a.set(fr, op.Result(i), v)
	}
	return true
}

// keep returns for each buffer that counts the first of the owners that own it and weren't
// returned yet, else null, and frees what the others own.
func (a *analysis) keep(fr *frame, op *ir.Op, buffers, owners []value, counts func(i int) bool) []value {
	out := make([]value, len(buffers))
	for i, m := range buffers {
		kept, found := a.null(), no
		for j, owner := range owners {
			if !counts(i) {
				break
			}
			this := a.f.and(found.not(), a.f.and(owner.guardOf(a.nothing()).not(), a.equal(m, owner)))
			kept = a.choose(this, owner, kept)
			owners[j] = a.choose(this, a.null(), owner)
			found = a.f.or(found, this)
		}
		out[i] = kept
	}
	for _, owner := range owners {
		a.freeUnlessNull(fr, op, owner)
	}
	return out
}

// hasOwners tells whether there are owners among types. If there are among the results of a
// function, they say what its caller owns.
func hasOwners(types []ir.Type) bool {
	for _, t := range types {
		if isOwner(t) {
			return true
		}
	}
	return false
}

// backing is a buffer that result number of a function, a memref, may be: argument or
// owner are the number of the argument that it may be, or of the result that owns it; if
// both are none it is a buffer that lives as long as the program.
type backing struct{ result, argument, owner int }

// checkOwners checks what a function returns that says by owners what its caller owns: they
// own different buffers, which live. It returns under which conditions they own each object.
func (a *analysis) checkOwners(fr *frame, e edge) map[int]lit {
	given := map[int]lit{}
	var owners []int
	for i, v := range e.values {
		if !isOwner(e.from.Operand(i).Type()) {
			continue
		}
		if v.kind != pointer {
			a.cannotJudge(e.from, "it returns an owner of which nothing is known")
			continue
		}
		owners = append(owners, i)
		for _, t := range v.targets {
			switch x := a.objects[t.object]; {
			case x.kind == nothing || a.isLost(t.object):
			case x.kind == heap:
				a.use(fr, e.from, value{targets: []target{t}})
				a.violate(fr, DoubleFree, e.from, t.object, a.f.and(t.guard, given[t.object]), "")
				given[t.object] = a.f.or(given[t.object], t.guard)
			case x.kind == foreign:
				a.cannotJudge(e.from, "it returns an owner of a buffer of unknown origin")
			default:
				a.violate(fr, BorrowedReturn, e.from, t.object, t.guard, "")
			}
		}
	}
	for i, v := range e.values {
		if v.kind != pointer || !ir.IsMemRef(e.from.Operand(i).Type()) {
			continue
		}
		for _, t := range v.targets {
			if a.f.and(a.here(fr), t.guard) == no || a.isLost(t.object) {
				continue
			}
			switch x := a.objects[t.object]; x.kind {
			case heap:
				a.use(fr, e.from, value{targets: []target{t}})
				for _, j := range owners {
					if a.f.and(t.guard, e.values[j].guardOf(t.object)) != no {
						a.promise.backed[backing{i, none, j}] = true
					}
				}
			case stack:
				a.violate(fr, BorrowedReturn, e.from, t.object, t.guard, "")
			case argument:
				a.promise.backed[backing{i, x.number, none}] = true
			default:
				a.promise.backed[backing{i, none, none}] = true
			}
		}
	}
	return given
}

// ownedResults gives those results of a call their values that are owners, and the buffers
// beside them: each owner is null, or owns a new buffer, and the buffers are what the
// function may return.
func (a *analysis) ownedResults(fr *frame, op *ir.Op, args []value, c *contract) {
	if c.backed == nil {
		a.cannotJudge(op, "nothing is known about the owners that it returns")
		a.giveUp(fr, op)
		return
	}
	lives, made := map[int]lit{}, map[int]value{}
	for j := range op.NumResults() {
		r := op.Result(j)
		if !isOwner(r.Type()) {
			continue
		}
		o := a.newObject(object{kind: heap, op: op, loc: op.Loc(), number: j, born: fr.st.live})
		a.notes.object(fr, o, op, j)
		if c.inside {
			a.by = a.by.set(o, c)
		}
		lives[j], made[j] = a.f.variable(), a.pointTo(o)
		for i := range op.NumResults() {
			if c.backedBy(i, j) {
				lives[j] = yes
			}
		}
		fr.st.live = fr.st.live.set(o, lives[j])
		a.event(fr, event{kind: allocated, op: op, object: o}, lives[j])
		a.set(fr, r, a.choose(lives[j], ownerOf(made[j]), a.null()))
	}
	a.coarse = a.coarse || c.proved
	for i := range op.NumResults() {
		r := op.Result(i)
		if !ir.IsMemRef(r.Type()) {
			continue
		}
		v, any := a.pointTo(a.nothing()), no
		add := func(c lit, w value) {
			if any != no {
				c = a.f.and(c, a.f.or(any.not(), a.f.variable()))
			}
			v, any = a.choose(c, w, v), a.f.or(any, c)
		}
		for k, w := range args {
			if c.backed[backing{i, k, none}] && w.kind == pointer {
				add(yes, w)
			}
		}
		if c.backed[backing{i, none, none}] {
			outside := a.foreign(fr, r)
			a.notes.object(fr, outside.targets[0].object, op, i)
			add(yes, outside)
		}
		for j := range op.NumResults() {
			if c.backed[backing{i, none, j}] {
				add(lives[j], made[j])
			}
		}
		fr.cond = a.f.and(fr.cond, any)
		a.set(fr, r, c.seen(i, v))
	}
}

// backedBy tells whether owner j owns buffer i in any case.
func (c *contract) backedBy(i, j int) bool {
	n := 0
	for b := range c.backed {
		if b.result == i {
			n++
		}
	}
	return n == 1 && c.backed[backing{i, none, j}]
}

// seen returns what a call's result i is seen as, given where it points to.
func (c *contract) seen(i int, v value) value {
	v.window = anyWindow
	if c.parts[i] {
		v.part = yes
	}
	if c.shifted[i] {
		v.shift = anyShift
	}
	return v
}
