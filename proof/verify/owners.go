package verify

import (
	"freehold/ir"
	"freehold/proof/certificate"
	"freehold/proof/logic"
	"freehold/proof/symbolic"
)

// ownedResults gives those results of a call their values that are owners, and the buffers
// beside them: an owner is null, or owns a new buffer; a buffer is one of those that the rules
// of the function list.
func (v *verifier) ownedResults(fr *symbolic.Frame, op *ir.Op, args []symbolic.Value, c *certificate.Function) {
	lives, made := map[int]logic.Lit{}, map[int]symbolic.Value{}
	for j := range op.NumResults() {
		if r := op.Result(j); symbolic.IsOwner(r.Type()) {
			o := v.NewObject(v.ObjectName(fr, op, j), symbolic.Object{Kind: symbolic.Heap, Op: op, Born: fr.St.Live})
			lives[j], made[j] = v.F.Variable(), v.PointTo(o)
			for i := range op.NumResults() {
				if c.Backed[certificate.Backing{Result: i, Owner: j + 1}] && c.Backings(i) == 1 {
					lives[j] = logic.Yes // some buffer must be result i
				}
			}
			fr.St.Live = fr.St.Live.Set(o, lives[j])
			fr.Values[r] = v.Choose(lives[j], symbolic.OwnerOf(made[j]), v.Null())
		}
	}
	for i := range op.NumResults() {
		r := op.Result(i)
		if !ir.IsMemRef(r.Type()) {
			continue
		}
		x, any := v.PointTo(v.Nothing()), logic.No
		add := func(c logic.Lit, y symbolic.Value) {
			if any != logic.No {
				c = v.F.And(c, v.F.Or(any.Not(), v.F.Variable()))
			}
			x, any = v.Choose(c, y, x), v.F.Or(any, c)
		}
		for k, y := range args {
			if c.Backed[certificate.Backing{Result: i, Argument: k + 1}] && y.Kind == symbolic.Pointer {
				add(logic.Yes, y)
			}
		}
		if c.Backed[certificate.Backing{Result: i}] {
			add(logic.Yes, v.PointTo(v.NewObject(v.ObjectName(fr, op, i), symbolic.Object{Kind: symbolic.Foreign, Op: op})))
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
func seen(c *certificate.Function, i int, x symbolic.Value) symbolic.Value {
	x.Window = symbolic.AnyWindow
	if c.Parts[i] {
		x.Part = logic.Yes
	}
	if c.Shifted[i] {
		x.Shift = symbolic.AnyShift
	}
	return x
}

// returnsOwned checks the results of a function that returns owners: these own different
// buffers, which live, and the others are buffers that its rules list. It returns under
// which conditions the caller gets to own each object.
func (v *verifier) returnsOwned(fr *symbolic.Frame, e symbolic.Edge) map[int]logic.Lit {
	op, given := e.From, map[int]logic.Lit{}
	for i, x := range e.Values {
		if !symbolic.IsOwner(op.Operand(i).Type()) {
			continue
		}
		if x.Kind != symbolic.Pointer {
			v.Refuse(op, "it returns an owner of which nothing is known")
		}
		for _, t := range v.Targets(x) {
			switch {
			case t.Object == v.Nothing():
			case v.Objects[t.Object].Kind != symbolic.Heap:
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
			case symbolic.Heap:
				rest := v.F.And(t.Guard, fr.St.Live.Get(t.Object).Not())
				v.require(fr, op, rest, "it returns a buffer that was freed")
				rest = t.Guard
				for j, y := range e.Values {
					if c := (certificate.Backing{Result: i, Owner: j + 1}); y.Kind == symbolic.Pointer && v.c.Backed[c] {
						rest = v.F.And(rest, v.PointsTo(y, t.Object).Not())
					}
				}
				v.require(fr, op, rest, "it returns a buffer whose owner isn't listed")
				continue
			case symbolic.Stack:
				v.require(fr, op, t.Guard, "it returns a buffer on the stack")
				continue
			case symbolic.Argument:
				listed.Argument = o.Number + 1
			}
			if !v.c.Backed[listed] {
				v.require(fr, op, t.Guard, "it returns a buffer that isn't listed")
			}
		}
	}
	return given
}
