package tflite

import (
	"encoding/binary"
	"math"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// oneHot is ONE_HOT: one of two elements, where the place along a new dimension is the index or not.
func oneHot(k *kernel) error {
	const along = 0
	in, out := k.in[0], k.out[0]
	if k.in[2].Type != out.Type || k.in[3].Type != out.Type || in.Type != model.Int32 && in.Type != model.Int64 {
		return k.unsupported()
	}
	d := k.op.Options.Int(along)
	if d == -1 {
		d = len(in.Shape)
	}
	if d < 0 || d > len(in.Shape) || len(out.Shape) != len(in.Shape)+1 || !slices.Equal(slices.Delete(slices.Clone(out.Shape), d, d+1), in.Shape) ||
		ir.ElementCount(k.in[2].Shape) != 1 || ir.ElementCount(k.in[3].Shape) != 1 {
		return k.malformed()
	}
	values, err := k.inputs(0, 2, 3)
	if err != nil {
		return err
	}
	on, off := k.at(k.reshape(values[1], nil)), k.at(k.reshape(values[2], nil))
	k.computed(func(at []*ir.Value) *ir.Value {
		place := k.toIndex(k.at(values[0], slices.Concat(at[:d], at[d+1:])...))
		return k.pick(k.cmp(arith.EQ, at[d], place), on, off)
	})
	return nil
}

// rangeKernel is RANGE. The output's size says how many numbers there are; in single precision each is the sum of the one before and the step.
func rangeKernel(k *kernel) error {
	out := k.out[0]
	for _, t := range k.in {
		if t.Type != out.Type || ir.ElementCount(t.Shape) != 1 {
			return k.malformed()
		}
	}
	if len(out.Shape) != 1 {
		return k.malformed()
	}
	values, err := k.inputs(0, 2)
	if err != nil {
		return err
	}
	if err := k.rangeSize(); err != nil {
		return err
	}
	id := arith.AddI
	switch out.Type {
	case model.Float32:
		id = arith.AddF
	case model.Int32, model.Int64:
	default:
		return k.unsupported()
	}
	start, step := k.at(k.reshape(values[0], nil)), k.at(k.reshape(values[1], nil))
	inits := []*ir.Value{k.empty(k.resultType(0)), start}
	k.result(0, k.loop(k.index(0), k.index(out.Shape[0]), k.index(1), inits, func(i *ir.Value, c []*ir.Value) []*ir.Value {
		return []*ir.Value{tensor.NewInsert(k.b, c[1], c[0], i), k.op2(id, c[1], step)}
	})[0])
	return nil
}

// rangeSize refuses a RANGE with constant bounds whose output has another size than they say.
func (k *kernel) rangeSize() error {
	var bounds [3]float64
	for i := range bounds {
		switch t := k.in[i]; {
		case t.Data == nil:
			return nil
		case t.Type == model.Float32:
			bounds[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(t.Data)))
		default:
			list, ok := ints(t)
			if !ok {
				return k.unsupported()
			}
			bounds[i] = float64(list[0])
		}
	}
	if n := math.Ceil((bounds[1] - bounds[0]) / bounds[2]); n != float64(k.out[0].Shape[0]) {
		return k.errorf("the output of RANGE has %d elements, and its bounds are for %v", k.out[0].Shape[0], n)
	}
	return nil
}

// rankKernel is RANK, which is known.
func rankKernel(k *kernel) error {
	if k.out[0].Type != model.Int32 || ir.ElementCount(k.out[0].Shape) != 1 {
		return k.malformed()
	}
	list := k.function.list(ir.I32, []int64{int64(len(k.in[0].Shape))})
	k.result(0, k.reshape(list, k.out[0].Shape))
	return nil
}

// matrixDiag is MATRIX_DIAG, whose rows become diagonals, and MATRIX_SET_DIAG, which has them as a second input.
func matrixDiag(set bool) func(k *kernel) error {
	return func(k *kernel) error {
		in, out := k.in[0], k.out[0]
		rank := len(out.Shape)
		if in.Type != out.Type || rank < 2 {
			return k.malformed()
		}
		diagonal := in
		which := []int{0}
		if set {
			if diagonal = k.in[1]; diagonal.Type != out.Type || !slices.Equal(in.Shape, out.Shape) {
				return k.malformed()
			}
			which = []int{1, 0}
		}
		rows, columns := out.Shape[rank-2], out.Shape[rank-1]
		if !slices.Equal(diagonal.Shape, append(slices.Clone(out.Shape[:rank-2]), min(rows, columns))) || !set && rows != columns {
			return k.malformed()
		}
		values, err := k.inputs(which...)
		if err != nil {
			return err
		}
		other := k.int(ir.Index, 0)
		if !set {
			other = k.zeroOf(&model.Tensor{Type: out.Type})
		}
		last := k.index(min(rows, columns) - 1)
		k.computed(func(at []*ir.Value) *ir.Value {
			i := at[rank-2]
			on := k.at(values[0], append(slices.Clone(at[:rank-2]), k.min(i, last))...)
			off := other
			if set {
				off = k.at(values[1], at...)
			}
			return k.pick(k.cmp(arith.EQ, i, at[rank-1]), on, off)
		})
		return nil
	}
}

// reverseSequence is REVERSE_SEQUENCE, in which each batch has a length up to which it is reversed.
func reverseSequence(k *kernel) error {
	const sequence, batch = 0, 1
	in, lengths := k.in[0].Shape, k.in[1]
	s, ok := axis(k.op.Options.Int(sequence), len(in))
	b, also := axis(k.op.Options.Int(batch), len(in))
	if !ok || !also || s == b || !slices.Equal(in, k.out[0].Shape) || !slices.Equal(lengths.Shape, in[b:b+1]) {
		return k.malformed()
	}
	if lengths.Type != model.Int32 && lengths.Type != model.Int64 || k.in[0].Type != k.out[0].Type {
		return k.unsupported()
	}
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	k.computed(func(at []*ir.Value) *ir.Value {
		n := k.toIndex(k.at(values[1], at[b]))
		turned := k.sub(k.sub(n, k.index(1)), at[s])
		at[s] = k.pick(k.cmp(arith.SLT, at[s], n), turned, at[s])
		return k.at(values[0], at...)
	})
	return nil
}

// bucketize is BUCKETIZE: how many of some rising bounds aren't above each number.
func bucketize(k *kernel) error {
	const bounds = 0
	in, out := k.in[0], k.out[0]
	if out.Type != model.Int32 || in.Type != model.Float32 && in.Type != model.Int32 && in.Type != model.Int64 {
		return k.unsupported()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	list := k.op.Options.Floats(bounds)
	k.tables += len(list)
	if len(list) == 0 || !slices.IsSorted(list) {
		return k.malformed()
	}
	limits := k.floats(list)
	return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
		x := k.convert(e[0], in.Type, model.Float32)
		return k.nest([]span{k.upTo(int64(len(list)))}, k.i32(0), func(i []*ir.Value, acc *ir.Value) *ir.Value {
			return k.add(acc, k.cast(k.cmpf(arith.OGE, x, k.at(limits, i[0])), ir.I32, true))
		})
	})
}

// broadcastArgs is BROADCAST_ARGS: the sizes that two lists of sizes are broadcast to.
func broadcastArgs(k *kernel) error {
	a, b, out := k.in[0], k.in[1], k.out[0]
	if a.Type != out.Type || b.Type != out.Type || out.Type != model.Int32 && out.Type != model.Int64 {
		return k.unsupported()
	}
	if len(a.Shape) != 1 || len(b.Shape) != 1 || len(out.Shape) != 1 || out.Shape[0] != max(a.Shape[0], b.Shape[0]) {
		return k.malformed()
	}
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	one := k.int(elementTypes[out.Type], 1)
	k.computed(func(at []*ir.Value) *ir.Value {
		// In front of the shorter list are ones.
		size := func(of *model.Tensor, v *ir.Value) *ir.Value {
			if of.Shape[0] == 0 {
				return one
			}
			place := k.sub(at[0], k.index(out.Shape[0]-of.Shape[0]))
			there := k.cmp(arith.SGE, place, k.index(0))
			return k.pick(there, k.at(v, k.max(place, k.index(0))), one)
		}
		x, y := size(a, values[0]), size(b, values[1])
		return k.pick(k.cmp(arith.EQ, x, one), y, x)
	})
	return nil
}
