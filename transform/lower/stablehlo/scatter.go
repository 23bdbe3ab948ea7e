package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
)

// scatter combines elements of a tensor with updates, in places that a tensor of indices tells. What is outside is left out.
func (l *lowering) scatter(op *ir.Op) ([]*ir.Value, error) {
	b := l.b
	n := op.NumOperands() / 2
	all := op.Operands().Values()
	inputs, at, updates := all[:n], all[n], all[n+1:]
	g := stablehlo.GatherDimsOf(op.Attr("scatter_dimension_numbers"))
	in := ranked(inputs[0])
	window := g.Window(len(in.Shape))
	rank := len(ranked(at).Shape)
	extents := values(b, sizesOf(b, inputs[0]))
	var batches []int
	for d := range ranked(updates[0]).Shape {
		if !slices.Contains(g.Offset, int64(d)) {
			batches = append(batches, d)
		}
	}
	var x combining
	out := l.loops(sizesOf(b, updates[0]), inputs, func(indices, carried []*ir.Value) []*ir.Value {
		place := l.indexPlace(g, indices, batches, rank)
		where := make([]*ir.Value, len(in.Shape))
		for i, d := range window {
			where[d] = indices[g.Offset[i]]
		}
		for i, d := range g.OperandBatch {
			where[d] = place(0)[g.IndicesBatch[i]]
		}
		var inside *ir.Value
		for k, d := range g.Map {
			start := l.asIndex(tensor.NewExtract(b, at, place(k)...))
			if where[d] == nil {
				where[d] = start
			} else {
				where[d] = arith.New(b, arith.AddI, start, where[d])
			}
		}
		for d := range where {
			if where[d] == nil {
				where[d] = index(b, 0)
			}
			ok := l.isInside(where[d], extents[d])
			if inside == nil {
				inside = ok
			} else {
				inside = arith.New(b, arith.AndI, inside, ok)
			}
		}
		store := func() []*ir.Value {
			args := make([]*ir.Value, 2*n)
			for i := range n {
				args[i], args[n+i] = tensor.NewExtract(b, carried[i], where...), tensor.NewExtract(b, updates[i], indices...)
			}
			next := x.of(l, op.RegionAt(0), args, n)
			res := make([]*ir.Value, n)
			for i := range n {
				res[i] = tensor.NewInsert(b, next[i], carried[i], where...)
			}
			return res
		}
		if inside == nil {
			return store()
		}
		return l.when(inside, store, func() []*ir.Value { return carried }, ir.TypesOf(carried))
	})
	return out, x.err
}
