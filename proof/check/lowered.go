package check

import (
	"freehold/dialect/builtin"
	"freehold/dialect/llvm"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/kernel"
	"freehold/proof/models"
)

// What owners become when they are lowered to pointers: a pointer of LLVM is an owner, or the
// place of an element in an array of pointers on the stack, whose contents are followed. What
// isn't known to be one of these is not judged, as anything else of LLVM.

// lowered are the rules for operations on such pointers. A rule that returns false knows nothing.
var lowered = map[*ir.OpID]func(*analysis, *kernel.Frame, *ir.Op) bool{
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
func (a *analysis) lower(fr *kernel.Frame, op *ir.Op) bool {
	do := lowered[op.OpName().ID()]
	return do != nil && do(a, fr, op)
}

func (a *analysis) isPointer(t ir.Type) bool { return t == llvm.Pointer(a.fn.Context()) }

// isPlace tells whether a pointer is the place of an element of an array of pointers.
func (a *analysis) isPlace(v kernel.Value) bool {
	for _, t := range a.Targets(v) {
		if a.pointers[t.Object] {
			return true
		}
	}
	return false
}

// ownerIn returns the owner that a pointer of LLVM is; false if it isn't known to be one.
func (a *analysis) ownerIn(fr *kernel.Frame, v *ir.Value) (kernel.Value, bool) {
	x := a.Get(fr, v)
	return x, a.isPointer(v.Type()) && x.Kind == kernel.Pointer && !a.isPlace(x)
}

// castPointer casts owners to pointers and back, and ranked memrefs to their descriptors.
func (a *analysis) castPointer(fr *kernel.Frame, op *ir.Op) bool {
	if op.OnlyOperand() == nil || op.NumResults() != 1 {
		return false
	}
	from, to := op.OnlyOperand().Type(), op.Result(0).Type()
	v := a.Get(fr, op.OnlyOperand())
	m, ranked := from.(*ir.MemRefType)
	switch {
	case v.Kind != kernel.Pointer || a.isPlace(v):
		return false
	case models.IsOwner(from) && a.isPointer(to), a.isPointer(from) && models.IsOwner(to):
	case ranked && to == a.descriptor(m):
	default:
		return false
	}
	a.Assign(fr, op.Result(0), v)
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
func (a *analysis) allocatedPointer(fr *kernel.Frame, op *ir.Op) bool {
	cast := llvm.ExtractValueOp{Op: op}.Container().DefiningOp()
	if cast == nil || !cast.Is(builtin.UnrealizedConversionCast) || cast.OnlyOperand() == nil {
		return false
	}
	m, ok := cast.OnlyOperand().Type().(*ir.MemRefType)
	at := interfaces.StaticInts(op, "position")
	v := a.Get(fr, llvm.ExtractValueOp{Op: op}.Container())
	if !ok || (llvm.ExtractValueOp{Op: op}).Container().Type() != a.descriptor(m) || len(at) != 1 || at[0] != 0 || v.Kind != kernel.Pointer {
		return false
	}
	a.Assign(fr, op.Result(0), kernel.OwnerOf(v))
	return true
}

func (a *analysis) lengthOfArray(fr *kernel.Frame, op *ir.Op) bool {
	n, ok := op.Attr("value").(*ir.IntegerAttr)
	if !ok || n.Big != nil || op.Result(0).Type() != ir.Type(ir.I64) {
		return false
	}
	a.Assign(fr, op.Result(0), kernel.Constant(n.Value))
	return true
}

func (a *analysis) nullPointer(fr *kernel.Frame, op *ir.Op) bool {
	if a.isPointer(op.Result(0).Type()) {
		a.Assign(fr, op.Result(0), a.Null())
		return true
	}
	return false
}

func (a *analysis) pointerToInt(fr *kernel.Frame, op *ir.Op) bool {
	v, ok := a.ownerIn(fr, llvm.PtrToIntOp{Op: op}.Arg())
	if ok = ok && models.HoldsAddress(op.Result(0).Type()); ok {
		a.Assign(fr, op.Result(0), v)
	}
	return ok
}

func (a *analysis) arrayOfPointers(fr *kernel.Frame, op *ir.Op) bool {
	elem := op.Attr("elem_type").(*ir.TypeAttr)
	n := a.Get(fr, llvm.AllocaOp{Op: op}.ArraySize())
	if !a.isPointer(elem.Type) || n.Kind != kernel.Integer || n.Number < 0 || n.Number > kernel.MaxCells {
		return false
	}
	o := a.Allocate(fr, op, kernel.Stack, op.Result(0).Type())
	x := a.Objects[o]
	a.pointers[o], x.MayBeEmpty, x.Cells, x.Size = true, n.Number == 0, a.Cells, int(n.Number)
	a.Cells += x.Size
	v := a.PointTo(o)
	v.Window, v.Shift, v.Shape = nil, kernel.Allocation, 0
	a.Assign(fr, op.Result(0), v)
	return true
}

func (a *analysis) elementOfArray(fr *kernel.Frame, op *ir.Op) bool {
	elem, raw := op.Attr("elem_type").(*ir.TypeAttr), op.Attr("rawConstantIndices").(*ir.DenseArrayAttr)
	v := a.Get(fr, llvm.GetElementPtrOp{Op: op}.Base())
	o, single := a.Single(v)
	if !single || raw.Len() != 1 || op.NumOperands() != 1 || !a.isPointer(elem.Type) || !a.pointers[o] || v.Number != 0 {
		return false
	}
	v.Number = raw.Int(0)
	a.Assign(fr, op.Result(0), v)
	return true
}

// place returns the number of the element that a pointer points to.
func (a *analysis) place(fr *kernel.Frame, v *ir.Value) (cell int, ok bool) {
	x := a.Get(fr, v)
	o, single := a.Single(x)
	if !single || !a.pointers[o] || x.Number < 0 || x.Number >= int64(a.Objects[o].Size) {
		return 0, false
	}
	return a.Objects[o].Cells + int(x.Number), true
}

func (a *analysis) storePointer(fr *kernel.Frame, op *ir.Op) bool {
	v, ok := a.ownerIn(fr, llvm.StoreOp{Op: op}.Value())
	cell, known := a.place(fr, llvm.StoreOp{Op: op}.Addr())
	if !ok || !known {
		return false
	}
	at := a.Get(fr, llvm.StoreOp{Op: op}.Addr())
	a.Use(fr, op, at)
	a.Store(fr, at, cell, &v)
	return true
}

func (a *analysis) loadPointer(fr *kernel.Frame, op *ir.Op) bool {
	cell, ok := a.place(fr, llvm.LoadOp{Op: op}.Addr())
	if !ok || !a.isPointer(op.Result(0).Type()) {
		return false
	}
	x := fr.St.Memory.Get(cell)
	if x == nil || x.Kind != kernel.Pointer {
		return false
	}
	a.Use(fr, op, a.Get(fr, llvm.LoadOp{Op: op}.Addr()))
	a.Assign(fr, op.Result(0), *x)
	return true
}

// callLibrary knows what free and retainBuffers do, which must be declared.
func (a *analysis) callLibrary(fr *kernel.Frame, op *ir.Op) bool {
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
			models.FreeOwned(a.Machine, fr, op, v, true)
		}
		return ok
	case name == "retainBuffers" && n == 5:
		return a.retainBuffers(fr, op, args)
	}
	return false
}

// retainBuffers does what deallocation.retain does, with arrays.
func (a *analysis) retainBuffers(fr *kernel.Frame, op *ir.Op, args ir.Operands) bool {
	array := func(at int, n kernel.Value) (cells int, values []kernel.Value, ok bool) {
		v := a.Get(fr, args.At(at))
		o, single := a.Single(v)
		if n.Kind != kernel.Integer || !single || !a.pointers[o] || v.Number != 0 || n.Number < 0 || n.Number > int64(a.Objects[o].Size) {
			return 0, nil, false
		}
		a.Use(fr, op, v)
		for i := range int(n.Number) {
			x := fr.St.Memory.Get(a.Objects[o].Cells + i)
			if x == nil || x.Kind != kernel.Pointer {
				return a.Objects[o].Cells, nil, true
			}
			values = append(values, *x)
		}
		return a.Objects[o].Cells, values, true
	}
	n, m := a.Get(fr, args.At(0)), a.Get(fr, args.At(2))
	_, buffers, ok := array(1, n)
	_, owners, known := array(3, m)
	results, _, room := array(4, n)
	if !ok || !known || !room || int64(len(buffers)) != n.Number || int64(len(owners)) != m.Number {
		return false
	}
	for i, v := range models.Retain(a.Machine, fr, op, buffers, owners, func(int) bool { return true }) {
		a.Store(fr, a.Get(fr, args.At(4)), results+i, &v)
	}
	return true
}
