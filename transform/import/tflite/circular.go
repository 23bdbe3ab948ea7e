package tflite

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// circularBuffer is CIRCULAR_BUFFER, a custom operator of TensorFlow Lite Micro for convolutions of streams: the last inputs, the oldest one first. Its second
// output says whether as many executions have come as its period is; one without it ends all other executions here, which only a period of 1 never does.
func circularBuffer(k *kernel) error {
	if n := len(k.out); n != 1 && n != 2 {
		return k.errorf("%s has %d outputs", k.code, n)
	}
	in, out := k.in[0], k.out[0]
	if in.Type != model.Int8 || out.Type != model.Int8 {
		return k.unsupported()
	}
	if len(out.Shape) != 4 || out.Shape[0] != 1 || out.Shape[1] < 1 || !slices.Equal(in.Shape, []int64{1, 1, out.Shape[2], out.Shape[3]}) {
		return k.malformed()
	}
	told := len(k.out) == 2
	if told && (k.out[1].Type != model.Bool || ir.ElementCount(k.out[1].Shape) != 1) {
		return k.malformed()
	}
	period, err := k.period(out.Shape)
	if err != nil {
		return err
	}
	if !told && period != 1 {
		return k.errorf("%s that ends an execution before its end, but for every %d-th one, isn't supported: what is behind it, with its contents as an argument, can be a model by itself",
			k.code, period)
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	slots, depth := out.Shape[1], out.Shape[2]*out.Shape[3]
	like := &model.Tensor{Type: out.Type, Shape: []int64{slots, depth}, Scale: out.Scale, ZeroPoint: out.ZeroPoint}
	contents, err := k.variable(variableKey{subgraph: k.name, tensor: k.op.Outputs[0], shared: "slots"}, "slots", like)
	if err != nil {
		return err
	}
	v = k.reshape(v, []int64{depth})
	zero, one, last := k.index(0), k.index(1), k.index(slots-1)
	move := func(slot *ir.Value, from func(i *ir.Value) *ir.Value) {
		k.loop(zero, k.index(depth), one, nil, func(i *ir.Value, _ []*ir.Value) []*ir.Value {
			memref.NewStore(k.b, from(i), contents, slot, i)
			return nil
		})
	}
	k.loop(zero, last, one, nil, func(slot *ir.Value, _ []*ir.Value) []*ir.Value {
		move(slot, func(i *ir.Value) *ir.Value { return memref.NewLoad(k.b, contents, k.add(slot, one), i) })
		return nil
	})
	move(last, func(i *ir.Value) *ir.Value { return k.at(v, i) })
	t := k.ctx.RankedTensor([]int64{slots, depth}, ir.I8)
	result := k.nest([]span{k.upTo(slots), k.upTo(depth)}, k.empty(t), func(at []*ir.Value, to *ir.Value) *ir.Value {
		return tensor.NewInsert(k.b, memref.NewLoad(k.b, contents, at...), to, at...)
	})
	k.result(0, k.reshape(result, out.Shape))
	if !told {
		return nil
	}
	complete := k.int(ir.I1, 1)
	if period > 1 {
		came, err := k.kept("cycles", model.Int32)
		if err != nil {
			return err
		}
		n := k.add(memref.NewLoad(k.b, came), k.i32(1))
		complete = k.cmp(arith.SGE, n, k.i32(period))
		memref.NewStore(k.b, k.pick(complete, k.i32(0), n), came)
	}
	k.flag(1, complete)
	return nil
}

// period returns after how many executions a CIRCULAR_BUFFER goes on. Older models don't say it: the kernel knows it by the sizes of the output, but for one that has
// two periods.
func (k *kernel) period(shape []int64) (int64, error) {
	const name = "cycles_max"
	options, err := k.op.Numbers()
	slots := shape[1]
	switch told := options[name] > 0; {
	case !told && err == nil && (slots == 5 || slots == 13 || slots == 25):
		return 1, nil
	case !told && err == nil && !slices.Equal(shape[2:], []int64{2, 96}):
		return 2, nil
	}
	return k.whole(name, 1, longestStream)
}
