package interfaces

import (
	"freehold/ir"
	"freehold/ir/shapes"
)

// ViewLike is implemented by operations whose result is a view of the buffer (or
// a part of the tensor) that the model returns.
var ViewLike = ir.NewInterface[func(op *ir.Op) *ir.Value]("ViewLikeOpInterface")

// ViewSource returns what the result of an operation is a view of, as its model of ViewLike says; nil if it has none.
func ViewSource(op *ir.Op) *ir.Value {
	source, ok := ViewLike.Of(op)
	if !ok {
		return nil
	}
	return source(op)
}

// ShiftedBase is implemented by views whose base address isn't that of what they view.
// The model returns the number of bytes between the two.
//
// A buffer has two addresses: that of its allocation, which memref.dealloc frees, and
// its base address, to which offset and indices are relative; programs compare the
// latter (memref.extract_aligned_pointer_as_index, bufferization.dealloc). Every view has
// the allocation of what it views. The base address is that of what it views as well, with
// another offset if need be, unless the view says otherwise here.
var ShiftedBase = ir.NewInterface[func(op *ir.Op) shapes.OpFoldResult]("ShiftedBase")

// KeepsBaseAddress tells whether the result of a view (or of another operation without
// allocations that returns its operand's memory) is known to have the base address of
// what it views.
func KeepsBaseAddress(op *ir.Op) bool {
	m, ok := ShiftedBase.Of(op)
	if !ok {
		return true
	}
	shift := m(op)
	if shift.Value == nil {
		return shift.Const == 0
	}
	n, constant := ir.ConstantInt(shift.Value)
	return constant && n == 0
}

// OneOfEquals is implemented by operations of which equal ones may give different things though nothing is written between them: the model tells whether an operation is such. They aren't merged.
var OneOfEquals = ir.NewInterface[func(op *ir.Op) bool]("OneOfEquals")

// OtherView is implemented by operations whose only result is a view of the buffer that the
// model returns, though MLIR's ViewLikeOpInterface doesn't say so.
var OtherView = ir.NewInterface[func(op *ir.Op) *ir.Value]("OtherView")

// DestinationModel returns position and number of the operands into which the
// operation writes its results ("inits"). For tensors, result i is tied to init i.
type DestinationModel func(op *ir.Op) (start, n int)

// DestinationStyle is implemented by operations that compute into given
// destinations.
var DestinationStyle = ir.NewInterface[DestinationModel]("DestinationStyleOpInterface")

// DpsInits returns the destinations of a destination style operation.
func DpsInits(op *ir.Op) ir.Operands {
	m, ok := DestinationStyle.Of(op)
	if !ok {
		return nil
	}
	start, n := m(op)
	return op.Operands()[start : start+n]
}

// TiedResult returns the tensor result that is tied to a destination operand, or
// nil.
func TiedResult(u *ir.Use) *ir.Value {
	op := u.Owner()
	m, ok := DestinationStyle.Of(op)
	if !ok {
		return nil
	}
	start, n := m(op)
	i := u.Index() - start
	if i < 0 || i >= n || !ir.IsTensor(u.Value().Type()) {
		return nil
	}
	res := 0
	for j := start; j < u.Index(); j++ {
		if ir.IsTensor(op.Operand(j).Type()) {
			res++
		}
	}
	if res >= op.NumResults() {
		return nil
	}
	return op.Result(res)
}

// TiedInit returns the destination operand that a result is tied to, or nil.
func TiedInit(r *ir.Value) *ir.Use {
	op := r.DefiningOp()
	if op == nil {
		return nil
	}
	inits := DpsInits(op)
	result := 0
	for i := range inits {
		if !ir.IsTensor(inits.At(i).Type()) {
			continue
		}
		if result == r.Index() {
			return &inits[i]
		}
		result++
	}
	return nil
}

// AllocationModel tells how to free and copy what an operation allocates.
type AllocationModel interface {
	// BuildDealloc inserts the operation that frees v, and returns it; nil if v isn't freed
	// by an operation.
	BuildDealloc(b *ir.Builder, v *ir.Value) *ir.Op
	// BuildClone inserts operations that return a copy of v in a new allocation; nil if
	// there is none but bufferization.clone.
	BuildClone(b *ir.Builder, v *ir.Value) *ir.Value
	// Hoisting tells where the allocation may be moved.
	Hoisting() Hoisting
	// BuildPromoted inserts the stack allocation that replaces the operation, and
	// returns it; nil if there is none.
	BuildPromoted(b *ir.Builder, op *ir.Op) *ir.Op
}

// Hoisting says where an allocation may be moved, as a set.
type Hoisting uint8

// The kinds of hoisting.
const (
	HoistNone  Hoisting = 0
	HoistLoop  Hoisting = 1
	HoistBlock Hoisting = 2
)

// Allocation is implemented by operations that allocate buffers.
var Allocation = ir.NewInterface[AllocationModel]("AllocationOpInterface")

// GlobalContents is implemented by operations that define globals: the model returns what
// the buffer holds as long as the program runs, or nil if that may change.
var GlobalContents = ir.NewInterface[func(op *ir.Op) ir.Attribute]("GlobalContents")

// ConditionalFree is implemented by operations that free, or don't free, some of their
// operands, and do nothing else with memory: the model returns position and number of these.
// What frees its operands in any case says so by its effects.
var ConditionalFree = ir.NewInterface[func(op *ir.Op) (start, n int)]("ConditionalFreeOpInterface")

// GlobalBuffer is implemented by operations whose only result is the buffer of a global,
// which lives as long as the program: the model returns its symbol. Different globals have
// different buffers.
var GlobalBuffer = ir.NewInterface[func(op *ir.Op) *ir.SymbolRefAttr]("GlobalBufferOpInterface")

// CopyModel returns source and target of a copy.
type CopyModel func(op *ir.Op) (source, target *ir.Value)

// Copy is implemented by operations that copy a buffer.
var Copy = ir.NewInterface[CopyModel]("CopyOpInterface")

// ViewFlowModel lists pairs of values: what the second value refers to may be what
// the first one does.
type ViewFlowModel interface {
	Dependencies(op *ir.Op, depends func(from, to *ir.Value))
	// MayBeTerminalBuffer tells whether the value may be a buffer that is not derived
	// from another value, such as an allocation.
	MayBeTerminalBuffer(op *ir.Op, v *ir.Value) bool
}

// BufferViewFlow is implemented by operations that pass buffers on in ways that
// other interfaces don't say.
var BufferViewFlow = ir.NewInterface[ViewFlowModel]("BufferViewFlowOpInterface")

// ReifyShapes is implemented by operations that can compute the sizes of their
// results: for each ranked result the sizes, as attributes (static) or index
// values created with the builder. It returns nil if it can't.
var ReifyShapes = ir.NewInterface[func(b *ir.Builder, op *ir.Op) [][]shapes.OpFoldResult]("ReifyRankedShapedTypeOpInterface")

// Cast is implemented by operations that only change the type of their one
// operand.
var Cast = ir.NewInterface[struct{}]("CastOpInterface")

// Masking is implemented by operations whose region holds one operation, which they
// change, and must not get others.
var Masking = ir.NewInterface[struct{}]("MaskingOpInterface")

// IsMasking tells whether the operation implements Masking.
func IsMasking(op *ir.Op) bool { _, ok := Masking.Of(op); return ok }

// IsCast tells whether the operation implements Cast.
func IsCast(op *ir.Op) bool { _, ok := Cast.Of(op); return ok }

// MemRefsNormalizable is implemented by operations that go by the elements of buffers, not by where they are: they may get buffers of
// types without layouts for others.
var MemRefsNormalizable = ir.NewInterface[struct{}]("MemRefsNormalizable")
