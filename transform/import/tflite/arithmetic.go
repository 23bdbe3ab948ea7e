package tflite

import (
	gomath "math"
	"math/bits"

	"freehold/dialect/arith"
	"freehold/dialect/math"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// pairwise is an operator on two tensors that are broadcast, in the arithmetic of each type.
type pairwise struct {
	float func(k *kernel, a, b *ir.Value) *ir.Value
	// integer is for the types whose numbers aren't scaled, INT32 and INT64.
	integer func(k *kernel, a, b *ir.Value) *ir.Value
	// quantized returns what computes an element of the output of elements with 8 or 16 bits; nil if there is none.
	quantized func(k *kernel, low, high int64) (func(a, b *ir.Value) *ir.Value, error)
	// activation is where the activation is among the options, -1 if there is none.
	activation int
}

func (o pairwise) build(k *kernel) error {
	a, b, out := k.in[0], k.in[1], k.out[0]
	if a.Type != b.Type || a.Type != out.Type {
		return k.unsupported()
	}
	values, err := k.inputs(0, 1)
	if err != nil {
		return err
	}
	act := model.NoActivation
	if o.activation >= 0 {
		act = model.Activation(k.op.Options.Enum(o.activation))
	}
	switch {
	case a.Type == model.Float32 && o.float != nil:
		activate, err := k.activationFloat(act)
		if err != nil {
			return err
		}
		return k.pointwise(values, func(e []*ir.Value) *ir.Value { return activate(o.float(k, e[0], e[1])) })
	case (a.Type == model.Int32 || a.Type == model.Int64) && o.integer != nil:
		if act != model.NoActivation && a.Type == model.Int64 {
			return k.unsupported()
		}
		low, high, err := integerRange(k, act)
		if err != nil {
			return err
		}
		return k.pointwise(values, func(e []*ir.Value) *ir.Value {
			x := o.integer(k, e[0], e[1])
			if act != model.NoActivation {
				x = k.clampInt(x, low, high)
			}
			return x
		})
	case isQuantized(a) && o.quantized != nil:
		if err := k.quantized(a, b, out); err != nil {
			return err
		}
		low, high, err := k.activationRange(act, out)
		if err != nil {
			return err
		}
		compute, err := o.quantized(k, low, high)
		if err != nil {
			return err
		}
		return k.pointwise(values, func(e []*ir.Value) *ir.Value { return compute(e[0], e[1]) })
	}
	return k.unsupported()
}

// integerRange returns the limits of an activation on numbers that aren't scaled.
func integerRange(k *kernel, a model.Activation) (low, high int64, err error) {
	low, high = limits(model.Int32)
	switch a {
	case model.NoActivation:
	case model.Relu:
		low = 0
	case model.Relu6:
		low, high = 0, 6
	case model.ReluN1To1:
		low, high = -1, 1
	default:
		err = k.errorf("%s with the activation %s isn't supported", k.code, a)
	}
	return low, high, err
}

// plain is an operation of arith or math for an arithmetic.
func plain(id *ir.OpID) func(k *kernel, a, b *ir.Value) *ir.Value {
	return func(k *kernel, a, b *ir.Value) *ir.Value { return k.op2(id, a, b) }
}

// sum is ADD and SUB of quantized numbers: both are brought to twice the larger scale, with as many bits more as fit.
func sum(id *ir.OpID) func(k *kernel, low, high int64) (func(a, b *ir.Value) *ir.Value, error) {
	return func(k *kernel, low, high int64) (func(a, b *ir.Value) *ir.Value, error) {
		in := k.in
		shift := 20
		if in[0].Type == model.Int16 {
			shift = 15
		}
		twice := 2 * max(scale(in[0]), scale(in[1]))
		scaled := func(x *ir.Value, i int) *ir.Value {
			x = k.shl(k.offset(x, in[i], ir.I32), k.i32(int64(shift)))
			return k.rescale(x, quantizeMultiplier(scale(in[i])/twice))
		}
		q := quantizeMultiplier(twice / (float64(int64(1)<<shift) * scale(k.out[0])))
		if err := k.representable(q); err != nil {
			return nil, err
		}
		return func(a, b *ir.Value) *ir.Value {
			return k.store(k.rescale(k.op2(id, scaled(a, 0), scaled(b, 1)), q), k.out[0], low, high)
		}, nil
	}
}

// representable refuses multipliers that no kernel has arithmetic for.
func (k *kernel) representable(q multiplier) error {
	if q.shift > 30 {
		return k.errorf("a result of %s would have to be multiplied by 2^%d or more: are the scales of the tensors right?", k.code, q.shift-1)
	}
	return nil
}

// product is MUL of quantized numbers.
func product(k *kernel, low, high int64) (func(a, b *ir.Value) *ir.Value, error) {
	q := quantizeMultiplier(scale(k.in[0]) * scale(k.in[1]) / scale(k.out[0]))
	if err := k.representable(q); err != nil {
		return nil, err
	}
	return func(a, b *ir.Value) *ir.Value {
		return k.store(k.rescale(k.mul(k.offset(a, k.in[0], ir.I32), k.offset(b, k.in[1], ir.I32)), q), k.out[0], low, high)
	}, nil
}

// squaredDifference is SQUARED_DIFFERENCE of quantized numbers.
func squaredDifference(k *kernel, low, high int64) (func(a, b *ir.Value) *ir.Value, error) {
	if k.out[0].Type != model.Int8 {
		return nil, k.unsupported()
	}
	const shift = 7
	twice := 2 * max(scale(k.in[0]), scale(k.in[1]))
	scaled := func(x *ir.Value, i int) *ir.Value {
		x = k.shl(k.offset(x, k.in[i], ir.I32), k.i32(shift))
		return k.rescale(x, quantizeMultiplier(scale(k.in[i])/twice))
	}
	q := quantizeMultiplier(twice * twice / (float64(1<<(2*shift)) * scale(k.out[0])))
	if err := k.representable(q); err != nil {
		return nil, err
	}
	return func(a, b *ir.Value) *ir.Value {
		d := k.sub(scaled(a, 0), scaled(b, 1))
		return k.store(k.rescale(k.mul(d, d), q), k.out[0], low, high)
	}, nil
}

// quotient is DIV of quantized numbers of 8 bits: a product with the reciprocal, which is in a table. What is divided by 0 becomes 0.
func quotient(k *kernel, low, high int64) (func(a, b *ir.Value) *ir.Value, error) {
	in, divisor, out := k.in[0], k.in[1], k.out[0]
	if out.Type == model.Int16 {
		return nil, k.unsupported()
	}
	q := quantizeMultiplier(float64(in.Scale[0] / (divisor.Scale[0] * out.Scale[0])))
	if err := k.representable(q); err != nil {
		return nil, err
	}
	var factors, shifts []int64
	for x := range int64(256) {
		d := x - zeroPoint(divisor)
		if x > gomath.MaxInt8 && !unsigned(divisor.Type) {
			d -= 256
		}
		if d == 0 {
			factors, shifts = append(factors, 0), append(shifts, 0)
			continue
		}
		zeros := bits.LeadingZeros32(uint32(max(d, -d)))
		inverse := int64(saturatingShift(halfReciprocal(int32(max(d, -d)<<zeros-1<<31)), 1))
		if d < 0 {
			inverse = -inverse
		}
		factors, shifts = append(factors, inverse), append(shifts, int64(31-zeros-q.shift))
	}
	factor, shift := k.function.list(ir.I32, factors), k.function.list(ir.I32, shifts)
	zero := k.i32(0)
	return func(a, b *ir.Value) *ir.Value {
		x, at := k.offset(a, in, ir.I32), arith.NewCast(k.b, arith.IndexCastUI, ir.Index, b)
		f := k.at(factor, at)
		// The kernel gives the sign of the divisor to the other number.
		x = k.pick(k.cmp(arith.SLT, f, zero), k.sub(zero, x), x)
		f = k.max(f, k.sub(zero, f))
		unused := k.sub(k.math1(math.CountLeadingZeros, k.op2(arith.XOrI, x, k.shr(x, k.i32(31)))), k.i32(1))
		right := k.add(k.at(shift, at), unused)
		y := k.roundingShiftBy(k.highMul(k.highMul(k.shl(x, unused), f), k.i32(q.m)), k.clampInt(right, 0, 31))
		// Shifts by more than 31 bits have no definition in the kernel; what they stand for is less than a half.
		return k.store(k.pick(k.cmp(arith.SGT, right, k.i32(31)), zero, y), out, low, high)
	}, nil
}

// extreme is MAXIMUM and MINIMUM, which compare elements of any type as they are.
func extreme(largest bool) func(k *kernel) error {
	return func(k *kernel) error {
		a, b, out := k.in[0], k.in[1], k.out[0]
		if a.Type != b.Type || a.Type != out.Type || a.Type == model.Bool {
			return k.unsupported()
		}
		values, err := k.inputs(0, 1)
		if err != nil {
			return err
		}
		return k.pointwise(values, func(e []*ir.Value) *ir.Value {
			if largest {
				return k.pick(k.less(a.Type, e[1], e[0]), e[0], e[1])
			}
			return k.pick(k.less(a.Type, e[0], e[1]), e[0], e[1])
		})
	}
}

// less compares two elements of a type; a NaN is less than nothing.
func (f *function) less(t model.Type, a, b *ir.Value) *ir.Value {
	switch {
	case ir.IsFloat(a.Type()):
		return f.cmpf(arith.OLT, a, b)
	case unsigned(t):
		return f.cmp(arith.ULT, a, b)
	}
	return f.cmp(arith.SLT, a, b)
}

// floorMod returns the remainder that has the sign of the divisor.
func floorMod(id *ir.OpID) func(k *kernel, a, b *ir.Value) *ir.Value {
	return func(k *kernel, a, b *ir.Value) *ir.Value {
		r := k.op2(id, a, b)
		differ, nonzero := (*ir.Value)(nil), (*ir.Value)(nil)
		var sum *ir.Value
		if ir.IsFloat(a.Type()) {
			zero := k.f32(0)
			differ = k.op2(arith.XOrI, k.cmpf(arith.OLT, r, zero), k.cmpf(arith.OLT, b, zero))
			nonzero, sum = k.cmpf(arith.UNE, r, zero), k.op2(arith.AddF, r, b)
		} else {
			zero := k.int(a.Type(), 0)
			differ = k.op2(arith.XOrI, k.cmp(arith.SLT, r, zero), k.cmp(arith.SLT, b, zero))
			nonzero, sum = k.cmp(arith.NE, r, zero), k.add(r, b)
		}
		return k.pick(k.op2(arith.AndI, differ, nonzero), sum, r)
	}
}

// floorDiv returns the quotient, rounded down.
func floorDiv(k *kernel, a, b *ir.Value) *ir.Value {
	return k.math1(math.Floor, k.op2(arith.DivF, a, b))
}

// square returns the square of the difference.
func squareOfDifference(sub, mul *ir.OpID) func(k *kernel, a, b *ir.Value) *ir.Value {
	return func(k *kernel, a, b *ir.Value) *ir.Value {
		d := k.op2(sub, a, b)
		return k.op2(mul, d, d)
	}
}

// narrow is an operator that has kernels for the integers of 8 and 16 bits themselves, whatever their scale, and others for other types.
func narrow(integer func(k *kernel, a, b *ir.Value) *ir.Value, otherwise func(k *kernel) error) func(k *kernel) error {
	wide := bitwise(func(k *kernel, a, b *ir.Value) *ir.Value {
		return k.cast(integer(k, k.cast(a, ir.I32, false), k.cast(b, ir.I32, false)), a.Type().(*ir.IntegerType), false)
	})
	return func(k *kernel) error {
		if t := k.out[0].Type; t == model.Int8 || t == model.Int16 {
			return wide(k)
		}
		return otherwise(k)
	}
}

// bitwise is an operator on the bits of integers.
func bitwise(compute func(k *kernel, a, b *ir.Value) *ir.Value) func(k *kernel) error {
	return func(k *kernel) error {
		t := k.out[0].Type
		if _, ok := elementTypes[t].(*ir.IntegerType); !ok || t == model.Bool || k.in[0].Type != t || k.in[1].Type != t {
			return k.unsupported()
		}
		values, err := k.inputs(0, 1)
		if err != nil {
			return err
		}
		return k.pointwise(values, func(e []*ir.Value) *ir.Value { return compute(k, e[0], e[1]) })
	}
}

func xor(k *kernel, a, b *ir.Value) *ir.Value { return k.op2(arith.XOrI, a, b) }

// rightShift shifts by at least 0 and less than all bits.
func rightShift(k *kernel, a, b *ir.Value) *ir.Value {
	last := 8*k.out[0].Type.Size() - 1
	if unsigned(k.out[0].Type) {
		return k.op2(arith.ShRUI, a, k.op2(arith.MinUI, b, k.int(b.Type(), last)))
	}
	return k.shr(a, k.clampInt(b, 0, last))
}

// addN is ADD_N: the sum of tensors of the same shape, from the first to the last.
func addN(k *kernel) error {
	id := arith.AddF
	switch k.out[0].Type {
	case model.Float32:
	case model.Int32:
		id = arith.AddI
	default:
		return k.unsupported()
	}
	var values []*ir.Value
	for i, t := range k.in {
		if t.Type != k.out[0].Type {
			return k.unsupported()
		}
		v, err := k.value(i)
		if err != nil {
			return err
		}
		values = append(values, v)
	}
	return k.pointwise(values, func(e []*ir.Value) *ir.Value {
		sum := e[0]
		for _, x := range e[1:] {
			sum = k.op2(id, sum, x)
		}
		return sum
	})
}
