package tflite

import (
	"math"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// round rounds halves away from zero, in single precision.
func round(x float32) float32 { return float32(math.Round(float64(x))) }

// table16 returns the values of a function from one number to another one, and one behind, for interpolation: 512 steps, each
// with half the error in its middle taken off.
func table16(fn func(float32) float32, inLow, inHigh, outLow, outHigh float32) []int64 {
	const steps = 512
	step := (inHigh - inLow) / steps
	scaling := 65536 / (outHigh - outLow)
	within := func(x float32) int64 { return int64(min(max(x, math.MinInt16), math.MaxInt16)) }
	out := make([]int64, steps+1)
	for i := range steps {
		start := float32(float32(i) * step)
		at := round(float32(fn(inLow+start) * scaling))
		next := float32(fn(inLow+float32(float32(i+1)*step)) * scaling)
		middle := round((next+at)/2) - round(float32(fn(inLow+start+step/2)*scaling))
		out[i] = within(at - round(middle/2))
	}
	out[steps] = within(round(float32(fn(inHigh) * scaling)))
	return out
}

// quantizedTable16 returns the table of a function of the numbers that the elements of one tensor of 16 bits stand for to those of
// another one.
func quantizedTable16(fn func(float32) float32, in, out *model.Tensor) []int64 {
	bounds := func(t *model.Tensor) (low, high float32) {
		z := zeroPoint(t)
		return t.Scale[0] * float32(math.MinInt16-z), t.Scale[0] * float32(math.MaxInt16-z)
	}
	inLow, inHigh := bounds(in)
	outLow, outHigh := bounds(out)
	return table16(fn, inLow, inHigh, outLow, outHigh)
}

// interpolate looks a number of 16 bits, given as 32, up in a table of 513 elements.
func (f *function) interpolate(table, x *ir.Value) *ir.Value {
	i := f.add(f.toIndex(f.shr(x, f.i32(7))), f.index(256))
	base := f.cast(f.at(table, i), ir.I32, false)
	slope := f.sub(f.cast(f.at(table, f.add(i, f.index(1))), ir.I32, false), base)
	// The slope has 16 bits in the kernels.
	slope = f.cast(f.cast(slope, ir.I16, false), ir.I32, false)
	part := f.op2(arith.AndI, x, f.i32(0x7f))
	delta := f.shr(f.add(f.mul(slope, part), f.i32(64)), f.i32(7))
	return f.cast(f.cast(f.add(base, delta), ir.I16, false), ir.I32, false)
}

// table8 computes output 0, of 8 bits, by a table of its values for all elements of the input.
func (k *kernel) table8(fn func(x int64) int64) error {
	in := k.in[0]
	v, err := k.value(0)
	if err != nil {
		return err
	}
	low, high := limits(in.Type)
	list := make([]int64, 256)
	for x := low; x <= high; x++ {
		list[byte(x)] = fn(x)
	}
	table := k.function.list(elementTypes[k.out[0].Type].(*ir.IntegerType), list)
	return k.pointwise([]*ir.Value{v}, func(e []*ir.Value) *ir.Value {
		return k.at(table, arith.NewCast(k.b, arith.IndexCastUI, ir.Index, e[0]))
	})
}

// quantizedTable8 is table8 of a function of the numbers that the elements stand for.
func (k *kernel) quantizedTable8(fn func(x float32) float32) error {
	in, out := k.in[0], k.out[0]
	low, high := limits(out.Type)
	inverse := 1 / out.Scale[0]
	return k.table8(func(x int64) int64 {
		y := round(float32(fn(in.Scale[0]*float32(x-zeroPoint(in))) * inverse))
		y += float32(zeroPoint(out))
		// What isn't a number has no definition in the kernels; what is too large is the limit, as where conversions saturate.
		if y != y {
			return low
		}
		return int64(min(max(y, float32(low)), float32(high)))
	})
}
