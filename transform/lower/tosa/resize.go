package tosa

import (
	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// resizePatterns returns the patterns that replace tosa.resize, those first that need not interpolate.
func resizePatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "MaterializeResizeBroadcast", Root: tosa.Resize, Benefit: 300, Rewrite: repeatLines},
		{Name: "ResizeUnaryConverter", Root: tosa.Resize, Benefit: 200, Rewrite: resizePoint},
		{Name: "GenericResizeConverter", Root: tosa.Resize, Benefit: 100, Rewrite: resizeToGeneric},
	}
}

// resizing returns the types of images before and after.
func resizing(op *ir.Op) (in, result *ir.RankedTensorType) {
	return ranked(tosa.ResizeOp{Op: op}.Input().Type()), ranked(op.Result(0).Type())
}

// isBilinear tells whether what lies between elements is interpolated.
func isBilinear(op *ir.Op) bool { return op.Attr("mode").(*ir.StringAttr).Value == tosa.Bilinear }

// unknownEnds returns the sizes of the batch and of the channels that a type of images, or of them without height and width,
// doesn't know.
func unknownEnds(b *ir.Builder, v *ir.Value, t *ir.RankedTensorType) []*ir.Value {
	var out []*ir.Value
	for _, dim := range []int64{0, 3} {
		if at := min(int(dim), len(t.Shape)-1); t.Shape[at] == ir.Dynamic {
			out = append(out, tensor.NewDim(b, v, dim))
		}
	}
	return out
}

// repeatLines resizes images of height or width 1 to such ones, and repeats these.
func repeatLines(r *rewrite.Rewriter, op *ir.Op) bool {
	v := tosa.ResizeOp{Op: op}.Input()
	in, result := resizing(op)
	if in == nil || result == nil {
		return false
	}
	var repeated [4]bool
	some := false
	for d := 1; d <= 2; d++ {
		repeated[d] = in.Shape[d] == 1
		some = some || repeated[d] && result.Shape[d] != 1
	}
	if !some || result.Shape[1] == ir.Dynamic || result.Shape[2] == ir.Dynamic {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	c := b.Context()
	shape := make([]int64, 4)
	var groups [][]int64
	var kept []*ir.AffineExpr
	var pending []int64
	for d, n := range result.Shape {
		pending = append(pending, int64(d))
		if repeated[d] {
			shape[d] = 1
			continue
		}
		shape[d] = n
		groups, pending = append(groups, pending), nil
		kept = append(kept, c.AffineDim(d))
	}
	var attrs []ir.NamedAttr
	for _, name := range []string{"scale", "offset", "border", "mode"} {
		attrs = append(attrs, ir.NamedAttr{Name: name, Value: op.Attr(name)})
	}
	resized := b.CreateOp(tosa.Resize, []ir.Type{c.RankedTensor(shape, result.Elem)}, []*ir.Value{v}, attrs...).Result(0)
	lines := tensor.NewCollapseShape(b, resized, groups)
	empty := tensor.NewEmptyOf(b, result, unknownEnds(b, v, result))
	maps := []*ir.AffineMap{c.AffineMap(4, 0, kept...), c.IdentityMap(4)}
	r.Replace(op, generic(b, []*ir.Value{lines}, empty, maps, first))
	return true
}

// resizePoint multiplies images of a single element with the scale, as interpolation of integers does.
func resizePoint(r *rewrite.Rewriter, op *ir.Op) bool {
	v := tosa.ResizeOp{Op: op}.Input()
	in, result := resizing(op)
	if in == nil || result == nil || in.Shape[1] != 1 || in.Shape[2] != 1 || result.Shape[1] != 1 || result.Shape[2] != 1 {
		return false
	}
	if in == result {
		r.Replace(op, v)
		return true
	}
	widens := in.Elem != result.Elem
	if widens && (!ir.IsInteger(in.Elem) || !ir.IsInteger(result.Elem) || isUnsignedType(in.Elem)) {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	c := b.Context()
	groups := [][]int64{{0}, {1, 2, 3}}
	points := tensor.NewCollapseShape(b, v, groups)
	t := c.RankedTensor([]int64{in.Shape[0], in.Shape[3]}, result.Elem)
	empty := tensor.NewEmptyOf(b, t, unknownEnds(b, v, t))
	identity := c.IdentityMap(2)
	scaled := generic(b, []*ir.Value{points}, empty, []*ir.AffineMap{identity, identity}, func(b *ir.Builder, args []*ir.Value) *ir.Value {
		x := args[0]
		if !widens {
			return x
		}
		x = arith.NewCast(b, arith.ExtSI, result.Elem, x)
		scale := intsOf(op, "scale")
		for i := 0; i < len(scale) && isBilinear(op); i += 2 {
			x = arith.New(b, arith.MulI, x, arith.ConstantInt(b, result.Elem, scale[i]))
		}
		return x
	})
	expanded := c.RankedTensor([]int64{in.Shape[0], 1, 1, in.Shape[3]}, result.Elem)
	r.Replace(op, castTo(b, expand(b, expanded, scaled, groups), result))
	return true
}

// resizeToGeneric computes each element from the one that is nearest, or from four around it.
func resizeToGeneric(r *rewrite.Rewriter, op *ir.Op) bool {
	v := tosa.ResizeOp{Op: op}.Input()
	in, result := resizing(op)
	if in == nil || result == nil || !ir.IsStaticShape(in.Shape[1:]) || !ir.IsStaticShape(result.Shape[1:]) {
		return false
	}
	exact := result.Elem == ir.Type(ir.F32) || result.Elem == ir.Type(ir.F16)
	switch {
	case !isBilinear(op) || exact:
		if in.Elem != result.Elem {
			return false
		}
	case !ir.IsInteger(in.Elem) || !ir.IsInteger(result.Elem) || isUnsignedType(in.Elem) || isUnsignedType(result.Elem) ||
		in.Elem.(*ir.IntegerType).Width >= result.Elem.(*ir.IntegerType).Width:
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	empty := tensor.NewEmptyOf(b, result, unknownEnds(b, v, result))
	identity := b.Context().IdentityMap(4)
	r.Replace(op, generic(b, nil, empty, []*ir.AffineMap{identity}, func(b *ir.Builder, _ []*ir.Value) *ir.Value {
		s := newSampler(b, op, in, result.Elem, exact)
		if isBilinear(op) {
			return s.interpolated(v)
		}
		return s.nearest(v)
	}))
	return true
}
