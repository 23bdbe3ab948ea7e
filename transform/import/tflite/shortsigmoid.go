package tflite

import (
	gomath "math"

	"freehold/dialect/arith"
	"freehold/ir"
)

// shortSigmoid is the logistic function or the hyperbolic tangent by gemmlowp's arithmetic of 16 bits: x, in 32 bits, has so many bits before the point,
// and the result has 15 behind it. It differs from [logistic] and [tanh], whose arithmetic has 32 bits, in its last bits.
func (f *function) shortSigmoid(x *ir.Value, integerBits int, isTanh bool) *ir.Value {
	negative := f.min(x, f.sub(f.i32(0), x))
	if isTanh {
		integerBits++ // the exponent is twice the number, which has the same bits
	}
	half := f.shortHalfReciprocal(f.shortExp(negative, integerBits))
	if isTanh {
		y := f.shortShift(f.sub(half, f.i32(1<<13)), 2)
		y = f.pick(f.cmp(arith.SLT, x, f.i32(0)), f.sub(f.i32(0), y), y)
		return f.pick(f.cmp(arith.EQ, x, f.i32(0)), f.i32(0), y)
	}
	y := f.shortShift(half, 1)
	y = f.pick(f.cmp(arith.SGT, x, f.i32(0)), y, f.sub(f.i32(gomath.MaxInt16), y))
	return f.pick(f.cmp(arith.EQ, x, f.i32(0)), f.i32(1<<14), y)
}

// shortMul returns the upper half of twice the product of numbers of 16 bits, rounded, where they aren't both the least number.
func (f *function) shortMul(a, b *ir.Value) *ir.Value {
	return f.shr(f.add(f.mul(a, b), f.i32(1<<14)), f.i32(15))
}

// shortShift multiplies by a power of two, within the limits of 16 bits.
func (f *function) shortShift(x *ir.Value, by int64) *ir.Value {
	return f.clampInt(f.shl(x, f.i32(by)), gomath.MinInt16, gomath.MaxInt16)
}

// shortConstant is a constant of gemmlowp, for 32 bits, rounded to 16.
func (f *function) shortConstant(n int32) *ir.Value { return f.i32(int64(roundingShift(n, 16))) }

// shortExp is expOnNegative of 16 bits.
func (f *function) shortExp(x *ir.Value, integerBits int) *ir.Value {
	quarter := int64(1) << (15 - integerBits - 2)
	inQuarter := f.sub(f.op2(arith.AndI, x, f.i32(quarter-1)), f.i32(quarter))
	y := f.shortExpNearZero(f.shl(inQuarter, f.i32(int64(integerBits))))
	rest := f.sub(inQuarter, x)
	for i, factor := range [...]int32{1672461947, 1302514674, 790015084, 290630308, 39332535, 720401, 242} {
		if exponent := i - 2; integerBits > exponent {
			bit := f.op2(arith.AndI, rest, f.i32(1<<(15-integerBits+exponent)))
			y = f.pick(f.cmp(arith.NE, bit, f.i32(0)), f.shortMul(y, f.shortConstant(factor)), y)
		}
	}
	if integerBits > 5 {
		y = f.pick(f.cmp(arith.SLT, x, f.i32(-1<<(20-integerBits))), f.i32(0), y)
	}
	return f.pick(f.cmp(arith.EQ, x, f.i32(0)), f.i32(gomath.MaxInt16), y)
}

// shortExpNearZero is expNearZero of 16 bits.
func (f *function) shortExpNearZero(a *ir.Value) *ir.Value {
	atMiddle, third := f.shortConstant(1895147668), f.shortConstant(715827883)
	x := f.add(a, f.i32(1<<12))
	x2 := f.shortMul(x, x)
	x3 := f.shortMul(x2, x)
	x4 := f.shortMul(x2, x2)
	rest := f.roundingShift(f.add(f.shortMul(f.add(f.roundingShift(x4, 2), x3), third), x2), 1)
	return f.min(f.add(atMiddle, f.shortMul(atMiddle, f.add(x, rest))), f.i32(gomath.MaxInt16))
}

// shortHalfReciprocal is halfReciprocal of 16 bits.
func (f *function) shortHalfReciprocal(a *ir.Value) *ir.Value {
	half := f.shr(f.add(a, f.i32(1<<15)), f.i32(1))
	x := f.add(f.shortConstant(1515870810), f.shortMul(half, f.shortConstant(-1010580540)))
	for range 3 {
		rest := f.sub(f.i32(1<<13), f.shortMul(half, x))
		x = f.add(x, f.shortShift(f.shortMul(x, rest), 2))
	}
	return x
}
