package tosa

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

func ranked(t ir.Type) *ir.RankedTensorType { r, _ := t.(*ir.RankedTensorType); return r }

// shapeOf returns the shape of a ranked tensor.
func shapeOf(v *ir.Value) []int64 { return ranked(v.Type()).Shape }

// indices are constants of type index that several operations share: there is one of each
// number.
type indices struct {
	b      *ir.Builder
	values map[int64]*ir.Value
}

func newIndices(b *ir.Builder) *indices { return &indices{b, map[int64]*ir.Value{}} }

func (x *indices) of(n int64) *ir.Value {
	if v := x.values[n]; v != nil {
		return v
	}
	v := arith.ConstantIndex(x.b, n)
	x.values[n] = v
	return v
}

// size returns a size of a tensor as it is at run time.
func (x *indices) size(v *ir.Value, dim int) *ir.Value {
	return tensor.NewDimOf(x.b, v, x.of(int64(dim)))
}

// sizesLike returns the sizes of dimensions of v that a shape doesn't know.
func sizesLike(b *ir.Builder, shape []int64, v *ir.Value) []*ir.Value {
	var out []*ir.Value
	for i, d := range shape {
		if d == ir.Dynamic {
			out = append(out, tensor.NewDim(b, v, int64(i)))
		}
	}
	return out
}

// constants returns known sizes.
func constants(shape []int64) []shapes.OpFoldResult {
	out := make([]shapes.OpFoldResult, len(shape))
	for i, d := range shape {
		out[i] = shapes.ConstSize(d)
	}
	return out
}

// parallel returns iterators none of which reduces.
func parallel(n int) []interfaces.Iterator {
	return slices.Repeat([]interfaces.Iterator{interfaces.Parallel}, n)
}

// generic is a linalg.generic on tensors with one result, in all of whose dimensions iterations
// are independent.
func generic(b *ir.Builder, inputs []*ir.Value, init *ir.Value, maps []*ir.AffineMap, body func(b *ir.Builder, args []*ir.Value) *ir.Value) *ir.Value {
	op := linalg.NewGeneric(b, inputs, []*ir.Value{init}, maps, parallel(len(shapeOf(init))), func(b *ir.Builder, args []*ir.Value) []*ir.Value {
		return []*ir.Value{body(b, args)}
	})
	return op.Result(0)
}

// first returns the first of the elements: the body that copies.
func first(_ *ir.Builder, args []*ir.Value) *ir.Value { return args[0] }

// filled is a tensor of a type all of whose elements are a number.
func filled(b *ir.Builder, number *ir.Value, t ir.Type, sizes []*ir.Value) *ir.Value {
	return linalg.NewFill(b, number, tensor.NewEmptyOf(b, t, sizes)).Result(0)
}

// number is a constant of a type of elements: an integer, or the floating-point number with the
// same value.
func number(b *ir.Builder, t ir.Type, n int64) *ir.Value {
	if f, ok := t.(*ir.FloatType); ok {
		return arith.ConstantFloat(b, f, float64(n))
	}
	return arith.ConstantInt(b, t, n)
}

// lowest is the least finite number of a type of elements.
func lowest(b *ir.Builder, t ir.Type) *ir.Value { return limit(b, t, false) }

// highest is the largest finite number of a type of elements.
func highest(b *ir.Builder, t ir.Type) *ir.Value { return limit(b, t, true) }

func limit(b *ir.Builder, t ir.Type, largest bool) *ir.Value {
	if f, ok := t.(*ir.FloatType); ok {
		bits := f.Format.MaxFinite()
		if !largest {
			bits |= 1 << (f.Width - 1)
		}
		return arith.NewConstant(b, b.Context().FloatBits(f, bits, 0)).Result(0)
	}
	low, high := signedRange(t.(*ir.IntegerType).Width)
	if largest {
		return arith.ConstantInt(b, t, high)
	}
	return arith.ConstantInt(b, t, low)
}

// hasLimits tells whether limit knows the type.
func hasLimits(t ir.Type) bool {
	switch t := t.(type) {
	case *ir.FloatType:
		return t.Width <= 64
	case *ir.IntegerType:
		return t.Width <= 64 && t.Width > 0
	}
	return false
}

// expandLeading adds dimensions of size 1 in front of those of a tensor.
func expandLeading(b *ir.Builder, v *ir.Value, rank int) *ir.Value {
	t := ranked(v.Type())
	missing := rank - len(t.Shape)
	if missing == 0 {
		return v
	}
	shape := append(slices.Repeat([]int64{1}, missing), t.Shape...)
	groups := make([][]int64, len(t.Shape))
	for i := range shape {
		if g := max(i-missing, 0); len(groups) > 0 {
			groups[g] = append(groups[g], int64(i))
		}
	}
	return expand(b, b.Context().RankedTensor(shape, t.Elem), v, groups)
}

// expand gives a tensor a type with more dimensions. Of those of a group one may have a size that isn't known: it is
// what is left of the size that is divided.
func expand(b *ir.Builder, t *ir.RankedTensorType, v *ir.Value, groups [][]int64) *ir.Value {
	return tensor.NewExpandShape(b, t, v, groups, expandedSizes(b, t, v, groups))
}

// expandedSizes returns the sizes of an expansion.
func expandedSizes(b *ir.Builder, t *ir.RankedTensorType, v *ir.Value, groups [][]int64) []shapes.OpFoldResult {
	sizes := constants(t.Shape)
	if len(shapeOf(v)) == 0 {
		for i := range sizes {
			sizes[i] = shapes.ConstSize(1)
		}
	} else if !ir.IsStaticShape(t.Shape) {
		for g, size := range tensor.MixedSizes(b, v) {
			known, open := int64(1), -1
			for _, d := range groups[g] {
				if t.Shape[d] == ir.Dynamic {
					open = int(d)
				} else {
					known *= t.Shape[d]
				}
			}
			if open < 0 {
				continue
			}
			divisor := arith.ConstantIndex(b, known)
			sizes[open] = shapes.SizeOf(orFold(b, arith.DivUI, arith.ValueOf(b, size), divisor))
		}
	}
	return sizes
}
