package irgen

// freeGen writes functions that free what they like.
type freeGen struct {
	writer
	scope  *scope
	budget int
	depth  int
	loops  int
	// beyond is written in the middle, unless it is nil.
	beyond func(g *freeGen)
	// recursive is the number of functions that call each other; owns and tells are what the first says about its
	// arguments and its result.
	recursive int
	// symbols are the arguments of the function that affine operations take.
	symbols []string
	owns    [2]int
	tells   bool
}

const (
	bytesBuffer = "memref<32xi8>"
	words       = "memref<2xindex>"
)

// Frees returns a module with a function @main that allocates and frees buffers where it
// likes: under any condition, by views and bases, of globals and of stack, in loops, in
// branches, in graphs of blocks and in functions that it calls, which may call themselves; by owners; under conditions
// that went through memory; it compares addresses, stores them and passes them on. It may be right or wrong. It reads no memory but what it wrote, unless that was
// freed, and ends.
func Frees(choose Chooser, size int) string { return frees(choose, size, nil) }

func frees(choose Chooser, size int, beyond func(g *freeGen)) string {
	g := &freeGen{writer: writer{choose: choose}, budget: size, beyond: beyond}
	g.line("memref.global @g : %s = dense<1>", buffer)
	for _, f := range []string{
		"@free(%m: memref<4xi32>) {\n  memref.dealloc %m : memref<4xi32>\n  return\n}",
		"@freeIf(%m: memref<4xi32>, %c: i1) {\n  scf.if %c {\n    memref.dealloc %m : memref<4xi32>\n  }\n  return\n}",
		"@make() -> memref<4xi32> {\n  %m = memref.alloc() : memref<4xi32>\n  return %m : memref<4xi32>\n}",
		"@same(%m: memref<4xi32>) -> memref<4xi32> {\n  return %m : memref<4xi32>\n}",
		"@address(%m: memref<4xi32>) -> index {\n  %p = memref.extract_aligned_pointer_as_index %m : memref<4xi32> -> index\n  return %p : index\n}",
		"@reserve(%n: index) -> index {\n  %m = memref.alloca(%n) : memref<?xi32>\n  %p = memref.extract_aligned_pointer_as_index %m : memref<?xi32> -> index\n  return %p : index\n}",
		"@either(%a: memref<4xi32>, %b: memref<4xi32>, %c: i1) -> memref<4xi32> {\n  %r = arith.select %c, %a, %b : memref<4xi32>\n  return %r : memref<4xi32>\n}",
		"@down(%m: memref<4xi32>, %n: index, %c: i1) {\n  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n  %e = arith.cmpi eq, %n, %c0 : index\n  cf.cond_br %e, ^end, ^more\n^more:\n  %k = arith.subi %n, %c1 : index\n  func.call @down(%m, %k, %c) : (memref<4xi32>, index, i1) -> ()\n  return\n^end:\n  scf.if %c {\n    memref.dealloc %m : memref<4xi32>\n  }\n  return\n}",
	} {
		g.line("func.func private %s", f)
	}
	if choose(3) == 0 {
		g.recursion()
	}
	g.scope = &scope{}
	args := []value{{g.fresh(), "i1"}, {g.fresh(), "i1"}, {g.fresh(), "n"}}
	g.scope.values = args
	g.symbols = []string{args[2].name}
	g.line("func.func @main(%s: i1, %s: i1, %s: index) {", args[0].name, args[1].name, args[2].name)
	g.indent++
	for _, k := range []string{"0", "1", "2", "8"} {
		g.line("%%c%s = arith.constant %s : index", k, k)
	}
	g.line("%%true = arith.constant true")
	g.line("%%x = arith.constant 7 : i32")
	g.scope.values = append(g.scope.values, value{"%true", "i1"})
	g.allocate()
	if g.beyond != nil {
		g.beyond(g)
	}
	if g.recursive > 0 {
		g.recurse()
	}
	g.statements(3 + choose(6))
	// Often what is left is freed, so that some programs are right.
	if tidy := choose(4); tidy > 0 {
		for _, v := range g.scope.of("own") {
			if choose(8) > 0 {
				g.line("memref.dealloc %s : %s", v, buffer)
			}
		}
	}
	g.line("return")
	g.indent--
	g.line("}")
	g.callees()
	return g.text.String()
}

func (g *freeGen) add(typ string) string {
	v := value{g.fresh(), typ}
	g.scope.values = append(g.scope.values, v)
	return v.name
}

// buffers returns all buffers in sight: those that are made here, and views of them.
func (g *freeGen) buffer() string {
	return pick(&g.writer, append(g.scope.of("own"), g.scope.of(buffer)...))
}

func (g *freeGen) truth() string { return pick(&g.writer, g.scope.of("i1")) }

// allocate makes a buffer and writes it.
func (g *freeGen) allocate() {
	m := g.add("own")
	g.line("%s = memref.alloc() : %s", m, buffer)
	g.line("linalg.fill ins(%%x : i32) outs(%s : %s)", m, buffer)
}

func (g *freeGen) statements(n int) {
	for range n {
		if g.budget--; g.budget < 0 {
			return
		}
		g.statement()
	}
}

func (g *freeGen) statement() {
	switch g.choose(30) {
	case 0, 1:
		g.allocate()
	case 2, 3:
		g.line("memref.dealloc %s : %s", g.buffer(), buffer)
	case 4:
		g.line("memref.store %%x, %s[%%c1] : %s", g.buffer(), buffer)
	case 5:
		a, b, c := g.buffer(), g.buffer(), g.truth()
		g.line("%s = arith.select %s, %s, %s : %s", g.add(buffer), c, a, b, buffer)
	case 6:
		base, a := g.fresh(), g.buffer()
		g.line("%s, %s, %s, %s = memref.extract_strided_metadata %s : %s -> memref<i32>, index, index, index", base, g.fresh(), g.fresh(), g.fresh(), a, buffer)
		g.line("%s = memref.reinterpret_cast %s to offset: [0], sizes: [4], strides: [1] : memref<i32> to %s", g.add(buffer), base, buffer)
	case 7, 8:
		a := g.buffer()
		if g.flip() {
			g.line("%s = memref.extract_aligned_pointer_as_index %s : %s -> index", g.add("address"), a, buffer)
		} else {
			g.line("%s = func.call @address(%s) : (%s) -> index", g.add("address"), a, buffer)
		}
	case 9:
		if as := append(g.scope.of("address"), g.scope.of("n")...); len(as) > 0 {
			a, b, p := pick(&g.writer, as), pick(&g.writer, as), pick(&g.writer, []string{"eq", "ne"})
			g.line("%s = arith.cmpi %s, %s, %s : index", g.add("i1"), p, a, b)
		}
	case 10:
		a, b, o := g.truth(), g.truth(), pick(&g.writer, []string{"andi", "ori", "xori"})
		g.line("%s = arith.%s %s, %s : i1", g.add("i1"), o, a, b)
	case 11, 12:
		g.branch()
	case 13, 14:
		g.loop()
	case 15:
		a, b, c, d := g.buffer(), g.buffer(), g.truth(), g.truth()
		r := g.buffer()
		g.line("%s = bufferization.dealloc (%s, %s : %s, %s) if (%s, %s) retain (%s : %s)", g.add("i1"), a, b, buffer, buffer, c, d, r, buffer)
	case 16:
		g.call()
	case 17:
		g.launder()
	case 18:
		b, v := g.fresh(), g.add(buffer)
		shift := pick(&g.writer, []string{"%c0", "%c8"})
		g.line("%s = memref.alloc() : %s", b, bytesBuffer)
		g.line("%s = memref.view %s[%s][] : %s to %s", v, b, shift, bytesBuffer, buffer)
		switch g.choose(4) {
		case 0:
			g.line("memref.dealloc %s : %s", b, bytesBuffer)
		case 1:
			g.freeShifted(b, v)
		}
	case 19:
		if m := g.add(buffer); g.flip() {
			g.line("%s = memref.get_global @g : %s", m, buffer)
		} else {
			g.line("%s = memref.alloca() : %s", m, buffer)
		}
	default:
		g.more()
	}
}

// freeShifted frees a buffer of bytes if a view begins where it does, or if it doesn't; now and then in any case.
func (g *freeGen) freeShifted(bytes, view string) {
	p, q, c := g.fresh(), g.fresh(), g.fresh()
	g.line("%s = memref.extract_aligned_pointer_as_index %s : %s -> index", p, view, buffer)
	g.line("%s = memref.extract_aligned_pointer_as_index %s : %s -> index", q, bytes, bytesBuffer)
	g.line("%s = arith.cmpi %s, %s, %s : index", c, pick(&g.writer, []string{"eq", "ne"}), p, q)
	g.line("scf.if %s {", c)
	g.line("  memref.dealloc %s : %s", bytes, bytesBuffer)
	if g.flip() {
		g.line("} else {")
		g.line("  memref.dealloc %s : %s", bytes, bytesBuffer)
	}
	g.line("}")
}

func (g *freeGen) yield(result string) { g.line("scf.yield %s : %s", result, buffer) }

// inner writes statements in a region, or block, of their own, and what finish does with a buffer.
func (g *freeGen) inner(start []value, finish func(result string)) {
	g.scope = &scope{values: start, outer: g.scope}
	g.indent++
	g.depth++
	g.statements(1 + g.choose(3))
	// What the region allocates is freed or yielded, now and then.
	made := []string{}
	for _, v := range g.scope.values {
		if v.typ == "own" {
			made = append(made, v.name)
		}
	}
	result := g.buffer()
	if len(made) > 0 && g.flip() {
		result = pick(&g.writer, made)
	}
	for _, v := range made {
		if v != result && g.choose(4) > 0 {
			g.line("memref.dealloc %s : %s", v, buffer)
		}
	}
	finish(result)
	g.depth--
	g.indent--
	g.scope = g.scope.outer
}

func (g *freeGen) branch() {
	if g.depth > 2 {
		return
	}
	c := g.truth()
	r := g.fresh()
	g.line("%s = scf.if %s -> %s {", r, c, buffer)
	g.inner(nil, g.yield)
	g.line("} else {")
	g.inner(nil, g.yield)
	g.line("}")
	g.result(r)
}

func (g *freeGen) loop() {
	if g.depth > 2 || g.loops > 2 {
		return
	}
	g.loops++
	upper, start := pick(&g.writer, append(g.scope.of("n"), "%c2", "%c0")), g.buffer()
	r, i, x := g.fresh(), value{g.fresh(), "n"}, value{g.fresh(), buffer}
	g.line("%s = scf.for %s = %%c0 to %s step %%c1 iter_args(%s = %s) -> (%s) {", r, i.name, upper, x.name, start, buffer)
	g.inner([]value{i, x}, g.yield)
	g.line("}")
	g.result(r)
}

func (g *freeGen) call() {
	a, b, c := g.buffer(), g.buffer(), g.truth()
	switch g.choose(6) {
	case 0:
		g.line("func.call @free(%s) : (%s) -> ()", a, buffer)
	case 1:
		g.line("func.call @freeIf(%s, %s) : (%s, i1) -> ()", a, c, buffer)
	case 2:
		g.line("%s = func.call @make() : () -> %s", g.add("own"), buffer)
	case 3:
		g.line("%s = func.call @same(%s) : (%s) -> %s", g.add(buffer), a, buffer, buffer)
	case 4:
		g.line("%s = func.call @either(%s, %s, %s) : (%s, %s, i1) -> %s", g.add(buffer), a, b, c, buffer, buffer, buffer)
	case 5:
		g.line("func.call @down(%s, %s, %s) : (%s, index, i1) -> ()", a, pick(&g.writer, g.scope.of("n")), c, buffer)
	}
}

// launder sends an address through memory.
func (g *freeGen) launder() {
	as := g.scope.of("address")
	if len(as) == 0 {
		return
	}
	m, a := g.fresh(), pick(&g.writer, as)
	at := pick(&g.writer, []string{"%c0", "%c1"})
	g.line("%s = memref.alloc() : %s", m, words)
	g.line("memref.store %%c0, %s[%%c0] : %s", m, words)
	g.line("memref.store %%c0, %s[%%c1] : %s", m, words)
	g.line("memref.store %s, %s[%s] : %s", a, m, at, words)
	g.line("%s = memref.load %s[%s] : %s", g.add("address"), m, pick(&g.writer, []string{"%c0", "%c1"}), words)
	g.line("memref.dealloc %s : %s", m, words)
}
