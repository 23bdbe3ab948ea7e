package irgen

// flagGen writes functions that keep on the stack what they have freed.
type flagGen struct {
	writer
	depth, budget int
	truths        []string // conditions in sight
	numbers       []string // indices in sight that are 0 or 1 or 2
}

// FlaggedFrees returns a module as [Frees] does, in which flags in memory say whether buffers were freed. Branches, loops,
// graphs of blocks and functions that are called, some of which call themselves, free what a flag says is there, and write the flag; others
// write flags by views, at any index, or copies of them. Most that nothing else happens to are right.
func FlaggedFrees(choose Chooser) string {
	g := &flagGen{writer: writer{choose: choose}, budget: 4 + choose(10)}
	g.line(`func.func private @set(%%f: memref<2xi1>, %%i: index, %%c: i1) {
  memref.store %%c, %%f[%%i] : memref<2xi1>
  return
}
func.func private @once(%%m: memref<4xi32>, %%f: memref<2xi1>, %%i: index) {
  %%true = arith.constant true
  %%v = memref.load %%f[%%i] : memref<2xi1>
  scf.if %%v {
  } else {
    memref.dealloc %%m : memref<4xi32>
  }
  memref.store %%true, %%f[%%i] : memref<2xi1>
  return
}
func.func private @down(%%f: memref<2xi1>, %%n: index, %%c: i1) {
  %%c0 = arith.constant 0 : index
  %%c1 = arith.constant 1 : index
  %%e = arith.cmpi eq, %%n, %%c0 : index
  scf.if %%e {
    memref.store %%c, %%f[%%c1] : memref<2xi1>
  } else {
    %%k = arith.subi %%n, %%c1 : index
    func.call @down(%%f, %%k, %%c) : (memref<2xi1>, index, i1) -> ()
  }
  return
}
func.func @main(%%p: i1, %%q: i1, %%n: index) {`)
	g.indent++
	for _, k := range []int{0, 1, 2} {
		g.line("%%c%d = arith.constant %d : index", k, k)
	}
	g.line("%%true = arith.constant true")
	g.line("%%false = arith.constant false")
	g.line("%%x = arith.constant 7 : i32")
	where := pick(&g.writer, []string{"alloca", "alloca", "alloca", "alloc"})
	g.line("%%f = memref.%s() : memref<2xi1>", where)
	for i := range 2 {
		g.line("memref.store %%false, %%f[%%c%d] : memref<2xi1>", i)
	}
	for i := range 2 {
		g.line("%%m%d = memref.alloc() : memref<4xi32>", i)
		g.line("linalg.fill ins(%%x : i32) outs(%%m%d : memref<4xi32>)", i)
	}
	g.truths, g.numbers = []string{"%p", "%q", "%true"}, []string{"%n", "%c1", "%c2", "%c0"}
	g.statements(2 + choose(3))
	for i := range 2 {
		if choose(8) > 0 {
			g.once(i, 12)
		}
	}
	if where == "alloc" {
		g.line("memref.dealloc %%f : memref<2xi1>")
	}
	g.line("return")
	g.indent--
	g.line("}")
	return g.text.String()
}

// once frees a buffer unless its flag says that it was freed. In one of so many cases it does something else.
func (g *flagGen) once(i, wrong int) {
	v, k := g.fresh(), g.fresh()
	at := i
	if g.choose(wrong) == 0 {
		at = 1 - i
	}
	g.line("%s = memref.load %%f[%%c%d] : memref<2xi1>", v, at)
	g.line("%s = arith.xori %s, %%true : i1", k, v)
	if g.flip() {
		g.line("bufferization.dealloc (%%m%d : memref<4xi32>) if (%s)", i, k)
	} else {
		g.line("scf.if %s {", k)
		g.line("  memref.dealloc %%m%d : memref<4xi32>", i)
		g.line("}")
	}
	if g.choose(wrong) > 0 {
		g.line("memref.store %%true, %%f[%%c%d] : memref<2xi1>", i)
	}
}

func (g *flagGen) statements(n int) {
	for range n {
		if g.budget--; g.budget >= 0 {
			g.statement()
		}
	}
}

// inside writes statements in a region.
func (g *flagGen) inside(more ...string) {
	truths, numbers := len(g.truths), len(g.numbers)
	g.truths = append(g.truths, more...)
	g.indent++
	g.depth++
	g.statements(1 + g.choose(3))
	g.depth--
	g.indent--
	g.truths, g.numbers = g.truths[:truths], g.numbers[:numbers]
}

func (g *flagGen) statement() {
	c, i := pick(&g.writer, g.truths), g.choose(2)
	switch k := g.choose(24); {
	case k < 6:
		g.once(i, 12)
	case k < 8:
		g.line("func.call @once(%%m%d, %%f, %%c%d) : (memref<4xi32>, memref<2xi1>, index) -> ()", i, i)
	case k < 12 && g.depth < 3:
		g.line("scf.if %s {", c)
		g.inside()
		if g.flip() {
			g.line("} else {")
			g.inside()
		}
		g.line("}")
	case k < 15 && g.depth < 2:
		at := g.fresh()
		g.line("scf.for %s = %%c0 to %s step %%c1 {", at, pick(&g.writer, g.numbers[:3]))
		first := g.fresh()
		g.line("  %s = arith.cmpi eq, %s, %%c%d : index", first, at, i)
		g.inside(first)
		g.line("}")
	case k == 15 && g.depth < 2:
		r, at, more, after, next := g.fresh(), g.fresh(), g.fresh(), g.fresh(), g.fresh()
		g.line("%s = scf.while (%s = %%c0) : (index) -> (index) {", r, at)
		g.inside()
		g.line("  %s = arith.cmpi slt, %s, %%n : index", more, at)
		g.line("  scf.condition(%s) %s : index", more, at)
		g.line("} do {")
		g.line("^bb0(%s: index):", after)
		g.inside()
		g.line("  %s = arith.addi %s, %%c1 : index", next, after)
		g.line("  scf.yield %s : index", next)
		g.line("}")
	case k == 16 && g.depth == 0:
		v := g.fresh()
		g.line("%s = memref.load %%f[%%c%d] : memref<2xi1>", v, i)
		g.line("cf.cond_br %s, ^a%s, ^b%s", pick(&g.writer, []string{c, v}), v[1:], v[1:])
		g.indent--
		for _, to := range []string{"a", "b"} {
			g.line("^%s%s:", to, v[1:])
			g.depth += 2
			g.inside()
			g.depth -= 2
			g.line("  cf.br ^c%s", v[1:])
		}
		g.line("^c%s:", v[1:])
		g.indent++
	case k < 19:
		v, e := g.fresh(), g.fresh()
		g.line("%s = memref.load %%f[%%c%d] : memref<2xi1>", v, i)
		g.line("%s = arith.%s %s, %s : i1", e, pick(&g.writer, []string{"ori", "andi"}), v, c)
		g.truths = append(g.truths, v, e)
	case k == 19:
		g.write(c)
	default:
		g.copied()
	}
}

// copied does something to the flags that leaves them as they were, in ways that need not be seen.
func (g *flagGen) copied() {
	v, w, i := g.fresh(), g.fresh(), g.choose(2)
	switch g.choose(4) {
	case 0:
		g.line("%s = memref.alloca() : memref<2xi1>", v)
		g.line("memref.copy %%f, %s : memref<2xi1> to memref<2xi1>", v)
		g.line("memref.copy %s, %%f : memref<2xi1> to memref<2xi1>", v)
	case 1:
		g.line("%s = memref.load %%f[%%c%d] : memref<2xi1>", v, i)
		g.line("%s = memref.cast %%f : memref<2xi1> to memref<?xi1>", w)
		g.line("memref.store %s, %s[%%c%d] : memref<?xi1>", v, w, i)
	case 2:
		g.line("%s = memref.load %%f[%%c%d] : memref<2xi1>", v, i)
		g.line("func.call @set(%%f, %%c%d, %s) : (memref<2xi1>, index, i1) -> ()", i, v)
	case 3:
		g.line("%s = memref.load %%f[%%c1] : memref<2xi1>", v)
		g.line("func.call @down(%%f, %%n, %s) : (memref<2xi1>, index, i1) -> ()", v)
	}
}

// write writes a flag, so that it may say something else.
func (g *flagGen) write(c string) {
	v, i := g.fresh(), g.choose(2)
	switch g.choose(7) {
	case 0:
		g.line("memref.store %s, %%f[%%c%d] : memref<2xi1>", c, i)
	case 1:
		g.line("%s = arith.minsi %s, %%c1 : index", v, pick(&g.writer, g.numbers))
		g.line("memref.store %s, %%f[%s] : memref<2xi1>", c, v)
	case 2:
		g.line("%s = memref.subview %%f[%d] [1] [1] : memref<2xi1> to memref<1xi1, strided<[1], offset: %d>>", v, i, i)
		g.line("memref.store %s, %s[%%c0] : memref<1xi1, strided<[1], offset: %d>>", c, v, i)
	case 3:
		g.line("linalg.fill ins(%s : i1) outs(%%f : memref<2xi1>)", c)
	case 4:
		g.line("func.call @set(%%f, %%c%d, %s) : (memref<2xi1>, index, i1) -> ()", i, c)
	case 5:
		g.line("func.call @down(%%f, %%n, %s) : (memref<2xi1>, index, i1) -> ()", c)
	case 6:
		w := g.fresh()
		g.line("%s = memref.alloca() : memref<2xi1>", v)
		g.line("linalg.fill ins(%s : i1) outs(%s : memref<2xi1>)", c, v)
		g.line("%s = arith.select %s, %%f, %s : memref<2xi1>", w, pick(&g.writer, g.truths), v)
		g.line("memref.store %s, %s[%%c%d] : memref<2xi1>", c, w, i)
	}
}
