package tflite

import (
	"math"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/transform/import/tflite/model"
)

// resizing is what the two operators that resize images have in common.
type resizing struct {
	corners, centers bool
}

func (k *kernel) resizing(corners, centers int) (*ir.Value, resizing, error) {
	in, out := k.in[0].Shape, k.out[0].Shape
	v, err := k.moved()
	if err != nil {
		return nil, resizing{}, err
	}
	if len(in) != 4 || len(out) != 4 || in[0] != out[0] || in[3] != out[3] || in[1]*in[2]*out[1]*out[2] == 0 || max(in[1], in[2], out[1], out[2]) > 1<<20 {
		return nil, resizing{}, k.malformed()
	}
	return v, resizing{k.op.Options.Flag(corners), k.op.Options.Flag(centers)}, nil
}

// resizeNearest is RESIZE_NEAREST_NEIGHBOR.
func resizeNearest(k *kernel) error {
	v, r, err := k.resizing(0, 1)
	if err != nil {
		return err
	}
	in, out := k.in[0].Shape, k.out[0].Shape
	rows, columns := k.function.list(ir.I32, r.nearest(in[1], out[1])), k.function.list(ir.I32, r.nearest(in[2], out[2]))
	k.computed(func(at []*ir.Value) *ir.Value {
		return k.at(v, at[0], k.toIndex(k.at(rows, at[1])), k.toIndex(k.at(columns, at[2])), at[3])
	})
	return nil
}

// nearest returns for each position of the output the one of the input.
func (r resizing) nearest(in, out int64) []int64 {
	list := make([]int64, out)
	scale := float32(in) / float32(out)
	if r.corners && out > 1 {
		scale = float32(in-1) / float32(out-1)
	}
	offset := float32(0)
	if r.centers {
		offset = 0.5
	}
	for i := range list {
		x := float32((float32(i) + offset) * scale)
		if r.corners {
			x = round(x)
		} else {
			x = float32(math.Floor(float64(x)))
		}
		list[i] = max(min(int64(x), in-1), 0)
	}
	return list
}

// resizeBilinear is RESIZE_BILINEAR.
func resizeBilinear(k *kernel) error {
	v, r, err := k.resizing(2, 3)
	if err != nil {
		return err
	}
	switch k.in[0].Type {
	case model.Float32, model.Uint8:
		k.bilinearFloat(v, r)
	case model.Int8, model.Int16:
		k.bilinearInteger(v, r)
	default:
		return k.unsupported()
	}
	return nil
}

// taps are the lower and upper neighbour of each position, as lists, and two weights.
type taps struct{ low, high, weight, rest *ir.Value }

func (k *kernel) bilinearFloat(v *ir.Value, r resizing) {
	in, out := k.in[0].Shape, k.out[0].Shape
	y, x := k.tapsFloat(r, in[1], out[1]), k.tapsFloat(r, in[2], out[2])
	times := func(a, b *ir.Value) *ir.Value { return k.op2(arith.MulF, a, b) }
	t := k.in[0].Type
	read := func(at ...*ir.Value) *ir.Value { return k.convert(k.at(v, at...), t, model.Float32) }
	// What rounds integers is zero for others, and makes a zero positive.
	half := k.f32(0)
	if t != model.Float32 {
		half = k.f32(0.5)
	}
	k.computed(func(at []*ir.Value) *ir.Value {
		y0, y1, x0, x1 := k.neighbours(y, x, at)
		dy, dx, ry, rx := k.at(y.weight, at[1]), k.at(x.weight, at[2]), k.at(y.rest, at[1]), k.at(x.rest, at[2])
		sum := times(times(read(at[0], y0, x0, at[3]), ry), rx)
		sum = k.op2(arith.AddF, sum, times(times(read(at[0], y1, x0, at[3]), dy), rx))
		sum = k.op2(arith.AddF, sum, times(times(read(at[0], y0, x1, at[3]), ry), dx))
		sum = k.op2(arith.AddF, sum, times(times(read(at[0], y1, x1, at[3]), dy), dx))
		return k.convert(k.op2(arith.AddF, sum, half), model.Float32, t)
	})
}

// neighbours returns the positions that an element of the output is made of.
func (k *kernel) neighbours(y, x taps, at []*ir.Value) (y0, y1, x0, x1 *ir.Value) {
	get := func(list, i *ir.Value) *ir.Value { return k.toIndex(k.at(list, i)) }
	return get(y.low, at[1]), get(y.high, at[1]), get(x.low, at[2]), get(x.high, at[2])
}

func (k *kernel) tapsFloat(r resizing, in, out int64) taps {
	scale := float32(in) / float32(out)
	if r.corners && out > 1 {
		scale = float32(in-1) / float32(out-1)
	}
	low, high := make([]int64, out), make([]int64, out)
	weight, rest := make([]float32, out), make([]float32, out)
	for i := range low {
		at := float32(float32(i) * scale)
		if r.centers {
			at = float32((float32(i)+0.5)*scale) - 0.5
		}
		low[i] = max(int64(math.Floor(float64(at))), 0)
		high[i] = min(int64(math.Ceil(float64(at))), in-1)
		weight[i] = at - float32(low[i])
		rest[i] = 1 - weight[i]
	}
	return taps{k.function.list(ir.I32, low), k.function.list(ir.I32, high), k.floats(weight), k.floats(rest)}
}

func (k *kernel) bilinearInteger(v *ir.Value, r resizing) {
	in, out := k.in[0].Shape, k.out[0].Shape
	y, x := k.tapsInteger(r, in[1], out[1]), k.tapsInteger(r, in[2], out[2])
	k.computed(func(at []*ir.Value) *ir.Value {
		y0, y1, x0, x1 := k.neighbours(y, x, at)
		wide := func(a *ir.Value) *ir.Value { return k.cast(a, ir.I64, false) }
		dy, dx, ry, rx := wide(k.at(y.weight, at[1])), wide(k.at(x.weight, at[2])), wide(k.at(y.rest, at[1])), wide(k.at(x.rest, at[2]))
		part := func(y, x, a, b *ir.Value) *ir.Value {
			return k.mul(k.mul(wide(k.at(v, at[0], y, x, at[3])), a), b)
		}
		sum := k.add(part(y0, x0, ry, rx), part(y1, x0, dy, rx))
		sum = k.add(k.add(sum, part(y0, x1, ry, dx)), part(y1, x1, dy, dx))
		half := k.pick(k.cmp(arith.SGT, sum, k.i64(0)), k.i64(1<<19), k.i64(-1<<19))
		sum = k.op2(arith.DivSI, k.add(sum, half), k.i64(1<<20))
		return k.cast(sum, elementTypes[k.out[0].Type].(*ir.IntegerType), false)
	})
}

// tapsInteger is tapsFloat in fixed point, with ten bits behind the point.
func (k *kernel) tapsInteger(r resizing, in, out int64) taps {
	const one = 1 << 10
	scale := (one*in + out/2) / out
	if r.corners && out > 1 {
		scale = (one*(in-1) + (out-1)/2) / (out - 1)
	}
	low, high := make([]int64, out), make([]int64, out)
	weight, rest := make([]int64, out), make([]int64, out)
	for i := range low {
		at := int64(i) * scale
		if r.centers {
			at += scale/2 - one/2
		}
		low[i] = max(at/one, 0)
		high[i] = min((at+one-1)/one, in-1)
		weight[i] = at - one*low[i]
		rest[i] = one - weight[i]
	}
	list := func(l []int64) *ir.Value { return k.function.list(ir.I32, l) }
	return taps{list(low), list(high), list(weight), list(rest)}
}
