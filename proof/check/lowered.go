package check

import (
	"freehold/dialect/builtin"
	"freehold/dialect/llvm"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// What owners become when they are lowered to pointers: a pointer of LLVM is an owner, or the
// place of an element in an array of pointers on the stack, whose contents are followed. What
// isn't known to be one of these is not judged, as anything else of LLVM.

// lowered are the rules for operations on such pointers. A rule that returns false knows nothing.
var lowered = map[*ir.OpID]func(*analysis, *frame, *ir.Op) bool{
	builtin.UnrealizedConversionCast: (*analysis).castPointer,
	llvm.ExtractValue:                (*analysis).allocatedPointer,
	llvm.Constant:                    (*analysis).lengthOfArray,
	llvm.Zero:                        (*analysis).nullPointer,
	llvm.PtrToInt:                    (*analysis).pointerToInt,
	llvm.Alloca:                      (*analysis).arrayOfPointers,
	llvm.GetElementPtr:               (*analysis).elementOfArray,
	llvm.Store:                       (*analysis).storePointer,
	llvm.Load:                        (*analysis).loadPointer,
	llvm.Call:                        (*analysis).callLibrary,
}

// lower executes an operation on lowered owners. It returns false for others.
func (a *analysis) lower(fr *frame, op *ir.Op) bool {
	do := lowered[op.OpName().ID()]
	return do != nil && do(a, fr, op)
}

func (a *analysis) isPointer(t ir.Type) bool { return t == llvm.Pointer(a.fn.Context()) }

// isPlace tells whether a pointer is the place of an element of an array of pointers.
func (a *analysis) isPlace(v value) bool {
	for _, t := range v.targets {
		if a.objects[t.object].pointers {
			return true
		}
	}
	return false
}

// ownerIn returns the owner that a pointer of LLVM is; false if it isn't known to be one.
func (a *analysis) ownerIn(fr *frame, v *ir.Value) (value, bool) {
	x := a.get(fr, v)
	return x, a.isPointer(v.Type()) && x.kind == pointer && !a.isPlace(x)
}

// castPointer casts owners to pointers and back, and ranked memrefs to their descriptors.
func (a *analysis) castPointer(fr *frame, op *ir.Op) bool {
	if op.NumOperands() != 1 || op.NumResults() != 1 {
		return false
	}
	from, to := op.Operand(0).Type(), op.Result(0).Type()
	v := a.get(fr, op.Operand(0))
	m, ranked := from.(*ir.MemRefType)
	switch {
	case v.kind != pointer || a.isPlace(v):
		return false
	case isOwner(from) && a.isPointer(to), a.isPointer(from) && isOwner(to):
	case ranked && to == a.descriptor(m):
	default:
		return false
	}
	a.set(fr, op.Result(0), v)
	return true
}

// descriptor returns the type of the struct that a memref is for LLVM.
func (a *analysis) descriptor(m *ir.MemRefType) ir.Type {
	c := a.fn.Context()
	p := llvm.Pointer(c)
	fields := []ir.Type{p, p, ir.I64}
	if n := int64(len(m.Shape)); n > 0 {
		fields = append(fields, llvm.Array(c, n, ir.I64), llvm.Array(c, n, ir.I64))
	}
	return llvm.Struct(c, fields...)
}

// allocatedPointer returns the first field of a descriptor: what has to be freed.
func (a *analysis) allocatedPointer(fr *frame, op *ir.Op) bool {
	cast := op.Operand(0).DefiningOp()
	if cast == nil || !cast.Is(builtin.UnrealizedConversionCast) || cast.NumOperands() != 1 {
		return false
	}
	m, ok := cast.Operand(0).Type().(*ir.MemRefType)
	at := interfaces.StaticInts(op, "position")
	v := a.get(fr, op.Operand(0))
	if !ok || op.Operand(0).Type() != a.descriptor(m) || len(at) != 1 || at[0] != 0 || v.kind != pointer {
		return false
	}
	a.set(fr, op.Result(0), ownerOf(v))
	return true
}

func (a *analysis) lengthOfArray(fr *frame, op *ir.Op) bool {
	n, ok := op.Attr("value").(*ir.IntegerAttr)
	if !ok || n.Big != nil || op.Result(0).Type() != ir.Type(ir.I64) {
		return false
	}
	a.set(fr, op.Result(0), constant(n.Value))
	return true
}

func (a *analysis) nullPointer(fr *frame, op *ir.Op) bool {
	if a.isPointer(op.Result(0).Type()) {
		a.set(fr, op.Result(0), a.null())
		return true
	}
	return false
}

func (a *analysis) pointerToInt(fr *frame, op *ir.Op) bool {
	v, ok := a.ownerIn(fr, op.Operand(0))
	if ok = ok && holdsAddress(op.Result(0).Type()); ok {
		a.set(fr, op.Result(0), v)
	}
	return ok
}

func (a *analysis) arrayOfPointers(fr *frame, op *ir.Op) bool {
	elem := op.Attr("elem_type").(*ir.TypeAttr)
	n := a.get(fr, op.Operand(0))
	if !a.isPointer(elem.Type) || n.kind != integer || n.number < 0 || n.number > maxCells {
		return false
	}
	o := a.allocate(fr, op, op.Result(0).Type(), stack)
	x := a.objects[o]
	x.pointers, x.vacant, x.cells, x.size, x.shape = true, n.number == 0, a.cells, int(n.number), []int64{n.number}
	a.cells += x.size
	v := a.pointTo(o)
	v.window, v.shift = anyWindow, allocation
	a.set(fr, op.Result(0), v)
	return true
}

func (a *analysis) elementOfArray(fr *frame, op *ir.Op) bool {
	elem, raw := op.Attr("elem_type").(*ir.TypeAttr), op.Attr("rawConstantIndices").(*ir.DenseArrayAttr)
	v := a.get(fr, op.Operand(0))
	o, single := v.single()
	if !single || raw.Len() != 1 || op.NumOperands() != 1 || !a.isPointer(elem.Type) || !a.objects[o].pointers || v.number != 0 {
		return false
	}
	v.number = raw.Int(0)
	a.set(fr, op.Result(0), v)
	return true
}

// place returns the number of the element that a pointer points to.
func (a *analysis) place(fr *frame, v *ir.Value) (cell int, ok bool) {
	x := a.get(fr, v)
	o, single := x.single()
	if !single || !a.objects[o].pointers || x.number < 0 || x.number >= int64(a.objects[o].size) {
		return 0, false
	}
	return a.objects[o].cells + int(x.number), true
}

func (a *analysis) storePointer(fr *frame, op *ir.Op) bool {
	v, ok := a.ownerIn(fr, op.Operand(0))
	cell, known := a.place(fr, op.Operand(1))
	if !ok || !known {
		return false
	}
	at := a.get(fr, op.Operand(1))
	a.use(fr, op, at)
	a.put(fr, at, cell, v)
	return true
}

func (a *analysis) loadPointer(fr *frame, op *ir.Op) bool {
	cell, ok := a.place(fr, op.Operand(0))
	if !ok || !a.isPointer(op.Result(0).Type()) {
		return false
	}
	x := fr.st.memory.get(cell)
	if x == nil || x.kind != pointer {
		return false
	}
	a.use(fr, op, a.get(fr, op.Operand(0)))
	a.set(fr, op.Result(0), *x)
	return true
}

// callLibrary knows what free and retainBuffers do, which must be declared.
func (a *analysis) callLibrary(fr *frame, op *ir.Op) bool {
	m, _ := interfaces.Call.Of(op)
	ref, _ := m.Callee(op)
	if ref == nil || op.NumResults() != 0 {
		return false
	}
	callee := a.p.lookup(op, ref) // which is a function, of llvm
	if !callee.RegionAt(0).Empty() {
		return false
	}
	start, n := m.Args(op)
	args := op.Operands()[start : start+n]
	switch name, _ := ir.SymbolName(callee); {
	case name == "free" && n == 1:
		v, ok := a.ownerIn(fr, args.At(0))
		if ok {
			a.freeUnlessNull(fr, op, v)
		}
		return ok
	case name == "retainBuffers" && n == 5:
		return a.retainBuffers(fr, op, args)
	}
	return false
}

// freeUnlessNull frees what an owner owns, if anything.
func (a *analysis) freeUnlessNull(fr *frame, op *ir.Op, owner value) {
	for _, t := range owner.targets {
		if t.object != a.nothing() {
			a.freeObject(fr, op, t.object, t.guard)
			a.event(fr, event{kind: spared, op: op, object: t.object}, t.guard.not())
		}
	}
}

// retainBuffers does what deallocation.retain does, with arrays.
func (a *analysis) retainBuffers(fr *frame, op *ir.Op, args ir.Operands) bool {
	array := func(at int, n value) (cells int, values []value, ok bool) {
		v := a.get(fr, args.At(at))
		o, single := v.single()
		if n.kind != integer || !single || !a.objects[o].pointers || v.number != 0 || n.number < 0 || n.number > int64(a.objects[o].size) {
			return 0, nil, false
		}
		a.use(fr, op, v)
		for i := range int(n.number) {
			x := fr.st.memory.get(a.objects[o].cells + i)
			if x == nil || x.kind != pointer {
				return a.objects[o].cells, nil, true
			}
			values = append(values, *x)
		}
		return a.objects[o].cells, values, true
	}
	n, m := a.get(fr, args.At(0)), a.get(fr, args.At(2))
	_, buffers, ok := array(1, n)
	_, owners, known := array(3, m)
	results, _, room := array(4, n)
	if !ok || !known || !room || int64(len(buffers)) != n.number || int64(len(owners)) != m.number {
		return false
	}
	for i, v := range a.keep(fr, op, buffers, owners, func(int) bool { return true }) {
		a.put(fr, a.get(fr, args.At(4)), results+i, v)
	}
	return true
}
