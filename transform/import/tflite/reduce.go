package tflite

import (
	gomath "math"
	"math/bits"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// reduction is the arithmetic of an operator that joins the elements along some dimensions.
type reduction struct {
	start  *ir.Value
	join   func(acc, x *ir.Value) *ir.Value
	finish func(acc *ir.Value) *ir.Value
}

// reduce is an operator that joins elements along the dimensions that its second input lists.
func reduce(arithmetic func(k *kernel, count int64) (*reduction, error)) func(k *kernel) error {
	return func(k *kernel) error {
		in, out := k.in[0], k.out[0]
		list, err := k.constants(1)
		if err != nil {
			return err
		}
		if in.Type != out.Type {
			return k.unsupported()
		}
		reduced := make([]bool, len(in.Shape))
		for _, n := range list {
			d, ok := axis(int(n), len(in.Shape))
			if !ok {
				return k.malformed()
			}
			reduced[d] = true
		}
		count, kept := int64(1), []int64{}
		var spans []span
		for d, n := range in.Shape {
			if reduced[d] {
				count, spans = count*n, append(spans, k.upTo(n))
			} else {
				kept = append(kept, n)
			}
		}
		if ir.ElementCount(kept) != ir.ElementCount(out.Shape) {
			return k.malformed()
		}
		v, err := k.value(0)
		if err != nil {
			return err
		}
		r, err := arithmetic(k, count)
		if err != nil {
			return err
		}
		w := k.generic(k.ctx.RankedTensor(kept, elementTypes[out.Type]), nil, nil, func([]*ir.Value) *ir.Value {
			outer := k.indices(len(kept))
			return r.finish(k.nest(spans, r.start, func(inner []*ir.Value, acc *ir.Value) *ir.Value {
				var at []*ir.Value
				o, i := outer, inner
				for _, reduces := range reduced {
					if reduces {
						at, i = append(at, i[0]), i[1:]
					} else {
						at, o = append(at, o[0]), o[1:]
					}
				}
				return r.join(acc, k.at(v, at...))
			}))
		})
		k.result(0, k.reshape(w, out.Shape))
		return nil
	}
}

func same(x *ir.Value) *ir.Value { return x }

// total is SUM and MEAN.
func total(mean bool) func(k *kernel, count int64) (*reduction, error) {
	return func(k *kernel, count int64) (*reduction, error) {
		in, out := k.in[0], k.out[0]
		switch {
		case in.Type == model.Float32:
			r := &reduction{k.f32(0), func(acc, x *ir.Value) *ir.Value { return k.op2(arith.AddF, acc, x) }, same}
			if mean {
				r.finish = func(acc *ir.Value) *ir.Value { return k.op2(arith.DivF, acc, k.f32(float32(count))) }
			}
			return r, nil
		case in.Type == model.Int32 || in.Type == model.Int64 && mean:
			return k.wholeTotal(mean, count)
		case !isQuantized(in) || count == 0:
			return nil, k.unsupported()
		}
		if err := k.quantized(in, out); err != nil {
			return nil, err
		}
		join := func(acc, x *ir.Value) *ir.Value { return k.add(acc, k.wide(x, in, ir.I32)) }
		low, high := limits(out.Type)
		if mean && in.Scale[0] == out.Scale[0] && zeroPoint(in) == zeroPoint(out) {
			return &reduction{k.i32(0), join, func(acc *ir.Value) *ir.Value {
				return k.cast(k.op2(arith.DivSI, acc, k.i32(count)), elementTypes[out.Type].(*ir.IntegerType), false)
			}}, nil
		}
		q := quantizeMultiplier(scale(in) / scale(out))
		if err := k.representable(q); err != nil {
			return nil, err
		}
		if mean {
			q = q.dividedBy(count)
		}
		return &reduction{k.i32(0), join, func(acc *ir.Value) *ir.Value {
			if z := zeroPoint(in); z != 0 {
				acc = k.sub(acc, k.i32(int64(int32(z*count))))
			}
			return k.store(k.rescale(acc, q), out, low, high)
		}}, nil
	}
}

// wholeTotal is SUM and MEAN of numbers that aren't scaled. A mean is rounded towards zero, and its sum has 64 bits.
func (k *kernel) wholeTotal(mean bool, count int64) (*reduction, error) {
	if !mean {
		return &reduction{k.i32(0), k.add, same}, nil
	}
	if count == 0 {
		return nil, k.unsupported()
	}
	join := func(acc, x *ir.Value) *ir.Value { return k.add(acc, k.cast(x, ir.I64, false)) }
	return &reduction{k.i64(0), join, func(acc *ir.Value) *ir.Value {
		return k.cast(k.op2(arith.DivSI, acc, k.i64(count)), elementTypes[k.out[0].Type].(*ir.IntegerType), false)
	}}, nil
}

// dividedBy returns a multiplier divided by a count, as the kernel of MEAN does: with as many bits as there are.
func (q multiplier) dividedBy(count int64) multiplier {
	shift := min(63-bits.LeadingZeros64(uint64(count)), 32, 31+q.shift)
	return multiplier{q.m << shift / count, q.shift - shift}
}

// extremeOf is REDUCE_MAX and REDUCE_MIN.
func extremeOf(largest bool) func(k *kernel, count int64) (*reduction, error) {
	return func(k *kernel, _ int64) (*reduction, error) {
		t := k.in[0].Type
		join := func(acc, x *ir.Value) *ir.Value {
			if largest {
				return k.pick(k.less(t, acc, x), x, acc)
			}
			return k.pick(k.less(t, x, acc), x, acc)
		}
		switch {
		case t == model.Float32 && largest:
			return &reduction{k.f32(-gomath.MaxFloat32), join, same}, nil
		case t == model.Float32:
			return &reduction{k.f32(gomath.MaxFloat32), join, same}, nil
		case t == model.Int64 && largest:
			return &reduction{k.i64(gomath.MinInt64), join, same}, nil
		case t == model.Int64:
			return &reduction{k.i64(gomath.MaxInt64), join, same}, nil
		case !isQuantized(k.in[0]) && t != model.Int32:
			return nil, k.unsupported()
		}
		low, high := limits(t)
		if !largest {
			low = high
		}
		return &reduction{k.int(elementTypes[t], low), join, same}, nil
	}
}

// productOf is REDUCE_PROD.
func productOf(k *kernel, count int64) (*reduction, error) {
	switch t := k.in[0].Type; {
	case t == model.Float32:
		return &reduction{k.f32(1), func(acc, x *ir.Value) *ir.Value { return k.op2(arith.MulF, x, acc) }, same}, nil
	case t == model.Int32 || t == model.Int64:
		return &reduction{k.int(elementTypes[t], 1), k.mul, same}, nil
	case (t == model.Int8 || t == model.Int16) && count > 0:
		return k.scaledProduct(count)
	}
	return nil, k.unsupported()
}

// scaledProduct is REDUCE_PROD of scaled numbers: each product is scaled by a root of what all of them are, so that none is too large.
func (k *kernel) scaledProduct(count int64) (*reduction, error) {
	in, out := k.in[0], k.out[0]
	if err := k.quantized(in, out); err != nil {
		return nil, err
	}
	q := quantizeMultiplier(scale(in) / gomath.Pow(scale(out), 1/float64(count)))
	if _, err := k.channelMultipliers([]multiplier{q}, ir.I64); err != nil {
		return nil, err
	}
	long := func(x *ir.Value) *ir.Value { return k.cast(x, ir.I64, false) }
	// What no element is part of yet is none of 32 bits.
	none := k.i64(gomath.MinInt64)
	low, high := limits(out.Type)
	return &reduction{none, func(acc, x *ir.Value) *ir.Value {
		x = long(k.offset(x, in, ir.I32))
		return k.pick(k.cmp(arith.EQ, acc, none), x, long(k.rescale(k.mul(acc, x), q)))
	}, func(acc *ir.Value) *ir.Value { return k.store(k.rescale(acc, q), out, low, high) }}, nil
}

// truthOf is REDUCE_ANY and REDUCE_ALL.
func truthOf(id *ir.OpID, start int64) func(k *kernel, count int64) (*reduction, error) {
	return func(k *kernel, _ int64) (*reduction, error) {
		if k.in[0].Type != model.Bool {
			return nil, k.unsupported()
		}
		return &reduction{k.int(ir.I1, start), func(acc, x *ir.Value) *ir.Value { return k.op2(id, acc, x) }, same}, nil
	}
}

// argument is ARG_MAX and ARG_MIN: the first place of the largest or least element along a dimension.
func argument(largest bool) func(k *kernel) error {
	return func(k *kernel) error {
		in, out := k.in[0], k.out[0]
		list, err := k.constants(1)
		if err != nil {
			return err
		}
		if len(list) != 1 || out.Type != model.Int32 && out.Type != model.Int64 {
			return k.unsupported()
		}
		along, ok := axis(int(list[0]), len(in.Shape))
		if !ok || in.Shape[along] == 0 || in.Type == model.Bool {
			return k.malformed()
		}
		kept := append(append([]int64{}, in.Shape[:along]...), in.Shape[along+1:]...)
		if ir.ElementCount(kept) != ir.ElementCount(out.Shape) {
			return k.malformed()
		}
		v, err := k.value(0)
		if err != nil {
			return err
		}
		w := k.generic(k.ctx.RankedTensor(kept, elementTypes[out.Type]), nil, nil, func([]*ir.Value) *ir.Value {
			outer := k.indices(len(kept))
			element := func(i *ir.Value) *ir.Value {
				at := append(append(append([]*ir.Value{}, outer[:along]...), i), outer[along:]...)
				return k.at(v, at...)
			}
			best := k.loop(k.index(1), k.index(in.Shape[along]), k.index(1), []*ir.Value{element(k.index(0)), k.index(0)}, func(i *ir.Value, c []*ir.Value) []*ir.Value {
				x := element(i)
				better := k.less(in.Type, x, c[0])
				if largest {
					better = k.less(in.Type, c[0], x)
				}
				return []*ir.Value{k.pick(better, x, c[0]), k.pick(better, i, c[1])}
			})
			return k.cast(best[1], elementTypes[out.Type].(*ir.IntegerType), false)
		})
		k.result(0, k.reshape(w, out.Shape))
		return nil
	}
}
