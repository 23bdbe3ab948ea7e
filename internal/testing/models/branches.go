package models

import "fmt"

// switched is a mixture of experts that puts each token through the one that its gate chooses, or through none.
func switched() string {
	w := &writer{}
	const tokens, model, hidden = 8, 16, 32
	x, chosen := w.argument("f32", tokens, model), w.argument("i32", tokens)
	zero, one, end := w.scalar("0", "index"), w.scalar("1", "index"), w.scalar(fmt.Sprint(tokens), "index")
	loop, out := w.name(), w.name()
	w.line("  %s = scf.for %%t = %s to %s step %s iter_args(%%y = %s) -> (%s) {", loop, zero, end, one, x, x.typ())
	token := w.slice(tensor{"%y", "f32", x.shape}, []any{"%t", 0}, []int{1, model}, 1, model)
	w.line("    %%e = tensor.extract %s[%%t] : %s\n    %%i = arith.index_cast %%e : i32 to index", chosen, chosen.typ())
	w.line("    %s = scf.index_switch %%i -> %s", out, token.typ())
	for e := range 3 {
		in, back := w.argument("f32", model, hidden), w.argument("f32", hidden, model)
		w.line("    case %d {", e)
		w.line("    scf.yield %s : %s\n    }", w.add(w.matmul(w.relu(w.matmul(token, in)), back), token), token.typ())
	}
	w.line("    default {\n    scf.yield %s : %s\n    }", token, token.typ())
	y := w.inserted(tensor{out, "f32", token.shape}, tensor{"%y", "f32", x.shape}, []any{"%t", 0}, 1, model)
	w.line("    scf.yield %s : %s\n  }", y, x.typ())
	return w.function(tensor{loop, "f32", x.shape})
}

// beams is a search for the likeliest words: each step takes the best continuations, one after the other.
func beams() string {
	w := &writer{}
	const width, steps, words, model = 3, 4, 24, 8
	state, project, back := w.argument("f32", width, model), w.argument("f32", model, words), w.argument("f32", words, model)
	zero, one, end, most := w.scalar("0", "index"), w.scalar("1", "index"), w.scalar(fmt.Sprint(steps), "index"), w.scalar(fmt.Sprint(width), "index")
	scores := w.zeros("f32", width)
	loop, s, t := w.name(), state.typ(), scores.typ()
	w.line("  %s:3 = scf.while (%%i = %s, %%s = %s, %%p = %s) : (index, %s, %s) -> (index, %s, %s) {", loop, zero, state, scores, s, t, s, t)
	w.line("    %%more = arith.cmpi slt, %%i, %s : index\n    scf.condition(%%more) %%i, %%s, %%p : index, %s, %s\n  } do {\n  ^bb0(%%n: index, %%h: %s, %%q: %s):", end, s, t, s, t)
	likely := w.softmax(w.matmul(tensor{"%h", "f32", state.shape}, project))
	all := w.reshape(w.add(w.unary("math.log", likely), along(tensor{"%q", "f32", scores.shape}, 0)), "[[0, 1]]", width*words)
	picked, next, following := w.name(), w.empty("f32", width), w.empty("f32", width, model)
	w.line("    %s:3 = scf.for %%k = %s to %s step %s iter_args(%%a = %s, %%b = %s, %%g = %s) -> (%s, %s, %s) {", picked, zero, most, one, all, next, following, all.typ(), t, s)
	best := w.name()
	w.line(`    %s:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]}
      ins(%%a : %s) outs(%s, %s : tensor<f32>, tensor<index>) {
    ^bb0(%%x: f32, %%m: f32, %%at: index):
      %%here = linalg.index 0 : index
      %%c = arith.cmpf ogt, %%x, %%m : f32
      %%v = arith.select %%c, %%x, %%m : f32
      %%w = arith.select %%c, %%here, %%at : index
      linalg.yield %%v, %%w : f32, index
    } -> (tensor<f32>, tensor<index>)`, best, all.typ(), w.filled("-1.0e30", "f32"), w.filled("0", "index"))
	w.line("    %%value = tensor.extract %s#0[] : tensor<f32>\n    %%where = tensor.extract %s#1[] : tensor<index>", best, best)
	w.line("    %%never = arith.constant -1.0e30 : f32\n    %%rest = tensor.insert %%never into %%a[%%where] : %s", all.typ())
	w.line("    %%found = tensor.insert %%value into %%b[%%k] : %s", t)
	w.line("    %%size = arith.constant %d : index\n    %%word = arith.remui %%where, %%size : index", words)
	row := w.slice(back, []any{"%word", 0}, []int{1, model}, 1, model)
	w.line("    scf.yield %%rest, %%found, %s : %s, %s, %s\n    }", w.inserted(row, tensor{"%g", "f32", state.shape}, []any{"%k", 0}, 1, model), all.typ(), t, s)
	w.line("    %%j = arith.addi %%n, %s : index\n    scf.yield %%j, %s#2, %s#1 : index, %s, %s\n  }", one, picked, picked, s, t)
	return w.function(tensor{loop + "#1", "f32", state.shape}, tensor{loop + "#2", "f32", scores.shape})
}
