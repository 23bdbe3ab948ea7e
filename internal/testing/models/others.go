package models

import "fmt"

// gru is a recurrent layer that returns all its states, in a loop that counts.
func gru() string {
	w := &writer{}
	const length, batch, in, state = 8, 4, 16, 32
	x := w.argument("f32", length, batch, in)
	weights := map[string]tensor{}
	for _, gate := range []string{"z", "r", "n"} {
		weights["x"+gate], weights["h"+gate], weights["b"+gate] = w.argument("f32", in, state), w.argument("f32", state, state), w.argument("f32", state)
	}
	zero, one, end := w.scalar("0", "index"), w.scalar("1", "index"), w.scalar(fmt.Sprint(length), "index")
	h0, all := w.zeros("f32", batch, state), w.empty("f32", length, batch, state)
	loop := w.name()
	w.line("  %s:2 = scf.for %%t = %s to %s step %s iter_args(%%h = %s, %%all = %s) -> (%s, %s) {", loop, zero, end, one, h0, all, h0.typ(), all.typ())
	h := tensor{"%h", "f32", h0.shape}
	xt := w.slice(x, []any{"%t", 0, 0}, []int{1, batch, in}, batch, in)
	gate := func(name string, h tensor) tensor {
		sum := w.add(w.matmul(xt, weights["x"+name]), w.matmul(h, weights["h"+name]))
		return w.add(sum, along(weights["b"+name], 1))
	}
	z, r := w.sigmoid(gate("z", h)), w.sigmoid(gate("r", h))
	n := w.unary("math.tanh", gate("n", w.mul(r, h)))
	next := w.each("f32", h.shape, `    %one = arith.constant 1.0 : f32
    %k = arith.subf %one, %a : f32
    %x = arith.mulf %k, %b : f32
    %y = arith.mulf %a, %c : f32
    %r = arith.addf %x, %y : f32`, z, n, h)
	kept := w.inserted(next, tensor{"%all", "f32", all.shape}, []any{"%t", 0, 0}, 1, batch, state)
	w.line("  scf.yield %s, %s : %s, %s\n  }", next, kept, next.typ(), kept.typ())
	return w.function(tensor{loop + "#0", "f32", h0.shape}, tensor{loop + "#1", "f32", all.shape})
}

// lstm is a recurrent layer in a loop that ends by a condition.
func lstm() string {
	w := &writer{}
	const length, batch, in, state = 8, 4, 16, 32
	x := w.argument("f32", length, batch, in)
	wx, wh, bias := w.argument("f32", in, 4*state), w.argument("f32", state, 4*state), w.argument("f32", 4*state)
	zero, one, end := w.scalar("0", "index"), w.scalar("1", "index"), w.scalar(fmt.Sprint(length), "index")
	h0, c0 := w.zeros("f32", batch, state), w.zeros("f32", batch, state)
	loop, t := w.name(), h0.typ()
	w.line("  %s:3 = scf.while (%%i = %s, %%h = %s, %%c = %s) : (index, %s, %s) -> (index, %s, %s) {", loop, zero, h0, c0, t, t, t, t)
	w.line("    %%more = arith.cmpi slt, %%i, %s : index\n    scf.condition(%%more) %%i, %%h, %%c : index, %s, %s\n  } do {\n  ^bb0(%%t: index, %%hb: %s, %%cb: %s):", end, t, t, t, t)
	h, c := tensor{"%hb", "f32", h0.shape}, tensor{"%cb", "f32", h0.shape}
	xt := w.slice(x, []any{"%t", 0, 0}, []int{1, batch, in}, batch, in)
	gates := w.add(w.add(w.matmul(xt, wx), w.matmul(h, wh)), along(bias, 1))
	part := func(i int) tensor { return w.slice(gates, []any{0, i * state}, []int{batch, state}, batch, state) }
	i, f, g, o := w.sigmoid(part(0)), w.sigmoid(part(1)), w.unary("math.tanh", part(2)), w.sigmoid(part(3))
	c1 := w.add(w.mul(f, c), w.mul(i, g))
	h1 := w.mul(o, w.unary("math.tanh", c1))
	w.line("    %%next = arith.addi %%t, %s : index\n    scf.yield %%next, %s, %s : index, %s, %s\n  }", one, h1, c1, t, t)
	return w.function(tensor{loop + "#1", "f32", h0.shape})
}

// training is a step of gradient descent of three dense layers; it returns new weights.
func training() string {
	w := &writer{}
	const batch, in, hidden, classes = 16, 24, 32, 10
	x, want := w.argument("f32", batch, in), w.argument("f32", batch, classes)
	sizes := []int{in, hidden, hidden, classes}
	var weights, biases []tensor
	for i := range 3 {
		weights, biases = append(weights, w.argument("f32", sizes[i], sizes[i+1])), append(biases, w.argument("f32", sizes[i+1]))
	}
	inputs := []tensor{x}
	for i := range 3 {
		y := w.add(w.matmul(inputs[i], weights[i]), along(biases[i], 1))
		if i < 2 {
			y = w.relu(y)
		}
		inputs = append(inputs, y)
	}
	slope := w.sub(w.softmax(inputs[3]), want)
	var results []tensor
	step := func(old, slope tensor) {
		results = append(results, w.each("f32", old.shape, "    %l = arith.constant 0.01 : f32\n    %d = arith.mulf %l, %b : f32\n    %r = arith.subf %a, %d : f32", old, slope))
	}
	for i := 2; i >= 0; i-- {
		step(weights[i], w.matmul(w.permuted(inputs[i], 1, 0), slope))
		sum := tensor{w.name(), "f32", biases[i].shape}
		start := w.zeros("f32", sum.shape...)
		w.line("  %s = linalg.reduce ins(%s : %s) outs(%s : %s) dimensions = [0] (%%p: f32, %%q: f32) {\n    %%s = arith.addf %%p, %%q : f32\n    linalg.yield %%s : f32\n  }", sum, slope, slope.typ(), start, start.typ())
		step(biases[i], sum)
		if i > 0 {
			slope = w.matmul(slope, w.permuted(weights[i], 1, 0))
			slope = w.each("f32", slope.shape, "    %z = arith.constant 0.0 : f32\n    %p = arith.cmpf ogt, %b, %z : f32\n    %r = arith.select %p, %a, %z : f32", slope, inputs[i])
		}
	}
	return w.function(results...)
}

// experts sends each token through the one of four nets that scores best.
func experts() string {
	w := &writer{}
	const tokens, model, hidden, count = 8, 16, 32, 4
	x, router := w.argument("f32", tokens, model), w.argument("f32", model, count)
	var up, down []tensor
	for range count {
		up, down = append(up, w.argument("f32", model, hidden)), append(down, w.argument("f32", hidden, model))
	}
	scores := w.softmax(w.matmul(x, router))
	zero, one, end := w.scalar("0", "index"), w.scalar("1", "index"), w.scalar(fmt.Sprint(tokens), "index")
	out := w.empty("f32", tokens, model)
	loop := tensor{w.name(), "f32", out.shape}
	w.line("  %s = scf.for %%t = %s to %s step %s iter_args(%%all = %s) -> (%s) {", loop, zero, end, one, out, out.typ())
	row := w.slice(x, []any{"%t", 0}, []int{1, model}, 1, model)
	y := w.zeros("f32", 1, model)
	for e := range count {
		score, limit, choose := w.name(), w.scalar("0.25", "f32"), w.name()
		w.line("    %s = tensor.extract %s[%%t, %s] : %s", score, scores, w.scalar(fmt.Sprint(e), "index"), scores.typ())
		w.line("    %s = arith.cmpf ogt, %s, %s : f32", choose, score, limit)
		next := tensor{w.name(), "f32", y.shape}
		w.line("    %s = scf.if %s -> (%s) {", next, choose, y.typ())
		z := w.matmul(w.relu(w.matmul(row, up[e])), down[e])
		scale := w.name()
		w.line("    %s = tensor.splat %s : tensor<1x%dxf32>", scale, score, model)
		z = w.add(y, w.mul(z, tensor{scale, "f32", y.shape}))
		w.line("    scf.yield %s : %s\n    } else {\n    scf.yield %s : %s\n    }", z, z.typ(), y, y.typ())
		y = next
	}
	w.line("  scf.yield %s : %s\n  }", w.inserted(y, tensor{"%all", "f32", out.shape}, []any{"%t", 0}, 1, model), out.typ())
	return w.function(w.add(loop, x))
}

// scaledBack makes numbers of 8 bits of sums of 32.
func (w *writer) scaledBack(sum tensor) tensor {
	return w.each("i8", sum.shape, `    %s = arith.constant 7 : i32
    %l = arith.constant -128 : i32
    %h = arith.constant 127 : i32
    %k = arith.shrsi %a, %s : i32
    %m = arith.maxsi %k, %l : i32
    %n = arith.minsi %m, %h : i32
    %r = arith.trunci %n : i32 to i8`, sum)
}

// quantized is a chain of products of 8-bit numbers, whose sums of 32 bits are scaled back.
func quantized() string {
	w := &writer{}
	const batch, wide = 16, 64
	x := w.argument("i8", batch, wide)
	for layer := range 4 {
		weights, bias := w.argument("i8", wide, wide), w.argument("i32", wide)
		sum := w.named("matmul", "", w.zeros("i32", batch, wide), x, weights)
		sum = w.each("i32", sum.shape, "    %r = arith.addi %a, %b : i32", sum, along(bias, 1))
		next := w.scaledBack(sum)
		if layer%2 == 1 {
			next = w.each("i8", next.shape, "    %r = arith.addi %a, %b : i8", next, x)
		}
		x = next
	}
	return w.function(x)
}

// power is the power iteration for an eigenvector, which ends when little changes: all is computed before the condition.
func power() string {
	w := &writer{}
	const n = 16
	a, start, limit := w.argument("f32", n, n), w.argument("f32", n, 1), w.scalar("0.5", "f32")
	zero := w.scalar("0", "index")
	loop, t := tensor{w.name(), "f32", start.shape}, start.typ()
	w.line("  %s:2 = scf.while (%%x = %s, %%i = %s) : (%s, index) -> (%s, index) {", loop, start, zero, t, t)
	x := tensor{"%x", "f32", start.shape}
	y := w.matmul(a, x)
	length := w.generic(w.zeros("f32", 1), 2, []int{0}, "    %m = arith.mulf %a, %a : f32\n    %r = arith.addf %o, %m : f32", y)
	z := w.each("f32", y.shape, "    %e = arith.constant 1.0 : f32\n    %s = arith.addf %b, %e : f32\n    %q = math.rsqrt %s : f32\n    %r = arith.mulf %a, %q : f32", y, along(length, 1))
	apart := w.sub(z, x)
	change := w.generic(w.zeros("f32", 1), 2, []int{0}, "    %m = arith.mulf %a, %a : f32\n    %r = arith.addf %o, %m : f32", apart)
	one, most := w.scalar("1", "index"), w.scalar("20", "index")
	w.line("    %%c = tensor.extract %s[%s] : %s\n    %%far = arith.cmpf ogt, %%c, %s : f32\n    %%j = arith.addi %%i, %s : index\n    %%early = arith.cmpi slt, %%j, %s : index\n    %%more = arith.andi %%far, %%early : i1", change, zero, change.typ(), limit, one, most)
	w.line("    scf.condition(%%more) %s, %%j : %s, index\n  } do {\n  ^bb0(%%n: %s, %%k: index):\n    scf.yield %%n, %%k : %s, index\n  }", z, t, t, t)
	return w.function(tensor{loop.name + "#0", "f32", loop.shape})
}
