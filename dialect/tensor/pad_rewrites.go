package tensor

import (
	"freehold/dialect/affine"
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// foldPad drops padding that is statically known to be none.
func foldPad(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	o := PadOp{op}
	if o.Type() != o.SourceType() || !ir.IsStaticShape(o.Type().Shape) || o.Nofold() {
		return nil
	}
	// What is added at one end might be taken away at the other.
	low, high := o.Low(), o.High()
	for i := range low {
		if !isZero(low[i]) && !isZero(high[i]) {
			return nil
		}
	}
	return ir.FoldValue(o.Source())
}

// isZero tells whether a number is known to be 0.
func isZero(n shapes.OpFoldResult) bool {
	k, ok := n.Int()
	return ok && k == 0
}

func padPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "FoldStaticZeroPadding", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			o := PadOp{op}
			if o.Nofold() || !shapes.AllConst(o.Low(), 0) || !shapes.AllConst(o.High(), 0) {
				return false
			}
			r.Replace(op, NewCast(r.At(op), o.Type(), o.Source()))
			return true
		}},
		{Name: "FoldSourceTensorCast", Rewrite: padOfCast},
		{Name: "FoldTargetTensorCast", Rewrite: castOfPad},
		{Name: "FoldOrthogonalPaddings", Rewrite: orthogonalPaddings},
		{Name: "FoldStaticPadding", Rewrite: staticPad},
		{Name: "FoldConsecutiveConstantPadding", Since: 20, Rewrite: consecutivePaddings},
	}
}

// likePad creates a tensor.pad whose body is copied from op.
func likePad(b *ir.Builder, op *ir.Op, t ir.Type, source *ir.Value, low, high []shapes.OpFoldResult, keep bool) *ir.Op {
	s := padState(b, t, source, low, high, keep)
	for _, a := range op.DiscardableAttrs() {
		s.SetAttr(a.Name, a.Value)
	}
	b.CloneRegion(op.RegionAt(0), s.AddRegion(), nil, ir.NewMapping())
	return b.Create(s)
}

func padOfCast(r *rewrite.Rewriter, op *ir.Op) bool {
	o := PadOp{op}
	cast := FoldableCast(o.Source())
	if cast == nil {
		return false
	}
	src := CastOp{cast}.Source()
	low, high := o.asWritten()
	t := PaddedType(op.Context(), ranked(src.Type()), shapes.StaticOf(low), shapes.StaticOf(high))
	shape := append([]int64(nil), t.Shape...)
	for i, d := range shape {
		switch {
		case d == ir.Dynamic:
			shape[i] = o.Type().Shape[i]
		case d < 0:
			return false // more is taken away than there is
		}
	}
	t = op.Context().RankedTensor(shape, t.Elem)
	if t == o.Type() {
		r.Modify(op, func() { op.SetOperand(0, src) })
		return true
	}
	replaceCast(r, op, likePad(r.At(op), op, t, src, low, high, o.Nofold()).Result(0))
	return true
}

// castOfPad makes a tensor.pad produce the type that its only user casts it to.
func castOfPad(r *rewrite.Rewriter, op *ir.Op) bool {
	o := PadOp{op}
	res := op.Result(0)
	if !res.HasOneUse() {
		return false
	}
	cast := res.FirstUse().Owner()
	if !cast.Is(Cast) || !PreservesStatic(res.Type(), cast.Result(0).Type()) {
		return false
	}
	low, high := o.asWritten()
	n := likePad(r.At(op), op, cast.Result(0).Type(), o.Source(), low, high, o.Nofold())
	r.Replace(cast, n.Result(0))
	r.Erase(op)
	return true
}

// staticPad makes constant paddings static if that makes a size of the result
// static.
func staticPad(r *rewrite.Rewriter, op *ir.Op) bool {
	o := PadOp{op}
	low, high := o.Low(), o.High()
	inferred := PaddedType(op.Context(), o.SourceType(), shapes.StaticOf(low), shapes.StaticOf(high))
	shape := append([]int64(nil), o.Type().Shape...)
	changed := false
	for i, d := range shape {
		if d == ir.Dynamic && inferred.Shape[i] >= 0 {
			shape[i] = inferred.Shape[i]
			changed = true
		}
	}
	if !changed {
		return false
	}
	t := op.Context().RankedTensor(shape, o.Type().Elem)
	replaceCast(r, op, likePad(r.At(op), op, t, o.Source(), low, high, o.Nofold()).Result(0))
	return true
}

// consecutivePaddings joins a tensor.pad of a tensor.pad with the same value. Where
// the inner one takes elements away, the outer one must not add some there again.
func consecutivePaddings(r *rewrite.Rewriter, op *ir.Op) bool {
	o := PadOp{op}
	inner := o.Source().DefinedBy(Pad)
	if inner == nil {
		return false
	}
	p := PadOp{inner}
	v := o.ConstantPadding()
	if o.Nofold() || p.Nofold() || v == nil || v != p.ConstantPadding() {
		return false
	}
	if takesAway(p.Low(), o.Low()) || takesAway(p.High(), o.High()) {
		return false
	}
	b := r.At(op)
	sums := func(outer, inner []shapes.OpFoldResult) []shapes.OpFoldResult {
		sum := b.Context().AffineAdd(b.Context().AffineDim(0), b.Context().AffineDim(1))
		list := make([]shapes.OpFoldResult, len(outer))
		for i := range list {
			list[i] = affine.FoldedApply(b, 2, sum, outer[i], inner[i])
		}
		return list
	}
	high := sums(o.High(), p.High())
	low := sums(o.Low(), p.Low())
	r.Replace(op, likePad(b, op, o.Type(), p.Source(), low, high, false).Result(0))
	return true
}

// takesAway tells whether a padding takes elements away where the next one may
// add some.
func takesAway(inner, outer []shapes.OpFoldResult) bool {
	for i, n := range inner {
		if k, known := n.Int(); known && k < 0 {
			if added, known := outer[i].Int(); !known || added > 0 {
				return true
			}
		}
	}
	return false
}

// orthogonalPaddings joins a tensor.pad of a slice of a tensor.pad of a slice,
// where no dimension is padded by both.
func orthogonalPaddings(r *rewrite.Rewriter, op *ir.Op) bool {
	o := PadOp{op}
	inner := o.Source().DefinedBy(ExtractSlice)
	if inner == nil {
		return false
	}
	innerPad := ExtractSliceOp{inner}.Source().DefinedBy(Pad)
	if innerPad == nil {
		return false
	}
	p := PadOp{innerPad}
	outer := p.Source().DefinedBy(ExtractSlice)
	if outer == nil {
		return false
	}
	io, oo := ExtractSliceOp{inner}, ExtractSliceOp{outer}
	rank := len(oo.SourceType().Shape)
	if len(io.Type().Shape) != len(io.SourceType().Shape) || len(oo.Type().Shape) != rank {
		return false
	}
	is, os := io.Slice(), oo.Slice()
	if !shapes.AllConst(is.Strides, 1) || !shapes.AllConst(os.Strides, 1) {
		return false
	}
	if o.ConstantPadding() == nil || p.ConstantPadding() == nil ||
		ir.ConstantOf(o.ConstantPadding()) == nil || ir.ConstantOf(o.ConstantPadding()) != ir.ConstantOf(p.ConstantPadding()) {
		return false
	}
	if len(o.Low()) != rank || !shapes.AllConst(o.Low(), 0) || !shapes.AllConst(p.Low(), 0) {
		return false
	}
	oh, ph := o.High(), p.High()
	offsets, sizes, high := make([]shapes.OpFoldResult, rank), make([]shapes.OpFoldResult, rank), make([]shapes.OpFoldResult, rank)
	for i := range rank {
		outerPads, innerPads := !oh[i].IsConst(0), !ph[i].IsConst(0)
		if outerPads && innerPads {
			return false
		}
		switch {
		case os.Offsets[i].IsConst(0):
			offsets[i] = is.Offsets[i]
		case is.Offsets[i].IsConst(0):
			offsets[i] = os.Offsets[i]
		default:
			return false
		}
		// What an inner pad adds must not be cut off again.
		if innerPads {
			if !is.Offsets[i].IsConst(0) || p.Type().Shape[i] == ir.Dynamic || !is.Sizes[i].IsConst(p.Type().Shape[i]) {
				return false
			}
			sizes[i], high[i] = os.Sizes[i], ph[i]
		} else {
			sizes[i], high[i] = is.Sizes[i], oh[i]
		}
	}
	b := r.At(op)
	ones := make([]shapes.OpFoldResult, rank)
	low := make([]shapes.OpFoldResult, rank)
	for i := range ones {
		ones[i] = shapes.ConstSize(1)
	}
	slice := NewExtractSlice(b, nil, oo.Source(), shapes.Slice{Offsets: offsets, Sizes: sizes, Strides: ones})
	r.Replace(op, likePad(b, op, o.Type(), slice, low, high, o.Nofold()).Result(0))
	return true
}
