package models

import "fmt"

// attention is a layer that attends to a batch of sequences with several heads.
func attention() string {
	w := &writer{}
	const batch, length, heads, wide = 2, 16, 4, 8
	const model = heads * wide
	x := w.argument("f32", batch*length, model)
	for range 2 {
		h := w.rmsNorm(x, w.argument("f32", model))
		split := func() tensor {
			y := w.matmul(h, w.argument("f32", model, model))
			y = w.reshape(y, "[[0, 1], [2, 3]]", batch, length, heads, wide)
			return w.reshape(w.permuted(y, 0, 2, 1, 3), "[[0, 1], [2], [3]]", batch*heads, length, wide)
		}
		q, k, v := split(), split(), split()
		scores := w.matmul(q, w.permuted(k, 0, 2, 1))
		scaled := w.each("f32", scores.shape, "    %s = arith.constant 0.35355339 : f32\n    %r = arith.mulf %a, %s : f32", scores)
		masked := w.add(scaled, along(w.argument("f32", length, length), 1, 2))
		o := w.matmul(w.softmax(masked), v)
		o = w.reshape(o, "[[0, 1], [2], [3]]", batch, heads, length, wide)
		o = w.reshape(w.permuted(o, 0, 2, 1, 3), "[[0, 1], [2, 3]]", batch*length, model)
		x = w.add(x, w.matmul(o, w.argument("f32", model, model)))
		h = w.rmsNorm(x, w.argument("f32", model))
		x = w.add(x, w.matmul(w.relu(w.matmul(h, w.argument("f32", model, 4*model))), w.argument("f32", 4*model, model)))
	}
	return w.function(x)
}

// decoder is one step of a decoder with rotary positions and heads that share keys and
// values, which it keeps in caches that it is given and returns. layout is that of the
// caches' buffers.
func decoder(layout string) string {
	w := &writer{}
	const heads, groups, wide, room, vocabulary = 4, 2, 8, 32, 64
	const model = heads * wide
	x := w.argument("f32", 1, model)
	cos, sin := w.argument("f32", wide/2), w.argument("f32", wide/2)
	var caches []tensor
	attribute := ""
	if layout != "" {
		attribute = fmt.Sprintf("{bufferization.buffer_layout = %s}", layout)
	}
	at := w.index()
	rotate := func(x tensor, heads int) tensor {
		x = w.reshape(x, "[[0], [1, 2]]", 1, heads, wide)
		half := []int{1, heads, wide / 2}
		a := w.slice(x, []any{0, 0, 0}, half, half...)
		b := w.slice(x, []any{0, 0, wide / 2}, half, half...)
		turn := func(op string, a, b tensor) tensor {
			return w.binary(op, w.mul(a, along(cos, 2)), w.mul(b, along(sin, 2)))
		}
		return w.concat(2, turn("arith.subf", a, b), turn("arith.addf", b, a))
	}
	for range 2 {
		h := w.rmsNorm(x, w.argument("f32", model))
		q := rotate(w.matmul(h, w.argument("f32", model, model)), heads)
		k := rotate(w.matmul(h, w.argument("f32", model, groups*wide)), groups)
		v := w.reshape(w.matmul(h, w.argument("f32", model, groups*wide)), "[[0], [1, 2]]", 1, groups, wide)
		var kept [2]tensor
		for i, part := range []tensor{k, v} {
			cache := w.argumentAs(attribute, "f32", 1, groups, room, wide)
			kept[i] = w.inserted(part, cache, []any{0, 0, at, 0}, 1, groups, 1, wide)
			caches = append(caches, kept[i])
		}
		spread := func(cache tensor) tensor {
			cache = w.reshape(cache, "[[0, 1], [2], [3]]", groups, room, wide)
			e := w.empty("f32", groups, heads/groups, room, wide)
			all := tensor{w.name(), "f32", e.shape}
			w.line("  %s = linalg.broadcast ins(%s : %s) outs(%s : %s) dimensions = [1]", all, cache, cache.typ(), e, e.typ())
			return w.reshape(all, "[[0, 1], [2], [3]]", heads, room, wide)
		}
		queries := w.reshape(q, "[[0, 1], [2]]", heads, wide)
		queries = w.reshape(queries, "[[0], [1, 2]]", heads, 1, wide)
		scores := w.matmul(queries, w.permuted(spread(kept[0]), 0, 2, 1))
		o := w.matmul(w.softmax(scores), spread(kept[1]))
		o = w.reshape(w.reshape(o, "[[0, 1], [2]]", heads, wide), "[[0, 1]]", model)
		x = w.add(x, w.matmul(w.reshape(o, "[[0, 1]]", 1, model), w.argument("f32", model, model)))
		h = w.rmsNorm(x, w.argument("f32", model))
		gate := w.matmul(h, w.argument("f32", model, 3*model))
		up := w.matmul(h, w.argument("f32", model, 3*model))
		x = w.add(x, w.matmul(w.mul(w.mul(gate, w.sigmoid(gate)), up), w.argument("f32", 3*model, model)))
	}
	logits := w.matmul(w.rmsNorm(x, w.argument("f32", model)), w.argument("f32", model, vocabulary))
	return w.function(append([]tensor{logits}, caches...)...)
}

// flash is attention by tiles: a loop over rows of queries, and one over keys and values
// that carries the output, the maxima and the sums.
func flash() string {
	w := &writer{}
	const length, wide, tile = 64, 16, 16
	q, k, v := w.argument("f32", length, wide), w.argument("f32", length, wide), w.argument("f32", length, wide)
	zero, end, step := w.scalar("0", "index"), w.scalar(fmt.Sprint(length), "index"), w.scalar(fmt.Sprint(tile), "index")
	out := w.empty("f32", length, wide)
	result := tensor{w.name(), "f32", out.shape}
	w.line("  %s = scf.for %%i = %s to %s step %s iter_args(%%all = %s) -> (%s) {", result, zero, end, step, out, out.typ())
	queries := w.slice(q, []any{"%i", 0}, []int{tile, wide}, tile, wide)
	sum, most, total := w.zeros("f32", tile, wide), w.filled("0xFF800000", "f32", tile), w.zeros("f32", tile)
	inner := w.name()
	w.line("  %s:3 = scf.for %%j = %s to %s step %s iter_args(%%o0 = %s, %%m0 = %s, %%s0 = %s) -> (%s, %s, %s) {", inner, zero, end, step, sum, most, total, sum.typ(), most.typ(), total.typ())
	o0, m0, s0 := tensor{"%o0", "f32", sum.shape}, tensor{"%m0", "f32", most.shape}, tensor{"%s0", "f32", total.shape}
	keys := w.slice(k, []any{"%j", 0}, []int{tile, wide}, tile, wide)
	values := w.slice(v, []any{"%j", 0}, []int{tile, wide}, tile, wide)
	scores := w.matmul(queries, w.permuted(keys, 1, 0))
	m1 := w.generic(m0, 2, []int{1}, "    %r = arith.maximumf %o, %a : f32", scores)
	p := w.each("f32", scores.shape, "    %d = arith.subf %a, %b : f32\n    %r = math.exp %d : f32", scores, rows(m1))
	correct := w.each("f32", m0.shape, "    %d = arith.subf %a, %b : f32\n    %r = math.exp %d : f32", m0, m1)
	s1 := w.generic(w.mul(s0, correct), 2, []int{1}, "    %r = arith.addf %o, %a : f32", p)
	o1 := w.named("matmul", "", w.mul(o0, rows(correct)), p, values)
	w.line("  scf.yield %s, %s, %s : %s, %s, %s\n  }", o1, m1, s1, o1.typ(), m1.typ(), s1.typ())
	done := w.binary("arith.divf", tensor{inner + "#0", "f32", sum.shape}, rows(tensor{inner + "#2", "f32", total.shape}))
	w.line("  scf.yield %s : %s\n  }", w.inserted(done, tensor{"%all", "f32", out.shape}, []any{"%i", 0}, tile, wide), out.typ())
	return w.function(result)
}
