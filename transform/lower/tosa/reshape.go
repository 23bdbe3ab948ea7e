package tosa

import (
	"freehold/dialect/tensor"
	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// reshapeToCollapse collapses a tensor to the fewest dimensions that both shapes are expansions of,
// and expands it; to a single dimension, if there is a size that isn't known.
func reshapeToCollapse(r *rewrite.Rewriter, op *ir.Op) bool {
	v := tosa.ReshapeOp{Op: op}.Input1()
	in, result := ranked(v.Type()), ranked(op.Result(0).Type())
	if in == nil || result == nil {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	c := b.Context()
	expanded := c.RankedTensor(expandedShape(in.Shape, intsOf(op, "new_shape")), in.Elem)
	if len(in.Shape) == 0 && !ir.IsStaticShape(expanded.Shape) || len(expanded.Shape) != len(result.Shape) {
		return false
	}
	between := commonShape(in.Shape, expanded.Shape)
	down, ok := collapsing(in.Shape, between)
	up, also := collapsing(expanded.Shape, between)
	if !ok || !also {
		return false
	}
	middle := c.RankedTensor(between, in.Elem)
	if in != middle {
		v = foldNew(b, func() *ir.Value { return tensor.NewCollapseShape(b, v, down) })
	}
	if t := c.RankedTensor(shapes.CollapsedShape(expanded.Shape, up), in.Elem); v.Type() != t {
		v = castTo(b, v, t)
	}
	sizes := expandedSizes(b, expanded, v, up)
	v = foldNew(b, func() *ir.Value { return tensor.NewExpandShape(b, expanded, v, up, sizes) })
	r.Replace(op, castTo(b, v, result))
	return true
}

// expandedShape is a new shape with the size that is left open, if it is known. What is expanded of a size that isn't
// known can't be all known: the first size isn't, then.
func expandedShape(in, shape []int64) []int64 {
	n, static := ir.NumElements(in)
	static = static && ir.IsStaticShape(in)
	known := int64(1)
	for _, d := range shape {
		if d >= 0 {
			known *= d
		}
	}
	out := make([]int64, len(shape))
	for i, d := range shape {
		switch {
		case d >= 0:
			out[i] = d
		case static && known > 0:
			out[i] = n / known
		default:
			out[i] = ir.Dynamic
		}
	}
	if len(out) > 0 && !ir.IsStaticShape(in) && ir.IsStaticShape(out) {
		out[0] = ir.Dynamic
	}
	return out
}

// commonShape is the shape with most dimensions that two shapes, of as many elements, can be
// collapsed to: a single dimension, if a size isn't known.
func commonShape(a, b []int64) []int64 {
	if len(a) == 0 || len(b) == 0 {
		return []int64{}
	}
	if !ir.IsStaticShape(a) || !ir.IsStaticShape(b) {
		return []int64{ir.Dynamic}
	}
	var out []int64
	for i, j := 0, 0; i < len(a) && j < len(b); {
		x, y := a[i], b[j]
		i, j = i+1, j+1
		for x != y {
			switch {
			case x < y && i < len(a):
				x *= a[i]
				i++
			case y < x && j < len(b):
				y *= b[j]
				j++
			default:
				return []int64{ir.Dynamic}
			}
		}
		out = append(out, x)
	}
	return out
}

// collapsing returns which dimensions of a shape become which of a shorter one. Dimensions of size
// 1 go to that before them, unless the next one of the shorter shape is of size 1, too.
func collapsing(shape, target []int64) (groups [][]int64, ok bool) {
	if len(target) == 0 {
		return [][]int64{}, true
	}
	groups = make([][]int64, len(target))
	if len(target) == 1 && target[0] == ir.Dynamic {
		for i := range shape {
			groups[0] = append(groups[0], int64(i))
		}
		return groups, len(shape) > 0
	}
	d := 0
	for g, want := range target {
		n := int64(1)
		for {
			if d == len(shape) {
				return nil, false
			}
			n *= shape[d]
			groups[g] = append(groups[g], int64(d))
			d++
			if n >= want {
				break
			}
		}
		if n != want {
			return nil, false
		}
		for d < len(shape) && shape[d] == 1 && (g == len(target)-1 || target[g+1] != 1) {
			groups[g] = append(groups[g], int64(d))
			d++
		}
	}
	return groups, d == len(shape)
}
