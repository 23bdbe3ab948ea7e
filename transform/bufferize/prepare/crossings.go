package prepare

import (
	"freehold/dialect/bufferization"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// copyBetweenSpaces lets a bufferization.to_memref whose buffer is in another memory space than that of the tensor take a copy: bufferization
// can't move a buffer there.
func copyBetweenSpaces(r *rewrite.Rewriter, op *ir.Op) bool {
	to, ok := op.Result(0).Type().(*ir.MemRefType)
	if !ok {
		return false
	}
	var from ir.Attribute
	if source := op.Operand(0).DefinedBy(bufferization.ToTensor); source != nil {
		from = ir.MemorySpaceOf(source.Operand(0).Type())
	}
	if from == to.Space {
		return false
	}
	r.At(op)
	shape, _ := ir.ShapeOf(op.Operand(0).Type())
	buffer := bufferization.NewToMemref(r.Builder, r.Context().MemRefOf(shape, to.Elem, nil, from), op.Operand(0))
	var sizes []*ir.Value
	for i, n := range to.Shape {
		if n == ir.Dynamic {
			sizes = append(sizes, memref.NewDim(r.Builder, buffer, i))
		}
	}
	alloc := memref.NewAlloc(r.Builder, to, sizes, 0)
	memref.NewCopy(r.Builder, buffer, alloc)
	r.Replace(op, alloc)
	return true
}

// copyBeforeUnrankedCall copies a tensor that is cast to one of unknown rank for a function without a body, and used otherwise, too: the function may
// write to it, and a buffer of unknown rank can't be copied.
func copyBeforeUnrankedCall(r *rewrite.Rewriter, op *ir.Op) bool {
	source, t := op.Operand(0), op.Operand(0).Type()
	if _, ranked := ir.ShapeOf(t); !ranked || source.HasOneUse() {
		return false
	}
	if _, ranked := ir.ShapeOf(op.Result(0).Type()); ranked {
		return false
	}
	written := false
	for u := op.Result(0).FirstUse(); u != nil; u = u.Next() {
		written = written || mayWriteUnknown(u)
	}
	if !written {
		return false
	}
	r.At(op)
	r.Replace(op, tensor.NewCast(r.Builder, op.Result(0).Type(), bufferization.NewAllocTensor(r.Builder, t, nil, source, nil)))
	return true
}

// mayWriteUnknown tells whether an operand is passed to a function without a body that may write to it.
func mayWriteUnknown(u *ir.Use) bool {
	m, ok := interfaces.Call.Of(u.Owner())
	if !ok {
		return false
	}
	ref, _ := m.Callee(u.Owner())
	if ref == nil {
		return false
	}
	callee := ir.NewSymbolTables().Lookup(u.Owner(), ref)
	if callee == nil || !interfaces.Function.Has(callee) || !callee.RegionAt(0).Empty() {
		return false
	}
	start, _ := m.Args(u.Owner())
	access, _ := interfaces.ArgAttr(callee, u.Index()-start, bufferization.AccessAttr).(*ir.StringAttr)
	return access == nil || access.Value != "read" && access.Value != "none"
}
