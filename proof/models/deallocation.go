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
	if x, ok := v.Owner(fr, op, op.Operands().At(0)); ok {
		v.Assign(fr, op.Result(0), x)
	}
	return true
}

// free frees what an owner owns, which must not be nothing.
func free(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	if x, ok := v.Owner(fr, op, op.Operands().At(0)); ok {
		v.FreeOwned(fr, op, x, false)
	}
	return true
}

// retain returns for each buffer the first of the owners that own it and weren't returned
// yet, and frees what the others own.
func retain(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	o := deallocation.RetainOp{Op: op}
	known := func(operands ir.Operands) (out []kernel.Value, ok bool) {
		for _, x := range operands.Values() {
			owner, ok := v.Owner(fr, op, x)
			if !ok {
				return nil, false
			}
			out = append(out, owner)
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
	for i, kept := range v.Retain(fr, op, buffers, owners, o.Counts) {
		v.Assign(fr, op.Result(i), kept)
	}
	return true
}
