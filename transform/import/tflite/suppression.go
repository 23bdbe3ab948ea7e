package tflite

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// largestOf is the active box of so many with the largest score, of several the first one, and -1 if none is active.
func (f *function) largestOf(boxes int64, scores, active *ir.Value) *ir.Value {
	inits := []*ir.Value{f.index(-1), f.f32(0)}
	return f.loop(f.index(0), f.index(boxes), f.index(1), inits, func(i *ir.Value, best []*ir.Value) []*ir.Value {
		x := f.at(scores, i)
		better := f.op2(arith.OrI, f.cmp(arith.SLT, best[0], f.index(0)), f.cmpf(arith.OGT, x, best[1]))
		better = f.op2(arith.AndI, f.at(active, i), better)
		return []*ir.Value{f.pick(better, i, best[0]), f.pick(better, x, best[1])}
	})[0]
}

// withoutOverlap are the active boxes of so many without one and those that overlap it as far as tooFar says. Their corners are the least and the
// largest coordinates, y before x.
func (f *function) withoutOverlap(boxes int64, corners, active, box *ir.Value, tooFar func(overlap *ir.Value) *ir.Value) *ir.Value {
	of := func(box *ir.Value) (c [4]*ir.Value) {
		for i := range c {
			c[i] = f.at(corners, box, f.index(int64(i)))
		}
		return c
	}
	minus := func(a, b *ir.Value) *ir.Value { return f.op2(arith.SubF, a, b) }
	times := func(a, b *ir.Value) *ir.Value { return f.op2(arith.MulF, a, b) }
	larger := func(a, b *ir.Value) *ir.Value { return f.pick(f.cmpf(arith.OLT, a, b), b, a) }
	smaller := func(a, b *ir.Value) *ir.Value { return f.pick(f.cmpf(arith.OLT, b, a), b, a) }
	area := func(c [4]*ir.Value) *ir.Value { return times(minus(c[2], c[0]), minus(c[3], c[1])) }
	zero := f.f32(0)
	mine := of(box)
	size := area(mine)
	return f.nest([]span{f.upTo(boxes)}, active, func(i []*ir.Value, active *ir.Value) *ir.Value {
		other := of(i[0])
		both := times(larger(minus(smaller(mine[2], other[2]), larger(mine[0], other[0])), zero),
			larger(minus(smaller(mine[3], other[3]), larger(mine[1], other[1])), zero))
		otherSize := area(other)
		overlap := f.op2(arith.DivF, both, minus(f.op2(arith.AddF, size, otherSize), both))
		// What has no area overlaps nothing.
		flat := f.op2(arith.OrI, f.cmpf(arith.OLE, size, zero), f.cmpf(arith.OLE, otherSize, zero))
		apart := f.op2(arith.XOrI, tooFar(f.pick(flat, zero, overlap)), f.int(ir.I1, 1))
		stays := f.op2(arith.AndI, f.at(active, i[0]), f.op2(arith.AndI, apart, f.cmp(arith.NE, i[0], box)))
		return tensor.NewInsert(f.b, stays, active, i[0])
	})
}

// suppression is NON_MAX_SUPPRESSION_V4, and V5, which tells the scores, too: the boxes with the largest scores, without those that overlap one of them.
// What no box is told of is 0.
func suppression(soft bool) func(k *kernel) error {
	const boxes, scores, most, overlap, least, sigma = 0, 1, 2, 3, 4, 5
	return func(k *kernel) error {
		count := k.out[len(k.out)-1]
		for i, t := range []model.Type{model.Float32, model.Float32, model.Int32, model.Float32, model.Float32} {
			if k.in[i].Type != t || k.out[0].Type != model.Int32 || count.Type != model.Int32 || soft && k.out[1].Type != model.Float32 {
				return k.unsupported()
			}
		}
		if soft && (k.in[sigma].Data == nil || slices.ContainsFunc(k.in[sigma].Data, func(b byte) bool { return b != 0 })) {
			return k.errorf("%s that lowers scores (soft_nms_sigma) isn't supported", k.code)
		}
		limit, err := k.constants(most)
		if err != nil {
			return err
		}
		if len(k.in[boxes].Shape) != 2 || k.in[boxes].Shape[1] != 4 || !slices.Equal(k.in[scores].Shape, k.in[boxes].Shape[:1]) || len(limit) != 1 || limit[0] < 0 ||
			ir.ElementCount(k.in[overlap].Shape) != 1 || ir.ElementCount(k.in[least].Shape) != 1 || ir.ElementCount(count.Shape) != 1 {
			return k.malformed()
		}
		for _, t := range k.out[:len(k.out)-1] {
			if !slices.Equal(t.Shape, limit) {
				return k.malformed()
			}
		}
		values, err := k.inputs(boxes, scores, overlap, least)
		if err != nil {
			return err
		}
		k.suppress(k.in[boxes].Shape[0], limit[0], values, soft)
		return nil
	}
}

func (k *kernel) suppress(n, most int64, values []*ir.Value, scored bool) {
	scores, tooFar, least := values[1], k.at(k.reshape(values[2], nil)), k.at(k.reshape(values[3], nil))
	corners := k.generic(values[0].Type().(*ir.RankedTensorType), nil, nil, func([]*ir.Value) *ir.Value {
		at := k.indices(2)
		// Corners may be any two that are opposite.
		first := k.at(values[0], at[0], k.op2(arith.AndI, at[1], k.index(1)))
		second := k.at(values[0], at[0], k.op2(arith.OrI, at[1], k.index(2)))
		lower := k.cmp(arith.SLT, at[1], k.index(2))
		low := k.pick(k.cmpf(arith.OLT, second, first), second, first)
		return k.pick(lower, low, k.pick(k.cmpf(arith.OLT, first, second), second, first))
	})
	active := k.mappedOver([]int64{n}, ir.I1, scores, func(x *ir.Value) *ir.Value { return k.cmpf(arith.OGT, x, least) })
	zeros := func(elem ir.Type, zero *ir.Value) *ir.Value {
		return k.generic(k.ctx.RankedTensor([]int64{most}, elem), nil, nil, func([]*ir.Value) *ir.Value { return zero })
	}
	inits := []*ir.Value{active, k.i32(0), zeros(ir.I32, k.i32(0))}
	if scored {
		inits = append(inits, zeros(ir.F32, k.f32(0)))
	}
	c := k.loop(k.index(0), k.index(most), k.index(1), inits, func(i *ir.Value, c []*ir.Value) []*ir.Value {
		box := k.largestOf(n, scores, c[0])
		found := k.cmp(arith.SGE, box, k.index(0))
		box = k.max(box, k.index(0))
		out := []*ir.Value{
			k.withoutOverlap(n, corners, c[0], box, func(x *ir.Value) *ir.Value { return k.cmpf(arith.OGE, x, tooFar) }),
			k.add(c[1], k.cast(found, ir.I32, true)),
			tensor.NewInsert(k.b, k.pick(found, k.cast(box, ir.I32, false), k.i32(0)), c[2], i)}
		if scored {
			out = append(out, tensor.NewInsert(k.b, k.pick(found, k.at(scores, box), k.f32(0)), c[3], i))
		}
		return out
	})
	for i, v := range c[2:] {
		k.result(i, v)
	}
	last := len(k.out) - 1
	k.result(last, k.generic(k.resultType(last), nil, nil, func([]*ir.Value) *ir.Value { return c[1] }))
}

// mappedOver computes a list element by element from another one.
func (f *function) mappedOver(shape []int64, elem ir.Type, of *ir.Value, body func(x *ir.Value) *ir.Value) *ir.Value {
	maps := []*ir.AffineMap{f.ctx.IdentityMap(len(shape))}
	return f.generic(f.ctx.RankedTensor(shape, elem), []*ir.Value{of}, maps, func(e []*ir.Value) *ir.Value { return body(e[0]) })
}
