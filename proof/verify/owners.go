package verify

import (
	"freehold/ir"
	"freehold/proof/certificate"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

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
