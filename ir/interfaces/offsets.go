package interfaces

import (
	"freehold/ir"
	"freehold/ir/shapes"
)

// OffsetsModel says which operand groups of an operation hold the dynamic
// offsets, sizes and strides of a slice. The static ones, with ir.Dynamic for
// those that are operands, are in the attributes static_offsets, static_sizes and
// static_strides.
type OffsetsModel struct {
	Offsets, Sizes, Strides int
	// Rank returns the expected number of offsets, sizes and strides.
	Rank func(op *ir.Op) (offsets, sizes, strides int)
}

// OffsetSizeAndStride is implemented by operations that take a slice of a tensor
// or memref.
var OffsetSizeAndStride = ir.NewInterface[OffsetsModel]("OffsetSizeAndStrideOpInterface")

// Names of the attributes with the static parts of a slice.
const (
	StaticOffsets = "static_offsets"
	StaticSizes   = "static_sizes"
	StaticStrides = "static_strides"
)

// SliceOf returns the slice of an operation that implements
// [OffsetSizeAndStride].
func SliceOf(op *ir.Op) shapes.Slice {
	return shapes.Slice{Offsets: MixedOffsets(op), Sizes: MixedSizes(op), Strides: MixedStrides(op)}
}

// MixedOffsets returns the offsets of an [OffsetSizeAndStride] operation.
func MixedOffsets(op *ir.Op) []shapes.OpFoldResult {
	m, _ := OffsetSizeAndStride.Of(op)
	return MixedList(op, m.Offsets, StaticOffsets)
}

// MixedSizes returns the sizes of an [OffsetSizeAndStride] operation.
func MixedSizes(op *ir.Op) []shapes.OpFoldResult {
	m, _ := OffsetSizeAndStride.Of(op)
	return MixedList(op, m.Sizes, StaticSizes)
}

// MixedStrides returns the strides of an [OffsetSizeAndStride] operation.
func MixedStrides(op *ir.Op) []shapes.OpFoldResult {
	m, _ := OffsetSizeAndStride.Of(op)
	return MixedList(op, m.Strides, StaticStrides)
}

// StaticSlice returns the static parts of the slice of an [OffsetSizeAndStride] operation.
func StaticSlice(op *ir.Op) (offsets, sizes, strides *ir.DenseArrayAttr) {
	offsets, _ = op.Attr(StaticOffsets).(*ir.DenseArrayAttr)
	sizes, _ = op.Attr(StaticSizes).(*ir.DenseArrayAttr)
	strides, _ = op.Attr(StaticStrides).(*ir.DenseArrayAttr)
	return offsets, sizes, strides
}

// StaticInts returns the elements of a dense i64 array attribute of the
// operation; it is nil if there is none.
func StaticInts(op *ir.Op, attr string) []int64 {
	a, _ := op.Attr(attr).(*ir.DenseArrayAttr)
	if a == nil {
		return nil
	}
	return a.Ints()
}

// MixedList joins the static values of a dense i64 array attribute with the
// operands of the group that stand for its dynamic entries.
func MixedList(op *ir.Op, group int, attr string) []shapes.OpFoldResult {
	static, _ := op.Attr(attr).(*ir.DenseArrayAttr)
	return shapes.MixedOperands(static, op.OperandGroup(group))
}

// VerifyOffsetSizeAndStride checks that the static and dynamic parts of a slice
// fit together and the rank that the model expects.
func VerifyOffsetSizeAndStride(op *ir.Op) error {
	m, ok := OffsetSizeAndStride.Of(op)
	if !ok {
		return nil
	}
	offsets, sizes, strides := StaticInts(op, StaticOffsets), StaticInts(op, StaticSizes), StaticInts(op, StaticStrides)
	ro, rs, rt := m.Rank(op)
	if !(len(offsets) == 1 && ro == 1) && len(offsets) != len(sizes) {
		return op.PlainErrorf("expected mixed offsets rank to match mixed sizes rank (%d vs %d) so the rank of the result type is well-formed.",
			len(offsets), len(sizes))
	}
	if len(sizes) != len(strides) {
		return op.PlainErrorf("expected mixed sizes rank to match mixed strides rank (%d vs %d) so the rank of the result type is well-formed.",
			len(sizes), len(strides))
	}
	if err := VerifyMixedList(op, "offset", ro, offsets, m.Offsets); err != nil {
		return err
	}
	if err := VerifyMixedList(op, "size", rs, sizes, m.Sizes); err != nil {
		return err
	}
	if err := VerifyMixedList(op, "stride", rt, strides, m.Strides); err != nil {
		return err
	}
	for _, v := range offsets {
		if v < 0 && v != ir.Dynamic {
			return op.PlainErrorf("expected offsets to be non-negative, but got %d", v)
		}
	}
	for _, v := range sizes {
		if v < 0 && v != ir.Dynamic {
			return op.PlainErrorf("expected sizes to be non-negative, but got %d", v)
		}
	}
	return nil
}

// VerifyWithin checks that no static part of a slice of the shape is known to be outside of that, as LLVM does since version 22.
func VerifyWithin(op *ir.Op, shape []int64) error {
	over := shapes.FindOverrun(StaticInts(op, StaticOffsets), StaticInts(op, StaticSizes), StaticInts(op, StaticStrides), shape)
	switch {
	case over == nil:
		return nil
	case over.First:
		return op.PlainErrorf("offset %d is out-of-bounds: %d >= %d", over.Dim, over.At, shape[over.Dim])
	}
	return op.PlainErrorf("slice along dimension %d runs out-of-bounds: %d >= %d", over.Dim, over.At, shape[over.Dim])
}

// VerifyMixedList checks that there are n static values, and as many operands in
// the group as dynamic entries.
func VerifyMixedList(op *ir.Op, name string, n int, static []int64, group int) error {
	if len(static) != n {
		return op.PlainErrorf("expected %d %s values, got %d", n, name, len(static))
	}
	dynamic := ir.NumDynamic(static)
	if len(op.OperandGroup(group)) != dynamic {
		return op.PlainErrorf("expected %d dynamic %s values", dynamic, name)
	}
	return nil
}
