package vector

import (
	"slices"

	"freehold/dialect/ub"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// foldLaterExtract is how LLVM 22 folds vector.extract: positions may be dynamic, or that of poison.
func foldLaterExtract(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if f := foldPoisonPosition(op); f != nil {
		return f
	}
	for _, fold := range []func(*ir.Op, []ir.Attribute) []ir.FoldResult{
		poisonOperand(0, foldExtract), extractOfAnyBroadcast, extractOfShuffle, extractOfPoint, foldToConstant(partOfConstant),
	} {
		if f := fold(op, operands); f != nil {
			return f
		}
	}
	return foldConstantPosition(op, 0)
}

// broadcastLike returns the operation that v is the result of, if that repeats a vector along leading dimensions: a broadcast, or a
// shape_cast that adds some of size 1.
func broadcastLike(v *ir.Value) *ir.Op {
	if bc := v.DefinedBy(Broadcast); bc != nil {
		return bc
	}
	cast := v.DefinedBy(ShapeCast)
	if cast == nil || !addsLeadingOnes(vec(ShapeCastOp{cast}.Source().Type()), vec(v.Type())) {
		return nil
	}
	return cast
}

// addsLeadingOnes tells whether a vector has the dimensions of another one, after some of size 1.
func addsLeadingOnes(from, to *ir.VectorType) bool {
	more := len(to.Shape) - len(from.Shape)
	if more < 0 || !allOnes(to.Shape[:more]) || !slices.Equal(from.Shape, to.Shape[more:]) {
		return false
	}
	for i := range to.Shape {
		if scalableDim(to, i) != (i >= more && scalableDim(from, i-more)) {
			return false
		}
	}
	return true
}

// extractOfAnyBroadcast extracts from what was broadcast, which has no part of rank 0 of its own.
func extractOfAnyBroadcast(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	bc := broadcastLike(ExtractOp{op}.Vector())
	if bc == nil {
		return nil
	}
	src, dst, part := vec(bc.OnlyOperand().Type()), vec(bc.Result(0).Type()), vec(op.Result(0).Type())
	if bc.OnlyOperand().Type() == op.Result(0).Type() {
		return ir.FoldValue(bc.OnlyOperand())
	}
	if src == nil || part != nil && (len(part.Shape) >= len(src.Shape) || !slices.Equal(src.Shape[len(src.Shape)-len(part.Shape):], part.Shape)) {
		return nil
	}
	position, more := positionIn(op, 0), len(dst.Shape)-len(src.Shape)
	for i := more; i < len(position); i++ {
		if src.Shape[i-more] == 1 && dst.Shape[i] != 1 {
			position[i] = shapes.ConstSize(0)
		}
	}
	return setPosition(op, []*ir.Value{bc.OnlyOperand()}, position[more:])
}

// extractOfPoint extracts from before a shape_cast, if one of the two has no dimensions.
func extractOfPoint(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	cast := ExtractOp{op}.Vector().DefinedBy(ShapeCast)
	if cast == nil || vec(op.Result(0).Type()) != nil || rankOf(ShapeCastOp{cast}.Source().Type())*rankOf(cast.Result(0).Type()) != 0 {
		return nil
	}
	return extractFrom(op, ShapeCastOp{cast}.Source(), make([]int64, rankOf(ShapeCastOp{cast}.Source().Type())))
}

// extractOfShuffle extracts from the vector of one dimension that a shuffle took the element from.
func extractOfShuffle(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	shuffle := ExtractOp{op}.Vector().DefinedBy(Shuffle)
	pos, static := staticPositionOf(op)
	if shuffle == nil || !static || len(pos) != 1 || pos[0] < 0 || rankOf(ExtractOp{op}.Vector().Type()) != 1 || rankOf(ShuffleOp{shuffle}.V1().Type()) != 1 {
		return nil
	}
	from, operand := listAttr(shuffle, "mask")[pos[0]], 0
	if from == poisonPosition {
		return foldPoison(op)
	}
	if n := leading(vec(ShuffleOp{shuffle}.V1().Type())); from >= n {
		from, operand = from-n, 1
	}
	return extractFrom(op, shuffle.Operand(operand), []int64{from})
}

// extractLaterBroadcast replaces a part of what repeats a smaller vector by a broadcast of that.
func extractLaterBroadcast(r *rewrite.Rewriter, op *ir.Op) bool {
	bc, t := broadcastLike(ExtractOp{op}.Vector()), vec(op.Result(0).Type())
	if bc == nil || t == nil || len(t.Shape) < rankOf(bc.OnlyOperand().Type()) || !broadcastable(bc.OnlyOperand().Type(), t) {
		return false
	}
	return replaceBroadcast(r, op, bc.OnlyOperand())
}

// extractOfAnyMask makes a mask of the bounds of the dimensions that are left, if it is known that the part is in all others, or
// selects nothing if it is out of one. A part at a dynamic position is in a dimension all of which the mask selects.
func extractOfAnyMask(r *rewrite.Rewriter, op *ir.Op) bool {
	m, t := ExtractOp{op}.Vector().DefinedBy(CreateMask), vec(op.Result(0).Type())
	position := interfaces.StaticInts(op, staticPosition)
	if m == nil || t == nil || len(position) == 0 {
		return false
	}
	if formatOf(m.Result(0)) == noneSet {
		return replaceConstant(r, op, []byte{0})
	}
	mask, known := vec(m.Result(0).Type()), true
	for i, p := range position {
		bound, ok := ir.ConstantInt(m.Operand(i))
		switch {
		case !ok:
			known = false
		case p != ir.Dynamic && p >= bound:
			return replaceConstant(r, op, []byte{0})
		case p == ir.Dynamic && (bound < mask.Shape[i] || scalableDim(mask, i)):
			known = false
		}
	}
	if !known {
		return false
	}
	r.Loc = op.Loc()
	r.Replace(op, r.CreateOp(CreateMask, []ir.Type{t}, m.Operands()[len(position):].Values()).Result(0))
	return true
}

// isPoison tells whether a value is ub.poison.
func isPoison(v *ir.Value) bool { return v.DefinedBy(ub.Poison) != nil }
