package stablehlo

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/complex"
	"freehold/dialect/linalg"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// product is a sum of products. Numbers of fewer bits than f32 are summed up in that, as XLA does, and rounded once.
func (l *lowering) product(x, y *ir.Value, sizes []size, elem ir.Type, maps []*ir.AffineMap, iterators []interfaces.Iterator) *ir.Value {
	return l.narrowed(l.summed(x, y, sizes, l.sumType(elem), maps, iterators), sizes, elem)
}

// sumType is the type in which numbers of a type are summed up.
func (l *lowering) sumType(elem ir.Type) ir.Type {
	if f, ok := elem.(*ir.FloatType); ok && f.Width < ir.F32.Width {
		return ir.F32
	}
	return elem
}

// narrowed gives the elements of a tensor the type that is wanted.
func (l *lowering) narrowed(v *ir.Value, sizes []size, elem ir.Type) *ir.Value {
	if ranked(v).Elem == elem {
		return v
	}
	identity := slices.Repeat([]*ir.AffineMap{l.b.Context().IdentityMap(len(sizes))}, 2)
	return linalg.NewGeneric(l.b, one(v), one(empty(l.b, sizes, elem)), identity, parallel(len(sizes)), func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		return one((&body{l: l}).converted(args[0], elem))
	}).Result(0)
}

// summed is a linalg.generic that multiplies elements of two tensors, and adds.
func (l *lowering) summed(x, y *ir.Value, sizes []size, elem ir.Type, maps []*ir.AffineMap, iterators []interfaces.Iterator) *ir.Value {
	b := l.b
	c := b.Context()
	e := &element{Builder: b}
	zero := enter(b, e.number(plain(c, elem), 0), elem)
	return linalg.NewGeneric(b, []*ir.Value{x, y}, one(l.filled(sizes, zero)), maps, iterators, func(_ *ir.Builder, args []*ir.Value) []*ir.Value {
		convert := &body{l: l}
		p, q := enter(b, convert.converted(args[0], elem), plain(c, elem)), enter(b, convert.converted(args[1], elem), plain(c, elem))
		mul := arithmetic(arith.AndI, arith.MulI, arith.MulF, complex.Mul)(e, []*ir.Value{p, q})
		sum := arithmetic(arith.OrI, arith.AddI, arith.AddF, complex.Add)(e, []*ir.Value{enter(b, args[2], plain(c, elem)), mul})
		return one(enter(b, sum, elem))
	}).Result(0)
}

// dimsOfDot are the dimensions of a product: of batches, and those along which it sums.
type dimsOfDot struct{ lhsBatch, rhsBatch, lhsSum, rhsSum []int64 }

func (l *lowering) dotGeneral(op *ir.Op) ([]*ir.Value, error) {
	a := op.Attr("dot_dimension_numbers")
	return l.dotted(op, dimsOfDot{stablehlo.Dims(a, "lhs_batching_dimensions"), stablehlo.Dims(a, "rhs_batching_dimensions"),
		stablehlo.Dims(a, "lhs_contracting_dimensions"), stablehlo.Dims(a, "rhs_contracting_dimensions")})
}

func (l *lowering) dot(op *ir.Op) ([]*ir.Value, error) {
	return l.dotted(op, dimsOfDot{lhsSum: []int64{int64(len(ranked(stablehlo.DotOp{Op: op}.LHS()).Shape) - 1)}, rhsSum: []int64{0}})
}

// dotted sums products. The loops go along the dimensions of the result, and then those of the sum.
func (l *lowering) dotted(op *ir.Op, d dimsOfDot) ([]*ir.Value, error) {
	t := rankedResult(op, 0)
	return one(l.dotOf(stablehlo.ProductOp{Op: op}.LHS(), stablehlo.ProductOp{Op: op}.RHS(), d, t.Shape, t.Elem)), nil
}

// dotOf is the product of two tensors. Its dimensions are those of batches, those of x that remain, and those of y; shape is what is known of them.
func (l *lowering) dotOf(x, y *ir.Value, d dimsOfDot, shape []int64, elem ir.Type) *ir.Value {
	c := l.b.Context()
	left, right := make([]*ir.AffineExpr, len(ranked(x).Shape)), make([]*ir.AffineExpr, len(ranked(y).Shape))
	ls, rs := sizesOf(l.b, x), sizesOf(l.b, y)
	var sizes []size
	next := 0
	loop := func() *ir.AffineExpr { next++; return c.AffineDim(next - 1) }
	for i, k := range d.lhsBatch {
		left[k] = loop()
		right[d.rhsBatch[i]] = left[k]
		sizes = append(sizes, ls[k])
	}
	for i := range left {
		if left[i] == nil && !slices.Contains(d.lhsSum, int64(i)) {
			left[i] = loop()
			sizes = append(sizes, ls[i])
		}
	}
	for i := range right {
		if right[i] == nil && !slices.Contains(d.rhsSum, int64(i)) {
			right[i] = loop()
			sizes = append(sizes, rs[i])
		}
	}
	outs := next
	for i, k := range d.lhsSum {
		left[k] = loop()
		right[d.rhsSum[i]] = left[k]
	}
	iterators := parallel(next)
	for i := outs; i < next; i++ {
		iterators[i] = interfaces.Reduction
	}
	result := make([]*ir.AffineExpr, outs)
	for i := range result {
		result[i] = c.AffineDim(i)
	}
	maps := []*ir.AffineMap{c.AffineMap(next, 0, left...), c.AffineMap(next, 0, right...), c.AffineMap(next, 0, result...)}
	return l.product(x, y, l.agree(sizes, shape), elem, maps, iterators)
}

// convolution sums products along windows. Where there is padding, it goes strip by strip: one batch and one index of the first dimension of windows at a time.
func (l *lowering) convolution(op *ir.Op) ([]*ir.Value, error) {
	b := l.b
	c := b.Context()
	d := stablehlo.ConvDimsOf(op.Attr("dimension_numbers"))
	w, err := stablehlo.WindowOf(op, len(d.InputSpatial))
	if err != nil {
		return nil, err
	}
	o := &convolution{lowering: l, dims: d, window: w, features: intAttr(op, "feature_group_count"), batches: intAttr(op, "batch_group_count"), elem: rankedResult(op, 0).Elem}
	x, shape := stablehlo.ProductOp{Op: op}.LHS(), rankedResult(op, 0).Shape
	kernel := l.turned(stablehlo.ProductOp{Op: op}.RHS(), d, w)
	pads := l.convolutionPads(op, d, w, len(ranked(x).Shape))
	e := &element{Builder: b}
	elem := ranked(x).Elem
	zero := enter(b, e.number(plain(c, elem), 0), elem)
	xs, ks := l.paddedSizes(x, pads), sizesOf(b, kernel)
	sizes := l.agree(o.sizes(xs, ks), shape)
	if isAnyZero(xs) || isEmpty(kernel) || slices.Contains(shape, 0) {
		return one(l.filled(sizes, enter(b, e.number(plain(c, o.elem), 0), o.elem))), nil
	}
	strips := o.strips(pads, xs, sizes, ks)
	part := slices.Clone(shape)
	for _, s := range strips {
		part[s.result] = 1
	}
	return l.byStrips(strips, one(x), one(zero), pads, sizes, []ir.Type{o.elem}, func(parts []*ir.Value) []*ir.Value {
		return one(o.of(parts[0], kernel, part))
	}), nil
}

// isAnyZero tells whether a size is known to be 0.
func isAnyZero(sizes []size) bool {
	return slices.ContainsFunc(sizes, func(s size) bool { return s.IsConst(0) })
}

// turned is a kernel whose elements are reversed along the dimensions in which windows say so.
func (l *lowering) turned(kernel *ir.Value, d *stablehlo.ConvDims, w []stablehlo.WindowDim) *ir.Value {
	var reversed []int64
	for i, k := range w {
		if k.Reversed {
			reversed = append(reversed, d.KernelSpatial[i])
		}
	}
	if len(reversed) == 0 {
		return kernel
	}
	return l.reversed(kernel, reversed)
}

// convolution is what is known about a convolution: its dimensions, windows, groups, and the elements of its result.
type convolution struct {
	*lowering
	dims              *stablehlo.ConvDims
	window            []stablehlo.WindowDim
	features, batches int64
	elem              ir.Type
}

// span is how many elements of the input windows take along a dimension.
func (o *convolution) span(i int, kernel []size) size {
	return plus(o.b, times(o.b, minus(o.b, kernel[o.dims.KernelSpatial[i]], known(1)), known(o.window[i].Dilation)), known(1))
}

// sizes are those of the result for an input and a kernel.
func (o *convolution) sizes(xs, ks []size) []size {
	b, d := o.b, o.dims
	sizes := make([]size, len(xs))
	sizes[d.OutputBatch], sizes[d.OutputFeature] = quotient(b, xs[d.InputBatch], o.batches), ks[d.KernelOutput]
	for i, k := range o.window {
		room := plus(b, minus(b, xs[d.InputSpatial[i]], o.span(i, ks)), known(k.Stride))
		sizes[d.OutputSpatial[i]] = quotient(b, larger(b, room, known(0)), k.Stride)
	}
	return sizes
}

// strips are the strips in which a convolution with padding is computed: of the batches, unless they are in groups, and of the first dimension of windows.
func (o *convolution) strips(pads []padding, xs, sizes, ks []size) (out []strip) {
	if o.WholePadding || areZero(pads) {
		return nil
	}
	add := func(dim, result int64, stride int64, span size) {
		s := strip{dim: int(dim), result: int(result), stride: known(stride), span: span, count: sizes[result]}
		if s.isWorthIt(xs[dim]) {
			out = append(out, s)
		}
	}
	if o.batches == 1 {
		add(o.dims.InputBatch, o.dims.OutputBatch, 1, known(1))
	}
	// A strip along the only dimension of windows is one window, and small enough without where there are batches.
	if len(o.window) > 1 || len(out) == 0 && len(o.window) > 0 {
		add(o.dims.InputSpatial[0], o.dims.OutputSpatial[0], o.window[0].Stride, o.span(0, ks))
	}
	return out
}

// of is the convolution of an input without padding, where neither it nor the kernel is empty. Groups of features, or of batches, are a dimension of their own meanwhile. shape is
// what is known of the result's.
func (o *convolution) of(x, kernel *ir.Value, shape []int64) *ir.Value {
	b, d, n := o.b, o.dims, len(o.window)
	c := b.Context()
	xs, ks := sizesOf(b, x), sizesOf(b, kernel)
	next := 0
	loop := func() *ir.AffineExpr { next++; return c.AffineDim(next - 1) }
	left, right, result := make([]*ir.AffineExpr, len(xs)), make([]*ir.AffineExpr, len(ks)), make([]*ir.AffineExpr, len(xs))
	groups := max(o.features, o.batches)
	var group *ir.AffineExpr
	if groups > 1 {
		group = loop()
	}
	left[d.InputBatch] = loop()
	result[d.OutputBatch] = left[d.InputBatch]
	right[d.KernelOutput] = loop()
	result[d.OutputFeature] = right[d.KernelOutput]
	places := make([]*ir.AffineExpr, n)
	for i := range o.window {
		places[i] = loop()
		result[d.OutputSpatial[i]] = places[i]
	}
	outs := next
	left[d.InputFeature] = loop()
	right[d.KernelInput] = left[d.InputFeature]
	for i, k := range o.window {
		part := loop()
		right[d.KernelSpatial[i]] = part
		left[d.InputSpatial[i]] = c.AffineAdd(c.AffineMul(places[i], c.AffineConstant(k.Stride)), c.AffineMul(part, c.AffineConstant(k.Dilation)))
	}
	iterators := parallel(next)
	for i := outs; i < next; i++ {
		iterators[i] = interfaces.Reduction
	}
	sizes := o.agree(o.sizes(xs, ks), shape)
	if groups > 1 {
		// Groups divide the features of the input, or its batches, and the features of kernel and result.
		divided := d.InputFeature
		if o.batches > 1 {
			divided = d.InputBatch
		}
		x, left = o.divided(x, divided, groups), slices.Insert(left, int(divided), group)
		kernel, right = o.divided(kernel, d.KernelOutput, groups), slices.Insert(right, int(d.KernelOutput), group)
		sizes[d.OutputFeature] = quotient(b, sizes[d.OutputFeature], groups)
		sizes, result = slices.Insert(sizes, int(d.OutputFeature), known(groups)), slices.Insert(result, int(d.OutputFeature), group)
	}
	maps := []*ir.AffineMap{c.AffineMap(next, 0, left...), c.AffineMap(next, 0, right...), c.AffineMap(next, 0, result...)}
	v := o.product(x, kernel, sizes, o.elem, maps, iterators)
	if groups > 1 {
		v = tensor.NewCollapseShape(b, v, withPair(len(shape), int(d.OutputFeature)))
	}
	return v
}

// convolutionPads are the paddings of the input: of its spatial dimensions, as the window says, or an operand.
func (l *lowering) convolutionPads(op *ir.Op, d *stablehlo.ConvDims, w []stablehlo.WindowDim, rank int) []padding {
	pads := slices.Repeat([]padding{{known(0), known(0), known(0)}}, rank)
	for i, k := range w {
		pads[d.InputSpatial[i]] = padding{known(k.Low), known(k.High), known(k.BaseDilation - 1)}
	}
	if op.Is(stablehlo.DynamicConv) {
		v := stablehlo.DynamicConvOp{Op: op}.DPadding()
		for i := range w {
			at := func(k int64) size {
				return shapes.SizeOf(l.asIndex(tensor.NewExtract(l.b, v, index(l.b, int64(i)), index(l.b, k))))
			}
			pads[d.InputSpatial[i]].low, pads[d.InputSpatial[i]].high = at(0), at(1)
		}
	}
	return pads
}

// divided makes two dimensions of one: the first one is the group.
func (l *lowering) divided(v *ir.Value, dim, groups int64) *ir.Value {
	sizes := sizesOf(l.b, v)
	rank := len(sizes)
	sizes[dim] = quotient(l.b, sizes[dim], groups)
	sizes = constants(slices.Insert(sizes, int(dim), known(groups)))
	t := l.b.Context().RankedTensor(shapeOf(sizes), ranked(v).Elem)
	return tensor.NewExpandShape(l.b, t, v, withPair(rank, int(dim)), sizes)
}

// withPair are the groups of a reshape that joins two dimensions to one.
func withPair(rank, dim int) [][]int64 {
	var out [][]int64
	next := int64(0)
	for i := range rank {
		out = append(out, []int64{next})
		next++
		if i == dim {
			out[i] = append(out[i], next)
			next++
		}
	}
	return out
}
