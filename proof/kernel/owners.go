package kernel

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
