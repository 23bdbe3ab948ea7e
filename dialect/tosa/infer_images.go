package tosa

import "freehold/ir"

// windowed is the number of places of a window along a dimension of a size: padding is both
// sides together. The size is unknown if that of the image or of the window is.
func windowed(size, window, padding, stride, dilation int64) int64 {
	if size == ir.Dynamic || window == ir.Dynamic || stride == 0 {
		return ir.Dynamic
	}
	return (size+padding-(window-1)*dilation-1)/stride + 1
}

func ints(op *ir.Op, name string) []int64 { return op.Attr(name).(*ir.DenseArrayAttr).Ints() }

// sizeAt returns a size of a tensor, unknown if its shape is.
func sizeAt(v *ir.Value, dim int) int64 {
	if s := shapeOf(v); dim < len(s) {
		return s[dim]
	}
	return ir.Dynamic
}

// convolved infers the shape of a convolution: the sizes of the image from dimension 1 on, those
// of the filter from dimension first on.
func convolved(op *ir.Op, rank, first int, channels int64) []ir.Type {
	pad, stride, dilation := ints(op, "pad"), ints(op, "stride"), ints(op, "dilation")
	shape := unknown(rank)
	shape[0] = sizeAt(ConvolutionOp{op}.Input(), 0)
	for i := 1; i < rank-1; i++ {
		shape[i] = windowed(sizeAt(ConvolutionOp{op}.Input(), i), sizeAt(ConvolutionOp{op}.Weight(), first+i-1), pad[2*i-2]+pad[2*i-1], stride[i-1], dilation[i-1])
	}
	shape[rank-1] = channels
	return resultOf(op, shape)
}

// known returns the first of the sizes that isn't unknown.
func known(sizes ...int64) int64 {
	for _, d := range sizes {
		if d != ir.Dynamic {
			return d
		}
	}
	return ir.Dynamic
}

// biasOr is a number of channels, or what the bias says about it: one element may stand for all.
func biasOr(op *ir.Op, channels int64) int64 {
	if bias := sizeAt(ConvolutionOp{op}.Bias(), 0); channels == ir.Dynamic && bias != 1 {
		return bias
	}
	return channels
}

func inferConv2D(op *ir.Op) []ir.Type {
	return convolved(op, 4, 1, biasOr(op, sizeAt(Conv2DOp{op}.Weight(), 0)))
}

func inferConv3D(op *ir.Op) []ir.Type {
	return convolved(op, 5, 1, biasOr(op, sizeAt(Conv3DOp{op}.Weight(), 0)))
}

func inferDepthwise(op *ir.Op) []ir.Type {
	in, multiplier := known(sizeAt(DepthwiseConv2DOp{op}.Input(), 3), sizeAt(DepthwiseConv2DOp{op}.Weight(), 2)), sizeAt(DepthwiseConv2DOp{op}.Weight(), 3)
	channels := ir.Dynamic
	if in != ir.Dynamic && multiplier != ir.Dynamic {
		channels = in * multiplier
	}
	return convolved(op, 4, 0, biasOr(op, channels))
}

func inferTransposeConv(op *ir.Op) []ir.Type {
	shape := unknown(4)
	for i, d := range ints(op, "out_shape") {
		if i < 4 && d >= 0 {
			shape[i] = d
		}
	}
	pad, stride := ints(op, "out_pad"), ints(op, "stride")
	shape[0] = known(shape[0], sizeAt(TransposeConv2DOp{op}.Input(), 0))
	for i := 1; i < 3; i++ {
		in, window := sizeAt(TransposeConv2DOp{op}.Input(), i), sizeAt(TransposeConv2DOp{op}.Filter(), i)
		if shape[i] == ir.Dynamic && in != ir.Dynamic && window != ir.Dynamic {
			shape[i] = (in-1)*stride[i-1] + pad[2*i-2] + pad[2*i-1] + window
		}
	}
	shape[3] = biasOr(op, known(shape[3], sizeAt(TransposeConv2DOp{op}.Filter(), 0)))
	return resultOf(op, shape)
}

func inferPool(op *ir.Op) []ir.Type {
	if shapeOf(PoolOp{op}.Input()) == nil {
		return resultOf(op, unknown(4))
	}
	kernel, stride, pad := ints(op, "kernel"), ints(op, "stride"), ints(op, "pad")
	shape := shapeOf(PoolOp{op}.Input())
	for i := 1; i < 3; i++ {
		shape[i] = windowed(shape[i], kernel[i-1], pad[2*i-2]+pad[2*i-1], stride[i-1], 1)
	}
	return resultOf(op, shape)
}

func inferFullyConnected(op *ir.Op) []ir.Type {
	return resultOf(op, []int64{sizeAt(FullyConnectedOp{op}.Input(), 0), known(sizeAt(FullyConnectedOp{op}.Weight(), 0), sizeAt(FullyConnectedOp{op}.Bias(), 0))})
}

func inferMatMul(op *ir.Op) []ir.Type {
	a, b := MatMulOp{op}.A(), MatMulOp{op}.B()
	return resultOf(op, []int64{known(sizeAt(a, 0), sizeAt(b, 0)), sizeAt(a, 1), sizeAt(b, 2)})
}

func inferResize(op *ir.Op) []ir.Type {
	shape := unknown(4)
	scale, offset, border := ints(op, "scale"), ints(op, "offset"), ints(op, "border")
	in := shapeOf(ResizeOp{op}.Input())
	if in == nil {
		return resultOf(op, shape)
	}
	shape[0], shape[3] = in[0], in[3]
	for i := 0; i < 2; i++ {
		if n, d := scale[2*i], scale[2*i+1]; in[i+1] != ir.Dynamic && d != 0 {
			shape[i+1] = ((in[i+1]-1)*n-offset[i]+border[i])/d + 1
		}
	}
	return resultOf(op, shape)
}

func twice(types []ir.Type) []ir.Type { return append(types, types...) }

// inferFFT: the real part is like the real part of what is transformed, and the imaginary part like that.
func inferFFT(op *ir.Op) []ir.Type {
	return append(resultOf(op, shapeOf(FFT2DOp{op}.InputReal())), resultOf(op, shapeOf(FFT2DOp{op}.InputImag()))...)
}

// inferRFFT: half of the last dimension, and one element more, is all that there is to know.
func inferRFFT(op *ir.Op) []ir.Type {
	shape := shapeOf(RFFT2DOp{op}.Input())
	if len(shape) == 3 && shape[2] != ir.Dynamic {
		shape[2] = shape[2]/2 + 1
	}
	return twice(resultOf(op, shape))
}
