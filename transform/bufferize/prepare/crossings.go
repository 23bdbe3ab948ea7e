package prepare

import (
	"sync"

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
	if source := (bufferization.ToMemrefOp{Op: op}).Tensor().DefinedBy(bufferization.ToTensor); source != nil {
		from = ir.MemorySpaceOf(bufferization.ToTensorOp{Op: source}.MemRef().Type())
	}
	if from == to.Space {
		return false
	}
	r.At(op)
	shape, _ := ir.ShapeOf(bufferization.ToMemrefOp{Op: op}.Tensor().Type())
	buffer := bufferization.NewToMemref(r.Builder, r.Context().MemRefOf(shape, to.Elem, nil, from), bufferization.ToMemrefOp{Op: op}.Tensor())
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

// callees remembers what references mean, as long as it is still there by that name: so many calls of a function look for it once. Its methods
// may be called by several goroutines.
type callees struct {
	mu    sync.Mutex
	known map[reference]*ir.Op
}

// reference is a reference in a symbol table.
type reference struct {
	table *ir.Op
	ref   *ir.SymbolRefAttr
}

func (c *callees) find(from *ir.Op, ref *ir.SymbolRefAttr) *ir.Op {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := reference{ir.SymbolTableOp(from), ref}
	if op := c.known[k]; op != nil && len(ref.Nested) == 0 && op.Parent() == k.table {
		if name, _ := ir.SymbolName(op); name == ref.Root {
			return op
		}
	}
	if c.known == nil {
		c.known = map[reference]*ir.Op{}
	}
	c.known[k] = ir.LookupSymbol(from, ref)
	return c.known[k]
}

// copyBeforeUnrankedCall copies a tensor that is cast to one of unknown rank for a function without a body, and used otherwise, too: the function may
// write to it, and a buffer of unknown rank can't be copied.
func (c *callees) copyBeforeUnrankedCall(r *rewrite.Rewriter, op *ir.Op) bool {
	source, t := tensor.CastOp{Op: op}.Source(), tensor.CastOp{Op: op}.Source().Type()
	if _, ranked := ir.ShapeOf(t); !ranked || source.HasOneUse() {
		return false
	}
	if _, ranked := ir.ShapeOf(op.Result(0).Type()); ranked {
		return false
	}
	written := false
	for u := op.Result(0).FirstUse(); u != nil; u = u.Next() {
		written = written || c.mayWriteUnknown(u)
	}
	if !written {
		return false
	}
	r.At(op)
	r.Replace(op, tensor.NewCast(r.Builder, op.Result(0).Type(), bufferization.NewAllocTensor(r.Builder, t, nil, source, nil)))
	return true
}

// mayWriteUnknown tells whether an operand is passed to a function without a body that may write to it.
func (c *callees) mayWriteUnknown(u *ir.Use) bool {
	m, ok := interfaces.Call.Of(u.Owner())
	if !ok {
		return false
	}
	ref, _ := m.Callee(u.Owner())
	if ref == nil {
		return false
	}
	callee := c.find(u.Owner(), ref)
	if callee == nil || !interfaces.Function.Has(callee) || !callee.RegionAt(0).Empty() {
		return false
	}
	start, _ := m.Args(u.Owner())
	access, _ := interfaces.ArgAttr(callee, u.Index()-start, bufferization.AccessAttr).(*ir.StringAttr)
	return access == nil || access.Value != "read" && access.Value != "none"
}
