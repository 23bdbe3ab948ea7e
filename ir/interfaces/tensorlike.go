package interfaces

import "freehold/ir"

// TensorLikeModel says how the types of a dialect are tensors for bufferization.
//
// A model that is also a [TensorCopier] allows that tensors are copied, without which
// programs that need a copy are refused.
type TensorLikeModel interface {
	// BufferType returns the type of the buffers of tensors of type t in a memory space
	// (nil is the default one), where nothing else determines it, and where buffers of
	// several types meet. It is [BufferLike], or a memref.
	BufferType(c *ir.Context, t ir.Type, space ir.Attribute) ir.Type
	// Holds tells whether a buffer of the other type can hold tensors of type t.
	Holds(t, buffer ir.Type) bool
}

// TensorLike is implemented by types of dialects that are like tensors: their values are
// never overwritten, and become buffers (TensorLikeType of LLVM 22). The builtin tensors
// are so without a model.
var TensorLike = ir.NewInterface[TensorLikeModel]("TensorLikeType")

// TensorCopier is implemented by models of [TensorLike] whose tensors can be copied.
type TensorCopier interface {
	// CopyTensor creates a tensor of the type of v, and returns it: with the contents of v,
	// or with undefined ones. What it creates is bufferized in turn; the buffer is new.
	CopyTensor(b *ir.Builder, v *ir.Value, contents bool) *ir.Value
}

// BufferLikeModel says how the types of a dialect are buffers.
type BufferLikeModel interface {
	// MemorySpace returns the memory space of buffers of the type; nil is the default one.
	MemorySpace(t ir.Type) ir.Attribute
	// Cast creates a buffer of type to that is v under another type, and returns it; nil if
	// there is no such operation.
	Cast(b *ir.Builder, v *ir.Value, to ir.Type) *ir.Value
}

// BufferLike is implemented by types of dialects that are like memrefs (BufferLikeType of
// LLVM 22). Memrefs are so without a model.
var BufferLike = ir.NewInterface[BufferLikeModel]("BufferLikeType")

// IsTensorLike tells whether values of the type become buffers: whether it is a tensor, or
// implements [TensorLike].
func IsTensorLike(t ir.Type) bool {
	switch t.(type) {
	case *ir.RankedTensorType, *ir.UnrankedTensorType:
		return true
	case *ir.DialectType:
		_, ok := TensorLike.OfType(t)
		return ok
	}
	return false
}

// IsBufferLike tells whether the type is a memref, or implements [BufferLike].
func IsBufferLike(t ir.Type) bool {
	switch t.(type) {
	case *ir.MemRefType, *ir.UnrankedMemRefType:
		return true
	case *ir.DialectType:
		_, ok := BufferLike.OfType(t)
		return ok
	}
	return false
}

// MemorySpaceOf returns the memory space of a type that IsBufferLike; nil is the default
// one, and that of other types.
func MemorySpaceOf(t ir.Type) ir.Attribute {
	if m, ok := BufferLike.OfType(t); ok {
		return m.MemorySpace(t)
	}
	return ir.MemorySpaceOf(t)
}

// HoldsTensor tells whether buffers of one type can hold tensors of another that is
// [TensorLike]; for builtin tensors it returns false.
func HoldsTensor(tensor, buffer ir.Type) bool {
	if m, ok := TensorLike.OfType(tensor); ok {
		return IsBufferLike(buffer) && m.Holds(tensor, buffer)
	}
	return false
}
