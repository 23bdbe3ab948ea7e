package tosa

import (
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/math"
	"freehold/dialect/tensor"
	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// poolSizes returns the sizes of a pool's result that aren't known.
func poolSizes(b *ir.Builder, op *ir.Op) (sizes []*ir.Value, ok bool) {
	input := tosa.PoolOp{Op: op}.Input()
	in, result := ranked(input.Type()), ranked(op.Result(0).Type())
	if in == nil || result == nil || isUnsignedType(in.Elem) || !hasLimits(in.Elem) {
		return nil, false
	}
	kernel, stride, pad := intsOf(op, "kernel"), intsOf(op, "stride"), intsOf(op, "pad")
	for i, d := range result.Shape {
		if d != ir.Dynamic {
			continue
		}
		size := tensor.NewDim(b, input, int64(i))
		if i == 1 || i == 2 {
			size = windowed(b, size, arith.ConstantIndex(b, kernel[i-1]), pad[2*i-2], pad[2*i-1], stride[i-1], 1)
		}
		sizes = append(sizes, size)
	}
	return sizes, true
}

// poolAttrs are those of pools of linalg: vectors, and not tensors.
func poolAttrs(c *ir.Context, op *ir.Op) []ir.NamedAttr {
	t := c.Vector([]int64{2}, nil, ir.I64)
	return []ir.NamedAttr{
		{Name: "strides", Value: denseInts(c, t, intsOf(op, "stride"))},
		{Name: "dilations", Value: denseInts(c, t, []int64{1, 1})},
	}
}

// maxPoolToNamed takes the largest element of each window.
func maxPoolToNamed(r *rewrite.Rewriter, op *ir.Op) bool {
	b, input := r.Builder, tosa.MaxPool2DOp{Op: op}.Input()
	b.Loc = op.Loc()
	sizes, ok := poolSizes(b, op)
	if !ok {
		return false
	}
	elem := ranked(input.Type()).Elem
	result := ranked(op.Result(0).Type())
	input = padImage(b, op, input, intsOf(op, "pad"), func(b *ir.Builder) *ir.Value { return lowest(b, elem) })
	start := filled(b, lowest(b, elem), result, sizes)
	window := tensor.NewEmptyOf(b, b.Context().RankedTensor(intsOf(op, "kernel"), elem), nil)
	r.Replace(op, linalg.NewNamed(b, linalg.PoolingNhwcMax, []*ir.Value{input, window}, []*ir.Value{start}, poolAttrs(b.Context(), op)...).Result(0))
	return true
}

// avgPoolToNamed adds up each window, and divides by how many of its elements aren't padding.
func avgPoolToNamed(r *rewrite.Rewriter, op *ir.Op) bool {
	b, input := r.Builder, tosa.AvgPool2DOp{Op: op}.Input()
	b.Loc = op.Loc()
	sizes, ok := poolSizes(b, op)
	if !ok {
		return false
	}
	c := b.Context()
	in, result := ranked(input.Type()), ranked(op.Result(0).Type())
	acc := c.RankedTensor(result.Shape, op.Attr("acc_type").(*ir.TypeAttr).Type)
	if ir.IsInteger(acc.Elem) && acc.Elem != ir.Type(ir.I32) {
		return false
	}
	pad, kernel, stride := intsOf(op, "pad"), intsOf(op, "kernel"), intsOf(op, "stride")
	input = padImage(b, op, input, pad, func(b *ir.Builder) *ir.Value { return zero(b, in.Elem) })
	start := filled(b, zero(b, acc.Elem), acc, sizes)
	window := tensor.NewEmptyOf(b, c.RankedTensor(kernel, acc.Elem), nil)
	sums := linalg.NewNamed(b, linalg.PoolingNhwcSum, []*ir.Value{input, window}, []*ir.Value{start}, poolAttrs(c, op)...).Result(0)

	height, width := tensor.NewDim(b, sums, 1), tensor.NewDim(b, sums, 2)
	one := arith.ConstantIndex(b, 1)
	last := [2]*ir.Value{arith.New(b, arith.SubI, height, one), arith.New(b, arith.SubI, width, one)}
	empty := tensor.NewEmptyOf(b, result, sizes)
	maps := []*ir.AffineMap{c.IdentityMap(4), c.IdentityMap(4)}
	r.Replace(op, generic(b, []*ir.Value{sums}, empty, maps, func(b *ir.Builder, args []*ir.Value) *ir.Value {
		none := arith.ConstantIndex(b, 0)
		var inside [2]*ir.Value
		for i := range inside {
			inside[i] = covered(b, i, none, one, last[i], kernel[i], stride[i], pad[2*i], pad[2*i+1])
		}
		count := arith.NewCast(b, arith.IndexCast, ir.I32, arith.New(b, arith.MulI, inside[0], inside[1]))
		if t, ok := acc.Elem.(*ir.FloatType); ok {
			divisor := arith.NewCast(b, arith.SIToFP, t, count)
			return fitFloat(b, arith.New(b, arith.DivF, args[0], divisor), result.Elem)
		}
		return quantizedMean(b, op, args[0], count, result.Elem.(*ir.IntegerType))
	}))
	return true
}

// fitFloat makes a floating-point number narrower.
func fitFloat(b *ir.Builder, x *ir.Value, t ir.Type) *ir.Value {
	if x.Type() == t {
		return x
	}
	return arith.NewCast(b, arith.TruncF, t, x)
}

// covered is how much of a window in a dimension of images isn't padding: the window less what
// is missing at both ends.
func covered(b *ir.Builder, dim int, none, least, last *ir.Value, kernel, stride, before, after int64) *ir.Value {
	step := arith.ConstantIndex(b, stride)
	size := arith.ConstantIndex(b, kernel)
	index := linalg.NewIndex(b, dim+1)
	fromEnd := arith.New(b, arith.SubI, last, index)
	left := arith.New(b, arith.MulI, index, step)
	right := arith.New(b, arith.MulI, fromEnd, step)
	less := func(at *ir.Value, pad int64) {
		if pad == 0 {
			return
		}
		at = arith.New(b, arith.SubI, at, arith.ConstantIndex(b, pad))
		size = arith.New(b, arith.AddI, size, arith.New(b, arith.MinSI, at, none))
	}
	less(left, before)
	less(right, after)
	return arith.New(b, arith.MaxSI, least, size)
}

// quantizedMean divides by a count: it multiplies with a number of 31 bits and shifts, so that the
// division by the count is exact enough. Zero points are subtracted and added.
func quantizedMean(b *ir.Builder, op *ir.Op, sum, count *ir.Value, result *ir.IntegerType) *ir.Value {
	i32 := func(n int64) *ir.Value { return arith.ConstantInt(b, ir.I32, n) }
	points, quantized := tosa.ZeroPoints(op)
	if quantized {
		sum = arith.New(b, arith.SubI, sum, arith.New(b, arith.MulI, count, i32(points[0])))
	}
	one, bits := i32(1), i32(32)
	zeros := math.New(b, math.CountLeadingZeros, arith.New(b, arith.SubI, count, one))
	log := arith.New(b, arith.SubI, bits, zeros)
	wide := arith.NewCast(b, arith.ExtUI, ir.I64, log)
	numerator := arith.New(b, arith.ShLI, arith.ConstantInt(b, ir.I64, 1<<30+1), wide)
	multiplier := arith.New(b, arith.DivUI, numerator, arith.NewCast(b, arith.ExtUI, ir.I64, count))
	multiplier = arith.NewCast(b, arith.TruncI, ir.I32, multiplier)
	shift := arith.NewCast(b, arith.TruncI, ir.I8, log)
	shift = arith.New(b, arith.AddI, shift, arith.ConstantInt(b, ir.I8, 30))
	mean := applyScale(b, sum, multiplier, shift, false)
	if quantized {
		mean = arith.New(b, arith.AddI, mean, i32(points[1]))
	}
	low, high := signedRange(result.Width)
	mean = clampInt(b, mean, i32(low), i32(high), false)
	return fit(b, mean, result)
}
