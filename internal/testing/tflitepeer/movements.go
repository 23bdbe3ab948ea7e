package main

import (
	"slices"

	"freehold/transform/import/tflite/model"
)

// movements are operators that only move elements.
var movements = map[string]func(g *generator) *single{
	"TRANSPOSE": func(g *generator) *single {
		in := g.tensor(pick(g, all...), g.any(1, 5)...)
		order := g.Perm(len(in.Shape))
		var shape, list []int64
		for _, d := range order {
			shape, list = append(shape, in.Shape[d]), append(list, int64(d))
		}
		return of(like(in, shape...), in, ints(list...))
	},
	"PAD":   padded(false),
	"PADV2": padded(true),
	"MIRROR_PAD": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8), g.any(1, 4)...)
		mode := g.IntN(2) // 1 is SYMMETRIC
		var shape, list []int64
		for _, n := range in.Shape {
			most := int(n) - 1 + mode
			low, high := g.between(0, most), g.between(0, most)
			shape, list = append(shape, n+low+high), append(list, low, high)
		}
		return of(like(in, shape...), in, intsOf([]int64{int64(len(in.Shape)), 2}, list...)).option(0, int8(mode))
	},
	"SLICE": func(g *generator) *single {
		in := g.tensor(pick(g, all...), g.any(1, 4)...)
		var shape, begins, sizes []int64
		for _, n := range in.Shape {
			b := g.between(0, int(n)-1)
			s := g.between(1, int(n-b))
			shape, begins = append(shape, s), append(begins, b)
			if s == n-b && g.chance(2) {
				s = -1
			}
			sizes = append(sizes, s)
		}
		return of(like(in, shape...), in, ints(begins...), ints(sizes...))
	},
	"STRIDED_SLICE": stridedSlice,
	"DENSIFY":       densified,
	"DILATE": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int32, model.Int64), g.any(1, 4)...)
		var shape, steps []int64
		for _, n := range in.Shape {
			d := g.between(1, 3)
			shape, steps = append(shape, (n-1)*d+1), append(steps, d)
		}
		return of(like(in, shape...), in, ints(steps...), g.constant(like(in)))
	},
	"STABLEHLO_PAD": func(g *generator) *single {
		in := plain(pick(g, model.Float32, model.Int8, model.Int16, model.Int32, model.Int64), g.any(1, 4)...)
		var shape, low, high, between []int64
		for _, n := range in.Shape {
			l, h, b := g.between(-1, 2), g.between(-1, 2), g.between(0, 2)
			size := l + (n-1)*(b+1) + 1 + h
			if size < 1 {
				l, size = l+1-size, 1
			}
			shape, low, high, between = append(shape, size), append(low, l), append(high, h), append(between, b)
		}
		return of(like(in, shape...), in, g.constant(like(in))).option(0, low).option(1, high).option(2, between)
	},
	"BITCAST": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int32, model.Int8, model.Uint8, model.Int16, model.Int64), g.any(0, 3)...)
		out := in.Type
		switch in.Type {
		case model.Float32, model.Int32:
			out = pick(g, model.Float32, model.Int32)
		case model.Int8, model.Uint8:
			out = pick(g, model.Int8, model.Uint8)
		}
		return of(plain(out, in.Shape...), plain(in.Type, in.Shape...))
	},
	"CONCATENATION": func(g *generator) *single {
		t := g.tensor(pick(g, model.Float32, model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8, model.Bool), g.any(1, 4)...)
		d := g.IntN(len(t.Shape))
		sum := int64(0)
		var in []model.Tensor
		for range g.between(1, 4) {
			x := like(t, t.Shape...)
			x.Shape[d] = g.between(1, 3)
			sum += x.Shape[d]
			if t.Type == model.Uint8 && g.chance(2) {
				x = g.tensor(t.Type, x.Shape...)
			}
			in = append(in, x)
		}
		out := like(t, t.Shape...)
		out.Shape[d] = sum
		if g.chance(2) {
			d -= len(t.Shape)
		}
		return of(out, in...).option(0, int32(d))
	},
	"PACK": func(g *generator) *single {
		t := g.tensor(pick(g, model.Float32, model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8), g.any(1, 3)...)
		d, n := g.IntN(len(t.Shape)+1), g.between(1, 4)
		out := like(t, slices.Insert(slices.Clone(t.Shape), d, n)...)
		return of(out, slices.Repeat([]model.Tensor{t}, int(n))...).option(0, int32(n)).option(1, int32(d))
	},
	"UNPACK": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int32, model.Uint8, model.Bool), g.any(1, 4)...)
		d := g.IntN(len(in.Shape))
		out := like(in, slices.Delete(slices.Clone(in.Shape), d, d+1)...)
		c := of(out, in)
		c.out = slices.Repeat([]model.Tensor{out}, int(in.Shape[d]))
		return c.option(0, int32(in.Shape[d])).option(1, int32(d))
	},
	"SPLIT": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int16, model.Int32, model.Uint8), g.any(1, 4)...)
		d, n := g.IntN(len(in.Shape)), g.between(1, 3)
		out := like(in, in.Shape...)
		in.Shape[d] *= n
		c := of(out, scalar(int64(d)), in)
		c.out = slices.Repeat([]model.Tensor{out}, int(n))
		return c.option(0, int32(n))
	},
	"SPLIT_V": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8), g.any(1, 4)...)
		d := g.IntN(len(in.Shape))
		var sizes []int64
		sum := int64(0)
		c := of(model.Tensor{})
		c.out = nil
		for range g.between(1, 4) {
			out := like(in, in.Shape...)
			out.Shape[d] = g.between(1, 3)
			sum += out.Shape[d]
			c.out, sizes = append(c.out, out), append(sizes, out.Shape[d])
		}
		in.Shape[d] = sum
		if g.chance(2) {
			sizes[g.IntN(len(sizes))] = -1
		}
		c.in = []model.Tensor{in, ints(sizes...), scalar(int64(d))}
		return c.option(0, int32(len(sizes)))
	},
	"TILE": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int32, model.Int64, model.Uint8, model.Bool), g.any(1, 4)...)
		var shape, times []int64
		for _, n := range in.Shape {
			k := g.between(1, 3)
			shape, times = append(shape, n*k), append(times, k)
		}
		return of(like(in, shape...), in, ints(times...))
	},
	"BROADCAST_TO": func(g *generator) *single {
		shape := g.any(1, 4)
		in := g.tensor(pick(g, all...), g.broadcast(shape)...)
		return of(like(in, shape...), in, ints(shape...))
	},
	"REVERSE_V2": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int16, model.Int32, model.Int64, model.Uint8, model.Bool), g.any(1, 4)...)
		return of(in, in, ints(int64(g.IntN(len(in.Shape)))))
	},
	"REVERSE_SEQUENCE": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int16, model.Int32, model.Int64, model.Uint8), g.any(2, 4)...)
		order := g.Perm(len(in.Shape))
		sequence, batch := order[0], order[1]
		c := of(in, in, plain(model.Int32, in.Shape[batch]))
		c.arguments[1] = small(g, in.Shape[batch], 0, int(in.Shape[sequence]))
		return c.option(0, int32(sequence)).option(1, int32(batch))
	},
	"DEPTH_TO_SPACE": func(g *generator) *single {
		s, b := g.shape(4, 4), g.between(1, 3)
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int32, model.Int64, model.Uint8), s[0], s[1], s[2], s[3]*b*b)
		return of(like(in, s[0], s[1]*b, s[2]*b, s[3]), in).option(0, int32(b))
	},
	"SPACE_TO_DEPTH": func(g *generator) *single {
		s, b := g.shape(4, 4), g.between(1, 3)
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int32, model.Int64, model.Uint8), s[0], s[1]*b, s[2]*b, s[3])
		return of(like(in, s[0], s[1], s[2], s[3]*b*b), in).option(0, int32(b))
	},
	"SPACE_TO_BATCH_ND": func(g *generator) *single {
		in, batches := g.blocks()
		return of(like(in, batches.shape...), in, ints(batches.blocks...), intsOf([]int64{2, 2}, batches.borders...))
	},
	"BATCH_TO_SPACE_ND": func(g *generator) *single {
		out, batches := g.blocks()
		return of(out, like(out, batches.shape...), ints(batches.blocks...), intsOf([]int64{2, 2}, batches.borders...))
	},
	"RESIZE_BILINEAR":         resized(2),
	"RESIZE_NEAREST_NEIGHBOR": resized(0),
	"MATRIX_DIAG": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8), g.any(1, 3)...)
		return of(like(in, append(slices.Clone(in.Shape), in.Shape[len(in.Shape)-1])...), in)
	},
	"MATRIX_SET_DIAG": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8), g.any(2, 4)...)
		n := len(in.Shape)
		return of(in, in, like(in, append(slices.Clone(in.Shape[:n-2]), min(in.Shape[n-2], in.Shape[n-1]))...))
	},
	"SHAPE": func(g *generator) *single {
		in := g.tensor(pick(g, all...), g.any(1, 4)...)
		t := pick(g, model.Int32, model.Int64)
		return of(plain(t, int64(len(in.Shape))), in).option(0, int8(t)).copied()
	},
	"RANK": func(g *generator) *single {
		return of(plain(model.Int32), g.tensor(pick(g, all...), g.any(1, 4)...)).copied()
	},
	"FILL": func(g *generator) *single {
		t := plain(pick(g, model.Float32, model.Int32, model.Int64, model.Bool))
		shape := g.any(1, 4)
		return of(like(t, shape...), ints(shape...), t)
	},
	"ZEROS_LIKE": func(g *generator) *single {
		t := plain(pick(g, model.Float32, model.Int32, model.Int64), g.any(1, 4)...)
		return of(t, t)
	},
}

// padded has elements around a tensor, which a third input says or not.
func padded(value bool) func(g *generator) *single {
	return func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8), g.any(1, 4)...)
		var shape, list []int64
		for _, n := range in.Shape {
			low, high := g.between(0, 2), g.between(0, 2)
			shape, list = append(shape, n+low+high), append(list, low, high)
		}
		c := of(like(in, shape...), in, intsOf([]int64{int64(len(in.Shape)), 2}, list...))
		if value {
			c.in = append(c.in, g.constant(like(in, 1)))
		}
		return c
	}
}

func stridedSlice(g *generator) *single {
	in := g.tensor(pick(g, all...), g.any(1, 4)...)
	var shape, begins, ends, strides []int64
	var beginMask, endMask, ellipsis, newAxis, shrink int32
	d, left := 0, len(in.Shape)
	for left > 0 {
		bit := int32(1) << len(begins)
		switch {
		case ellipsis == 0 && g.chance(8):
			// One that stands for no dimension takes one all the same in LiteRT.
			n := g.IntN(left) + 1
			ellipsis = bit
			shape = append(shape, in.Shape[d:d+n]...)
			d, left = d+n, left-n
			begins, ends, strides = append(begins, 0), append(ends, 0), append(strides, 1)
			continue
		case g.chance(8) && len(shape)+left < 5:
			newAxis |= bit
			shape = append(shape, 1)
			begins, ends, strides = append(begins, 0), append(ends, 0), append(strides, 1)
			continue
		case ellipsis == 0 && g.chance(6) && len(begins) > 0:
			// The dimensions that are left aren't mentioned.
			shape = append(shape, in.Shape[d:]...)
			left = 0
			continue
		}
		n := in.Shape[d]
		d, left = d+1, left-1
		if g.chance(5) {
			shrink |= bit
			b := g.between(-int(n), int(n)-1)
			begins, ends, strides = append(begins, b), append(ends, b+1), append(strides, 1)
			continue
		}
		stride := pick(g, int64(1), 1, 2, 3, -1, -2)
		b, e := g.between(-int(n)-1, int(n)+1), g.between(-int(n)-1, int(n)+1)
		if g.chance(3) {
			beginMask |= bit
		}
		if g.chance(3) {
			endMask |= bit
		}
		size := span(n, b, e, stride, beginMask&bit != 0, endMask&bit != 0)
		if size == 0 {
			beginMask, endMask = beginMask|bit, endMask|bit
			size = span(n, b, e, stride, true, true)
		}
		begins, ends, strides, shape = append(begins, b), append(ends, e), append(strides, stride), append(shape, size)
	}
	c := of(like(in, shape...), in, ints(begins...), ints(ends...), ints(strides...))
	return c.option(0, beginMask).option(1, endMask).option(2, ellipsis).option(3, newAxis).option(4, shrink)
}

// span is how many elements a slice of n has.
func span(n, begin, end, stride int64, fromStart, toEnd bool) int64 {
	at := func(x int64) int64 {
		if x < 0 {
			x += n
		}
		if stride > 0 {
			return min(max(x, 0), n)
		}
		return min(max(x, -1), n-1)
	}
	first, last := at(begin), at(end)
	switch {
	case fromStart && stride > 0:
		first = 0
	case fromStart:
		first = n - 1
	}
	switch {
	case toEnd && stride > 0:
		last = n
	case toEnd:
		last = -1
	}
	if stride > 0 {
		return max(0, (last-first+stride-1)/stride)
	}
	return max(0, (first-last-stride-1)/-stride)
}

// batched are the sizes of an image whose blocks have become batches.
type batched struct{ shape, blocks, borders []int64 }

// blocks returns an image, and what its blocks are.
func (g *generator) blocks() (model.Tensor, batched) {
	a, b := g.between(1, 3), g.between(1, 3)
	h, w := g.between(1, 3), g.between(1, 3)
	borders := []int64{g.between(0, int(h*a)-1), 0, g.between(0, int(w*b)-1), 0}
	n, c := g.between(1, 2), g.between(1, 3)
	t := g.tensor(pick(g, model.Float32, model.Int8, model.Int32, model.Int64, model.Uint8), n, h*a-borders[0], w*b-borders[2], c)
	return t, batched{[]int64{n * a * b, h, w, c}, []int64{a, b}, borders}
}

// resized has another height and width. options is the place of the first option.
func resized(options int) func(g *generator) *single {
	return func(g *generator) *single {
		s := g.shape(4, 6)
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int16, model.Uint8), s...)
		h, w := g.between(1, 9), g.between(1, 9)
		corners := g.chance(3)
		return of(like(in, s[0], h, w, s[3]), in, ints(h, w)).option(options, corners).option(options+1, !corners && g.chance(2))
	}
}
