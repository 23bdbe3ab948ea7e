package tflite

import (
	"slices"

	gomath "math"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// byRows computes output 0, of single precision as input 0, row by row along the last dimension.
func byRows(row func(k *kernel, of, to, i *ir.Value, depth int64) *ir.Value) func(k *kernel) error {
	return func(k *kernel) error {
		in, out := k.in[0], k.out[0]
		if in.Type != model.Float32 || out.Type != model.Float32 {
			return k.unsupported()
		}
		return k.byRows(func(of, to, i *ir.Value, depth int64) *ir.Value { return row(k, of, to, i, depth) })
	}
}

// byRows computes output 0 row by row. row fills row i of a tensor with two dimensions.
func (k *kernel) byRows(row func(of, to, i *ir.Value, depth int64) *ir.Value) error {
	in, out := k.in[0], k.out[0]
	if len(in.Shape) == 0 || !slices.Equal(in.Shape, out.Shape) {
		return k.malformed()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	depth := in.Shape[len(in.Shape)-1]
	flat := []int64{ir.ElementCount(in.Shape[:len(in.Shape)-1]), depth}
	of, to := k.reshape(v, flat), k.empty(k.ctx.RankedTensor(flat, elementTypes[out.Type]))
	result := k.nest([]span{k.upTo(flat[0])}, to, func(i []*ir.Value, to *ir.Value) *ir.Value { return row(of, to, i[0], depth) })
	k.result(0, k.reshape(result, out.Shape))
	return nil
}

// l2Normalization is L2_NORMALIZATION of a row.
func l2Normalization(k *kernel, of, to, row *ir.Value, depth int64) *ir.Value {
	squares := k.reduceRow(of, row, depth, k.f32(0), func(acc, x *ir.Value) *ir.Value {
		return k.op2(arith.AddF, acc, k.op2(arith.MulF, x, x))
	})
	norm := k.math1(math.Sqrt, squares)
	norm = k.pick(k.cmpf(arith.OLT, norm, k.f32(1e-6)), k.f32(1e-6), norm)
	return k.fillRow(to, row, depth, func(_, i *ir.Value) *ir.Value { return k.op2(arith.DivF, k.at(of, row, i), norm) })
}

// scaledL2Normalization is L2_NORMALIZATION of numbers of 8 bits, whose output has the scale 1/128.
func scaledL2Normalization(k *kernel) error {
	in, out := k.in[0], k.out[0]
	if in.Type != model.Int8 && in.Type != model.Uint8 {
		return byRows(l2Normalization)(k)
	}
	if out.Type != in.Type {
		return k.unsupported()
	}
	if err := k.quantized(in, out); err != nil {
		return err
	}
	middle := int64(0)
	if unsigned(out.Type) {
		middle = 128
	}
	if scale(out) != 1.0/128 || zeroPoint(out) != middle {
		return k.errorf("L2_NORMALIZATION has a scale of its output that its kernel doesn't take")
	}
	low, high := limits(out.Type)
	return k.byRows(func(of, to, row *ir.Value, depth int64) *ir.Value {
		squares := k.reduceRow(of, row, depth, k.i32(0), func(acc, x *ir.Value) *ir.Value {
			x = k.offset(x, in, ir.I32)
			return k.add(acc, k.mul(x, x))
		})
		m, right := k.inverseRoot(squares)
		// The scale of the output is in the shift, or, of numbers without a sign, in the factor.
		left := k.i32(7)
		if !unsigned(in.Type) {
			right = k.sub(right, left)
			left = k.max(k.sub(k.i32(0), right), k.i32(0))
		}
		right = k.max(right, k.i32(0))
		return k.fillRow(to, row, depth, func(_, i *ir.Value) *ir.Value {
			x := k.highMul(k.shl(k.offset(k.at(of, row, i), in, ir.I32), left), m)
			return k.store(k.roundingShiftBy(x, right), out, low, high)
		})
	})
}

// inverseRoot is inverseRoot of what is known at run time: the multiplier and its shift to the right.
func (f *function) inverseRoot(x *ir.Value) (m, right *ir.Value) {
	const sqrtHalf, three = 1518500250, 3
	large := f.cmp(arith.SGE, x, f.i32(1<<29))
	in := f.max(f.pick(large, f.shr(x, f.i32(2)), x), f.i32(2))
	zeros := f.math1(math.CountLeadingZeros, in)
	pairs := f.sub(f.shr(f.sub(zeros, f.i32(1)), f.i32(1)), f.i32(1))
	shift := f.sub(f.pick(large, f.i32(12), f.i32(11)), pairs)
	in = f.shr(f.shl(in, f.shl(pairs, f.i32(1))), f.i32(1))
	half := f.roundingShift(in, 1)
	times := func(x *ir.Value, by int64) *ir.Value {
		wide := f.shl(f.cast(x, ir.I64, false), f.i64(by))
		return f.cast(f.clampInt(wide, gomath.MinInt32, gomath.MaxInt32), ir.I32, false)
	}
	y := f.i32(1 << 28)
	for range 5 {
		cube := times(f.highMul(f.highMul(y, y), y), 2*three)
		y = times(f.sub(f.highMul(f.i32(1<<28+1<<27), y), f.highMul(half, cube)), three)
	}
	y = f.shl(f.highMul(y, f.i32(sqrtHalf)), f.max(f.sub(f.i32(0), shift), f.i32(0)))
	small := f.cmp(arith.SLE, x, f.i32(1))
	return f.pick(small, f.i32(gomath.MaxInt32), y), f.pick(small, f.i32(0), f.max(shift, f.i32(0)))
}

// logSoftmax is LOG_SOFTMAX of a row.
func logSoftmax(k *kernel, of, to, row *ir.Value, depth int64) *ir.Value {
	most := k.reduceRow(of, row, depth, k.f32(-gomath.MaxFloat32), func(acc, x *ir.Value) *ir.Value { return k.clampFloat(acc, x, nil) })
	less := func(x *ir.Value) *ir.Value { return k.op2(arith.SubF, x, most) }
	sum := k.reduceRow(of, row, depth, k.f32(0), func(acc, x *ir.Value) *ir.Value {
		return k.op2(arith.AddF, acc, k.math1(math.Exp, less(x)))
	})
	log := k.math1(math.Log, sum)
	return k.fillRow(to, row, depth, func(_, i *ir.Value) *ir.Value { return k.op2(arith.SubF, less(k.at(of, row, i)), log) })
}

// localResponse is LOCAL_RESPONSE_NORMALIZATION: each element of a row by a power of the sum of the squares around it.
func localResponse(k *kernel) error {
	const radius, bias, alpha, beta = 0, 1, 2, 3
	o := k.op.Options
	reach := int64(o.Int(radius))
	if reach < 0 {
		return k.malformed()
	}
	start, factor, power := k.f32(o.Float(bias)), k.f32(o.Float(alpha)), k.f32(-o.Float(beta))
	return byRows(func(k *kernel, of, to, row *ir.Value, depth int64) *ir.Value {
		return k.fillRow(to, row, depth, func(_, i *ir.Value) *ir.Value {
			around := span{k.max(k.sub(i, k.index(reach)), k.index(0)), k.min(k.add(i, k.index(reach)), k.index(depth))}
			sum := k.nest([]span{around}, k.f32(0), func(j []*ir.Value, acc *ir.Value) *ir.Value {
				x := k.at(of, row, j[0])
				return k.op2(arith.AddF, acc, k.op2(arith.MulF, x, x))
			})
			base := k.op2(arith.AddF, start, k.op2(arith.MulF, factor, sum))
			return k.op2(arith.MulF, k.at(of, row, i), k.op2(math.PowF, base, power))
		})
	})(k)
}

// cumsum is CUMSUM along a dimension.
func cumsum(k *kernel) error {
	const exclusive, backwards = 0, 1
	in, out := k.in[0], k.out[0]
	list, err := k.constants(1)
	if err != nil {
		return err
	}
	if in.Type != out.Type {
		return k.unsupported()
	}
	if len(list) != 1 || !slices.Equal(in.Shape, out.Shape) {
		return k.malformed()
	}
	id := arith.AddI
	same := func(x *ir.Value) *ir.Value { return x }
	start, read, show := (*ir.Value)(nil), same, same
	switch in.Type {
	case model.Float32:
		id, start = arith.AddF, k.f32(0)
	case model.Int32, model.Int64:
		start = k.int(elementTypes[in.Type], 0)
	case model.Int8:
		if err := k.quantized(in, out); err != nil {
			return err
		}
		// Sums have 19 bits behind the point, and start with what the element 0 stands for.
		const bits = 19
		q := quantizeMultiplier(2 * scale(in) / (float64(int64(2)<<bits) * scale(out)))
		if q.shift > 0 {
			return k.errorf("CUMSUM has scales that its kernel doesn't take")
		}
		low, high := limits(out.Type)
		start = k.i32(-zeroPoint(in) << bits)
		read = func(x *ir.Value) *ir.Value { return k.shl(k.offset(x, in, ir.I32), k.i32(bits)) }
		show = func(sum *ir.Value) *ir.Value { return k.store(k.rescale(sum, q), out, low, high) }
	default:
		return k.unsupported()
	}
	d, ok := axis(int(list[0]), len(in.Shape))
	if !ok {
		return k.malformed()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	// The dimension becomes the middle one of three.
	n := in.Shape[d]
	flat := []int64{ir.ElementCount(in.Shape[:d]), n, ir.ElementCount(in.Shape[d+1:])}
	of, to := k.reshape(v, flat), k.empty(k.ctx.RankedTensor(flat, elementTypes[out.Type]))
	result := k.nest([]span{k.upTo(flat[0]), k.upTo(flat[2])}, to, func(i []*ir.Value, to *ir.Value) *ir.Value {
		return k.loop(k.index(0), k.index(n), k.index(1), []*ir.Value{to, start}, func(j *ir.Value, c []*ir.Value) []*ir.Value {
			if k.op.Options.Flag(backwards) {
				j = k.sub(k.index(n-1), j)
			}
			sum := k.op2(id, c[1], read(k.at(of, i[0], j, i[1])))
			shown := sum
			if k.op.Options.Flag(exclusive) {
				shown = c[1]
			}
			return []*ir.Value{tensor.NewInsert(k.b, show(shown), c[0], i[0], j, i[1]), sum}
		})[0]
	})
	k.result(0, k.reshape(result, out.Shape))
	return nil
}

// batchMatMul is BATCH_MATMUL.
func batchMatMul(k *kernel) error {
	const transposeA, transposeB = 0, 1
	a, b, out := k.in[0], k.in[1], k.out[0]
	if a.Type != b.Type && !isHybrid(a, b) || a.Type != out.Type {
		return k.unsupported()
	}
	rank := len(out.Shape)
	if rank < 2 || len(a.Shape) < 2 || len(b.Shape) < 2 || len(a.Shape) > rank || len(b.Shape) > rank {
		return k.malformed()
	}
	ta, tb := k.op.Options.Flag(transposeA), k.op.Options.Flag(transposeB)
	rows, depth := lastTwo(a.Shape, ta)
	depthB, columns := lastTwo(b.Shape, tb)
	batch := out.Shape[:rank-2]
	if depth != depthB || !slices.Equal(out.Shape[rank-2:], []int64{rows, columns}) ||
		k.broadcast(a.Shape[:len(a.Shape)-2], batch) == nil || k.broadcast(b.Shape[:len(b.Shape)-2], batch) == nil {
		return k.malformed()
	}
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	c, err := k.matmulArithmetic(values[0], ta)
	if err != nil {
		return err
	}
	k.computed(func(at []*ir.Value) *ir.Value {
		row, column := at[rank-2], at[rank-1]
		if c.begin != nil {
			c.begin(k.matrixElement(a.Shape, at[:rank-2], row, nil, false), nil)
		}
		return c.finish(k.nest([]span{k.upTo(depth)}, c.zero, func(i []*ir.Value, acc *ir.Value) *ir.Value {
			x := k.at(c.image, k.matrixElement(a.Shape, at[:rank-2], row, i[0], ta)...)
			y := k.at(values[1], k.matrixElement(b.Shape, at[:rank-2], i[0], column, tb)...)
			return c.accumulate(acc, x, y)
		}), nil)
	})
	return nil
}

// lastTwo returns the last two sizes, in the other order if the matrix is transposed.
func lastTwo(shape []int64, transposed bool) (int64, int64) {
	a, b := shape[len(shape)-2], shape[len(shape)-1]
	if transposed {
		return b, a
	}
	return a, b
}

// matrixElement returns the indices of an element of one of several matrices, whose batch is broadcast.
func (k *kernel) matrixElement(shape []int64, batch []*ir.Value, row, column *ir.Value, transposed bool) []*ir.Value {
	n := len(shape) - 2
	var at []*ir.Value
	for d, i := range batch[len(batch)-n:] {
		if shape[d] == 1 {
			i = k.index(0)
		}
		at = append(at, i)
	}
	if transposed {
		row, column = column, row
	}
	return append(at, row, column)
}

// matmulArithmetic is the arithmetic of BATCH_MATMUL, whose matrices both may be computed.
func (k *kernel) matmulArithmetic(image *ir.Value, transposed bool) (*contraction, error) {
	a, b, out := k.in[0], k.in[1], k.out[0]
	switch {
	case isHybrid(a, b):
		return k.hybridMatMul(image, transposed)
	case a.Type == model.Float32:
		return &contraction{
			image:      image,
			zero:       k.f32(0),
			accumulate: func(acc, x, y *ir.Value) *ir.Value { return k.op2(arith.AddF, acc, k.op2(arith.MulF, x, y)) },
			finish:     func(acc *ir.Value, _ []*ir.Value) *ir.Value { return acc },
		}, nil
	}
	if a.Type != model.Int8 && a.Type != model.Int16 {
		return nil, k.unsupported()
	}
	if err := k.quantized(a, b, out); err != nil {
		return nil, err
	}
	sums := ir.I32
	if a.Type == model.Int16 {
		sums = ir.I64
	}
	q := quantizeMultiplier(float64(a.Scale[0]*b.Scale[0]) / scale(out))
	if err := k.representable(q); err != nil {
		return nil, err
	}
	if sums == ir.I64 && q.shift > 7 {
		return nil, k.errorf("BATCH_MATMUL has scales that its kernel doesn't take")
	}
	low, high := limits(out.Type)
	return &contraction{
		image: image,
		zero:  k.int(sums, 0),
		accumulate: func(acc, x, y *ir.Value) *ir.Value {
			return k.add(acc, k.cast(k.mul(k.offset(x, a, ir.I32), k.offset(y, b, ir.I32)), sums, false))
		},
		finish: func(acc *ir.Value, _ []*ir.Value) *ir.Value { return k.store(k.rescale(acc, q), out, low, high) },
	}, nil
}
