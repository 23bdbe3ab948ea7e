package tosa

import (
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// outputSizes returns the sizes of a convolution's result that aren't known: those of images from
// how often the filter, whose sizes start at dimension first, fits; then that of the batch.
func outputSizes(b *ir.Builder, op *ir.Op, filter *ir.Value, first int) []*ir.Value {
	result, input := ranked(op.Result(0).Type()), tosa.ConvolutionOp{Op: op}.Input()
	pad, stride, dilation := intsOf(op, "pad"), intsOf(op, "stride"), intsOf(op, "dilation")
	sizes := make([]*ir.Value, len(result.Shape))
	for i := 1; i < len(result.Shape)-1; i++ {
		if result.Shape[i] == ir.Dynamic {
			at := arith.ConstantIndex(b, int64(i))
			size := tensor.NewDimOf(b, input, at)
			window := tensor.NewDimOf(b, filter, arith.ConstantIndex(b, int64(first+i-1)))
			sizes[i] = windowed(b, size, window, pad[2*i-2], pad[2*i-1], stride[i-1], dilation[i-1])
		}
	}
	var out []*ir.Value
	for i, d := range result.Shape {
		if d != ir.Dynamic {
			continue
		}
		if sizes[i] == nil {
			sizes[i] = tensor.NewDim(b, input, int64(i))
		}
		out = append(out, sizes[i])
	}
	return out
}

func intsOf(op *ir.Op, name string) []int64 { return op.Attr(name).(*ir.DenseArrayAttr).Ints() }

// windowed computes how many places a window has in a dimension.
func windowed(b *ir.Builder, size, window *ir.Value, before, after, stride, dilation int64) *ir.Value {
	index := func(n int64) *ir.Value { return arith.ConstantIndex(b, n) }
	one := index(1)
	padded := arith.New(b, arith.AddI, size, index(before))
	padded = arith.New(b, arith.AddI, padded, index(after))
	gaps := arith.New(b, arith.SubI, window, one)
	span := arith.New(b, arith.MulI, index(dilation), gaps)
	span = arith.New(b, arith.AddI, span, one)
	rest := arith.New(b, arith.SubI, padded, span)
	steps := arith.New(b, arith.DivUI, rest, index(stride))
	return arith.New(b, arith.AddI, steps, one)
}

// depthwiseToNamed convolves each channel with filters of its own. The bias is added in the end.
func depthwiseToNamed(r *rewrite.Rewriter, op *ir.Op) bool {
	input, weight, bias := tosa.DepthwiseConv2DOp{Op: op}.Input(), tosa.DepthwiseConv2DOp{Op: op}.Weight(), tosa.DepthwiseConv2DOp{Op: op}.Bias()
	in, w, result := ranked(input.Type()), ranked(weight.Type()), ranked(op.Result(0).Type())
	if !isConvertible(in, w, bias, result) {
		return false
	}
	points, quantized := tosa.ZeroPoints(op)
	b := r.Builder
	b.Loc = op.Loc()
	c := b.Context()
	sizes := outputSizes(b, op, weight, 0)
	input = padImage(b, op, input, intsOf(op, "pad"), paddingNumber(in.Elem, points))
	s := result.Shape
	wide := c.RankedTensor([]int64{s[0], s[1], s[2], w.Shape[2], w.Shape[3]}, result.Elem)
	empty := tensor.NewEmptyOf(b, wide, sizes)
	start := linalg.NewFill(b, zero(b, result.Elem), empty).Result(0)
	sum := tensor.NewEmptyOf(b, result, sizes)
	inputs := []*ir.Value{input, weight}
	id := linalg.DepthwiseConv2DNhwcHwcm
	if quantized {
		id = linalg.DepthwiseConv2DNhwcHwcmQ
		inputs = append(inputs, arith.ConstantInt(b, ir.I32, points[0]), arith.ConstantInt(b, ir.I32, points[1]))
	}
	convolved := linalg.NewNamed(b, id, inputs, []*ir.Value{start}, windowAttrs(b, op)...).Result(0)
	joined := tensor.NewCollapseShape(b, convolved, [][]int64{{0}, {1}, {2}, {3, 4}})
	channels := biasMap(c, bias, 4)
	if s[3] == 1 {
		channels = c.AffineMap(4, 0, c.AffineDim(3))
	}
	maps := []*ir.AffineMap{channels, c.IdentityMap(4), c.IdentityMap(4)}
	add := numeric(arith.AddF, arith.AddI)
	r.Replace(op, generic(b, []*ir.Value{bias, joined}, sum, maps, func(b *ir.Builder, args []*ir.Value) *ir.Value {
		return add(b, op, args[:2], result.Elem)
	}))
	return true
}
