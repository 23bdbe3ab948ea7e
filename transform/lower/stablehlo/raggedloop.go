package stablehlo

import (
	"slices"

	"freehold/dialect/chlo"
	"freehold/dialect/stablehlo"
	"freehold/ir"
)

// raggedLoop is a product of groups on the level of stablehlo, which has no sizes that are known only at run time in it: a loop over the groups, each of which is the whole
// product of which what belongs to the group is kept. What is in no group, and what another group has, isn't multiplied into it: it may be infinite.
func (l *lowering) raggedLoop(op *ir.Op) ([]*ir.Value, error) {
	o := chlo.RaggedDotOp{Op: op}
	r := &raggedOperations{lowering: l, x: o.LHS(), y: o.RHS(), dims: o.Dims(), result: rankedResult(op, 0), precisions: l.ownPrecisions(op)}
	if slices.ContainsFunc([]*ir.Value{r.x, r.y, op.Result(0)}, func(v *ir.Value) bool { return quantizedOf(v) != nil || !isComputable(ranked(v).Elem) }) {
		return nil, errTypes
	}
	d := dimsOfDot{r.dims.LHSBatch, r.dims.RHSBatch, r.dims.LHSSum, r.dims.RHSSum}
	if slices.Contains(d.lhsBatch, r.dims.Ragged) {
		return one(r.product(r.x, r.y, d, r.result.Shape)), nil
	}
	for _, v := range []*ir.Value{r.x, r.y, o.GroupSizes(), op.Result(0)} {
		if !ir.IsStaticShape(ranked(v).Shape) {
			return nil, errorf("the sizes of its tensors aren't known, and stablehlo has no products of groups")
		}
	}
	if isEmpty(o.GroupSizes()) {
		return one(r.zeros(r.result)), nil
	}
	if len(ranked(o.GroupSizes()).Shape) > 1 {
		r.outer = r.dims.Outer(len(ranked(r.x).Shape))
	}
	return one(r.loop(o.GroupSizes(), d)), nil
}

// raggedOperations makes operations of stablehlo of a product of groups.
type raggedOperations struct {
	*lowering
	x, y       *ir.Value
	dims       chlo.RaggedDims
	outer      []int64
	result     *ir.RankedTensorType
	precisions ir.Attribute
}

// ownPrecisions are the precisions of a product as stablehlo has them; nil if it has none.
func (l *lowering) ownPrecisions(op *ir.Op) ir.Attribute {
	a, ok := op.Attr("precision_config").(*ir.ArrayAttr)
	if !ok {
		return nil
	}
	list := make([]ir.Attribute, len(a.Elems))
	for i, p := range a.Elems {
		list[i] = l.b.Context().EnumAttr(stablehlo.Precision, p.(*ir.EnumAttr).Value)
	}
	return l.b.Context().ArrayAttr(list...)
}

// create creates an operation with one result.
func (r *raggedOperations) create(id *ir.OpID, shape []int64, elem ir.Type, operands []*ir.Value, attrs ...ir.NamedAttr) *ir.Value {
	return r.b.CreateOp(id, []ir.Type{r.b.Context().RankedTensor(shape, elem)}, operands, attrs...).Result(0)
}

func (r *raggedOperations) list(name string, numbers ...int64) ir.NamedAttr {
	return ir.NamedAttr{Name: name, Value: r.b.Context().DenseI64Array(numbers...)}
}

func (r *raggedOperations) number(n int64) *ir.Value {
	c := r.b.Context()
	return stablehlo.NewConstant(r.b, c.DenseElements(c.RankedTensor(nil, ir.I64), elementBytes(c.I64Attr(n))))
}

// product is the product of two tensors, with elements like the result.
func (r *raggedOperations) product(x, y *ir.Value, d dimsOfDot, shape []int64) *ir.Value {
	c := r.b.Context()
	attrs := []ir.NamedAttr{{Name: "dot_dimension_numbers", Value: stablehlo.Struct(c, "dot", c.DenseI64Array(d.lhsBatch...), c.DenseI64Array(d.rhsBatch...),
		c.DenseI64Array(d.lhsSum...), c.DenseI64Array(d.rhsSum...))}}
	if r.precisions != nil {
		attrs = append(attrs, ir.NamedAttr{Name: "precision_config", Value: r.precisions})
	}
	return r.create(stablehlo.DotGeneral, shape, r.result.Elem, []*ir.Value{x, y}, attrs...)
}

// group is the part of a tensor at an index of a dimension, which it has no more then.
func (r *raggedOperations) group(v *ir.Value, dim int, at *ir.Value) *ir.Value {
	t := ranked(v)
	sizes := slices.Clone(t.Shape)
	sizes[dim] = 1
	operands := append(one(v), slices.Repeat(one(r.number(0)), len(sizes))...)
	operands[dim+1] = at
	part := r.create(stablehlo.DynamicSlice, sizes, t.Elem, operands, r.list("slice_sizes", sizes...))
	return r.create(stablehlo.Reshape, slices.Delete(sizes, dim, dim+1), t.Elem, one(part))
}

// inGroup tells of each element of a tensor whether its index of a dimension is one of those from start up to end, which are numbers, or tensors along the dimensions outer.
func (r *raggedOperations) inGroup(v *ir.Value, dim int64, outer []int64, start, end *ir.Value) *ir.Value {
	f := r.tensorFormula(v, ir.I64)
	shape := ranked(v).Shape
	at := r.create(stablehlo.Iota, shape, ir.I64, nil, ir.NamedAttr{Name: "iota_dimension", Value: r.b.Context().I64Attr(dim)})
	spread := func(x *ir.Value) *ir.Value {
		return r.create(stablehlo.BroadcastInDim, shape, ir.I64, one(x), r.list("broadcast_dimensions", outer...))
	}
	return f.both(f.compare(stablehlo.GE, at, spread(start)), f.less(at, spread(end)))
}

// loop goes through the groups.
func (r *raggedOperations) loop(groups *ir.Value, d dimsOfDot) *ir.Value {
	b := r.b
	c := b.Context()
	shape := ranked(groups).Shape
	last := len(shape) - 1
	outer := c.RankedTensor(shape[:last], ir.I64)
	groups = r.create(stablehlo.Convert, shape, ir.I64, one(groups))
	s := b.State(stablehlo.While)
	s.Operands = []*ir.Value{r.number(0), r.zeros(outer), r.zeros(r.result)}
	s.Types = ir.TypesOf(s.Operands)
	cond, body := s.AddRegion().AddBlock(s.Types...), s.AddRegion().AddBlock(s.Types...)
	loop := b.Create(s)
	b.SetEnd(cond)
	f := r.tensorFormula(cond.Args()[0], ir.I64)
	b.CreateOp(stablehlo.Return, nil, one(f.less(cond.Args()[0], f.at(float64(shape[last])))))
	b.SetEnd(body)
	g, start, sum := body.Args()[0], body.Args()[1], body.Args()[2]
	f = r.tensorFormula(start, ir.I64)
	// Groups end with lhs, whatever their sizes say.
	count := f.do(stablehlo.Maximum, f.do(stablehlo.Minimum, r.group(groups, last, g), f.at(float64(ranked(r.x).Shape[r.dims.Ragged]))), f.at(0))
	end := f.add(start, count)
	if at := slices.Index(d.lhsSum, r.dims.Ragged); at >= 0 {
		sum = r.withSum(sum, g, start, end, d, at)
	} else {
		sum = r.withRows(sum, g, start, end, d)
	}
	f = r.tensorFormula(g, ir.I64)
	b.CreateOp(stablehlo.Return, nil, []*ir.Value{f.add(g, f.at(1)), end, sum})
	b.SetAfter(loop)
	return loop.Result(2)
}

// zeros is a tensor of zeros.
func (r *raggedOperations) zeros(t *ir.RankedTensorType) *ir.Value {
	return stablehlo.NewConstant(r.b, r.b.Context().DenseElements(t, make([]byte, ir.ElementBytes(t.Elem))))
}

// withRows is the result with the rows of a group.
func (r *raggedOperations) withRows(result, g, start, end *ir.Value, d dimsOfDot) *ir.Value {
	y := r.group(r.y, int(r.dims.Groups), g)
	before := func(dims []int64) []int64 {
		out := slices.Clone(dims)
		for i, k := range out {
			if k > r.dims.Groups {
				out[i]--
			}
		}
		return out
	}
	p := r.product(r.x, y, dimsOfDot{d.lhsBatch, before(d.rhsBatch), d.lhsSum, before(d.rhsSum)}, r.result.Shape)
	// The dimensions of the result that are those of lhs.
	place := slices.Concat(d.lhsBatch, free(len(ranked(r.x).Shape), d.lhsBatch, d.lhsSum))
	outer := make([]int64, len(r.outer))
	for i, k := range r.outer {
		outer[i] = int64(slices.Index(place, k))
	}
	f := r.tensorFormula(result, r.result.Elem)
	return f.choose(r.inGroup(result, int64(slices.Index(place, r.dims.Ragged)), outer, start, end), p, result)
}

// withSum is the result with the sum of a group, which is divided along the sum with a number.
func (r *raggedOperations) withSum(result, g, start, end *ir.Value, d dimsOfDot, at int) *ir.Value {
	right := make([]int64, len(r.outer))
	for i, k := range r.outer {
		right[i] = slices.Concat(d.rhsBatch, d.rhsSum)[slices.Index(slices.Concat(d.lhsBatch, d.lhsSum), k)]
	}
	of := func(v *ir.Value, dim int64, outer []int64) *ir.Value {
		t := ranked(v)
		return r.tensorFormula(v, t.Elem).choose(r.inGroup(v, dim, outer, start, end), v, r.zeros(t))
	}
	p := r.product(of(r.x, r.dims.Ragged, r.outer), of(r.y, d.rhsSum[at], right), d, r.result.Shape[1:])
	part := r.create(stablehlo.Reshape, append([]int64{1}, r.result.Shape[1:]...), r.result.Elem, one(p))
	operands := append([]*ir.Value{result, part, g}, slices.Repeat([]*ir.Value{r.number(0)}, len(r.result.Shape)-1)...)
	return r.create(stablehlo.DynamicUpdateSlice, r.result.Shape, r.result.Elem, operands)
}
