package tosa

import (
	"math"
	"math/big"
	"slices"

	"freehold/ir"
	"freehold/ir/fold"
	"freehold/ir/rewrite"
)

// foldCast folds casts to the same type, and of constants all of whose elements are the same.
func foldCast(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if f := same(op, CastOp{op}.Input()); f != nil {
		return f
	}
	c, to := op.Context(), ir.ElementType(op.Result(0).Type())
	switch x := splat(op, operands[0]).(type) {
	case *ir.FloatAttr:
		if x.Type.Width > 64 {
			return nil
		}
		switch to := to.(type) {
		case *ir.FloatType:
			if to.Width <= 64 {
				return constantOf(op, c.FloatAttr(to, x.Float64()))
			}
		case *ir.IntegerType:
			if to.Width == 1 {
				return constantOf(op, c.Bool(x.Float64() != 0))
			}
			rounded := math.RoundToEven(x.Float64())
			if to.Width <= 64 && to.Width > 1 && !math.IsNaN(rounded) {
				return constantOf(op, c.BigIntegerAttr(to, limited(rounded, to)))
			}
		}
	case *ir.IntegerAttr:
		unsigned := isUnsignedInt(x.Type) || x.Type == ir.Type(ir.I1)
		v := fold.Signed(x)
		if unsigned {
			v = fold.Unsigned(x.BigInt(), fold.Width(x.Type))
		}
		switch to := to.(type) {
		case *ir.FloatType:
			if f, _ := new(big.Float).SetInt(v).Float64(); to.Width <= 64 {
				return constantOf(op, c.FloatAttr(to, f))
			}
		case *ir.IntegerType:
			if to.Width == 1 {
				return constantOf(op, c.Bool(v.Sign() != 0))
			}
			return constantOf(op, c.BigIntegerAttr(to, v))
		}
	}
	return nil
}

func isUnsignedInt(t ir.Type) bool {
	i, ok := t.(*ir.IntegerType)
	return ok && i.Signedness == ir.Unsigned
}

// limited is a number as an integer of a type, or the nearest one that the type has.
func limited(x float64, t *ir.IntegerType) *big.Int {
	low, high := big.NewInt(0), new(big.Int).Lsh(big.NewInt(1), uint(t.Width))
	if t.Signedness != ir.Unsigned {
		high.Rsh(high, 1)
		low.Neg(high)
	}
	high.Sub(high, big.NewInt(1))
	switch {
	case math.IsInf(x, 1):
		return high
	case math.IsInf(x, -1):
		return low
	}
	v, _ := big.NewFloat(x).Int(nil)
	switch {
	case v.Cmp(low) < 0:
		return low
	case v.Cmp(high) > 0:
		return high
	}
	return v
}

// foldReduction forwards a tensor whose size along the axis is 1.
func foldReduction(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	t := tensorType(ReductionOp{op}.Input())
	if t == nil || Axis(op) >= int64(len(t.Shape)) || t.Shape[Axis(op)] != 1 {
		return nil
	}
	return same(op, ReductionOp{op}.Input())
}

// foldArgMax: the largest of one element is the first one.
func foldArgMax(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	t, elem := tensorType(ArgMaxOp{op}.Input()), ir.ElementType(op.Result(0).Type())
	if t == nil || !ir.IsStaticShape(t.Shape) || t.Shape[Axis(op)] != 1 || !ir.IsInteger(elem) {
		return nil
	}
	return constantOf(op, op.Context().IntegerAttr(elem, 0))
}

// foldConcat joins lists of concatenations along the same axis.
func foldConcat(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	var operands []*ir.Value
	nested := false
	for _, v := range op.Operands().Values() {
		if inner := v.DefinedBy(Concat); inner != nil && Axis(inner) == Axis(op) && !rewrite.LeadsBack(inner, op) {
			nested = true
			operands = append(operands, inner.Operands().Values()...)
			continue
		}
		operands = append(operands, v)
	}
	if !nested {
		return nil
	}
	op.SetOperands(operands)
	return ir.FoldedInPlace()
}

func foldPad(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if isNumberOf(splat(op, operands[1]), 0) {
		return same(op, PadOp{op}.Input1())
	}
	return nil
}

// foldReshape forwards a tensor to its own shape, through another reshape, too. Types with two sizes that aren't known are
// no such shape: they may be exchanged. Constants get the new
// type, unless they have many elements and others use them, too.
func foldReshape(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if in := tensorType(ReshapeOp{op}.Input1()); in != nil && ir.NumDynamic(in.Shape) < 2 {
		if f := same(op, ReshapeOp{op}.Input1()); f != nil {
			return f
		}
	}
	if inner := (ReshapeOp{op}).Input1().DefinedBy(Reshape); inner != nil {
		op.SetOperand(0, ReshapeOp{inner}.Input1())
		return ir.FoldedInPlace()
	}
	d, ok := operands[0].(*ir.DenseElementsAttr)
	t := tensorType(op.Result(0))
	if !ok || t == nil || !ir.IsStaticShape(t.Shape) || !d.Splat && !(ReshapeOp{op}).Input1().HasOneUse() {
		return nil
	}
	return ir.FoldAttr(op.Context().DenseElements(t, []byte(d.Data)))
}

// foldResize forwards images that keep their size.
func foldResize(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	scale := ints(op, "scale")
	zero := func(n int64) bool { return n != 0 }
	if slices.ContainsFunc(ints(op, "offset"), zero) || slices.ContainsFunc(ints(op, "border"), zero) || scale[0] != scale[1] || scale[2] != scale[3] {
		return nil
	}
	return same(op, ResizeOp{op}.Input())
}

func foldReverse(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	t := tensorType(ReverseOp{op}.Input())
	if splat(op, operands[0]) != nil && ir.TypeOfAttr(operands[0]) == op.Result(0).Type() {
		return ir.FoldAttr(operands[0])
	}
	if t != nil && Axis(op) < int64(len(t.Shape)) && t.Shape[Axis(op)] == 1 {
		return same(op, ReverseOp{op}.Input())
	}
	return nil
}

func foldSlice(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	t := tensorType(op.Result(0))
	if t == nil || !ir.IsStaticShape(t.Shape) {
		return nil
	}
	if f := same(op, SliceOp{op}.Input()); f != nil {
		return f
	}
	d, ok := operands[0].(*ir.DenseElementsAttr)
	if !ok || ir.ElementType(d.Type) != t.Elem {
		return nil
	}
	if d.Splat {
		return constantOf(op, d.Elem(op.Context(), 0))
	}
	if n, _ := ir.NumElements(t.Shape); n != 1 {
		return nil
	}
	shape, _ := ir.ShapeOf(d.Type)
	at := int64(0)
	for i, start := range ints(op, "start") {
		if start < 0 || start >= shape[i] {
			return nil
		}
		at = at*shape[i] + start
	}
	return constantOf(op, d.Elem(op.Context(), at))
}

func foldTile(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	if slices.ContainsFunc(ints(op, "multiples"), func(n int64) bool { return n != 1 }) {
		return nil
	}
	return same(op, TileOp{op}.Input1())
}

// foldTranspose forwards tensors whose dimensions stay in order, and changes the type of constants
// all of whose elements are the same.
func foldTranspose(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if s := splat(op, operands[0]); s != nil {
		if f := constantOf(op, s); f != nil {
			return f
		}
	}
	perm := Permutation(op)
	if perm == nil {
		return nil
	}
	for i, d := range perm {
		if int64(i) != d {
			return nil
		}
	}
	return same(op, TransposeOp{op}.Input1())
}
