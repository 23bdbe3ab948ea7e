// Package bufferization defines the dialect of the way from tensors to buffers:
// operations that connect the two worlds, allocate tensors that will be buffers of
// their own, copy buffers lazily, and free them conditionally.
package bufferization

import (
	"freehold/ir"
	"freehold/ir/constraint"
	"freehold/ir/interfaces"
)

// Dialect is the bufferization dialect.
var Dialect = &ir.Dialect{
	Name: "bufferization",
	Ops: func() []*ir.OpDef {
		return []*ir.OpDef{allocTensorDef(), cloneDef(), materializeInDestinationDef(), deallocTensorDef(), toTensorDef(), toMemrefDef(), deallocDef()}
	},
	Models: []ir.Model{
		interfaces.Inliner.Model(interfaces.InlineAnywhere{})},
	VerifyOpAttr:  verifyOpAttr,
	VerifyArgAttr: verifyArgAttr,
}

// Names of attributes that One-Shot Bufferize reads and writes on functions.
const (
	// WritableAttr on a function argument tells whether its buffer may be written.
	WritableAttr = "bufferization.writable"
	// AccessAttr tells how a function accesses the buffer of an argument.
	AccessAttr = "bufferization.access"
	// BufferLayoutAttr is the layout map of the buffer of a function argument.
	BufferLayoutAttr = "bufferization.buffer_layout"
	// EscapeAttr tells, up to LLVM 17, of which results of an operation the buffers must not be freed.
	EscapeAttr = "bufferization.escape"
	// ManualDeallocationAttr marks operations whose allocations are freed by hand.
	ManualDeallocationAttr = "bufferization.manual_deallocation"
)

var segments = ir.AttrDef{Name: ir.OperandSegmentsAttr, Type: constraint.Segments, Derived: true}

func unit(name string) ir.AttrDef {
	return ir.AttrDef{Name: name, Type: constraint.UnitAttr, Optional: true}
}

func flag(op *ir.Op, name string) bool { return op.Attr(name) != nil }

// TensorType returns the type of the tensor with the shape and elements of a
// memref type; nil for other types.
func TensorType(c *ir.Context, memref ir.Type) ir.Type {
	switch t := memref.(type) {
	case *ir.MemRefType:
		return c.RankedTensor(t.Shape, t.Elem)
	case *ir.UnrankedMemRefType:
		return c.UnrankedTensor(t.Elem)
	}
	return nil
}
