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
	for i := range s.Sizes {
		offset, known := s.Offsets[i].Int()
		size, sized := s.Sizes[i].Int()
		stride, steps := s.Strides[i].Int()
		if !known || !sized || !steps || offset < 0 || size > 0 && (stride < 1 || offset >= t.Shape[i] || (size-1) > (t.Shape[i]-1-offset)/stride) {
			return interfaces.NotSpeculatable
		}
	}
	return interfaces.AlwaysSpeculatable
}
