package verify

import (
	"slices"

	"freehold/ir"
	"freehold/proof/certificate"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

// returning is a return of the function that is verified.
type returning struct {
	*verifier
	fr *kernel.Frame
	kernel.Edge
	// owners tells that results say what the caller gets to own, lent which buffers it doesn't.
	owners bool
	lent   map[int]bool
	// given are the conditions under which the caller gets to own objects.
	given map[int]kernel.Lit
	// by are the results that were looked at, by the heap objects that they may be, and others those that may be others. Heap objects that
	// are returned are live, by what is required of each, so that two of them are at different addresses.
	by     map[int][]int
	others []int
}

// returns checks that a function leaves no object behind but those that it returns, which its
// caller may free, and that its results are what its rules say.
func (v *verifier) returns(fr *kernel.Frame, e kernel.Edge) {
	if e.From == nil || !e.From.Has(ir.TraitReturnLike) {
		v.Refuse(v.fn, "it doesn't end with a return")
		return
	}
	r := &returning{verifier: v, fr: fr, Edge: e, owners: models.HasOwners(e.From.Operands().Types()), lent: v.m.lent[v.fn], given: map[int]kernel.Lit{}, by: map[int][]int{}}
	for i, x := range e.Values {
		if models.IsOwner(e.From.Operands().At(i).Type()) {
			r.owner(x)
		}
	}
	for i, x := range e.Values {
		r.result(i, x, e.From.Operands().At(i).Type())
	}
	fr.St.Live.Compare(kernel.Table[kernel.Lit]{}, func(o int, live, _ kernel.Lit) {
		if v.Objects[o].Kind == kernel.Heap {
			r.demand(v.F.And(live, r.given[o].Not()), "it leaves a buffer behind")
		}
	})
}

func (r *returning) demand(bad kernel.Lit, format string, args ...any) {
	r.require(r.fr, r.From, bad, format, args...)
}

// gone is the condition that an object doesn't live where a result points to it.
func (r *returning) gone(t kernel.Target) kernel.Lit {
	return r.F.And(t.Guard, r.fr.St.Live.Get(t.Object).Not())
}

// owner checks that a result owns nothing, or a buffer that lives and that no other result owns.
func (r *returning) owner(x kernel.Value) {
	if x.Kind != kernel.Pointer {
		r.Refuse(r.From, "it returns an owner of which nothing is known")
	}
	for _, t := range r.Targets(x) {
		switch {
		case t.Object == r.Nothing():
		case r.Objects[t.Object].Kind != kernel.Heap:
			r.demand(t.Guard, "it returns an owner of a buffer that its caller must not free")
		default:
			r.demand(r.gone(t), "it returns the owner of a buffer that was freed")
			r.demand(r.F.And(t.Guard, r.given[t.Object]), "it returns two owners of a buffer")
			r.given[t.Object] = r.F.Or(r.given[t.Object], t.Guard)
		}
	}
}

// result checks that result i is what the rules of the function say.
func (r *returning) result(i int, x kernel.Value, t ir.Type) {
	switch {
	case models.IsOwner(t):
	case x.Carries(t) || r.HoldsAddresses(r.fr.St, x):
		r.Refuse(r.From, "it returns an address")
		return
	case x.Kind == kernel.Boolean:
		if always, ok := r.c.Always[i]; ok {
			r.demand(r.F.Iff(x.Truth, kernel.LitOf(always)).Not(), "result %d differs", i)
		}
	}
	if !ir.IsMemRef(t) {
		return
	}
	if !r.c.Parts[i] {
		r.demand(x.Part, "result %d may be a part", i)
	}
	if !r.c.Shifted[i] && x.Shift != 0 {
		r.Refuse(r.From, "the base address of result %d is shifted", i)
	}
	for _, t := range r.Targets(x) {
		r.target(i, t)
	}
	for _, j := range r.meeting(x, i) {
		if !r.owners && !r.c.Same[[2]int{j, i}] {
			r.demand(r.EqualObjects(r.Values[j], x), "results %d and %d may be the same", j, i)
		}
	}
}

// owned returns the condition that the caller gets to own object o with result i.
func (r *returning) owned(i, o int) kernel.Lit {
	if by, ok := r.c.Gives[i]; ok {
		return r.Values[by].Truth
	}
	if !r.owners {
		return kernel.Yes
	}
	out := kernel.No
	for j, y := range r.Values {
		if y.Kind == kernel.Pointer && r.c.Backed[certificate.Backing{Result: i, Owner: j + 1}] {
			out = r.F.Or(out, r.PointsTo(y, o))
		}
	}
	return out
}

// target checks that result i may be an object where it points to it: one that the caller gets to own, or one that it doesn't.
func (r *returning) target(i int, t kernel.Target) {
	o, listed := r.Objects[t.Object], certificate.Backing{Result: i}
	if o.Kind == kernel.Argument {
		listed.Argument = o.Number + 1
	}
	switch {
	case o.Kind == kernel.Heap:
		if r.demand(r.gone(t), "it returns a buffer that was freed"); r.lent[i] {
			break // another result gives it to the caller, or it is left behind
		}
		if r.demand(r.F.And(t.Guard, r.owned(i, t.Object).Not()), "it returns a buffer that nobody owns"); !r.owners {
			r.given[t.Object] = r.F.Or(r.given[t.Object], t.Guard)
		}
	case r.lent[i] && (o.Kind == kernel.Argument || o.Kind == kernel.Static), r.owners && o.Kind != kernel.Stack && r.c.Backed[listed]:
	case o.Kind == kernel.Argument && !r.owners:
		r.demand(r.F.And(t.Guard, r.owned(i, t.Object)), "it returns a buffer of its caller")
	default:
		r.demand(t.Guard, "it returns a buffer that its caller must not free")
	}
}

// meeting returns the results before that may be the same buffer as result i, in order, and adds that one.
func (r *returning) meeting(x kernel.Value, i int) (out []int) {
	other := false
	for _, t := range r.Targets(x) {
		if r.Objects[t.Object].Kind != kernel.Heap {
			other = true
			continue
		}
		out = append(out, r.by[t.Object]...)
		r.by[t.Object] = append(r.by[t.Object], i)
	}
	if other {
		out = append(out, r.others...)
		r.others = append(r.others, i)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
