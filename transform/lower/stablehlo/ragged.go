package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/chlo"
	"freehold/dialect/complex"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/shapes"
)

// raggedDot multiplies groups of lhs by what rhs has for each group, group by group: rows, each by a matrix of its own, or parts of sums, each of which is a result of its own. Groups of batches are products
// like others.
func (l *lowering) raggedDot(op *ir.Op) ([]*ir.Value, error) {
	x, y, groups := chlo.RaggedDotOp{Op: op}.LHS(), chlo.RaggedDotOp{Op: op}.RHS(), chlo.RaggedDotOp{Op: op}.GroupSizes()
	dims, t := chlo.RaggedDotOp{Op: op}.Dims(), rankedResult(op, 0)
	if !isComputable(t.Elem) {
		return nil, errTypes
	}
	d := dimsOfDot{dims.LHSBatch, dims.RHSBatch, dims.LHSSum, dims.RHSSum}
	if slices.Contains(d.lhsBatch, dims.Ragged) {
		return one(l.dotOf(x, y, d, t.Shape, t.Elem)), nil
	}
	r := &ragged{lowering: l, x: x, y: y, groups: groups, dims: dims, dot: d, shape: t.Shape, elem: t.Elem}
	if len(ranked(groups).Shape) > 1 {
		r.outer = dims.Outer(len(ranked(x).Shape))
	}
	// Where a result has several parts, one for each of the outer indices of a sum, it is as wide as sums are until all are there.
	if r.sum = slices.Index(d.lhsSum, dims.Ragged); r.sum >= 0 && len(r.outer) > len(d.lhsBatch) {
		r.elem = l.sumType(t.Elem)
	}
	sizes := r.sizes()
	return one(l.narrowed(r.product(sizes), sizes, t.Elem)), nil
}

// ragged is a product whose lhs is divided into groups.
type ragged struct {
	*lowering
	x, y, groups *ir.Value
	dims         chlo.RaggedDims
	dot          dimsOfDot
	// outer are the dimensions of lhs whose indices have groups of their own.
	outer []int64
	// sum is the number of the sum that is divided into groups, or -1 if rows are.
	sum int
	// shape is what is known of that of the result, and elem the type of its elements meanwhile.
	shape []int64
	elem  ir.Type
}

// product goes through the outer indices, and for each through its groups.
func (r *ragged) product(sizes []size) *ir.Value {
	b := r.b
	e := &element{Builder: b}
	zeros := r.filled(sizes, enter(b, e.number(plain(b.Context(), r.elem), 0), r.elem))
	counts := sizesOf(b, r.groups)
	last := len(counts) - 1
	return r.loops(counts[:last], one(zeros), func(at, carried []*ir.Value) []*ir.Value {
		p := r.part(at)
		end := value(b, tensor.MixedSize(b, r.x, int(r.dims.Ragged)))
		return r.loops(counts[last:], append(carried, index(b, 0)), func(g, carried []*ir.Value) []*ir.Value {
			start := carried[1]
			// Groups end with lhs, whatever their sizes say.
			n := r.asIndex(tensor.NewExtract(b, r.groups, append(slices.Clone(at), g[0])...))
			n = arith.New(b, arith.MaxSI, arith.New(b, arith.MinSI, n, arith.New(b, arith.SubI, end, start)), index(b, 0))
			return []*ir.Value{p.add(g[0], start, shapes.SizeOf(n), carried[0]), arith.New(b, arith.AddI, start, n)}
		})[:1]
	})[0]
}

// raggedPart is the part of a product at some outer indices: of both factors, and where it is in the result.
type raggedPart struct {
	*ragged
	x, y    *ir.Value
	offsets []size
	shape   []int64
}

// part is the part at some outer indices.
func (r *ragged) part(at []*ir.Value) *raggedPart {
	p := &raggedPart{r, r.x, r.y, slices.Repeat([]size{known(0)}, len(r.shape)), slices.Clone(r.shape)}
	first := len(r.shape) - len(r.remaining())
	rows := free(len(ranked(r.x).Shape), r.dot.lhsBatch, r.dot.lhsSum)
	for i, dim := range r.outer[:len(at)] {
		p.x = r.along(p.x, dim, at[i], known(1))
		switch batch, sum := slices.Index(r.dot.lhsBatch, dim), slices.Index(r.dot.lhsSum, dim); {
		case batch >= 0:
			p.y = r.along(p.y, r.dot.rhsBatch[batch], at[i], known(1))
			p.at(first-len(r.dot.lhsBatch)+batch, at[i])
		case sum >= 0:
			p.y = r.along(p.y, r.dot.rhsSum[sum], at[i], known(1))
		default:
			p.at(first+slices.Index(rows, dim), at[i])
		}
	}
	return p
}

// at says that the part is at an index of a dimension of the result.
func (p *raggedPart) at(dim int, i *ir.Value) { p.offsets[dim], p.shape[dim] = shapes.SizeOf(i), 1 }

// add puts what a group makes of the part where it belongs.
func (p *raggedPart) add(g, start *ir.Value, count size, to *ir.Value) *ir.Value {
	if p.sum >= 0 {
		return p.addSum(g, start, count, to)
	}
	return p.addRows(g, start, count, to)
}

// free are the dimensions of a tensor of some rank that aren't in lists.
func free(rank int, lists ...[]int64) (out []int64) {
	for i := range int64(rank) {
		if !slices.Contains(slices.Concat(lists...), i) {
			out = append(out, i)
		}
	}
	return out
}

// remaining are the sizes of what remains of lhs and rhs.
func (r *ragged) remaining() (out []size) {
	xs, ys := sizesOf(r.b, r.x), sizesOf(r.b, r.y)
	for _, i := range free(len(xs), r.dot.lhsBatch, r.dot.lhsSum) {
		out = append(out, xs[i])
	}
	for _, i := range free(len(ys), r.dot.rhsBatch, r.dot.rhsSum, []int64{r.dims.Groups}) {
		out = append(out, ys[i])
	}
	return out
}

// sizes are those of the result.
func (r *ragged) sizes() (out []size) {
	if r.sum >= 0 {
		out = append(out, tensor.MixedSize(r.b, r.groups, len(ranked(r.groups).Shape)-1))
	}
	for _, i := range r.dot.lhsBatch {
		out = append(out, tensor.MixedSize(r.b, r.x, int(i)))
	}
	return r.agree(append(out, r.remaining()...), r.shape)
}

// along is a part of a tensor along a dimension.
func (r *ragged) along(v *ir.Value, dim int64, start *ir.Value, count size) *ir.Value {
	sizes := sizesOf(r.b, v)
	offsets := slices.Repeat([]size{known(0)}, len(sizes))
	offsets[dim], sizes[dim] = shapes.SizeOf(start), count
	return r.sliced(v, offsets, sizes, ones(len(sizes)))
}

// addRows writes the product of the rows of a group by its part of rhs.
func (p *raggedPart) addRows(g, start *ir.Value, count size, to *ir.Value) *ir.Value {
	y := p.along(p.y, p.dims.Groups, g, known(1))
	// The dimension of groups, which is 1, becomes one along which the sum goes: that of a dimension of lhs of its own.
	x := p.withOne(p.along(p.x, p.dims.Ragged, start, count))
	d := p.dot
	rank := len(ranked(p.x).Shape)
	d.lhsSum, d.rhsSum = append(slices.Clone(d.lhsSum), int64(rank)), append(slices.Clone(d.rhsSum), p.dims.Groups)
	dim := len(d.lhsBatch) + slices.Index(free(rank, p.dot.lhsBatch, p.dot.lhsSum), p.dims.Ragged)
	shape, offsets := slices.Clone(p.shape), slices.Clone(p.offsets)
	shape[dim], offsets[dim] = ir.Dynamic, shapes.SizeOf(start)
	return p.inserted(p.dotOf(x, y, d, shape, p.elem), to, offsets, ones(len(shape)))
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

// addSum adds the product of the part of lhs and rhs along which a group sums.
func (p *raggedPart) addSum(g, start *ir.Value, count size, to *ir.Value) *ir.Value {
	b := p.b
	v := p.dotOf(p.along(p.x, p.dims.Ragged, start, count), p.along(p.y, p.dot.rhsSum[p.sum], start, count), p.dot, p.shape[1:], p.elem)
	offsets := slices.Clone(p.offsets)
	offsets[0] = shapes.SizeOf(g)
	sizes := sizesOf(b, v)
	at := shapes.Slice{Offsets: constants(offsets), Sizes: constants(append([]size{known(1)}, sizes...)), Strides: constants(ones(len(offsets)))}
	if len(p.outer) > len(p.dot.lhsBatch) {
		before := tensor.NewExtractSlice(b, v.Type().(*ir.RankedTensorType), to, at)
		e := &element{Builder: b}
		maps := slices.Repeat([]*ir.AffineMap{b.Context().IdentityMap(len(sizes))}, 2)
		v = linalg.NewGeneric(b, one(v), one(before), maps, parallel(len(sizes)), func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
			x, y := enter(b, args[1], plain(b.Context(), p.elem)), enter(b, args[0], plain(b.Context(), p.elem))
			return one(enter(b, arithmetic(arith.OrI, arith.AddI, arith.AddF, complex.Add)(e, []*ir.Value{x, y}), p.elem))
		}).Result(0)
	}
	return tensor.NewInsertSlice(b, v, to, at)
}
