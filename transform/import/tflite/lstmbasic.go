package tflite

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// basicLSTM is LSTM of the basic kind, in single precision: the gates are one product of the input and the last output, which are next to each other, with weights.
// Its outputs are the output, the cells, and what kernels use meanwhile.
func basicLSTM(k *kernel) error {
	// The gates are those for the input, the new values, forgetting, and the output.
	const input, lastOutput, weights, bias, lastCells = 0, 1, 2, 3, 4
	const in, candidate, forget, out = 0, 1, 2, 3
	if len(k.out) != 4 {
		return k.errorf("%s has %d outputs", k.code, len(k.out))
	}
	for _, t := range slices.Concat(k.in, k.out[:2]) {
		if t == nil || t.Type != model.Float32 {
			return k.unsupported()
		}
	}
	if len(k.in[input].Shape) != 2 || len(k.in[lastOutput].Shape) != 2 {
		return k.malformed()
	}
	batches, depth, units := k.in[input].Shape[0], k.in[input].Shape[1], k.in[lastOutput].Shape[1]
	state := []int64{batches, units}
	for _, t := range []*model.Tensor{k.in[lastOutput], k.in[lastCells], k.out[0], k.out[1]} {
		if !slices.Equal(t.Shape, state) {
			return k.malformed()
		}
	}
	if !slices.Equal(k.in[weights].Shape, []int64{4 * units, depth + units}) || !slices.Equal(k.in[bias].Shape, []int64{4 * units}) {
		return k.malformed()
	}
	values, err := k.inputs(input, weights, bias)
	if err != nil {
		return err
	}
	hidden, err := k.state(lastOutput)
	if err != nil {
		return err
	}
	cells, err := k.state(lastCells)
	if err != nil {
		return err
	}
	inits := []*ir.Value{k.empty(k.resultType(0)), k.empty(k.resultType(1))}
	zero, one := k.index(0), k.index(1)
	times := func(a, b *ir.Value) *ir.Value { return k.op2(arith.MulF, a, b) }
	done := k.loop(zero, k.index(batches), one, inits, func(batch *ir.Value, to []*ir.Value) []*ir.Value {
		to = k.loop(zero, k.index(units), one, to, func(unit *ir.Value, to []*ir.Value) []*ir.Value {
			var sums [4]*ir.Value
			for g := range sums {
				row := k.add(unit, k.index(int64(g)*units))
				product := func(acc, x, column *ir.Value) *ir.Value {
					return k.op2(arith.AddF, acc, times(x, k.at(values[1], row, column)))
				}
				sum := k.nest([]span{k.upTo(depth)}, k.f32(0), func(i []*ir.Value, acc *ir.Value) *ir.Value {
					return product(acc, k.at(values[0], batch, i[0]), i[0])
				})
				sum = k.nest([]span{k.upTo(units)}, sum, func(i []*ir.Value, acc *ir.Value) *ir.Value {
					return product(acc, memref.NewLoad(k.b, hidden, batch, i[0]), k.add(i[0], k.index(depth)))
				})
				sums[g] = k.op2(arith.AddF, sum, k.at(values[2], row))
			}
			old := memref.NewLoad(k.b, cells, batch, unit)
			cell := k.op2(arith.AddF, times(sigmoid(k, sums[in]), k.math1(math.Tanh, sums[candidate])), times(sigmoid(k, sums[forget]), old))
			memref.NewStore(k.b, cell, cells, batch, unit)
			y := times(sigmoid(k, sums[out]), k.math1(math.Tanh, cell))
			return []*ir.Value{tensor.NewInsert(k.b, y, to[0], batch, unit), tensor.NewInsert(k.b, cell, to[1], batch, unit)}
		})
		k.loop(zero, k.index(units), one, nil, func(unit *ir.Value, _ []*ir.Value) []*ir.Value {
			memref.NewStore(k.b, k.at(to[0], batch, unit), hidden, batch, unit)
			return nil
		})
		return to
	})
	k.result(0, done[0])
	k.result(1, done[1])
	return nil
}
