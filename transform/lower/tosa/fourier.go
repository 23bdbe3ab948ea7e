package tosa

import (
	gomath "math"

	"freehold/dialect/arith"
	"freehold/dialect/index"
	"freehold/dialect/linalg"
	"freehold/dialect/math"
	"freehold/dialect/tensor"
	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// fourierToGeneric adds up, for each element of the two results, all elements of an image, turned by an angle: the sum
// of the definition, without what makes Fourier transforms fast.
func fourierToGeneric(r *rewrite.Rewriter, op *ir.Op) bool {
	v := tosa.FFT2DOp{Op: op}.InputReal()
	t := ranked(v.Type())
	for _, v := range append(op.Operands().Values(), op.Results().Values()...) {
		if ranked(v.Type()) == nil {
			return false
		}
	}
	elem, ok := t.Elem.(*ir.FloatType)
	if !ok {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	sizes := tensor.MixedSizes(b, v)
	if op.NumOperands() == 1 {
		sizes[2] = halfAndOne(b, sizes[2])
	}
	zeros := func() *ir.Value {
		empty := tensor.NewEmpty(b, sizes, elem, nil)
		return linalg.NewFill(b, arith.ConstantFloat(b, elem, 0), empty).Result(0)
	}
	start := []*ir.Value{zeros(), zeros()}
	w := wave{elem: elem}
	for i := range w.sizes {
		w.sizes[i] = orFold(b, tensor.Dim, v, arith.ConstantIndex(b, int64(i+1)))
	}
	w.turn = arith.ConstantFloat(b, elem, 2*gomath.Pi)
	for i, size := range w.sizes {
		w.floats[i] = w.float(b, size)
	}
	if inverse, ok := op.Attr("inverse").(*ir.IntegerAttr); ok {
		w.inverse = inverse.Value != 0
	}
	c := b.Context()
	from := c.AffineMap(5, 0, c.AffineDim(0), c.AffineDim(3), c.AffineDim(4))
	to := c.AffineMap(5, 0, c.AffineDim(0), c.AffineDim(1), c.AffineDim(2))
	maps := []*ir.AffineMap{from, to, to}
	if op.NumOperands() == 2 {
		maps = append([]*ir.AffineMap{from}, maps...)
	}
	iterators := append(parallel(3), interfaces.Reduction, interfaces.Reduction)
	sums := linalg.NewGeneric(b, op.Operands().Values(), start, maps, iterators, w.add)
	var results []*ir.Value
	for i, s := range sums.Results().Values() {
		results = append(results, castTo(b, s, op.Result(i).Type()))
	}
	r.Replace(op, results...)
	return true
}

// halfAndOne is how many elements the transform of real numbers has along the last dimension: the others are known by them.
func halfAndOne(b *ir.Builder, size shapes.OpFoldResult) shapes.OpFoldResult {
	one, two := arith.ConstantIndex(b, 1), arith.ConstantIndex(b, 2)
	half := orFold(b, arith.DivUI, arith.ValueOf(b, size), two)
	return constantOr(orFold(b, arith.AddI, half, one))
}

// wave has what the angles need: the sizes of images, also as numbers of their type of elements, and a full turn.
type wave struct {
	elem    *ir.FloatType
	sizes   [2]*ir.Value
	floats  [2]*ir.Value
	turn    *ir.Value
	inverse bool
}

// float makes a number of an index.
func (w *wave) float(b *ir.Builder, i *ir.Value) *ir.Value {
	return arith.NewCast(b, arith.UIToFP, w.elem, arith.NewCast(b, arith.IndexCastUI, ir.I32, i))
}

// angle is how far an element is turned: by its place times that of the result, in both dimensions.
func (w *wave) angle(b *ir.Builder) *ir.Value {
	var at [4]*ir.Value
	for i := range at {
		at[i] = linalg.NewIndex(b, i+1)
	}
	binary := func(id *ir.OpID, x, y *ir.Value) *ir.Value {
		return b.CreateOp(id, []ir.Type{ir.Index}, []*ir.Value{x, y}).Result(0)
	}
	var parts [2]*ir.Value
	for i := range parts {
		parts[i] = binary(index.Mul, at[2+i], at[i])
	}
	for i := range parts {
		parts[i] = binary(index.RemU, parts[i], w.sizes[i])
	}
	for i := range parts {
		parts[i] = w.float(b, parts[i])
	}
	for i := range parts {
		parts[i] = arith.New(b, arith.DivF, parts[i], w.floats[i])
	}
	angle := arith.New(b, arith.MulF, w.turn, arith.New(b, arith.AddF, parts[0], parts[1]))
	if w.inverse {
		angle = arith.New(b, arith.MulF, angle, arith.ConstantFloat(b, w.elem, -1))
	}
	return angle
}

// add is the body: the elements, the real one and perhaps the imaginary one, then the two sums.
func (w *wave) add(b *ir.Builder, args []*ir.Value) []*ir.Value {
	angle := w.angle(b)
	cos, sin := math.New(b, math.Cos, angle), math.New(b, math.Sin, angle)
	mul := func(x, y *ir.Value) *ir.Value { return arith.New(b, arith.MulF, x, y) }
	if len(args) == 3 {
		re, im := mul(args[0], cos), mul(args[0], sin)
		return []*ir.Value{arith.New(b, arith.AddF, args[1], re), arith.New(b, arith.SubF, args[2], im)}
	}
	x, y := args[0], args[1]
	a, c := mul(x, cos), mul(y, sin)
	re := arith.New(b, arith.AddF, a, c)
	d, e := mul(y, cos), mul(x, sin)
	im := arith.New(b, arith.SubF, d, e)
	return []*ir.Value{arith.New(b, arith.AddF, args[2], re), arith.New(b, arith.AddF, args[3], im)}
}
