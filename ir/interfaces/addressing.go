package interfaces

import (
	"slices"

	"freehold/ir"
)

// Addressing says how an operation finds the elements of a buffer that it is given, and so which other layouts the buffer may get
// under it: strides and an offset that aren't those with which the program was written.
type Addressing uint8

// The ways of addressing, from the one that allows nothing to the one that allows everything.
const (
	// AsLaidOut operations need the buffer as it is: they pass it on, with its type, or show its address, or demand a layout. That
	// is taken of operations that don't say.
	AsLaidOut Addressing = iota
	// Linearly addressing operations count elements from a position on whatever the strides say. Elements must stay as far from each
	// other as they are; the offset may change.
	Linearly
	// InRows are accesses to elements that follow each other in the last dimension, none beyond its end: its stride must be 1 and
	// stay 1, the others may change.
	InRows
	// AsViewed operations make a view, whose layout follows from that of the buffer.
	AsViewed
	// ByPosition are accesses to elements whose positions are multiplied with the strides, and operations that look at sizes only, or
	// at what was allocated.
	ByPosition
)

// AddressingModel returns how an operation addresses the memref that is operand i.
type AddressingModel func(op *ir.Op, i int) Addressing

// BufferAddressing is implemented by operations that take buffers. Those that take values of any type and have no model pass them on.
var BufferAddressing = ir.NewInterface[AddressingModel]("BufferAddressing")

// Addresses is the model of operations that address all memrefs that they are given in the same way.
func Addresses(a Addressing) ir.Model {
	return BufferAddressing.Model(func(*ir.Op, int) Addressing { return a })
}

// AddressingOf returns how the operation of a use addresses the buffer.
func AddressingOf(u *ir.Use) Addressing {
	if m, ok := BufferAddressing.Of(u.Owner()); ok {
		return m(u.Owner(), u.Index())
	}
	return AsLaidOut
}

// Allows tells whether an operation does the same with a buffer of the type to as with one of the type from, which has the same shape and
// elements. For views, the same has to be asked of what uses them.
func (a Addressing) Allows(from, to *ir.MemRefType) bool {
	switch a {
	case AsLaidOut:
		return from == to && SameStrides(from, to)
	case Linearly:
		return SameStrides(from, to)
	case InRows:
		return SameStrides(from, to) || HasUnitInnermostStride(from) && HasUnitInnermostStride(to)
	}
	return true
}

// SameStrides tells whether elements of buffers of two types of the same shape are known to be equally far from each other.
func SameStrides(t, s *ir.MemRefType) bool {
	if t.HasIdentityLayout() && s.HasIdentityLayout() {
		return true
	}
	a, _, ok1 := t.StridesAndOffset()
	b, _, ok2 := s.StridesAndOffset()
	return ok1 && ok2 && !slices.Contains(a, ir.Dynamic) && slices.Equal(a, b)
}

// HasUnitInnermostStride tells whether elements that follow each other in the last dimension are known to do so in memory.
func HasUnitInnermostStride(t *ir.MemRefType) bool {
	strides, _, ok := t.StridesAndOffset()
	return ok && (len(strides) == 0 || strides[len(strides)-1] == 1)
}

// RowAddressing returns how an access to a vector in a buffer, at an index in the last dimension, addresses the buffer: elements follow
// each other in memory, and may do so beyond the row, into the next one as long as that comes next.
func RowAddressing(t *ir.MemRefType, v ir.Type, last Linear) Addressing {
	rank, n := len(t.Shape), int64(1)
	if !HasUnitInnermostStride(t) || rank == 0 {
		return Linearly
	}
	if v, ok := v.(*ir.VectorType); ok && v != t.Elem {
		if slices.Contains(v.Scalable, true) {
			return Linearly
		}
		if len(v.Shape) > 0 {
			n = v.Shape[len(v.Shape)-1]
		}
	}
	lowest, highest, ok := last.Limits()
	if size := t.Shape[rank-1]; !ok || lowest < 0 || size == ir.Dynamic || highest > size-n {
		return Linearly
	}
	return InRows
}
