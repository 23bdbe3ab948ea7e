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

// softmax is SOFTMAX, along the last dimension.
func softmax(k *kernel) error {
	const beta = 0
	in, out := k.in[0], k.out[0]
	if len(in.Shape) == 0 || !slices.Equal(in.Shape, out.Shape) {
		return k.malformed()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	depth := in.Shape[len(in.Shape)-1]
	rows := int64(1)
	for _, n := range in.Shape[:len(in.Shape)-1] {
		rows *= n
	}
	b := k.op.Options.Float(beta)
	var row func(of, to, i *ir.Value) *ir.Value
	switch {
	case in.Type == model.Float32 && out.Type == model.Float32:
		row = func(of, to, i *ir.Value) *ir.Value { return k.softmaxFloat(of, to, i, depth, b) }
	case (in.Type == model.Int8 || in.Type == model.Uint8) && (out.Type == in.Type || in.Type == model.Int8 && out.Type == model.Int16):
		if err := k.quantized(in); err != nil {
			return err
		}
		table, err := k.softmaxTable(b)
		if err != nil {
			return err
		}
		row = func(of, to, i *ir.Value) *ir.Value { return k.softmax8(of, to, i, depth, table) }
	case in.Type == model.Int16 && out.Type == model.Int16:
		if err := k.quantized(in); err != nil {
			return err
		}
		row = k.softmax16(depth, b)
	default:
		return k.unsupported()
	}
	flat := []int64{rows, depth}
	of := k.reshape(v, flat)
	to := k.empty(k.ctx.RankedTensor(flat, elementTypes[out.Type]))
	result := k.loop(k.index(0), k.index(rows), k.index(1), []*ir.Value{to}, func(i *ir.Value, c []*ir.Value) []*ir.Value {
		return []*ir.Value{row(of, c[0], i)}
	})
	k.result(0, k.reshape(result[0], out.Shape))
	return nil
}

// reduceRow joins the elements of a row.
func (f *function) reduceRow(of, row *ir.Value, depth int64, init *ir.Value, join func(acc, x *ir.Value) *ir.Value) *ir.Value {
	return f.nest([]span{f.upTo(depth)}, init, func(i []*ir.Value, acc *ir.Value) *ir.Value { return join(acc, f.at(of, row, i[0])) })
}

// fillRow computes the elements of a row of a tensor and returns the tensor.
func (f *function) fillRow(to, row *ir.Value, depth int64, element func(to, i *ir.Value) *ir.Value) *ir.Value {
	return f.nest([]span{f.upTo(depth)}, to, func(i []*ir.Value, acc *ir.Value) *ir.Value {
		return tensor.NewInsert(f.b, element(acc, i[0]), acc, row, i[0])
	})
}

func (k *kernel) softmaxFloat(of, to, row *ir.Value, depth int64, beta float32) *ir.Value {
	most := k.reduceRow(of, row, depth, k.f32(-gomath.MaxFloat32), func(acc, x *ir.Value) *ir.Value { return k.clampFloat(acc, x, nil) })
	powers := k.loop(k.index(0), k.index(depth), k.index(1), []*ir.Value{to, k.f32(0)}, func(i *ir.Value, c []*ir.Value) []*ir.Value {
		x := k.op2(arith.SubF, k.at(of, row, i), most)
		if beta != 1 {
			x = k.op2(arith.MulF, x, k.f32(beta))
		}
		e := k.math1(math.Exp, x)
		return []*ir.Value{tensor.NewInsert(k.b, e, c[0], row, i), k.op2(arith.AddF, c[1], e)}
	})
	return k.fillRow(powers[0], row, depth, func(to, i *ir.Value) *ir.Value { return k.op2(arith.DivF, k.at(to, row, i), powers[1]) })
}

// softmaxTable returns e to the power of each difference of two elements of 8 bits, from 0 to -255.
func (k *kernel) softmaxTable(beta float32) (*ir.Value, error) {
	const integerBits = 5
	scaled := float64(beta) * scale(k.in[0]) * (1 << (31 - integerBits))
	q := quantizeMultiplier(min(scaled, (1<<31)-1))
	if q.shift < 0 || q.shift > 31 {
		return nil, k.errorf("SOFTMAX has scales that its kernel doesn't take")
	}
	least := -inputRadius(integerBits, q.shift)
	table := make([]int64, 256)
	for i := range table {
		if -int32(i) >= least {
			table[i] = int64(expOnNegative(highMul(-int32(i)<<q.shift, int32(q.m)), integerBits))
		}
	}
	return k.function.list(ir.I32, table), nil
}

// softmax8 computes a row of 8 bit elements: a sum of powers with 12 integer bits, its reciprocal, and products with that.
func (k *kernel) softmax8(of, to, row *ir.Value, depth int64, table *ir.Value) *ir.Value {
	const sumBits = 12
	in, out := k.in[0], k.out[0]
	lowest, _ := limits(in.Type)
	most := k.reduceRow(of, row, depth, k.i32(lowest), func(acc, x *ir.Value) *ir.Value { return k.max(acc, k.wide(x, in, ir.I32)) })
	power := func(x *ir.Value) *ir.Value { return k.at(table, k.toIndex(k.sub(most, k.wide(x, in, ir.I32)))) }
	sum := k.reduceRow(of, row, depth, k.i32(0), func(acc, x *ir.Value) *ir.Value {
		return k.add(acc, k.roundingShift(power(x), sumBits))
	})
	headroom := k.math1(math.CountLeadingZeros, sum)
	factor := k.reciprocal(k.sub(k.shl(sum, headroom), k.i32(gomath.MinInt32)))
	by := k.sub(k.i32(sumBits+31-8*out.Type.Size()), headroom)
	low, high := limits(out.Type)
	return k.fillRow(to, row, depth, func(_, i *ir.Value) *ir.Value {
		x := k.roundingShiftBy(k.highMul(factor, power(k.at(of, row, i))), by)
		if low != 0 {
			x = k.add(x, k.i32(low))
		}
		return k.cast(k.clampInt(x, low, high), elementTypes[out.Type].(*ir.IntegerType), false)
	})
}

// reciprocal returns 1/(1+a) for 0 ≤ a < 1 without integer bits, as [halfReciprocal] does.
func (f *function) reciprocal(a *ir.Value) *ir.Value {
	half := f.cast(a, ir.I64, false)
	half = f.cast(f.op2(arith.DivSI, f.add(half, f.i64(1<<31)), f.i64(2)), ir.I32, false)
	x := f.add(f.i32(1515870810), f.highMul(half, f.i32(-1010580540)))
	for range 3 {
		rest := f.sub(f.i32(1<<29), f.highMul(half, x))
		x = f.add(x, f.saturatingShift(f.highMul(x, rest), 2))
	}
	return f.saturatingShift(x, 1)
}

// saturatingShift multiplies by a power of two, within the limits of the type.
func (f *function) saturatingShift(x *ir.Value, by int64) *ir.Value {
	wide := f.shl(f.cast(x, ir.I64, false), f.i64(by))
	return f.cast(f.clampInt(wide, gomath.MinInt32, gomath.MaxInt32), ir.I32, false)
}

// softmax16 returns what computes a row of 16 bit elements: powers from a table, the table of the reciprocal of their sum, and
// products of both.
func (k *kernel) softmax16(depth int64, beta float32) func(of, to, row *ir.Value) *ir.Value {
	exp := func(x float32) float32 { return float32(gomath.Exp(float64(x))) }
	powers := k.function.list(ir.I16, table16(exp, -10, 0, -1, 1))
	reciprocals := k.function.list(ir.I16, table16(func(x float32) float32 { return 1 / (1 + x) }, 0, 1, -1, 1))
	scaling := quantizeMultiplier(scale(k.in[0]) * float64(beta) / (10.0 / 65535.0))
	within := func(x *ir.Value) *ir.Value { return k.clampInt(x, gomath.MinInt16, gomath.MaxInt16) }
	return func(of, to, row *ir.Value) *ir.Value {
		wide := func(x *ir.Value) *ir.Value { return k.cast(x, ir.I32, false) }
		most := k.reduceRow(of, row, depth, k.i32(gomath.MinInt16), func(acc, x *ir.Value) *ir.Value { return k.max(acc, wide(x)) })
		filled := k.loop(k.index(0), k.index(depth), k.index(1), []*ir.Value{to, k.i32(0)}, func(i *ir.Value, c []*ir.Value) []*ir.Value {
			x := k.rescale(k.sub(wide(k.at(of, row, i)), most), scaling)
			e := k.interpolate(powers, within(k.add(x, k.i32(gomath.MaxInt16))))
			return []*ir.Value{tensor.NewInsert(k.b, k.cast(e, ir.I16, false), c[0], row, i), k.add(c[1], e)}
		})
		sum := filled[1]
		headroom := k.math1(math.CountLeadingZeros, sum)
		shifted := k.shl(k.cast(sum, ir.I64, true), k.cast(k.sub(headroom, k.i32(1)), ir.I64, true))
		shifted = k.cast(k.shr(k.add(shifted, k.i64(1<<13)), k.i64(14)), ir.I32, false)
		factor := k.interpolate(reciprocals, within(k.sub(shifted, k.i32(1<<15+1<<16))))
		by := k.cast(k.sub(k.i32(31), headroom), ir.I64, true)
		half := k.shl(k.i64(1), k.sub(by, k.i64(1)))
		return k.fillRow(filled[0], row, depth, func(to, i *ir.Value) *ir.Value {
			product := k.mul(k.cast(k.at(to, row, i), ir.I64, false), k.cast(factor, ir.I64, false))
			x := k.cast(k.shr(k.add(product, half), by), ir.I32, false)
			return k.cast(k.clampInt(x, 0, gomath.MaxInt16), ir.I16, false)
		})
	}
}
