package check

import (
	"freehold/ir"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

// An owner, of the type !deallocation.ownership, is a pointer to what it owns: to an
// allocation as a whole, or to nothing if it is null.

// backing is a buffer that result number of a function, a memref, may be: argument or
// owner are the number of the argument that it may be, or of the result that owns it; if
// both are none it is a buffer that lives as long as the program.
type backing struct{ result, argument, owner int }

// checkOwners checks what a function returns that says by owners what its caller owns: they
// own different buffers, which live. It returns under which conditions they own each object.
func (a *analysis) checkOwners(fr *kernel.Frame, e kernel.Edge) map[int]kernel.Lit {
	given := map[int]kernel.Lit{}
	var owners []int
	for i, v := range e.Values {
		if !models.IsOwner(e.From.Operand(i).Type()) {
			continue
		}
		if v.Kind != kernel.Pointer {
			a.cannotJudge(e.From, "it returns an owner of which nothing is known")
			continue
		}
		owners = append(owners, i)
		for _, t := range a.Targets(v) {
			switch x := a.Objects[t.Object]; {
			case x.Kind == kernel.NullObject || a.isLost(t.Object):
			case x.Kind == kernel.Heap:
				a.UseTarget(fr, e.From, t)
				a.violate(fr, DoubleFree, e.From, t.Object, a.f.And(t.Guard, given[t.Object]), "")
				given[t.Object] = a.f.Or(given[t.Object], t.Guard)
			case x.Kind == kernel.Foreign:
				a.cannotJudge(e.From, "it returns an owner of a buffer of unknown origin")
			default:
				a.violate(fr, BorrowedReturn, e.From, t.Object, t.Guard, "")
			}
		}
	}
	for i, v := range e.Values {
		if v.Kind != kernel.Pointer || !ir.IsMemRef(e.From.Operand(i).Type()) {
			continue
		}
		for _, t := range a.Targets(v) {
			if a.f.And(a.Here(fr), t.Guard) == kernel.No || a.isLost(t.Object) {
				continue
			}
			switch x := a.Objects[t.Object]; x.Kind {
			case kernel.Heap:
				a.UseTarget(fr, e.From, t)
				for _, j := range owners {
					if a.f.And(t.Guard, a.Guard(e.Values[j], t.Object)) != kernel.No {
						a.promise.backed[backing{i, none, j}] = true
					}
				}
			case kernel.Stack:
				a.violate(fr, BorrowedReturn, e.From, t.Object, t.Guard, "")
			case kernel.Argument:
				a.promise.backed[backing{i, x.Number, none}] = true
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
func (a *analysis) ownedResults(fr *kernel.Frame, op *ir.Op, args []kernel.Value, c *contract) {
	if c.backed == nil {
		a.cannotJudge(op, "nothing is known about the owners that it returns")
		a.giveUp(fr, op)
		return
	}
	lives, made := map[int]kernel.Lit{}, map[int]kernel.Value{}
	for j := range op.NumResults() {
		r := op.Result(j)
		if !models.IsOwner(r.Type()) {
			continue
		}
		o := a.NewObject("", kernel.Object{Kind: kernel.Heap, Op: op, Loc: op.Loc(), Number: j, Born: fr.St.Live})
		a.notes.object(fr, o, op, j)
		if c.inside {
			a.by = a.by.Set(o, c)
		}
		lives[j], made[j] = a.f.Variable(), a.PointTo(o)
		for i := range op.NumResults() {
			if c.backedBy(i, j) {
				lives[j] = kernel.Yes
			}
		}
		fr.St.Live = fr.St.Live.Set(o, lives[j])
		a.event(fr, event{kind: allocated, op: op, object: o}, lives[j])
		a.Assign(fr, r, a.Choose(lives[j], kernel.OwnerOf(made[j]), a.Null()))
	}
	a.coarse = a.coarse || c.proved
	for i := range op.NumResults() {
		r := op.Result(i)
		if !ir.IsMemRef(r.Type()) {
			continue
		}
		v, any := a.PointTo(a.Nothing()), kernel.No
		add := func(c kernel.Lit, w kernel.Value) {
			if any != kernel.No {
				c = a.f.And(c, a.f.Or(any.Not(), a.f.Variable()))
			}
			v, any = a.Choose(c, w, v), a.f.Or(any, c)
		}
		for k, w := range args {
			if c.backed[backing{i, k, none}] && w.Kind == kernel.Pointer {
				add(kernel.Yes, w)
			}
		}
		if c.backed[backing{i, none, none}] {
			outside := a.foreign(fr, r)
			a.notes.object(fr, a.Targets(outside)[0].Object, op, i)
			add(kernel.Yes, outside)
		}
		for j := range op.NumResults() {
			if c.backed[backing{i, none, j}] {
				add(lives[j], made[j])
			}
		}
		fr.Cond = a.f.And(fr.Cond, any)
		a.Assign(fr, r, c.seen(i, v))
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
func (c *contract) seen(i int, v kernel.Value) kernel.Value {
	v.Window = kernel.AnyWindow
	if c.parts[i] {
		v.Part = kernel.Yes
	}
	if c.shifted[i] {
		v.Shift = kernel.AnyShift
	}
	return v
}
