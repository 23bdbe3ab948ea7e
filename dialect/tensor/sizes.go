package tensor

import (
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// NewDim returns the size of dimension i of a tensor, as a constant if it is
// static.
func NewDim(b *ir.Builder, v *ir.Value, i int64) *ir.Value {
	return NewDimOf(b, v, arith.ConstantIndex(b, i))
}

// NewDimOf creates a tensor.dim.
func NewDimOf(b *ir.Builder, v, index *ir.Value) *ir.Value {
	return b.CreateOp(Dim, []ir.Type{ir.Index}, []*ir.Value{v, index}).Result(0)
}

// FoldedDim returns the size of dimension i of a tensor, with a constant of i: what a tensor.dim folds to, or a new one.
func FoldedDim(b *ir.Builder, v *ir.Value, i int64) *ir.Value {
	s := b.State(Dim)
	s.Types, s.Operands = []ir.Type{ir.Index}, []*ir.Value{v, arith.ConstantIndex(b, i)}
	return rewrite.CreateOrFold(b, s)[0]
}

// MixedSize returns the size of dimension i of a ranked tensor: what a tensor.dim folds to where it isn't static.
func MixedSize(b *ir.Builder, v *ir.Value, i int) shapes.OpFoldResult {
	if d := ranked(v.Type()).Shape[i]; d != ir.Dynamic {
		return shapes.ConstSize(d)
	}
	return shapes.SizeOf(FoldedDim(b, v, int64(i)))
}

// MixedSizes returns the sizes of all dimensions of a ranked tensor.
func MixedSizes(b *ir.Builder, v *ir.Value) []shapes.OpFoldResult {
	out := make([]shapes.OpFoldResult, len(ranked(v.Type()).Shape))
	for i := range out {
		out[i] = MixedSize(b, v, i)
	}
	return out
}
