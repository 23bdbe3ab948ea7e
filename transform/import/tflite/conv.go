package tflite

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// window is a dimension of an image that a filter moves along.
type window struct {
	input, filter, output     int64
	stride, dilation, padding int64 // padding is that at the start
}

// newWindow computes the padding. ok is false if the size of the output isn't what it must be.
func newWindow(p model.Padding, input, filter, output, stride, dilation int64) (w window, ok bool) {
	if stride < 1 || dilation < 1 || filter < 1 || max(stride, dilation, filter, input) > 1<<31 {
		return window{}, false
	}
	effective := (filter-1)*dilation + 1
	want := (input + stride - 1) / stride
	if p == model.Valid {
		want = (input + stride - effective) / stride
	}
	padding := max((output-1)*stride+effective-input, 0) / 2
	return window{input, filter, output, stride, dilation, padding}, want == output
}

// origin returns where in the image the filter starts for an output, which may be before its start.
func (f *function) origin(w window, out *ir.Value) *ir.Value {
	if w.stride != 1 {
		out = f.mul(out, f.index(w.stride))
	}
	if w.padding != 0 {
		out = f.sub(out, f.index(w.padding))
	}
	return out
}

// inside returns which elements of the filter lie within the image when it starts at origin.
func (f *function) inside(w window, origin *ir.Value) span {
	s := f.upTo(w.filter)
	if w.padding > 0 {
		s.low = f.max(s.low, f.op2(arith.CeilDivSI, f.sub(f.index(0), origin), f.index(w.dilation)))
	}
	if last := (w.output-1)*w.stride - w.padding + (w.filter-1)*w.dilation; last >= w.input {
		s.high = f.min(s.high, f.op2(arith.CeilDivSI, f.sub(f.index(w.input), origin), f.index(w.dilation)))
	}
	return s
}

// tap returns the place in the image of an element of the filter.
func (f *function) tap(w window, origin, element *ir.Value) *ir.Value {
	if w.dilation != 1 {
		element = f.mul(element, f.index(w.dilation))
	}
	return f.add(origin, element)
}

// Options of convolutions, by their place in the schema.
const (
	convPadding, convStrideW, convStrideH, convActivation, convDilationW, convDilationH = 0, 1, 2, 3, 4, 5
	depthwiseActivation, depthwiseDilationW, depthwiseDilationH                         = 4, 5, 6
)

// windows returns the windows along the two dimensions of an image.
func (k *kernel) windows(in, filter, out *model.Tensor, dilationW, dilationH int) (y, x window, err error) {
	o := k.op.Options
	if len(in.Shape) != 4 || len(filter.Shape) != 4 || len(out.Shape) != 4 || in.Shape[0] != out.Shape[0] {
		return y, x, k.malformed()
	}
	p := model.Padding(o.Enum(convPadding))
	y, ok := newWindow(p, in.Shape[1], filter.Shape[1], out.Shape[1], int64(o.Int(convStrideH)), int64(dilationH))
	x, also := newWindow(p, in.Shape[2], filter.Shape[2], out.Shape[2], int64(o.Int(convStrideW)), int64(dilationW))
	if !ok || !also {
		return y, x, k.malformed()
	}
	return y, x, nil
}

// conv2D is CONV_2D. The filter is [output channel, y, x, input channel]; channels may be in groups.
func conv2D(k *kernel) error {
	in, filter, out := k.in[0], k.in[1], k.out[0]
	o := k.op.Options
	y, x, err := k.windows(in, filter, out, o.IntOr(convDilationW, 1), o.IntOr(convDilationH, 1))
	if err != nil {
		return err
	}
	depth, outDepth := filter.Shape[3], filter.Shape[0]
	if depth == 0 || in.Shape[3]%depth != 0 || outDepth != out.Shape[3] || in.Shape[3] == 0 || outDepth%(in.Shape[3]/depth) != 0 {
		return k.malformed()
	}
	groups := in.Shape[3] / depth
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	return k.contraction(values[0], 0, 1, 2, model.Activation(o.Enum(convActivation)), func(c *contraction, at []*ir.Value) *ir.Value {
		originY, originX := k.origin(y, at[1]), k.origin(x, at[2])
		var first *ir.Value // of the group's channels, where there are groups
		if groups > 1 {
			first = k.mul(k.op2(arith.DivUI, at[3], k.index(outDepth/groups)), k.index(depth))
		}
		spans := []span{k.inside(y, originY), k.inside(x, originX), k.upTo(depth)}
		return k.nest(spans, c.zero, func(i []*ir.Value, acc *ir.Value) *ir.Value {
			channel := i[2]
			if first != nil {
				channel = k.add(channel, first)
			}
			a := k.at(c.image, at[0], k.tap(y, originY, i[0]), k.tap(x, originX, i[1]), channel)
			return c.accumulate(acc, a, k.at(values[1], at[3], i[0], i[1], i[2]))
		})
	})
}

// depthwiseConv2D is DEPTHWISE_CONV_2D. The filter is [1, y, x, channel], with several results for each channel of the image.
func depthwiseConv2D(k *kernel) error {
	in, filter, out := k.in[0], k.in[1], k.out[0]
	o := k.op.Options
	y, x, err := k.windows(in, filter, out, o.IntOr(depthwiseDilationW, 1), o.IntOr(depthwiseDilationH, 1))
	if err != nil {
		return err
	}
	if filter.Shape[0] != 1 || in.Shape[3] == 0 || out.Shape[3]%in.Shape[3] != 0 || filter.Shape[3] != out.Shape[3] {
		return k.malformed()
	}
	times := out.Shape[3] / in.Shape[3]
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	return k.contraction(values[0], 0, 1, 2, model.Activation(o.Enum(depthwiseActivation)), func(c *contraction, at []*ir.Value) *ir.Value {
		originY, originX := k.origin(y, at[1]), k.origin(x, at[2])
		channel := at[3]
		if times > 1 {
			channel = k.op2(arith.DivUI, channel, k.index(times))
		}
		spans := []span{k.inside(y, originY), k.inside(x, originX)}
		return k.nest(spans, c.zero, func(i []*ir.Value, acc *ir.Value) *ir.Value {
			a := k.at(c.image, at[0], k.tap(y, originY, i[0]), k.tap(x, originX, i[1]), channel)
			return c.accumulate(acc, a, k.at(values[1], k.index(0), i[0], i[1], at[3]))
		})
	})
}

// conv3D is CONV_3D, of single precision. The filter is [z, y, x, input channel, output channel].
func conv3D(k *kernel) error {
	const padding, activation = 0, 4
	// The strides and the dilations of z, y and x.
	strides, dilations := [3]int{1, 3, 2}, [3]int{5, 7, 6}
	in, filter, out := k.in[0], k.in[1], k.out[0]
	o := k.op.Options
	if in.Type != model.Float32 {
		return k.unsupported()
	}
	if len(in.Shape) != 5 || len(filter.Shape) != 5 || len(out.Shape) != 5 || in.Shape[0] != out.Shape[0] ||
		filter.Shape[3] != in.Shape[4] || filter.Shape[4] != out.Shape[4] {
		return k.malformed()
	}
	var w [3]window
	for d := range w {
		var ok bool
		w[d], ok = newWindow(model.Padding(o.Enum(padding)), in.Shape[d+1], filter.Shape[d], out.Shape[d+1], int64(o.Int(strides[d])), int64(o.IntOr(dilations[d], 1)))
		if !ok {
			return k.malformed()
		}
	}
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	return k.contraction(values[0], 0, 1, 2, model.Activation(o.Enum(activation)), func(c *contraction, at []*ir.Value) *ir.Value {
		var origins [3]*ir.Value
		spans := make([]span, 3, 4)
		for d := range w {
			origins[d] = k.origin(w[d], at[d+1])
			spans[d] = k.inside(w[d], origins[d])
		}
		return k.nest(append(spans, k.upTo(in.Shape[4])), c.zero, func(i []*ir.Value, acc *ir.Value) *ir.Value {
			place := []*ir.Value{at[0]}
			for d := range w {
				place = append(place, k.tap(w[d], origins[d], i[d]))
			}
			return c.accumulate(acc, k.at(c.image, append(place, i[3])...), k.at(values[1], i[0], i[1], i[2], i[3], at[4]))
		})
	})
}

// transposeConv is TRANSPOSE_CONV, whose inputs are the sizes of its output, the filter, [output channel, y, x, input channel],
// and the image.
func transposeConv(k *kernel) error {
	const padding, strideW, strideH, activation = 0, 1, 2, 3
	o := k.op.Options
	return k.transposedConvolution(transposed{image: 2, filter: 1, bias: 3, start: -1, padding: model.Padding(o.Enum(padding)), strideW: int64(o.Int(strideW)),
		strideH: int64(o.Int(strideH)), activation: model.Activation(o.Enum(activation))})
}

// transposeConvBias is Convolution2DTransposeBias, a custom operator of MediaPipe's models. Its options are three numbers of 32 bits.
func transposeConvBias(k *kernel) error {
	for _, t := range append(k.in[:3:3], k.out[0]) {
		if t.Type != model.Float32 {
			return k.unsupported()
		}
	}
	o, err := k.structure(3)
	if err != nil {
		return err
	}
	t := transposed{image: 0, filter: 1, bias: -1, start: 2, strideW: o[1], strideH: o[2]}
	if t.padding, err = k.structurePadding(o[0]); err != nil {
		return err
	}
	if b := k.in[2]; len(k.in[1].Shape) != 4 || !slices.Equal(b.Shape, k.in[1].Shape[:1]) {
		return k.malformed()
	}
	return k.transposedConvolution(t)
}

// transposed is what there is of a transposed convolution: the positions of its inputs, and its options. A bias is added to sums, and start is what they
// start with; what is -1 isn't there.
type transposed struct {
	image, filter, bias, start int
	padding                    model.Padding
	strideW, strideH           int64
	activation                 model.Activation
}

// transposedConvolution computes every element of the output as the sum over those of the image that reach it, in the order of the image.
func (k *kernel) transposedConvolution(t transposed) error {
	filter, in, out := k.in[t.filter], k.in[t.image], k.out[0]
	if len(in.Shape) != 4 || len(filter.Shape) != 4 || len(out.Shape) != 4 || in.Shape[0] != out.Shape[0] ||
		filter.Shape[3] != in.Shape[3] || filter.Shape[0] != out.Shape[3] {
		return k.malformed()
	}
	// The window is that of the convolution from the output to the image.
	y, ok := newWindow(t.padding, out.Shape[1], filter.Shape[1], in.Shape[1], t.strideH, 1)
	x, also := newWindow(t.padding, out.Shape[2], filter.Shape[2], in.Shape[2], t.strideW, 1)
	if !ok || !also {
		return k.malformed()
	}
	values, err := k.inputs(t.image, t.filter)
	if err != nil {
		return err
	}
	var start *ir.Value
	if t.start >= 0 {
		if start, err = k.value(t.start); err != nil {
			return err
		}
	}
	return k.contraction(values[0], t.image, t.filter, t.bias, t.activation, func(c *contraction, at []*ir.Value) *ir.Value {
		first := c.zero
		if start != nil {
			first = k.at(start, at[3])
		}
		shiftedY, shiftedX := k.add(at[1], k.index(y.padding)), k.add(at[2], k.index(x.padding))
		spans := []span{k.reaching(y, shiftedY), k.reaching(x, shiftedX), k.upTo(in.Shape[3])}
		return k.nest(spans, first, func(i []*ir.Value, acc *ir.Value) *ir.Value {
			tapY, tapX := k.sub(shiftedY, k.mul(i[0], k.index(y.stride))), k.sub(shiftedX, k.mul(i[1], k.index(x.stride)))
			a := k.at(c.image, at[0], i[0], i[1], i[2])
			return c.accumulate(acc, a, k.at(values[1], at[3], tapY, tapX, i[2]))
		})
	})
}

// reaching returns which elements of an image reach an element of the output of a transposed convolution, at a place that
// counts the padding.
func (f *function) reaching(w window, at *ir.Value) span {
	stride := f.index(w.stride)
	low := f.op2(arith.CeilDivSI, f.sub(at, f.index(w.filter-1)), stride)
	high := f.add(f.op2(arith.DivUI, at, stride), f.index(1))
	return span{f.max(low, f.index(0)), f.min(high, f.index(w.output))}
}

// transposeConv3D is CONV_3D_TRANSPOSE, of single precision, whose inputs are the sizes of its output, the filter, [z, y, x, output channel, input channel], and
// the image.
func transposeConv3D(k *kernel) error {
	const padding, activation = 0, 4
	// The strides and the dilations of z, y and x.
	strides, dilations := [3]int{1, 3, 2}, [3]int{5, 7, 6}
	filter, in, out := k.in[1], k.in[2], k.out[0]
	o := k.op.Options
	if in.Type != model.Float32 {
		return k.unsupported()
	}
	if len(in.Shape) != 5 || len(filter.Shape) != 5 || len(out.Shape) != 5 || in.Shape[0] != out.Shape[0] ||
		filter.Shape[4] != in.Shape[4] || filter.Shape[3] != out.Shape[4] {
		return k.malformed()
	}
	var w [3]window
	for d := range w {
		if o.IntOr(dilations[d], 1) != 1 {
			return k.errorf("%s of a filter with gaps isn't supported", k.code)
		}
		var ok bool
		w[d], ok = newWindow(model.Padding(o.Enum(padding)), out.Shape[d+1], filter.Shape[d], in.Shape[d+1], int64(o.Int(strides[d])), 1)
		if !ok {
			return k.malformed()
		}
	}
	values, err := k.inputs(2, 1)
	if err != nil {
		return err
	}
	return k.contraction(values[0], 2, 1, 3, model.Activation(o.Enum(activation)), func(c *contraction, at []*ir.Value) *ir.Value {
		var shifted [3]*ir.Value
		spans := make([]span, 3, 4)
		for d := range w {
			shifted[d] = k.add(at[d+1], k.index(w[d].padding))
			spans[d] = k.reaching(w[d], shifted[d])
		}
		return k.nest(append(spans, k.upTo(in.Shape[4])), c.zero, func(i []*ir.Value, acc *ir.Value) *ir.Value {
			var taps []*ir.Value
			for d := range w {
				taps = append(taps, k.sub(shifted[d], k.mul(i[d], k.index(w[d].stride))))
			}
			a := k.at(c.image, append([]*ir.Value{at[0]}, i...)...)
			return c.accumulate(acc, a, k.at(values[1], append(taps, at[4], i[3])...))
		})
	})
}
