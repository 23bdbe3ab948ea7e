package models

// transposed is a convolution of an image whose lines and columns are put between others of zeros, which makes it twice as large.
func (l layout) transposed(w *writer, x tensor, filters int) tensor {
	size, c := l.of(x)
	wide := w.zeros(x.elem, l.image(2*size+2, c)...)
	spread := tensor{w.name(), x.elem, wide.shape}
	w.line("  %s = tensor.insert_slice %s into %s[0, 2, 2, 0] [1, %d, %d, %d] [1, 2, 2, 1] : %s into %s", spread, x, wide, size, size, c, x.typ(), wide.typ())
	out := w.zeros(x.elem, l.image(2*size, filters)...)
	return w.named("conv_2d_nhwc_hwcf", attributesOf(1, 1), out, spread, w.argument(x.elem, 3, 3, c, filters))
}

// imageDecoder is the half of a generative network that makes an image of a few numbers, by transposed convolutions.
func imageDecoder() string {
	w, l := &writer{}, nhwc
	x := w.argument("f32", l.image(4, 32)...)
	for _, filters := range []int{32, 24, 16, 8} {
		x = w.relu(l.norm(w, l.transposed(w, x, filters)))
	}
	return w.function(w.sigmoid(l.conv(w, x, 3, 3, 1)))
}

// featurePyramid is a network of levels that are joined from the top down, with two heads at each level.
func featurePyramid() string {
	w, l := &writer{}, nhwc
	x := w.relu(l.conv(w, w.argument("f32", l.image(64, 3)...), 8, 3, 2))
	var levels []tensor
	for i := range 4 {
		x = w.relu(l.norm(w, l.conv(w, x, 8+4*i, 3, 1)))
		levels = append(levels, x)
		x = l.pool(w, x, 2, 2, 0)
	}
	top := l.conv(w, levels[3], 12, 1, 1)
	var results []tensor
	for i := 3; i >= 0; i-- {
		if i < 3 {
			top = w.add(l.conv(w, levels[i], 12, 1, 1), l.doubled(w, top))
		}
		y := l.conv(w, top, 12, 3, 1)
		for _, classes := range []int{4, 3} {
			results = append(results, l.conv(w, w.relu(l.conv(w, y, 12, 3, 1)), classes, 1, 1))
		}
	}
	return w.function(results...)
}

// recurrentConvolutions is a recurrent unit of convolutions on a few images of a film, one step behind the other.
func recurrentConvolutions() string {
	w, l := &writer{}, nhwc
	h := w.zeros("f32", l.image(24, 8)...)
	for range 4 {
		x := w.relu(l.conv(w, w.argument("f32", l.image(24, 3)...), 8, 3, 1))
		both := w.concat(l.channel(), x, h)
		keep, reset := w.sigmoid(l.conv(w, both, 8, 3, 1)), w.sigmoid(l.conv(w, both, 8, 3, 1))
		next := w.unary("math.tanh", l.conv(w, w.concat(l.channel(), x, w.mul(reset, h)), 8, 3, 1))
		h = w.add(w.mul(keep, h), w.sub(next, w.mul(keep, next)))
	}
	return w.function(l.classifier(w, h, 5))
}

// mixedExperts is a transformer whose feed-forward layers are experts, all of which are computed and weighed by a gate.
func mixedExperts() string {
	w := &writer{}
	x := w.argument("f32", 48, 32)
	for range 2 {
		y := w.layerNorm(x)
		x = w.add(x, w.matmul(w.attend(y, y, 4), w.argument("f32", 32, 32)))
		y = w.layerNorm(x)
		gates := w.softmax(w.matmul(y, w.argument("f32", 32, 4)))
		var parts []tensor
		for i := range 4 {
			z := w.matmul(w.gelu(w.matmul(y, w.argument("f32", 32, 96))), w.argument("f32", 96, 32))
			gate := w.reshape(w.slice(gates, []any{0, i}, []int{48, 1}, 48, 1), "[[0, 1]]", 48)
			parts = append(parts, w.mul(z, along(gate, 0)))
		}
		x = w.add(x, w.sum(parts))
	}
	return w.function(x)
}

// groupedShuffles is a network of convolutions in groups, between which channels are shuffled, at two sizes.
func groupedShuffles() string {
	w, l := &writer{}, nhwc
	x := w.relu(l.conv(w, w.argument("f32", l.image(32, 3)...), 24, 3, 1))
	for block := range 4 {
		size, c := l.of(x)
		var parts []tensor
		for g := range 3 {
			p := w.slice(x, []any{0, 0, 0, g * c / 3}, l.image(size, c/3), l.image(size, c/3)...)
			parts = append(parts, w.relu(l.norm(w, l.conv(w, p, c/3, 1, 1))))
		}
		y := w.reshape(w.concat(l.channel(), parts...), "[[0], [1], [2], [3, 4]]", 1, size, size, 3, c/3)
		y = w.reshape(w.permuted(y, 0, 1, 2, 4, 3), "[[0], [1], [2], [3, 4]]", 1, size, size, c)
		x = w.relu(w.add(x, l.norm(w, l.separable(w, y, c, 3, 1))))
		if block == 1 {
			x = l.pool(w, x, 2, 2, 0)
		}
	}
	return w.function(l.classifier(w, x, 10))
}

// multiPath has blocks of many narrow paths that are added up.
func multiPath() string {
	w, l := &writer{}, nhwc
	x := w.relu(l.conv(w, w.argument("f32", l.image(32, 3)...), 16, 3, 2))
	for range 3 {
		var paths []tensor
		for range 4 {
			paths = append(paths, l.conv(w, w.relu(l.norm(w, l.conv(w, w.relu(l.norm(w, l.conv(w, x, 4, 1, 1))), 4, 3, 1))), 16, 1, 1))
		}
		x = w.relu(w.add(x, w.sum(paths)))
	}
	return w.function(l.classifier(w, x, 10))
}
