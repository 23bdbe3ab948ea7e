package tflite

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// svdf is SVDF: each filter computes a number of the input, and remembers the last few, which are weighted, added for the filters of a
// unit, and become an element of the output.
type svdf struct {
	*kernel
	batches, filters, depth, units, rank, memory int64

	input, features, weights, bias, state *ir.Value
	// feature makes a number of the memory of the sum for a filter, weigh multiplies one by a weight, finish makes an element of the output.
	sum     func(acc, x, w *ir.Value) *ir.Value
	feature func(acc *ir.Value) *ir.Value
	// begin, where it isn't nil, prepares the sums for a batch.
	begin  func(batch *ir.Value)
	weigh  func(acc, w, x *ir.Value) *ir.Value
	add    func(a, b *ir.Value) *ir.Value
	finish func(acc *ir.Value) *ir.Value
	zero   *ir.Value
	// sumZero is what sums of features start with.
	sumZero *ir.Value
}

func buildSVDF(k *kernel) error {
	const rank, activation = 0, 1
	in, features, weights, state, out := k.in[0], k.in[1], k.in[2], k.optional(4), k.out[0]
	s := &svdf{kernel: k, rank: int64(k.op.Options.Int(rank))}
	if state == nil || len(in.Shape) != 2 || len(features.Shape) != 2 || len(weights.Shape) != 2 || len(out.Shape) != 2 || s.rank < 1 {
		return k.malformed()
	}
	s.batches, s.depth, s.filters, s.memory, s.units = in.Shape[0], in.Shape[1], features.Shape[0], weights.Shape[1], out.Shape[1]
	if features.Shape[1] != s.depth || weights.Shape[0] != s.filters || out.Shape[0] != s.batches || s.memory < 1 ||
		s.units*s.rank != s.filters || !slices.Equal(state.Shape, []int64{s.batches, s.memory * s.filters}) ||
		k.optional(3) != nil && !slices.Equal(k.in[3].Shape, []int64{s.units}) {
		return k.malformed()
	}
	var err error
	switch {
	case isHybrid(in, features):
		return s.hybrid(model.Activation(k.op.Options.Enum(activation)))
	case in.Type == model.Float32:
		err = s.float(model.Activation(k.op.Options.Enum(activation)))
	default:
		err = s.quantizedTo()
	}
	if err != nil {
		return err
	}
	return s.read()
}

// read reads the inputs, and writes the program.
func (s *svdf) read() error {
	values, err := s.inputs(0, 1, 2)
	if err != nil {
		return err
	}
	if s.input == nil {
		s.input = values[0]
	}
	k := s.kernel
	s.features, s.weights = values[1], values[2]
	if k.optional(3) != nil {
		if s.bias, err = k.value(3); err != nil {
			return err
		}
	}
	if s.state, err = k.state(4); err != nil {
		return err
	}
	s.build()
	return nil
}

func (s *svdf) float(a model.Activation) error {
	for i, t := range s.in {
		if t != nil && t.Type != model.Float32 || i == 0 && s.out[0].Type != model.Float32 {
			return s.unsupported()
		}
	}
	activate, err := s.activationFloat(a)
	if err != nil {
		return err
	}
	plus := func(a, b *ir.Value) *ir.Value { return s.op2(arith.AddF, a, b) }
	times := func(acc, x, w *ir.Value) *ir.Value { return plus(acc, s.op2(arith.MulF, x, w)) }
	s.zero, s.sum, s.weigh, s.add, s.finish = s.f32(0), times, times, plus, activate
	s.sumZero = s.zero
	s.feature = func(acc *ir.Value) *ir.Value { return acc }
	return nil
}

// hybrid is for weights of 8 bits, with inputs and a memory in single precision.
func (s *svdf) hybrid(a model.Activation) error {
	const asymmetric = 2
	for i, t := range s.in {
		if weight := i == 1 || i == 2; t != nil && (weight && !isHybrid(s.in[0], t) || !weight && t.Type != model.Float32) {
			return s.unsupported()
		}
	}
	if s.out[0].Type != model.Float32 || ir.ElementCount(s.in[0].Shape) == 0 {
		return s.unsupported()
	}
	if err := s.kernel.quantized(s.in[1], s.in[2]); err != nil {
		return err
	}
	activate, err := s.activationFloat(a)
	if err != nil {
		return err
	}
	v, err := s.value(0)
	if err != nil {
		return err
	}
	q := s.quantizeBatches(v, s.op.Options.Flag(asymmetric))
	var scale, point *ir.Value // of the batch that is computed
	s.begin = func(batch *ir.Value) { scale, point = s.parametersOf(q, batch) }
	s.input, s.sumZero, s.sum = q.numbers, s.i32(0), s.hybridProduct(&point)
	number := func(x *ir.Value) *ir.Value { return arith.NewCast(s.b, arith.SIToFP, ir.F32, x) }
	times := func(a, b *ir.Value) *ir.Value { return s.op2(arith.MulF, a, b) }
	s.feature = func(acc *ir.Value) *ir.Value {
		return times(number(acc), times(scale, s.f32(s.in[1].Scale[0])))
	}
	s.add = func(a, b *ir.Value) *ir.Value { return s.op2(arith.AddF, a, b) }
	s.weigh = func(acc, x, w *ir.Value) *ir.Value {
		return s.add(acc, times(x, times(number(w), s.f32(s.in[2].Scale[0]))))
	}
	s.zero, s.finish = s.f32(0), activate
	return s.read()
}

func (s *svdf) quantizedTo() error {
	in, features, weights, state, out := s.in[0], s.in[1], s.in[2], s.in[4], s.out[0]
	if in.Type != model.Int8 || features.Type != model.Int8 || out.Type != model.Int8 || weights.Type != state.Type ||
		state.Type != model.Int8 && state.Type != model.Int16 || s.in[3] != nil && s.in[3].Type != model.Int32 {
		return s.unsupported()
	}
	if err := s.kernel.quantized(in, features, weights, state, out); err != nil {
		return err
	}
	low, high := limits(state.Type)
	outLow, outHigh := limits(out.Type)
	first := quantizeMultiplier(float64(in.Scale[0] * features.Scale[0] / state.Scale[0]))
	second := quantizeMultiplier(float64(state.Scale[0] * weights.Scale[0] / out.Scale[0]))
	if err := s.representable(first); err != nil {
		return err
	}
	if err := s.representable(second); err != nil {
		return err
	}
	s.zero, s.sumZero, s.add = s.i32(0), s.i32(0), s.function.add
	s.sum = func(acc, x, w *ir.Value) *ir.Value {
		return s.function.add(acc, s.mul(s.wide(w, features, ir.I32), s.offset(x, in, ir.I32)))
	}
	s.feature = func(acc *ir.Value) *ir.Value { return s.store(s.rescale(acc, first), state, low, high) }
	s.weigh = func(acc, x, w *ir.Value) *ir.Value {
		return s.function.add(acc, s.mul(s.wide(w, weights, ir.I32), s.offset(x, state, ir.I32)))
	}
	s.finish = func(acc *ir.Value) *ir.Value { return s.store(s.rescale(acc, second), out, outLow, outHigh) }
	return nil
}

// build computes the filters, moves the memory on, in place, and computes the output.
func (s *svdf) build() {
	elem := elementTypes[s.in[4].Type]
	now := s.generic(s.ctx.RankedTensor([]int64{s.batches, s.filters}, elem), nil, nil, func([]*ir.Value) *ir.Value {
		at := s.indices(2)
		if s.begin != nil {
			s.begin(at[0])
		}
		return s.feature(s.nest([]span{s.upTo(s.depth)}, s.sumZero, func(i []*ir.Value, acc *ir.Value) *ir.Value {
			return s.sum(acc, s.at(s.input, at[0], i[0]), s.at(s.features, at[1], i[0]))
		}))
	})
	one := s.index(1)
	place := func(filter, step *ir.Value) *ir.Value { return s.function.add(s.mul(filter, s.index(s.memory)), step) }
	s.loop(s.index(0), s.index(s.batches), one, nil, func(b *ir.Value, _ []*ir.Value) []*ir.Value {
		s.loop(s.index(0), s.index(s.filters), one, nil, func(filter *ir.Value, _ []*ir.Value) []*ir.Value {
			s.loop(s.index(0), s.index(s.memory-1), one, nil, func(step *ir.Value, _ []*ir.Value) []*ir.Value {
				at := place(filter, step)
				memref.NewStore(s.b, memref.NewLoad(s.b, s.state, b, s.function.add(at, one)), s.state, b, at)
				return nil
			})
			memref.NewStore(s.b, s.at(now, b, filter), s.state, b, place(filter, s.index(s.memory-1)))
			return nil
		})
		return nil
	})
	spans := []span{s.upTo(s.batches), s.upTo(s.units)}
	s.result(0, s.nest(spans, s.empty(s.resultType(0)), func(at []*ir.Value, to *ir.Value) *ir.Value {
		acc := s.zero
		if s.bias != nil {
			acc = s.function.at(s.bias, at[1])
		}
		acc = s.nest([]span{s.upTo(s.rank)}, acc, func(i []*ir.Value, acc *ir.Value) *ir.Value {
			filter := s.function.add(s.mul(at[1], s.index(s.rank)), i[0])
			return s.add(acc, s.nest([]span{s.upTo(s.memory)}, s.zero, func(step []*ir.Value, acc *ir.Value) *ir.Value {
				return s.weigh(acc, memref.NewLoad(s.b, s.state, at[0], place(filter, step[0])), s.at(s.weights, filter, step[0]))
			}))
		})
		return tensor.NewInsert(s.b, s.finish(acc), to, at[0], at[1])
	}))
}
