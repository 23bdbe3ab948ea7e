package verify

import (
	"freehold/ir"
	"freehold/proof/certificate"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

// ownedResults gives those results of a call their values that are owners, and the buffers
// beside them: an owner is null, or owns a new buffer; a buffer is one of those that the rules
// of the function list.
func (v *verifier) ownedResults(fr *kernel.Frame, op *ir.Op, args []kernel.Value, c *certificate.Function) {
	lives, made := map[int]kernel.Lit{}, map[int]kernel.Value{}
	for j := range op.NumResults() {
		if r := op.Result(j); models.IsOwner(r.Type()) {
			o := v.NewObject(v.ObjectName(fr, op, j), kernel.Object{Kind: kernel.Heap, Op: op, Born: fr.St.Live})
			lives[j], made[j] = v.F.Variable(), v.PointTo(o)
			for i := range op.NumResults() {
				if c.Backed[certificate.Backing{Result: i, Owner: j + 1}] && c.Backings(i) == 1 {
					lives[j] = kernel.Yes // some buffer must be result i
				}
			}
			fr.St.Live = fr.St.Live.Set(o, lives[j])
			v.Assign(fr, r, v.Choose(lives[j], kernel.OwnerOf(made[j]), v.Null()))
		}
	}
	for i := range op.NumResults() {
		r := op.Result(i)
		if !ir.IsMemRef(r.Type()) {
			continue
		}
		x, any := v.PointTo(v.Nothing()), kernel.No
		add := func(c kernel.Lit, y kernel.Value) {
			if any != kernel.No {
				c = v.F.And(c, v.F.Or(any.Not(), v.F.Variable()))
			}
			x, any = v.Choose(c, y, x), v.F.Or(any, c)
		}
		for k, y := range args {
			if c.Backed[certificate.Backing{Result: i, Argument: k + 1}] && y.Kind == kernel.Pointer {
				add(kernel.Yes, y)
			}
		}
		if c.Backed[certificate.Backing{Result: i}] {
			add(kernel.Yes, v.PointTo(v.NewObject(v.ObjectName(fr, op, i), kernel.Object{Kind: kernel.Foreign, Op: op})))
		}
		for j := range op.NumResults() {
			if c.Backed[certificate.Backing{Result: i, Owner: j + 1}] {
				add(lives[j], made[j])
			}
		}
		fr.Cond = v.F.And(fr.Cond, any)
		v.Bind(fr, r, seen(c, i, x))
	}
}

// seen returns what a call's result i is seen as, given where it points to.
func seen(c *certificate.Function, i int, x kernel.Value) kernel.Value {
	x.Window = kernel.AnyWindow
	if c.Parts[i] {
		x.Part = kernel.Yes
	}
	if c.Shifted[i] {
		x.Shift = kernel.AnyShift
	}
	return x
}

// returnsOwned checks the results of a function that returns owners: these own different
// buffers, which live, and the others are buffers that its rules list. It returns under
// which conditions the caller gets to own each object.
func (v *verifier) returnsOwned(fr *kernel.Frame, e kernel.Edge) map[int]kernel.Lit {
	op, given := e.From, map[int]kernel.Lit{}
	for i, x := range e.Values {
		if !models.IsOwner(op.Operand(i).Type()) {
			continue
		}
		if x.Kind != kernel.Pointer {
			v.Refuse(op, "it returns an owner of which nothing is known")
		}
		for _, t := range v.Targets(x) {
			switch {
			case t.Object == v.Nothing():
			case v.Objects[t.Object].Kind != kernel.Heap:
				v.require(fr, op, t.Guard, "it returns an owner of a buffer that its caller must not free")
			default:
				v.require(fr, op, v.F.And(t.Guard, fr.St.Live.Get(t.Object).Not()), "it returns the owner of a buffer that was freed")
				v.require(fr, op, v.F.And(t.Guard, given[t.Object]), "it returns two owners of a buffer")
				given[t.Object] = v.F.Or(given[t.Object], t.Guard)
			}
		}
	}
	for i, x := range e.Values {
		if !ir.IsMemRef(op.Operand(i).Type()) {
			continue
		}
		for _, t := range v.Targets(x) {
			listed := certificate.Backing{Result: i}
			switch o := v.Objects[t.Object]; o.Kind {
			case kernel.Heap:
				rest := v.F.And(t.Guard, fr.St.Live.Get(t.Object).Not())
				v.require(fr, op, rest, "it returns a buffer that was freed")
				rest = t.Guard
				for j, y := range e.Values {
					if c := (certificate.Backing{Result: i, Owner: j + 1}); y.Kind == kernel.Pointer && v.c.Backed[c] {
						rest = v.F.And(rest, v.PointsTo(y, t.Object).Not())
					}
				}
				v.require(fr, op, rest, "it returns a buffer whose owner isn't listed")
				continue
			case kernel.Stack:
				v.require(fr, op, t.Guard, "it returns a buffer on the stack")
				continue
			case kernel.Argument:
				listed.Argument = o.Number + 1
			}
			if !v.c.Backed[listed] {
				v.require(fr, op, t.Guard, "it returns a buffer that isn't listed")
			}
		}
	}
	return given
}
