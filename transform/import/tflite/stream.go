package tflite

import (
	gomath "math"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// The operators in this file are custom ones of TensorFlow Lite Micro that cut a stream of sound into frames, and put frames together. They keep what they
// need of earlier executions.

// kept is a buffer of an operator that keeps its contents between executions, and starts with zeros.
func (k *kernel) kept(name string, t model.Type, shape ...int64) (*ir.Value, error) {
	key := variableKey{subgraph: k.name, tensor: k.op.Outputs[0], shared: name}
	return k.variable(key, name, &model.Tensor{Type: t, Shape: shape})
}

// streamRows returns input 0, whose last dimensions are those of a frame, as rows of samples, if its type and that of the output are ones of a list.
func (k *kernel) streamRows(frame int, types ...model.Type) (v *ir.Value, rows int64, err error) {
	in := k.in[0]
	if in.Type != k.out[0].Type || !slices.Contains(types, in.Type) {
		return nil, 0, k.unsupported()
	}
	n := len(in.Shape) - frame
	if n < 0 || ir.ElementCount(in.Shape) == 0 {
		return nil, 0, k.malformed()
	}
	rows = ir.ElementCount(in.Shape[:n])
	if v, err = k.value(0); err != nil {
		return nil, 0, err
	}
	return k.reshape(v, []int64{rows, ir.ElementCount(in.Shape[n:])}), rows, nil
}

// history reads samples that came before those of input 0, and these behind them.
type history struct {
	*kernel
	samples, state *ir.Value
	// length is how many samples each row of the state has, and size how many the input has.
	length, size int64
}

// at reads sample i of a row.
func (h history) at(row, i *ir.Value) *ir.Value {
	if h.length == 0 {
		return h.kernel.at(h.samples, row, i)
	}
	zero := h.index(0)
	old := memref.NewLoad(h.b, h.state, row, h.min(i, h.index(h.length-1)))
	place := h.min(h.max(h.sub(i, h.index(h.length)), zero), h.index(h.size-1))
	return h.pick(h.cmp(arith.SLT, i, h.index(h.length)), old, h.kernel.at(h.samples, row, place))
}

// keep remembers the last samples.
func (h history) keep(rows int64) {
	if h.length == 0 {
		return
	}
	zero, one := h.index(0), h.index(1)
	h.loop(zero, h.index(rows), one, nil, func(row *ir.Value, _ []*ir.Value) []*ir.Value {
		h.loop(zero, h.index(h.length), one, nil, func(i *ir.Value, _ []*ir.Value) []*ir.Value {
			memref.NewStore(h.b, h.at(row, h.add(i, h.index(h.size))), h.state, row, i)
			return nil
		})
		return nil
	})
}

// history returns what reads samples behind so many that are kept.
func (k *kernel) history(samples *ir.Value, rows, length int64) (history, error) {
	h := history{kernel: k, samples: samples, length: length, size: samples.Type().(*ir.RankedTensorType).Shape[1]}
	if length == 0 {
		return h, nil
	}
	var err error
	h.state, err = k.kept("samples", k.in[0].Type, rows, length)
	return h, err
}

// longestStream is how many samples an operator may keep.
const longestStream = 1 << 20

// signalDelay is SignalDelay: the samples that came some samples ago.
func signalDelay(k *kernel) error {
	length, err := k.whole("delay_length", 0, longestStream)
	if err != nil {
		return err
	}
	v, rows, err := k.streamRows(1, model.Int16)
	if err != nil {
		return err
	}
	if !slices.Equal(k.in[0].Shape, k.out[0].Shape) {
		return k.malformed()
	}
	h, err := k.history(v, rows, length)
	if err != nil {
		return err
	}
	t := v.Type().(*ir.RankedTensorType)
	out := k.nest([]span{k.upTo(rows), k.upTo(t.Shape[1])}, k.empty(t), func(at []*ir.Value, to *ir.Value) *ir.Value {
		return tensor.NewInsert(k.b, h.at(at[0], at[1]), to, at...)
	})
	h.keep(rows)
	k.result(0, k.reshape(out, k.out[0].Shape))
	return nil
}

// flag makes output i, a truth value.
func (k *kernel) flag(i int, x *ir.Value) {
	k.result(i, k.generic(k.resultType(i), nil, nil, func([]*ir.Value) *ir.Value { return x }))
}

// signalFramer is SignalFramer: frames, which begin some samples apart and may overlap, and whether all of their samples came. Without them having come,
// samples are 0.
func signalFramer(k *kernel) error {
	size, err := k.whole("frame_size", 1, longestStream)
	if err != nil {
		return err
	}
	step, err := k.whole("frame_step", 1, size)
	if err != nil {
		return err
	}
	prefill, err := k.whole("prefill", 0, 1)
	if err != nil {
		return err
	}
	v, rows, err := k.streamRows(1, model.Int16)
	if err != nil {
		return err
	}
	in, out, valid := k.in[0].Shape, k.out[0].Shape, k.out[1]
	frames := in[len(in)-1] / step
	if in[len(in)-1]%step != 0 || !slices.Equal(out, append(slices.Clone(in[:len(in)-1]), frames, size)) || valid.Type != model.Bool || ir.ElementCount(valid.Shape) != 1 {
		return k.malformed()
	}
	// Zeros stand in front of the first samples, or a frame is made when its last step has come.
	before, missing := size-step, int64(0)
	if prefill == 0 {
		missing = (size+step-1)/step - 1
		before = missing * step
	}
	h, err := k.history(v, rows, before)
	if err != nil {
		return err
	}
	t := k.ctx.RankedTensor([]int64{rows, frames, size}, ir.I16)
	result := k.nest([]span{k.upTo(rows), k.upTo(frames), k.upTo(size)}, k.empty(t), func(at []*ir.Value, to *ir.Value) *ir.Value {
		return tensor.NewInsert(k.b, h.at(at[0], k.add(k.mul(at[1], k.index(step)), at[2])), to, at...)
	})
	complete := k.int(ir.I1, 1)
	if missing > 0 {
		came, err := k.kept("steps", model.Int32)
		if err != nil {
			return err
		}
		n := memref.NewLoad(k.b, came)
		complete = k.cmp(arith.SGE, n, k.i32(missing))
		memref.NewStore(k.b, k.min(k.add(n, k.i32(frames)), k.i32(missing)), came)
	}
	h.keep(rows)
	k.result(0, k.reshape(result, out))
	k.flag(1, complete)
	return nil
}

// signalOverlapAdd is SignalOverlapAdd: frames are added up where they overlap.
func signalOverlapAdd(k *kernel) error {
	v, rows, err := k.streamRows(2, model.Float32, model.Int16)
	if err != nil {
		return err
	}
	in, out := k.in[0].Shape, k.out[0].Shape
	n := len(in)
	frames, size := in[n-2], in[n-1]
	step, err := k.whole("frame_step", 1, size)
	if err != nil {
		return err
	}
	if !slices.Equal(out, append(slices.Clone(in[:n-2]), frames*step)) {
		return k.malformed()
	}
	sums, err := k.kept("sums", k.in[0].Type, rows, size)
	if err != nil {
		return err
	}
	zero, one := k.index(0), k.index(1)
	elem := elementTypes[k.in[0].Type]
	nothing, plus := k.f32(0), func(a, b *ir.Value) *ir.Value { return k.op2(arith.AddF, a, b) }
	if elem == ir.Type(ir.I16) {
		nothing = k.int(ir.I16, 0)
		plus = func(a, b *ir.Value) *ir.Value {
			sum := k.add(k.cast(a, ir.I32, false), k.cast(b, ir.I32, false))
			return k.cast(k.clampInt(sum, gomath.MinInt16, gomath.MaxInt16), ir.I16, false)
		}
	}
	each := func(low, high int64, body func(i *ir.Value)) {
		k.loop(k.index(low), k.index(high), one, nil, func(i *ir.Value, _ []*ir.Value) []*ir.Value {
			body(i)
			return nil
		})
	}
	t := k.ctx.RankedTensor([]int64{rows, frames * step}, elem)
	result := k.nest([]span{k.upTo(rows), k.upTo(frames)}, k.empty(t), func(at []*ir.Value, to *ir.Value) *ir.Value {
		row := at[0]
		first := k.mul(at[1], k.index(size))
		each(0, size, func(i *ir.Value) {
			memref.NewStore(k.b, plus(memref.NewLoad(k.b, sums, row, i), k.at(v, row, k.add(first, i))), sums, row, i)
		})
		to = k.nest([]span{{zero, k.index(step)}}, to, func(i []*ir.Value, to *ir.Value) *ir.Value {
			return tensor.NewInsert(k.b, memref.NewLoad(k.b, sums, row, i[0]), to, row, k.add(k.mul(at[1], k.index(step)), i[0]))
		})
		each(0, size-step, func(i *ir.Value) {
			memref.NewStore(k.b, memref.NewLoad(k.b, sums, row, k.add(i, k.index(step))), sums, row, i)
		})
		each(size-step, size, func(i *ir.Value) { memref.NewStore(k.b, nothing, sums, row, i) })
		return to
	})
	k.result(0, k.reshape(result, out))
	return nil
}

// signalStacker is SignalStacker: frames with those before and behind them, and whether these came. In front of the first one are copies of it.
func signalStacker(k *kernel) error {
	channels, err := k.whole("num_channels", 1, longestStream)
	if err != nil {
		return err
	}
	left, err := k.whole("stacker_left_context", 0, 1<<10)
	if err != nil {
		return err
	}
	right, err := k.whole("stacker_right_context", 0, 1<<10)
	if err != nil {
		return err
	}
	frames := left + right + 1
	step, err := k.whole("stacker_step", 1, frames)
	if err != nil {
		return err
	}
	in, out, valid := k.in[0], k.out[0], k.out[1]
	if in.Type != model.Int16 || out.Type != model.Int16 || valid.Type != model.Bool {
		return k.unsupported()
	}
	if ir.ElementCount(in.Shape) != channels || ir.ElementCount(out.Shape) != channels*frames || ir.ElementCount(valid.Shape) != 1 {
		return k.malformed()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	v = k.reshape(v, []int64{channels})
	stack, err := k.kept("frames", model.Int16, frames, channels)
	if err != nil {
		return err
	}
	// How many frames are there, but for the first execution, before which it is 0.
	there, err := k.kept("count", model.Int32)
	if err != nil {
		return err
	}
	begun, err := k.kept("begun", model.Bool)
	if err != nil {
		return err
	}
	zero, one := k.index(0), k.index(1)
	n := k.toIndex(memref.NewLoad(k.b, there))
	more := k.pick(memref.NewLoad(k.b, begun), one, k.index(left+1))
	end := k.add(n, more)
	k.loop(n, end, one, nil, func(f *ir.Value, _ []*ir.Value) []*ir.Value {
		k.loop(zero, k.index(channels), one, nil, func(c *ir.Value, _ []*ir.Value) []*ir.Value {
			memref.NewStore(k.b, k.at(v, c), stack, f, c)
			return nil
		})
		return nil
	})
	t := k.ctx.RankedTensor([]int64{frames, channels}, ir.I16)
	result := k.nest([]span{k.upTo(frames), k.upTo(channels)}, k.empty(t), func(at []*ir.Value, to *ir.Value) *ir.Value {
		return tensor.NewInsert(k.b, memref.NewLoad(k.b, stack, at...), to, at...)
	})
	complete := k.cmp(arith.SGE, end, k.index(frames))
	k.loop(zero, k.pick(complete, k.index(frames-step), zero), one, nil, func(f *ir.Value, _ []*ir.Value) []*ir.Value {
		k.loop(zero, k.index(channels), one, nil, func(c *ir.Value, _ []*ir.Value) []*ir.Value {
			memref.NewStore(k.b, memref.NewLoad(k.b, stack, k.add(f, k.index(step)), c), stack, f, c)
			return nil
		})
		return nil
	})
	rest := k.pick(complete, k.sub(end, k.index(step)), end)
	memref.NewStore(k.b, k.cast(rest, ir.I32, false), there)
	memref.NewStore(k.b, k.int(ir.I1, 1), begun)
	k.result(0, k.reshape(result, out.Shape))
	k.flag(1, complete)
	return nil
}
