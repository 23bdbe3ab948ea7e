package tflite

import (
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// contraction is a sum of products of elements of an image and a filter, to which a bias is added, and that is stored as an
// element of the output.
type contraction struct {
	// image is the image as its elements are read.
	image *ir.Value
	// begin, where it isn't nil, prepares the sum for the element of the output at some indices, with the elements of lists for its channel.
	begin func(at, lists []*ir.Value)
	// zero is what the sum starts with.
	zero *ir.Value
	// accumulate adds a product to the sum.
	accumulate func(acc, input, filter *ir.Value) *ir.Value
	// scaled, where it isn't nil, makes of a sum what the bias is added to.
	scaled func(acc *ir.Value) *ir.Value
	// bias adds the element of the bias to a sum.
	bias func(acc, bias *ir.Value) *ir.Value
	// finish makes an element of the output of a sum, with the elements of lists for its channel.
	finish func(acc *ir.Value, lists []*ir.Value) *ir.Value
	lists  []*ir.Value
}

// contraction computes output 0, whose last dimension is channels. in, filter and bias are the positions of the inputs, and image is the first of them, perhaps
// in another shape; sum builds the sum for the element of the output at some indices.
func (k *kernel) contraction(image *ir.Value, in, filter, bias int, a model.Activation, sum func(c *contraction, at []*ir.Value) *ir.Value) error {
	c, err := k.newContraction(image, k.in[in], k.in[filter], k.optional(bias), a)
	if err != nil {
		return err
	}
	if c.image == nil {
		c.image = image
	}
	t := k.resultType(0)
	rank := len(t.Shape)
	inputs := c.lists
	if k.optional(bias) != nil {
		v, err := k.value(bias)
		if err != nil {
			return err
		}
		if s := k.in[bias].Shape; len(s) != 1 || s[0] != t.Shape[rank-1] {
			return k.malformed()
		}
		inputs = append([]*ir.Value{v}, inputs...)
	}
	var maps []*ir.AffineMap
	for _, l := range inputs {
		maps = append(maps, k.channel(rank, l))
	}
	k.result(0, k.generic(t, inputs, maps, func(elements []*ir.Value) *ir.Value {
		at, lists := k.indices(rank), elements[len(elements)-len(c.lists):]
		if c.begin != nil {
			c.begin(at, lists)
		}
		acc := sum(c, at)
		if c.scaled != nil {
			acc = c.scaled(acc)
		}
		if k.optional(bias) != nil {
			acc = c.bias(acc, elements[0])
		}
		return c.finish(acc, lists)
	}))
	return nil
}

// newContraction chooses the arithmetic for the types of the tensors.
func (k *kernel) newContraction(image *ir.Value, in, filter, bias *model.Tensor, a model.Activation) (*contraction, error) {
	out := k.out[0]
	switch {
	case in.Type == model.Float32 && filter.Type == model.Float32 && out.Type == model.Float32 && (bias == nil || bias.Type == model.Float32):
		activate, err := k.activationFloat(a)
		if err != nil {
			return nil, err
		}
		plus := func(a, b *ir.Value) *ir.Value { return k.op2(arith.AddF, a, b) }
		return &contraction{
			zero:       k.f32(0),
			accumulate: func(acc, x, w *ir.Value) *ir.Value { return plus(acc, k.op2(arith.MulF, x, w)) },
			bias:       plus,
			finish:     func(acc *ir.Value, _ []*ir.Value) *ir.Value { return activate(acc) },
		}, nil
	case isHybrid(in, filter):
		return k.newHybrid(image, filter, bias, a)
	case in.Type == model.Float32:
		return nil, k.unsupported()
	}
	sums, ok := k.sums(in, filter, bias)
	if !ok || in.Type != out.Type {
		return nil, k.unsupported()
	}
	if err := k.quantized(in, out); err != nil {
		return nil, err
	}
	low, high, err := k.activationRange(a, out)
	if err != nil {
		return nil, err
	}
	list, err := k.multipliers(in, filter, out)
	if err != nil {
		return nil, err
	}
	multipliers, err := k.channelMultipliers(list, sums)
	if err != nil {
		return nil, err
	}
	return &contraction{
		zero: k.int(sums, 0),
		accumulate: func(acc, x, w *ir.Value) *ir.Value {
			product := k.mul(k.offset(x, in, ir.I32), k.offset(w, filter, ir.I32))
			return k.add(acc, k.cast(product, sums, false))
		},
		bias: func(acc, b *ir.Value) *ir.Value { return k.add(acc, k.cast(b, sums, false)) },
		finish: func(acc *ir.Value, lists []*ir.Value) *ir.Value {
			if multipliers.all != nil {
				return k.store(k.rescale(acc, *multipliers.all), out, low, high)
			}
			return k.store(multipliers.apply(acc, lists), out, low, high)
		},
		lists: multipliers.lists,
	}, nil
}

// sums returns the type of the sums of quantized products: 32 bits, or 64 for 16 bit inputs with a bias of more than 32.
func (k *kernel) sums(in, filter, bias *model.Tensor) (*ir.IntegerType, bool) {
	biasIs := func(types ...model.Type) bool {
		for _, t := range types {
			if bias != nil && bias.Type == t {
				return true
			}
		}
		return false
	}
	weights := filter.Type == model.Int8 || filter.Type == model.Int4
	switch {
	case in.Type == model.Uint8 && filter.Type == model.Uint8 && (bias == nil || biasIs(model.Int32)):
		return ir.I32, true
	case in.Type == model.Int8 && weights && (bias == nil || biasIs(model.Int32)):
		return ir.I32, true
	case in.Type == model.Int16 && weights && (bias == nil && k.code != "TRANSPOSE_CONV" || biasIs(model.Int32)):
		return ir.I32, true
	case in.Type == model.Int16 && weights && (bias == nil || biasIs(model.Int64, model.Int16)):
		return ir.I64, true
	}
	return nil, false
}

// multipliers returns what the sums of each channel are multiplied by: one for all, or one for each.
func (k *kernel) multipliers(in, filter, out *model.Tensor) ([]multiplier, error) {
	if len(filter.Scale) == 0 {
		return nil, k.errorf("the filter %q of %s has no scale", filter.Name, k.code)
	}
	for i, z := range filter.ZeroPoint {
		if filter.Scale[i] < 0 || z != 0 && len(filter.ZeroPoint) > 1 {
			return nil, k.errorf("the filter %q of %s has scales or zero points that no kernel takes", filter.Name, k.code)
		}
	}
	// Kernels that know no channels multiply the scales in single precision.
	if in.Type == model.Uint8 || k.code == "FULLY_CONNECTED" && len(filter.Scale) == 1 {
		return []multiplier{quantizeMultiplier(float64(in.Scale[0]*filter.Scale[0]) / scale(out))}, nil
	}
	channel := 0
	if k.code == "DEPTHWISE_CONV_2D" {
		channel = 3
	}
	if len(filter.Scale) > 1 && filter.Axis != channel {
		return nil, k.errorf("the filter %q of %s is quantized along dimension %d, and not along its channels", filter.Name, k.code, filter.Axis)
	}
	var list []multiplier
	for _, s := range filter.Scale {
		list = append(list, quantizeMultiplier(scale(in)*float64(s)/scale(out)))
	}
	return list, nil
}

// fullyConnected is FULLY_CONNECTED: the rows of the input times those of the weights.
func fullyConnected(k *kernel) error {
	const activation, format = 0, 1
	in, weights, out := k.in[0], k.in[1], k.out[0]
	if k.op.Options.Enum(format) != 0 {
		return k.errorf("FULLY_CONNECTED with shuffled weights isn't supported")
	}
	if len(weights.Shape) != 2 || len(out.Shape) == 0 || weights.Shape[0] != out.Shape[len(out.Shape)-1] {
		return k.malformed()
	}
	units, depth := weights.Shape[0], weights.Shape[1]
	elements, results := ir.ElementCount(in.Shape), ir.ElementCount(out.Shape)
	if units == 0 || depth == 0 || elements%depth != 0 || elements/depth != results/units {
		return k.malformed()
	}
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	rows := k.reshape(values[0], []int64{elements / depth, depth})
	full := k.out[0]
	// The arithmetic is that of a result with two dimensions, whatever the shape of the output.
	flat := *full
	flat.Shape = []int64{results / units, units}
	k.out[0] = &flat
	err = k.contraction(rows, 0, 1, 2, model.Activation(k.op.Options.Enum(activation)), func(c *contraction, at []*ir.Value) *ir.Value {
		return k.nest([]span{k.upTo(depth)}, c.zero, func(i []*ir.Value, acc *ir.Value) *ir.Value {
			return c.accumulate(acc, k.at(c.image, at[0], i[0]), k.at(values[1], at[1], i[0]))
		})
	})
	k.out[0] = full
	if err != nil {
		return err
	}
	v, err := k.function.value(k.op.Outputs[0])
	if err == nil {
		k.result(0, k.reshape(v, full.Shape))
	}
	return err
}
