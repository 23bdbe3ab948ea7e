package tflite

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
	"freehold/transform/import/tflite/model"
)

// Of some tensors the number of rows is known only when the model is executed: of those that operators in this file make, and what others make of them.

// rowKernels are the operators that take or make tensors with an unknown number of rows.
var rowKernels = map[string]bool{"WHERE": true, "UNIQUE": true, "CAST": true, "GATHER_ND": true, "GATHER": true}

// hasUnknownRows tells whether how many rows a tensor has is known only when the model is executed.
func hasUnknownRows(t *model.Tensor) bool { return len(t.Shape) > 0 && t.Shape[0] == ir.Dynamic }

// unknownRows gives tensors of a subgraph shapes whose first size isn't known, where it is an operator that says how many rows there are. The file has sizes for
// such tensors that mean nothing.
func unknownRows(g *model.Subgraph) {
	for _, o := range g.Operators {
		in := func(i int) *model.Tensor {
			if i < len(o.Inputs) && o.Inputs[i] >= 0 {
				return g.Tensors[o.Inputs[i]]
			}
			return &model.Tensor{}
		}
		if len(o.Outputs) == 0 {
			continue
		}
		out := g.Tensors[o.Outputs[0]]
		switch first := in(0); o.Code.String() {
		case "WHERE":
			out.Shape = []int64{ir.Dynamic, int64(len(first.Shape))}
		case "UNIQUE":
			out.Shape = []int64{ir.Dynamic}
		case "CAST":
			if hasUnknownRows(first) {
				out.Shape = slices.Clone(first.Shape)
			}
		case "GATHER_ND":
			if at := in(1); hasUnknownRows(at) && len(at.Shape) == 2 && at.Shape[1] <= int64(len(first.Shape)) {
				out.Shape = append([]int64{ir.Dynamic}, first.Shape[at.Shape[1]:]...)
			}
		case "GATHER":
			if at := in(1); hasUnknownRows(at) && len(first.Shape) > 0 && !hasUnknownRows(first) {
				out.Shape = append(slices.Clone(at.Shape), first.Shape[1:]...)
			}
		}
	}
}

// rows returns how many rows a value has, and nothing if that is known.
func (f *function) rows(v *ir.Value) []*ir.Value {
	if v.Type().(*ir.RankedTensorType).Shape[0] != ir.Dynamic {
		return nil
	}
	return []*ir.Value{tensor.NewDim(f.b, v, 0)}
}

// computedRows computes output 0, which has as many rows as a value, element by element from the indices of each.
func (k *kernel) computedRows(like *ir.Value, body func(at []*ir.Value) *ir.Value) {
	t := k.resultType(0)
	to := tensor.NewEmptyOf(k.b, t, k.rows(like))
	rank := len(t.Shape)
	k.result(0, linalg.NewGeneric(k.b, nil, []*ir.Value{to}, []*ir.AffineMap{k.ctx.IdentityMap(rank)}, make([]interfaces.Iterator, rank), func(*ir.Builder, []*ir.Value) []*ir.Value {
		return []*ir.Value{body(k.indices(rank))}
	}).Result(0))
}

// computedLike computes output 0 element by element from the indices of each. It has as many rows as a tensor, whose value is given, if their number isn't known.
func (k *kernel) computedLike(t *model.Tensor, v *ir.Value, body func(at []*ir.Value) *ir.Value) {
	if hasUnknownRows(t) {
		k.computedRows(v, body)
		return
	}
	k.computed(body)
}

// where is WHERE: the indices of all elements that aren't 0.
func where(k *kernel) error {
	in, out := k.in[0], k.out[0]
	if out.Type != model.Int64 || elementTypes[in.Type] == nil || in.Type == model.Int4 {
		return k.unsupported()
	}
	if len(in.Shape) == 0 {
		return k.malformed()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	count := ir.ElementCount(in.Shape)
	flat := k.reshape(v, []int64{count})
	zero, one := k.index(0), k.index(1)
	isThere := func(i *ir.Value) *ir.Value {
		x := k.at(flat, i)
		switch t := x.Type().(type) {
		case *ir.FloatType:
			return k.cmpf(arith.UNE, x, k.constant(k.ctx.FloatAttr(t, 0)))
		default:
			return k.cmp(arith.NE, x, k.int(t, 0))
		}
	}
	next := func(there, n *ir.Value) *ir.Value { return k.add(n, k.pick(there, one, zero)) }
	rows := k.nest([]span{k.upTo(count)}, zero, func(i []*ir.Value, n *ir.Value) *ir.Value { return next(isThere(i[0]), n) })
	to := tensor.NewEmptyOf(k.b, k.resultType(0), []*ir.Value{rows})
	k.result(0, k.loop(zero, k.index(count), one, []*ir.Value{to, zero}, func(i *ir.Value, c []*ir.Value) []*ir.Value {
		there := isThere(i)
		// Rows are written where they belong, and nothing where there is none.
		filled := k.nest([]span{{zero, k.pick(there, one, zero)}}, c[0], func(_ []*ir.Value, to *ir.Value) *ir.Value {
			rest := i
			for d := len(in.Shape) - 1; d >= 0; d-- {
				place := k.op2(arith.RemUI, rest, k.index(in.Shape[d]))
				rest = k.op2(arith.DivUI, rest, k.index(in.Shape[d]))
				to = tensor.NewInsert(k.b, k.cast(place, ir.I64, false), to, c[1], k.index(int64(d)))
			}
			return to
		})
		return []*ir.Value{filled, next(there, c[1])}
	})[0])
	return nil
}

// unique is UNIQUE: the elements of a list without those that were there before, and which one of them each element is.
func unique(k *kernel) error {
	in, values, places := k.in[0], k.out[0], k.out[1]
	if in.Type != values.Type || elementTypes[in.Type] == nil || in.Type == model.Int4 || in.Type == model.Bool || places.Type != model.Int32 && places.Type != model.Int64 {
		return k.unsupported()
	}
	if len(in.Shape) != 1 || !slices.Equal(places.Shape, in.Shape) {
		return k.malformed()
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	zero, one := k.index(0), k.index(1)
	same := func(x, y *ir.Value) *ir.Value {
		if ir.IsFloat(x.Type()) {
			return k.cmpf(arith.OEQ, x, y)
		}
		return k.cmp(arith.EQ, x, y)
	}
	list := v.Type().(*ir.RankedTensorType)
	place := elementTypes[places.Type].(*ir.IntegerType)
	inits := []*ir.Value{k.empty(list), k.empty(k.resultType(1)), zero}
	c := k.loop(zero, k.index(in.Shape[0]), one, inits, func(i *ir.Value, c []*ir.Value) []*ir.Value {
		x := k.at(v, i)
		// The last place of the same element is the only one; the place behind all is that of a new one.
		at := k.nest([]span{{zero, c[2]}}, c[2], func(j []*ir.Value, at *ir.Value) *ir.Value {
			return k.pick(same(x, k.at(c[0], j[0])), j[0], at)
		})
		grown := k.pick(k.cmp(arith.EQ, at, c[2]), k.add(c[2], one), c[2])
		return []*ir.Value{tensor.NewInsert(k.b, x, c[0], at), tensor.NewInsert(k.b, k.cast(at, place, false), c[1], i), grown}
	})
	part := shapes.Slice{Offsets: shapes.ConstSizes([]int64{0}), Sizes: []shapes.OpFoldResult{shapes.SizeOf(c[2])}, Strides: shapes.ConstSizes(ones(1))}
	k.result(0, tensor.NewExtractSlice(k.b, k.resultType(0), c[0], part))
	k.result(1, c[1])
	return nil
}
