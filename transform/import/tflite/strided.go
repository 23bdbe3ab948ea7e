package tflite

import (
	"freehold/ir"
)

// sliced is the part of a dimension that STRIDED_SLICE takes.
type sliced struct {
	begin, end, step int64
	// noBegin and noEnd say that the slice reaches as far as it can; shrink, that it is one element and the dimension goes.
	noBegin, noEnd, shrink bool
}

// stridedSlice is STRIDED_SLICE with constant bounds. The output's sizes say where new dimensions of size 1 are.
func stridedSlice(k *kernel) error {
	in, out := k.in[0], k.out[0]
	v, err := k.value(0)
	if err != nil {
		return err
	}
	parts, err := k.sliced(len(in.Shape))
	if err != nil {
		return err
	}
	offsets, extents, strides := make([]int64, len(in.Shape)), make([]int64, len(in.Shape)), make([]int64, len(in.Shape))
	backwards, elements := false, int64(1)
	for d, n := range in.Shape {
		start, count, step, ok := parts[d].within(n)
		if !ok {
			return k.malformed()
		}
		offsets[d], extents[d], strides[d] = start, count, step
		backwards, elements = backwards || step < 0, elements*count
	}
	if in.Type != out.Type || elements != ir.ElementCount(out.Shape) {
		return k.malformed()
	}
	if !backwards {
		k.result(0, k.reshape(k.slice(v, offsets, extents, strides), out.Shape))
		return nil
	}
	t := k.ctx.RankedTensor(extents, elementTypes[in.Type])
	w := k.generic(t, nil, nil, func([]*ir.Value) *ir.Value {
		at := k.indices(len(extents))
		for d := range at {
			at[d] = k.add(k.mul(at[d], k.index(strides[d])), k.index(offsets[d]))
		}
		return k.at(v, at...)
	})
	k.result(0, k.reshape(w, out.Shape))
	return nil
}

// sliced returns what is taken of each dimension of the input. Bits of the options belong to positions in the lists of bounds: of a new
// dimension, of an ellipsis, which stands for all dimensions that no other position is for, or of a dimension of the input.
func (k *kernel) sliced(rank int) ([]sliced, error) {
	const beginMask, endMask, ellipsisMask, newAxisMask, shrinkMask, offset = 0, 1, 2, 3, 4, 5
	o := k.op.Options
	var bounds [3][]int64
	for i := range bounds {
		list, err := k.constants(i + 1)
		if err != nil {
			return nil, err
		}
		if bounds[i] = list; len(list) != len(bounds[0]) || len(list) > 31 {
			return nil, k.malformed()
		}
	}
	var out []sliced
	whole := func(upTo int) {
		for len(out) < upTo {
			out = append(out, sliced{step: 1, noBegin: true, noEnd: true})
		}
	}
	for i, begin := range bounds[0] {
		set := func(mask int) bool { return o.Int(mask)>>i&1 != 0 }
		switch {
		case set(ellipsisMask):
			behind := 0
			for n := i + 1; n < len(bounds[0]); n++ {
				if o.Int(newAxisMask)>>n&1 == 0 {
					behind++
				}
			}
			whole(rank - behind)
		case set(newAxisMask):
		default:
			s := sliced{begin, bounds[1][i], bounds[2][i], set(beginMask), set(endMask), set(shrinkMask)}
			if o.Flag(offset) {
				s.end += begin
			}
			out = append(out, s)
		}
	}
	whole(rank)
	if len(out) != rank {
		return nil, k.malformed()
	}
	return out, nil
}

// within returns where the slice of a dimension of n elements starts, and how many elements it has.
func (s sliced) within(n int64) (start, count, stride int64, ok bool) {
	step := s.step
	if step == 0 || max(step, -step) > 1<<31 {
		return 0, 0, 0, false
	}
	low, high := int64(0), n
	if step < 0 {
		low, high = -1, n-1
	}
	place := func(x int64) int64 {
		if x < 0 {
			x += n
		}
		return min(max(x, low), high)
	}
	start = place(s.begin)
	if s.noBegin {
		start = low
		if step < 0 {
			start = high
		}
	}
	if s.shrink {
		return start, 1, 1, start >= 0 && start < n
	}
	stop := place(s.end)
	if s.noEnd {
		stop = high
		if step < 0 {
			stop = low
		}
	}
	if step > 0 {
		count = (stop - start + step - 1) / step
	} else {
		count = (stop - start + step + 1) / step
	}
	if count <= 0 {
		return 0, 0, 1, true
	}
	return start, count, step, true
}
