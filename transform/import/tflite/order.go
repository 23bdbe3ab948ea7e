package tflite

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// topK is TOPK_V2: the largest elements of each row, by falling values, and where they are. Of equal ones the first comes first.
func topK(k *kernel) error {
	in, values, places := k.in[0], k.out[0], k.out[1]
	if in.Type != values.Type || in.Type == model.Bool || places.Type != model.Int32 && places.Type != model.Int16 {
		return k.unsupported()
	}
	rank := len(in.Shape)
	if rank == 0 || len(values.Shape) != rank || !slices.Equal(values.Shape, places.Shape) || !slices.Equal(values.Shape[:rank-1], in.Shape[:rank-1]) {
		return k.malformed()
	}
	depth, count := in.Shape[rank-1], values.Shape[rank-1]
	if n, ok := ints(k.in[1]); depth < count || ok && (len(n) != 1 || n[0] != count) {
		return k.malformed()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	rows := ir.ElementCount(in.Shape[:rank-1])
	of := k.reshape(v, []int64{rows, depth})
	place := elementTypes[places.Type].(*ir.IntegerType)
	flat := []int64{rows, count}
	inits := []*ir.Value{k.empty(k.ctx.RankedTensor(flat, elementTypes[in.Type])), k.empty(k.ctx.RankedTensor(flat, place))}
	filled := k.loop(k.index(0), k.index(rows), k.index(1), inits, func(row *ir.Value, to []*ir.Value) []*ir.Value {
		before := []*ir.Value{k.zeroOf(&model.Tensor{Type: in.Type}), k.index(-1)}
		return k.loop(k.index(0), k.index(count), k.index(1), append(to, before...), func(n *ir.Value, c []*ir.Value) []*ir.Value {
			best := k.nextBest(of, row, in.Type, depth, c[2], c[3])
			return []*ir.Value{
				tensor.NewInsert(k.b, best[0], c[0], row, n),
				tensor.NewInsert(k.b, k.cast(best[1], place, false), c[1], row, n), best[0], best[1]}
		})[:2]
	})
	k.result(0, k.reshape(filled[0], values.Shape))
	k.result(1, k.reshape(filled[1], places.Shape))
	return nil
}

// nextBest returns the largest element of a row that comes behind another one, which is at the place last, and where it is. Any
// element comes behind the place -1.
func (k *kernel) nextBest(of, row *ir.Value, t model.Type, depth int64, value, last *ir.Value) []*ir.Value {
	none := k.index(-1)
	first := k.cmp(arith.EQ, last, none)
	inits := []*ir.Value{value, none}
	return k.loop(k.index(0), k.index(depth), k.index(1), inits, func(i *ir.Value, best []*ir.Value) []*ir.Value {
		x := k.at(of, row, i)
		// Behind the last one is what is less, and what is neither less nor more and stands behind it.
		behind := k.op2(arith.AndI, k.op2(arith.XOrI, k.less(t, value, x), k.int(ir.I1, 1)), k.cmp(arith.SGT, i, last))
		behind = k.op2(arith.OrI, first, k.op2(arith.OrI, k.less(t, x, value), behind))
		better := k.op2(arith.OrI, k.cmp(arith.EQ, best[1], none), k.less(t, best[0], x))
		better = k.op2(arith.AndI, behind, better)
		return []*ir.Value{k.pick(better, x, best[0]), k.pick(better, i, best[1])}
	})
}
