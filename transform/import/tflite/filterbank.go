package tflite

import (
	"math"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// The operators in this file are those of TensorFlow Lite Micro's library of signals from energies to features: channels of a filter bank, their roots,
// less the noise, with their gain controlled, and their logarithms.

// filterBank is SignalFilterBank: sums of the energies of each channel, whose weights rise up to its middle and fall from there. The inputs behind the weights and what is
// missing of them to one say where the channels are; the first of them is only there for what falls from it.
func filterBank(k *kernel) error {
	energies, weights, out := k.in[0], k.in[1], k.out[0]
	if err := k.typed(model.Uint32, model.Int16, model.Int16, model.Int16, model.Int16, model.Int16, model.Uint64); err != nil {
		return err
	}
	if err := k.oneDimension(slices.Concat(k.in, k.out)...); err != nil {
		return err
	}
	n := out.Shape[0]
	if _, err := k.whole("num_channels", n, n); err != nil {
		return err
	}
	var places [3][]int64 // of frequencies, of weights, and how many
	for i := range places {
		list, err := k.constants(3 + i)
		if err != nil {
			return err
		}
		if int64(len(list)) != n+1 {
			return k.malformed()
		}
		places[i] = list
	}
	for i, count := range places[2] {
		if count > 0 && (min(places[0][i], places[1][i]) < 0 || places[0][i]+count > energies.Shape[0] ||
			places[1][i]+count > min(weights.Shape[0], k.in[2].Shape[0])) {
			return k.malformed()
		}
	}
	values, err := k.inputs(0, 1, 2)
	if err != nil {
		return err
	}
	var tables [3]*ir.Value
	for i, list := range places {
		tables[i] = k.list(ir.I32, list)
	}
	// sum adds the products of a channel with weights to a sum.
	sum := func(acc, channel, weights *ir.Value) *ir.Value {
		from, weight := k.toIndex(k.at(tables[0], channel)), k.toIndex(k.at(tables[1], channel))
		count := span{k.index(0), k.toIndex(k.at(tables[2], channel))}
		return k.nest([]span{count}, acc, func(i []*ir.Value, acc *ir.Value) *ir.Value {
			x := k.cast(k.at(values[0], k.add(from, i[0])), ir.I64, true)
			return k.add(acc, k.mul(k.cast(k.at(weights, k.add(weight, i[0])), ir.I64, false), x))
		})
	}
	k.computed(func(at []*ir.Value) *ir.Value {
		return sum(sum(k.i64(0), at[0], values[2]), k.add(at[0], k.index(1)), values[1])
	})
	return nil
}

// filterBankRoot is SignalFilterBankSquareRoot: the roots of the channels, without the bits by which the samples were scaled.
func filterBankRoot(k *kernel) error {
	if err := k.typed(model.Uint64, model.Int32, model.Uint32); err != nil {
		return err
	}
	if len(k.in[0].Shape) != 1 || ir.ElementCount(k.in[1].Shape) != 1 || !slices.Equal(k.in[0].Shape, k.out[0].Shape) {
		return k.malformed()
	}
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	scale := k.op2(arith.AndI, k.at(k.reshape(values[1], nil)), k.i32(31))
	return k.pointwise(values[:1], func(e []*ir.Value) *ir.Value {
		return k.op2(arith.ShRUI, k.root(e[0]), scale)
	})
}

// root returns the root of 64 bits without a sign as 32 bits, to the nearest; that of 32 bits is at most the largest number of 16. It is
// computed bit by bit.
func (k *kernel) root(x *ir.Value) *ir.Value {
	one := k.i64(1)
	inits := []*ir.Value{x, k.i64(0), k.i64(1 << 62)}
	c := k.loop(k.index(0), k.index(32), k.index(1), inits, func(_ *ir.Value, c []*ir.Value) []*ir.Value {
		rest, root, bit := c[0], c[1], c[2]
		next, half := k.add(root, bit), k.op2(arith.ShRUI, root, one)
		fits := k.cmp(arith.UGE, rest, next)
		return []*ir.Value{k.pick(fits, k.sub(rest, next), rest), k.pick(fits, k.add(half, bit), half), k.op2(arith.ShRUI, bit, k.i64(2))}
	})
	limit := k.pick(k.cmp(arith.ULE, x, k.i64(math.MaxUint32)), k.i64(math.MaxUint16), k.i64(math.MaxUint32))
	up := k.op2(arith.AndI, k.cmp(arith.UGT, c[0], c[1]), k.cmp(arith.NE, c[1], limit))
	return k.cast(k.add(c[1], k.cast(up, ir.I64, true)), ir.I32, false)
}

// spectralSubtraction is SignalFilterBankSpectralSubtraction: the channels less an estimate of the noise, but not less than a part of them, and the
// estimate. It moves towards the channels, by other steps for odd ones, and stays from one execution to the next.
func spectralSubtraction(k *kernel) error {
	in, noise := k.in[0], k.out[1]
	if err := k.typed(model.Uint32, model.Uint32, model.Uint32); err != nil {
		return err
	}
	if len(in.Shape) != 1 || !slices.Equal(in.Shape, k.out[0].Shape) || !slices.Equal(in.Shape, noise.Shape) {
		return k.malformed()
	}
	n := in.Shape[0]
	if _, err := k.whole("num_channels", n, n); err != nil {
		return err
	}
	var option [8]int64
	for i, o := range []struct {
		name string
		high int64
	}{{"smoothing", math.MaxUint32}, {"one_minus_smoothing", math.MaxUint32}, {"alternate_smoothing", math.MaxUint32}, {"alternate_one_minus_smoothing", math.MaxUint32},
		{"min_signal_remaining", math.MaxUint32}, {"smoothing_bits", 31}, {"spectral_subtraction_bits", 63}, {"clamping", 1}} {
		x, err := k.whole(o.name, 0, o.high)
		if err != nil {
			return err
		}
		option[i] = x
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	estimates, err := k.variable(variableKey{subgraph: k.name, tensor: k.op.Outputs[1], shared: k.code}, "noise", noise)
	if err != nil {
		return err
	}
	long := func(x *ir.Value) *ir.Value { return k.cast(x, ir.I64, true) }
	bits, fraction := k.i32(option[5]), k.i64(option[6])
	inits := []*ir.Value{k.empty(k.resultType(0)), k.empty(k.resultType(1))}
	c := k.loop(k.index(0), k.index(n), k.index(1), inits, func(i *ir.Value, to []*ir.Value) []*ir.Value {
		even := k.cmp(arith.EQ, k.op2(arith.AndI, i, k.index(1)), k.index(0))
		step, kept := k.pick(even, k.i64(option[0]), k.i64(option[2])), k.pick(even, k.i64(option[1]), k.i64(option[3]))
		x := k.at(v, i)
		scaled := k.shl(x, bits)
		estimate := k.add(k.mul(long(scaled), step), k.mul(long(memref.NewLoad(k.b, estimates, i)), kept))
		estimate = k.cast(k.op2(arith.ShRUI, estimate, fraction), ir.I32, false)
		taken := k.op2(arith.MinUI, estimate, scaled)
		if option[7] != 0 {
			estimate = taken
		}
		memref.NewStore(k.b, estimate, estimates, i)
		least := k.cast(k.op2(arith.ShRUI, k.mul(long(x), k.i64(option[4])), fraction), ir.I32, false)
		result := k.op2(arith.MaxUI, k.op2(arith.ShRUI, k.sub(scaled, taken), bits), least)
		return []*ir.Value{tensor.NewInsert(k.b, result, to[0], i), tensor.NewInsert(k.b, estimate, to[1], i)}
	})
	k.result(0, c[0])
	k.result(1, c[1])
	return nil
}

// Fractions of the numbers that the gain control computes with, and how long its table is: two elements, and four for each number of bits.
const (
	ratioBits, gainOutputBits = 12, 6
	gainTable                 = 4*32 - 3
)

// gainControl is SignalPCAN: the channels times a gain that depends on their noise, by a table, and shrunk: squares of small numbers, and larger ones less 1.
func gainControl(k *kernel) error {
	in, noise, table, out := k.in[0], k.in[1], k.in[2], k.out[0]
	if err := k.typed(model.Uint32, model.Uint32, model.Int16, model.Uint32); err != nil {
		return err
	}
	if len(in.Shape) != 1 || !slices.Equal(in.Shape, noise.Shape) || !slices.Equal(in.Shape, out.Shape) || len(table.Shape) != 1 || table.Shape[0] < gainTable {
		return k.malformed()
	}
	shift, err := k.whole("snr_shift", 0, 63)
	if err != nil {
		return err
	}
	values, err := k.inputs(0, 1, 2)
	if err != nil {
		return err
	}
	return k.pointwise(values[:2], func(e []*ir.Value) *ir.Value {
		gain := k.cast(k.gain(values[2], e[1]), ir.I64, true)
		product := k.mul(k.cast(e[0], ir.I64, true), gain)
		x := k.cast(k.op2(arith.ShRUI, product, k.i64(shift)), ir.I32, false)
		square := k.op2(arith.ShRUI, k.mul(x, x), k.i32(2+2*ratioBits-gainOutputBits))
		less := k.sub(k.op2(arith.ShRUI, x, k.i32(ratioBits-gainOutputBits)), k.i32(1<<gainOutputBits))
		return k.pick(k.cmp(arith.ULT, x, k.i32(2<<ratioBits)), square, less)
	})
}

// gain returns the gain for a noise: up to 2 the element of the table, and from there on the polynomial, of degree 2, that the table has for numbers of so many bits.
func (k *kernel) gain(table, noise *ir.Value) *ir.Value {
	few := k.cmp(arith.ULE, noise, k.i32(2))
	bits := k.significant(noise)
	start := k.toIndex(k.pick(few, noise, k.sub(k.mul(bits, k.i32(4)), k.i32(6))))
	coefficient := func(i int64) *ir.Value { return k.cast(k.at(table, k.add(start, k.index(i))), ir.I32, false) }
	// The ten bits below the highest one.
	fraction := k.shl(noise, k.max(k.sub(k.i32(11), bits), k.i32(0)))
	fraction = k.op2(arith.ShRUI, fraction, k.max(k.sub(bits, k.i32(11)), k.i32(0)))
	fraction = k.op2(arith.AndI, fraction, k.i32(1<<10-1))
	x := k.add(k.shr(k.mul(coefficient(2), fraction), k.i32(5)), k.shl(coefficient(1), k.i32(5)))
	x = k.shr(k.add(k.mul(x, fraction), k.i32(1<<14)), k.i32(15))
	short := k.cast(k.cast(k.add(x, coefficient(0)), ir.I16, false), ir.I32, false)
	return k.pick(few, coefficient(0), short)
}

// What the logarithm is computed with: fractions of 16 bits, and a table of 128 segments.
const logBits, logSegmentBits = 16, 7

// filterBankLog is SignalFilterBankLog: the natural logarithms of the channels, which are scaled by a power of two before and by a factor behind.
func filterBankLog(k *kernel) error {
	if err := k.typed(model.Uint32, model.Int16); err != nil {
		return err
	}
	if len(k.in[0].Shape) != 1 || !slices.Equal(k.in[0].Shape, k.out[0].Shape) {
		return k.malformed()
	}
	shift, err := k.whole("input_correction_bits", 0, 31)
	if err != nil {
		return err
	}
	scale, err := k.whole("output_scale", 0, math.MaxInt32)
	if err != nil {
		return err
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	table := k.list(ir.I32, logTable())
	return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
		x := k.shl(e[0], k.i32(shift))
		log := k.op2(arith.MinUI, k.naturalLog(table, k.op2(arith.MaxUI, x, k.i32(1)), scale), k.i32(math.MaxInt16))
		return k.cast(k.pick(k.cmp(arith.UGT, x, k.i32(1)), log, k.i32(0)), ir.I16, false)
	})
}

// logTable is how far log2(1+x) is above x, at the ends of the segments between 0 and 1.
func logTable() []int64 {
	out := make([]int64, 1<<logSegmentBits+1)
	for i := range out {
		x := float64(i) / (1 << logSegmentBits)
		out[i] = int64(math.Round((math.Log2(1+x) - x) * (1 << logBits)))
	}
	return out
}

// naturalLog returns the logarithm of 32 bits without a sign, at least 1, times a number.
func (k *kernel) naturalLog(table, x *ir.Value, times int64) *ir.Value {
	const segment = 1 << (logBits - logSegmentBits)
	half := k.i32(1 << (logBits - 1))
	exponent := k.sub(k.significant(x), k.i32(1))
	fraction := k.sub(x, k.shl(k.i32(1), exponent))
	fraction = k.shl(fraction, k.max(k.sub(k.i32(logBits), exponent), k.i32(0)))
	fraction = k.op2(arith.ShRUI, fraction, k.max(k.sub(exponent, k.i32(logBits)), k.i32(0)))
	place := k.shr(fraction, k.i32(logBits-logSegmentBits))
	first := k.at(table, k.toIndex(place))
	rise := k.sub(k.at(table, k.toIndex(k.add(place, k.i32(1)))), first)
	within := k.shr(k.mul(rise, k.sub(fraction, k.mul(place, k.i32(segment)))), k.i32(logBits))
	log2 := k.add(k.shl(exponent, k.i32(logBits)), k.add(fraction, k.add(first, within)))
	natural := k.mul(k.cast(log2, ir.I64, true), k.i64(int64(math.Round(math.Ln2*(1<<logBits)))))
	natural = k.op2(arith.ShRUI, k.add(natural, k.cast(half, ir.I64, true)), k.i64(logBits))
	scaled := k.add(k.mul(k.cast(natural, ir.I32, false), k.i32(times)), half)
	return k.op2(arith.ShRUI, scaled, k.i32(logBits))
}
