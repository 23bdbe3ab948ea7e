package kernel

import (
	"fmt"
	"slices"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/bufferization"
	"freehold/dialect/builtin"
	"freehold/dialect/cf"
	"freehold/dialect/deallocation"
	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/dialect/shape"
	testd "freehold/dialect/testd"
	"freehold/dialect/vector"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/semantics"
)

// rules are what operations do that their interfaces don't say enough about; they return false
// where these do.
var rules = map[*ir.OpID]func(*Machine, *Frame, *ir.Op) bool{
	memref.Dealloc:                      (*Machine).dealloc,
	memref.Realloc:                      (*Machine).realloc,
	memref.Load:                         (*Machine).load,
	memref.Store:                        (*Machine).store,
	memref.Copy:                         (*Machine).copyElements,
	linalg.Fill:                         (*Machine).fillElements,
	memref.Dim:                          (*Machine).dim,
	memref.GetGlobal:                    (*Machine).getGlobal,
	memref.ExtractAlignedPointerAsIndex: (*Machine).address,
	memref.ExtractStridedMetadata:       (*Machine).metadata,
	bufferization.Dealloc:               (*Machine).deallocUnlessRetained,
	deallocation.Null:                   (*Machine).null,
	deallocation.Own:                    (*Machine).own,
	deallocation.GetBuffer:              (*Machine).own,
	deallocation.Free:                   (*Machine).free,
	deallocation.Retain:                 (*Machine).retain,
	cf.Assert:                           (*Machine).assert,
	arith.AndI:                          (*Machine).connective,
	arith.OrI:                           (*Machine).connective,
	arith.XOrI:                          (*Machine).connective,
	arith.CmpI:                          (*Machine).compare,
	arith.Select:                        (*Machine).selectOp,
	arith.IndexCast:                     (*Machine).castAddress,
	arith.IndexCastUI:                   (*Machine).castAddress,
	builtin.UnrealizedConversionCast:    (*Machine).castAddress,
}

func is(op *ir.Op, ids ...*ir.OpID) bool {
	for _, id := range ids {
		if op.Is(id) {
			return true
		}
	}
	return false
}

// outOfScope tells whether nothing is known about values of the type.
func outOfScope(t ir.Type) bool {
	switch t := t.(type) {
	case *ir.IntegerType, *ir.IndexType, *ir.NoneType, *ir.ComplexType, *ir.FunctionType:
		return false
	case *ir.VectorType:
		return outOfScope(t.Elem) || IsOwner(t.Elem)
	case *ir.MemRefType:
		return outOfScope(t.Elem) || IsOwner(t.Elem)
	case *ir.UnrankedMemRefType:
		return outOfScope(t.Elem) || IsOwner(t.Elem)
	}
	return !ir.IsFloat(t) && !IsOwner(t) && !shape.IsNumbers(t)
}

// InScope tells whether the types of all values that op touches are known; else the
// certificate is refused.
func (v *Machine) InScope(op *ir.Op) bool {
	ok := true
	for i := range op.NumOperands() {
		ok = ok && !outOfScope(op.Operand(i).Type())
	}
	for i := range op.NumResults() {
		ok = ok && !outOfScope(op.Result(i).Type())
	}
	for _, r := range op.Regions() {
		for i := 0; !r.Empty() && i < r.Entry().NumArgs(); i++ {
			ok = ok && !outOfScope(r.Entry().Arg(i).Type())
		}
	}
	if !ok {
		v.Refuse(op, "it has values of a type that nothing is known about")
	}
	return ok
}

// Apply executes an operation for which there is a rule. It returns false if there is none.
func (v *Machine) Apply(fr *Frame, op *ir.Op) bool {
	rule := rules[op.OpName().ID()]
	return rule != nil && rule(v, fr, op)
}

// Access executes an operation by its effects: it uses what it reads and writes, and makes a
// buffer, a view, or numbers.
func (v *Machine) Access(fr *Frame, op *ir.Op) {
	stated, states := semantics.Stated.Of(op)
	if states && !v.agrees(op, stated) {
		return
	}
	effects, known := interfaces.EffectsOf(op)
	if is(op, affine.Prefetch, memref.Prefetch, memref.AssumeAlignment, memref.DistinctObjects) {
		effects, known = nil, true // they touch no memory
	}
	_, structured := interfaces.DestinationStyle.Of(op)
	structured = structured || is(op, affine.Parallel, shape.Reduce, vector.Mask, memref.GenericAtomicRMW, testd.RegionBufferBased)
	buffers, addresses, viewed, made := 0, false, (*ir.Value)(nil), interfaces.DefaultResource
	for i := range op.NumOperands() {
		x := op.Operand(i)
		addresses = addresses || v.Get(fr, x).Carries(x.Type())
		if ir.IsMemRef(x.Type()) {
			buffers++
		}
	}
	for i := range op.NumResults() {
		if ir.IsMemRef(op.Result(i).Type()) {
			buffers++
		}
	}
	switch {
	case op.NumRegions() > 0 && !structured, buffers > 0 && !known:
		v.Refuse(op, "there is no rule for what it does with buffers")
		return
	case addresses && (buffers > 0 || op.NumRegions() > 0 || !interfaces.IsMemoryEffectFree(op)):
		v.Refuse(op, "an address gets out of sight")
		return
	}
	allocates := false
	for _, e := range effects {
		x := e.Value(op)
		switch {
		case buffers == 0:
		case x == nil && e.Kind <= interfaces.Write && e.On() != interfaces.DefaultResource && e.On() != interfaces.AutomaticAllocationScopeResource:
			// no memory that buffers are in
		case e.Kind == interfaces.Allocate && x == op.Result(0):
			allocates, made = true, e.On()
		case e.Kind <= interfaces.Write && e.IsOnResult():
		case e.Kind == interfaces.Free && e.IsOn(0) && states:
			v.dealloc(fr, op)
		case e.Kind <= interfaces.Write && x != nil && ir.IsMemRef(x.Type()):
			p := v.Get(fr, x)
			v.Use(fr, op, p)
			if v.HoldsAddresses(fr.St, p) || e.Kind == interfaces.Write && ir.IsMemRef(ir.ElementType(x.Type())) {
				v.Refuse(op, "an address gets out of sight")
			}
			if e.Kind == interfaces.Write {
				v.Written(fr, p)
			}
		default:
			v.Refuse(op, "there is no rule for one of its effects")
		}
	}
	if op.NumRegions() > 0 {
		v.Regions(fr, op)
	}
	if view, ok := interfaces.ViewLike.Of(op); ok {
		viewed = view(op)
	} else if view, ok := interfaces.OtherView.Of(op); ok {
		viewed = view(op)
	}
	for i := range op.NumResults() {
		r := op.Result(i)
		switch {
		case !ir.IsMemRef(r.Type()) && addresses && r.Type() != ir.Type(ir.I1):
			v.Assign(fr, r, v.Fresh(Derived))
		case !ir.IsMemRef(r.Type()) && (buffers == 0 || len(effects) > 0 || states && stated.Does == semantics.Asks || is(op, memref.Rank, shape.Dim, shape.ShapeOf)):
			v.Assign(fr, r, v.scalar(fr, op, r))
		case i == 0 && allocates && made == interfaces.AutomaticAllocationScopeResource:
			v.Assign(fr, r, v.PointTo(v.reserve(fr, op)))
		case i == 0 && allocates:
			v.Assign(fr, r, v.PointTo(v.allocate(fr, op, 0, r.Type())))
		case i == 0 && viewed != nil && ir.IsMemRef(viewed.Type()) && ir.IsMemRef(r.Type()):
			v.Assign(fr, r, v.view(fr, op, v.Get(fr, viewed)))
		default:
			v.Refuse(op, "there is no rule for what it returns")
		}
	}
}

// agrees tells whether the rule that an operation states says what its effects do, by which it is executed; else the certificate
// is refused.
func (v *Machine) agrees(op *ir.Op, stated semantics.Rule) bool {
	why := stated.Contradiction(op)
	if HasOwners(op.Operands().Types()) || HasOwners(op.Results().Types()) {
		why = "it says nothing about owners"
	}
	if why != "" {
		v.Refuse(op, "the rule that it states can't be right: %s", why)
	}
	return why == ""
}

// allocate returns a new object, result i of an operation, that lives from here on.
func (v *Machine) allocate(fr *Frame, op *ir.Op, i int, t ir.Type) int {
	o := v.NewObject(v.ObjectName(fr, op, i), Object{Kind: Heap, Op: op, Born: fr.St.Live})
	v.FollowContents(o, t)
	fr.St.Live = fr.St.Live.Set(o, Yes)
	return o
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
		x.Cells, x.Size, x.Shape = v.Cells, int(n), m.Shape
		v.Cells += int(n)
	}
}

// reserve returns a new object on the stack.
func (v *Machine) reserve(fr *Frame, op *ir.Op) int {
	k, t := site{fr.Path, op}, op.Result(0).Type()
	if _, again := v.Sites[k]; again {
		v.Refuse(op, "it reserves memory on the stack again")
	}
	o := v.NewObject(v.ObjectName(fr, op, 0), Object{Kind: Stack, Op: op, Born: fr.St.Live, MayBeEmpty: MayBeEmpty(t)})
	v.FollowContents(o, t)
	v.Sites[k] = o
	fr.St.Live = fr.St.Live.Set(o, Yes)
	return o
}

// MayBeEmpty tells whether a buffer of the type may have no elements.
func MayBeEmpty(t ir.Type) bool {
	n, static := ir.NumElementsOf(t)
	return !static || n == 0
}

// EndScope ends the objects on the stack that were made inside an operation.
func (v *Machine) EndScope(fr *Frame, op *ir.Op) {
	for k, o := range v.Sites {
		if v.Objects[o].Kind == Stack && op.IsProperAncestorOf(k.op) {
			fr.St.Live = fr.St.Live.Set(o, No)
		}
	}
}

// EndFrame ends the objects on the stack of a function.
func (v *Machine) EndFrame(fr, ended *Frame) {
	for k, o := range v.Sites {
		if k.Path == ended.Path && v.Objects[o].Kind == Stack {
			fr.St.Live = fr.St.Live.Set(o, No)
		}
	}
}

// view returns what an operation that views x returns.
func (v *Machine) view(fr *Frame, op *ir.Op, x Value) Value {
	x.Window = v.WindowOf(op, x)
	if semantics.Stated.Has(op) {
		x.Window = AnyWindow // it may begin anywhere
	}
	if !is(op, memref.Cast, memref.CollapseShape, memref.ExpandShape, memref.MemorySpaceCast, memref.Reshape, memref.Transpose, vector.TypeCast) && !sameElements(op) {
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

// sameElements tells whether a view has as many elements as what it views, of the same type.
func sameElements(op *ir.Op) bool {
	from, to := op.Operand(0).Type(), op.Result(0).Type()
	a, ok := ir.ShapeOf(from)
	b, ok2 := ir.ShapeOf(to)
	if !ok || !ok2 || ir.ElementType(from) != ir.ElementType(to) {
		return false
	}
	n, static := ir.NumElements(a)
	m, static2 := ir.NumElements(b)
	return static && static2 && n == m
}

// Use checks that what a memref points to lives.
func (v *Machine) Use(fr *Frame, op *ir.Op, x Value) {
	if x.Kind != Pointer {
		v.Refuse(op, "nothing is known about the buffer that it uses")
	}
	for _, t := range v.Targets(x) {
		if v.Objects[t.Object].Kind.Owned() {
			v.Require(fr, op, v.F.And(t.Guard, fr.St.Live.Get(t.Object).Not()), "use after free")
		}
	}
}

// Free checks that object o may be freed where c holds, by a memref that may be a part of it
// where part holds, and frees it.
func (v *Machine) Free(fr *Frame, op *ir.Op, o int, c, part Lit) {
	v.Require(fr, op, part, "free of a part")
	if v.Objects[o].Kind != Heap {
		v.Require(fr, op, c, "invalid free")
		return
	}
	live := fr.St.Live.Get(o)
	v.Require(fr, op, v.F.And(c, live.Not()), "double free")
	if c != No {
		fr.St.Live = fr.St.Live.Set(o, v.F.And(live, c.Not()))
	}
}

func (v *Machine) dealloc(fr *Frame, op *ir.Op) bool {
	x := v.Get(fr, op.Operand(0))
	for _, t := range v.Targets(x) {
		v.Free(fr, op, t.Object, t.Guard, v.F.And(t.Guard, x.Part))
	}
	return true
}

func (v *Machine) realloc(fr *Frame, op *ir.Op) bool {
	x := v.Get(fr, op.Operand(0))
	if v.Use(fr, op, x); v.HoldsAddresses(fr.St, x) {
		v.Refuse(op, "an address gets out of sight")
	}
	v.dealloc(fr, op)
	v.Assign(fr, op.Result(0), v.PointTo(v.allocate(fr, op, 0, op.Result(0).Type())))
	return true
}

// deallocUnlessRetained frees each buffer of which a condition holds, unless it is retained.
// The results tell of which retained buffers a condition holds. Buffers are the same that
// have the same base address: one that is seen at two addresses is two of them.
func (v *Machine) deallocUnlessRetained(fr *Frame, op *ir.Op) bool {
	d := bufferization.DeallocOp{Op: op}
	type seen struct {
		object int
		shift  int64
	}
	var order []seen
	wanted, parts, kept := map[seen]Lit{}, map[seen]Lit{}, map[seen]Lit{}
	for i, m := range d.MemRefs().Values() {
		c, x := v.Truth(fr, d.Conditions().At(i)), v.Get(fr, m)
		for _, t := range v.Targets(x) {
			g, k := v.F.And(c, t.Guard), seen{t.Object, x.Shift}
			if g == No {
				continue
			}
			if _, ok := wanted[k]; !ok {
				order = append(order, k)
			}
			wanted[k] = v.F.Or(wanted[k], g)
			parts[k] = v.F.Or(parts[k], v.F.And(g, x.Part))
		}
	}
	for i, m := range d.Retained().Values() {
		owned, x := No, v.Get(fr, m)
		for _, t := range v.Targets(x) {
			for _, k := range order {
				same := v.F.And(v.SameBase(k.object, k.shift, t.Object, x.Shift), t.Guard)
				owned = v.F.Or(owned, v.F.And(same, wanted[k]))
				kept[k] = v.F.Or(kept[k], same)
			}
		}
		v.Assign(fr, op.Result(i), TruthOf(owned))
	}
	for n, k := range order {
		c := v.F.And(wanted[k], kept[k].Not())
		for _, before := range order[:n] {
			// The address may be that of one that is freed already.
			if before.shift != k.shift || k.shift == AnyShift {
				c = v.F.And(c, v.F.And(wanted[before], v.F.Variable()).Not())
			}
		}
		v.Free(fr, op, k.object, c, v.F.And(parts[k], kept[k].Not()))
	}
	return true
}

// assert continues only where the condition holds.
func (v *Machine) assert(fr *Frame, op *ir.Op) bool {
	fr.Cond = v.F.And(fr.Cond, v.Truth(fr, op.Operand(0)))
	return true
}

// address takes the base address of a buffer.
func (v *Machine) address(fr *Frame, op *ir.Op) bool {
	v.Assign(fr, op.Result(0), v.Get(fr, op.Operand(0)))
	return true
}

// metadata returns the allocation and base address of a buffer, and numbers.
func (v *Machine) metadata(fr *Frame, op *ir.Op) bool {
	x := v.Get(fr, op.Operand(0))
	x.Window, x.Part = AnyWindow, No
	v.Assign(fr, op.Result(0), x)
	for i := 1; i < op.NumResults(); i++ {
		v.Assign(fr, op.Result(i), v.Fresh(Number))
	}
	return true
}

func (v *Machine) getGlobal(fr *Frame, op *ir.Op) bool {
	o := v.Global(op, fmt.Sprint(op.Attr("name")))
	v.Objects[o].MayBeEmpty = MayBeEmpty(op.Result(0).Type())
	v.Assign(fr, op.Result(0), v.PointTo(o))
	return true
}

// Global returns the object of a global buffer, as an operation mentions it.
func (v *Machine) Global(op *ir.Op, name string) int {
	k := site{"global:" + name, ir.SymbolTableOp(op)}
	o, ok := v.Sites[k]
	if !ok {
		o = v.NewObject(k.Path, Object{Kind: Static, MayBeEmpty: true})
		v.Sites[k] = o
	}
	return o
}

// Element returns the number of the element that is accessed, if the contents are followed.
func (v *Machine) Element(fr *Frame, x Value, indices ir.Operands) (int, bool) {
	o, ok := v.Single(x)
	sizes, known := v.Sizes(x)
	if !ok || !known || v.Objects[o].Size == 0 || len(indices) != len(sizes) {
		return 0, false
	}
	at := 0
	for i, size := range sizes {
		n := v.Get(fr, indices.At(i))
		if n.Kind != Integer || n.Number < 0 || n.Number >= size {
			return 0, false
		}
		at = at*int(size) + int(n.Number)
	}
	return v.Objects[o].Cells + at, true
}

// Sizes returns the sizes of a memref of one object that is followed; false if nobody knows
// what it sees of it.
func (v *Machine) Sizes(x Value) ([]int64, bool) {
	switch o, ok := v.Single(x); {
	case !ok || x.Window == AnyWindow:
		return nil, false
	case x.Window == Whole:
		return v.Objects[o].Shape, true
	}
	return v.windows[x.Window-FirstElements], true
}

// WindowOf returns what a view of x sees: the first elements of an object that is followed, if
// it starts where that does, and its type has sizes and no layout.
func (v *Machine) WindowOf(op *ir.Op, x Value) int32 {
	if interfaces.IsCast(op) {
		return x.Window
	}
	m, ok := op.Result(0).Type().(*ir.MemRefType)
	o, single := v.Single(x)
	if !ok || !single || m.Layout != nil || op.NumOperands() != 1 || x.Shift != 0 || x.Window == AnyWindow && !op.Is(memref.ReinterpretCast) {
		return AnyWindow
	}
	n, static := ir.NumElements(m.Shape)
	if of := v.Objects[o]; of.Size == 0 || !static || n > int64(of.Size) || m.Elem != ir.ElementType(of.Op.Result(0).Type()) {
		return AnyWindow
	}
	for i, sizes := range v.windows {
		if slices.Equal(sizes, m.Shape) {
			return FirstElements + int32(i)
		}
	}
	v.windows = append(v.windows, m.Shape)
	return FirstElements + int32(len(v.windows)-1)
}

func (v *Machine) load(fr *Frame, op *ir.Op) bool {
	x := v.Get(fr, op.Operand(0))
	if c, ok := v.Element(fr, x, op.Operands()[1:]); ok {
		if held := fr.St.Memory.Get(c); held != nil {
			v.Use(fr, op, x)
			v.Bind(fr, op.Result(0), *held)
			return true
		}
	}
	return false
}

func (v *Machine) store(fr *Frame, op *ir.Op) bool {
	x := v.Get(fr, op.Operand(1))
	if c, ok := v.Element(fr, x, op.Operands()[2:]); ok {
		held := v.Get(fr, op.Operand(0))
		v.Use(fr, op, x)
		fr.St.Memory = fr.St.Memory.Set(c, &held)
		return true
	}
	return false
}

// Elements returns the first of the elements that a memref sees, and their number in each dimension; false unless all their contents
// are followed.
func (v *Machine) Elements(x Value) (first int, sizes []int64, ok bool) {
	o, _ := v.Single(x)
	if sizes, ok = v.Sizes(x); !ok || v.Objects[o].Size == 0 {
		return 0, nil, false
	}
	return v.Objects[o].Cells, sizes, true
}

// copyElements copies contents, none of them an address.
func (v *Machine) copyElements(fr *Frame, op *ir.Op) bool {
	x, y := v.Get(fr, op.Operand(0)), v.Get(fr, op.Operand(1))
	from, sizes, ok := v.Elements(x)
	to, others, ok2 := v.Elements(y)
	if !ok || !ok2 || !slices.Equal(sizes, others) || v.HoldsAddresses(fr.St, x) {
		return false
	}
	v.Use(fr, op, x)
	v.Use(fr, op, y)
	n, _ := ir.NumElements(sizes)
	for i := range int(n) {
		fr.St.Memory = fr.St.Memory.Set(to+i, fr.St.Memory.Get(from+i))
	}
	return true
}

// fillElements stores a number, which isn't converted, in all elements.
func (v *Machine) fillElements(fr *Frame, op *ir.Op) bool {
	if op.NumOperands() != 2 || op.Operand(0).Type() != ir.ElementType(op.Operand(1).Type()) || !linalg.CopiesElements(op) {
		return false
	}
	x, y := v.Get(fr, op.Operand(0)), v.Get(fr, op.Operand(1))
	to, sizes, ok := v.Elements(y)
	if !ok || x.Address() {
		return false
	}
	v.Use(fr, op, y)
	n, _ := ir.NumElements(sizes)
	for i := range int(n) {
		fr.St.Memory = fr.St.Memory.Set(to+i, &x)
	}
	return true
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

// ForgetAll forgets the contents of all objects.
func (v *Machine) ForgetAll(fr *Frame) {
	for i := range v.Cells {
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

func (v *Machine) dim(fr *Frame, op *ir.Op) bool {
	x, i := v.Get(fr, op.Operand(0)), v.Get(fr, op.Operand(1))
	if sizes, _ := v.Sizes(x); i.Kind == Integer && i.Number >= 0 && i.Number < int64(len(sizes)) {
		v.Assign(fr, op.Result(0), Constant(sizes[i.Number]))
		return true
	}
	v.Havoc(fr, op.Result(0))
	return true
}

func (v *Machine) connective(fr *Frame, op *ir.Op) bool {
	if op.Result(0).Type() != ir.Type(ir.I1) {
		return false
	}
	a, b := v.Truth(fr, op.Operand(0)), v.Truth(fr, op.Operand(1))
	l := v.F.And(a, b)
	if op.Is(arith.OrI) {
		l = v.F.Or(a, b)
	} else if op.Is(arith.XOrI) {
		l = v.F.Iff(a, b).Not()
	}
	v.Assign(fr, op.Result(0), TruthOf(l))
	return true
}

func (v *Machine) selectOp(fr *Frame, op *ir.Op) bool {
	if op.Operand(0).Type() != ir.Type(ir.I1) {
		return false
	}
	v.Assign(fr, op.Result(0), v.Choose(v.Truth(fr, op.Operand(0)), v.Get(fr, op.Operand(1)), v.Get(fr, op.Operand(2))))
	return true
}

// castAddress casts between types that hold whole addresses.
func (v *Machine) castAddress(fr *Frame, op *ir.Op) bool {
	whole := func(t ir.Type) bool { return t == ir.Type(ir.Index) || t == ir.Type(ir.I64) }
	if op.NumOperands() == 1 && op.NumResults() == 1 && whole(op.Operand(0).Type()) && whole(op.Result(0).Type()) {
		if x := v.Get(fr, op.Operand(0)); x.Address() {
			v.Assign(fr, op.Result(0), x)
			return true
		}
	}
	return false
}

// compare decides comparisons of addresses by what they point to, and those of booleans.
// Comparisons of the same numbers depend on each other.
func (v *Machine) compare(fr *Frame, op *ir.Op) bool {
	x, y := v.Get(fr, op.Operand(0)), v.Get(fr, op.Operand(1))
	x, y = v.OrNull(x, y), v.OrNull(y, x)
	attr, ok := op.Attr("predicate").(*ir.IntegerAttr)
	if !ok || op.Result(0).Type() != ir.Type(ir.I1) || x.Kind == Integer && y.Kind == Integer {
		return false
	}
	p := Predicate(attr.Value)
	equality := p == EQ || p == NE
	var l Lit
	switch {
	case equality && x.Kind == Pointer && y.Kind == Pointer:
		l = v.F.Variable() // also if it isn't needed: certificates count on it, as they number conditions
		if sameShift(x.Shift, y.Shift) {
			l = v.equalTrees(x.Tree, y.Tree, x.Shift == Allocation)
		}
	case x.Kind == Boolean && y.Kind == Boolean:
		v.Assign(fr, op.Result(0), TruthOf(v.CompareTruths(p, x.Truth, y.Truth)))
		return true
	default:
		v.Assign(fr, op.Result(0), TruthOf(v.CompareNumbers(p, x, y)))
		return true
	}
	if p == NE {
		l = l.Not()
	}
	v.Assign(fr, op.Result(0), TruthOf(l))
	return true
}

// scalar returns the value of a result that is a number. What is computed twice from the
// same operands, without reading memory, is the same.
func (v *Machine) scalar(fr *Frame, op *ir.Op, r *ir.Value) Value {
	kind := Number
	if r.Type() == ir.Type(ir.I1) {
		kind = Boolean
	} else if !ir.IsIntOrIndex(r.Type()) {
		return v.Fresh(Number)
	}
	key := op.Name() + " " + r.Type().String()
	same := op.NumRegions() == 0 && op.NumResults() == 1 && op.NumOperands() > 0 && interfaces.IsMemoryEffectFree(op)
	for _, x := range op.Operands().Values() {
		id := Identity(v.Get(fr, x))
		same = same && id != ""
		key += id + " " + x.Type().String()
	}
	if same || op.NumOperands() == 0 {
		if x, ok := v.Known(fr, op, r); ok {
			return x
		}
	}
	// Of other operations it isn't known that they do the same each time.
	if !same || !slices.Contains([]string{"affine", "arith", "index", "math"}, Dialect(op)) {
		return v.Fresh(kind)
	}
	for _, a := range op.AllAttrs() {
		key += " " + a.Name + "=" + a.Value.String()
	}
	return v.SameFor(key, func() Value { return v.Fresh(kind) })
}
