package models

import (
	"freehold/dialect/deallocation"
	"freehold/ir"
	"freehold/proof/kernel"
)

// IsOwner tells whether a type is that of owners: pointers to allocations, or to nothing.
func IsOwner(t ir.Type) bool { return deallocation.IsOwnership(t) }

// HasOwners tells whether there are owners among types. Among the results of a function, they
// tell what its caller gets to own.
func HasOwners(types []ir.Type) bool {
	for _, t := range types {
		if IsOwner(t) {
			return true
		}
	}
	return false
}

func null(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	v.Assign(fr, op.Result(0), v.Null())
	return true
}

// own returns the owner of a buffer, or its address.
func own(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	if x, ok := owner(v, fr, op, op.Operands().At(0)); ok {
		v.Assign(fr, op.Result(0), x)
	}
	return true
}

// free frees what an owner owns, which must not be nothing.
func free(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	if x, ok := owner(v, fr, op, op.Operands().At(0)); ok {
		FreeOwned(v, fr, op, x, false)
	}
	return true
}

// retain returns for each buffer the first of the owners that own it and weren't returned
// yet, and frees what the others own.
func retain(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	o := deallocation.RetainOp{Op: op}
	known := func(operands ir.Operands) (out []kernel.Value, ok bool) {
		for _, of := range operands.Values() {
			x, ok := owner(v, fr, op, of)
			if !ok {
				return nil, false
			}
			out = append(out, x)
		}
		return out, true
	}
	buffers, ok := known(o.Retained())
	if !ok {
		return true
	}
	owners, ok := known(o.Owners())
	if !ok {
		return true
	}
	for i, kept := range Retain(v, fr, op, buffers, owners, o.Counts) {
		v.Assign(fr, op.Result(i), kept)
	}
	return true
}

// owner returns the owner of what a memref or owner points to; false if nothing is known about that.
func owner(v *kernel.Machine, fr *kernel.Frame, op *ir.Op, of *ir.Value) (kernel.Value, bool) {
	x := v.Get(fr, of)
	switch {
	case x.Kind == kernel.Pointer:
		return kernel.OwnerOf(x), true
	case v.Hidden != nil:
		v.Hidden(fr, op)
	default:
		v.Refuse(op, "nothing is known about what it gets the owner of")
	}
	return kernel.Value{}, false
}

// FreeOwned frees what an owner owns; unless null may be freed, it must own something.
func FreeOwned(v *kernel.Machine, fr *kernel.Frame, op *ir.Op, owner kernel.Value, orNull bool) {
	for _, t := range v.Targets(owner) {
		if t.Object != v.Nothing() || !orNull {
			v.Free(fr, op, t.Object, t.Guard, kernel.No)
		}
		if t.Object != v.Nothing() && orNull {
			v.Spared(fr, op, t.Object, t.Guard.Not())
		}
	}
}

// Retain returns for each buffer, if it counts, the first of the owners that own it and weren't returned
// yet, else null, and frees what the others own.
func Retain(v *kernel.Machine, fr *kernel.Frame, op *ir.Op, buffers, owners []kernel.Value, counts func(i int) bool) []kernel.Value {
	out := make([]kernel.Value, len(buffers))
	for i, buffer := range buffers {
		kept, found := v.Null(), kernel.No
		for j := 0; counts(i) && j < len(owners); j++ {
			this := v.F.And(v.PointsTo(owners[j], v.Nothing()).Not(), v.SameAddress(kernel.OwnerOf(buffer), kernel.OwnerOf(owners[j])))
			this = v.F.And(found.Not(), this)
			kept, owners[j], found = v.Choose(this, owners[j], kept), v.Choose(this, v.Null(), owners[j]), v.F.Or(found, this)
		}
		out[i] = kept
	}
	for _, x := range owners {
		FreeOwned(v, fr, op, x, true)
	}
	return out
}
