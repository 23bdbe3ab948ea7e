package models

import "fmt"

// layers calls one private function for every layer of a transformer, with its weights.
func layers() string {
	const length, heads, wide, count = 16, 4, 8, 3
	const model = heads * wide
	var p program
	f := &writer{}
	x := f.argument("f32", length, model)
	split := func(y tensor) tensor {
		return f.permuted(f.reshape(y, "[[0], [1, 2]]", length, heads, wide), 1, 0, 2)
	}
	h := f.layerNorm(x)
	q, k, v := split(f.dense(h, model)), split(f.dense(h, model)), split(f.dense(h, model))
	weights := f.softmax(f.matmul(q, f.permuted(k, 0, 2, 1)))
	o := f.reshape(f.permuted(f.matmul(weights, v), 1, 0, 2), "[[0], [1, 2]]", length, model)
	y := f.add(x, f.dense(o, model))
	y = f.add(y, f.dense(f.gelu(f.dense(f.layerNorm(y), 4*model)), model))
	p.define("layer", f, y, weights)

	w := &writer{}
	y = w.argument("f32", length, model)
	var all []tensor
	for range count {
		args := []any{y}
		for _, s := range [][]int{{model}, {model}, {model, model}, {model}, {model, model}, {model}, {model, model}, {model}, {model, model}, {model},
			{model}, {model}, {model, 4 * model}, {4 * model}, {4 * model, model}, {model}} {
			args = append(args, w.argument("f32", s...))
		}
		r := w.call("layer", []tensor{like("f32", length, model), like("f32", heads, length, length)}, args...)
		y, all = r[0], append(all, r[1])
	}
	return p.function(w, w.layerNorm(y), all[count-1])
}

// bidirectional is an LSTM in both directions, whose cell is a private function.
func bidirectional() string {
	const length, batch, in, state = 8, 4, 16, 32
	var p program
	f := &writer{}
	x, h, c := f.argument("f32", batch, in), f.argument("f32", batch, state), f.argument("f32", batch, state)
	wx, wh, b := f.argument("f32", in, 4*state), f.argument("f32", state, 4*state), f.argument("f32", 4*state)
	gates := f.add(f.add(f.matmul(x, wx), f.matmul(h, wh)), along(b, 1))
	part := func(i int) tensor {
		return f.slice(gates, []any{0, i * state}, []int{batch, state}, batch, state)
	}
	next := f.add(f.mul(f.sigmoid(part(1)), c), f.mul(f.sigmoid(part(0)), f.unary("math.tanh", part(2))))
	p.define("cell", f, f.mul(f.sigmoid(part(3)), f.unary("math.tanh", next)), next)

	w := &writer{}
	xs := w.argument("f32", length, batch, in)
	var sides []tensor
	for side := range 2 {
		wx, wh, b := w.argument("f32", in, 4*state), w.argument("f32", state, 4*state), w.argument("f32", 4*state)
		start := []tensor{w.zeros("f32", batch, state), w.zeros("f32", batch, state), w.empty("f32", length, batch, state)}
		r := w.repeat(fmt.Sprintf("%%t%d", side), length, start, func(now []tensor) []tensor {
			at := fmt.Sprintf("%%t%d", side)
			if side == 1 {
				last := w.scalar(fmt.Sprint(length-1), "index")
				w.line("    %%back = arith.subi %s, %s : index", last, at)
				at = "%back"
			}
			xt := w.slice(xs, []any{at, 0, 0}, []int{1, batch, in}, batch, in)
			s := w.call("cell", now[:2], xt, now[0], now[1], wx, wh, b)
			return []tensor{s[0], s[1], w.inserted(s[0], now[2], []any{at, 0, 0}, 1, batch, state)}
		})
		sides = append(sides, r[2])
	}
	return p.function(w, w.concat(2, sides...))
}

// generation decodes words one after the other, each the likeliest, with a private function for the step and caches that go round.
func generation() string {
	const model, room, words, steps = 32, 16, 48, 6
	var p program
	f := &writer{}
	x := f.argument("f32", 1, model)
	at := f.index()
	k, v := f.argument("f32", room, model), f.argument("f32", room, model)
	h := f.layerNorm(x)
	q := f.dense(h, model)
	k = f.inserted(f.dense(h, model), k, []any{at, 0}, 1, model)
	v = f.inserted(f.dense(h, model), v, []any{at, 0}, 1, model)
	scores := f.matmul(q, f.permuted(k, 1, 0))
	masked := f.each("f32", scores.shape, fmt.Sprintf("    %%i = linalg.index 1 : index\n    %%p = arith.cmpi ule, %%i, %s : index\n    %%n = arith.constant -1.0e30 : f32\n    %%r = arith.select %%p, %%a, %%n : f32", at), scores)
	y := f.add(x, f.dense(f.matmul(f.softmax(masked), v), model))
	y = f.add(y, f.dense(f.gelu(f.dense(f.layerNorm(y), 4*model)), model))
	p.define("step", f, f.matmul(f.layerNorm(y), f.argument("f32", model, words)), k, v)

	w := &writer{}
	table, k0, v0 := w.argument("f32", words, model), w.argument("f32", room, model), w.argument("f32", room, model)
	var weights []any
	for _, s := range [][]int{{model}, {model}, {model, model}, {model}, {model, model}, {model}, {model, model}, {model},
		{model, model}, {model}, {model}, {model}, {model, 4 * model}, {4 * model}, {4 * model, model}, {model}, {model}, {model}, {model, words}} {
		weights = append(weights, w.argument("f32", s...))
	}
	zero, one, end, text := w.scalar("0", "index"), w.scalar("1", "index"), w.scalar(fmt.Sprint(steps), "index"), w.zeros("i64", room)
	loop, c, t := w.name(), k0.typ(), text.typ()
	w.line("  %s:5 = scf.while (%%i = %s, %%w = %s, %%k = %s, %%v = %s, %%o = %s) : (index, index, %s, %s, %s) -> (index, index, %s, %s, %s) {", loop, zero, zero, k0, v0, text, c, c, t, c, c, t)
	w.line("    %%early = arith.cmpi ult, %%i, %s : index\n    %%stop = arith.constant %d : index\n    %%goes = arith.cmpi ne, %%w, %%stop : index\n    %%more = arith.andi %%early, %%goes : i1", end, words-1)
	w.line("    scf.condition(%%more) %%i, %%w, %%k, %%v, %%o : index, index, %s, %s, %s\n  } do {\n  ^bb0(%%at: index, %%word: index, %%kb: %s, %%vb: %s, %%ob: %s):", c, c, t, c, c, t)
	row := w.slice(table, []any{"%word", 0}, []int{1, model}, 1, model)
	cache := func(name string) tensor { return tensor{name, "f32", k0.shape} }
	r := w.call("step", []tensor{like("f32", 1, words), cache(""), cache("")}, append([]any{row, "%at", cache("%kb"), cache("%vb")}, weights...)...)
	best := w.name()
	w.line(`    %s:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (0, d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%s : %s) outs(%s, %s : tensor<f32>, tensor<i64>) {
    ^bb0(%%x: f32, %%m: f32, %%n: i64):
      %%j = linalg.index 0 : index
      %%here = arith.index_cast %%j : index to i64
      %%p = arith.cmpf ogt, %%x, %%m : f32
      %%y = arith.select %%p, %%x, %%m : f32
      %%z = arith.select %%p, %%here, %%n : i64
      linalg.yield %%y, %%z : f32, i64
    } -> (tensor<f32>, tensor<i64>)`, best, r[0], r[0].typ(), w.filled("0xFF800000", "f32"), w.zeros("i64"))
	w.line("    %%next = tensor.extract %s#1[] : tensor<i64>\n    %%nw = arith.index_cast %%next : i64 to index\n    %%told = tensor.insert %%next into %%ob[%%at] : %s\n    %%ni = arith.addi %%at, %s : index", best, t, one)
	w.line("    scf.yield %%ni, %%nw, %s, %s, %%told : index, index, %s, %s, %s\n  }", r[1], r[2], c, c, t)
	return p.function(w, tensor{loop + "#4", "i64", text.shape})
}

// diffusion takes noise away from an image step by step, with a private network of convolutions, until it changes little.
func diffusion() string {
	const size, channels = 8, 8
	var p program
	l := nchw
	f := &writer{}
	x, time := f.argument("f32", l.image(size, 4)...), f.argument("f32", channels)
	a := f.relu(f.add(l.conv(f, x, channels, 3, 1), along(time, 1)))
	down := f.relu(l.conv(f, a, 2*channels, 3, 2))
	down = f.add(down, l.conv(f, f.relu(down), 2*channels, 3, 1))
	up := f.concat(1, l.doubled(f, down), a)
	noise := l.conv(f, f.relu(l.conv(f, up, channels, 3, 1)), 4, 3, 1)
	p.define("noise", f, noise)

	w := &writer{}
	start := w.argument("f32", l.image(size, 4)...)
	table := w.argument("f32", 8, channels)
	var weights []any
	for _, s := range [][]int{{channels, 4, 3, 3}, {2 * channels, channels, 3, 3}, {2 * channels, 2 * channels, 3, 3}, {channels, 3 * channels, 3, 3}, {4, channels, 3, 3}} {
		weights = append(weights, w.argument("f32", s...))
	}
	zero, one, end := w.scalar("0", "index"), w.scalar("1", "index"), w.scalar("6", "index")
	loop, t := w.name(), start.typ()
	w.line("  %s:2 = scf.while (%%i = %s, %%x = %s) : (index, %s) -> (index, %s) {", loop, zero, start, t, t)
	w.line("    %%more = arith.cmpi ult, %%i, %s : index\n    scf.condition(%%more) %%i, %%x : index, %s\n  } do {\n  ^bb0(%%s: index, %%y: %s):", end, t, t)
	now := tensor{"%y", "f32", start.shape}
	embedded := w.slice(table, []any{"%s", 0}, []int{1, channels}, channels)
	n := w.call("noise", []tensor{like("f32", start.shape...)}, append([]any{now, embedded}, weights...)...)[0]
	next := w.each("f32", now.shape, "    %k = arith.constant 0.1 : f32\n    %d = arith.mulf %b, %k : f32\n    %r = arith.subf %a, %d : f32", now, n)
	w.line("    %%j = arith.addi %%s, %s : index\n    scf.yield %%j, %s : index, %s\n  }", one, next, t)
	clipped := w.each("f32", start.shape, "    %l = arith.constant -1.0 : f32\n    %h = arith.constant 1.0 : f32\n    %m = arith.maximumf %a, %l : f32\n    %r = arith.minimumf %m, %h : f32", tensor{loop + "#1", "f32", start.shape})
	return p.function(w, clipped)
}

// doubled makes an image twice as large by reading the nearest element.
func (l layout) doubled(w *writer, x tensor) tensor {
	size, c := l.of(x)
	e := w.empty("f32", l.image(2*size, c)...)
	t := tensor{w.name(), "f32", e.shape}
	at := "%i1, %h, %w"
	rows, columns := 2, 3
	if l == nhwc {
		at, rows, columns = "%h, %w, %i3", 1, 2
	}
	other := l.channel()
	w.line(`  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} outs(%s : %s) {
  ^bb0(%%o: f32):
    %%i0 = linalg.index 0 : index
    %%i%d = linalg.index %d : index
    %%y = linalg.index %d : index
    %%x = linalg.index %d : index
    %%two = arith.constant 2 : index
    %%h = arith.divui %%y, %%two : index
    %%w = arith.divui %%x, %%two : index
    %%r = tensor.extract %s[%%i0, %s] : %s
    linalg.yield %%r : f32
  } -> %s`, t, e, e.typ(), other, other, rows, columns, x, at, x.typ(), t.typ())
	return t
}
