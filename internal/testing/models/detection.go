package models

import "fmt"

// pyramid is a detector that joins features of several sizes upwards and downwards.
func pyramid() string {
	w, l := &writer{}, nchw
	const size, channels = 16, 8
	x := w.argument("f32", l.image(size, 3)...)
	block := func(x tensor, filters, stride int) tensor {
		y := l.norm(w, l.conv(w, x, filters, 3, stride))
		return w.mul(y, w.sigmoid(y))
	}
	p3 := block(block(x, channels, 1), channels, 1)
	p4 := block(p3, 2*channels, 2)
	p5 := block(p4, 4*channels, 2)
	// Pooling at several sizes, as YOLO does it.
	pool := func(x tensor) tensor { return l.pool(w, x, 3, 1, 1) }
	a := pool(p5)
	b := pool(a)
	p5 = block(w.concat(1, p5, a, b, pool(b)), 4*channels, 1)
	n4 := block(w.concat(1, l.doubled(w, p5), p4), 2*channels, 1)
	n3 := block(w.concat(1, l.doubled(w, n4), p3), channels, 1)
	m4 := block(w.concat(1, block(n3, 2*channels, 2), n4), 2*channels, 1)
	m5 := block(w.concat(1, block(m4, 4*channels, 2), p5), 4*channels, 1)
	var flat []tensor
	for _, f := range []tensor{n3, m4, m5} {
		y := l.conv(w, f, 6, 1, 1)
		n, _ := l.of(y)
		flat = append(flat, w.permuted(w.reshape(y, "[[0], [1], [2, 3]]", 1, 6, n*n), 0, 2, 1))
	}
	return w.function(w.sigmoid(w.concat(1, flat...)))
}

// suppression keeps of overlapping boxes the best ones, by loops over scores.
func suppression() string {
	w := &writer{}
	const boxes, most = 24, 6
	features := w.argument("f32", boxes, 16)
	scores := w.reshape(w.sigmoid(w.matmul(features, w.argument("f32", 16, 1))), "[[0, 1]]", boxes)
	places := w.matmul(features, w.argument("f32", 16, 4))
	r := w.repeat("%k", most, []tensor{scores, w.zeros("f32", most, 4), w.zeros("f32", most)}, func(now []tensor) []tensor {
		best := w.name()
		w.line(`    %s:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%s : %s) outs(%s, %s : tensor<f32>, tensor<index>) {
    ^bb0(%%x: f32, %%m: f32, %%at: index):
      %%here = linalg.index 0 : index
      %%c = arith.cmpf ogt, %%x, %%m : f32
      %%v = arith.select %%c, %%x, %%m : f32
      %%w = arith.select %%c, %%here, %%at : index
      linalg.yield %%v, %%w : f32, index
    } -> (tensor<f32>, tensor<index>)`, best, now[0], now[0].typ(), w.filled("-1.0", "f32"), w.filled("0", "index"))
		w.line("    %%value = tensor.extract %s#0[] : tensor<f32>\n    %%where = tensor.extract %s#1[] : tensor<index>\n    %%limit = arith.constant 0.3 : f32\n    %%good = arith.cmpf ogt, %%value, %%limit : f32", best, best)
		out := w.choose("%good", func() []tensor {
			box := w.slice(places, []any{"%where", 0}, []int{1, 4}, 1, 4)
			apart := w.reduce("arith.addf", "0.0", w.each("f32", []int{boxes, 4}, "    %d = arith.subf %a, %b : f32\n    %r = math.absf %d : f32", places, along(box, -1, 1)))
			rest := w.each("f32", []int{boxes}, "    %l = arith.constant 2.0 : f32\n    %c = arith.cmpf olt, %b, %l : f32\n    %n = arith.constant -1.0 : f32\n    %r = arith.select %c, %n, %a : f32", now[0], apart)
			kept := w.inserted(box, now[1], []any{"%k", 0}, 1, 4)
			w.line("    %%told = tensor.insert %%value into %s[%%k] : %s", now[2], now[2].typ())
			return []tensor{rest, kept, {"%told", "f32", now[2].shape}}
		}, func() []tensor { return now })
		return out
	})
	return w.function(r[1], r[2])
}

// shuffled is ShuffleNet: half of the channels pass by, and channels are mixed.
func shuffled() string {
	w, l := &writer{}, nchw
	const size, channels = 8, 16
	x := l.conv(w, w.argument("f32", l.image(size, 3)...), channels, 3, 1)
	for range 3 {
		half := []int{1, channels / 2, size, size}
		a := w.slice(x, []any{0, 0, 0, 0}, half, half...)
		b := w.slice(x, []any{0, channels / 2, 0, 0}, half, half...)
		b = w.relu(l.norm(w, l.conv(w, b, channels/2, 1, 1)))
		b = w.named("depthwise_conv_2d_nchw_chw", "{dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}",
			w.zeros("f32", half...), l.border(w, "0.0", b, 1), w.argument("f32", channels/2, 3, 3))
		b = w.relu(l.norm(w, l.conv(w, l.norm(w, b), channels/2, 1, 1)))
		y := w.reshape(w.concat(1, a, b), "[[0], [1, 2], [3], [4]]", 1, 2, channels/2, size, size)
		x = w.reshape(w.permuted(y, 0, 2, 1, 3, 4), "[[0], [1, 2], [3], [4]]", 1, channels, size, size)
	}
	return w.function(l.classifier(w, x, 10))
}

// growing is DenseNet: each layer sees what all before it made.
func growing() string {
	w, l := &writer{}, nchw
	x := l.conv(w, w.argument("f32", l.image(8, 3)...), 8, 3, 1)
	for block := range 2 {
		for range 3 {
			y := l.conv(w, w.relu(l.norm(w, x)), 16, 1, 1)
			x = w.concat(1, x, l.conv(w, w.relu(l.norm(w, y)), 4, 3, 1))
		}
		if block == 0 {
			x = l.conv(w, w.relu(l.norm(w, x)), 10, 1, 2)
		}
	}
	return w.function(l.classifier(w, w.relu(l.norm(w, x)), 10))
}

// whole is a convolution network of 8-bit numbers with zero points, residuals and scales.
func whole() string {
	w := &writer{}
	const size = 8
	x := w.argument("i8", 1, size, size, 8)
	zero := w.scalar("-3", "i32")
	none := w.scalar("0", "i32")
	conv := func(x tensor, filters, window int) tensor {
		in := x
		if b := window / 2; b > 0 {
			in = w.pad("-3", x, []int{0, b, b, 0}, []int{0, b, b, 0})
		}
		f := w.argument("i8", window, window, x.shape[3], filters)
		shape := []int{1, size, size, filters}
		// The bias is where sums start.
		start := w.each("i32", shape, "    %r = arith.addi %a, %a : i32", along(w.argument("i32", filters), 3))
		t := tensor{w.name(), "i32", shape}
		w.line("  %s = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%s, %s, %s, %s : %s, %s, i32, i32) outs(%s : %s) -> %s",
			t, in, f, zero, none, in.typ(), f.typ(), start, start.typ(), t.typ())
		return w.scaledBack(t)
	}
	for range 3 {
		y := conv(conv(conv(x, 16, 1), 16, 3), 8, 1)
		x = w.each("i8", x.shape, `    %x = arith.extsi %a : i8 to i32
    %y = arith.extsi %b : i8 to i32
    %s = arith.addi %x, %y : i32
    %one = arith.constant 1 : i32
    %t = arith.shrsi %s, %one : i32
    %r = arith.trunci %t : i32 to i8`, x, y)
	}
	return w.function(x)
}

// upsampled is a U-Net whose way back reads the nearest elements, and that normalizes groups of channels.
func upsampled() string {
	w, l := &writer{}, nchw
	const groups = 4
	norm := func(x tensor) tensor {
		size, c := l.of(x)
		y := w.reshape(w.reshape(x, "[[0], [1, 2], [3], [4]]", 1, groups, c/groups, size, size), "[[0, 1], [2, 3, 4]]", groups, c/groups*size*size)
		n := fmt.Sprintf("    %%n = arith.constant %d.0 : f32\n    %%r = arith.divf %%a, %%n : f32", y.shape[1])
		mean := w.each("f32", []int{groups}, n, w.reduce("arith.addf", "0.0", y))
		y = w.sub(y, rows(mean))
		spread := w.each("f32", []int{groups}, n, w.reduce("arith.addf", "0.0", w.mul(y, y)))
		y = w.each("f32", y.shape, "    %e = arith.constant 1.0e-5 : f32\n    %s = arith.addf %b, %e : f32\n    %q = math.rsqrt %s : f32\n    %r = arith.mulf %a, %q : f32", y, rows(spread))
		y = w.reshape(w.reshape(y, "[[0, 1], [2, 3, 4]]", 1, groups, c/groups, size, size), "[[0], [1, 2], [3], [4]]", 1, c, size, size)
		return w.add(w.mul(y, along(w.argument("f32", c), 1)), along(w.argument("f32", c), 1))
	}
	block := func(x tensor, filters int) tensor {
		_, c := l.of(x)
		h := l.conv(w, w.relu(norm(x)), filters, 3, 1)
		h = l.conv(w, w.relu(norm(h)), filters, 3, 1)
		if c != filters {
			x = l.conv(w, x, filters, 1, 1)
		}
		return w.add(x, h)
	}
	x := l.conv(w, w.argument("f32", l.image(16, 4)...), 8, 3, 1)
	var skips []tensor
	for _, f := range []int{8, 16} {
		x = block(x, f)
		skips = append(skips, x)
		x = l.conv(w, x, f, 3, 2)
	}
	x = block(x, 32)
	for i, f := range []int{16, 8} {
		x = l.conv(w, l.doubled(w, x), f, 3, 1)
		x = block(w.concat(1, x, skips[1-i]), f)
	}
	return w.function(l.conv(w, w.relu(norm(x)), 4, 3, 1))
}
