package tflite

import (
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/shapes"
)

// reshape gives the elements of a tensor another shape with as many elements.
func (f *function) reshape(v *ir.Value, shape []int64) *ir.Value {
	t := v.Type().(*ir.RankedTensorType)
	to := f.ctx.RankedTensor(shape, t.Elem)
	if t == to {
		return v
	}
	if g := collapsing(t.Shape, shape); g != nil {
		return tensor.NewCollapseShape(f.b, v, g)
	}
	if g := collapsing(shape, t.Shape); g != nil {
		return tensor.NewExpandShape(f.b, to, v, g, sizes(shape))
	}
	var all []int64
	for i := range t.Shape {
		all = append(all, int64(i))
	}
	flat := tensor.NewCollapseShape(f.b, v, [][]int64{all})
	all = nil
	for i := range shape {
		all = append(all, int64(i))
	}
	return tensor.NewExpandShape(f.b, to, flat, [][]int64{all}, sizes(shape))
}

// collapsing returns for each dimension of the shape to the dimensions of the shape from that it is the product of; nil if
// there is no such grouping.
func collapsing(from, to []int64) [][]int64 {
	if len(to) >= len(from) {
		return nil
	}
	if len(to) == 0 {
		for _, n := range from {
			if n != 1 {
				return nil
			}
		}
		return [][]int64{}
	}
	groups := make([][]int64, len(to))
	d := 0
	for i, n := range to {
		product := int64(1)
		for first := true; d < len(from) && (first || product != n); first = false {
			product *= from[d]
			groups[i] = append(groups[i], int64(d))
			d++
		}
		// No group may be empty, though the product of nothing is 1.
		if product != n || len(groups[i]) == 0 {
			return nil
		}
	}
	for ; d < len(from); d++ {
		if from[d] != 1 {
			return nil
		}
		groups[len(to)-1] = append(groups[len(to)-1], int64(d))
	}
	return groups
}

func sizes(shape []int64) []shapes.OpFoldResult { return shapes.Mixed(shape, nil) }

// reshapeKernel is RESHAPE and what else only changes the shape. The sizes in the file decide, as in TensorFlow Lite Micro.
func reshapeKernel(k *kernel) error {
	in, out := k.in[0], k.out[0]
	if in.Type != out.Type {
		return k.unsupported()
	}
	if ir.ElementCount(in.Shape) != ir.ElementCount(out.Shape) {
		return k.malformed()
	}
	v, err := k.value(0)
	if err == nil {
		k.result(0, k.reshape(v, out.Shape))
	}
	return err
}
