package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/shapes"
)

// gather makes a tensor of slices of another one, whose places are in a tensor of indices: each element is taken where it is.
func (l *lowering) gather(op *ir.Op) ([]*ir.Value, error) {
	b, v, at := l.b, stablehlo.GatherOp{Op: op}.OperandValue(), stablehlo.GatherOp{Op: op}.StartIndices()
	g := stablehlo.GatherDimsOf(op.Attr("dimension_numbers"))
	in := sizesOf(b, v)
	slice := shapes.ConstSizes(ints(op, "slice_sizes"))
	if op.Is(stablehlo.DynamicGather) {
		slice = l.listed(stablehlo.DynamicGatherOp{Op: op}.SliceSizes(), len(in))
	}
	window, batch := g.Window(len(in)), g.Batch(len(ranked(at).Shape))
	indexSizes := sizesOf(b, at)
	t := rankedResult(op, 0)
	sizes := make([]size, len(t.Shape))
	var batches []int
	for d := range sizes {
		if i := slices.Index(g.Offset, int64(d)); i >= 0 {
			sizes[d] = slice[window[i]]
		} else {
			sizes[d] = indexSizes[batch[len(batches)]]
			batches = append(batches, d)
		}
	}
	limits := make([]*ir.Value, len(in))
	for _, d := range g.Map {
		limits[d] = value(b, larger(b, minus(b, in[d], slice[d]), known(0)))
	}
	return one(l.generate(l.agree(sizes, t.Shape), t.Elem, func(indices []*ir.Value) *ir.Value {
		place := l.indexPlace(g, indices, batches, len(indexSizes))
		where := make([]*ir.Value, len(in))
		for i, d := range window {
			where[d] = indices[g.Offset[i]]
		}
		for i, d := range g.OperandBatch {
			where[d] = place(0)[g.IndicesBatch[i]]
		}
		for k, d := range g.Map {
			start := l.asIndex(tensor.NewExtract(b, at, place(k)...))
			start = arith.New(b, arith.MinSI, arith.New(b, arith.MaxSI, start, index(b, 0)), limits[d])
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
		}
		return tensor.NewExtract(b, v, where...)
	})), nil
}

// indexPlace returns where part k of the index is that belongs to a place in the result, or in the updates of a scatter.
func (l *lowering) indexPlace(g *stablehlo.GatherDims, indices []*ir.Value, batches []int, rank int) func(k int) []*ir.Value {
	return func(k int) []*ir.Value {
		out := make([]*ir.Value, rank)
		n := 0
		for d := range out {
			if int64(d) == g.Vector {
				out[d] = index(l.b, int64(k))
				continue
			}
			out[d] = indices[batches[n]]
			n++
		}
		return out
	}
}

// indexSelect is gather along one dimension, whose indices are a tensor of numbers.
func (l *lowering) indexSelect(op *ir.Op) ([]*ir.Value, error) {
	b, v, at := l.b, stablehlo.TorchIndexSelectOp{Op: op}.OperandValue(), stablehlo.TorchIndexSelectOp{Op: op}.Index()
	in, where := sizesOf(b, v), sizesOf(b, at)
	dim, batch := int(intAttr(op, "dim")), int(intAttr(op, "batch_dims"))
	if dim >= len(in) || batch > dim || batch > len(where) {
		return nil, errorf("it has no such dimensions")
	}
	sizes := slices.Concat(in[:dim], where[batch:], in[dim+1:])
	added := len(where) - batch
	return one(l.generate(sizes, ranked(v).Elem, func(indices []*ir.Value) *ir.Value {
		i := l.asIndex(tensor.NewExtract(b, at, slices.Concat(indices[:batch], indices[dim:dim+added])...))
		return tensor.NewExtract(b, v, slices.Concat(indices[:dim], one(i), indices[dim+added:])...)
	})), nil
}

// setDimensionSize cuts a tensor to a size along a dimension.
func (l *lowering) setDimensionSize(op *ir.Op) ([]*ir.Value, error) {
	v := stablehlo.SetDimensionSizeOp{Op: op}.OperandValue()
	sizes := sizesOf(l.b, v)
	dim := intAttr(op, "dimension")
	sizes[dim] = shapes.SizeOf(l.asIndex(l.only(stablehlo.SetDimensionSizeOp{Op: op}.Size())))
	if n := rankedResult(op, 0).Shape[dim]; n != ir.Dynamic {
		sizes[dim] = known(n)
	}
	return one(l.sliced(v, make([]size, len(sizes)), sizes, ones(len(sizes)))), nil
}
