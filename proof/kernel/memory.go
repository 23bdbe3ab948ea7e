package kernel

import (
	"fmt"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/semantics"
)

// Allocate returns a new object, the first result of an operation, that lives from here on.
func (v *Machine) Allocate(fr *Frame, op *ir.Op, k ObjectKind, t ir.Type) int {
	o := v.newResult(fr, op, 0, Object{Kind: k, Born: fr.St.Live, MayBeEmpty: MayBeEmpty(t)})
	v.FollowContents(o, t)
	v.begin(fr, o, Yes)
	return o
}

// newResult returns a new object, result i of an operation.
func (v *Machine) newResult(fr *Frame, op *ir.Op, i int, x Object) int {
	x.Op, x.Loc, x.Number = op, op.Loc(), i
	o := v.NewObject(v.ObjectName(fr, op, i), x)
	v.Made(fr, op, i, o)
	return o
}

// begin makes an object, result of an operation, live from here on, where c holds.
func (v *Machine) begin(fr *Frame, o int, c Lit) {
	fr.St.Live = fr.St.Live.Set(o, c)
	v.Allocated(fr, v.Objects[o].Op, o, c)
}

// MaxCells is the size of the largest buffer whose contents are followed, if it is one of
// booleans or indices.
const MaxCells = 1 << 12

// FollowContents makes the machine follow the contents of a new object, if it is a small buffer of booleans or indices.
func (v *Machine) FollowContents(o int, t ir.Type) {
	m, ok := t.(*ir.MemRefType)
	// Elements with other indices may be the same one in another layout.
	if !ok || m.Elem != ir.Type(ir.I1) && m.Elem != ir.Type(ir.Index) || m.Layout != nil {
		return
	}
	if n, static := ir.NumElements(m.Shape); static && n <= MaxCells {
		x := v.Objects[o]
		x.Cells, x.Size, x.Type = v.Cells, int(n), m
		v.Cells += int(n)
	}
}

// reserve returns a new object on the stack.
func (v *Machine) reserve(fr *Frame, op *ir.Op) int {
	k := site{fr.Path, op}
	if _, again := v.sites[k]; again {
		v.Refuse(op, "it reserves memory on the stack again")
	}
	v.sites[k] = v.Allocate(fr, op, Stack, op.Result(0).Type())
	return v.sites[k]
}

// MayBeEmpty tells whether a buffer of the type may have no elements.
func MayBeEmpty(t ir.Type) bool {
	n, static := ir.NumElementsOf(t)
	return !static || n == 0
}

// EndScope ends the objects on the stack that the frame of a path made inside an operation, such as its function.
func (v *Machine) EndScope(fr *Frame, path string, op *ir.Op) {
	for k, o := range v.sites {
		if k.Path == path && v.Objects[o].Kind == Stack && op.IsProperAncestorOf(k.op) {
			fr.St.Live = fr.St.Live.Set(o, No)
		}
	}
}

// View returns what an operation that views x returns.
func (v *Machine) View(fr *Frame, op *ir.Op, x Value) Value {
	x.Window = v.WindowOf(op, x)
	if interfaces.IsCast(op) {
		v.castSizes(fr, op, x)
	} else {
		x = v.Sized(fr, op, x)
	}
	if semantics.Stated.Has(op) {
		x.Window = nil // it may begin anywhere
	}
	if same, known := sameElements(op); known && !same || !known && !v.Models.Is(op, SeesAll) {
		x.Part = Yes
	}
	x.Shift = v.ShiftedBy(fr, op, x.Shift)
	return x
}

// ShiftedBy returns the shift of the base address of a view, given that of what it views.
func (v *Machine) ShiftedBy(fr *Frame, op *ir.Op, shift int64) int64 {
	if interfaces.KeepsBaseAddress(op) {
		return shift
	}
	m, _ := interfaces.ShiftedBase.Of(op)
	by := Constant(m(op).Const)
	if s := m(op).Value; s != nil {
		by = v.Get(fr, s)
	}
	key := Identity(by)
	switch {
	case by == Constant(0):
		return shift
	case key == "" || shift == AnyShift:
		return AnyShift
	}
	key = fmt.Sprint(shift, key)
	if _, ok := v.shifts[key]; !ok {
		v.shifts[key] = int64(len(v.shifts) + 1)
	}
	return v.shifts[key]
}

// sameElements tells whether a view has as many elements as what it views; known is false unless both are elements of one type, and their numbers known.
func sameElements(op *ir.Op) (same, known bool) {
	from, to := op.Operands().At(0).Type(), op.Result(0).Type()
	n, known := ir.NumElementsOf(from)
	m, knownToo := ir.NumElementsOf(to)
	return n == m, known && knownToo && ir.ElementType(from) == ir.ElementType(to)
}

// Use checks that what a memref points to lives.
func (v *Machine) Use(fr *Frame, op *ir.Op, x Value) {
	if x.Kind != Pointer {
		v.Refuse(op, "nothing is known about the buffer that it uses")
	}
	for _, t := range v.Targets(x) {
		v.UseTarget(fr, op, t)
	}
}

// UseTarget checks that an object lives where a pointer points to it, if it is one that ends.
func (v *Machine) UseTarget(fr *Frame, op *ir.Op, t Target) {
	if v.Objects[t.Object].Kind.Owned() {
		v.Demand(fr, op, UseAfterFree, t.Object, v.F.And(t.Guard, fr.St.Live.Get(t.Object).Not()))
	}
}

// Free checks that object o may be freed where c holds, by a memref that may be a part of it
// where part holds, and frees it.
func (v *Machine) Free(fr *Frame, op *ir.Op, o int, c, part Lit) {
	v.Demand(fr, op, PartialFree, o, part)
	if v.Objects[o].Kind != Heap {
		v.Demand(fr, op, InvalidFree, o, c)
		return
	}
	live := fr.St.Live.Get(o)
	v.Demand(fr, op, DoubleFree, o, v.F.And(c, live.Not()))
	if c == No {
		return
	}
	fr.St.Live = fr.St.Live.Set(o, v.F.And(live, c.Not()))
	v.Freed(fr, op, o, c)
}

// FreeTargets frees what a memref points to, where c holds.
func (v *Machine) FreeTargets(fr *Frame, op *ir.Op, x Value, c Lit) {
	for _, t := range v.Targets(x) {
		g := v.F.And(c, t.Guard)
		v.Free(fr, op, t.Object, g, v.F.And(g, x.Part))
	}
}

// Global returns the object of a global buffer, as an operation mentions it.
func (v *Machine) Global(op *ir.Op, name string) int {
	k := site{"global:" + name, ir.SymbolTableOp(op)}
	o, ok := v.sites[k]
	if !ok {
		o = v.NewObject(k.Path, Object{Kind: Static, Op: op, Loc: op.Loc(), MayBeEmpty: true})
		v.sites[k] = o
	}
	return o
}

// Sizes returns the sizes of a memref of one object that is followed; false if nobody knows
// what it sees of it.
func (v *Machine) Sizes(x Value) ([]int64, bool) {
	if _, ok := v.Single(x); !ok || x.Window == nil {
		return nil, false
	}
	return x.Window.Shape, true
}

// WindowOf returns what a view of x sees: the first elements of an object that is followed, if
// it starts where that does, and its type has sizes and no layout.
func (v *Machine) WindowOf(op *ir.Op, x Value) *ir.MemRefType {
	if interfaces.IsCast(op) {
		return x.Window
	}
	m, ok := op.Result(0).Type().(*ir.MemRefType)
	o, single := v.Single(x)
	if !ok || !single || m.Layout != nil || op.NumOperands() != 1 || x.Shift != 0 || x.Window == nil && !v.Models.Is(op, StartsAnew) {
		return nil
	}
	n, static := ir.NumElements(m.Shape)
	if of := v.Objects[o]; of.Type == nil || !static || n > int64(of.Size) || m.Elem != of.Type.Elem {
		return nil
	}
	return m
}

// Store makes an element that a memref sees hold a value, or something of which nothing is known if that is nil.
func (v *Machine) Store(fr *Frame, to Value, cell int, is *Value) {
	v.Stored(fr, to, is)
	fr.St.Memory = fr.St.Memory.Set(cell, is)
}

// Written forgets the contents of what x points to.
func (v *Machine) Written(fr *Frame, x Value) {
	for _, t := range v.Targets(x) {
		v.Forget(fr, t.Object)
	}
}

// Forget forgets the contents of an object.
func (v *Machine) Forget(fr *Frame, o int) {
	x := v.Objects[o]
	for i := x.Cells; i < x.Cells+x.Size; i++ {
		fr.St.Memory = fr.St.Memory.Set(i, v.forgotten(fr.St.Memory.Get(i)))
	}
}

// HoldsAddresses tells whether there are addresses in what x points to.
func (v *Machine) HoldsAddresses(st State, x Value) bool {
	for _, t := range v.Targets(x) {
		o := v.Objects[t.Object]
		for i := o.Cells; i < o.Cells+o.Size; i++ {
			if y := st.Memory.Get(i); y != nil && y.Address() {
				return true
			}
		}
	}
	return false
}
