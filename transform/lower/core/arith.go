package core

import (
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
)

// ExpandOptions are the options of arith-expand: the formats whose conversions become operations on integers, too.
type ExpandOptions struct{ BF16, F8E8M0, F4E2M1 bool }

// ArithExpandPatterns returns the patterns that compute divisions with rounding, minima and maxima by simpler operations, and
// conversions between bf16 and f32, and from and to formats of fewer bits, by those on integers.
func ArithExpandPatterns() []rewrite.Pattern {
	list := append(narrowPatterns(), []rewrite.Pattern{
		{Name: "CeilDivSIOpConverter", Root: arith.CeilDivSI, Rewrite: expandCeilDivSI},
		{Name: "CeilDivUIOpConverter", Root: arith.CeilDivUI, Rewrite: expandCeilDivUI},
		{Name: "FloorDivSIOpConverter", Root: arith.FloorDivSI, Rewrite: expandFloorDivSI},
		{Name: "BFloat16ExtFOpConverter", Root: arith.ExtF, Rewrite: expandExtBF16},
		{Name: "BFloat16TruncFOpConverter", Root: arith.TruncF, Rewrite: expandTruncBF16},
	}...)
	for id, pred := range map[*ir.OpID]arith.IntPredicate{arith.MaxSI: arith.SGT, arith.MaxUI: arith.UGT, arith.MinSI: arith.SLT, arith.MinUI: arith.ULT} {
		list = append(list, rewrite.Pattern{Name: "MaxMinIOpConverter", Root: id, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			x, y := arith.BinaryOp{Op: op}.LHS(), arith.BinaryOp{Op: op}.RHS()
			r.Loc = op.Loc()
			r.Replace(op, arith.NewSelect(r.Builder, arith.NewCmpI(r.Builder, pred, x, y), x, y))
			return true
		}})
	}
	for id, pred := range map[*ir.OpID]arith.FloatPredicate{arith.MaximumF: arith.FUGT, arith.MinimumF: arith.FULT,
		arith.MaxNumF: arith.FUGT, arith.MinNumF: arith.FULT} {
		number := id == arith.MaxNumF || id == arith.MinNumF
		list = append(list, rewrite.Pattern{Name: "MaxMinFOpConverter", Root: id, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			b, x, y := r.Builder, arith.BinaryOp{Op: op}.LHS(), arith.BinaryOp{Op: op}.RHS()
			b.Loc = op.Loc()
			v := arith.NewSelect(b, arith.NewCmpF(b, pred, x, y), x, y)
			nan := y // if this is no number, it is the result; unless the result is to be a number, if one is
			if number {
				nan = x
			}
			v = arith.NewSelect(b, arith.NewCmpF(b, arith.UNO, nan, nan), y, v)
			if !number && !arith.Allows(op, arith.NoSignedZeros) {
				v = tellZeros(b, op, v)
			}
			r.Replace(op, v)
			return true
		}})
	}
	return list
}

// tellZeros returns v but where the operands of a maximum or minimum are equal. There, it is the bits that both have for a maximum, and those that
// either has for a minimum: of two zeros, a maximum is +0 unless both are -0, and a minimum is -0 unless both are +0.
func tellZeros(b *ir.Builder, op *ir.Op, v *ir.Value) *ir.Value {
	x, y, t, c := arith.BinaryOp{Op: op}.LHS(), arith.BinaryOp{Op: op}.RHS(), v.Type(), b.Context()
	join := arith.AndI
	if op.Is(arith.MinimumF) {
		join = arith.OrI
	}
	bits := c.WithElementType(t, c.Integer(ir.ElementType(t).(*ir.FloatType).Width))
	joined := arith.New(b, join, arith.NewCast(b, arith.Bitcast, bits, x), arith.NewCast(b, arith.Bitcast, bits, y))
	return arith.NewSelect(b, arith.NewCmpF(b, arith.OEQ, x, y), arith.NewCast(b, arith.Bitcast, t, joined), v)
}

// ArithExpand converts op with the patterns. The options say which conversions between floats are expanded, too.
func ArithExpand(op *ir.Op, o ExpandOptions, patterns *rewrite.PatternSet, report func(*ir.Diagnostic)) error {
	t := conversion.NewTarget()
	t.LegalDialects("arith")
	t.Illegal(arith.CeilDivSI, arith.CeilDivUI, arith.FloorDivSI, arith.MaxSI, arith.MaxUI, arith.MinSI, arith.MinUI,
		arith.MaximumF, arith.MinimumF, arith.MaxNumF, arith.MinNumF)
	expandedLegality(t, o)
	t.LegalDialects("linalg")
	for _, def := range linalg.Dialect.OpDefs() {
		t.Recursive(func(op *ir.Op) conversion.Legality { return conversion.Legalized(linalg.NameSaysBody(op)) }, def.ID)
	}
	return conversion.Partial(op, t, patterns, conversion.Config{Report: report})
}

func isBF16(v *ir.Value) bool { return ir.ElementType(v.Type()) == ir.Type(ir.BF16) }
func isF32(v *ir.Value) bool  { return ir.ElementType(v.Type()) == ir.Type(ir.F32) }

// like creates the integer n, in all elements if t is a vector or tensor.
func like(b *ir.Builder, t ir.Type, n int64) *ir.Value {
	elem := ir.ElementType(t)
	if !ir.IsShaped(t) {
		return arith.ConstantInt(b, t, n)
	}
	data := make([]byte, ir.ElementBytes(elem))
	for i := range data {
		data[i] = byte(n >> min(8*i, 63))
	}
	return arith.NewConstant(b, b.Context().DenseElements(t, data)).Result(0)
}

// canHaveConstants tells whether there are constants of a type.
func canHaveConstants(t ir.Type) bool {
	shape, shaped := ir.ShapeOf(t)
	return !shaped || ir.IsStaticShape(shape)
}

// expandCeilDivSI adds one to the quotient if there is a remainder and both numbers have the same sign.
func expandCeilDivSI(r *rewrite.Rewriter, op *ir.Op) bool { return expandRounded(r, op, true) }

// expandFloorDivSI subtracts one if the signs are different.
func expandFloorDivSI(r *rewrite.Rewriter, op *ir.Op) bool { return expandRounded(r, op, false) }

func expandRounded(r *rewrite.Rewriter, op *ir.Op, up bool) bool {
	x, y := arith.BinaryOp{Op: op}.LHS(), arith.BinaryOp{Op: op}.RHS()
	t := x.Type()
	if !canHaveConstants(t) {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	var zero, step *ir.Value
	pred := arith.NE
	if up {
		zero, step, pred = like(b, t, 0), like(b, t, 1), arith.EQ
	}
	q := arith.New(b, arith.DivSI, x, y)
	inexact := arith.NewCmpI(b, arith.NE, x, arith.New(b, arith.MulI, q, y))
	if !up {
		zero = like(b, t, 0)
	}
	xNegative, yNegative := arith.NewCmpI(b, arith.SLT, x, zero), arith.NewCmpI(b, arith.SLT, y, zero)
	away := arith.New(b, arith.AndI, inexact, arith.NewCmpI(b, pred, xNegative, yNegative))
	if !up {
		step = like(b, t, -1)
	}
	r.Replace(op, arith.NewSelect(b, away, arith.New(b, arith.AddI, q, step), q))
	return true
}

// expandCeilDivUI divides one less, and adds one, unless the dividend is zero.
func expandCeilDivUI(r *rewrite.Rewriter, op *ir.Op) bool {
	x, y := arith.CeilDivUIOp{Op: op}.LHS(), arith.CeilDivUIOp{Op: op}.RHS()
	t := x.Type()
	if !canHaveConstants(t) {
		return false
	}
	b := r.Builder
	b.Loc = op.Loc()
	zero := like(b, t, 0)
	isZero := arith.NewCmpI(b, arith.EQ, x, zero)
	one := like(b, t, 1)
	q := arith.New(b, arith.DivUI, arith.New(b, arith.SubI, x, one), y)
	r.Replace(op, arith.NewSelect(b, isZero, zero, arith.New(b, arith.AddI, q, one)))
	return true
}

// expandExtBF16 puts the bits into the upper half.
func expandExtBF16(r *rewrite.Rewriter, op *ir.Op) bool {
	v, t := arith.ExtFOp{Op: op}.In(), op.Result(0).Type()
	if !isBF16(v) || !isF32(op.Result(0)) || !canHaveConstants(t) {
		return false
	}
	b, c := r.Builder, r.Context()
	b.Loc = op.Loc()
	half, whole := c.WithElementType(t, c.Integer(16)), c.WithElementType(t, c.Integer(32))
	bits := arith.NewCast(b, arith.ExtUI, whole, arith.NewCast(b, arith.Bitcast, half, v))
	r.Replace(op, arith.NewCast(b, arith.Bitcast, t, arith.New(b, arith.ShLI, bits, like(b, whole, 16))))
	return true
}

// expandTruncBF16 takes the upper half, rounded to the nearest number, to an even one if two are as near. What is no number
// becomes a quiet one that isn't.
func expandTruncBF16(r *rewrite.Rewriter, op *ir.Op) bool {
	v, t := arith.TruncFOp{Op: op}.In(), op.Result(0).Type()
	if !isF32(v) || !isBF16(op.Result(0)) || !canHaveConstants(t) {
		return false
	}
	b, c := r.Builder, r.Context()
	b.Loc = op.Loc()
	half, whole := c.WithElementType(t, c.Integer(16)), c.WithElementType(t, c.Integer(32))
	isNaN := arith.NewCmpF(b, arith.UNE, v, v)
	almost := like(b, whole, 0x7fff)
	nan := like(b, half, 0x7fc0)
	sixteen, one := like(b, whole, 16), like(b, whole, 1)
	bits := arith.NewCast(b, arith.Bitcast, whole, v)
	odd := arith.New(b, arith.AndI, arith.New(b, arith.ShRUI, bits, sixteen), one)
	rounded := arith.New(b, arith.AddI, bits, arith.New(b, arith.AddI, odd, almost))
	upper := arith.NewCast(b, arith.TruncI, half, arith.New(b, arith.ShRUI, rounded, sixteen))
	r.Replace(op, arith.NewCast(b, arith.Bitcast, t, arith.NewSelect(b, isNaN, nan, upper)))
	return true
}
