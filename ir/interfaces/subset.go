package interfaces

import (
	"freehold/ir"
	"freehold/ir/shapes"
)

// SubsetModel is about operations that read or overwrite a part of a tensor, such as
// a slice.
type SubsetModel interface {
	// Container returns the operand of which a part is read or overwritten.
	Container(op *ir.Op) *ir.Use
	// Accessed returns the part, and whether it is known. A slice without strides has
	// strides of 1.
	Accessed(op *ir.Op) (shapes.Slice, bool)
}

// SubsetInsertionModel is about operations that insert a source into a part of a
// destination.
type SubsetInsertionModel interface {
	// Source and Destination return the operands.
	Source(op *ir.Op) *ir.Use
	Destination(op *ir.Op) *ir.Use
	// EquivalentSubset tells whether the operation overwrites just the part that the
	// candidate is: a result of a [SubsetExtraction] from an equivalent tensor.
	EquivalentSubset(op *ir.Op, candidate *ir.Value, equivalent func(a, b *ir.Value) bool) bool
	// BuildExtraction inserts the operation that extracts the part which the operation
	// overwrites, and returns its result; nil if there is none.
	BuildExtraction(b *ir.Builder, op *ir.Op) *ir.Value
	// ValuesNeeded lists the values that BuildExtraction uses.
	ValuesNeeded(op *ir.Op) []*ir.Value
}

// Subset is implemented by operations on a part of a tensor.
var Subset = ir.NewInterface[SubsetModel]("SubsetOpInterface")

// SubsetExtraction is implemented by operations with [Subset] whose only result is
// the part of the container.
var SubsetExtraction = ir.NewInterface[struct{}]("SubsetExtractionOpInterface")

// SubsetInsertion is implemented by operations with [Subset] that overwrite a part
// of a tensor.
var SubsetInsertion = ir.NewInterface[SubsetInsertionModel]("SubsetInsertionOpInterface")

// ParallelCombining is implemented by terminators whose region says how the results of
// parallel iterations are put together: by insertions into shared tensors.
var ParallelCombining = ir.NewInterface[struct{}]("ParallelCombiningOpInterface")

// accessed returns the slices of two operations on equivalent tensors of the same
// rank.
func accessed(a, b *ir.Op, equivalent func(v, w *ir.Value) bool) (s, t shapes.Slice, ok bool) {
	ma, ok1 := Subset.Of(a)
	mb, ok2 := Subset.Of(b)
	if !ok1 || !ok2 || ma.Container(a) == nil || mb.Container(b) == nil {
		return s, t, false
	}
	if ca, cb := ma.Container(a).Value(), mb.Container(b).Value(); ca != cb && !equivalent(ca, cb) {
		return s, t, false
	}
	s, ok1 = ma.Accessed(a)
	t, ok2 = mb.Accessed(b)
	return s, t, ok1 && ok2 && len(s.Offsets) == len(t.Offsets)
}

// EquivalentSubsets tells whether two [Subset] operations are known to work on the
// same part of equivalent tensors.
func EquivalentSubsets(a, b *ir.Op, equivalent func(v, w *ir.Value) bool) bool {
	s, t, ok := accessed(a, b, equivalent)
	if !ok {
		return false
	}
	for i := range s.Offsets {
		if !AlwaysEqual(s.Offsets[i], t.Offsets[i]) || !AlwaysEqual(s.Sizes[i], t.Sizes[i]) || !AlwaysEqual(s.Stride(i), t.Stride(i)) {
			return false
		}
	}
	return true
}

// DisjointSubsets tells whether two [Subset] operations are known to work on parts
// of equivalent tensors that don't overlap: in some dimension, one ends before the
// other one starts.
func DisjointSubsets(a, b *ir.Op, equivalent func(v, w *ir.Value) bool) bool {
	s, t, ok := accessed(a, b, equivalent)
	if !ok {
		return false
	}
	for i := range s.Offsets {
		if endsBefore(s, t, i) || endsBefore(t, s, i) {
			return true
		}
	}
	return false
}

// endsBefore tells whether slice s ends before slice t starts in dimension i.
func endsBefore(s, t shapes.Slice, i int) bool {
	extent, ok := LinearOf(s.Sizes[i]).Product(LinearOf(s.Stride(i)))
	if !ok {
		return false
	}
	gap, ok := LinearOf(t.Offsets[i]).Minus(LinearOf(s.Offsets[i])).Minus(extent).Constant()
	return ok && gap >= 0
}
