package tflite

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/dialect/scf"
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

// box is a box: its least and its largest coordinates, y before x, and its area.
type box struct {
	corners [4]*ir.Value
	area    *ir.Value
}

// box returns a box of a list of corners.
func (f *function) box(corners, i *ir.Value) (b box) {
	for c := range b.corners {
		b.corners[c] = f.at(corners, i, f.index(int64(c)))
	}
	side := func(of int) *ir.Value { return f.op2(arith.SubF, b.corners[of+2], b.corners[of]) }
	b.area = f.op2(arith.MulF, side(0), side(1))
	return b
}

// overlap is the area of two boxes as a part of that of either. What has no area overlaps nothing.
func (f *function) overlap(a, b box) *ir.Value {
	zero := f.f32(0)
	minus := func(a, b *ir.Value) *ir.Value { return f.op2(arith.SubF, a, b) }
	larger := func(a, b *ir.Value) *ir.Value { return f.pick(f.cmpf(arith.OLT, a, b), b, a) }
	smaller := func(a, b *ir.Value) *ir.Value { return f.pick(f.cmpf(arith.OLT, b, a), b, a) }
	side := func(of int) *ir.Value {
		return larger(minus(smaller(a.corners[of+2], b.corners[of+2]), larger(a.corners[of], b.corners[of])), zero)
	}
	both := f.op2(arith.MulF, side(0), side(1))
	part := f.op2(arith.DivF, both, minus(f.op2(arith.AddF, a.area, b.area), both))
	flat := f.op2(arith.OrI, f.cmpf(arith.OLE, a.area, zero), f.cmpf(arith.OLE, b.area, zero))
	return f.pick(flat, zero, part)
}

// withoutOverlap are the active boxes of so many without those that overlap one as far as tooFar says.
func (f *function) withoutOverlap(boxes int64, corners, active, one *ir.Value, tooFar func(overlap *ir.Value) *ir.Value) *ir.Value {
	mine := f.box(corners, one)
	return f.nest([]span{f.upTo(boxes)}, active, func(i []*ir.Value, active *ir.Value) *ir.Value {
		apart := f.op2(arith.XOrI, tooFar(f.overlap(mine, f.box(corners, i[0]))), f.int(ir.I1, 1))
		return tensor.NewInsert(f.b, f.op2(arith.AndI, f.at(active, i[0]), apart), active, i[0])
	})
}

// suppression is NON_MAX_SUPPRESSION_V4, and V5, which tells the scores, too: the boxes with the largest scores, without those that overlap one of them.
// What no box is told of is 0.
func suppression(scored bool) func(k *kernel) error {
	const boxes, scores, most, overlap, least, sigma = 0, 1, 2, 3, 4, 5
	return func(k *kernel) error {
		count := k.out[len(k.out)-1]
		for i, t := range []model.Type{model.Float32, model.Float32, model.Int32, model.Float32, model.Float32} {
			if k.in[i].Type != t || k.out[0].Type != model.Int32 || count.Type != model.Int32 || scored && k.out[1].Type != model.Float32 {
				return k.unsupported()
			}
		}
		soft := scored && (k.in[sigma].Data == nil || slices.ContainsFunc(k.in[sigma].Data, func(b byte) bool { return b != 0 }))
		if scored && (k.in[sigma].Type != model.Float32 || ir.ElementCount(k.in[sigma].Shape) != 1) {
			return k.malformed()
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
		inputs := []int{boxes, scores, overlap, least}
		if soft {
			inputs = append(inputs, sigma)
		}
		values, err := k.inputs(inputs...)
		if err != nil {
			return err
		}
		s := &suppressor{kernel: k, boxes: k.in[boxes].Shape[0], most: limit[0], corners: k.corners(values[0]), scores: values[1],
			threshold: k.at(k.reshape(values[2], nil)), least: k.at(k.reshape(values[3], nil)), scored: scored}
		if soft {
			s.softly(k.at(k.reshape(values[4], nil)))
		} else {
			s.hard()
		}
		return nil
	}
}

// suppressor chooses among boxes.
type suppressor struct {
	*kernel
	// boxes is how many there are, and most how many are told at most.
	boxes, most     int64
	corners, scores *ir.Value
	// threshold is which part boxes may overlap, and least which scores they exceed.
	threshold, least *ir.Value
	// scored says that the scores of boxes are told, too.
	scored bool
}

// corners returns boxes that are given by any two opposite corners.
func (k *kernel) corners(boxes *ir.Value) *ir.Value {
	return k.generic(boxes.Type().(*ir.RankedTensorType), nil, nil, func([]*ir.Value) *ir.Value {
		at := k.indices(2)
		first := k.at(boxes, at[0], k.op2(arith.AndI, at[1], k.index(1)))
		second := k.at(boxes, at[0], k.op2(arith.OrI, at[1], k.index(2)))
		lower := k.cmp(arith.SLT, at[1], k.index(2))
		low := k.pick(k.cmpf(arith.OLT, second, first), second, first)
		return k.pick(lower, low, k.pick(k.cmpf(arith.OLT, first, second), second, first))
	})
}

// start returns which boxes have a score that is large enough, and how many boxes are told at most.
func (s *suppressor) start() (active, limit *ir.Value) {
	active = s.mappedOver([]int64{s.boxes}, ir.I1, s.scores, func(x *ir.Value) *ir.Value { return s.cmpf(arith.OGT, x, s.least) })
	count := s.nest([]span{s.upTo(s.boxes)}, s.index(0), func(i []*ir.Value, count *ir.Value) *ir.Value {
		return s.add(count, s.pick(s.at(active, i[0]), s.index(1), s.index(0)))
	})
	return active, s.min(count, s.index(s.most))
}

// zeros is a list of so many zeros.
func (s *suppressor) zeros(n int64, zero *ir.Value) *ir.Value {
	return s.generic(s.ctx.RankedTensor([]int64{n}, zero.Type()), nil, nil, func([]*ir.Value) *ir.Value { return zero })
}

// tell says which boxes were chosen, with their scores, and how many.
func (s *suppressor) tell(count *ir.Value, lists ...*ir.Value) {
	for i, v := range lists {
		s.result(i, v)
	}
	n := s.cast(count, ir.I32, false)
	last := len(s.out) - 1
	s.result(last, s.generic(s.resultType(last), nil, nil, func([]*ir.Value) *ir.Value { return n }))
}

// hard drops boxes that overlap a chosen one. One without an area doesn't overlap even itself, and is chosen again and again, as by the kernel.
func (s *suppressor) hard() {
	active, limit := s.start()
	inits := []*ir.Value{active, s.index(0), s.zeros(s.most, s.i32(0))}
	if s.scored {
		inits = append(inits, s.zeros(s.most, s.f32(0)))
	}
	c := s.loop(s.index(0), s.index(s.most), s.index(1), inits, func(i *ir.Value, c []*ir.Value) []*ir.Value {
		box := s.largestOf(s.boxes, s.scores, c[0])
		found := s.op2(arith.AndI, s.cmp(arith.SGE, box, s.index(0)), s.cmp(arith.SLT, i, limit))
		box = s.max(box, s.index(0))
		out := []*ir.Value{
			s.withoutOverlap(s.boxes, s.corners, c[0], box, func(x *ir.Value) *ir.Value { return s.cmpf(arith.OGE, x, s.threshold) }),
			s.pick(found, s.add(c[1], s.index(1)), c[1]),
			tensor.NewInsert(s.b, s.pick(found, s.cast(box, ir.I32, false), s.i32(0)), c[2], i)}
		if s.scored {
			out = append(out, tensor.NewInsert(s.b, s.pick(found, s.at(s.scores, box), s.f32(0)), c[3], i))
		}
		return out
	})
	s.tell(c[1], c[2:]...)
}

// softly lowers the scores of boxes that overlap chosen ones, and drops those that overlap one too far. Scores are lowered when a box is the one with
// the largest score, by all boxes that were chosen since it was so before, the last one first: each by a factor of its overlap.
func (s *suppressor) softly(sigma *ir.Value) {
	active, limit := s.start()
	zero, one, yes, no := s.index(0), s.index(1), s.int(ir.I1, 1), s.int(ir.I1, 0)
	lowers := s.cmpf(arith.OGT, sigma, s.f32(0))
	factor := s.pick(lowers, s.op2(arith.DivF, s.f32(-0.5), sigma), s.f32(0))
	scores := s.mappedOver([]int64{s.boxes}, ir.F32, s.scores, func(x *ir.Value) *ir.Value { return x })
	inits := []*ir.Value{active, scores, s.zeros(s.boxes, s.i32(0)), zero, s.zeros(s.most, s.i32(0)), s.zeros(s.most, s.f32(0))}
	op := scf.NewWhile(s.b, append(ir.TypesOf(inits), ir.Index), inits)
	s.b.SetEnd(op.Before())
	c := op.Before().Args()
	next := s.largestOf(s.boxes, c[1], c[0])
	goOn := s.op2(arith.AndI, s.cmp(arith.SGE, next, zero), s.cmp(arith.SLT, c[3], limit))
	scf.NewCondition(s.b, goOn, append(slices.Clone(c), next)...)

	s.b.SetEnd(op.After())
	c = op.After().Args()
	active, scores, seen, count, next := c[0], c[1], c[2], c[3], c[6]
	score := s.at(scores, next)
	mine := s.box(s.corners, next)
	since := s.sub(count, s.toIndex(s.at(seen, next)))
	lowered := s.loop(zero, since, one, []*ir.Value{score, no, no}, func(i *ir.Value, l []*ir.Value) []*ir.Value {
		chosen := s.toIndex(s.at(c[4], s.sub(s.sub(count, one), i)))
		overlap := s.overlap(mine, s.box(s.corners, chosen))
		tooFar := s.cmpf(arith.OGE, overlap, s.threshold)
		e := s.math1(math.Exp, s.op2(arith.MulF, s.op2(arith.MulF, factor, overlap), overlap))
		x := s.pick(lowers, s.op2(arith.MulF, l[0], e), l[0])
		x = s.pick(s.op2(arith.OrI, l[2], tooFar), l[0], x)
		dropped := s.op2(arith.OrI, l[1], s.op2(arith.AndI, tooFar, s.op2(arith.XOrI, l[2], yes)))
		return []*ir.Value{x, dropped, s.op2(arith.OrI, s.op2(arith.OrI, l[2], tooFar), s.cmpf(arith.OLE, x, s.least))}
	})
	stays := s.op2(arith.XOrI, lowered[1], yes)
	found := s.op2(arith.AndI, stays, s.cmpf(arith.OEQ, lowered[0], score))
	told := func(list, x *ir.Value) *ir.Value {
		return tensor.NewInsert(s.b, s.pick(found, x, s.at(list, count)), list, count)
	}
	scf.NewYield(s.b,
		tensor.NewInsert(s.b, s.op2(arith.AndI, stays, s.cmpf(arith.OGT, lowered[0], s.least)), active, next),
		tensor.NewInsert(s.b, lowered[0], scores, next),
		tensor.NewInsert(s.b, s.cast(count, ir.I32, false), seen, next),
		s.pick(found, s.add(count, one), count),
		told(c[4], s.cast(next, ir.I32, false)),
		told(c[5], lowered[0]))
	s.b.SetAfter(op.Op)
	s.tell(op.Result(3), op.Result(4), op.Result(5))
}

// mappedOver computes a list element by element from another one.
func (f *function) mappedOver(shape []int64, elem ir.Type, of *ir.Value, body func(x *ir.Value) *ir.Value) *ir.Value {
	maps := []*ir.AffineMap{f.ctx.IdentityMap(len(shape))}
	return f.generic(f.ctx.RankedTensor(shape, elem), []*ir.Value{of}, maps, func(e []*ir.Value) *ir.Value { return body(e[0]) })
}
