package linalg

import (
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/shapes"
)

// unitDims drops dimensions of size 1; with slices, by slices that leave dimensions out and by insertions of these, else by reshapes.
type unitDims struct{ slices bool }

// collapse returns a view of a tensor or buffer without layout that has the given shape, in which each group of dimensions is one.
func (u unitDims) collapse(b *ir.Builder, v *ir.Value, shape []int64, groups [][]int64) *ir.Value {
	c := b.Context()
	switch t := v.Type().(type) {
	case *ir.MemRefType:
		if u.slices {
			s := whole(len(t.Shape))
			for d := range t.Shape {
				s.Sizes[d] = memref.SizeOf(b, v, d)
			}
			return memref.NewSubView(b, memref.RankReducedSubViewType(c, shape, t, s), v, s)
		}
		return memref.NewCollapseShape(b, c.MemRefOf(shape, t.Elem, nil, t.Space), v, groups)
	case *ir.RankedTensorType:
		if u.slices {
			return tensor.NewExtractSlice(b, c.RankedTensor(shape, t.Elem), v, wholeTensor(b, v))
		}
	}
	return tensor.NewCollapseShape(b, v, groups)
}

// expand returns v, a tensor of which each dimension stands for a group of dimensions, with the shape of dest. What is in dest doesn't matter.
func (u unitDims) expand(b *ir.Builder, v, dest *ir.Value, groups [][]int64) *ir.Value {
	if u.slices {
		return tensor.NewInsertSlice(b, v, dest, wholeTensor(b, dest))
	}
	t := dest.Type().(*ir.RankedTensorType)
	sizes := make([]shapes.OpFoldResult, len(t.Shape))
	for d, n := range t.Shape {
		sizes[d] = shapes.ConstSize(n)
	}
	for i, group := range groups {
		for _, d := range group {
			if t.Shape[d] == ir.Dynamic {
				sizes[d] = tensor.MixedSize(b, v, i) // the others of the group are 1
			}
		}
	}
	return tensor.NewExpandShape(b, t, v, groups, sizes)
}

// wholeTensor is the slice of a tensor that is all of it.
func wholeTensor(b *ir.Builder, v *ir.Value) shapes.Slice {
	s := whole(len(v.Type().(*ir.RankedTensorType).Shape))
	s.Sizes = tensor.MixedSizes(b, v)
	return s
}

// whole is a slice from the start with all elements, whose sizes are missing.
func whole(rank int) shapes.Slice {
	s := shapes.Slice{
		Offsets: make([]shapes.OpFoldResult, rank), Sizes: make([]shapes.OpFoldResult, rank), Strides: make([]shapes.OpFoldResult, rank),
	}
	for d := range rank {
		s.Strides[d] = shapes.ConstSize(1)
	}
	return s
}
