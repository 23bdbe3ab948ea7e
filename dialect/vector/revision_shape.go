package vector

import (
	"math"
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// keepsOrder tells whether a vector.transpose only moves dimensions of size 1, so that all elements stay in order.
func keepsOrder(op *ir.Op) bool {
	t, last := vec(TransposeOp{op}.Vector().Type()), int64(-1)
	for _, p := range interfaces.StaticInts(op, "permutation") {
		if t.Shape[p] == 1 && !scalableDim(t, int(p)) {
			continue
		}
		if p < last {
			return false
		}
		last = p
	}
	return true
}

// foldLaterTranspose is how LLVM 22 folds vector.transpose: also what moves nothing but dimensions of size 1 in a type that stays the same.
func foldLaterTranspose(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if f := foldTranspose(op, operands); f != nil {
		return f
	}
	if v := (TransposeOp{op}).Vector(); v.Type() == op.Result(0).Type() && keepsOrder(op) {
		return ir.FoldValue(v)
	}
	return nil
}

// transposeOfCast replaces a transpose that only moves dimensions of size 1 of what was cast by another cast.
func transposeOfCast(r *rewrite.Rewriter, op *ir.Op) bool {
	cast := TransposeOp{op}.Vector().DefinedBy(ShapeCast)
	if cast == nil || !keepsOrder(op) {
		return false
	}
	r.Loc = op.Loc()
	r.Replace(op, r.CreateOp(ShapeCast, op.Results().Types(), []*ir.Value{ShapeCastOp{cast}.Source()}).Result(0))
	return true
}

// foldLaterShapeCast is how LLVM 22 folds vector.shape_cast: any cast of a cast, and of any constant.
func foldLaterShapeCast(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if f := foldSame(0)(op, operands); f != nil {
		return f
	}
	if inner := (ShapeCastOp{op}).Source().DefinedBy(ShapeCast); inner != nil && inner != op {
		op.SetOperand(0, ShapeCastOp{inner}.Source())
		return ir.FoldedInPlace()
	}
	if tr := (ShapeCastOp{op}).Source().DefinedBy(Transpose); tr != nil && keepsOrder(tr) {
		op.SetOperand(0, TransposeOp{tr}.Vector())
		return ir.FoldedInPlace()
	}
	if bc := (ShapeCastOp{op}).Source().DefinedBy(Broadcast); bc != nil && (BroadcastOp{bc}).Source().Type() == op.Result(0).Type() {
		return ir.FoldValue(BroadcastOp{bc}.Source())
	}
	if d, ok := operands[0].(*ir.DenseElementsAttr); ok && (d.Splat || scalableDims(vec(op.Result(0).Type())) == 0) {
		return ir.FoldAttr(op.Context().DenseElements(op.Result(0).Type(), []byte(d.Data)))
	}
	return nil
}

// foldLaterBroadcast is how LLVM 22 folds vector.broadcast: also one of a shape_cast that adds or takes away leading dimensions of
// size 1, where what was cast can be broadcast itself.
func foldLaterBroadcast(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if f := foldBroadcast(op, operands); f != nil {
		return f
	}
	cast := BroadcastOp{op}.Source().DefinedBy(ShapeCast)
	if cast == nil {
		return nil
	}
	from, to := vec(ShapeCastOp{cast}.Source().Type()), vec(cast.Result(0).Type())
	if !addsLeadingOnes(from, to) && !addsLeadingOnes(to, from) || !broadcastable(from, vec(op.Result(0).Type())) {
		return nil
	}
	op.SetOperand(0, ShapeCastOp{cast}.Source())
	return ir.FoldedInPlace()
}

// castOfLaterBroadcast replaces the cast of a broadcast by a cast or a broadcast of what was broadcast.
func castOfLaterBroadcast(r *rewrite.Rewriter, op *ir.Op) bool {
	bc := ShapeCastOp{op}.Source().DefinedBy(Broadcast)
	if bc == nil {
		return false
	}
	to := vec(op.Result(0).Type())
	from := vec(BroadcastOp{bc}.Source().Type())
	if from != nil && elementCount(from) == elementCount(to) {
		r.Loc = op.Loc()
		r.Replace(op, r.CreateOp(ShapeCast, []ir.Type{to}, []*ir.Value{BroadcastOp{bc}.Source()}).Result(0))
		return true
	}
	if from != nil && !(broadcastable(from, to) && repeatsAlike(from, vec(bc.Result(0).Type()), to)) {
		return false
	}
	return replaceBroadcast(r, op, BroadcastOp{bc}.Source())
}

// repeatsAlike tells whether broadcasts of a vector to two shapes put the same elements one after the other: what is behind its leading
// dimensions of size 1 is repeated, which are as large in both.
func repeatsAlike(from, a, b *ir.VectorType) bool {
	n := len(from.Shape)
	for n > 0 && from.Shape[len(from.Shape)-n] == 1 && !scalableDim(from, len(from.Shape)-n) {
		n--
	}
	for i := 1; i <= n; i++ {
		at, bt := len(a.Shape)-i, len(b.Shape)-i
		if a.Shape[at] != b.Shape[bt] || scalableDim(a, at) != scalableDim(b, bt) {
			return false
		}
	}
	return true
}

// foldLaterShuffle is how LLVM 22 folds vector.shuffle: elements of constants, or of a constant and poison. Where an element is
// poison, it is the first one of the constants.
func foldLaterShuffle(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	poison := [2]bool{isPoison(ShuffleOp{op}.V1()), isPoison(ShuffleOp{op}.V2())}
	if poison[0] && poison[1] {
		return foldPoison(op)
	}
	if f := foldWholeShuffle(op); f != nil {
		return f
	}
	mask := listAttr(op, "mask")
	if !poison[0] && !poison[1] && !slices.Contains(mask, poisonPosition) {
		return foldShuffle(op, operands)
	}
	if rankOf(ShuffleOp{op}.V1().Type()) != 1 {
		return nil
	}
	var elements [2][][]byte
	for i := range elements {
		if poison[i] {
			continue
		}
		d, ok := operands[i].(*ir.DenseElementsAttr)
		if !ok || !expandable(d) {
			return nil
		}
		elements[i] = rawElements(d)
	}
	any := slices.Concat(elements[:]...)[0]
	var out []byte
	first := leading(vec(ShuffleOp{op}.V1().Type()))
	for _, m := range mask {
		operand := 0
		if m >= first {
			operand, m = 1, m-first
		}
		if m == poisonPosition || poison[operand] {
			out = append(out, any...)
		} else {
			out = append(out, elements[operand][m]...)
		}
	}
	return ir.FoldAttr(op.Context().DenseElements(op.Result(0).Type(), out))
}

// shuffleEqual replaces a shuffle of vectors whose elements are all the same by a broadcast.
func shuffleEqual(r *rewrite.Rewriter, op *ir.Op) bool {
	a := splatSource(ShuffleOp{op}.V1())
	return a != nil && a == splatSource(ShuffleOp{op}.V2()) && replaceBroadcast(r, op, a)
}

// sliceAsExtract takes a slice that is in one piece of a vector by its position, and gives that the dimensions of the slice.
func sliceAsExtract(r *rewrite.Rewriter, op *ir.Op) bool {
	src, sizes, offsets := vec(ExtractStridedSliceOp{op}.Vector().Type()), listAttr(op, "sizes"), listAttr(op, "offsets")
	if !allOnes(listAttr(op, "strides")) || scalableDims(src) > 0 || len(src.Shape) == 0 {
		return false
	}
	// The dimensions behind the first n are whole.
	n := len(sizes)
	for n > 0 && sizes[n-1] == src.Shape[n-1] {
		n--
	}
	if n == 0 || n == len(src.Shape) || !allOnes(sizes[:n]) {
		return false
	}
	// What is taken has no leading dimension of size 1, unless that is the last one of the slice's own.
	for n < len(sizes)-1 && sizes[n] == 1 {
		n++
	}
	r.Loc = op.Loc()
	part := r.CreateOp(Extract, []ir.Type{op.Context().Vector(src.Shape[n:], nil, src.Elem)}, []*ir.Value{ExtractStridedSliceOp{op}.Vector()},
		ir.NamedAttr{Name: staticPosition, Value: op.Context().DenseI64Array(offsets[:n]...)})
	r.Replace(op, r.CreateOp(ShapeCast, []ir.Type{op.Result(0).Type()}, []*ir.Value{part.Result(0)}).Result(0))
	return true
}

// subtractable tells whether a number less another one, which isn't negative, is known to be in the range of an index. MLIR takes it
// for granted, and makes a mask that selects everything of one that selects nothing.
func subtractable(v *ir.Value, less int64) bool {
	n, constant := ir.ConstantInt(v)
	return less == 0 || constant && n >= math.MinInt64+less || v.DefinedBy(memref.Dim) != nil || v.DefinedBy(tensor.Dim) != nil || v.DefinedBy(VScale) != nil
}

// sliceOfCreateMask makes a mask of the bounds as they are seen from where the slice starts.
func sliceOfCreateMask(r *rewrite.Rewriter, op *ir.Op) bool {
	m := ExtractStridedSliceOp{op}.Vector().DefinedBy(CreateMask)
	if m == nil || !allOnes(listAttr(op, "strides")) {
		return false
	}
	r.Loc = op.Loc()
	bounds, offsets := m.Operands().Values(), listAttr(op, "offsets")
	for i, offset := range offsets {
		if !subtractable(bounds[i], offset) {
			return false
		}
	}
	for i, offset := range offsets {
		start := arith.NewConstant(r.Builder, op.Context().IndexAttr(offset)).Result(0)
		bounds[i] = r.CreateOp(arith.SubI, []ir.Type{ir.Index}, []*ir.Value{bounds[i], start}).Result(0)
	}
	r.Replace(op, r.CreateOp(CreateMask, op.Results().Types(), bounds).Result(0))
	return true
}

// insertEqualSlice leaves a vector as it was into which a slice of elements is inserted that it consists of.
func insertEqualSlice(r *rewrite.Rewriter, op *ir.Op) bool {
	src := splatSource(InsertStridedSliceOp{op}.Source())
	if src == nil || src != splatSource(InsertStridedSliceOp{op}.Dest()) {
		return false
	}
	r.Replace(op, InsertStridedSliceOp{op}.Dest())
	return true
}

// foldConstantMask folds masks that select everything, or nothing.
func foldConstantMask(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	switch formatOf(op.Result(0)) {
	case allSet:
		return ir.FoldAttr(op.Context().DenseElements(op.Result(0).Type(), []byte{1}))
	case noneSet:
		return ir.FoldAttr(op.Context().DenseElements(op.Result(0).Type(), []byte{0}))
	}
	return nil
}

// foldLaterMask also replaces a mask around nothing by what it yields.
func foldLaterMask(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	body := op.BodyBlock(0)
	if op.OptionalOperand(1) != nil || body == nil || body.First() == nil || !body.First().Is(Yield) || op.NumResults() == 0 {
		return foldAllTrueMask(op, operands)
	}
	results := make([]ir.FoldResult, op.NumResults())
	for i, v := range body.First().Operands().Values() {
		results[i] = ir.FoldResult{Value: v}
	}
	return results
}

// emptyMaskWithPassthru replaces a mask around nothing by a choice between what it yields and what passes through.
func emptyMaskWithPassthru(r *rewrite.Rewriter, op *ir.Op) bool {
	body, passthru := op.BodyBlock(0), op.OptionalOperand(1)
	if passthru == nil || body == nil || body.First() == nil || !body.First().Is(Yield) || op.NumResults() != 1 || body.First().NumOperands() != 1 {
		return false
	}
	yielded := body.First().OnlyOperand()
	if yielded.Type() != passthru.Type() {
		return false
	}
	r.Loc = op.Loc()
	r.Replace(op, r.CreateOp(arith.Select, op.Results().Types(), []*ir.Value{MaskOp{op}.Mask(), yielded, passthru}).Result(0))
	return true
}
