package iface

import "freehold/ir"

// SubsetModel is about operations that read or insert a part of a tensor, such as
// a slice.
type SubsetModel interface {
	// EquivalentSubset tells whether the operation works on just the part that the
	// candidate is: a result of a subset extraction, such as tensor.extract_slice,
	// from an equivalent tensor.
	EquivalentSubset(op *ir.Op, candidate *ir.Value, equivalent func(a, b *ir.Value) bool) bool
	// OperatesOnEquivalent and OperatesOnDisjoint compare with another subset
	// operation on equivalent tensors.
	OperatesOnEquivalent(op, other *ir.Op, equivalent func(a, b *ir.Value) bool) bool
	OperatesOnDisjoint(op, other *ir.Op, equivalent func(a, b *ir.Value) bool) bool
}

// SubsetInsertionModel is about operations that insert a source into a part of a
// destination.
type SubsetInsertionModel interface {
	// Source and Destination return the operands.
	Source(op *ir.Op) *ir.Use
	Destination(op *ir.Op) *ir.Use
	// EquivalentSubset is as in [SubsetModel].
	EquivalentSubset(op *ir.Op, candidate *ir.Value, equivalent func(a, b *ir.Value) bool) bool
	// BuildExtraction inserts the operation that extracts the part which the operation
	// overwrites, and returns its result.
	BuildExtraction(b *ir.Builder, op *ir.Op) *ir.Value
	// ValuesNeeded lists the values that BuildExtraction uses.
	ValuesNeeded(op *ir.Op) []*ir.Value
}

// Subset is implemented by operations on a part of a tensor.
var Subset = ir.NewInterface[SubsetModel]("SubsetOpInterface")

// SubsetInsertion is implemented by operations that overwrite a part of a tensor.
var SubsetInsertion = ir.NewInterface[SubsetInsertionModel]("SubsetInsertionOpInterface")
