package tensor

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// An element out of bounds is undefined behaviour: on buffers, another element of something is read or overwritten. So what reads or writes elements may be
// executed where it wasn't only if it is known that they are within bounds.

// speculateElement allows reading or writing an element that is known to be within bounds.
func speculateElement(t *ir.RankedTensorType, indices ir.Operands) interfaces.Speculatability {
	for i, v := range indices.Values() {
		n, ok := ir.ConstantInt(v)
		if !ok || n < 0 || n >= t.Shape[i] {
			return interfaces.NotSpeculatable
		}
	}
	return interfaces.AlwaysSpeculatable
}

// speculateSlice allows writing a slice that is known to be within bounds.
func speculateSlice(t *ir.RankedTensorType, s shapes.Slice) interfaces.Speculatability {
	if !s.KnownWithin(t.Shape) {
		return interfaces.NotSpeculatable
	}
	return interfaces.AlwaysSpeculatable
}
