package tosa

import (
	gomath "math"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/ir"
)

// castElement converts a number to another type: floating-point numbers are rounded to the next
// integer, the even one of two, and limited to what the type holds.
func castElement(b *ir.Builder, op *ir.Op, args []*ir.Value, result ir.Type) *ir.Value {
	x := args[0]
	from, to := x.Type(), result
	switch {
	case from == to:
		return x
	case ir.IsFloat(from) && ir.IsFloat(to):
		if from.(*ir.FloatType).Width > to.(*ir.FloatType).Width {
			return arith.NewCast(b, arith.TruncF, to, x)
		}
		if from.(*ir.FloatType).Width == to.(*ir.FloatType).Width {
			return nil
		}
		return arith.NewCast(b, arith.ExtF, to, x)
	case ir.IsFloat(from) && to == ir.Type(ir.I1):
		zero := arith.ConstantFloat(b, from.(*ir.FloatType), 0)
		return arith.NewCmpF(b, arith.UNE, x, zero)
	case ir.IsFloat(from):
		return roundToInt(b, x, to.(*ir.IntegerType))
	case ir.IsFloat(to):
		switch {
		case from == ir.Type(ir.I1):
			return arith.NewCast(b, arith.UIToFP, to, x)
		case isUnsigned(op, 0):
			return arith.NewCast(b, arith.UIToFP, to, unrealized(b, from, x))
		}
		return arith.NewCast(b, arith.SIToFP, to, x)
	}
	wide, narrow := to.(*ir.IntegerType).Width, from.(*ir.IntegerType).Width
	switch {
	case from == ir.Type(ir.I1):
		return arith.NewCast(b, arith.ExtUI, to, x)
	case to == ir.Type(ir.I1):
		return arith.NewCmpI(b, arith.NE, x, arith.ConstantInt(b, from, 0))
	case wide > narrow:
		return arith.NewCast(b, arith.ExtSI, to, x)
	}
	return arith.NewCast(b, arith.TruncI, to, x)
}

// roundToInt rounds to an integer type. Where that can hold the largest number of the
// floating-point type, only infinities need care; where all its numbers are exact ones of the floating-point type, a
// limit on both sides does; else the largest isn't, and is chosen instead of the conversion of
// what is larger.
func roundToInt(b *ir.Builder, x *ir.Value, to *ir.IntegerType) *ir.Value {
	from := x.Type().(*ir.FloatType)
	if to.Width > 64 {
		return nil
	}
	if from.Width < 32 && from.Format.Special != ir.IEEE {
		// Without infinities, they and a bound beyond the format's numbers would become NaN or another number.
		from, x = ir.F32, arith.NewCast(b, arith.ExtF, ir.F32, x)
	}
	rounded := math.New(b, math.RoundEven, x)
	low, high := signedRange(to.Width)
	bits, exponent := precision(from)
	switch {
	case exponent < to.Width-1:
		converted := arith.NewCast(b, arith.FPToSI, to, rounded)
		infinite, minus := arith.ConstantFloat(b, from, gomath.Inf(1)), arith.ConstantFloat(b, from, gomath.Inf(-1))
		over := arith.NewCmpF(b, arith.UEQ, rounded, infinite)
		under := arith.NewCmpF(b, arith.UEQ, rounded, minus)
		least, largest := arith.ConstantInt(b, to, low), arith.ConstantInt(b, to, high)
		return arith.NewSelect(b, under, least, arith.NewSelect(b, over, largest, converted))
	case bits >= to.Width-1:
		limited := clampFloat(b, rounded, arith.ConstantFloat(b, from, float64(low)), arith.ConstantFloat(b, from, float64(high)))
		return arith.NewCast(b, arith.FPToSI, to, limited)
	}
	least, beyond := arith.ConstantFloat(b, from, float64(low)), arith.ConstantFloat(b, from, -float64(low))
	largest := arith.ConstantInt(b, to, high)
	converted := arith.NewCast(b, arith.FPToSI, to, arith.New(b, arith.MaximumF, rounded, least))
	return arith.NewSelect(b, arith.NewCmpF(b, arith.FUGE, rounded, beyond), largest, converted)
}

// precision returns how many bits the significand of a type has, and its largest exponent.
func precision(t *ir.FloatType) (bits, exponent int) {
	return t.Format.MantBits + 1, 1<<(t.Format.ExpBits-1) - 1
}
