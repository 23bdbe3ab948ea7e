package kernel

import (
	"freehold/ir"
)

// Allocation is the shift of a pointer that is the address of an allocation, which isn't that
// of its first element. Owners are such pointers.
const Allocation = -2

// Nothing returns the object that null points to.
func (v *Machine) Nothing() int {
	o, ok := v.sites[site{}]
	if !ok {
		o = v.NewObject("null", Object{Kind: NullObject})
		v.sites[site{}] = o
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

// Owner returns the owner of what a memref or owner points to; false if nothing is known about that.
func (v *Machine) Owner(fr *Frame, op *ir.Op, of *ir.Value) (Value, bool) {
	x := v.Get(fr, of)
	switch {
	case x.Kind == Pointer:
		return OwnerOf(x), true
	case v.Hidden != nil:
		v.Hidden(fr, op)
	default:
		v.Refuse(op, "nothing is known about what it gets the owner of")
	}
	return Value{}, false
}

// FreeOwned frees what an owner owns; unless null may be freed, it must own something.
func (v *Machine) FreeOwned(fr *Frame, op *ir.Op, owner Value, orNull bool) {
	for _, t := range v.Targets(owner) {
		if t.Object != v.Nothing() || !orNull {
			v.Free(fr, op, t.Object, t.Guard, No)
		}
		if t.Object != v.Nothing() && orNull {
			v.Spare(fr, op, t.Object, t.Guard.Not())
		}
	}
}

// Retain returns for each buffer, if it counts, the first of the owners that own it and weren't returned
// yet, else null, and frees what the others own.
func (v *Machine) Retain(fr *Frame, op *ir.Op, buffers, owners []Value, counts func(i int) bool) []Value {
	out := make([]Value, len(buffers))
	for i, buffer := range buffers {
		kept, found := v.Null(), No
		for j := 0; counts(i) && j < len(owners); j++ {
			this := v.F.And(v.PointsTo(owners[j], v.Nothing()).Not(), v.equalTrees(buffer.Tree, owners[j].Tree, true))
			this = v.F.And(found.Not(), this)
			kept, owners[j], found = v.Choose(this, owners[j], kept), v.Choose(this, v.Null(), owners[j]), v.F.Or(found, this)
		}
		out[i] = kept
	}
	for _, owner := range owners {
		v.FreeOwned(fr, op, owner, true)
	}
	return out
}
