package tosa

import (
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
)

// NamedOptions are the options of [NamedPatterns].
type NamedOptions struct {
	// HWCF transposes the filters of convolutions, so that they have the channels of the
	// output last.
	HWCF bool
}

// NamedPatterns returns the patterns of tosa-to-linalg-named: convolutions, pools, products of
// matrices and transpositions become the operations of linalg that have a name of their own.
func NamedPatterns(o NamedOptions) []rewrite.Pattern {
	conv2D := convolution{plain: linalg.Conv2DNhwcFhwc, quantized: linalg.Conv2DNhwcFhwcQ, windows: 2}
	if o.HWCF {
		conv2D = convolution{plain: linalg.Conv2DNhwcHwcf, quantized: linalg.Conv2DNhwcHwcfQ, windows: 2, filter: []int64{1, 2, 3, 0}}
	}
	conv3D := convolution{plain: linalg.Conv3DNdhwcDhwcf, quantized: linalg.Conv3DNdhwcDhwcfQ, windows: 3, filter: []int64{1, 2, 3, 4, 0}}
	return []rewrite.Pattern{
		{Name: "ConvConverter", Root: tosa.Conv2D, Rewrite: conv2D.convert},
		{Name: "ConvConverter", Root: tosa.Conv3D, Rewrite: conv3D.convert},
		{Name: "DepthwiseConvConverter", Root: tosa.DepthwiseConv2D, Rewrite: depthwiseToNamed},
		{Name: "FullyConnectedConverter", Root: tosa.FullyConnected, Rewrite: fullyConnectedToMatmul},
		{Name: "MatMulConverter", Root: tosa.MatMul, Rewrite: matmulToBatch},
		{Name: "MaxPool2dConverter", Root: tosa.MaxPool2D, Rewrite: maxPoolToNamed},
		{Name: "AvgPool2dConverter", Root: tosa.AvgPool2D, Rewrite: avgPoolToNamed},
		{Name: "TransposeConverter", Root: tosa.Transpose, Rewrite: transposeToNamed},
	}
}

// ToLinalgNamed replaces convolutions, pools, products of matrices and transpositions in op. It is
// tosa-to-linalg-named, and an error if one can't be replaced. Linear time.
func ToLinalgNamed(op *ir.Op, patterns *rewrite.PatternSet, report func(*ir.Diagnostic)) error {
	t := conversion.NewTarget()
	t.LegalDialects("linalg", "tosa", "tensor", "scf")
	t.Illegal(tosa.Conv2D, tosa.Conv3D, tosa.DepthwiseConv2D, tosa.MaxPool2D, tosa.AvgPool2D, tosa.MatMul, tosa.FullyConnected, tosa.Transpose)
	t.DynamicOthers(func(*ir.Op) conversion.Legality { return conversion.Legal })
	return conversion.Full(op, t, patterns, conversion.Config{Report: report})
}

// convolution says which operation of linalg a convolution becomes.
type convolution struct {
	plain, quantized *ir.OpID
	// windows is the number of dimensions of images and filters.
	windows int
	// filter is how the dimensions of the filter are permuted; nil if they stay.
	filter []int64
}

// convert replaces a convolution: the result starts as the bias, repeated.
func (k convolution) convert(r *rewrite.Rewriter, op *ir.Op) bool {
	input, weight, bias := tosa.ConvolutionOp{Op: op}.Input(), tosa.ConvolutionOp{Op: op}.Weight(), tosa.ConvolutionOp{Op: op}.Bias()
	in, w, result := ranked(input.Type()), ranked(weight.Type()), ranked(op.Result(0).Type())
	points, quantized := tosa.ZeroPoints(op)
	if !isConvertible(in, w, bias, result) || !ir.IsStaticShape(w.Shape) {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	sizes := outputSizes(b, op, weight, 1)
	input = padImage(b, op, input, op.Attr("pad").(*ir.DenseArrayAttr).Ints(), paddingNumber(in.Elem, points))
	if k.filter != nil {
		weight = transposed(b, weight, k.filter)
	}
	start := repeatBias(b, bias, result, sizes)
	inputs := []*ir.Value{input, weight}
	id := k.plain
	if quantized {
		id = k.quantized
		inputs = append(inputs, arith.ConstantInt(b, ir.I32, points[0]), arith.ConstantInt(b, ir.I32, points[1]))
	}
	r.Replace(op, linalg.NewNamed(b, id, inputs, []*ir.Value{start}, windowAttrs(b, op)...).Result(0))
	return true
}

// isConvertible tells whether images, weights and bias have shapes, and that of the bias is known.
func isConvertible(in, w *ir.RankedTensorType, bias *ir.Value, result *ir.RankedTensorType) bool {
	return in != nil && w != nil && result != nil && ranked(bias.Type()) != nil && ir.IsStaticShape(shapeOf(bias)) && !isUnsignedType(in.Elem)
}

// paddingNumber is what images are padded with: the number that stands for zero.
func paddingNumber(elem ir.Type, points []int64) func(b *ir.Builder) *ir.Value {
	return func(b *ir.Builder) *ir.Value {
		if len(points) > 0 {
			return number(b, elem, points[0])
		}
		return zero(b, elem)
	}
}

// windowAttrs are the attributes of an operation that moves a window over an image.
func windowAttrs(b *ir.Builder, op *ir.Op) []ir.NamedAttr {
	return []ir.NamedAttr{
		{Name: "strides", Value: i64List(b.Context(), op.Attr("stride").(*ir.DenseArrayAttr).Ints())},
		{Name: "dilations", Value: i64List(b.Context(), op.Attr("dilation").(*ir.DenseArrayAttr).Ints())},
	}
}

// i64List is a tensor constant.
func i64List(c *ir.Context, list []int64) ir.Attribute {
	return denseInts(c, c.RankedTensor([]int64{int64(len(list))}, ir.I64), list)
}

func denseInts(c *ir.Context, t ir.Type, list []int64) ir.Attribute {
	var data []byte
	for _, n := range list {
		data = ir.AppendElement(data, c.IntegerAttr(ir.ElementType(t), n))
	}
	return c.DenseElements(t, data)
}

// padImage adds what pad says around the images of a batch, whose channels come last.
func padImage(b *ir.Builder, op *ir.Op, v *ir.Value, pad []int64, value func(b *ir.Builder) *ir.Value) *ir.Value {
	none := true
	for _, n := range pad {
		none = none && n == 0
	}
	if none {
		return v
	}
	low, high := []int64{0}, []int64{0}
	for i := 0; i < len(pad); i += 2 {
		low, high = append(low, pad[i]), append(high, pad[i+1])
	}
	low, high = append(low, 0), append(high, 0)
	with := value(b)
	return tensor.NewPad(b, nil, v, constants(low), constants(high), with, false).Result(0)
}

// transposed permutes the dimensions of a tensor, with an operation that is replaced in its turn.
func transposed(b *ir.Builder, v *ir.Value, perm []int64) *ir.Value {
	c, t := b.Context(), ranked(v.Type())
	shape := make([]int64, len(perm))
	for i, d := range perm {
		shape[i] = t.Shape[d]
	}
	by := arith.NewConstant(b, i64List(c, perm)).Result(0)
	return b.CreateOp(tosa.Transpose, []ir.Type{c.RankedTensor(shape, t.Elem)}, []*ir.Value{v, by}).Result(0)
}

// permuted is a tensor with the dimensions of another one in another order.
func permuted(b *ir.Builder, v *ir.Value, perm []int64) *ir.Value {
	t := ranked(v.Type())
	dims := map[int64]*ir.Value{}
	for i, d := range t.Shape {
		if d == ir.Dynamic {
			dims[int64(i)] = tensor.NewDim(b, v, int64(i))
		}
	}
	var sizes []*ir.Value
	shape := make([]int64, len(perm))
	for i, d := range perm {
		shape[i] = t.Shape[d]
		if s := dims[d]; s != nil {
			sizes = append(sizes, s)
		}
	}
	empty := tensor.NewEmptyOf(b, b.Context().RankedTensor(shape, t.Elem), sizes)
	return linalg.NewTranspose(b, v, empty, perm).Result(0)
}

// repeatBias is a tensor of the type of the result with a bias for each of the last dimension's
// places; a bias of one element is that of all.
func repeatBias(b *ir.Builder, bias *ir.Value, result *ir.RankedTensorType, sizes []*ir.Value) *ir.Value {
	empty := tensor.NewEmptyOf(b, result, sizes)
	maps := []*ir.AffineMap{biasMap(b.Context(), bias, len(result.Shape)), b.Context().IdentityMap(len(result.Shape))}
	return generic(b, []*ir.Value{bias}, empty, maps, func(b *ir.Builder, args []*ir.Value) *ir.Value {
		if from, to := args[0].Type(), result.Elem; from != to && ir.IsInteger(to) {
			return arith.NewCast(b, arith.ExtSI, to, args[0])
		}
		return args[0]
	})
}

func biasMap(c *ir.Context, bias *ir.Value, rank int) *ir.AffineMap {
	if shapeOf(bias)[0] == 1 {
		return c.AffineMap(rank, 0, c.AffineConstant(0))
	}
	return c.AffineMap(rank, 0, c.AffineDim(rank-1))
}

// fullyConnectedToMatmul multiplies with the transposed weights.
func fullyConnectedToMatmul(r *rewrite.Rewriter, op *ir.Op) bool {
	input, weight, bias := tosa.FullyConnectedOp{Op: op}.Input(), tosa.FullyConnectedOp{Op: op}.Weight(), tosa.FullyConnectedOp{Op: op}.Bias()
	in, w, result := ranked(input.Type()), ranked(weight.Type()), ranked(op.Result(0).Type())
	if !isConvertible(in, w, bias, result) {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	var sizes []*ir.Value
	if result.Shape[0] == ir.Dynamic {
		sizes = append(sizes, tensor.NewDim(b, input, 0))
	}
	if result.Shape[1] == ir.Dynamic {
		sizes = append(sizes, tensor.NewDim(b, weight, 0))
	}
	turned := transposed(b, weight, []int64{1, 0})
	start := repeatBias(b, bias, result, sizes)
	product(r, op, []*ir.Value{input, turned}, start, linalg.Matmul, linalg.QuantizedMatmul)
	return true
}

// product replaces an operation by a product of matrices, which is added to start.
func product(r *rewrite.Rewriter, op *ir.Op, inputs []*ir.Value, start *ir.Value, plain, quantized *ir.OpID) {
	id := plain
	if points, ok := tosa.ZeroPoints(op); ok {
		id = quantized
		inputs = append(inputs, arith.ConstantInt(r.Builder, ir.I32, points[0]), arith.ConstantInt(r.Builder, ir.I32, points[1]))
	}
	r.Replace(op, linalg.NewNamed(r.Builder, id, inputs, []*ir.Value{start}).Result(0))
}

func matmulToBatch(r *rewrite.Rewriter, op *ir.Op) bool {
	x, y := tosa.MatMulOp{Op: op}.A(), tosa.MatMulOp{Op: op}.B()
	a, c, result := ranked(x.Type()), ranked(y.Type()), ranked(op.Result(0).Type())
	if a == nil || c == nil || result == nil || isUnsignedType(result.Elem) || isUnsignedType(a.Elem) {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	var sizes []*ir.Value
	for i, from := range []*ir.Value{x, x, y} {
		if result.Shape[i] == ir.Dynamic {
			sizes = append(sizes, tensor.NewDim(b, from, int64(i)))
		}
	}
	start := filled(b, zero(b, result.Elem), result, sizes)
	product(r, op, []*ir.Value{x, y}, start, linalg.BatchMatmul, linalg.QuantizedBatchMatmul)
	return true
}

// transposeToNamed replaces a transposition whose permutation is known.
func transposeToNamed(r *rewrite.Rewriter, op *ir.Op) bool {
	v := tosa.TransposeOp{Op: op}.Input1()
	in, result := ranked(v.Type()), ranked(op.Result(0).Type())
	perm := tosa.Permutation(op)
	if in == nil || result == nil || len(perm) != len(in.Shape) || perm == nil {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	r.Replace(op, castTo(b, permuted(b, v, perm), result))
	return true
}
