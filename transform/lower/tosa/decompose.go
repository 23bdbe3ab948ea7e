package tosa

import (
	"slices"

	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// DecompositionPatterns returns the patterns of tosa-optional-decompositions: convolutions whose windows have one element
// become products, and transposed convolutions become convolutions.
func DecompositionPatterns() []rewrite.Pattern {
	return append([]rewrite.Pattern{
		{Name: "Conv2DIsFullyConnected", Root: tosa.Conv2D, Rewrite: pointwiseToProduct},
		{Name: "DepthwiseConv2DIsMul", Root: tosa.DepthwiseConv2D, Rewrite: depthwiseToMul},
	}, transposedPatterns()...)
}

func transposedPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "TransposeConvNonStridedConverter", Root: tosa.TransposeConv2D, Rewrite: transposedToConv},
		{Name: "TransposeConvStridedConverter", Root: tosa.TransposeConv2D, Rewrite: stridedToConv},
	}
}

// tosaBuilder creates operations of tosa on tensors whose types follow from the operands'.
type tosaBuilder struct{ *ir.Builder }

func (b tosaBuilder) op(id *ir.OpID, shape []int64, elem ir.Type, operands []*ir.Value, attrs ...ir.NamedAttr) *ir.Value {
	return b.CreateOp(id, []ir.Type{b.Context().RankedTensor(shape, elem)}, operands, attrs...).Result(0)
}

func (b tosaBuilder) array(name string, list ...int64) ir.NamedAttr {
	return ir.NamedAttr{Name: name, Value: b.Context().DenseI64Array(list...)}
}

// reshape leaves elements in order.
func (b tosaBuilder) reshape(v *ir.Value, shape ...int64) *ir.Value {
	attr := slices.Clone(shape)
	for i, d := range attr {
		if d == ir.Dynamic {
			attr[i] = -1
		}
	}
	return b.op(tosa.Reshape, shape, ir.ElementType(v.Type()), []*ir.Value{v}, b.array("new_shape", attr...))
}

// ints is a constant list of numbers, of rows of two if there are rows.
func (b tosaBuilder) ints(elem *ir.IntegerType, rows int, list []int64) *ir.Value {
	shape := []int64{int64(len(list))}
	if rows > 0 {
		shape = []int64{int64(rows), 2}
	}
	c := b.Context()
	return tosa.NewConst(b.Builder, denseInts(c, c.RankedTensor(shape, elem), list))
}

// splat is a constant whose elements are all a number.
func (b tosaBuilder) splat(shape []int64, elem ir.Type, n int64) *ir.Value {
	c := b.Context()
	return tosa.NewConst(b.Builder, c.DenseElements(c.RankedTensor(shape, elem), ir.AppendElement(nil, numberAttr(c, elem, n))))
}

func numberAttr(c *ir.Context, elem ir.Type, n int64) ir.Attribute {
	if f, ok := elem.(*ir.FloatType); ok {
		return c.FloatAttr(f, float64(n))
	}
	return c.IntegerAttr(elem, n)
}

// padded is a shape with what is added at both ends of each dimension.
func padded(shape, padding []int64) []int64 {
	out := slices.Clone(shape)
	for i, d := range out {
		if d != ir.Dynamic {
			out[i] += padding[2*i] + padding[2*i+1]
		}
	}
	return out
}

// pad adds elements at both ends of each dimension: what stands for zero.
func (b tosaBuilder) pad(v, amounts *ir.Value, padding []int64, attrs ...ir.NamedAttr) *ir.Value {
	return b.op(tosa.Pad, padded(shapeOf(v), padding), ir.ElementType(v.Type()), []*ir.Value{v, amounts}, attrs...)
}

// padZero is an attribute with the number that stands for zero where an operation is quantized.
func (b tosaBuilder) padZero(points []int64, i int) []ir.NamedAttr {
	if len(points) == 0 {
		return nil
	}
	return []ir.NamedAttr{{Name: "quantization_info", Value: tosa.PadZeroPoint(b.Context(), points[i])}}
}

func (b tosaBuilder) transpose(v, perms *ir.Value, perm []int64) *ir.Value {
	shape := make([]int64, len(perm))
	for i, d := range perm {
		shape[i] = shapeOf(v)[d]
	}
	return b.op(tosa.Transpose, shape, ir.ElementType(v.Type()), []*ir.Value{v, perms})
}

// turned reverses height and width.
func (b tosaBuilder) turned(v *ir.Value) *ir.Value {
	for axis := int64(1); axis <= 2; axis++ {
		v = b.op(tosa.Reverse, shapeOf(v), ir.ElementType(v.Type()), []*ir.Value{v}, ir.NamedAttr{Name: "axis", Value: b.Context().IntegerAttr(ir.I32, axis)})
	}
	return v
}

// conv is a convolution with strides of one; its zero points are those of another operation.
func (b tosaBuilder) conv(of *ir.Op, result *ir.RankedTensorType, input, weight, bias *ir.Value, pad []int64) *ir.Value {
	attrs := []ir.NamedAttr{b.array("pad", pad...), b.array("stride", 1, 1), b.array("dilation", 1, 1)}
	return b.op(tosa.Conv2D, result.Shape, result.Elem, []*ir.Value{input, weight, bias}, append(attrs, quantization(of)...)...)
}

// quantization is the attribute with an operation's zero points, if it has any.
func quantization(op *ir.Op) []ir.NamedAttr {
	if a := op.Attr("quantization_info"); a != nil {
		return []ir.NamedAttr{{Name: "quantization_info", Value: a}}
	}
	return nil
}

// channelsLast gives a list the rank of images: one element for each channel.
func (b tosaBuilder) channelsLast(v *ir.Value, rank int) *ir.Value {
	shape := slices.Repeat([]int64{1}, rank)
	shape[rank-1] = shapeOf(v)[0]
	return b.reshape(v, shape...)
}

// allOne tells whether an attribute of an operation is a list of ones.
func allOne(op *ir.Op, name string) bool {
	return !slices.ContainsFunc(intsOf(op, name), func(n int64) bool { return n != 1 })
}

// windowPadding is how much is added to images, as tosa.pad has it, with a number of dimensions; some tells whether
// anything is.
func windowPadding(op *ir.Op, rank int) (list []int64, some bool) {
	list = make([]int64, 2*rank)
	copy(list[2:], intsOf(op, "pad"))
	return list, slices.ContainsFunc(list, func(n int64) bool { return n != 0 })
}

// pointwiseToProduct replaces a convolution with windows of one element: all pixels are rows of one matrix.
func pointwiseToProduct(r *rewrite.Rewriter, op *ir.Op) bool {
	input, weight, bias := tosa.Conv2DOp{Op: op}.Input(), tosa.Conv2DOp{Op: op}.Weight(), tosa.Conv2DOp{Op: op}.Bias()
	in, w, result := ranked(input.Type()), ranked(weight.Type()), ranked(op.Result(0).Type())
	if in == nil || w == nil || result == nil || ir.NumDynamic(in.Shape) > 1 || in.Shape[3] == ir.Dynamic || !allOne(op, "stride") || w.Shape[1] != 1 || w.Shape[2] != 1 {
		return false
	}
	r.At(op)
	b := tosaBuilder{r.Builder}
	if padding, some := windowPadding(op, 4); some {
		n := int64(0)
		if points, ok := tosa.ZeroPoints(op); ok {
			n = points[0]
		}
		amounts := b.ints(ir.I64, 4, padding)
		input = b.op(tosa.Pad, padded(in.Shape, padding), in.Elem, []*ir.Value{input, amounts, b.splat(nil, in.Elem, n)})
	}
	s := shapeOf(input)
	pixels := ir.Dynamic
	if ir.IsStaticShape(s) {
		pixels = s[0] * s[1] * s[2]
	}
	rows, matrix := b.reshape(input, pixels, s[3]), b.reshape(weight, w.Shape[0], w.Shape[3])
	product := b.op(tosa.FullyConnected, []int64{pixels, w.Shape[0]}, result.Elem, []*ir.Value{rows, matrix, bias}, quantization(op)...)
	images := b.reshape(product, s[0], s[1], s[2], w.Shape[0])
	images.SetType(result)
	r.Replace(op, images)
	return true
}

// depthwiseToMul replaces a depthwise convolution with windows of one element by products of elements.
func depthwiseToMul(r *rewrite.Rewriter, op *ir.Op) bool {
	input, weight, bias := tosa.DepthwiseConv2DOp{Op: op}.Input(), tosa.DepthwiseConv2DOp{Op: op}.Weight(), tosa.DepthwiseConv2DOp{Op: op}.Bias()
	in, w, result := ranked(input.Type()), ranked(weight.Type()), ranked(op.Result(0).Type())
	if in == nil || w == nil || result == nil || !ir.IsStaticShape(in.Shape) || !ir.IsStaticShape(w.Shape) || !ir.IsStaticShape(result.Shape) ||
		ranked(bias.Type()) == nil || !allOne(op, "stride") || w.Shape[0] != 1 || w.Shape[1] != 1 {
		return false
	}
	r.At(op)
	b := tosaBuilder{r.Builder}
	input = b.reshape(input, append(slices.Clone(in.Shape), 1)...)
	for _, v := range []**ir.Value{&input, &weight} {
		if t := ranked((*v).Type()); t.Elem != result.Elem {
			*v = b.op(tosa.Cast, t.Shape, result.Elem, []*ir.Value{*v})
		}
	}
	if points, ok := tosa.ZeroPoints(op); ok {
		for i, v := range []**ir.Value{&input, &weight} {
			if points[i] != 0 {
				t := ranked((*v).Type())
				zero := b.splat(slices.Repeat([]int64{1}, len(t.Shape)), t.Elem, points[i])
				*v = b.op(tosa.Sub, t.Shape, t.Elem, []*ir.Value{*v, zero})
			}
		}
	}
	if padding, some := windowPadding(op, 5); some {
		amounts := b.ints(ir.I64, 5, padding)
		input = b.op(tosa.Pad, padded(shapeOf(input), padding), result.Elem, []*ir.Value{input, amounts, b.splat(nil, result.Elem, 0)})
	}
	weight = b.reshape(weight, append([]int64{1}, w.Shape...)...)
	s := slices.Clone(shapeOf(input))
	s[4] = w.Shape[3]
	product := b.op(tosa.Mul, s, result.Elem, []*ir.Value{input, weight}, ir.NamedAttr{Name: "shift", Value: b.Context().IntegerAttr(ir.I8, 0)})
	joined := b.reshape(product, result.Shape...)
	r.Replace(op, b.op(tosa.Add, result.Shape, result.Elem, []*ir.Value{joined, b.channelsLast(bias, 4)}))
	return true
}
