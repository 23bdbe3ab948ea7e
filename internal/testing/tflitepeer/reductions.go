package main

import (
	"slices"

	"freehold/transform/import/tflite/model"
)

var reductions = map[string]func(g *generator) *single{
	// LiteRT's SUM of quantized numbers computes in single precision, that of TensorFlow Lite Micro in fixed point.
	"SUM": reduced(false, model.Float32, model.Int32),
	"MEAN": func(g *generator) *single {
		c := reduced(false, model.Float32, model.Int8, model.Int16, model.Uint8, model.Int32, model.Int64)(g)
		// With one scale, LiteRT rounds to the nearest number, and TensorFlow Lite Micro towards zero.
		c.out[0] = g.tensor(c.out[0].Type, c.out[0].Shape...)
		return c
	},
	"REDUCE_MAX":  reduced(true, model.Float32, model.Int8, model.Int16, model.Int32, model.Uint8, model.Int64),
	"REDUCE_MIN":  reduced(true, model.Float32, model.Int8, model.Int16, model.Int32, model.Uint8, model.Int64),
	"REDUCE_PROD": reduced(false, model.Float32, model.Int32, model.Int8, model.Int16, model.Int64),
	"REDUCE_ANY":  reduced(false, model.Bool),
	"REDUCE_ALL":  reduced(false, model.Bool),
	"REDUCE_WINDOW": func(g *generator) *single {
		in := plain(pick(g, model.Float32, model.Int8, model.Int16, model.Int32, model.Int64, model.Uint8, model.Bool), g.any(1, 4)...)
		function := g.between(1, 4)
		if in.Type == model.Bool {
			function = g.between(5, 6)
		}
		var shape, sizes, steps, apart []int64
		for _, n := range in.Shape {
			size, step, d := g.between(1, int(n)), g.between(1, 2), g.between(1, 2)
			if (size-1)*d+1 > n {
				d = 1
			}
			sizes, steps, apart, shape = append(sizes, size), append(steps, step), append(apart, d), append(shape, (n-(size-1)*d-1)/step+1)
		}
		return of(like(in, shape...), in, g.constant(like(in)), longs(sizes...), longs(steps...), longs(apart...)).option(0, int32(function))
	},
	"ARG_MAX": argument,
	"ARG_MIN": argument,
	"SOFTMAX": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int8, model.Int16, model.Uint8), g.any(1, 4)...)
		out := like(in, in.Shape...)
		switch in.Type {
		case model.Int8:
			out = scaled(out, 1.0/256, -128)
			if g.chance(3) {
				out.Type = model.Int16
				out = scaled(out, 1.0/65536, -32768)
			}
		case model.Uint8:
			out = scaled(out, 1.0/256, 0)
		case model.Int16:
			out = scaled(out, 1.0/32768, 0)
		}
		return of(out, in).option(0, pick(g, float32(1), 1, 0.5, float32(g.Float64()*3+0.01)))
	},
	"LOG_SOFTMAX": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Int8, model.Uint8), g.any(1, 4)...)
		out := like(in, in.Shape...)
		switch in.Type {
		case model.Int8:
			out = scaled(out, 16.0/256, 127)
		case model.Uint8:
			out = scaled(out, 16.0/256, 255)
		}
		return of(out, in)
	},
	"L2_NORMALIZATION": func(g *generator) *single {
		in := g.tensor(pick(g, model.Float32, model.Int8, model.Uint8), g.any(1, 4)...)
		out := like(in, in.Shape...)
		switch in.Type {
		case model.Int8:
			out = scaled(out, 1.0/128, 0)
		case model.Uint8:
			out = scaled(out, 1.0/128, 128)
		}
		return of(out, in)
	},
	"LOCAL_RESPONSE_NORMALIZATION": func(g *generator) *single {
		t := plain(model.Float32, g.shape(4, 5)...)
		return of(t, t).option(0, int32(g.between(0, 3))).option(1, float32(g.Float64()+0.5)).option(2, float32(g.Float64())).option(3, float32(g.Float64()))
	},
	"CUMSUM": func(g *generator) *single {
		t := plain(pick(g, model.Float32, model.Int32, model.Int64), g.any(1, 4)...)
		return of(t, t, scalar(g.between(-len(t.Shape), len(t.Shape)-1))).option(0, g.chance(2)).option(1, g.chance(2))
	},
}

// reduced joins elements along some dimensions. same says that the results must have the scale of the input.
func reduced(same bool, types ...model.Type) func(g *generator) *single {
	return func(g *generator) *single {
		in := g.tensor(pick(g, types...), g.any(1, 4)...)
		keep := g.chance(2)
		var axes, shape []int64
		for d, n := range in.Shape {
			switch {
			case g.chance(2):
				axes = append(axes, int64(d))
				if keep {
					shape = append(shape, 1)
				}
			default:
				shape = append(shape, n)
			}
		}
		if g.chance(3) {
			for i := range axes {
				axes[i] -= int64(len(in.Shape))
			}
		}
		g.Shuffle(len(axes), func(i, k int) { axes[i], axes[k] = axes[k], axes[i] })
		out := like(in, shape...)
		if !same && len(in.Scale) > 0 && g.chance(2) {
			out = g.tensor(in.Type, shape...)
		}
		if len(axes) == 0 {
			return reduced(same, types...)(g)
		}
		return of(out, in, ints(axes...)).option(0, keep)
	}
}

// argument finds places along a dimension.
func argument(g *generator) *single {
	in := g.tensor(pick(g, model.Float32, model.Int8, model.Uint8, model.Int32), g.any(1, 4)...)
	d := int(g.between(0, len(in.Shape)-1))
	t := pick(g, model.Int32, model.Int64)
	out := plain(t, slices.Delete(slices.Clone(in.Shape), d, d+1)...)
	if g.chance(2) {
		d -= len(in.Shape)
	}
	return of(out, in, scalar(int64(d))).option(0, int8(t))
}
