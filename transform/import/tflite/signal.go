package tflite

import (
	"math"
	"slices"

	"freehold/dialect/arith"
	mathops "freehold/dialect/math"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// The operators in this file are those of TensorFlow Lite Micro's library of signals, from samples to energies: windows, scaling, and what a spectrum
// holds. They compute with integers throughout.

// typed checks the types of the inputs and, behind them, of the outputs.
func (k *kernel) typed(types ...model.Type) error {
	for i, t := range slices.Concat(k.in, k.out) {
		if t.Type != types[i] {
			return k.unsupported()
		}
	}
	return nil
}

// oneDimension checks that some tensors have one dimension.
func (k *kernel) oneDimension(tensors ...*model.Tensor) error {
	for _, t := range tensors {
		if len(t.Shape) != 1 {
			return k.malformed()
		}
	}
	return nil
}

// signalWindow is SignalWindow: samples times the weights of a window, which is as long as the samples or repeats, and less the bits of the weights'
// fractions.
func signalWindow(k *kernel) error {
	in, weights, out := k.in[0], k.in[1], k.out[0]
	if err := k.typed(model.Int16, model.Int16, model.Int16); err != nil {
		return err
	}
	n := ir.ElementCount(in.Shape)
	if len(in.Shape) == 0 || !slices.Equal(in.Shape, out.Shape) || len(weights.Shape) != 1 || weights.Shape[0] == 0 || n%weights.Shape[0] != 0 {
		return k.malformed()
	}
	shift, err := k.whole("shift", 0, 31)
	if err != nil {
		return err
	}
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	rows := []int64{n / weights.Shape[0], weights.Shape[0]}
	v, err := k.mapped(k.ctx.RankedTensor(rows, ir.I16), []*ir.Value{k.reshape(values[0], rows), values[1]}, func(e []*ir.Value) *ir.Value {
		product := k.mul(k.cast(e[0], ir.I32, false), k.cast(e[1], ir.I32, false))
		return k.cast(k.clampInt(k.shr(product, k.i32(shift)), math.MinInt16, math.MaxInt16), ir.I16, false)
	})
	if err == nil {
		k.result(0, k.reshape(v, out.Shape))
	}
	return err
}

// significant returns the place of the highest bit of a number without a sign that is set, counted from 1; 0 for 0.
func (k *kernel) significant(x *ir.Value) *ir.Value {
	width := x.Type().(*ir.IntegerType).Width
	return k.sub(k.int(x.Type(), int64(width)), k.math1(mathops.CountLeadingZeros, x))
}

// signalAutoScale is SignalFftAutoScale: samples times the largest power of two with which they fit 16 bits, and its exponent.
func signalAutoScale(k *kernel) error {
	in, out := k.in[0], k.out[0]
	if err := k.typed(model.Int16, model.Int16, model.Int32); err != nil {
		return err
	}
	if len(in.Shape) != 1 || !slices.Equal(in.Shape, out.Shape) || len(k.out[1].Shape) != 0 {
		return k.malformed()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	// The largest amount has 16 bits, in which that of the least number is the least number; the next one is larger.
	largest := k.nest([]span{k.upTo(in.Shape[0])}, k.i32(0), func(i []*ir.Value, largest *ir.Value) *ir.Value {
		x := k.cast(k.at(v, i[0]), ir.I32, false)
		negated := k.sub(k.i32(0), x)
		wrapped := k.cast(k.cast(negated, ir.I16, false), ir.I32, false)
		other := k.pick(k.cmp(arith.SGT, negated, largest), wrapped, largest)
		return k.pick(k.cmp(arith.SGT, x, largest), x, other)
	})
	// 0 has no highest bit, which counts as the last one.
	bits := k.pick(k.cmp(arith.EQ, largest, k.i32(0)), k.i32(32), k.significant(largest))
	scale := k.max(k.sub(k.i32(15), bits), k.i32(0))
	k.result(1, k.generic(k.resultType(1), nil, nil, func([]*ir.Value) *ir.Value { return scale }))
	return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
		return k.cast(k.shl(k.cast(e[0], ir.I32, false), scale), ir.I16, false)
	})
}

// signalEnergy is SignalEnergy: the squares of the amounts of complex numbers, which are pairs. Outside of a range nothing is computed, which is 0 here.
func signalEnergy(k *kernel) error {
	in, out := k.in[0], k.out[0]
	if err := k.typed(model.Int16, model.Uint32); err != nil {
		return err
	}
	if err := k.oneDimension(in, out); err != nil {
		return err
	}
	if in.Shape[0] != 2*out.Shape[0] {
		return k.malformed()
	}
	low, err := k.whole("start_index", 0, out.Shape[0])
	if err != nil {
		return err
	}
	high, err := k.whole("end_index", low, out.Shape[0])
	if err != nil {
		return err
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	k.computed(func(at []*ir.Value) *ir.Value {
		square := func(part int64) *ir.Value {
			x := k.cast(k.at(v, k.add(k.mul(at[0], k.index(2)), k.index(part))), ir.I32, false)
			return k.mul(x, x)
		}
		inside := k.op2(arith.AndI, k.cmp(arith.UGE, at[0], k.index(low)), k.cmp(arith.ULT, at[0], k.index(high)))
		return k.pick(inside, k.add(square(0), square(1)), k.i32(0))
	})
	return nil
}
