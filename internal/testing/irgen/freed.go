package irgen

// Freed returns a module whose function @main frees by itself all that it allocates, in ways that are rare: in reductions of buffers, by reallocations in
// loops, by views from their end, in one of several branches, in loops whose bounds are far apart.
func Freed(choose Chooser, size int) string {
	g := &cornerGen{writer: writer{choose: choose}}
	return g.module(size, []func(){g.reducedBuffers, g.reallocated, g.reversedFree, g.manual, g.farBounds, g.collapsedEnds, g.branchFrees})
}

// reducedBuffers reduces buffers, of which one is left.
func (g *cornerGen) reducedBuffers() {
	a := g.def("memref.alloc() : memref<4xi32>")
	g.line("memref.store %%x, %s[%%c0] : memref<4xi32>", a)
	r := g.def("scf.parallel (%%k) = (%%c0) to (%s) step (%%c1) init (%s) -> memref<4xi32> {", g.opaque(2), a)
	g.line("  %%b = memref.alloc() : memref<4xi32>")
	g.line("  memref.store %%x, %%b[%%c0] : memref<4xi32>")
	g.line("  scf.reduce(%%b : memref<4xi32>) {")
	g.line("  ^bb0(%%p: memref<4xi32>, %%q: memref<4xi32>):")
	g.line("    memref.dealloc %%p : memref<4xi32>")
	g.line("    scf.reduce.return %%q : memref<4xi32>")
	g.line("  }")
	g.line("}")
	g.show(g.def("memref.load %s[%%c0] : memref<4xi32>", r), "i32")
	g.line("memref.dealloc %s : memref<4xi32>", r)
}

// reallocated makes a buffer larger in a loop, and frees it.
func (g *cornerGen) reallocated() {
	g.line("memref.dealloc %s : memref<?xi32>", g.grown(g.def("memref.alloc(%%c%d) : memref<?xi32>", 1+g.choose(2))))
}

// reallocatedStatic does so with a buffer that is small enough for the stack, and leaves the free to others.
func (g *cornerGen) reallocatedStatic() {
	a := g.def("memref.alloc() : memref<1xi32>")
	g.grown(g.def("memref.cast %s : memref<1xi32> to memref<?xi32>", a))
}

// grown returns what a loop makes of a buffer that it may make larger. It may carry the buffer by two names, and make it larger by either.
func (g *cornerGen) grown(m string) string {
	g.line("memref.store %%x, %s[%%c0] : memref<?xi32>", m)
	if g.flip() {
		return g.grownTwice(m)
	}
	r := g.def("scf.for %%k = %%c0 to %s step %%c1 iter_args(%%p = %s) -> memref<?xi32> {", g.opaque(g.choose(4)), m)
	g.line("  %%q = memref.realloc %%p(%%c8) : memref<?xi32> to memref<?xi32>")
	g.line("  scf.yield %%q : memref<?xi32>")
	g.line("}")
	g.show(g.def("memref.load %s[%%c0] : memref<?xi32>", r), "i32")
	return r
}

func (g *cornerGen) grownTwice(m string) string {
	r, n := g.fresh(), g.opaque(g.choose(4))
	g.line("%s:2 = scf.for %%k = %%c0 to %s step %%c1 iter_args(%%p = %s, %%q = %s) -> (memref<?xi32>, memref<?xi32>) {", r, n, m, m)
	g.line("  %%o = memref.realloc %s(%%c8) : memref<?xi32> to memref<?xi32>", pick(&g.writer, []string{"%p", "%q"}))
	g.line("  scf.yield %%o, %%o : memref<?xi32>, memref<?xi32>")
	g.line("}")
	g.show(g.def("memref.load %s#0[%%c0] : memref<?xi32>", r), "i32")
	return r + "#1"
}

// reversedFree frees a buffer by a view from its end.
func (g *cornerGen) reversedFree() {
	a := g.def("memref.alloc() : memref<4xi32>")
	g.line("linalg.fill ins(%%x : i32) outs(%s : memref<4xi32>)", a)
	r := g.def("memref.reinterpret_cast %s to offset: [3], sizes: [4], strides: [-1] : memref<4xi32> to memref<4xi32, strided<[-1], offset: 3>>", a)
	g.show(g.def("memref.load %s[%%c0] : memref<4xi32, strided<[-1], offset: 3>>", r), "i32")
	g.line("memref.dealloc %s : memref<4xi32, strided<[-1], offset: 3>>", r)
}

// farBounds frees a buffer in the first iteration of a loop whose bounds are so far apart that their difference wraps.
func (g *cornerGen) farBounds() {
	t := pick(&g.writer, []string{"i64", "i64", "i32", "i8"})
	bits := map[string]int{"i8": 8, "i32": 32, "i64": 64}[t]
	least, step := g.def("arith.constant %d : %s", -1<<(bits-1), t), g.def("arith.constant %d : %s", uint64(1)<<(bits-1)-1, t)
	most := g.def("arith.constant %d : %s", 1-g.choose(2)*g.choose(3), t) // less than two steps away, and no step wraps
	a := g.def("memref.alloc() : memref<4xi32>")
	g.line("scf.for %%k = %s to %s step %s : %s {", least, most, step, t)
	g.line("  %%first = arith.cmpi eq, %%k, %s : %s", least, t)
	g.line("  scf.if %%first {")
	g.line("    memref.dealloc %s : memref<4xi32>", a)
	g.line("  }")
	g.line("}")
}

// tableFreed keeps buffers in a buffer, from where they are freed.
func (g *cornerGen) tableFreed() {
	e := pick(&g.writer, []string{"memref<4xi32>", "memref<?xi32>"})
	sizes := map[string]string{"memref<?xi32>": "%c4"}[e]
	box := g.def("memref.alloc() : memref<2x%s>", e)
	a := g.def("memref.alloc(%s) : %s", sizes, e)
	g.line("memref.store %%x, %s[%%c1] : %s", a, e)
	g.line("memref.store %s, %s[%%c1] : memref<2x%s>", a, box, e)
	b := g.def("memref.load %s[%%c1] : memref<2x%s>", box, e)
	g.show(g.def("memref.load %s[%%c1] : %s", b, e), "i32")
	g.line("memref.dealloc %s : memref<2x%s>", box, e)
	g.line("memref.dealloc %s : %s", b, e)
}

// collapsedEnds joins the dimensions of a buffer that is seen from its end, and tells the layout.
func (g *cornerGen) collapsedEnds() {
	a := g.filled("4x8", 4, 8)
	const t = "memref<4x8xi32, strided<[-8, -1], offset: 31>>"
	r := g.def("memref.reinterpret_cast %s to offset: [31], sizes: [4, 8], strides: [-8, -1] : memref<4x8xi32> to %s", a, t)
	const flat = "memref<32xi32, strided<[-1], offset: 31>>"
	c := g.def("memref.collapse_shape %s [[0, 1]] : %s into %s", r, t, flat)
	g.show(g.def("memref.load %s[%s] : %s", c, g.below(8), flat), "i32")
	v := g.fresh()
	g.line("%s:4 = memref.extract_strided_metadata %s : %s -> memref<i32>, index, index, index", v, c, flat)
	g.show(v+"#3", "index")
	g.line("memref.dealloc %s : memref<4x8xi32>", a)
}

// takes gives a buffer to a function, which needs its contents in a buffer of its own, or writes to it before, and frees it.
func (g *cornerGen) takes() {
	work := pick(&g.writer, []string{
		`memref.copy %%a, %%b : memref<4xi32> to memref<4xi32>
  memref.dealloc %%a : memref<4xi32>
  memref.store %%x, %%b[%%c1] : memref<4xi32>`,
		`linalg.add ins(%%a, %%a : memref<4xi32>, memref<4xi32>) outs(%%b : memref<4xi32>)
  memref.dealloc %%a : memref<4xi32>`,
		`linalg.fill ins(%%x : i32) outs(%%b : memref<4xi32>)
  memref.copy %%b, %%a : memref<4xi32> to memref<4xi32>
  memref.dealloc %%a : memref<4xi32>`,
	})
	f := g.function(`func.func private %s(%%a: memref<4xi32>, %%x: i32) -> i32 {
  %%c1 = arith.constant 1 : index
  %%b = memref.alloc() : memref<4xi32>
  ` + work + `
  %%r = memref.load %%b[%%c1] : memref<4xi32>
  memref.dealloc %%b : memref<4xi32>
  return %%r : i32
}`)
	a := g.def("memref.alloc() : memref<4xi32>")
	g.line("linalg.fill ins(%%zero : i32) outs(%s : memref<4xi32>)", a)
	g.show(g.def("func.call %s(%s, %%x) : (memref<4xi32>, i32) -> i32", f, a), "i32")
}

// branchFrees frees buffers in one of two ways, for a condition that is known late.
func (g *cornerGen) branchFrees() {
	a, c := g.def("memref.alloc() : memref<4xi32>"), g.maybe()
	g.line("memref.store %%x, %s[%%c0] : memref<4xi32>", a)
	r := g.def("scf.if %s -> (memref<4xi32>) {", c)
	g.line("  memref.dealloc %s : memref<4xi32>", a)
	g.line("  %%n = memref.alloc() : memref<4xi32>")
	g.line("  memref.store %%x, %%n[%%c0] : memref<4xi32>")
	g.line("  scf.yield %%n : memref<4xi32>")
	g.line("} else {")
	g.line("  scf.yield %s : memref<4xi32>", a)
	g.line("}")
	g.show(g.def("memref.load %s[%%c0] : memref<4xi32>", r), "i32")
	g.line("memref.dealloc %s : memref<4xi32>", r)
}
