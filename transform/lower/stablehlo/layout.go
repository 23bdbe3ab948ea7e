package stablehlo

import (
	"math"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/stablehlo"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/shapes"
)

func one(v *ir.Value) []*ir.Value { return []*ir.Value{v} }

func ints(op *ir.Op, name string) []int64 { return stablehlo.Ints(op.Attr(name)) }

func (l *lowering) constant(op *ir.Op) ([]*ir.Value, error) {
	a := op.Attr("value")
	return one(arith.NewConstant(l.b, a).Result(0)), nil
}

func (l *lowering) iota(op *ir.Op) ([]*ir.Value, error) {
	t := rankedResult(op, 0)
	sizes := shapes.ConstSizes(t.Shape)
	if op.Is(stablehlo.DynamicIota) {
		sizes = l.listed(stablehlo.DynamicIotaOp{Op: op}.OutputShape(), len(t.Shape))
	}
	dim := intAttr(op, "iota_dimension")
	return one(l.generate(l.agree(sizes, t.Shape), t.Elem, func(indices []*ir.Value) *ir.Value { return l.fromIndex(indices[dim], t.Elem) })), nil
}

// agree returns sizes that are as known as a type says.
func (l *lowering) agree(sizes []size, shape []int64) []size {
	out := slices.Clone(sizes)
	for i, n := range shape {
		if n != ir.Dynamic {
			out[i] = known(n)
		}
	}
	return out
}

func (l *lowering) broadcastInDim(op *ir.Op) ([]*ir.Value, error) {
	t := rankedResult(op, 0)
	sizes := shapes.ConstSizes(t.Shape)
	if op.Is(stablehlo.DynamicBroadcastInDim) {
		sizes = l.agree(l.listed(stablehlo.DynamicBroadcastInDimOp{Op: op}.OutputDimensions(), len(t.Shape)), t.Shape)
	}
	return one(l.spread(stablehlo.BroadcastInDimOp{Op: op}.OperandValue(), sizes, ints(op, "broadcast_dimensions"))), nil
}

func (l *lowering) broadcast(op *ir.Op) ([]*ir.Value, error) {
	v := stablehlo.BroadcastOp{Op: op}.OperandValue()
	more := ints(op, "broadcast_sizes")
	sizes := append(shapes.ConstSizes(more), sizesOf(l.b, v)...)
	dims := make([]int64, len(ranked(v).Shape))
	for i := range dims {
		dims[i] = int64(i + len(more))
	}
	return one(l.spread(v, sizes, dims)), nil
}

// spread repeats a tensor along dimensions that it doesn't have, or in which it has one element.
func (l *lowering) spread(v *ir.Value, sizes []size, dims []int64) *ir.Value {
	in := ranked(v)
	if len(in.Shape) == 0 {
		return l.filled(sizes, l.only(v))
	}
	c := l.b.Context()
	rank := len(sizes)
	exprs := make([]*ir.AffineExpr, len(dims))
	certain := true
	for i, d := range dims {
		exprs[i] = c.AffineDim(int(d))
		n, ok := sizes[d].Int()
		switch m := in.Shape[i]; {
		case m == 1 && !(ok && n == 1):
			exprs[i] = c.AffineConstant(0)
		case m == ir.Dynamic && !(ok && n == 1):
			// It may be 1, and repeated.
			certain = false
		}
	}
	if !certain {
		extents := values(l.b, sizesOf(l.b, v))
		ones := index(l.b, 1)
		zero := index(l.b, 0)
		return l.generate(sizes, in.Elem, func(indices []*ir.Value) *ir.Value {
			at := make([]*ir.Value, len(dims))
			for i, d := range dims {
				at[i] = arith.NewSelect(l.b, arith.NewCmpI(l.b, arith.EQ, extents[i], ones), zero, indices[d])
			}
			return tensor.NewExtract(l.b, v, at...)
		})
	}
	maps := []*ir.AffineMap{c.AffineMap(rank, 0, exprs...), c.IdentityMap(rank)}
	return linalg.NewGeneric(l.b, one(v), one(empty(l.b, sizes, in.Elem)), maps, parallel(rank), first).Result(0)
}

// first is the body that copies.
func first(_ *ir.Builder, args []*ir.Value) []*ir.Value { return args[:1] }

func (l *lowering) transpose(op *ir.Op) ([]*ir.Value, error) {
	v, perm := stablehlo.TransposeOp{Op: op}.OperandValue(), ints(op, "permutation")
	sizes := sizesOf(l.b, v)
	out := make([]size, len(perm))
	for i, p := range perm {
		out[i] = sizes[p]
	}
	return one(linalg.NewTranspose(l.b, v, empty(l.b, out, ranked(v).Elem), perm).Result(0)), nil
}

func (l *lowering) reverse(op *ir.Op) ([]*ir.Value, error) {
	return one(l.reversed(stablehlo.ReverseOp{Op: op}.OperandValue(), ints(op, "dimensions"))), nil
}

func (l *lowering) reversed(v *ir.Value, dims []int64) *ir.Value {
	sizes := sizesOf(l.b, v)
	last := map[int64]*ir.Value{}
	for _, d := range dims {
		last[d] = value(l.b, minus(l.b, sizes[d], known(1)))
	}
	return l.generate(sizes, ranked(v).Elem, func(indices []*ir.Value) *ir.Value {
		at := slices.Clone(indices)
		for _, d := range dims {
			at[d] = arith.New(l.b, arith.SubI, last[d], indices[d])
		}
		return tensor.NewExtract(l.b, v, at...)
	})
}

// reshape gives a tensor another shape.
func (l *lowering) reshape(op *ir.Op) ([]*ir.Value, error) {
	v, t := stablehlo.ReshapeOp{Op: op}.OperandValue(), rankedResult(op, 0)
	shape := shapes.ConstSizes(t.Shape)
	if op.Is(stablehlo.DynamicReshape) {
		shape = l.agree(l.listed(stablehlo.DynamicReshapeOp{Op: op}.OutputShape(), len(t.Shape)), t.Shape)
	}
	return one(l.reshaped(v, shape)), nil
}

// reshaped gives a tensor sizes: by a collapse or an expansion where one does, else by way of a single dimension.
func (l *lowering) reshaped(v *ir.Value, sizes []size) *ir.Value {
	in, shape := ranked(v), shapeOf(sizes)
	if ir.IsStaticShape(in.Shape) && ir.IsStaticShape(shape) {
		return tensor.NewStaticReshape(l.b, v, shape)
	}
	dims := make([]*ir.Value, len(sizes))
	for i, s := range sizes {
		dims[i] = value(l.b, s)
	}
	list := tensor.NewFromElements(l.b, l.b.Context().RankedTensor([]int64{int64(len(dims))}, ir.Index), dims...)
	return l.b.CreateOp(tensor.Reshape, []ir.Type{l.b.Context().RankedTensor(shape, in.Elem)}, []*ir.Value{v, list}).Result(0)
}

// sliced is a part of a tensor.
func (l *lowering) sliced(v *ir.Value, offsets, sizes, strides []size) *ir.Value {
	t := l.b.Context().RankedTensor(shapeOf(sizes), ranked(v).Elem)
	return tensor.NewExtractSlice(l.b, t, v, shapes.Slice{Offsets: constants(offsets), Sizes: constants(sizes), Strides: constants(strides)})
}

func (l *lowering) inserted(v, into *ir.Value, offsets, strides []size) *ir.Value {
	return tensor.NewInsertSlice(l.b, v, into, shapes.Slice{Offsets: constants(offsets), Sizes: constants(sizesOf(l.b, v)), Strides: constants(strides)})
}

func ones(n int) []size { return slices.Repeat([]size{known(1)}, n) }

func (l *lowering) slice(op *ir.Op) ([]*ir.Value, error) {
	start, limit, stride := ints(op, "start_indices"), ints(op, "limit_indices"), ints(op, "strides")
	sizes := make([]size, len(start))
	for i := range sizes {
		sizes[i] = known((limit[i] - start[i] + stride[i] - 1) / stride[i])
	}
	return one(l.sliced(stablehlo.SliceOp{Op: op}.OperandValue(), shapes.ConstSizes(start), sizes, shapes.ConstSizes(stride))), nil
}

func (l *lowering) realDynamicSlice(op *ir.Op) ([]*ir.Value, error) {
	v, t := stablehlo.RealDynamicSliceOp{Op: op}.OperandValue(), rankedResult(op, 0)
	rank := len(t.Shape)
	start, limit, stride := l.listed(stablehlo.RealDynamicSliceOp{Op: op}.StartIndices(), rank), l.listed(stablehlo.RealDynamicSliceOp{Op: op}.LimitIndices(), rank), l.listed(stablehlo.RealDynamicSliceOp{Op: op}.Strides(), rank)
	sizes := make([]size, rank)
	for i := range sizes {
		distance := minus(l.b, limit[i], start[i])
		if n, ok := stride[i].Int(); ok && n > 0 {
			sizes[i] = roundedUp(l.b, distance, n)
		} else {
			sizes[i] = combine(l.b, arith.CeilDivSI, func(x, y int64) int64 { return x / y }, distance, shapes.SizeOf(value(l.b, stride[i])))
		}
	}
	return one(l.sliced(v, start, l.agree(sizes, t.Shape), stride)), nil
}

// starts returns where a slice of sizes begins: so that all of it is inside.
func (l *lowering) starts(indices []*ir.Value, whole, sizes []size) []size {
	out := make([]size, len(indices))
	for i, v := range indices {
		at := shapes.SizeOf(l.asIndex(l.only(v)))
		if d := constantOf(v); d != nil {
			n := stablehlo.Ints(d)[0]
			if n < 0 && stablehlo.IsUnsigned(ranked(v).Elem) {
				n = math.MaxInt64
			}
			at = known(n)
		}
		out[i] = smaller(l.b, larger(l.b, at, known(0)), minus(l.b, whole[i], sizes[i]))
	}
	return out
}

func (l *lowering) dynamicSlice(op *ir.Op) ([]*ir.Value, error) {
	v := stablehlo.DynamicSliceOp{Op: op}.OperandValue()
	sizes := shapes.ConstSizes(ints(op, "slice_sizes"))
	start := l.starts(op.Operands().Values()[1:], sizesOf(l.b, v), sizes)
	return one(l.sliced(v, start, sizes, ones(len(sizes)))), nil
}

func (l *lowering) dynamicUpdateSlice(op *ir.Op) ([]*ir.Value, error) {
	v, u := stablehlo.DynamicUpdateSliceOp{Op: op}.OperandValue(), stablehlo.DynamicUpdateSliceOp{Op: op}.Update()
	start := l.starts(op.Operands().Values()[2:], sizesOf(l.b, v), sizesOf(l.b, u))
	return one(l.inserted(u, v, start, ones(len(start)))), nil
}

func (l *lowering) concatenate(op *ir.Op) ([]*ir.Value, error) {
	dim := int(intAttr(op, "dimension"))
	parts := op.Operands().Values()
	if len(parts) == 1 {
		return parts, nil
	}
	sizes := sizesOf(l.b, parts[0])
	for _, p := range parts[1:] {
		sizes[dim] = plus(l.b, sizes[dim], sizesOf(l.b, p)[dim])
	}
	t := rankedResult(op, 0)
	out := empty(l.b, l.agree(sizes, t.Shape), t.Elem)
	at := make([]size, len(sizes))
	for _, p := range parts {
		out = l.inserted(p, out, at, ones(len(at)))
		at[dim] = plus(l.b, at[dim], sizesOf(l.b, p)[dim])
	}
	return one(out), nil
}

// padding is how elements are put before, behind and between those of a dimension. Negative numbers take elements away.
type padding struct{ low, high, interior size }

func (l *lowering) pad(op *ir.Op) ([]*ir.Value, error) {
	v := stablehlo.PadOp{Op: op}.OperandValue()
	rank := len(ranked(v).Shape)
	pads := make([]padding, rank)
	var lists [3][]size
	if op.NumOperands() == 5 {
		for i := range lists {
			lists[i] = l.listed(op.Operand(i+2), rank)
		}
	} else {
		for i, name := range []string{"edge_padding_low", "edge_padding_high", "interior_padding"} {
			lists[i] = shapes.ConstSizes(ints(op, name))
		}
	}
	for i := range pads {
		pads[i] = padding{lists[0][i], lists[1][i], lists[2][i]}
	}
	return one(l.padded(v, l.only(stablehlo.PadOp{Op: op}.PaddingValue()), pads, rankedResult(op, 0).Shape)), nil
}

// padded puts a tensor into one that is filled with an element.
func (l *lowering) padded(v, fill *ir.Value, pads []padding, shape []int64) *ir.Value {
	b := l.b
	in := sizesOf(b, v)
	rank := len(in)
	out, from, count, at, step := make([]size, rank), make([]size, rank), make([]size, rank), make([]size, rank), make([]size, rank)
	trivial := true
	for i, p := range pads {
		step[i] = plus(b, p.interior, known(1))
		between := times(b, larger(b, minus(b, in[i], known(1)), known(0)), p.interior)
		out[i] = larger(b, plus(b, plus(b, plus(b, in[i], between), p.low), p.high), known(0))
		if shape[i] != ir.Dynamic {
			out[i] = known(shape[i])
		}
		from[i], at[i], count[i] = known(0), p.low, in[i]
		if n, ok := p.low.Int(); !ok || n < 0 {
			// The first elements that are put before the start are left out.
			from[i] = larger(b, l.roundUp(minus(b, known(0), p.low), step[i]), known(0))
			at[i] = plus(b, p.low, times(b, from[i], step[i]))
		}
		if n, ok := p.high.Int(); !ok || n < 0 || !from[i].IsConst(0) {
			room := l.roundUp(larger(b, minus(b, out[i], at[i]), known(0)), step[i])
			count[i] = larger(b, smaller(b, room, minus(b, in[i], from[i])), known(0))
		}
		trivial = trivial && p.isZero()
	}
	if trivial {
		return v
	}
	// What begins behind the end has no elements, and may begin anywhere.
	for i := range from {
		if !from[i].IsConst(0) {
			from[i] = smaller(b, from[i], in[i])
			at[i] = smaller(b, at[i], out[i])
		}
	}
	part := l.sliced(v, from, count, ones(rank))
	into := l.filled(out, fill)
	return tensor.NewInsertSlice(b, part, into, shapes.Slice{Offsets: constants(at), Sizes: constants(count), Strides: constants(step)})
}

func (l *lowering) roundUp(x, y size) size {
	if n, ok := y.Int(); ok && n > 0 {
		return roundedUp(l.b, x, n)
	}
	return shapes.SizeOf(arith.New(l.b, arith.CeilDivSI, value(l.b, x), value(l.b, y)))
}

func (l *lowering) dimensionSize(op *ir.Op) ([]*ir.Value, error) {
	n := sizesOf(l.b, stablehlo.GetDimensionSizeOp{Op: op}.OperandValue())[intAttr(op, "dimension")]
	return one(l.wrapped(l.fromIndex(value(l.b, n), rankedResult(op, 0).Elem))), nil
}

// bitcast takes the bits of elements for those of another type.
func (l *lowering) bitcast(op *ir.Op) ([]*ir.Value, error) {
	from, to := ranked(stablehlo.BitcastConvertOp{Op: op}.OperandValue()), rankedResult(op, 0)
	if len(from.Shape) == len(to.Shape) {
		return l.elementwise(op)
	}
	return l.bitcastParts(op, from, to)
}

// width returns how many bits an element has.
func width(c *ir.Context, t ir.Type) int {
	switch t := plain(c, t).(type) {
	case *ir.IntegerType:
		return t.Width
	case *ir.FloatType:
		return t.Width
	}
	return 0
}

// bitcastParts joins the parts along the last dimension to one element, the first one its lowest bits; or divides elements.
func (l *lowering) bitcastParts(op *ir.Op, from, to *ir.RankedTensorType) ([]*ir.Value, error) {
	b, v := l.b, stablehlo.BitcastConvertOp{Op: op}.OperandValue()
	c := b.Context()
	wide, narrow := width(c, to.Elem), width(c, from.Elem)
	joining := wide > narrow
	if !joining {
		wide, narrow = narrow, wide
	}
	if narrow == 0 {
		return nil, errTypes
	}
	e := &element{Builder: b}
	big, small := c.Integer(wide), c.Integer(narrow)
	asBits := func(x *ir.Value, t *ir.IntegerType) *ir.Value {
		x = enter(b, x, plain(c, x.Type()))
		if ir.IsFloat(x.Type()) {
			return arith.NewCast(b, arith.Bitcast, t, x)
		}
		return x
	}
	asElement := func(x *ir.Value, t ir.Type) *ir.Value {
		if p := plain(c, t); ir.IsFloat(p) {
			x = arith.NewCast(b, arith.Bitcast, p, x)
		}
		return enter(b, x, t)
	}
	sizes := sizesOf(b, v)
	if !joining {
		sizes = append(sizes, known(int64(wide/narrow)))
		return one(l.generate(sizes, to.Elem, func(indices []*ir.Value) *ir.Value {
			n := len(indices) - 1
			x := asBits(tensor.NewExtract(b, v, indices[:n]...), big)
			shift := arith.NewCast(b, arith.IndexCast, big, arith.New(b, arith.MulI, indices[n], index(b, int64(narrow))))
			return asElement(arith.NewCast(b, arith.TruncI, small, e.New(arith.ShRUI, x, shift)), to.Elem)
		})), nil
	}
	return one(l.generate(sizes[:len(sizes)-1], to.Elem, func(indices []*ir.Value) *ir.Value {
		sum := e.integer(big, 0)
		for k := range wide / narrow {
			x := asBits(tensor.NewExtract(b, v, append(slices.Clone(indices), index(b, int64(k)))...), small)
			x = arith.NewCast(b, arith.ExtUI, big, x)
			sum = e.New(arith.OrI, sum, e.New(arith.ShLI, x, e.integer(big, int64(k*narrow))))
		}
		return asElement(sum, to.Elem)
	})), nil
}
