package models

import "fmt"

// translation is an encoder and a decoder with biases for relative positions, of which the second looks at what the first made.
func translation() string {
	w := &writer{}
	const length, heads, wide, buckets = 12, 2, 8, 8
	const model = heads * wide
	bias := func(table tensor, n, m int) tensor {
		e := w.empty("f32", heads, n, m)
		t := tensor{w.name(), "f32", e.shape}
		w.line(`  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%s : %s) {
  ^bb0(%%o: f32):
    %%h = linalg.index 0 : index
    %%i = linalg.index 1 : index
    %%j = linalg.index 2 : index
    %%d = arith.subi %%j, %%i : index
    %%z = arith.constant 0 : index
    %%top = arith.constant %d : index
    %%l = arith.maxsi %%d, %%z : index
    %%b = arith.minsi %%l, %%top : index
    %%r = tensor.extract %s[%%b, %%h] : %s
    linalg.yield %%r : f32
  } -> %s`, t, e, e.typ(), buckets-1, table, table.typ(), t.typ())
		return t
	}
	attend := func(x, from, bias tensor) tensor {
		split := func(x tensor) tensor {
			return w.permuted(w.reshape(w.matmul(x, w.argument("f32", model, model)), "[[0], [1, 2]]", x.shape[0], heads, wide), 1, 0, 2)
		}
		q, k, v := split(x), split(from), split(from)
		o := w.matmul(w.softmax(w.add(w.matmul(q, w.permuted(k, 0, 2, 1)), bias)), v)
		return w.matmul(w.reshape(w.permuted(o, 1, 0, 2), "[[0], [1, 2]]", x.shape[0], model), w.argument("f32", model, model))
	}
	feed := func(x tensor) tensor {
		h := w.rmsNorm(x, w.argument("f32", model))
		g := w.mul(w.gelu(w.matmul(h, w.argument("f32", model, 4*model))), w.matmul(h, w.argument("f32", model, 4*model)))
		return w.add(x, w.matmul(g, w.argument("f32", 4*model, model)))
	}
	x, y := w.argument("f32", length, model), w.argument("f32", length/2, model)
	there := bias(w.argument("f32", buckets, heads), length, length)
	for range 2 {
		h := w.rmsNorm(x, w.argument("f32", model))
		x = feed(w.add(x, attend(h, h, there)))
	}
	x = w.rmsNorm(x, w.argument("f32", model))
	here := bias(w.argument("f32", buckets, heads), length/2, length/2)
	across := w.zeros("f32", heads, length/2, length)
	for range 2 {
		h := w.rmsNorm(y, w.argument("f32", model))
		y = w.add(y, attend(h, h, here))
		y = feed(w.add(y, attend(w.rmsNorm(y, w.argument("f32", model)), x, across)))
	}
	return w.function(w.matmul(w.rmsNorm(y, w.argument("f32", model)), w.argument("f32", model, 40)))
}

// spoken is a Conformer: attention, a convolution along time with gates, and two halves of a feed-forward net.
func spoken() string {
	w := &writer{}
	const length, model, window = 16, 24, 5
	x := w.argument("f32", length, model)
	half := func(x tensor) tensor {
		h := w.dense(w.layerNorm(x), 4*model)
		h = w.dense(w.mul(h, w.sigmoid(h)), model)
		return w.each("f32", x.shape, "    %h = arith.constant 0.5 : f32\n    %y = arith.mulf %b, %h : f32\n    %r = arith.addf %a, %y : f32", x, h)
	}
	for range 2 {
		x = half(x)
		h := w.layerNorm(x)
		o := w.matmul(w.softmax(w.matmul(w.dense(h, model), w.permuted(w.dense(h, model), 1, 0))), w.dense(h, model))
		x = w.add(x, w.dense(o, model))
		both := w.dense(w.layerNorm(x), 2*model)
		part := func(i int) tensor {
			return w.slice(both, []any{0, i * model}, []int{length, model}, length, model)
		}
		g := w.permuted(w.mul(part(0), w.sigmoid(part(1))), 1, 0)
		g = w.pad("0.0", w.reshape(g, "[[0, 1], [2]]", 1, model, length), []int{0, 0, window / 2}, []int{0, 0, window / 2})
		f := w.argument("f32", model, window)
		g = w.named("depthwise_conv_1d_ncw_cw", "{dilations = dense<1> : tensor<1xi64>, strides = dense<1> : tensor<1xi64>}", w.zeros("f32", 1, model, length), g, f)
		g = w.permuted(w.reshape(g, "[[0, 1], [2]]", model, length), 1, 0)
		g = w.layerNorm(g)
		x = w.add(x, w.dense(w.mul(g, w.sigmoid(g)), model))
		x = w.layerNorm(half(x))
	}
	return w.function(x)
}

// windows is a Swin layer: attention in windows of an image that is shifted by two slices.
func windows() string {
	w := &writer{}
	const size, window, model = 8, 4, 16
	const count = (size / window) * (size / window)
	x := w.argument("f32", size, size, model)
	roll := func(x tensor, dim, n int) tensor {
		sizes, rest := []int{size, size, model}, []int{size, size, model}
		sizes[dim], rest[dim] = size-n, n
		offset := []any{0, 0, 0}
		offset[dim] = n
		return w.concat(dim, w.slice(x, offset, sizes, sizes...), w.slice(x, []any{0, 0, 0}, rest, rest...))
	}
	for layer := range 2 {
		h := w.layerNorm(x)
		if layer == 1 {
			h = roll(roll(h, 0, 2), 1, 2)
		}
		h = w.reshape(h, "[[0, 1], [2, 3], [4]]", size/window, window, size/window, window, model)
		h = w.reshape(w.permuted(h, 0, 2, 1, 3, 4), "[[0, 1], [2, 3], [4]]", count, window*window, model)
		proj := func() tensor {
			return w.reshape(w.dense(w.reshape(h, "[[0, 1], [2]]", count*window*window, model), model), "[[0, 1], [2]]", count, window*window, model)
		}
		q, k, v := proj(), proj(), proj()
		o := w.matmul(w.softmax(w.add(w.matmul(q, w.permuted(k, 0, 2, 1)), along(w.argument("f32", window*window, window*window), 1, 2))), v)
		o = w.reshape(w.dense(w.reshape(o, "[[0, 1], [2]]", count*window*window, model), model), "[[0, 1, 2, 3], [4]]", size/window, size/window, window, window, model)
		o = w.reshape(w.permuted(o, 0, 2, 1, 3, 4), "[[0, 1], [2, 3], [4]]", size, size, model)
		if layer == 1 {
			o = roll(roll(o, 0, size-2), 1, size-2)
		}
		x = w.add(x, o)
		flat := w.reshape(w.layerNorm(x), "[[0, 1], [2]]", size*size, model)
		x = w.add(x, w.reshape(w.dense(w.gelu(w.dense(flat, 4*model)), model), "[[0, 1], [2]]", size, size, model))
	}
	return w.function(x)
}

// graph is a net on nodes and edges: messages are gathered, added up where they arrive, and joined with the node.
func graph() string {
	w := &writer{}
	const nodes, edges, model = 16, 40, 16
	x, from, to := w.argument("f32", nodes, model), w.argument("i32", edges), w.argument("i32", edges)
	at := func(list tensor, i string) string {
		e, n, c, m := w.name(), w.name(), w.scalar(fmt.Sprint(nodes), "index"), w.name()
		w.line("    %s = tensor.extract %s[%s] : %s\n    %s = arith.index_castui %s : i32 to index\n    %s = arith.remui %s, %s : index", e, list, i, list.typ(), n, e, m, n, c)
		return m
	}
	for layer := range 2 {
		h := w.dense(x, model)
		i := fmt.Sprintf("%%e%d", layer)
		sum := w.repeat(i, edges, []tensor{w.zeros("f32", nodes, model), w.zeros("f32", nodes)}, func(now []tensor) []tensor {
			a, b := at(from, i), at(to, i)
			message := w.slice(h, []any{a, 0}, []int{1, model}, 1, model)
			old := w.slice(now[0], []any{b, 0}, []int{1, model}, 1, model)
			count, one, more := w.name(), w.scalar("1.0", "f32"), w.name()
			w.line("    %s = tensor.extract %s[%s] : %s\n    %s = arith.addf %s, %s : f32", count, now[1], b, now[1].typ(), more, count, one)
			counted := tensor{w.name(), "f32", now[1].shape}
			w.line("    %s = tensor.insert %s into %s[%s] : %s", counted, more, now[1], b, counted.typ())
			return []tensor{w.inserted(w.add(old, message), now[0], []any{b, 0}, 1, model), counted}
		})
		mean := w.each("f32", x.shape, "    %one = arith.constant 1.0 : f32\n    %n = arith.maximumf %b, %one : f32\n    %r = arith.divf %a, %n : f32", sum[0], along(sum[1], 0))
		x = w.relu(w.dense(w.concat(1, x, mean), model))
	}
	return w.function(x)
}

// routed sends tokens to the two best of several experts, which loops find, and adds up what comes back.
func routed() string {
	w := &writer{}
	const tokens, model, hidden, count = 8, 16, 32, 4
	x := w.argument("f32", tokens, model)
	scores := w.softmax(w.matmul(x, w.argument("f32", model, count)))
	up, down := w.argument("f32", count, model, hidden), w.argument("f32", count, hidden, model)
	out := w.repeat("%t", tokens, []tensor{w.zeros("f32", tokens, model)}, func(all []tensor) []tensor {
		row := w.slice(x, []any{"%t", 0}, []int{1, model}, 1, model)
		mine := w.slice(scores, []any{"%t", 0}, []int{1, count}, count)
		y := w.repeat("%k", 2, []tensor{w.zeros("f32", 1, model), mine}, func(now []tensor) []tensor {
			best := w.name()
			w.line(`    %s:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%s : %s) outs(%s, %s : tensor<f32>, tensor<index>) {
    ^bb0(%%x: f32, %%m: f32, %%at: index):
      %%here = linalg.index 0 : index
      %%c = arith.cmpf ogt, %%x, %%m : f32
      %%v = arith.select %%c, %%x, %%m : f32
      %%w = arith.select %%c, %%here, %%at : index
      linalg.yield %%v, %%w : f32, index
    } -> (tensor<f32>, tensor<index>)`, best, now[1], now[1].typ(), w.filled("-1.0", "f32"), w.filled("0", "index"))
			w.line("    %%value = tensor.extract %s#0[] : tensor<f32>\n    %%e = tensor.extract %s#1[] : tensor<index>\n    %%never = arith.constant -1.0 : f32", best, best)
			w.line("    %%rest = tensor.insert %%never into %s[%%e] : %s", now[1], now[1].typ())
			h := w.relu(w.matmul(row, w.slice(up, []any{"%e", 0, 0}, []int{1, model, hidden}, model, hidden)))
			h = w.matmul(h, w.slice(down, []any{"%e", 0, 0}, []int{1, hidden, model}, hidden, model))
			next := w.each("f32", h.shape, "    %v = arith.mulf %a, %value : f32\n    %r = arith.addf %b, %v : f32", h, now[0])
			return []tensor{next, {"%rest", "f32", now[1].shape}}
		})
		return []tensor{w.inserted(y[0], all[0], []any{"%t", 0}, 1, model)}
	})
	return w.function(w.add(x, out[0]))
}

// listened computes keys and values of what was heard once, and takes those from before in later steps.
func listened() string {
	w := &writer{}
	const heard, model, room, words = 12, 16, 8, 24
	x, sound := w.argument("f32", 1, model), w.argument("f32", heard, model)
	k0, v0 := w.argument("f32", heard, model), w.argument("f32", heard, model)
	ks, vs := w.argument("f32", room, model), w.argument("f32", room, model)
	at := w.index()
	zero, first := w.scalar("0", "index"), w.name()
	w.line("  %s = arith.cmpi eq, %s, %s : index", first, at, zero)
	wk, wv := w.argument("f32", model, model), w.argument("f32", model, model)
	kv := w.choose(first, func() []tensor { return []tensor{w.matmul(sound, wk), w.matmul(sound, wv)} }, func() []tensor { return []tensor{k0, v0} })
	h := w.layerNorm(x)
	q := w.dense(h, model)
	ks = w.inserted(w.matmul(h, w.argument("f32", model, model)), ks, []any{at, 0}, 1, model)
	vs = w.inserted(w.dense(h, model), vs, []any{at, 0}, 1, model)
	x = w.add(x, w.dense(w.matmul(w.softmax(w.matmul(q, w.permuted(ks, 1, 0))), vs), model))
	q = w.dense(w.layerNorm(x), model)
	x = w.add(x, w.dense(w.matmul(w.softmax(w.matmul(q, w.permuted(kv[0], 1, 0))), kv[1]), model))
	x = w.add(x, w.dense(w.gelu(w.dense(w.layerNorm(x), 4*model)), model))
	return w.function(w.matmul(x, w.argument("f32", model, words)), kv[0], kv[1], ks, vs)
}

// normalized is a step of training of two layers with batch normalization, which keeps running means and adds to gradients.
func normalized() string {
	w := &writer{}
	const batch, in, hidden = 16, 12, 24
	x, want := w.argument("f32", batch, in), w.argument("f32", batch, hidden)
	weights, slopes := w.argument("f32", in, hidden), w.argument("f32", in, hidden)
	scale, shift := w.argument("f32", hidden), w.argument("f32", hidden)
	mean0, spread0 := w.argument("f32", hidden), w.argument("f32", hidden)
	columns := func(a tensor, body string, ins ...any) tensor {
		return w.generic(w.zeros("f32", hidden), 2, []int{0}, body, append([]any{a}, ins...)...)
	}
	n := fmt.Sprintf("    %%n = arith.constant %d.0 : f32\n    %%r = arith.divf %%a, %%n : f32", batch)
	y := w.matmul(x, weights)
	mean := w.each("f32", []int{hidden}, n, columns(y, "    %r = arith.addf %o, %a : f32"))
	apart := w.sub(y, along(mean, 1))
	spread := w.each("f32", []int{hidden}, n, columns(apart, "    %m = arith.mulf %a, %a : f32\n    %r = arith.addf %o, %m : f32"))
	inverse := w.each("f32", []int{hidden}, "    %e = arith.constant 1.0e-5 : f32\n    %s = arith.addf %a, %e : f32\n    %r = math.rsqrt %s : f32", spread)
	unit := w.mul(apart, along(inverse, 1))
	z := w.relu(w.add(w.mul(unit, along(scale, 1)), along(shift, 1)))
	keep := func(old, now tensor) tensor {
		return w.each("f32", old.shape, "    %p = arith.constant 0.9 : f32\n    %q = arith.constant 0.1 : f32\n    %x = arith.mulf %a, %p : f32\n    %y = arith.mulf %b, %q : f32\n    %r = arith.addf %x, %y : f32", old, now)
	}
	mean1, spread1 := keep(mean0, mean), keep(spread0, spread)
	d := w.each("f32", z.shape, "    %d = arith.subf %a, %b : f32\n    %z = arith.constant 0.0 : f32\n    %p = arith.cmpf ogt, %a, %z : f32\n    %r = arith.select %p, %d, %z : f32", z, want)
	ds := columns(d, "    %m = arith.mulf %a, %b : f32\n    %r = arith.addf %o, %m : f32", unit)
	db := columns(d, "    %r = arith.addf %o, %a : f32")
	du := w.mul(d, along(scale, 1))
	m1 := w.each("f32", []int{hidden}, n, columns(du, "    %r = arith.addf %o, %a : f32"))
	m2 := w.each("f32", []int{hidden}, n, columns(du, "    %m = arith.mulf %a, %b : f32\n    %r = arith.addf %o, %m : f32", unit))
	dy := w.mul(w.sub(w.sub(du, along(m1, 1)), w.mul(unit, along(m2, 1))), along(inverse, 1))
	added := w.named("matmul", "", slopes, w.permuted(x, 1, 0), dy)
	return w.function(z, added, ds, db, mean1, spread1)
}
