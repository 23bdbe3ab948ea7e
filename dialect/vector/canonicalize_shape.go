package vector

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

func broadcastPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{{Name: "broadcast-of-broadcast", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
		inner := BroadcastOp{op}.Source().DefinedBy(Broadcast)
		return inner != nil && replaceBroadcast(r, op, BroadcastOp{inner}.Source())
	}}}
}

// foldShapeCast folds casts of casts and of broadcasts back to where they come
// from.
func foldShapeCast(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if f := foldSame(0)(op, operands); f != nil {
		return f
	}
	t := vec(op.Result(0).Type())
	if inner := (ShapeCastOp{op}).Source().DefinedBy(ShapeCast); inner != nil {
		if (ShapeCastOp{inner}).Source().Type() == op.Result(0).Type() {
			return ir.FoldValue(ShapeCastOp{inner}.Source())
		}
		if from := vec(ShapeCastOp{inner}.Source().Type()).Shape; len(from) <= len(t.Shape) && regroups(from, t.Shape) || len(from) > len(t.Shape) && regroups(t.Shape, from) {
			op.SetOperand(0, ShapeCastOp{inner}.Source())
			return ir.FoldedInPlace()
		}
	}
	if bc := (ShapeCastOp{op}).Source().DefinedBy(Broadcast); bc != nil && (BroadcastOp{bc}).Source().Type() == op.Result(0).Type() {
		return ir.FoldValue(BroadcastOp{bc}.Source())
	}
	return nil
}

func shapeCastPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "shape-cast-of-constant", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			d, ok := ir.ConstantOf(ShapeCastOp{op}.Source()).(*ir.DenseElementsAttr)
			return ok && d.Splat && replaceConstant(r, op, []byte(d.Data))
		}},
		{Name: "shape-cast-of-broadcast", Since: 22, Rewrite: castOfLaterBroadcast},
		{Name: "shape-cast-of-broadcast", Until: 21, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			bc := ShapeCastOp{op}.Source().DefinedBy(Broadcast)
			if bc == nil {
				return false
			}
			var shape []int64
			from, to := vec(BroadcastOp{bc}.Source().Type()), vec(op.Result(0).Type())
			if from != nil {
				shape = from.Shape
			}
			if k := len(to.Shape) - len(shape); k >= 0 && slices.Equal(shape, to.Shape[k:]) {
				return replaceBroadcast(r, op, BroadcastOp{bc}.Source())
			}
			if from == nil || elementCount(from) != elementCount(to) {
				return false
			}
			r.Loc = op.Loc()
			r.Replace(op, r.CreateOp(ShapeCast, []ir.Type{to}, []*ir.Value{BroadcastOp{bc}.Source()}).Result(0))
			return true
		}},
		{Name: "shape-cast-of-mask", Rewrite: shapeCastOfMask},
	}
}

// shapeCastOfMask makes a mask without the last dimensions that have one position,
// which is set, if those are what the cast drops (all of them; the only dimension stays).
func shapeCastOfMask(r *rewrite.Rewriter, op *ir.Op) bool {
	from, to := vec(ShapeCastOp{op}.Source().Type()), vec(op.Result(0).Type())
	kept := len(from.Shape)
	for kept > 1 && from.Shape[kept-1] == 1 && !(from.Scalable != nil && from.Scalable[kept-1]) {
		kept--
	}
	if kept == len(from.Shape) || r.Context().Vector(from.Shape[:kept], from.Scalable[:min(kept, len(from.Scalable))], from.Elem) != op.Result(0).Type() {
		return false
	}
	if m := (ShapeCastOp{op}).Source().DefinedBy(CreateMask); m != nil {
		for _, bound := range m.Operands().Values()[kept:] {
			if one, ok := ir.ConstantInt(bound); !ok || one != 1 {
				return false
			}
		}
		r.Loc = op.Loc()
		r.Replace(op, r.CreateOp(CreateMask, []ir.Type{to}, m.Operands().Values()[:kept]).Result(0))
		return true
	}
	m := ShapeCastOp{op}.Source().DefinedBy(ConstantMask)
	if m == nil || slices.ContainsFunc(maskBounds(m)[kept:], func(n int64) bool { return n != 1 }) {
		return false
	}
	replaceMask(r, op, maskBounds(m)[:kept])
	return true
}

func transposePatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "transpose-of-broadcast-scalar", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			bc := TransposeOp{op}.Vector().DefinedBy(Broadcast)
			if bc == nil {
				return false
			}
			v := vec(BroadcastOp{bc}.Source().Type())
			return (v == nil || elementCount(v) == 1) && replaceBroadcast(r, op, BroadcastOp{bc}.Source())
		}},
		{Name: "transpose-of-shape-cast", Since: 22, Rewrite: transposeOfCast},
		{Name: "transpose-of-transpose", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			inner := TransposeOp{op}.Vector().DefinedBy(Transpose)
			if inner == nil {
				return false
			}
			first, second := interfaces.StaticInts(inner, "permutation"), interfaces.StaticInts(op, "permutation")
			both := make([]int64, len(second))
			for i, p := range second {
				both[i] = first[p]
			}
			r.Loc = op.Loc()
			r.Replace(op, r.CreateOp(Transpose, []ir.Type{op.Result(0).Type()}, []*ir.Value{TransposeOp{inner}.Vector()},
				ir.NamedAttr{Name: "permutation", Value: op.Context().DenseI64Array(both...)}).Result(0))
			return true
		}},
		{Name: "transpose-of-mask", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			permutation := interfaces.StaticInts(op, "permutation")
			if m := (TransposeOp{op}).Vector().DefinedBy(CreateMask); m != nil && m.NumOperands() == len(permutation) {
				bounds := make([]*ir.Value, len(permutation))
				for i, p := range permutation {
					bounds[i] = m.Operand(int(p))
				}
				r.Loc = op.Loc()
				r.Replace(op, r.CreateOp(CreateMask, []ir.Type{op.Result(0).Type()}, bounds).Result(0))
				return true
			}
			m := TransposeOp{op}.Vector().DefinedBy(ConstantMask)
			if m == nil || len(maskBounds(m)) != len(permutation) {
				return false
			}
			bounds := make([]int64, len(permutation))
			for i, p := range permutation {
				bounds[i] = maskBounds(m)[p]
			}
			replaceMask(r, op, bounds)
			return true
		}},
		{Name: "transpose-of-splat", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			s := TransposeOp{op}.Vector().DefinedBy(Splat)
			return s != nil && replaceSplat(r, op, SplatOp{s}.Input())
		}},
	}
}

// foldShuffleConstants picks elements of two constants of one dimension.
func foldShuffleConstants(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	a, ok := operands[0].(*ir.DenseElementsAttr)
	b, ok2 := operands[1].(*ir.DenseElementsAttr)
	if !ok || !ok2 || rankOf(ShuffleOp{op}.V1().Type()) != 1 {
		return nil
	}
	var out []byte
	for _, i := range listAttr(op, "mask") {
		switch {
		case i < 0 || i >= a.Len()+b.Len():
			return nil
		case i < a.Len():
			out = append(out, a.Raw(i)...)
		default:
			out = append(out, b.Raw(i-a.Len())...)
		}
	}
	return ir.FoldAttr(op.Context().DenseElements(op.Result(0).Type(), out))
}

func shufflePatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "shuffle-without-dimensions", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			m := listAttr(op, "mask")
			return rankOf(ShuffleOp{op}.V1().Type()) == 0 && len(m) == 1 && m[0] != poisonPosition && replaceBroadcast(r, op, op.Operand(int(m[0])))
		}},
		{Name: "shuffle-of-splats", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			a, b := ShuffleOp{op}.V1().DefinedBy(Splat), ShuffleOp{op}.V2().DefinedBy(Splat)
			return a != nil && b != nil && SplatOp{a}.Input() == SplatOp{b}.Input() && replaceSplat(r, op, SplatOp{a}.Input())
		}},
		{Name: "shuffle-of-equal-elements", Since: 22, Rewrite: shuffleEqual},
		{Name: "shuffle-that-interleaves", Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			t, m := vec(op.Result(0).Type()), listAttr(op, "mask")
			n := int64(len(m))
			if len(t.Shape) != 1 || t.Scalable != nil || n%2 != 0 || (ShuffleOp{op}).V1().Type() != (ShuffleOp{op}).V2().Type() || elementCount(vec(ShuffleOp{op}.V1().Type()))*2 != n {
				return false
			}
			for i, x := range m {
				if x != int64(i/2)+int64(i%2)*n/2 {
					return false
				}
			}
			r.Loc = op.Loc()
			r.Replace(op, r.CreateOp(Interleave, []ir.Type{t}, op.Operands().Values()).Result(0))
			return true
		}},
	}
}

// foldBitCastConstant reads splats of integers as larger integers, and of half as
// single precision.
func foldBitCastConstant(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	d, ok := operands[0].(*ir.DenseElementsAttr)
	if !ok || !d.Splat {
		return nil
	}
	from, to := ir.ElementType(d.Type), vec(op.Result(0).Type()).Elem
	switch a := from.(type) {
	case *ir.FloatType:
		if a != ir.Type(ir.F16) || to != ir.Type(ir.F32) {
			return nil
		}
	case *ir.IntegerType:
		b, ok := to.(*ir.IntegerType)
		if !ok || a.Width%8 != 0 || b.Width <= a.Width || b.Width%a.Width != 0 {
			return nil
		}
	default:
		return nil
	}
	var data []byte
	for len(data) < ir.ElementBytes(to) {
		data = append(data, d.Data...)
	}
	return ir.FoldAttr(op.Context().DenseElements(op.Result(0).Type(), data))
}
