package irgen

import "strings"

// bufferGen writes functions on memrefs that allocate and never free.
type bufferGen struct {
	writer
	scope  *scope
	depth  int
	budget int
	knobs  BufferKnobs
}

// BufferKnobs choose what programs of [Buffers] have.
type BufferKnobs struct {
	// Size is about how many operations there are.
	Size int
	// Loops adds loops of blocks, with one entry or two, and Switches adds terminators
	// with many successors.
	Loops, Switches bool
}

const buffer = "memref<4xi32>"

// Buffers returns a module with a function @main on buffers, with branches, loops
// and calls, that allocates and never frees. A buffer is written only when it is
// new: deallocation may replace a buffer that leaves a function by a clone.
func Buffers(choose Chooser, knobs BufferKnobs) string {
	g := &bufferGen{writer: writer{choose: choose}, knobs: knobs}
	g.line("func.func private @choose(%%c: i1, %%a: %s, %%b: %s) -> %s {", buffer, buffer, buffer)
	g.line("  %%r = arith.select %%c, %%a, %%b : %s", buffer)
	g.line("  return %%r : %s", buffer)
	g.line("}")
	g.line("func.func private @new(%%a: %s) -> (%s, %s) {", buffer, buffer, buffer)
	g.line("  %%r = memref.alloc() : %s", buffer)
	g.line("  memref.copy %%a, %%r : %s to %s", buffer, buffer)
	g.line("  return %%r, %%a : %s, %s", buffer, buffer)
	g.line("}")
	g.line("func.func private @twice(%%a: %s) -> (%s, %s) {", buffer, buffer, buffer)
	g.line("  %%r = memref.alloc() : %s", buffer)
	g.line("  memref.copy %%a, %%r : %s to %s", buffer, buffer)
	g.line("  return %%r, %%r : %s, %s", buffer, buffer)
	g.line("}")
	g.budget = knobs.Size
	g.scope, g.depth = &scope{}, 1
	args := []value{{g.fresh(), buffer}, {g.fresh(), buffer}, {g.fresh(), "i1"}, {g.fresh(), "i1"}}
	g.scope.values = append(g.scope.values, args...)
	results := 1 + choose(3)
	g.line("func.func @main(%s) -> (%s) {", params(args), strings.Join(repeat(buffer, results), ", "))
	g.indent++
	g.line("%%c0 = arith.constant 0 : index")
	g.line("%%c1 = arith.constant 1 : index")
	g.line("%%c3 = arith.constant 3 : index")
	g.statements(2 + choose(6))
	for i := range choose(4) {
		g.blocks(i)
		g.statements(choose(3))
	}
	ret := g.buffers(results)
	g.line("return %s : %s", namesOf(ret), typesOf(ret))
	g.indent--
	g.line("}")
	return g.text.String()
}

func repeat(s string, n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

func (g *bufferGen) open()  { g.scope = &scope{outer: g.scope}; g.indent++; g.depth++ }
func (g *bufferGen) close() { g.scope = g.scope.outer; g.indent--; g.depth-- }

func (g *bufferGen) define(name string) {
	g.scope.values = append(g.scope.values, value{name, buffer})
}

func (g *bufferGen) buffer() value {
	old := g.scope.of(buffer)
	return value{old[len(old)-1-g.choose(len(old))], buffer}
}

func (g *bufferGen) buffers(n int) []value {
	out := make([]value, n)
	for i := range out {
		out[i] = g.buffer()
	}
	return out
}

func (g *bufferGen) bool() string { return pick(&g.writer, g.scope.of("i1")) }

func (g *bufferGen) statements(n int) {
	for range n {
		if g.budget <= 0 {
			return
		}
		g.budget--
		if g.depth < 4 && g.choose(3) == 2 {
			pick(&g.writer, []func(){g.ifOp, g.forOp, g.whileOp, g.switchOp, g.call})()
		} else {
			pick(&g.writer, []func(){g.alloc, g.copyBuffer, g.selectBuffer, g.view, g.add})()
		}
	}
}

// alloc makes a buffer with contents.
func (g *bufferGen) alloc() {
	v, x := g.fresh(), g.fresh()
	g.line("%s = memref.alloc() : %s", v, buffer)
	g.line("%s = arith.constant %d : i32", x, g.choose(10))
	g.line("linalg.fill ins(%s : i32) outs(%s : %s)", x, v, buffer)
	g.define(v)
}

func (g *bufferGen) copyBuffer() {
	from, v := g.buffer(), g.fresh()
	g.line("%s = memref.alloc() : %s", v, buffer)
	g.line("memref.copy %s, %s : %s to %s", from.name, v, buffer, buffer)
	g.define(v)
}

func (g *bufferGen) add() {
	a, b, v := g.buffer(), g.buffer(), g.fresh()
	g.line("%s = memref.alloc() : %s", v, buffer)
	g.line("linalg.add ins(%s, %s : %s, %s) outs(%s : %s)", a.name, b.name, buffer, buffer, v, buffer)
	g.define(v)
}

func (g *bufferGen) selectBuffer() {
	c, a, b := g.bool(), g.buffer(), g.buffer()
	v := g.fresh()
	g.line("%s = arith.select %s, %s, %s : %s", v, c, a.name, b.name, buffer)
	g.define(v)
}

// view makes another name of a buffer.
func (g *bufferGen) view() {
	from := g.buffer()
	d, v := g.fresh(), g.fresh()
	g.line("%s = memref.cast %s : %s to memref<?xi32>", d, from.name, buffer)
	g.line("%s = memref.cast %s : memref<?xi32> to %s", v, d, buffer)
	g.define(v)
}

// region writes the body of an operation that yields n buffers.
func (g *bufferGen) region(n int, args ...value) {
	g.open()
	g.scope.values = append(g.scope.values, args...)
	g.statements(1 + g.choose(3))
	g.yield(n)
	g.close()
}

func (g *bufferGen) yield(n int) {
	if n > 0 {
		vs := g.buffers(n)
		g.line("scf.yield %s : %s", namesOf(vs), typesOf(vs))
	}
}

func (g *bufferGen) defineAll(names []string) {
	for _, n := range names {
		g.define(n)
	}
}

func types(n int) string { return strings.Join(repeat(buffer, n), ", ") }

func (g *bufferGen) ifOp() {
	n, c := 1+g.choose(2), g.bool()
	def, names := g.freshN(n)
	g.line("%s = scf.if %s -> (%s) {", def, c, types(n))
	g.region(n)
	g.line("} else {")
	g.region(n)
	g.line("}")
	g.defineAll(names)
}

func (g *bufferGen) switchOp() {
	n := 1 + g.choose(2)
	def, names := g.freshN(n)
	g.line("%s = scf.index_switch %s -> %s", def, pick(&g.writer, []string{"%c0", "%c1", "%c3"}), types(n))
	g.line("case 1 {")
	g.region(n)
	g.line("}")
	g.line("default {")
	g.region(n)
	g.line("}")
	g.defineAll(names)
}

func (g *bufferGen) forOp() {
	inits := g.buffers(1 + g.choose(2))
	n := len(inits)
	args := make([]value, n)
	for i := range args {
		args[i] = value{g.fresh(), buffer}
	}
	iv := g.fresh()
	def, names := g.freshN(n)
	g.line("%s = scf.for %s = %%c0 to %%c3 step %%c1 iter_args(%s) -> (%s) {", def, iv, pairs(args, inits), types(n))
	g.region(n, args...)
	g.line("}")
	g.defineAll(names)
}

func (g *bufferGen) whileOp() {
	init := g.buffer()
	count, before, cond := g.fresh(), value{g.fresh(), buffer}, g.fresh()
	after, next, body := g.fresh(), g.fresh(), value{g.fresh(), buffer}
	def, names := g.freshN(2)
	g.line("%s = scf.while (%s = %%c0, %s = %s) : (index, %s) -> (index, %s) {", def, count, before.name, init.name, buffer, buffer)
	g.open()
	g.scope.values = append(g.scope.values, before)
	g.line("%s = arith.cmpi slt, %s, %%c3 : index", cond, count)
	g.statements(g.choose(3))
	g.line("scf.condition(%s) %s, %s : index, %s", cond, count, g.buffer().name, buffer)
	g.close()
	g.line("} do {")
	g.line("^bb0(%s: index, %s: %s):", after, body.name, buffer)
	g.open()
	g.scope.values = append(g.scope.values, body)
	g.statements(g.choose(3))
	g.line("%s = arith.addi %s, %%c1 : index", next, after)
	g.line("scf.yield %s, %s : index, %s", next, g.buffer().name, buffer)
	g.close()
	g.line("}")
	g.define(names[1])
}

func (g *bufferGen) call() {
	c, a, b := g.bool(), g.buffer(), g.buffer()
	if g.flip() {
		def, names := g.freshN(2)
		callee := []string{"new", "twice"}[g.choose(2)]
		g.line("%s = func.call @%s(%s) : (%s) -> (%s, %s)", def, callee, a.name, buffer, buffer, buffer)
		g.defineAll(names)
		return
	}
	v := g.fresh()
	g.line("%s = func.call @choose(%s, %s, %s) : (i1, %s, %s) -> %s", v, c, a.name, b.name, buffer, buffer, buffer)
	g.define(v)
}

// blocks writes control flow between blocks that ends where it was, with a new
// buffer.
func (g *bufferGen) blocks(i int) {
	kinds := []func(name func(string) string){g.diamond}
	if g.knobs.Switches {
		kinds = append(kinds, g.switchBlocks)
	}
	if g.knobs.Loops {
		kinds = append(kinds, g.loop, g.irreducible)
	}
	kinds[g.choose(len(kinds))](func(s string) string { return "^" + s + string(rune('0'+i)) })
}

// diamond writes two blocks that join, and go on there with a buffer each passes.
func (g *bufferGen) diamond(name func(string) string) {
	c := g.bool()
	arg := value{g.fresh(), buffer}
	if g.flip() { // a triangle
		v := g.buffer()
		g.line("cf.cond_br %s, %s, %s(%s : %s)", c, name("left"), name("join"), v.name, buffer)
	} else {
		g.line("cf.cond_br %s, %s, %s", c, name("left"), name("right"))
		g.side(name("right"), name("join"))
	}
	g.side(name("left"), name("join"))
	g.line("%s(%s: %s):", name("join"), arg.name, buffer)
	g.define(arg.name)
}

func (g *bufferGen) side(name, join string) {
	g.line("%s:", name)
	g.open()
	g.statements(g.choose(3))
	g.line("cf.br %s(%s : %s)", join, g.buffer().name, buffer)
	g.close()
}

// switchBlocks writes a switch to blocks that join; some cases go there directly.
func (g *bufferGen) switchBlocks(name func(string) string) {
	flag, n := g.fresh(), 1+g.choose(4)
	g.line("%s = arith.extui %s : i1 to i32", flag, g.bool())
	g.line("cf.switch %s : i32, [", flag)
	var sides []string
	for k := range n {
		label := "default"
		if k > 0 {
			label = string(rune('0' + k))
		}
		end := ","
		if k == n-1 {
			end = ""
		}
		if g.flip() {
			g.line("  %s: %s(%s : %s)%s", label, name("join"), g.buffer().name, buffer, end)
			continue
		}
		side := name("case" + string(rune('a'+k)))
		sides = append(sides, side)
		g.line("  %s: %s%s", label, side, end)
	}
	g.line("]")
	for _, s := range sides {
		g.side(s, name("join"))
	}
	arg := g.fresh()
	g.line("%s(%s: %s):", name("join"), arg, buffer)
	g.define(arg)
}

// loop writes a loop of blocks with one entry.
func (g *bufferGen) loop(name func(string) string) {
	i, next, again, p := g.fresh(), g.fresh(), g.fresh(), g.fresh()
	g.line("cf.br %s(%%c0, %s : index, %s)", name("head"), g.buffer().name, buffer)
	g.line("%s(%s: index, %s: %s):", name("head"), i, p, buffer)
	g.define(p)
	g.statements(g.choose(2))
	g.line("%s = arith.cmpi slt, %s, %%c3 : index", again, i)
	exit := g.fresh()
	g.line("cf.cond_br %s, %s, %s(%s : %s)", again, name("body"), name("exit"), g.buffer().name, buffer)
	g.line("%s:", name("body"))
	g.open()
	g.statements(g.choose(4))
	g.line("%s = arith.addi %s, %%c1 : index", next, i)
	g.line("cf.br %s(%s, %s : index, %s)", name("head"), next, g.buffer().name, buffer)
	g.close()
	g.line("%s(%s: %s):", name("exit"), exit, buffer)
	g.define(exit)
}

// irreducible writes a loop of two blocks, each of which is an entry.
func (g *bufferGen) irreducible(name func(string) string) {
	g.line("cf.cond_br %s, %s(%%c0, %s : index, %s), %s(%%c1, %s : index, %s)", g.bool(),
		name("even"), g.buffer().name, buffer, name("odd"), g.buffer().name, buffer)
	half := func(from, to string) {
		i, next, again, p := g.fresh(), g.fresh(), g.fresh(), g.fresh()
		g.line("%s(%s: index, %s: %s):", name(from), i, p, buffer)
		g.open()
		g.define(p)
		g.statements(g.choose(3))
		g.line("%s = arith.addi %s, %%c1 : index", next, i)
		g.line("%s = arith.cmpi slt, %s, %%c3 : index", again, i)
		g.line("cf.cond_br %s, %s(%s, %s : index, %s), %s(%s : %s)", again, name(to), next, g.buffer().name, buffer, name("exit"), g.buffer().name, buffer)
		g.close()
	}
	half("even", "odd")
	half("odd", "even")
	exit := g.fresh()
	g.line("%s(%s: %s):", name("exit"), exit, buffer)
	g.define(exit)
}
