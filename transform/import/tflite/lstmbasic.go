package tflite

import (
	gomath "math"
	"slices"

	"freehold/dialect/math"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// The inputs of LSTM of the basic kind.
const basicInput, basicLastOutput, basicWeights, basicBias, basicLastCells = 0, 1, 2, 3, 4

// The gates of LSTM of the basic kind, in the order of their weights: for the input, the new values, forgetting, and the output.
const basicIn, basicCandidate, basicForget, basicOut = 0, 1, 2, 3

// basicCells is the arithmetic of LSTM of the basic kind.
type basicCells struct {
	// sum starts a sum with 0, product adds a product to one, and gate gives the value of a gate for its sum.
	sum     *ir.Value
	product func(acc, x, w *ir.Value) *ir.Value
	gate    func(gate int, sum, bias *ir.Value) *ir.Value
	// update returns the new state of a cell, and output the output for it, as they are in memory.
	update func(value [4]*ir.Value, old *ir.Value) *ir.Value
	output func(gate, cell *ir.Value) *ir.Value
}

// basicLSTM is LSTM of the basic kind: the gates are one product of the input and the last output, which are next to each other, with weights.
// Its outputs are the output, the cells, and what kernels use meanwhile.
func basicLSTM(k *kernel) error {
	if len(k.out) != 4 {
		return k.errorf("%s has %d outputs", k.code, len(k.out))
	}
	for i := range basicLastCells + 1 {
		if k.optional(i) == nil {
			return k.errorf("%s has no input %d", k.code, i)
		}
	}
	a, err := k.basicCells()
	if err != nil {
		return err
	}
	in := k.in
	if len(in[basicInput].Shape) != 2 || len(in[basicLastOutput].Shape) != 2 {
		return k.malformed()
	}
	batches, depth, units := in[basicInput].Shape[0], in[basicInput].Shape[1], in[basicLastOutput].Shape[1]
	state := []int64{batches, units}
	for _, t := range []*model.Tensor{in[basicLastOutput], in[basicLastCells], k.out[0], k.out[1]} {
		if !slices.Equal(t.Shape, state) {
			return k.malformed()
		}
	}
	if !slices.Equal(in[basicWeights].Shape, []int64{4 * units, depth + units}) || !slices.Equal(in[basicBias].Shape, []int64{4 * units}) {
		return k.malformed()
	}
	values, err := k.inputs(basicInput, basicWeights, basicBias)
	if err != nil {
		return err
	}
	hidden, err := k.state(basicLastOutput)
	if err != nil {
		return err
	}
	cells, err := k.state(basicLastCells)
	if err != nil {
		return err
	}
	inits := []*ir.Value{k.empty(k.resultType(0)), k.empty(k.resultType(1))}
	zero, one := k.index(0), k.index(1)
	done := k.loop(zero, k.index(batches), one, inits, func(batch *ir.Value, to []*ir.Value) []*ir.Value {
		to = k.loop(zero, k.index(units), one, to, func(unit *ir.Value, to []*ir.Value) []*ir.Value {
			var value [4]*ir.Value
			for g := range value {
				row := k.add(unit, k.index(int64(g)*units))
				sum := k.nest([]span{k.upTo(depth)}, a.sum, func(i []*ir.Value, acc *ir.Value) *ir.Value {
					return a.product(acc, k.at(values[0], batch, i[0]), k.at(values[1], row, i[0]))
				})
				sum = k.nest([]span{k.upTo(units)}, sum, func(i []*ir.Value, acc *ir.Value) *ir.Value {
					return a.product(acc, memref.NewLoad(k.b, hidden, batch, i[0]), k.at(values[1], row, k.add(i[0], k.index(depth))))
				})
				value[g] = a.gate(g, sum, k.at(values[2], row))
			}
			cell := a.update(value, memref.NewLoad(k.b, cells, batch, unit))
			memref.NewStore(k.b, cell, cells, batch, unit)
			y := a.output(value[basicOut], cell)
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

// basicCells returns the arithmetic for the types of the tensors.
func (k *kernel) basicCells() (*basicCells, error) {
	are := func(number, bias, cell model.Type) bool {
		return k.in[basicInput].Type == number && k.in[basicLastOutput].Type == number && k.in[basicWeights].Type == number && k.in[basicBias].Type == bias &&
			k.in[basicLastCells].Type == cell && k.out[0].Type == number && k.out[1].Type == cell
	}
	switch {
	case are(model.Float32, model.Float32, model.Float32):
		return k.basicFloat(), nil
	case are(model.Uint8, model.Int32, model.Int16):
		return k.basicInteger()
	}
	return nil, k.unsupported()
}

func (k *kernel) basicFloat() *basicCells {
	return &basicCells{
		sum:     k.f32(0),
		product: func(acc, x, w *ir.Value) *ir.Value { return k.fAdd(acc, k.fMul(x, w)) },
		gate: func(gate int, sum, bias *ir.Value) *ir.Value {
			sum = k.fAdd(sum, bias)
			if gate == basicCandidate {
				return k.math1(math.Tanh, sum)
			}
			return sigmoid(k, sum)
		},
		update: func(v [4]*ir.Value, old *ir.Value) *ir.Value {
			return k.fAdd(k.fMul(v[basicIn], v[basicCandidate]), k.fMul(v[basicForget], old))
		},
		output: func(gate, cell *ir.Value) *ir.Value { return k.fMul(gate, k.math1(math.Tanh, cell)) },
	}
}

// basicInteger is the arithmetic of unsigned numbers of 8 bits, of which 128 stands for 0 and 7 bits are behind the point, whatever their scales, with
// cells of 16 bits, 11 of them behind the point.
func (k *kernel) basicInteger() (*basicCells, error) {
	weights, bias, cells := k.in[basicWeights], k.in[basicBias], k.in[basicLastCells]
	if err := k.quantized(weights, cells, k.out[1]); err != nil {
		return nil, err
	}
	const integerBits, middle = 4, 128
	for _, t := range []*model.Tensor{cells, k.out[1]} {
		if exponent, ok := powerOfTwo(scale(t)); !ok || exponent != integerBits-15 {
			return nil, k.errorf("%s has a scale of its cells that its kernel doesn't take", k.code)
		}
	}
	if len(bias.Scale) != 1 || !(bias.Scale[0] > 0) {
		return nil, k.errorf("tensor %q of %s has no scale", bias.Name, k.code)
	}
	q := quantizeMultiplier(4096 * scale(bias))
	if err := k.representable(q); err != nil {
		return nil, err
	}
	wide := func(x *ir.Value) *ir.Value { return k.cast(x, ir.I32, false) }
	short := func(x *ir.Value) *ir.Value { return k.clampInt(x, gomath.MinInt16, gomath.MaxInt16) }
	return &basicCells{
		sum: k.i32(0),
		product: func(acc, x, w *ir.Value) *ir.Value {
			return k.add(acc, k.mul(k.sub(k.cast(x, ir.I32, true), k.i32(middle)), k.offset(w, weights, ir.I32)))
		},
		gate: func(gate int, sum, bias *ir.Value) *ir.Value {
			return k.shortSigmoid(short(k.rescale(k.add(sum, bias), q)), 3, gate == basicCandidate)
		},
		update: func(v [4]*ir.Value, old *ir.Value) *ir.Value {
			added := k.roundingShift(k.shortMul(v[basicIn], v[basicCandidate]), integerBits)
			return k.cast(short(k.add(added, k.shortMul(v[basicForget], wide(old)))), ir.I16, false)
		},
		output: func(gate, cell *ir.Value) *ir.Value {
			y := k.roundingShift(k.shortMul(gate, k.shortSigmoid(wide(cell), integerBits, true)), 8)
			return k.cast(k.add(k.clampInt(y, -middle, middle-1), k.i32(middle)), ir.I8, false)
		},
	}, nil
}
