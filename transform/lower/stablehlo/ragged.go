package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/chlo"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/shapes"
)

// raggedDot multiplies groups of lhs by what rhs has for each group, group by group: rows, each by a matrix of its own, or parts of sums, each of which is a result of its own. Groups of batches are products
// like others.
func (l *lowering) raggedDot(op *ir.Op) ([]*ir.Value, error) {
	x, y, groups := chlo.RaggedDotOp{Op: op}.LHS(), chlo.RaggedDotOp{Op: op}.RHS(), chlo.RaggedDotOp{Op: op}.GroupSizes()
	dims, t := chlo.RaggedDotOp{Op: op}.Dims(), rankedResult(op, 0)
	d := dimsOfDot{dims.LHSBatch, dims.RHSBatch, dims.LHSSum, dims.RHSSum}
	if slices.Contains(d.lhsBatch, dims.Ragged) {
		return one(l.dotOf(x, y, d, t.Shape, t.Elem)), nil
	}
	if len(ranked(groups).Shape) != 1 {
		return nil, errorf("the sizes of groups are a list, and not other ones for each batch")
	}
	r := &ragged{lowering: l, x: x, y: y, dims: dims, dot: d, result: t}
	if at := slices.Index(d.lhsSum, dims.Ragged); at >= 0 {
		return one(r.byGroups(groups, func(g, start *ir.Value, count size, to *ir.Value) *ir.Value {
			return r.part(g, start, count, to, d.rhsSum[at])
		})), nil
	}
	return one(r.byGroups(groups, r.rows)), nil
}

// ragged is a product whose lhs is divided into groups.
type ragged struct {
	*lowering
	x, y   *ir.Value
	dims   chlo.RaggedDims
	dot    dimsOfDot
	result *ir.RankedTensorType
}

// byGroups adds what add makes of each group to the result, which is zero without.
func (r *ragged) byGroups(groups *ir.Value, add func(g, start *ir.Value, count size, to *ir.Value) *ir.Value) *ir.Value {
	b := r.b
	e := &element{Builder: b}
	zeros := r.filled(r.sizes(groups), enter(b, e.number(plain(b.Context(), r.result.Elem), 0), r.result.Elem))
	end := value(b, tensor.MixedSize(b, r.x, int(r.dims.Ragged)))
	return r.loops([]size{tensor.MixedSize(b, groups, 0)}, []*ir.Value{zeros, index(b, 0)}, func(at, carried []*ir.Value) []*ir.Value {
		start := carried[1]
		// Groups end with lhs, whatever their sizes say.
		n := arith.New(b, arith.MinSI, r.asIndex(tensor.NewExtract(b, groups, at[0])), arith.New(b, arith.SubI, end, start))
		n = arith.New(b, arith.MaxSI, n, index(b, 0))
		return []*ir.Value{add(at[0], start, shapes.SizeOf(n), carried[0]), arith.New(b, arith.AddI, start, n)}
	})[0]
}

// free are the dimensions of a tensor of some rank that aren't in lists.
func free(rank int, lists ...int64) (out []int64) {
	for i := range int64(rank) {
		if !slices.Contains(lists, i) {
			out = append(out, i)
		}
	}
	return out
}

// sizes are those of the result.
func (r *ragged) sizes(groups *ir.Value) (out []size) {
	xs, ys := sizesOf(r.b, r.x), sizesOf(r.b, r.y)
	if r.dims.Groups < 0 {
		out = append(out, tensor.MixedSize(r.b, groups, 0))
	}
	for _, i := range r.dot.lhsBatch {
		out = append(out, xs[i])
	}
	for _, i := range free(len(xs), slices.Concat(r.dot.lhsBatch, r.dot.lhsSum)...) {
		out = append(out, xs[i])
	}
	for _, i := range free(len(ys), append(slices.Concat(r.dot.rhsBatch, r.dot.rhsSum), r.dims.Groups)...) {
		out = append(out, ys[i])
	}
	return r.agree(out, r.result.Shape)
}

// along is a part of a tensor along a dimension.
func (r *ragged) along(v *ir.Value, dim int64, start *ir.Value, count size) *ir.Value {
	sizes := sizesOf(r.b, v)
	offsets := slices.Repeat([]size{known(0)}, len(sizes))
	offsets[dim], sizes[dim] = shapes.SizeOf(start), count
	return r.sliced(v, offsets, sizes, ones(len(sizes)))
}

// rows writes the product of the rows of a group by its part of rhs.
func (r *ragged) rows(g, start *ir.Value, count size, to *ir.Value) *ir.Value {
	y := r.along(r.y, r.dims.Groups, g, known(1))
	// The dimension of groups, which is 1, becomes one along which the sum goes: that of a dimension of lhs of its own.
	x := r.along(r.x, r.dims.Ragged, start, count)
	d := r.dot
	d.lhsSum, d.rhsSum = append(slices.Clone(d.lhsSum), int64(len(ranked(x).Shape))), append(slices.Clone(d.rhsSum), r.dims.Groups)
	x = r.withOne(x)
	shape := slices.Clone(r.result.Shape)
	dim := len(d.lhsBatch) + slices.Index(free(len(ranked(r.x).Shape), slices.Concat(r.dot.lhsBatch, r.dot.lhsSum)...), r.dims.Ragged)
	shape[dim] = ir.Dynamic
	v := r.dotOf(x, y, d, shape, r.result.Elem)
	offsets := slices.Repeat([]size{known(0)}, len(shape))
	offsets[dim] = shapes.SizeOf(start)
	return r.inserted(v, to, offsets, ones(len(shape)))
}

// withOne gives a tensor a last dimension of size 1.
func (r *ragged) withOne(v *ir.Value) *ir.Value {
	sizes := append(sizesOf(r.b, v), known(1))
	last := int64(len(sizes) - 1)
	var groups [][]int64
	for i := range last {
		groups = append(groups, []int64{i})
	}
	groups[last-1] = append(groups[last-1], last)
	t := r.b.Context().RankedTensor(shapeOf(sizes), ranked(v).Elem)
	return tensor.NewExpandShape(r.b, t, v, groups, constants(sizes))
}

// part writes the product of the part of lhs and rhs along which a group sums.
func (r *ragged) part(g, start *ir.Value, count size, to *ir.Value, rhs int64) *ir.Value {
	v := r.dotOf(r.along(r.x, r.dims.Ragged, start, count), r.along(r.y, rhs, start, count), r.dot, r.result.Shape[1:], r.result.Elem)
	offsets := slices.Repeat([]size{known(0)}, len(r.result.Shape))
	offsets[0] = shapes.SizeOf(g)
	sizes := append([]size{known(1)}, sizesOf(r.b, v)...)
	return tensor.NewInsertSlice(r.b, v, to, shapes.Slice{Offsets: constants(offsets), Sizes: constants(sizes), Strides: constants(ones(len(sizes)))})
}
