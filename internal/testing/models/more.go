package models

import "fmt"

// layerNorm takes the mean of each row away, divides by the deviation, and scales and shifts.
func (w *writer) layerNorm(a tensor) tensor {
	n := len(a.shape)
	count := fmt.Sprintf("    %%n = arith.constant %d.0 : f32\n", a.shape[n-1])
	sum := w.reduce("arith.addf", "0.0", a)
	mean := w.each("f32", sum.shape, count+"    %r = arith.divf %a, %n : f32", sum)
	apart := w.sub(a, rows(mean))
	squares := w.reduce("arith.addf", "0.0", w.mul(apart, apart))
	scale := w.each("f32", sum.shape, count+"    %m = arith.divf %a, %n : f32\n    %e = arith.constant 1.0e-5 : f32\n    %s = arith.addf %m, %e : f32\n    %r = math.rsqrt %s : f32", squares)
	return w.add(w.mul(w.mul(apart, rows(scale)), along(w.argument("f32", a.shape[n-1]), n-1)), along(w.argument("f32", a.shape[n-1]), n-1))
}

// gelu is the activation by the error function.
func (w *writer) gelu(a tensor) tensor {
	return w.each("f32", a.shape, `    %k = arith.constant 0.70710678 : f32
    %x = arith.mulf %a, %k : f32
    %e = math.erf %x : f32
    %one = arith.constant 1.0 : f32
    %s = arith.addf %e, %one : f32
    %h = arith.constant 0.5 : f32
    %t = arith.mulf %a, %h : f32
    %r = arith.mulf %t, %s : f32`, a)
}

// encoder is a layer of BERT: one product makes queries, keys and values, whose heads are slices of it.
func encoder(length, heads, wide int) string {
	w := &writer{}
	model := heads * wide
	x := w.layerNorm(w.argument("f32", length, model))
	all := w.add(w.matmul(x, w.argument("f32", model, 3*model)), along(w.argument("f32", 3*model), 1))
	part := func(i int) tensor {
		y := w.slice(all, []any{0, i * model}, []int{length, model}, length, model)
		return w.permuted(w.reshape(y, "[[0], [1, 2]]", length, heads, wide), 1, 0, 2)
	}
	q, k, v := part(0), part(1), part(2)
	scores := w.each("f32", []int{heads, length, length}, "    %s = arith.constant 0.125 : f32\n    %r = arith.mulf %a, %s : f32", w.matmul(q, w.permuted(k, 0, 2, 1)))
	o := w.matmul(w.softmax(w.add(scores, along(w.argument("f32", length), 2))), v)
	o = w.reshape(w.permuted(o, 1, 0, 2), "[[0], [1, 2]]", length, model)
	dense := func(x tensor, out int) tensor {
		return w.add(w.matmul(x, w.argument("f32", x.shape[1], out)), along(w.argument("f32", out), 1))
	}
	x = w.layerNorm(w.add(x, dense(o, model)))
	return w.function(w.layerNorm(w.add(x, dense(w.gelu(dense(x, 4*model)), model))))
}

// squeeze is EfficientNet: blocks that widen, convolve each channel alone, weigh channels by what a small network makes of
// their means, and narrow.
func squeeze(size, channels int) string {
	w, l := &writer{}, nhwc
	x := w.argument("f32", l.image(size, 3)...)
	swish := func(x tensor) tensor { return w.mul(x, w.sigmoid(x)) }
	x = swish(l.norm(w, l.conv(w, x, channels, 3, 2)))
	for _, b := range []struct{ widen, filters, stride int }{{6, channels, 1}, {6, 2 * channels, 2}, {6, 2 * channels, 1}, {6, 4 * channels, 2}, {6, 4 * channels, 1}} {
		at, c := l.of(x)
		wide := b.widen * c
		y := swish(l.norm(w, l.conv(w, x, wide, 1, 1)))
		y = w.named("depthwise_conv_2d_nhwc_hwc", fmt.Sprintf("{dilations = dense<1> : tensor<2xi64>, strides = dense<%d> : tensor<2xi64>}", b.stride),
			w.zeros("f32", l.image((at-1)/b.stride+1, wide)...), l.border(w, "0.0", y, 1), w.argument("f32", 3, 3, wide))
		y = swish(l.norm(w, y))
		weights := w.sigmoid(l.classifier(w, y, wide))
		y = l.norm(w, l.conv(w, w.mul(y, along(weights, 0, 3)), b.filters, 1, 1))
		if b.stride == 1 && c == b.filters {
			y = w.add(x, y)
		}
		x = y
	}
	return w.function(l.classifier(w, x, 10))
}

// mamba is a layer with a state for each channel that changes from word to word by what the word says.
func mamba(length, inner, state int) string {
	w := &writer{}
	x := w.argument("f32", length, inner)
	gate := w.matmul(x, w.argument("f32", inner, inner))
	h := w.matmul(x, w.argument("f32", inner, inner))
	delta := w.each("f32", h.shape, "    %e = math.exp %a : f32\n    %one = arith.constant 1.0 : f32\n    %s = arith.addf %e, %one : f32\n    %r = math.log %s : f32", w.matmul(h, w.argument("f32", inner, inner)))
	b, c, a := w.matmul(h, w.argument("f32", inner, state)), w.matmul(h, w.argument("f32", inner, state)), w.argument("f32", inner, state)
	zero, one, end := w.scalar("0", "index"), w.scalar("1", "index"), w.scalar(fmt.Sprint(length), "index")
	s0, out := w.zeros("f32", inner, state), w.empty("f32", length, inner)
	loop := w.name()
	w.line("  %s:2 = scf.for %%t = %s to %s step %s iter_args(%%s = %s, %%out = %s) -> (%s, %s) {", loop, zero, end, one, s0, out, s0.typ(), out.typ())
	row := func(x tensor) tensor {
		return w.slice(x, []any{"%t", 0}, []int{1, x.shape[1]}, x.shape[1])
	}
	dt, bt, ct, xt := row(delta), row(b), row(c), row(h)
	decay := w.unary("math.exp", w.mul(a, along(dt, 0)))
	in := w.generic(w.empty("f32", inner, state), 2, nil, "    %x = arith.mulf %a, %b : f32\n    %r = arith.mulf %x, %c : f32", along(dt, 0), along(bt, 1), along(xt, 0))
	next := w.add(w.mul(decay, tensor{"%s", "f32", s0.shape}), in)
	y := w.generic(w.zeros("f32", inner), 2, []int{1}, "    %x = arith.mulf %a, %b : f32\n    %r = arith.addf %o, %x : f32", next, along(ct, 1))
	kept := w.inserted(y, tensor{"%out", "f32", out.shape}, []any{"%t", 0}, 1, inner)
	w.line("  scf.yield %s, %s : %s, %s\n  }", next, kept, next.typ(), kept.typ())
	ys := w.mul(tensor{loop + "#1", "f32", out.shape}, w.mul(gate, w.sigmoid(gate)))
	return w.function(w.matmul(ys, w.argument("f32", inner, inner)), tensor{loop + "#0", "f32", s0.shape})
}

// stacked is a step of GPT-2 with one cache for the keys and values of all layers; one product makes queries, keys and values.
func stacked() string {
	w := &writer{}
	const heads, wide, room, layers, vocabulary = 4, 8, 16, 2, 64
	const model = heads * wide
	x, cache := w.argument("f32", 1, model), w.argument("f32", layers, 2, heads, room, wide)
	at := w.index()
	dense := func(x tensor, out int) tensor {
		return w.add(w.matmul(x, w.argument("f32", x.shape[1], out)), along(w.argument("f32", out), 1))
	}
	for layer := range layers {
		all := dense(w.layerNorm(x), 3*model)
		part := func(i int) tensor {
			y := w.slice(all, []any{0, i * model}, []int{1, model}, 1, model)
			return w.reshape(w.reshape(y, "[[0, 1]]", model), "[[0, 1, 2]]", heads, 1, wide)
		}
		q := part(0)
		var kept [2]tensor
		for i := range kept {
			cache = w.inserted(part(i+1), cache, []any{layer, i, 0, at, 0}, 1, 1, heads, 1, wide)
			kept[i] = w.slice(cache, []any{layer, i, 0, 0, 0}, []int{1, 1, heads, room, wide}, heads, room, wide)
		}
		o := w.matmul(w.softmax(w.matmul(q, w.permuted(kept[0], 0, 2, 1))), kept[1])
		o = w.reshape(w.reshape(o, "[[0, 1, 2]]", model), "[[0, 1]]", 1, model)
		x = w.add(x, dense(o, model))
		x = w.add(x, dense(w.gelu(dense(w.layerNorm(x), 4*model)), model))
	}
	return w.function(w.matmul(w.layerNorm(x), w.argument("f32", model, vocabulary)), cache)
}
