package irgen

// arenaGen writes functions that share an arena among parts, or think that they do.
type arenaGen struct {
	writer
	scope *scope
	kind  string // where the arena comes from
	depth int
	calls bool // whether something is brought
}

const (
	arena     = "memref<48xi8>"
	arenaPart = "memref<4xi32>"
	brought   = "memref<16xi8>"
)

// Arenas returns a module with a function @main(i1, i1, index), of which numbers up to two are all there is to try, that has
// parts of an arena: at any offset, in branches and loops, as arguments of functions, chosen from several. They may
// overlap while they are alive. The arena itself is allocated, global or brought, and now and then used otherwise. Only
// what was written is read, unless it was written over.
func Arenas(choose Chooser, size int) string {
	g := &arenaGen{writer: writer{choose: choose}, kind: pick(&writer{choose: choose}, []string{"alloc", "alloc", "global", "argument"})}
	args := []value{{g.fresh(), "i1"}, {g.fresh(), "i1"}, {g.fresh(), "n"}}
	g.scope = &scope{values: args}
	if g.kind == "global" {
		g.line(`memref.global "private" @arena : %s = uninitialized {freehold.arena}`, arena)
	}
	name := "@main"
	if g.kind == "argument" {
		name = "private @work"
	}
	g.line("func.func %s(%s: i1, %s: i1, %s: index%s) {", name, args[0].name, args[1].name, args[2].name, map[bool]string{true: ", %m: " + arena + " {freehold.arena}"}[g.kind == "argument"])
	g.indent++
	g.constants()
	switch g.kind {
	case "alloc":
		g.line("%%m = memref.alloc() {freehold.arena} : %s", arena)
	case "global":
		g.line("%%m = memref.get_global @arena : %s", arena)
	}
	g.line("%%out = memref.alloc() : %s", arenaPart)
	g.line("linalg.fill ins(%%x : i32) outs(%%out : %s)", arenaPart)
	g.part()
	for range 2 + choose(size) {
		g.statement()
	}
	g.line("memref.dealloc %%out : %s", arenaPart)
	if g.kind == "alloc" {
		g.line("memref.dealloc %%m : %s", arena)
	}
	g.line("return")
	g.indent--
	g.line("}")
	if g.kind == "argument" {
		g.line("func.func @main(%%a: i1, %%b: i1, %%n: index) {")
		g.line("  %%m = memref.alloc() : %s", arena)
		g.line("  func.call @work(%%a, %%b, %%n, %%m) : (i1, i1, index, %s) -> ()", arena)
		g.line("  memref.dealloc %%m : %s", arena)
		g.line("  return")
		g.line("}")
	}
	if g.calls {
		g.line("func.func private @needs(%%in: %s, %%m: %s {freehold.arena}, %%out: %s) {", arenaPart, brought, arenaPart)
		g.line("  %%c0 = arith.constant 0 : index")
		g.line("  %%v = memref.view %%m[%%c0][] : %s to %s", brought, arenaPart)
		g.line("  memref.copy %%in, %%v : %s to %s", arenaPart, arenaPart)
		g.line("  memref.copy %%v, %%out : %s to %s", arenaPart, arenaPart)
		g.line("  return")
		g.line("}")
		g.line("func.func private @reads(%%in: %s, %%out: %s) {", arenaPart, arenaPart)
		g.line("  memref.copy %%in, %%out : %s to %s", arenaPart, arenaPart)
		g.line("  return")
		g.line("}")
	}
	return g.text.String()
}

func (g *arenaGen) constants() {
	for _, k := range []string{"0", "1", "2", "8", "16", "32"} {
		g.line("%%c%s = arith.constant %s : index", k, k)
	}
	g.line("%%x = arith.constant 7 : i32")
}

func (g *arenaGen) add(typ string) string {
	v := value{g.fresh(), typ}
	g.scope.values = append(g.scope.values, v)
	return v.name
}

func (g *arenaGen) offset() string {
	return pick(&g.writer, []string{"%c0", "%c0", "%c16", "%c16", "%c32", "%c32", "%c8"})
}

// part makes a part, and writes it.
func (g *arenaGen) part() {
	at := g.offset()
	if g.choose(40) == 0 {
		at = pick(&g.writer, g.scope.of("n"))
	}
	source := "%m"
	if g.choose(40) == 0 {
		source = g.fresh()
		switch g.choose(3) {
		case 0:
			g.line("%s = arith.select %s, %%m, %%m : %s", source, pick(&g.writer, g.scope.of("i1")), arena)
		case 1:
			g.line("%s = scf.if %s -> %s {", source, pick(&g.writer, g.scope.of("i1")), arena)
			g.line("  scf.yield %%m : %s", arena)
			g.line("} else {")
			g.line("  scf.yield %%m : %s", arena)
			g.line("}")
		default:
			g.line("%s = memref.subview %%m[0] [48] [1] : %s to %s", source, arena, arena)
		}
	}
	written := pick(&g.writer, append(g.scope.of("part"), "%out"))
	p := g.add("part")
	g.line("%s = memref.view %s[%s][] : %s to %s", p, source, at, arena, arenaPart)
	if g.choose(3) == 0 {
		g.line("memref.copy %s, %s : %s to %s", written, p, arenaPart, arenaPart)
	} else {
		g.line("linalg.fill ins(%%x : i32) outs(%s : %s)", p, arenaPart)
	}
}

func (g *arenaGen) statement() {
	parts := g.scope.of("part")
	p, q := pick(&g.writer, parts), pick(&g.writer, parts)
	switch k := g.choose(14); {
	case k < 4:
		g.part()
	case k < 6:
		g.line("memref.copy %s, %%out : %s to %s", p, arenaPart, arenaPart)
	case k == 6:
		v := g.fresh()
		i := pick(&g.writer, append(g.scope.of("n"), "%c0", "%c1", "%c2"))
		g.line("%s = memref.load %s[%s] : %s", v, p, i, arenaPart)
		g.line("memref.store %s, %s[%s] : %s", v, pick(&g.writer, []string{q, "%out"}), pick(&g.writer, []string{"%c0", i}), arenaPart)
	case k == 7:
		g.line("linalg.add ins(%s, %s : %s, %s) outs(%%out : %s)", p, q, arenaPart, arenaPart, arenaPart)
	case k == 8:
		g.line("linalg.add ins(%%out, %s : %s, %s) outs(%s : %s)", q, arenaPart, arenaPart, p, arenaPart)
	case k == 9:
		g.calls = true
		b := g.fresh()
		g.line("%s = memref.view %%m[%s][] : %s to %s", b, g.offset(), arena, brought)
		g.line("func.call @needs(%s, %s, %%out) : (%s, %s, %s) -> ()", p, b, arenaPart, brought, arenaPart)
	case k == 10:
		g.calls = true
		g.line("func.call @reads(%s, %s) : (%s, %s) -> ()", p, pick(&g.writer, []string{"%out", "%out", q}), arenaPart, arenaPart)
	case k == 11 && g.depth < 2:
		r := g.fresh()
		g.line("%s = scf.if %s -> %s {", r, pick(&g.writer, g.scope.of("i1")), arenaPart)
		g.inner(nil)
		g.line("} else {")
		g.inner(nil)
		g.line("}")
		g.scope.values = append(g.scope.values, value{r, "part"})
	case k == 12 && g.depth < 2:
		r, i, x := g.fresh(), value{g.fresh(), "n"}, value{g.fresh(), "part"}
		g.line("%s = scf.for %s = %%c0 to %s step %%c1 iter_args(%s = %s) -> (%s) {", r, i.name, pick(&g.writer, append(g.scope.of("n"), "%c2")), x.name, p, arenaPart)
		g.inner([]value{i, x})
		g.line("}")
		g.scope.values = append(g.scope.values, value{r, "part"})
	default:
		v := g.fresh()
		g.line("%s = memref.cast %s : %s to memref<?xi32>", v, p, arenaPart)
		g.line("memref.copy %s, %%out : memref<?xi32> to %s", v, arenaPart)
	}
}

// inner writes statements in a region, and yields a part.
func (g *arenaGen) inner(start []value) {
	g.scope = &scope{values: start, outer: g.scope}
	g.indent++
	g.depth++
	for range 1 + g.choose(3) {
		g.statement()
	}
	g.line("scf.yield %s : %s", pick(&g.writer, g.scope.of("part")), arenaPart)
	g.depth--
	g.indent--
	g.scope = g.scope.outer
}
