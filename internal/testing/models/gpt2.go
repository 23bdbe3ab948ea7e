package models

import "fmt"

// gpt2 is a step of GPT-2: one product makes queries, keys and values; caches of heads are given and returned.
func gpt2() string {
	w := &writer{}
	const heads, wide, room, vocabulary = 4, 8, 32, 64
	const model = heads * wide
	x, at, mask := w.argument("f32", 1, model), w.index(), w.argument("f32", room)
	var caches []tensor
	dense := func(x tensor, out int) tensor {
		return w.add(w.matmul(x, w.argument("f32", x.shape[1], out)), along(w.argument("f32", out), 1))
	}
	for range 2 {
		all := dense(w.layerNorm(x), 3*model)
		part := func(i int) tensor {
			y := w.slice(all, []any{0, i * model}, []int{1, model}, 1, model)
			return w.permuted(w.reshape(y, "[[0], [1, 2]]", 1, heads, wide), 1, 0, 2)
		}
		var kept [2]tensor
		for i := range kept {
			kept[i] = w.inserted(part(i+1), w.argument("f32", heads, room, wide), []any{0, at, 0}, heads, 1, wide)
			caches = append(caches, kept[i])
		}
		scores := w.matmul(part(0), w.permuted(kept[0], 0, 2, 1))
		o := w.matmul(w.softmax(w.add(scores, along(mask, 2))), kept[1])
		x = w.add(x, dense(w.reshape(w.permuted(o, 1, 0, 2), "[[0], [1, 2]]", 1, model), model))
		x = w.add(x, dense(w.gelu(dense(w.layerNorm(x), 4*model)), model))
	}
	logits := w.matmul(w.layerNorm(x), w.argument("f32", model, vocabulary))
	return w.function(append([]tensor{logits}, caches...)...)
}

// bytewise is a residual net whose convolutions sum products of 8-bit numbers, and are scaled back.
func bytewise() string {
	w, l := &writer{}, nhwc
	x := w.argument("i8", l.image(16, 4)...)
	conv := func(x tensor, filters, stride int) tensor {
		size, c := l.of(x)
		p := w.pad("0", x, []int{0, 1, 1, 0}, []int{0, 1, 1, 0})
		sum := w.named("conv_2d_nhwc_hwcf", fmt.Sprintf("{dilations = dense<1> : tensor<2xi64>, strides = dense<%d> : tensor<2xi64>}", stride),
			w.zeros("i32", l.image((size-1)/stride+1, filters)...), p, w.argument("i8", 3, 3, c, filters))
		return w.scaledBack(w.each("i32", sum.shape, "    %r = arith.addi %a, %b : i32", sum, along(w.argument("i32", filters), 3)))
	}
	for stage := range 3 {
		if stage > 0 {
			x = conv(x, 4<<stage, 2)
		}
		for range 2 {
			y := conv(conv(x, 4<<stage, 1), 4<<stage, 1)
			x = w.each("i8", x.shape, "    %r = arith.addi %a, %b : i8", x, y)
		}
	}
	return w.function(x)
}
