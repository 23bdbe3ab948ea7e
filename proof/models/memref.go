package models

import (
	"fmt"
	"slices"

	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/proof/kernel"
)

func dealloc(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	v.FreeTargets(fr, op, v.Get(fr, op.Operands().At(0)), kernel.Yes)
	return true
}

func realloc(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	x := v.Get(fr, memref.ReallocOp{Op: op}.Source())
	if v.Use(fr, op, x); v.HoldsAddresses(fr.St, x) {
		v.Hidden(fr, op)
		return true
	}
	v.FreeTargets(fr, op, v.Get(fr, op.Operands().At(0)), kernel.Yes)
	v.Assign(fr, op.Result(0), v.NewBuffer(fr, op, v.Allocate(fr, op, kernel.Heap, op.Result(0).Type())))
	return true
}

// address takes the base address of a buffer.
func address(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	x := v.Get(fr, op.OnlyOperand())
	x.Shape = 0
	v.Assign(fr, op.Result(0), x)
	return true
}

// distinctObjects touches nothing. In LLVM 22, its results are other names of its operands.
func distinctObjects(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	for i := range op.NumResults() {
		v.Assign(fr, op.Result(i), v.Get(fr, op.Operand(i)))
	}
	return true
}

// metadata returns the allocation and base address of a buffer, and numbers.
func metadata(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	o := memref.ExtractStridedMetadataOp{Op: op}
	x := v.Get(fr, o.Source())
	for i := 1; i < op.NumResults(); i++ {
		v.Assign(fr, op.Result(i), v.Fresh(kernel.Number))
	}
	for i, size := range o.Sizes().Values() {
		v.Assign(fr, size, v.Size(x, kernel.Constant(int64(i))))
	}
	x.Window, x.Part = nil, kernel.No
	v.Assign(fr, op.Result(0), v.Sized(fr, op, x))
	return true
}

func getGlobal(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	o := v.Global(op, fmt.Sprint(op.Attr("name")))
	v.Objects[o].MayBeEmpty = kernel.MayBeEmpty(op.Result(0).Type())
	v.Assign(fr, op.Result(0), v.Sized(fr, op, v.PointTo(o)))
	return true
}

func load(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	x := v.Get(fr, memref.LoadOp{Op: op}.MemRef())
	if c, ok := element(v, fr, x, op.Operands()[1:]); ok {
		if held := fr.St.Memory.Get(c); held != nil {
			v.Use(fr, op, x)
			v.Bind(fr, op.Result(0), *held)
			return true
		}
	}
	return false
}

func store(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	x := v.Get(fr, memref.StoreOp{Op: op}.MemRef())
	if c, ok := element(v, fr, x, op.Operands()[2:]); ok {
		held := v.Get(fr, memref.StoreOp{Op: op}.Value())
		v.Use(fr, op, x)
		v.Store(fr, x, c, &held)
		return true
	}
	return false
}

// copyElements copies contents, none of them an address.
func copyElements(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	x, y := v.Get(fr, op.Operand(0)), v.Get(fr, op.Operand(1))
	from, sizes, ok := elements(v, x)
	to, others, ok2 := elements(v, y)
	if !ok || !ok2 || !slices.Equal(sizes, others) || v.HoldsAddresses(fr.St, x) {
		return false
	}
	v.Use(fr, op, x)
	v.Use(fr, op, y)
	n, _ := ir.NumElements(sizes)
	for i := range int(n) {
		v.Store(fr, y, to+i, fr.St.Memory.Get(from+i))
	}
	return true
}

// fillElements stores a number, which isn't converted, in all elements.
func fillElements(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	fill := linalg.FillOp{Op: op}
	if op.NumOperands() != 2 || fill.Value().Type() != ir.ElementType(fill.Output().Type()) || !linalg.CopiesElements(op) {
		return false
	}
	x, y := v.Get(fr, fill.Value()), v.Get(fr, fill.Output())
	to, sizes, ok := elements(v, y)
	if !ok || x.Address() {
		return false
	}
	v.Use(fr, op, y)
	n, _ := ir.NumElements(sizes)
	for i := range int(n) {
		v.Store(fr, y, to+i, &x)
	}
	return true
}

// dim returns a size of a buffer.
func dim(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	o := memref.DimOp{Op: op}
	x, i := v.Get(fr, o.Source()), v.Get(fr, o.Index())
	m, _ := o.Source().Type().(*ir.MemRefType)
	n, static := kernel.StaticSize(m, i)
	if !static {
		n = v.Size(x, i)
	}
	v.Assign(fr, op.Result(0), n)
	return true
}

// sizeOf returns the size that an operation gives a dynamic dimension of its first result; false if nothing is known about it.
func sizeOf(v *kernel.Machine, fr *kernel.Frame, op *ir.Op, i int) (kernel.Value, bool) {
	given := memref.DynamicSize(op.Result(0), i)
	switch {
	case op.Is(memref.Realloc):
		given = memref.ReallocOp{Op: op}.DynamicSize()
	case op.Is(memref.ExpandShape):
		given = memref.ExpandShapeOp{Op: op}.OutputShape()[i].Value
	case op.Is(memref.Transpose):
		o := memref.TransposeOp{Op: op}
		return v.Size(v.Get(fr, o.Source()), kernel.Constant(o.Permutation().Results[i].Value)), true
	}
	if given == nil {
		return kernel.Value{}, false
	}
	return v.Get(fr, given), true
}

// element returns the number of the element that is accessed, if the contents are followed.
func element(v *kernel.Machine, fr *kernel.Frame, x kernel.Value, indices ir.Operands) (int, bool) {
	o, ok := v.Single(x)
	sizes, known := v.Sizes(x)
	if !ok || !known || v.Objects[o].Size == 0 || len(indices) != len(sizes) {
		return 0, false
	}
	at := 0
	for i, size := range sizes {
		n := v.Get(fr, indices.At(i))
		if n.Kind != kernel.Integer || n.Number < 0 || n.Number >= size {
			return 0, false
		}
		at = at*int(size) + int(n.Number)
	}
	return v.Objects[o].Cells + at, true
}

// elements returns the first of the elements that a memref sees, and their number in each dimension; false unless all their contents
// are followed.
func elements(v *kernel.Machine, x kernel.Value) (first int, sizes []int64, ok bool) {
	o, _ := v.Single(x)
	if sizes, ok = v.Sizes(x); !ok || v.Objects[o].Size == 0 {
		return 0, nil, false
	}
	return v.Objects[o].Cells, sizes, true
}
