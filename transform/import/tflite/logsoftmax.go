package tflite

import (
	gomath "math"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// logSoftmaxKernel is LOG_SOFTMAX, of single precision or of 8 bits.
func logSoftmaxKernel(k *kernel) error {
	in, out := k.in[0], k.out[0]
	if in.Type != model.Int8 && in.Type != model.Uint8 {
		return byRows(logSoftmax)(k)
	}
	if in.Type != out.Type {
		return k.unsupported()
	}
	if err := k.quantized(in, out); err != nil {
		return err
	}
	low, high := limits(out.Type)
	if scale(out) != 16.0/256 || zeroPoint(out) != high {
		return k.errorf("LOG_SOFTMAX has a scale of its output that its kernel doesn't take")
	}
	// Differences to the largest element have 5 integer bits, sums of powers 12 and the output 4.
	const bits, sumBits, outBits = 5, 12, 4
	q := quantizeMultiplier(min(scale(in)*(1<<(31-bits)), 1<<31-1))
	if q.shift < 0 || q.shift > 31 {
		return k.errorf("LOG_SOFTMAX has scales that its kernel doesn't take")
	}
	least := -int64(inputRadius(bits, q.shift))
	scaled, powers := make([]int64, 256), make([]int64, 256)
	for i := range scaled {
		x := highMul(-int32(i)<<q.shift, int32(q.m))
		scaled[i] = int64(x)
		if -int64(i) >= least {
			powers[i] = int64(roundingShift(expOnNegative(x, bits), sumBits))
		}
	}
	back := quantizeMultiplier(gomath.Ldexp(1/float64(q.m), 31-q.shift))
	differences, terms := k.function.list(ir.I32, scaled), k.function.list(ir.I32, powers)
	return k.byRows(func(of, to, row *ir.Value, depth int64) *ir.Value {
		lowest, _ := limits(in.Type)
		most := k.reduceRow(of, row, depth, k.i32(lowest), func(acc, x *ir.Value) *ir.Value { return k.max(acc, k.wide(x, in, ir.I32)) })
		below := func(x *ir.Value) *ir.Value { return k.sub(most, k.wide(x, in, ir.I32)) }
		sum := k.reduceRow(of, row, depth, k.i32(0), func(acc, x *ir.Value) *ir.Value {
			return k.add(acc, k.at(terms, k.toIndex(below(x))))
		})
		log := k.logarithm(sum, sumBits, bits)
		limit := k.rescale(k.add(log, k.i32(gomath.MinInt32)), back)
		limit = k.max(limit, k.i32(least-1))
		return k.fillRow(to, row, depth, func(_, i *ir.Value) *ir.Value {
			d := below(k.at(of, row, i))
			x := k.roundingShift(k.sub(k.at(differences, k.toIndex(d)), log), 31-bits-outBits)
			x = k.clampInt(k.add(x, k.i32(high)), low, high)
			x = k.pick(k.cmp(arith.SGT, k.sub(k.i32(0), d), limit), x, k.i32(low))
			return k.cast(x, elementTypes[out.Type].(*ir.IntegerType), false)
		})
	})
}

// logarithm returns the natural logarithm of a number of at least 1 with some integer bits, as one with outBits of them.
//
// The number is a power of two, whose exponent is a multiple of a half, less a quarter, times r, which is near the fourth root of 1/2; the
// logarithm of r is a quotient of polynomials.
func (f *function) logarithm(x *ir.Value, inBits, outBits int64) *ir.Value {
	const log2, sqrtHalf, fourthRoot = 1488522236, 1518500250, 1805811301
	const cubic, square, constant, linear = 117049297, 127690142, 1057819769, 638450708
	exact := func(x, by *ir.Value) *ir.Value {
		wide := f.shl(f.cast(x, ir.I64, false), f.cast(by, ir.I64, false))
		return f.cast(f.clampInt(wide, gomath.MinInt32, gomath.MaxInt32), ir.I32, false)
	}
	// Sums have a bit more than the result.
	unit := f.i32(31 - outBits - 1)
	quarter := f.shr(f.shl(f.i32(1), unit), f.i32(2))
	one := f.i32(1)
	zeros := f.math1(math.CountLeadingZeros, x)
	a := f.saturatingShift(f.highMul(exact(x, f.sub(zeros, one)), f.i32(sqrtHalf)), 1)
	exponentA := f.add(exact(f.sub(f.i32(inBits), zeros), unit), quarter)
	room := f.sub(f.math1(math.CountLeadingZeros, f.highMul(x, f.i32(sqrtHalf))), one)
	b := exact(x, room)
	exponentB := f.sub(exact(f.sub(f.i32(inBits), room), unit), quarter)
	r, exponent := f.min(a, b), f.max(exponentA, exponentB)

	root := f.i32(fourthRoot)
	wide := f.add(f.cast(r, ir.I64, false), f.i64(fourthRoot+1))
	mean := f.cast(f.op2(arith.DivSI, wide, f.i64(2)), ir.I32, false)
	q := f.sub(r, root)
	q = f.add(q, q)
	qq := f.highMul(q, q)
	numerator := f.add(f.highMul(q, r), f.highMul(f.highMul(q, qq), f.i32(cubic)))
	denominator := f.highMul(mean, f.add(f.add(f.i32(constant), q), f.highMul(f.i32(square), qq)))
	denominator = f.add(denominator, f.highMul(f.i32(linear), q))
	part := f.highMul(f.roundingShift(numerator, int(outBits)+1), f.reciprocal(denominator))
	return f.saturatingShift(f.add(f.highMul(exponent, f.i32(log2)), part), 1)
}
