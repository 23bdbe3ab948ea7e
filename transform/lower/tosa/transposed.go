package tosa

import (
	"slices"

	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// hasKnownSizes tells whether all sizes of an operation's operands and results are known.
func hasKnownSizes(op *ir.Op) bool {
	for _, t := range append(op.Operands().Types(), op.Results().Types()...) {
		if r := ranked(t); r == nil || !ir.IsStaticShape(r.Shape) {
			return false
		}
	}
	return true
}

// transposedToConv replaces a transposed convolution with strides of one by a convolution with the filter turned round.
func transposedToConv(r *rewrite.Rewriter, op *ir.Op) bool {
	if !allOne(op, "stride") || !hasKnownSizes(op) {
		return false
	}
	r.At(op)
	b := tosaBuilder{r.Builder}
	weight := tosa.TransposeConv2DOp{Op: op}.Filter()
	pad := intsOf(op, "out_pad")
	for i := range pad {
		pad[i] += shapeOf(weight)[1+i/2] - 1
	}
	r.Replace(op, b.conv(op, ranked(op.Result(0).Type()), tosa.TransposeConv2DOp{Op: op}.Input(), b.turned(weight), tosa.TransposeConv2DOp{Op: op}.Bias(), pad))
	return true
}

// stridedToConv replaces a transposed convolution with strides: the filter is taken apart into those filters that make
// every so manyth row and column; their results are channels of one convolution, which are put side by side.
func stridedToConv(r *rewrite.Rewriter, op *ir.Op) bool {
	if allOne(op, "stride") || !hasKnownSizes(op) {
		return false
	}
	input, weight, bias := tosa.TransposeConv2DOp{Op: op}.Input(), tosa.TransposeConv2DOp{Op: op}.Filter(), tosa.TransposeConv2DOp{Op: op}.Bias()
	result := ranked(op.Result(0).Type())
	stride, pad := intsOf(op, "stride"), intsOf(op, "out_pad")
	points, _ := tosa.ZeroPoints(op)
	batch, channels := shapeOf(input)[0], shapeOf(weight)[0]
	all := []int64{batch, 0, 0, channels}
	for d := 1; d <= 2; d++ {
		if stride[d-1] < 1 {
			return false
		}
		all[d] = shapeOf(input)[d]*stride[d-1] + (shapeOf(weight)[d]+stride[d-1]-1)/stride[d-1]*stride[d-1] - stride[d-1]
	}
	// What is missing of the result is added, and what is too much, cut off.
	start, size, rest := make([]int64, 4), slices.Clone(all), make([]int64, 8)
	for d := 1; d <= 2; d++ {
		before := pad[2*d-2]
		start[d] = max(0, -before)
		rest[2*d] = max(0, before)
		size[d] = min(all[d]-start[d], result.Shape[d]-rest[2*d])
		rest[2*d+1] = result.Shape[d] - rest[2*d] - size[d]
		if size[d] < 1 {
			return false
		}
	}
	r.At(op)
	b := tosaBuilder{r.Builder}
	weight = b.phases(weight, stride, points)
	w := shapeOf(weight)
	around := []int64{0, 0, w[1] - 1, w[1] - 1, w[2] - 1, w[2] - 1, 0, 0}
	input = b.pad(input, b.ints(ir.I32, 4, around), around, b.padZero(points, 0)...)
	none := b.splat([]int64{w[0]}, ir.ElementType(bias.Type()), 0)
	height, width := all[1]/stride[0], all[2]/stride[1]
	images := b.conv(op, b.Context().RankedTensor([]int64{batch, height, width, w[0]}, result.Elem), input, weight, none, []int64{0, 0, 0, 0})

	images = b.reshape(images, batch, height, width, stride[0], stride[1], channels)
	perm := []int64{0, 1, 3, 2, 4, 5}
	images = b.transpose(images, b.ints(ir.I32, 0, perm), perm)
	images = b.reshape(images, all...)

	images = b.op(tosa.Slice, size, result.Elem, []*ir.Value{images}, b.array("start", start...), b.array("size", size...))
	images = b.pad(images, b.ints(ir.I32, 4, rest), rest)
	r.Replace(op, b.op(tosa.Add, result.Shape, result.Elem, []*ir.Value{images, b.channelsLast(bias, 4)}))
	return true
}

// phases makes, of each filter, one for each row and column of a stride, and turns them round.
func (b tosaBuilder) phases(weight *ir.Value, stride, points []int64) *ir.Value {
	s := shapeOf(weight)
	missing := func(size, stride int64) int64 { return (stride - size%stride) % stride }
	padding := []int64{0, 0, 0, missing(s[1], stride[0]), 0, missing(s[2], stride[1]), 0, 0}
	weight = b.pad(weight, b.ints(ir.I32, 4, padding), padding, b.padZero(points, 1)...)
	height, width := shapeOf(weight)[1]/stride[0], shapeOf(weight)[2]/stride[1]
	weight = b.reshape(weight, s[0], height, stride[0], width, stride[1], s[3])
	perm := []int64{2, 4, 0, 1, 3, 5}
	weight = b.transpose(weight, b.ints(ir.I32, 0, perm), perm)
	return b.turned(b.reshape(weight, s[0]*stride[0]*stride[1], height, width, s[3]))
}
