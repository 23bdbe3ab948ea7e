package tflite

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// The functions in this file are for weights of 8 bits with images in single precision, as quantization of dynamic ranges leaves them: each batch of an
// image is quantized to 8 bits when it is there, so that products are summed up as integers.

// batches are numbers in single precision that were quantized, each batch with a scale, and perhaps a zero point, of its own.
type batches struct {
	// numbers are the integers, [batch, element].
	numbers *ir.Value
	// scales and zeros are those of each batch. There are no zeros where all are 0.
	scales, zeros *ir.Value
}

// isHybrid tells whether an image in single precision has weights that aren't.
func isHybrid(in, weights *model.Tensor) bool {
	return in.Type == model.Float32 && (weights.Type == model.Int8 || weights.Type == model.Int4 || weights.Type == model.Uint8)
}

// parametersOf returns the scale of a batch, and its zero point, which is nil if there is none.
func (f *function) parametersOf(q batches, batch ...*ir.Value) (scale, point *ir.Value) {
	scale = f.at(q.scales, batch...)
	if q.zeros != nil {
		point = f.at(q.zeros, batch...)
	}
	return scale, point
}

// reshapedBatches gives the numbers a shape, whose first dimensions, as many as given, are those of batches.
func (f *function) reshapedBatches(q batches, shape []int64, of int) batches {
	out := batches{numbers: f.reshape(q.numbers, shape), scales: f.reshape(q.scales, shape[:of])}
	if q.zeros != nil {
		out.zeros = f.reshape(q.zeros, shape[:of])
	}
	return out
}

// signedWeight returns a weight for hybrid products. Older models have UINT8 there, and mean numbers with a sign.
func (f *function) signedWeight(w *ir.Value) *ir.Value { return f.cast(w, ir.I32, false) }

// quantizeBatches quantizes a tensor whose first dimension is batches.
func (f *function) quantizeBatches(v *ir.Value, asymmetric bool) batches {
	shape := v.Type().(*ir.RankedTensorType).Shape
	count := shape[0]
	depth := ir.ElementCount(shape[1:])
	rows := f.reshape(v, []int64{count, depth})
	list := func(elem ir.Type) *ir.Value { return f.empty(f.ctx.RankedTensor([]int64{count}, elem)) }
	inits := []*ir.Value{list(ir.F32), list(ir.F32)}
	if asymmetric {
		inits = append(inits, list(ir.I32))
	}
	each := f.loop(f.index(0), f.index(count), f.index(1), inits, func(b *ir.Value, to []*ir.Value) []*ir.Value {
		first := f.at(rows, b, f.index(0))
		limits := f.loop(f.index(1), f.index(depth), f.index(1), []*ir.Value{first, first}, func(i *ir.Value, c []*ir.Value) []*ir.Value {
			x := f.at(rows, b, i)
			return []*ir.Value{f.pick(f.cmpf(arith.OLT, x, c[0]), x, c[0]), f.pick(f.cmpf(arith.OLT, x, c[1]), c[1], x)}
		})
		var q []*ir.Value
		if asymmetric {
			q = f.asymmetricScale(limits[0], limits[1])
		} else {
			q = f.symmetricScale(limits[0], limits[1])
		}
		for i := range q {
			q[i] = tensor.NewInsert(f.b, q[i], to[i], b)
		}
		return q
	})
	out := batches{scales: each[0]}
	inputs, low := []*ir.Value{rows, each[1]}, float32(-127)
	if asymmetric {
		out.zeros, low = each[2], -128
		inputs = append(inputs, out.zeros)
	}
	batch := f.ctx.AffineMap(2, 0, f.ctx.AffineDim(0))
	maps := []*ir.AffineMap{f.ctx.IdentityMap(2), batch, batch}[:len(inputs)]
	out.numbers = f.generic(f.ctx.RankedTensor([]int64{count, depth}, ir.I8), inputs, maps, func(e []*ir.Value) *ir.Value {
		x := f.op2(arith.MulF, e[0], e[1])
		if asymmetric {
			x = f.op2(arith.AddF, arith.NewCast(f.b, arith.SIToFP, ir.F32, e[2]), x)
		}
		// Limits before the conversion are the same as behind it, and a NaN becomes the lower one.
		x = f.math1(math.Round, x)
		x = f.pick(f.cmpf(arith.OGT, x, f.f32(low)), x, f.f32(low))
		x = f.pick(f.cmpf(arith.OLT, x, f.f32(127)), x, f.f32(127))
		return arith.NewCast(f.b, arith.FPToSI, ir.I8, x)
	})
	return out
}

// symmetricScale returns the scale for numbers between limits, and what they are multiplied by.
func (f *function) symmetricScale(low, high *ir.Value) []*ir.Value {
	low, high = f.math1(math.AbsF, low), f.math1(math.AbsF, high)
	reach := f.pick(f.cmpf(arith.OLT, low, high), high, low)
	none := f.cmpf(arith.OEQ, reach, f.f32(0))
	scale := f.op2(arith.DivF, reach, f.f32(127))
	return []*ir.Value{f.pick(none, f.f32(1), scale), f.pick(none, f.f32(1), f.op2(arith.DivF, f.f32(127), reach))}
}

// asymmetricScale returns the scale for numbers between limits and 0, what they are multiplied by, and the zero point.
func (f *function) asymmetricScale(low, high *ir.Value) []*ir.Value {
	double := func(x float64) *ir.Value { return f.constant(f.ctx.FloatAttr(ir.F64, x)) }
	wide := func(x *ir.Value) *ir.Value { return arith.NewCast(f.b, arith.ExtF, ir.F64, x) }
	zero, least, most := double(0), double(-128), double(127)
	low, high = wide(low), wide(high)
	low, high = f.pick(f.cmpf(arith.OLT, low, zero), low, zero), f.pick(f.cmpf(arith.OGT, high, zero), high, zero)
	none := f.cmpf(arith.OEQ, low, high)
	scale := f.op2(arith.DivF, f.op2(arith.SubF, high, low), double(255))
	below, above := f.op2(arith.DivF, low, scale), f.op2(arith.DivF, high, scale)
	// The zero point is computed from the limit where that is more exact.
	nearer := f.cmpf(arith.OLT, f.op2(arith.AddF, double(128), f.math1(math.AbsF, below)), f.op2(arith.AddF, most, f.math1(math.AbsF, above)))
	point := f.pick(nearer, f.op2(arith.SubF, least, below), f.op2(arith.SubF, most, above))
	point = f.math1(math.Round, f.clampFloat(point, least, most))
	narrow := arith.NewCast(f.b, arith.TruncF, ir.F32, scale)
	narrow = f.pick(none, f.f32(1), narrow)
	point = arith.NewCast(f.b, arith.FPToSI, ir.I32, f.pick(none, zero, point))
	return []*ir.Value{narrow, f.op2(arith.DivF, f.f32(1), narrow), point}
}

// newHybrid is the arithmetic of a contraction of an image in single precision with weights of 8 bits. image has the batches as its first dimension.
func (k *kernel) newHybrid(image *ir.Value, filter, bias *model.Tensor, a model.Activation) (*contraction, error) {
	if k.out[0].Type != model.Float32 || bias != nil && bias.Type != model.Float32 {
		return nil, k.unsupported()
	}
	activate, err := k.activationFloat(a)
	if err != nil {
		return nil, err
	}
	form, err := k.hybridForm(filter)
	if err != nil {
		return nil, err
	}
	shape := image.Type().(*ir.RankedTensorType).Shape
	if ir.ElementCount(shape) == 0 {
		return nil, k.malformed()
	}
	q := k.quantizeBatches(image, form.asymmetric)
	c := &contraction{zero: k.i32(0), image: k.reshape(q.numbers, shape)}
	var scale, point, of *ir.Value // of the batch, and the scale of the weights, that are computed with
	c.begin = func(at, lists []*ir.Value) {
		scale, point = k.parametersOf(q, at[0])
		of = k.f32(filter.Scale[0])
		if form.channels {
			of = lists[0]
		}
	}
	product := k.hybridProduct(&point)
	c.accumulate = product
	if form.channels {
		c.lists = []*ir.Value{k.floats(filter.Scale)}
	}
	number := func(n *ir.Value) *ir.Value { return arith.NewCast(k.b, arith.SIToFP, ir.F32, n) }
	if form.scaledProducts {
		c.zero = k.f32(0)
		c.accumulate = func(acc, x, w *ir.Value) *ir.Value {
			return k.op2(arith.AddF, acc, k.op2(arith.MulF, k.op2(arith.MulF, number(product(k.i32(0), x, w)), of), scale))
		}
	} else {
		c.scaled = func(acc *ir.Value) *ir.Value {
			if form.weightsFirst {
				return k.op2(arith.MulF, k.op2(arith.MulF, number(acc), of), scale)
			}
			return k.op2(arith.MulF, number(acc), k.op2(arith.MulF, scale, of))
		}
	}
	c.bias = func(acc, b *ir.Value) *ir.Value { return k.op2(arith.AddF, acc, b) }
	c.finish = func(acc *ir.Value, _ []*ir.Value) *ir.Value { return activate(acc) }
	return c, nil
}

// hybridForm is how an operator computes with weights of 8 bits.
type hybridForm struct {
	// asymmetric says that images have zero points, channels that weights have a scale for each channel, and weightsFirst that sums are multiplied by
	// the scale of the weights before that of the image.
	asymmetric, channels, weightsFirst bool
	// scaledProducts says that products are multiplied by both, and summed up in single precision.
	scaledProducts bool
}

func (k *kernel) hybridForm(filter *model.Tensor) (hybridForm, error) {
	const asymmetric = 3
	along := map[string]int{"CONV_2D": 0, "DEPTHWISE_CONV_2D": 3, "FULLY_CONNECTED": 0, "TRANSPOSE_CONV": 0}
	channel, ok := along[k.code]
	if !ok {
		return hybridForm{}, k.unsupported()
	}
	n := len(filter.Scale)
	if n == 0 {
		return hybridForm{}, k.errorf("the filter %q of %s has no scale", filter.Name, k.code)
	}
	if n > 1 && filter.Axis != channel {
		return hybridForm{}, k.errorf("the filter %q of %s is quantized along dimension %d, and not along its channels", filter.Name, k.code, filter.Axis)
	}
	switch {
	case k.code == "FULLY_CONNECTED":
		return hybridForm{asymmetric: k.op.Options.Flag(asymmetric), channels: n > 1}, nil
	case k.code == "DEPTHWISE_CONV_2D" && filter.Type == model.Uint8:
		return hybridForm{}, k.unsupported()
	case k.code == "TRANSPOSE_CONV" && filter.Type != model.Int8:
		return hybridForm{}, k.unsupported()
	case k.code == "TRANSPOSE_CONV":
		return hybridForm{asymmetric: true, channels: n > 1, scaledProducts: true}, nil
	case k.code == "DEPTHWISE_CONV_2D":
		return hybridForm{asymmetric: true, channels: n > 1}, nil
	case n > 1:
		return hybridForm{asymmetric: true, channels: true, weightsFirst: true}, nil
	}
	return hybridForm{}, nil
}

// hybridMatMul is the arithmetic of BATCH_MATMUL with a second matrix of 8 bits: each row of the first one is quantized by itself.
func (k *kernel) hybridMatMul(image *ir.Value, transposed bool) (*contraction, error) {
	const asymmetric = 2
	a, b := k.in[0], k.in[1]
	if transposed || b.Type != model.Int8 {
		return nil, k.unsupported()
	}
	if err := k.quantized(b); err != nil {
		return nil, err
	}
	if ir.ElementCount(a.Shape) == 0 {
		return nil, k.malformed()
	}
	rows := a.Shape[:len(a.Shape)-1]
	q := k.quantizeBatches(k.reshape(image, []int64{ir.ElementCount(rows), a.Shape[len(rows)]}), k.op.Options.Flag(asymmetric))
	q = k.reshapedBatches(q, a.Shape, len(rows))
	var scale, point *ir.Value // of the row that is computed
	c := &contraction{zero: k.i32(0), image: q.numbers}
	c.begin = func(at, _ []*ir.Value) { scale, point = k.parametersOf(q, at[:len(rows)]...) }
	c.accumulate = k.hybridProduct(&point)
	c.finish = func(acc *ir.Value, _ []*ir.Value) *ir.Value {
		return k.op2(arith.MulF, arith.NewCast(k.b, arith.SIToFP, ir.F32, acc), k.op2(arith.MulF, scale, k.f32(b.Scale[0])))
	}
	return c, nil
}

// hybridProduct adds a product to a sum. *point is the zero point of the image, if there is one.
func (f *function) hybridProduct(point **ir.Value) func(acc, x, w *ir.Value) *ir.Value {
	return func(acc, x, w *ir.Value) *ir.Value {
		x = f.cast(x, ir.I32, false)
		if *point != nil {
			x = f.sub(x, *point)
		}
		return f.add(acc, f.mul(x, f.signedWeight(w)))
	}
}

// scaledLookup is EMBEDDING_LOOKUP of numbers of 8 bits, with one scale or one for each row, whose results are in single precision.
func (k *kernel) scaledLookup() error {
	table := k.in[1]
	n := int64(len(table.Scale))
	if n != 1 && (n != table.Shape[0] || table.Axis != 0) {
		return k.errorf("the table %q of %s has scales that no kernel takes", table.Name, k.code)
	}
	at := k.in[0]
	if !slices.Equal(k.out[0].Shape, slices.Concat(at.Shape, table.Shape[1:])) {
		return k.malformed()
	}
	if at.Type != model.Int32 {
		return k.unsupported()
	}
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	scales := k.floats(table.Scale)
	k.computed(func(o []*ir.Value) *ir.Value {
		row := k.toIndex(k.at(values[0], o[:len(at.Shape)]...))
		x := arith.NewCast(k.b, arith.SIToFP, ir.F32, k.at(values[1], append([]*ir.Value{row}, o[len(at.Shape):]...)...))
		if n == 1 {
			row = k.index(0)
		}
		return k.op2(arith.MulF, x, k.at(scales, row))
	})
	return nil
}
