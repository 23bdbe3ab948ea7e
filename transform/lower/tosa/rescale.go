package tosa

import (
	"freehold/dialect/arith"
	"freehold/dialect/tensor"
	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// rescaleToGeneric replaces a change of scale by one tosa.apply_scale an element, between
// subtraction and addition of the zero points. Multipliers and shifts that channels have of
// their own become operands.
func rescaleToGeneric(r *rewrite.Rewriter, op *ir.Op) bool {
	v := tosa.RescaleOp{Op: op}.Input()
	in, result := ranked(v.Type()), ranked(op.Result(0).Type())
	if in == nil || result == nil {
		return false
	}
	from, isInt := in.Elem.(*ir.IntegerType)
	to, alsoInt := result.Elem.(*ir.IntegerType)
	if !isInt || !alsoInt || to.Width > 32 {
		return false
	}
	double := op.Attr("double_round").(*ir.IntegerAttr).Value != 0
	if double && op.Attr("scale32").(*ir.IntegerAttr).Value == 0 {
		return false
	}
	multipliers, shifts := op.Attr("multiplier").(*ir.DenseArrayAttr), op.Attr("shift").(*ir.DenseArrayAttr)
	if multipliers.Len() == 0 || multipliers.Len() != shifts.Len() {
		return false
	}
	// A shift of 63 and more would leave nothing: neither does a multiplier of zero.
	factors, by := make([]int64, multipliers.Len()), make([]int64, multipliers.Len())
	for i := range factors {
		factors[i], by[i] = multipliers.Int(i), shifts.Int(i)
		if by[i] > 63 {
			factors[i], by[i] = 0, 0
		}
		double = double && !(multipliers.Len() == 1 && by[i] <= 31)
	}
	if multipliers.Len() > 1 {
		double = double && anyAbove(by, 31)
	}
	b := r.Builder
	b.Loc = op.Loc()
	c := b.Context()
	rank := len(in.Shape)
	sizes := sizesLike(b, result.Shape, v)
	identity := c.IdentityMap(rank)
	maps, inputs := []*ir.AffineMap{identity}, []*ir.Value{v}
	var factor, shift *ir.Value
	if len(factors) == 1 {
		factor, shift = arith.ConstantInt(b, ir.I32, factors[0]), arith.ConstantInt(b, ir.I8, by[0])
	} else {
		if rank == 0 {
			return false
		}
		channel := c.AffineMap(rank, 0, c.AffineDim(rank-1))
		maps = append(maps, channel, channel)
		inputs = append(inputs, constantList(b, ir.I32, factors), constantList(b, ir.I8, by))
	}
	maps = append(maps, identity)
	empty := tensor.NewEmptyOf(b, result, sizes)
	scaled := generic(b, inputs, empty, maps, func(b *ir.Builder, args []*ir.Value) *ir.Value {
		if len(factors) > 1 {
			factor, shift = args[1], args[2]
		}
		wide := ir.Type(ir.I32)
		if from.Width > 32 {
			wide = c.Integer(from.Width)
		}
		before := arith.ConstantInt(b, wide, op.Attr("input_zp").(*ir.IntegerAttr).Value)
		after := arith.ConstantInt(b, ir.I32, op.Attr("output_zp").(*ir.IntegerAttr).Value)
		x := args[0]
		extend := arith.ExtSI
		if isUnsignedType(from) {
			x, extend = unrealized(b, c.Integer(from.Width), x), arith.ExtUI
		}
		if from.Width < 32 {
			x = arith.NewCast(b, extend, wide, x)
		}
		x = arith.New(b, arith.SubI, x, before)
		x = arith.New(b, arith.AddI, applyScale(b, x, factor, shift, double), after)
		low, high := signedRange(to.Width)
		if isUnsignedType(to) {
			low, high = 0, 1<<to.Width-1
		}
		x = clampInt(b, x, arith.ConstantInt(b, ir.I32, low), arith.ConstantInt(b, ir.I32, high), false)
		if to.Width < 32 {
			x = arith.NewCast(b, arith.TruncI, c.Integer(to.Width), x)
		}
		if isUnsignedType(to) {
			x = unrealized(b, to, x)
		}
		return x
	})
	r.Replace(op, scaled)
	return true
}

func anyAbove(list []int64, limit int64) bool {
	for _, n := range list {
		if n > limit {
			return true
		}
	}
	return false
}

// constantList is a tensor of numbers.
func constantList(b *ir.Builder, elem *ir.IntegerType, list []int64) *ir.Value {
	c := b.Context()
	var data []byte
	for _, n := range list {
		data = ir.AppendElement(data, c.IntegerAttr(elem, n))
	}
	return arith.NewConstant(b, c.DenseElements(c.RankedTensor([]int64{int64(len(list))}, elem), data)).Result(0)
}
