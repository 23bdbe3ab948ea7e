package linalg

import (
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// dropPadDims drops the dimensions of size 1 of a tensor.pad in which nothing is added. The padding must be the same everywhere.
func (u unitDims) dropPadDims(r *rewrite.Rewriter, op *ir.Op) bool {
	o := tensor.PadOp{Op: op}
	value := o.ConstantPadding()
	source, low, high := o.SourceType(), o.Low(), o.High()
	if value == nil || source.Encoding != nil {
		return false
	}
	var shape []int64
	var before, after []shapes.OpFoldResult
	keep := make([]bool, len(low))
	for d, n := range source.Shape {
		if keep[d] = n != 1 || !low[d].IsConst(0) || !high[d].IsConst(0); keep[d] {
			shape, before, after = append(shape, n), append(before, low[d]), append(after, high[d])
		}
	}
	if len(shape) == len(source.Shape) {
		return false
	}
	r.Loc = op.Loc()
	shapes.FoldConstants(before, false, false)
	shapes.FoldConstants(after, false, false)
	if value.ParentBlock() == o.Body() {
		value = r.Clone(value.DefiningOp(), ir.NewMapping()).Result(0)
	}
	groups := groupsKeeping(keep)
	in := u.collapse(r.Builder, o.Source(), shape, groups)
	padded := tensor.NewPad(r.Builder, nil, in, before, after, value, o.Nofold()).Result(0)
	dest := op.Result(0)
	if u.slices {
		sizes, next := make([]shapes.OpFoldResult, len(keep)), 0
		for d := range sizes {
			sizes[d] = shapes.ConstSize(1)
			if keep[d] {
				sizes[d] = tensor.MixedSize(r.Builder, padded, next)
				next++
			}
		}
		dest = tensor.NewEmpty(r.Builder, sizes, source.Elem, nil)
	}
	if !u.slices {
		// Constants among the amounts of padding may make more known than the type of op does.
		padded = castTo(r.Builder, r.Context().RankedTensor(shapes.CollapsedShape(o.Type().Shape, groups), source.Elem), padded)
	}
	v := castTo(r.Builder, o.Type(), u.expand(r.Builder, padded, dest, groups))
	r.Replace(op, v)
	return true
}

func castTo(b *ir.Builder, t ir.Type, v *ir.Value) *ir.Value {
	if v.Type() == t {
		return v
	}
	return tensor.NewCast(b, t, v)
}
