package kernel

import (
	"freehold/dialect/deallocation"
	"freehold/ir"
)

// Allocation is the shift of a pointer that is the address of an allocation, which isn't that
// of its first element. Owners are such pointers.
const Allocation = -2

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

// Nothing returns the object that null points to.
func (v *Machine) Nothing() int {
	o, ok := v.Sites[site{}]
	if !ok {
		o = v.NewObject("null", Object{Kind: NullObject})
		v.Sites[site{}] = o
	}
	return o
}

// OwnerOf returns the owner of what a memref points to.
func OwnerOf(x Value) Value { return Value{Kind: Pointer, Tree: x.Tree, Shift: Allocation} }

// Null returns the owner of nothing.
func (v *Machine) Null() Value { return OwnerOf(v.PointTo(v.Nothing())) }

// orNull returns a number as a pointer, if it is zero and meets one.
func (v *Machine) OrNull(x, met Value) Value {
	if x == Constant(0) && met.Kind == Pointer {
		x = v.Null()
		x.Shift = met.Shift
	}
	return x
}

// owner returns the owner of what a memref or owner points to.
func (v *Machine) owner(fr *Frame, op *ir.Op, of *ir.Value) Value {
	x := v.Get(fr, of)
	if x.Kind != Pointer {
		v.Refuse(op, "nothing is known about what it gets the owner of")
		return v.Null()
	}
	return OwnerOf(x)
}

func (v *Machine) null(fr *Frame, op *ir.Op) bool {
	v.Assign(fr, op.Result(0), v.Null())
	return true
}

// own returns the owner of a buffer, or its address.
func (v *Machine) own(fr *Frame, op *ir.Op) bool {
	v.Assign(fr, op.Result(0), v.owner(fr, op, op.Operand(0)))
	return true
}

// freeOwned frees what an owner owns; unless null may be freed, it must own something.
func (v *Machine) freeOwned(fr *Frame, op *ir.Op, owner Value, orNull bool) {
	for _, t := range v.Targets(owner) {
		if t.Object != v.Nothing() || !orNull {
			v.Free(fr, op, t.Object, t.Guard, No)
		}
	}
}

func (v *Machine) free(fr *Frame, op *ir.Op) bool {
	v.freeOwned(fr, op, v.owner(fr, op, op.Operand(0)), false)
	return true
}

// retain returns for each buffer the first of the owners that own it and weren't returned
// yet, and frees what the others own.
func (v *Machine) retain(fr *Frame, op *ir.Op) bool {
	o := deallocation.RetainOp{Op: op}
	var owners []Value
	for _, x := range o.Owners().Values() {
		owners = append(owners, v.owner(fr, op, x))
	}
	for i, x := range o.Retained().Values() {
		buffer, kept, found := v.owner(fr, op, x), v.Null(), No
		for j := 0; o.Counts(i) && j < len(owners); j++ {
			this := v.F.And(v.PointsTo(owners[j], v.Nothing()).Not(), v.equalTrees(buffer.Tree, owners[j].Tree, true))
			this = v.F.And(found.Not(), this)
			kept, owners[j], found = v.Choose(this, owners[j], kept), v.Choose(this, v.Null(), owners[j]), v.F.Or(found, this)
		}
		v.Assign(fr, op.Result(i), kept)
	}
	for _, owner := range owners {
		v.freeOwned(fr, op, owner, true)
	}
	return true
}
