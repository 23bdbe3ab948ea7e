package tflite

import (
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// rescale multiplies a sum, of 32 or 64 bits, by a multiplier as the kernels do, and returns 32 bits.
func (f *function) rescale(x *ir.Value, q multiplier) *ir.Value {
	if x.Type() == ir.I64 {
		return f.rescaleWide(x, f.i64(reduced(q.m)), f.i64(1<<(14-q.shift)), f.i64(int64(15-q.shift)))
	}
	if q.shift > 0 {
		x = f.shl(x, f.i32(int64(q.shift)))
	}
	return f.roundingShift(f.highMul(x, f.i32(q.m)), max(-q.shift, 0))
}

// highMul returns the upper half of twice the product, rounded, where the factors aren't both the least number.
func (f *function) highMul(a, b *ir.Value) *ir.Value {
	product := f.mul(f.cast(a, ir.I64, false), f.cast(b, ir.I64, false))
	return f.cast(f.shr(f.add(product, f.i64(1<<30)), f.i64(31)), ir.I32, false)
}

// roundingShift divides 32 bits by a power of two, and rounds halves away from zero.
func (f *function) roundingShift(x *ir.Value, by int) *ir.Value {
	if by == 0 {
		return x
	}
	n := f.cast(x, ir.I64, false)
	n = f.add(f.add(n, f.i64(1<<(by-1))), f.shr(n, f.i64(63)))
	return f.cast(f.shr(n, f.i64(int64(by))), ir.I32, false)
}

// roundingShiftBy is roundingShift by what is known at run time, from 0 to 31.
func (f *function) roundingShiftBy(x, by *ir.Value) *ir.Value {
	one := f.i32(1)
	mask := f.sub(f.shl(one, by), one)
	rest := f.op2(arith.AndI, x, mask)
	half := f.sub(f.shr(mask, one), f.shr(x, f.i32(31)))
	up := f.cast(f.cmp(arith.SGT, rest, half), ir.I32, true)
	return f.add(f.shr(x, by), up)
}

// reduced returns the multiplier that sums of 64 bits are multiplied by, which has 16 bits less.
func reduced(m int64) int64 {
	if m < 0x7FFF0000 {
		return (m + 1<<15) >> 16
	}
	return 0x7FFF
}

// rescaleWide multiplies 64 bits and rounds once: (x*m + half) >> shift.
func (f *function) rescaleWide(x, m, half, shift *ir.Value) *ir.Value {
	return f.cast(f.shr(f.add(f.mul(x, m), half), shift), ir.I32, false)
}

// channels is the multipliers of the channels of a tensor, as lists of constants, or as one multiplier for all.
type channels struct {
	all   *multiplier
	lists []*ir.Value
	// apply rescales x by the elements of the lists for its channel.
	apply func(x *ir.Value, elements []*ir.Value) *ir.Value
}

// channelMultipliers returns the multipliers of sums of a type. It refuses those that the kernels have no arithmetic for.
func (f *function) channelMultipliers(list []multiplier, sums *ir.IntegerType) (channels, error) {
	same, left, unshifted := true, false, false
	for _, q := range list {
		if q.shift > 30 || sums == ir.I64 && q.shift > 7 {
			return channels{}, f.errorf("a result would have to be multiplied by 2^%d or more: are the scales of the tensors right?", q.shift-1)
		}
		same, left, unshifted = same && q == list[0], left || q.shift > 0, unshifted || q.shift >= 0
	}
	if same {
		q := multiplier{}
		if len(list) > 0 {
			q = list[0]
		}
		return channels{all: &q}, nil
	}
	numbers := func(elem *ir.IntegerType, of func(q multiplier) int64) *ir.Value {
		var out []int64
		for _, q := range list {
			out = append(out, of(q))
		}
		return f.list(elem, out)
	}
	if sums == ir.I64 {
		return channels{
			lists: []*ir.Value{
				numbers(ir.I32, func(q multiplier) int64 { return reduced(q.m) }),
				numbers(ir.I32, func(q multiplier) int64 { return int64(15 - q.shift) })},
			apply: func(x *ir.Value, e []*ir.Value) *ir.Value {
				shift := f.cast(e[1], ir.I64, true)
				half := f.shl(f.i64(1), f.sub(shift, f.i64(1)))
				return f.rescaleWide(x, f.cast(e[0], ir.I64, true), half, shift)
			}}, nil
	}
	out := channels{lists: []*ir.Value{
		numbers(ir.I32, func(q multiplier) int64 { return q.m }),
		numbers(ir.I32, func(q multiplier) int64 { return int64(max(-q.shift, 0)) })}}
	if left {
		out.lists = append(out.lists, numbers(ir.I32, func(q multiplier) int64 { return int64(max(q.shift, 0)) }))
	}
	out.apply = func(x *ir.Value, e []*ir.Value) *ir.Value {
		if left {
			x = f.shl(x, e[2])
		}
		x = f.highMul(x, e[0])
		if unshifted {
			return f.roundingShiftBy(x, e[1])
		}
		by := f.cast(e[1], ir.I64, true)
		n := f.cast(x, ir.I64, false)
		n = f.add(f.add(n, f.shl(f.i64(1), f.sub(by, f.i64(1)))), f.shr(n, f.i64(63)))
		return f.cast(f.shr(n, by), ir.I32, false)
	}
	return out, nil
}

// store makes an element of a quantized tensor of its value in 32 bits: it adds the zero point and clamps.
func (f *function) store(x *ir.Value, of *model.Tensor, low, high int64) *ir.Value {
	if z := zeroPoint(of); z != 0 {
		x = f.add(x, f.i32(z))
	}
	return f.cast(f.clampInt(x, low, high), elementTypes[of.Type].(*ir.IntegerType), false)
}

// zeroPoint returns the zero point of a tensor that has one for all its elements, 0 for others.
func zeroPoint(t *model.Tensor) int64 {
	if len(t.ZeroPoint) == 0 {
		return 0
	}
	return t.ZeroPoint[0]
}

// scale returns the scale of a tensor that has one for all its elements.
func scale(t *model.Tensor) float64 {
	if len(t.Scale) == 0 {
		return 0
	}
	return float64(t.Scale[0])
}
