package vector

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// contiguousAddressing is that of vector.load and vector.store.
func contiguousAddressing(op *ir.Op, i int) interfaces.Addressing {
	if op.NumResults() == 0 {
		return rowAddressing(op, 1, StoreOp{op}.ValueToStore().Type())
	}
	return rowAddressing(op, i, op.Result(0).Type())
}

// maskedAddressing is that of accesses to the elements that a mask selects.
func maskedAddressing(op *ir.Op, i int) interfaces.Addressing {
	return rowAddressing(op, i, op.OperandGroup(3).At(0).Type())
}

// rowAddressing is how a vector is found in a buffer, whose indices come next.
func rowAddressing(op *ir.Op, buffer int, v ir.Type) interfaces.Addressing {
	t, ok := op.Operand(buffer).Type().(*ir.MemRefType)
	if !ok || len(t.Shape) == 0 {
		return interfaces.Linearly
	}
	last := op.Operand(buffer + len(t.Shape))
	return interfaces.RowAddressing(t, v, interfaces.LinearOf(shapes.SizeOf(last)))
}
