package tflite

import (
	gomath "math"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// absolute is ABS.
func absolute(k *kernel) error {
	in, out := k.in[0], k.out[0]
	if in.Type != model.Int8 && in.Type != model.Int16 {
		return signed(math.AbsF, mathOp(math.AbsI))(k)
	}
	v, err := k.value(0)
	if err != nil {
		return err
	}
	if in.Type != out.Type {
		return k.unsupported()
	}
	if in.Type == model.Int16 && len(in.Scale) == 0 {
		return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value { return k.math1(math.AbsI, e[0]) })
	}
	if err := k.quantized(in, out); err != nil {
		return err
	}
	q := quantizeMultiplier(scale(in) / scale(out))
	if err := k.representable(q); err != nil {
		return err
	}
	low, high := limits(out.Type)
	return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
		x := k.math1(math.AbsI, k.offset(e[0], in, ir.I32))
		if in.Scale[0] != out.Scale[0] {
			x = k.rescale(x, q)
		}
		return k.store(x, out, low, high)
	})
}

// roundEven is ROUND of a number: halves become even. The kernel makes a positive zero of what is between -1/2 and 0.
func roundEven(k *kernel, x *ir.Value) *ir.Value {
	zero := k.f32(0)
	return k.pick(k.cmpf(arith.OEQ, x, zero), x, k.op2(arith.AddF, k.math1(math.RoundEven, x), zero))
}

// sign is SIGN: -1, 0 or 1.
func sign(k *kernel) error {
	in := k.in[0]
	v, err := k.value(0)
	if err != nil {
		return err
	}
	if in.Type != k.out[0].Type {
		return k.unsupported()
	}
	var one, minus *ir.Value
	switch in.Type {
	case model.Float32:
		one, minus = k.f32(1), k.f32(-1)
	case model.Int32:
		one, minus = k.i32(1), k.i32(-1)
	default:
		return k.unsupported()
	}
	zero := k.zeroOf(&model.Tensor{Type: in.Type})
	return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
		return k.pick(k.less(in.Type, zero, e[0]), one, k.pick(k.less(in.Type, e[0], zero), minus, zero))
	})
}

// rsqrt is RSQRT. Elements for numbers below 0, for which the kernel fails, become the largest number, as that for 0 does.
func rsqrt(k *kernel) error {
	in, out := k.in[0], k.out[0]
	if in.Type != model.Int8 {
		var table func(x float32) float32
		if in.Type == model.Int16 && len(out.Scale) == 1 {
			table = func(x float32) float32 {
				if x <= 0 {
					return gomath.MaxInt16 * out.Scale[0]
				}
				return 1 / float32(gomath.Sqrt(float64(x)))
			}
		}
		return unaryFloat(func(k *kernel, x *ir.Value) *ir.Value { return k.op2(arith.DivF, k.f32(1), k.math1(math.Sqrt, x)) }, table)(k)
	}
	if in.Type != out.Type {
		return k.unsupported()
	}
	if err := k.quantized(in, out); err != nil {
		return err
	}
	const bits = 20
	q := quantizeMultiplier(1 / (gomath.Sqrt(scale(in)) * scale(out)))
	if err := k.representable(q); err != nil {
		return err
	}
	q.shift -= bits
	low, high := limits(out.Type)
	return k.table8(func(x int64) int64 {
		n := int32(x - zeroPoint(in))
		if n <= 0 {
			return high
		}
		root := inverseRoot(n)
		root.shift += bits
		return min(max(int64(q.apply(root.apply(1)))+zeroPoint(out), low), high)
	})
}

// logarithm is LOG. Of scaled numbers, elements for what is not above 0 become the least one.
func logarithm(k *kernel) error {
	var table func(x float32) float32
	if out := k.out[0]; (out.Type == model.Int8 || out.Type == model.Int16) && len(out.Scale) == 1 {
		low, _ := limits(out.Type)
		least := float32(low-zeroPoint(out)) * out.Scale[0]
		table = func(x float32) float32 {
			if x <= 0 {
				return least
			}
			return float32(gomath.Log(float64(x)))
		}
	}
	return unaryFloat(mathOp(math.Log), table)(k)
}

// gelu is GELU, in its exact form and its approximation.
func gelu(k *kernel) error {
	const approximate = 0
	if k.op.Options.Flag(approximate) {
		const factor, cubic = float32(gomath.SqrtPi * 2 / gomath.Pi / gomath.Sqrt2), float32(0.044715)
		return unaryFloat(func(k *kernel, x *ir.Value) *ir.Value {
			times := func(a, b *ir.Value) *ir.Value { return k.op2(arith.MulF, a, b) }
			inner := k.op2(arith.AddF, x, times(times(times(k.f32(cubic), x), x), x))
			return times(times(k.f32(0.5), x), k.op2(arith.AddF, k.f32(1), k.math1(math.Tanh, times(k.f32(factor), inner))))
		}, func(x float32) float32 {
			inner := x + float32(float32(float32(cubic*x)*x)*x)
			return float32(0.5) * x * (1 + float32(gomath.Tanh(float64(factor*inner))))
		})(k)
	}
	return unaryFloat(func(k *kernel, x *ir.Value) *ir.Value {
		erf := k.math1(math.Erf, k.op2(arith.MulF, x, k.f32(gomath.Sqrt2/2)))
		return k.op2(arith.MulF, k.op2(arith.MulF, k.f32(0.5), x), k.op2(arith.AddF, k.f32(1), erf))
	}, func(x float32) float32 {
		return float32(0.5) * x * float32(gomath.Erfc(float64(x*float32(-gomath.Sqrt2/2))))
	})(k)
}
