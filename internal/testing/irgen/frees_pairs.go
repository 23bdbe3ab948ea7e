package irgen

import "strings"

// pairs is a loop, or a branch, that carries two buffers and a boolean, which it may exchange.
func (g *freeGen) pairs() {
	if g.depth > 2 || g.loops > 2 {
		return
	}
	g.loops++
	const types = buffer + ", " + buffer + ", i1"
	r, x, y, c := g.fresh(), g.fresh(), g.fresh(), g.fresh()
	start := g.buffer() + ", " + g.buffer() + ", " + g.truth()
	carried := []value{{x, buffer}, {y, buffer}, {c, "i1"}}
	// next are the values that go on: often those that came, in another order, or with a new buffer.
	next := func(made string) string {
		of := []string{x, y, made}
		a, b, t := pick(&g.writer, of), pick(&g.writer, of), g.truth()
		if g.flip() {
			a, b = y, x
		}
		if g.flip() {
			t = c
		}
		return a + ", " + b + ", " + t
	}
	entry := func() string {
		var list []string
		for i, at := range strings.Split(start, ", ") {
			list = append(list, carried[i].name+" = "+at)
		}
		return strings.Join(list, ", ")
	}
	switch g.choose(4) {
	case 0:
		i := value{g.fresh(), "n"}
		lower, upper, step := g.count()
		g.line("%s:3 = scf.for %s = %s to %s step %s iter_args(%s) -> (%s) {", r, i.name, lower, upper, step, entry(), types)
		g.inner(append([]value{i}, carried...), func(made string) { g.line("scf.yield %s : %s", next(made), types) })
		g.line("}")
	case 1:
		i := value{g.fresh(), "n"}
		bounds := pick(&g.writer, []string{"0 to 2", "0 to 1", "2 to 0", "0 to 0", "-1 to 2 step 2", "0 to min affine_map<(d0) -> (d0, 2)>(" + g.symbol() + ")", "0 to " + g.symbol()})
		g.line("%s:3 = affine.for %s = %s iter_args(%s) -> (%s) {", r, i.name, bounds, entry(), types)
		g.inner(append([]value{i}, carried...), func(made string) { g.line("affine.yield %s : %s", next(made), types) })
		g.line("}")
	case 2:
		n, k, upper := g.fresh(), g.fresh(), g.number()
		g.line("%s:4 = scf.while (%s, %s = %%c0) : (%s, index) -> (%s, index) {", r, entry(), n, types, types)
		g.inner(append([]value{{n, "n"}}, carried...), func(made string) {
			more := g.fresh()
			g.line("%s = arith.cmpi ult, %s, %s : index", more, n, upper)
			g.line("scf.condition(%s) %s, %s : %s, index", more, next(made), n, types)
		})
		x, y, c = g.fresh(), g.fresh(), g.fresh()
		g.line("} do {")
		g.line("^bb0(%s: %s, %s: %s, %s: i1, %s: index):", x, buffer, y, buffer, c, k)
		g.inner([]value{{x, buffer}, {y, buffer}, {c, "i1"}, {k, "n"}}, func(made string) {
			l := g.fresh()
			g.line("%s = arith.addi %s, %%c1 : index", l, k)
			g.line("scf.yield %s, %s : %s, index", next(made), l, types)
		})
		g.line("}")
	default:
		g.line("%s:3 = affine.if affine_set<(d0) : (d0 - 1 >= 0)>(%s) -> (%s) {", r, g.symbol(), types)
		x, y, c = g.buffer(), g.buffer(), g.truth()
		for i := range 2 {
			g.inner(nil, func(made string) { g.line("affine.yield %s : %s", next(made), types) })
			g.line("%s", []string{"} else {", "}"}[i])
		}
	}
	g.result(r + "#0")
	g.result(r + "#1")
	g.scope.values = append(g.scope.values, value{r + "#2", "i1"})
}

// symbol returns a number that affine operations take.
func (g *freeGen) symbol() string {
	return pick(&g.writer, append(g.symbols, "%c0", "%c1", "%c2"))
}

// count returns the bounds and the step of a loop, which need not be those that one would write. It ends soon.
func (g *freeGen) count() (lower, upper, step string) {
	constant := func(n string) string {
		c := g.fresh()
		g.line("%s = arith.constant %s : index", c, n)
		return c
	}
	switch g.choose(7) {
	case 0:
		return g.number(), g.number(), pick(&g.writer, []string{"%c1", "%c2", "%c8"})
	case 1: // of unsigned numbers, these would be others
		return constant("-1"), g.number(), "%c1"
	case 2: // the number after the last one is none
		return constant("9223372036854775806"), constant("9223372036854775807"), pick(&g.writer, []string{"%c1", "%c2"})
	case 3:
		return g.number(), constant("-9223372036854775808"), "%c1"
	case 4: // the distance is no signed number
		upper := pick(&g.writer, []string{"2", "9223372036854775807"})
		return constant("-9223372036854775808"), constant(upper), constant(pick(&g.writer, []string{"4611686018427387904", "9223372036854775807"}))
	}
	return "%c0", g.number(), "%c1"
}

// many frees several buffers at once, under conditions that may depend on each other, unless they are retained.
func (g *freeGen) many() {
	n, kept := 1+g.choose(3), g.choose(3)
	var of, types, conditions, retained, results []string
	for range n {
		of, types = append(of, g.buffer()), append(types, buffer)
		c := g.truth()
		if len(conditions) > 0 && g.choose(3) == 0 {
			c = g.add("i1")
			g.line("%s = arith.xori %s, %%true : i1", c, pick(&g.writer, conditions))
		}
		conditions = append(conditions, c)
	}
	for range kept {
		retained, results = append(retained, g.buffer()), append(results, g.fresh())
	}
	list := func(s []string) string { return strings.Join(s, ", ") }
	end := ""
	if kept > 0 {
		end = " retain (" + list(retained) + " : " + strings.TrimSuffix(strings.Repeat(buffer+", ", kept), ", ") + ")"
	}
	start := ""
	if kept > 0 {
		start = list(results) + " = "
	}
	g.line("%sbufferization.dealloc (%s : %s) if (%s)%s", start, list(of), list(types), list(conditions), end)
	for _, r := range results {
		g.scope.values = append(g.scope.values, value{r, "i1"})
	}
}

// disguise makes another name of a buffer, by types that don't say how large it is, or a larger view of a part.
func (g *freeGen) disguise() {
	m, v, w := g.buffer(), g.fresh(), g.fresh()
	switch g.choose(6) {
	case 0:
		g.line("%s = memref.cast %s : %s to memref<*xi32>", v, m, buffer)
		if g.choose(4) == 0 {
			g.line("memref.dealloc %s : memref<*xi32>", v)
			return
		}
		g.line("%s = memref.cast %s : memref<*xi32> to %s", g.add(buffer), v, buffer)
	case 1:
		g.line("%s = memref.cast %s : %s to memref<?xi32, strided<[?], offset: ?>>", v, m, buffer)
		g.line("%s = memref.cast %s : memref<?xi32, strided<[?], offset: ?>> to %s", g.add(buffer), v, buffer)
	case 2:
		g.line("%s = memref.expand_shape %s [[0, 1]] output_shape [2, 2] : %s into memref<2x2xi32>", v, m, buffer)
		g.line("%s = memref.collapse_shape %s [[0, 1]] : memref<2x2xi32> into %s", g.add(buffer), v, buffer)
	case 3:
		g.line("%s = memref.subview %s[0] [4] [1] : %s to memref<4xi32, strided<[1]>>", v, m, buffer)
		g.line("%s = memref.cast %s : memref<4xi32, strided<[1]>> to %s", g.add(buffer), v, buffer)
	case 4:
		g.line("%s = memref.subview %s[2] [2] [1] : %s to memref<2xi32, strided<[1], offset: 2>>", v, m, buffer)
		g.line("%s = memref.reinterpret_cast %s to offset: [0], sizes: [4], strides: [1] : memref<2xi32, strided<[1], offset: 2>> to %s", g.add(buffer), v, buffer)
	default:
		g.line("%s = memref.alloca() : memref<1xindex>", w)
		g.line("memref.store %%c8, %s[%%c0] : memref<1xindex>", w)
		if g.flip() { // a size that is found in memory
			g.line("%s = memref.load %s[%%c0] : memref<1xindex>", v, w)
			c := g.add("i1")
			g.line("%s = arith.cmpi eq, %s, %%c8 : index", c, v)
			return
		}
		g.line("%s = memref.transpose %s (d0) -> (d0) : %s to memref<4xi32, strided<[1]>>", v, m, buffer)
		g.line("memref.store %%x, %s[%%c1] : memref<4xi32, strided<[1]>>", v)
	}
}

// elementwise uses, or frees, in a region that runs for each element.
func (g *freeGen) elementwise() {
	if g.depth > 2 {
		return
	}
	m, e := g.buffer(), g.fresh()
	switch g.choose(3) {
	case 0:
		g.line("linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = [\"parallel\"]} outs(%s : %s) {", m, buffer)
		g.line("^bb0(%s: i32):", e)
		g.inner(nil, func(string) { g.line("linalg.yield %s : i32", e) })
		g.line("}")
	case 1:
		old := g.fresh()
		g.line("%s = memref.generic_atomic_rmw %s[%%c0] : %s {", e, m, buffer)
		g.line("^bb0(%s: i32):", old)
		g.line("  memref.atomic_yield %s : i32", old)
		g.line("}")
	default:
		g.line("%s = memref.atomic_rmw addi %%x, %s[%%c0] : (i32, %s) -> i32", e, m, buffer)
	}
}
