package tflite

import (
	gomath "math"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// relu is RELU and its kin as operators of their own, with the limits of an activation.
func relu(a model.Activation) func(k *kernel) error {
	return func(k *kernel) error {
		in, out := k.in[0], k.out[0]
		v, err := k.value(0)
		if err != nil {
			return err
		}
		if in.Type != out.Type {
			return k.unsupported()
		}
		if in.Type == model.Float32 {
			activate, err := k.activationFloat(a)
			if err != nil {
				return err
			}
			return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value { return activate(e[0]) })
		}
		if !isQuantized(in) {
			return k.unsupported()
		}
		if err := k.quantized(in, out); err != nil {
			return err
		}
		low, high, err := k.activationRange(a, out)
		if err != nil {
			return err
		}
		if a != model.Relu {
			// These kernels keep the scale of their input.
			if low, high, err = k.activationRange(a, in); err != nil {
				return err
			}
			return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
				return k.cast(k.clampInt(k.wide(e[0], in, ir.I32), low, high), elementTypes[out.Type].(*ir.IntegerType), false)
			})
		}
		q := quantizeMultiplier(float64(in.Scale[0] / out.Scale[0]))
		if err := k.representable(q); err != nil {
			return err
		}
		return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
			return k.store(k.rescale(k.offset(e[0], in, ir.I32), q), out, low, high)
		})
	}
}

// reluZeroToOne is RELU_0_TO_1, which is no activation of other operators. It keeps the scale of its input.
func reluZeroToOne(k *kernel) error {
	in, out := k.in[0], k.out[0]
	v, err := k.value(0)
	if err != nil {
		return err
	}
	switch {
	case in.Type != out.Type:
		return k.unsupported()
	case in.Type == model.Float32:
		return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value { return k.clampFloat(e[0], k.f32(0), k.f32(1)) })
	case in.Type != model.Int8 && in.Type != model.Uint8:
		return k.unsupported()
	}
	if err := k.quantized(in); err != nil {
		return err
	}
	low, high := limits(in.Type)
	zero := zeroPoint(in)
	one := min(zero+int64(gomath.Round(float64(1/in.Scale[0]))), high)
	return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
		return k.cast(k.clampInt(k.wide(e[0], in, ir.I32), max(zero, low), one), elementTypes[out.Type].(*ir.IntegerType), false)
	})
}

// leakyRelu is LEAKY_RELU.
func leakyRelu(k *kernel) error {
	const slope = 0
	in, out := k.in[0], k.out[0]
	alpha := k.op.Options.Float(slope)
	v, err := k.value(0)
	if err != nil {
		return err
	}
	switch {
	case in.Type == model.Float32 && out.Type == model.Float32:
		return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
			return k.pick(k.cmpf(arith.OGT, e[0], k.f32(0)), e[0], k.op2(arith.MulF, e[0], k.f32(alpha)))
		})
	case !isQuantized(in) || in.Type != out.Type:
		return k.unsupported()
	}
	if err := k.quantized(in, out); err != nil {
		return err
	}
	low, high := limits(out.Type)
	below := signedMultiplier(float64(float32(in.Scale[0]*alpha) / out.Scale[0]))
	above := quantizeMultiplier(float64(in.Scale[0] / out.Scale[0]))
	if err := k.representable(above); err != nil {
		return err
	}
	if err := k.representable(below); err != nil {
		return err
	}
	return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
		x := k.offset(e[0], in, ir.I32)
		y := k.pick(k.cmp(arith.SGE, x, k.i32(0)), k.rescale(x, above), k.rescale(x, below))
		return k.store(y, out, low, high)
	})
}

// signedMultiplier is quantizeMultiplier of a number of any sign.
func signedMultiplier(x float64) multiplier {
	q := quantizeMultiplier(gomath.Abs(x))
	if x < 0 {
		q.m = -q.m
	}
	return q
}

// prelu is PRELU, whose slopes are a tensor.
func prelu(k *kernel) error {
	in, alpha, out := k.in[0], k.in[1], k.out[0]
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	switch {
	case in.Type == model.Float32 && alpha.Type == model.Float32 && out.Type == model.Float32:
		return k.pointwise(values, func(e []*ir.Value) *ir.Value {
			return k.pick(k.cmpf(arith.OGE, e[0], k.f32(0)), e[0], k.op2(arith.MulF, e[0], e[1]))
		})
	case (in.Type != model.Int8 && in.Type != model.Uint8) || in.Type != out.Type || in.Type != alpha.Type:
		return k.unsupported()
	}
	if err := k.quantized(in, alpha, out); err != nil {
		return err
	}
	low, high := limits(out.Type)
	above := quantizeMultiplier(scale(in) / scale(out))
	below := quantizeMultiplier(scale(in) * scale(alpha) / scale(out))
	if err := k.representable(above); err != nil {
		return err
	}
	if err := k.representable(below); err != nil {
		return err
	}
	return k.pointwise(values, func(e []*ir.Value) *ir.Value {
		x := k.offset(e[0], in, ir.I32)
		y := k.pick(k.cmp(arith.SGE, x, k.i32(0)), k.rescale(x, above), k.rescale(k.mul(x, k.offset(e[1], alpha, ir.I32)), below))
		return k.store(y, out, low, high)
	})
}

// unaryFloat is an operator on numbers of floating point, and by a table of quantized numbers if it has one.
func unaryFloat(float func(k *kernel, x *ir.Value) *ir.Value, table func(x float32) float32) func(k *kernel) error {
	return func(k *kernel) error {
		in, out := k.in[0], k.out[0]
		v, err := k.value(0)
		if err != nil {
			return err
		}
		switch {
		case in.Type == model.Float32 && out.Type == model.Float32:
			return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value { return float(k, e[0]) })
		case !isQuantized(in) || in.Type != out.Type || table == nil:
			return k.unsupported()
		}
		if err := k.quantized(in, out); err != nil {
			return err
		}
		if in.Type == model.Int16 {
			list := k.function.list(ir.I16, quantizedTable16(table, in, out))
			return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
				return k.cast(k.interpolate(list, k.wide(e[0], in, ir.I32)), ir.I16, false)
			})
		}
		return k.quantizedTable8(table)
	}
}

func mathOp(id *ir.OpID) func(k *kernel, x *ir.Value) *ir.Value {
	return func(k *kernel, x *ir.Value) *ir.Value { return k.math1(id, x) }
}

func single(fn func(float64) float64) func(float32) float32 {
	return func(x float32) float32 { return float32(fn(float64(x))) }
}

// elu is ELU of a number.
func elu(k *kernel, x *ir.Value) *ir.Value {
	return k.pick(k.cmpf(arith.OLT, x, k.f32(0)), k.math1(math.ExpM1, x), x)
}

func eluTable(x float32) float32 {
	if x < 0 {
		return float32(gomath.Expm1(float64(x)))
	}
	return x
}

// sigmoid is LOGISTIC of a number, with the limits from which on the kernel takes simpler formulas.
func sigmoid(k *kernel, x *ir.Value) *ir.Value {
	one := k.f32(1)
	e := k.math1(math.Exp, x)
	middle := k.op2(arith.DivF, one, k.op2(arith.AddF, one, k.math1(math.Exp, arith.New(k.b, arith.NegF, x))))
	y := k.pick(k.cmpf(arith.OLT, x, k.f32(-9)), e, middle)
	return k.pick(k.cmpf(arith.OGT, x, k.f32(16.619047164916992188)), one, y)
}

// hardSwishFloat is HARD_SWISH of a number.
func hardSwishFloat(k *kernel, x *ir.Value) *ir.Value {
	y := k.op2(arith.AddF, x, k.f32(3))
	y = k.pick(k.cmpf(arith.OLT, k.f32(0), y), y, k.f32(0))
	y = k.pick(k.cmpf(arith.OLT, y, k.f32(6)), y, k.f32(6))
	return k.op2(arith.DivF, k.op2(arith.MulF, x, y), k.f32(6))
}

// sigmoidal is LOGISTIC and TANH.
func sigmoidal(isTanh bool) func(k *kernel) error {
	return func(k *kernel) error {
		in, out := k.in[0], k.out[0]
		switch {
		case in.Type == model.Float32 && isTanh:
			return unaryFloat(mathOp(math.Tanh), nil)(k)
		case in.Type == model.Float32:
			return unaryFloat(sigmoid, nil)(k)
		case in.Type != out.Type || !isQuantized(in):
			return k.unsupported()
		}
		if err := k.quantized(in, out); err != nil {
			return err
		}
		switch {
		case in.Type == model.Int16:
			return k.sigmoidal16(isTanh)
		case in.Type == model.Uint8 && isTanh:
			return k.quantizedTable8(single(gomath.Tanh))
		case in.Type == model.Uint8:
			return k.quantizedTable8(func(x float32) float32 { return 1 / (1 + float32(gomath.Exp(-float64(x)))) })
		}
		const integerBits = 4
		fraction, shift := gomath.Frexp(scale(in) * (1 << (31 - integerBits)))
		q := multiplier{int64(gomath.Round(fraction * (1 << 31))), shift}
		if shift < 0 || shift > 30 || q.m >= 1<<31 {
			return k.errorf("%s has a scale that its kernel doesn't take", k.code)
		}
		radius := inputRadius(integerBits, shift)
		return k.table8(func(x int64) int64 {
			n := int32(x - zeroPoint(in))
			switch {
			case n <= -radius:
				return -128
			case n >= radius:
				return 127
			case isTanh:
				return int64(min(max(roundingShift(tanh(q.apply(n)), 31-7), -128), 127))
			}
			return int64(min(max(roundingShift(logistic(q.apply(n)), 31-8)-128, -128), 127))
		})
	}
}

// sigmoidTable returns the values of the logistic function from 0 on in steps of 1/24, with 16 bits behind the point. Interpolation between them is
// off by an eighth of the second derivative and the square of a step at most, always below the function: half of that is added. The last value is
// the largest one.
func sigmoidTable() []int64 {
	const steps = 24
	out := make([]int64, 256)
	for i := range out {
		s := 1 / (1 + gomath.Exp(-float64(i)/steps))
		curvature := s * (1 - s) * (2*s - 1)
		out[i] = int64(gomath.Round(65536 * (s + curvature/(16*steps*steps))))
	}
	out[255] = 65535
	return out
}

// sigmoidal16 is LOGISTIC and TANH of 16 bits, by interpolation in one table for both.
func (k *kernel) sigmoidal16(isTanh bool) error {
	in := k.in[0]
	v, err := k.value(0)
	if err != nil {
		return err
	}
	if zeroPoint(in) != 0 || zeroPoint(k.out[0]) != 0 {
		return k.errorf("%s has a zero point, which its kernel for 16 bits doesn't take", k.code)
	}
	factor, shift := sigmoidScale(scale(in), isTanh)
	table := k.function.list(ir.I32, sigmoidTable())
	return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
		return k.cast(k.interpolateSigmoid(table, k.wide(e[0], in, ir.I32), factor, shift, isTanh), ir.I16, false)
	})
}

// interpolateSigmoid is the logistic function or the hyperbolic tangent of an input in 32 bits, which is scaled first. The result has 15 bits
// behind the point.
func (f *function) interpolateSigmoid(table, x *ir.Value, factor, shift int64, isTanh bool) *ir.Value {
	x = f.mul(x, f.i32(factor))
	if shift > 0 {
		x = f.shr(f.add(x, f.i32(1<<(shift-1))), f.i32(shift))
	}
	size := f.max(x, f.sub(f.i32(0), x))
	bits := int64(9)
	if isTanh {
		bits = 8
	}
	place := f.op2(arith.ShRUI, size, f.i32(bits))
	i := f.toIndex(f.op2(arith.MinUI, place, f.i32(254)))
	low, high := f.at(table, i), f.at(table, f.add(i, f.index(1)))
	part := f.op2(arith.AndI, size, f.i32(1<<bits-1))
	y := f.add(f.shl(low, f.i32(bits)), f.mul(part, f.sub(high, low)))
	most := int64(0x7FFF << 10)
	if isTanh {
		most = 0xFFFF << 8
	}
	y = f.pick(f.cmp(arith.UGE, place, f.i32(255)), f.i32(most), y)
	positive := f.cmp(arith.SGE, x, f.i32(0))
	if isTanh {
		y = f.pick(positive, f.add(y, f.i32(-1<<23+1<<7)), f.sub(f.i32(1<<23+1<<7-1), y))
		return f.shr(y, f.i32(8))
	}
	y = f.pick(positive, f.add(y, f.i32(1<<9)), f.sub(f.i32(1<<25+1<<9-1), y))
	return f.op2(arith.ShRUI, y, f.i32(10))
}

// sigmoidScale returns what inputs are multiplied by, and the shift behind that, so that the table has 24 steps for 1.
func sigmoidScale(scale float64, isTanh bool) (factor, shift int64) {
	fraction, exponent := gomath.Frexp(scale)
	left := 12 + exponent - 1
	if fraction == 0.5 && (left == 0 || left == 1 && isTanh) {
		return 3 << left, 0
	}
	m := scale * 4096 * 3
	for m <= 32767.0/2 && shift <= 30 {
		shift, m = shift+1, m*2
	}
	return int64(m), shift
}

// hardSwish is HARD_SWISH.
func hardSwish(k *kernel) error {
	in, out := k.in[0], k.out[0]
	if in.Type == model.Float32 {
		return unaryFloat(hardSwishFloat, nil)(k)
	}
	if in.Type != out.Type || in.Type != model.Int8 && in.Type != model.Uint8 {
		return k.unsupported()
	}
	if err := k.quantized(in, out); err != nil {
		return err
	}
	fine := float32(1.0/128) * in.Scale[0]
	output := quantizeMultiplier(float64(fine / out.Scale[0]))
	relu := quantizeMultiplier(float64(fine / float32(3.0/32768)))
	if output.shift > 0 {
		return k.errorf("HARD_SWISH has a scale of its output that its kernel doesn't take")
	}
	low, high := limits(out.Type)
	m, r := halfMultiplier(output.m), halfMultiplier(relu.m)
	return k.table8(func(x int64) int64 {
		hires := int16(x-zeroPoint(in)) << 7
		preshift := highMul16(hires, m)
		v := hires
		if relu.shift > 0 {
			v = saturate16(int64(v) << (relu.shift - 1))
		}
		v = highMul16(v, r)
		if relu.shift > 0 {
			v = saturate16(int64(v) << 1)
		} else {
			v = int16(roundingShift(int32(v), -relu.shift))
		}
		v = int16((int32(v) + 1<<15) >> 1)
		y := int64(int16(int32(v) * int32(preshift) / (1 << 15)))
		y = int64(int16(int64(roundingShift(int32(y), -output.shift)) + zeroPoint(out)))
		return min(max(y, low), high)
	})
}

// halfMultiplier rounds a multiplier to 16 bits.
func halfMultiplier(m int64) int16 {
	if m >= 1<<31-1<<15 {
		return gomath.MaxInt16
	}
	return int16((m + 1<<15) >> 16)
}

// highMul16 is highMul of 16 bits.
func highMul16(a, b int16) int16 {
	if a == gomath.MinInt16 && b == gomath.MinInt16 {
		return gomath.MaxInt16
	}
	n := int32(a) * int32(b)
	nudge := int32(1 << 14)
	if n < 0 {
		nudge = 1 - nudge
	}
	return int16((n + nudge) / (1 << 15))
}

func saturate16(n int64) int16 { return int16(min(max(n, gomath.MinInt16), gomath.MaxInt16)) }

// signed is ABS and NEG of numbers that aren't scaled.
func signed(float *ir.OpID, integer func(k *kernel, x *ir.Value) *ir.Value) func(k *kernel) error {
	return func(k *kernel) error {
		if t := k.in[0].Type; (t == model.Int32 || t == model.Int64) && t == k.out[0].Type {
			v, err := k.value(0)
			if err != nil {
				return err
			}
			return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value { return integer(k, e[0]) })
		}
		return unaryFloat(func(k *kernel, x *ir.Value) *ir.Value {
			return k.b.CreateOp(float, []ir.Type{x.Type()}, []*ir.Value{x}).Result(0)
		}, nil)(k)
	}
}
