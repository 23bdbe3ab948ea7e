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
