package main

import (
	"freehold/transform/import/tflite/model"
)

var contractions = map[string]func(g *generator) *single{
	"CONV_2D": func(g *generator) *single {
		w := g.windows()
		depth, channels, groups := g.between(1, 4), g.between(1, 5), int64(1)
		if g.chance(5) {
			groups = g.between(2, 3)
		}
		a := g.arithmetic(channels*groups, 0).biased()
		a.perChannel = a.perChannel || groups > 1 // with one scale, LiteRT's hybrid kernel takes no groups
		in, out := g.tensor(a.in, w.image(depth*groups)...), g.tensor(a.in, w.result(channels*groups)...)
		c := of(out, in, a.weights(g, channels*groups, w.fh, w.fw, depth), a.bias(g, in))
		return c.option(0, w.padding).option(1, int32(w.sw)).option(2, int32(w.sh)).option(3, g.activation()).option(4, int32(w.dw)).option(5, int32(w.dh))
	},
	"DEPTHWISE_CONV_2D": func(g *generator) *single {
		w := g.windows()
		depth, times := g.between(1, 4), g.between(1, 3)
		a := g.arithmetic(depth*times, 3).biased()
		a.perChannel = a.perChannel || a.in == model.Float32 // LiteRT has no hybrid kernel with one scale
		in, out := g.tensor(a.in, w.image(depth)...), g.tensor(a.in, w.result(depth*times)...)
		c := of(out, in, a.weights(g, 1, w.fh, w.fw, depth*times), a.bias(g, in)).option(0, w.padding).option(1, int32(w.sw)).option(2, int32(w.sh))
		return c.option(3, int32(times)).option(4, g.activation()).option(5, int32(w.dw)).option(6, int32(w.dh))
	},
	"TRANSPOSE_CONV": func(g *generator) *single {
		w := g.windows()
		w.dw, w.dh = 1, 1
		w.resize()
		depth, channels := g.between(1, 4), g.between(1, 4)
		a := g.arithmetic(channels, 0)
		if a.filter == model.Int4 {
			a.filter = model.Int8
		}
		in, out := g.tensor(a.in, w.result(depth)...), g.tensor(a.in, w.image(channels)...)
		c := of(out, ints(w.image(channels)...), a.weights(g, channels, w.fh, w.fw, depth), in)
		if b := a.bias(g, in); b.Type != left {
			c.in = append(c.in, b)
		}
		return c.option(0, w.padding).option(1, int32(w.sw)).option(2, int32(w.sh))
	},
	"FULLY_CONNECTED": func(g *generator) *single {
		rows, depth, units := g.between(1, 4), g.between(1, 12), g.between(1, 6)
		a := g.arithmetic(units, 0)
		in := g.tensor(a.in, rows, depth)
		c := of(g.tensor(a.in, rows, units), in, a.weights(g, units, depth), a.bias(g, in)).option(0, g.activation()).option(3, g.chance(2))
		if g.chance(3) {
			c.in[0].Shape, c.out[0].Shape = []int64{1, rows, depth}, []int64{1, rows, units}
			c.option(2, true)
		}
		// LiteRT's kernels round once, those that are published for it and for TensorFlow Lite Micro twice.
		if a.in != model.Float32 {
			c.within = 1
		}
		return c
	},
	"BATCH_MATMUL": func(g *generator) *single {
		t := pick(g, model.Float32, model.Int8, model.Int16)
		n, m, k := g.between(1, 4), g.between(1, 4), g.between(1, 8)
		batch := g.any(0, 2)
		a, b := append([]int64{}, batch...), append([]int64{}, batch...)
		if len(batch) > 0 && g.chance(3) {
			b[0] = 1
		}
		adjX, adjY := g.chance(3), g.chance(3)
		dims := func(first, second int64, swap bool) []int64 {
			if swap {
				return []int64{second, first}
			}
			return []int64{first, second}
		}
		c := of(g.tensor(t, append(append([]int64{}, batch...), n, m)...), g.tensor(t, append(a, dims(n, k, adjX)...)...), g.tensor(t, append(b, dims(k, m, adjY)...)...))
		if t == model.Int16 {
			c.in[1].ZeroPoint[0] = 0
		}
		if t == model.Float32 && !adjX && g.chance(2) {
			// Of several dimensions of batches, LiteRT's hybrid kernel takes the scales of wrong rows.
			for len(c.in[0].Shape) > 3 {
				c.in[0].Shape, c.in[1].Shape, c.out[0].Shape = c.in[0].Shape[1:], c.in[1].Shape[1:], c.out[0].Shape[1:]
			}
			c.in[1] = g.constant(scaled(plain(model.Int8, c.in[1].Shape...), g.scale()/16, 0))
			c.option(2, g.chance(2))
		}
		return c.option(0, adjX).option(1, adjY)
	},
	"CONV_3D": func(g *generator) *single {
		w, depth := g.windows(), g.between(1, 3)
		// Along z, the window is that along y.
		in, filter := plain(model.Float32, w.n, w.h, w.h, w.w, depth), plain(model.Float32, w.fh, w.fh, w.fw, depth, g.between(1, 3))
		c := of(plain(model.Float32, w.n, w.oh, w.oh, w.ow, filter.Shape[4]), in, g.constant(filter))
		if g.chance(2) {
			c.in = append(c.in, g.constant(plain(model.Float32, filter.Shape[4])))
		}
		return c.option(0, w.padding).option(1, int32(w.sh)).option(2, int32(w.sw)).option(3, int32(w.sh)).option(4, g.activation()).
			option(5, int32(w.dh)).option(6, int32(w.dw)).option(7, int32(w.dh))
	},
	"CONV_3D_TRANSPOSE": func(g *generator) *single {
		w, depth := g.windows(), g.between(1, 3)
		w.dw, w.dh = 1, 1
		w.resize()
		// Along z, the window is that along y.
		filter := g.constant(plain(model.Float32, w.fh, w.fh, w.fw, g.between(1, 3), depth))
		out := plain(model.Float32, w.n, w.h, w.h, w.w, filter.Shape[3])
		c := of(out, ints(out.Shape...), filter, plain(model.Float32, w.n, w.oh, w.oh, w.ow, depth))
		if g.chance(2) {
			c.in = append(c.in, g.constant(plain(model.Float32, filter.Shape[3])))
		}
		return c.option(0, w.padding).option(1, int32(w.sh)).option(2, int32(w.sw)).option(3, int32(w.sh)).option(4, g.activation())
	},
	"AVERAGE_POOL_2D": pooled(model.Float32, model.Int8, model.Int16, model.Uint8),
	"MAX_POOL_2D":     pooled(model.Float32, model.Int8, model.Int16, model.Uint8),
	"L2_POOL_2D":      pooled(model.Float32),
}

// windows are the sizes of an image, a window on it, and the result.
type windows struct {
	n, h, w, fh, fw, sh, sw, dh, dw, oh, ow int64
	padding                                 int8 // 1 is VALID
}

func (g *generator) windows() *windows {
	w := &windows{n: g.between(1, 2), h: g.between(1, 7), w: g.between(1, 7), fh: g.between(1, 3), fw: g.between(1, 3),
		sh: g.between(1, 2), sw: g.between(1, 2), dh: 1, dw: 1, padding: int8(g.IntN(2))}
	if g.chance(4) {
		w.dh, w.dw = g.between(1, 2), g.between(1, 3)
	}
	w.resize()
	return w
}

// resize computes the sizes of the result, of an image that is at least as large as the window.
func (w *windows) resize() {
	eh, ew := (w.fh-1)*w.dh+1, (w.fw-1)*w.dw+1
	w.h, w.w = max(w.h, eh), max(w.w, ew)
	if w.padding == 1 {
		w.oh, w.ow = (w.h-eh)/w.sh+1, (w.w-ew)/w.sw+1
	} else {
		w.oh, w.ow = (w.h+w.sh-1)/w.sh, (w.w+w.sw-1)/w.sw
	}
}

func (w *windows) image(depth int64) []int64  { return []int64{w.n, w.h, w.w, depth} }
func (w *windows) result(depth int64) []int64 { return []int64{w.n, w.oh, w.ow, depth} }

// arithmetic is the types and scales of a sum of products.
type arithmetic struct {
	in, filter, biasType model.Type
	channels             int64
	perChannel           bool
	axis                 int
	scales               []float32
}

// arithmetic returns one for so many channels, which are dimension axis of the weights.
func (g *generator) arithmetic(channels int64, axis int) *arithmetic {
	a := &arithmetic{channels: channels, axis: axis, in: pick(g, model.Float32, model.Int8, model.Int8, model.Int16, model.Uint8)}
	a.perChannel = a.in != model.Uint8 && !g.chance(3)
	switch {
	case a.in == model.Float32 && g.chance(2):
		a.filter, a.biasType = pick(g, model.Int8, model.Int8, model.Int4), model.Float32
	case a.in == model.Float32:
		a.filter, a.biasType = model.Float32, model.Float32
	case a.in == model.Uint8:
		a.filter, a.biasType = model.Uint8, model.Int32
	case a.in == model.Int16:
		a.filter, a.biasType = model.Int8, model.Int64
	default:
		a.filter, a.biasType = pick(g, model.Int8, model.Int8, model.Int8, model.Int4), model.Int32
	}
	if g.chance(5) {
		a.biasType = left
	}
	return a
}

// biased makes sure that there is a bias, which LiteRT's convolutions need, though they could do without one.
func (a *arithmetic) biased() *arithmetic {
	switch {
	case a.biasType != left:
	case a.in == model.Float32:
		a.biasType = model.Float32
	case a.in == model.Int16:
		a.biasType = model.Int64
	default:
		a.biasType = model.Int32
	}
	return a
}

// weights returns a constant filter.
func (a *arithmetic) weights(g *generator, shape ...int64) model.Tensor {
	t := plain(a.filter, shape...)
	switch {
	case a.filter == model.Uint8:
		t = scaled(t, g.scale()/16, g.between(0, 255))
	case a.filter != model.Float32:
		n := int64(1)
		if a.perChannel {
			n = a.channels
		}
		for range n {
			t.Scale, t.ZeroPoint = append(t.Scale, g.scale()/16), append(t.ZeroPoint, 0)
		}
		t.Axis = a.axis
	}
	a.scales = t.Scale
	return g.constant(t)
}

// bias returns a constant bias.
func (a *arithmetic) bias(g *generator, in model.Tensor) model.Tensor {
	if a.biasType == left {
		return model.Tensor{Type: left}
	}
	t := plain(a.biasType, a.channels)
	if a.biasType != model.Float32 && a.in != model.Float32 {
		for _, s := range a.scales {
			t.Scale, t.ZeroPoint = append(t.Scale, s*in.Scale[0]), append(t.ZeroPoint, 0)
		}
	}
	return g.constant(t)
}

// pooled is an operator on the elements of windows.
func pooled(types ...model.Type) func(g *generator) *single {
	return func(g *generator) *single {
		w := g.windows()
		w.dw, w.dh = 1, 1
		w.resize()
		depth := g.between(1, 4)
		in := g.tensor(pick(g, types...), w.image(depth)...)
		c := of(like(in, w.result(depth)...), in).option(0, w.padding).option(1, int32(w.sw)).option(2, int32(w.sh))
		return c.option(3, int32(w.fw)).option(4, int32(w.fh)).option(5, g.activation())
	}
}
