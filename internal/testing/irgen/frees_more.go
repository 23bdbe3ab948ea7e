package irgen

import "strings"

const (
	part  = "memref<2xi32, strided<[1], offset: 1>>"
	flags = "memref<2xi1>"
	owner = "!deallocation.ownership"
)

// moreFreeing are functions that the programs of [Frees] call, beside the simplest ones: whose results say about each
// other who owns them, which return parts and flags, and which call themselves.
var moreFreeing = []string{
	`@maybe(%m: memref<4xi32>, %c: i1) -> (memref<4xi32>, i1) {
  %new = memref.alloc() : memref<4xi32>
  memref.copy %m, %new : memref<4xi32> to memref<4xi32>
  %true = arith.constant true
  %d = arith.xori %c, %true : i1
  scf.if %d {
    memref.dealloc %new : memref<4xi32>
  }
  %r = arith.select %c, %new, %m : memref<4xi32>
  return %r, %c : memref<4xi32>, i1
}`,
	`@two(%m: memref<4xi32>) -> (memref<4xi32>, memref<4xi32>) {
  %new = bufferization.clone %m : memref<4xi32> to memref<4xi32>
  return %new, %m : memref<4xi32>, memref<4xi32>
}`,
	`@rest(%m: memref<4xi32>) -> memref<2xi32, strided<[1], offset: 1>> {
  %v = memref.subview %m[1] [2] [1] : memref<4xi32> to memref<2xi32, strided<[1], offset: 1>>
  return %v : memref<2xi32, strided<[1], offset: 1>>
}`,
	`@set(%f: memref<2xi1>, %i: index, %c: i1) {
  memref.store %c, %f[%i] : memref<2xi1>
  return
}`,
	`@fill(%f: memref<2xi1>, %from: index, %c: i1) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  scf.for %i = %from to %c2 step %c1 {
    memref.store %c, %f[%i] : memref<2xi1>
  }
  return
}`,
	`@owned(%m: memref<4xi32>, %c: i1) -> (memref<4xi32>, !deallocation.ownership) {
  %new = bufferization.clone %m : memref<4xi32> to memref<4xi32>
  %o = deallocation.own %new : memref<4xi32>
  %r = arith.select %c, %new, %m : memref<4xi32>
  %k = deallocation.retain (%r) of (%o) : (memref<4xi32>, !deallocation.ownership) -> !deallocation.ownership
  return %r, %k : memref<4xi32>, !deallocation.ownership
}`,
	`@end(%o: !deallocation.ownership) {
  deallocation.retain () of (%o) : (!deallocation.ownership) -> ()
  return
}`,
	`@odd(%n: index) -> i1 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = arith.cmpi eq, %n, %c0 : index
  %r = scf.if %e -> i1 {
    %false = arith.constant false
    scf.yield %false : i1
  } else {
    %k = arith.subi %n, %c1 : index
    %o = func.call @odd(%k) : (index) -> i1
    %true = arith.constant true
    %d = arith.xori %o, %true : i1
    scf.yield %d : i1
  }
  return %r : i1
}`,
	`@turn(%a: memref<4xi32>, %b: memref<4xi32>, %n: index, %c: i1) -> (memref<4xi32>, i1) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %false = arith.constant false
  %e = arith.cmpi eq, %n, %c0 : index
  cf.cond_br %e, ^end(%a, %false : memref<4xi32>, i1), ^more
^more:
  %k = arith.subi %n, %c1 : index
  %new = func.call @back(%a, %b, %k, %c) : (memref<4xi32>, memref<4xi32>, index, i1) -> memref<4xi32>
  %true = arith.constant true
  cf.br ^end(%new, %true : memref<4xi32>, i1)
^end(%r: memref<4xi32>, %o: i1):
  return %r, %o : memref<4xi32>, i1
}`,
	`@back(%a: memref<4xi32>, %b: memref<4xi32>, %n: index, %c: i1) -> memref<4xi32> {
  %m, %o = func.call @turn(%b, %a, %n, %c) : (memref<4xi32>, memref<4xi32>, index, i1) -> (memref<4xi32>, i1)
  %new = bufferization.clone %m : memref<4xi32> to memref<4xi32>
  scf.if %o {
    memref.dealloc %m : memref<4xi32>
  }
  return %new : memref<4xi32>
}`,
	`@eat(%m: memref<4xi32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %e = arith.cmpi eq, %n, %c0 : index
  scf.if %e {
    memref.dealloc %m : memref<4xi32>
  } else {
    %k = arith.subi %n, %c1 : index
    %new = bufferization.clone %m : memref<4xi32> to memref<4xi32>
    func.call @eat(%new, %k) : (memref<4xi32>, index) -> ()
    memref.dealloc %m : memref<4xi32>
  }
  return
}`,
}

// callees writes those of the functions that are called.
func (g *freeGen) callees() {
	written := map[int]bool{}
	for again := true; again; {
		again = false
		for i, f := range moreFreeing {
			name, _, _ := strings.Cut(f, "(")
			if !written[i] && strings.Contains(g.text.String(), "call "+name+"(") {
				g.line("func.func private %s", f)
				written[i], again = true, true
			}
		}
	}
}

// more writes a statement of a kind that is rarer.
func (g *freeGen) more() {
	switch g.choose(27) {
	case 25, 26:
		g.again()
	case 19, 20:
		g.pairs()
	case 21, 22:
		g.many()
	case 23:
		g.disguise()
	case 24:
		g.elementwise()
	case 0, 1, 2:
		g.compare()
	case 16, 17:
		g.twins()
	case 3:
		g.cases()
	case 4:
		g.while()
	case 5, 6:
		g.blocks()
	case 7:
		if g.flip() {
			g.grid()
		} else {
			g.flags()
		}
	case 8:
		m := g.buffer()
		g.line("%s = memref.realloc %s : %s to %s", g.add("own"), m, buffer, buffer)
	case 9:
		m := g.buffer()
		g.line("%s = bufferization.clone %s : %s to %s", g.add("own"), m, buffer, buffer)
	case 10:
		g.parts()
	case 11:
		if g.depth <= 2 {
			r := g.fresh()
			g.line("%s = memref.alloca_scope -> %s {", r, buffer)
			g.inner(nil, func(result string) { g.line("memref.alloca_scope.return %s : %s", result, buffer) })
			g.line("}")
			g.result(r)
		}
	case 12:
		g.parallel()
	case 13, 14:
		g.owners()
	case 15:
		g.callMore()
	default:
		g.line("memref.copy %s, %s : %s to %s", g.buffer(), g.buffer(), buffer, buffer)
	}
}

// result adds the result of an operation with regions, which may have to be freed.
func (g *freeGen) result(name string) {
	g.scope.values = append(g.scope.values, value{name, pick(&g.writer, []string{buffer, "own"})})
}

// number returns a number that is at most two.
func (g *freeGen) number() string {
	return pick(&g.writer, append(g.scope.of("n"), "%c0", "%c1", "%c2"))
}

// compare makes a boolean of numbers, or of booleans.
func (g *freeGen) compare() {
	a, b, to := g.truth(), g.truth(), g.fresh()
	p := pick(&g.writer, strings.Fields("eq ne slt sle sgt sge ult ule ugt uge"))
	switch g.choose(6) {
	case 0, 1:
		g.line("%s = arith.cmpi %s, %s, %s : index", to, p, g.number(), g.number())
	case 2:
		g.line("%s = arith.cmpi %s, %s, %s : i1", to, p, a, b)
	case 3:
		g.line("%s = arith.select %s, %s, %s : i1", to, g.truth(), a, b)
	case 4:
		g.line("%s = arith.%s %s, %s : i1", to, pick(&g.writer, strings.Fields("addi subi muli maxui minsi")), a, b)
	default:
		wide, other := g.fresh(), g.fresh()
		g.line("%s = arith.%s %s : i1 to i8", wide, pick(&g.writer, []string{"extui", "extsi"}), a)
		g.line("%s = arith.%s %s : i1 to i8", other, pick(&g.writer, []string{"extui", "extsi"}), b)
		g.line("%s = arith.cmpi %s, %s, %s : i8", to, p, wide, other)
	}
	g.scope.values = append(g.scope.values, value{to, "i1"})
}

// cases chooses a buffer by a number.
func (g *freeGen) cases() {
	if g.depth > 2 {
		return
	}
	r := g.fresh()
	g.line("%s = scf.index_switch %s -> %s", r, g.number(), buffer)
	for _, k := range []string{"case 0", "case 2", "default"}[g.choose(2):] {
		g.line("%s {", k)
		g.inner(nil, g.yield)
		g.line("}")
	}
	g.result(r)
}

// while is a loop that counts to a number, and does something before and after each decision.
func (g *freeGen) while() {
	if g.depth > 2 || g.loops > 2 {
		return
	}
	g.loops++
	upper, start, r, i, j, x, y, c := g.number(), g.buffer(), g.fresh(), g.fresh(), g.fresh(), g.fresh(), g.fresh(), g.fresh()
	g.line("%s:2 = scf.while (%s = %%c0, %s = %s) : (index, %s) -> (index, %s) {", r, i, x, start, buffer, buffer)
	g.inner([]value{{i, "n"}, {x, buffer}}, func(result string) {
		g.line("%s = arith.cmpi ult, %s, %s : index", c, i, upper)
		g.line("scf.condition(%s) %s, %s : index, %s", c, i, result, buffer)
	})
	g.line("} do {")
	g.line("^bb0(%s: index, %s: %s):", j, y, buffer)
	g.inner([]value{{j, "n"}, {y, buffer}}, func(result string) {
		next := g.fresh()
		g.line("%s = arith.addi %s, %%c1 : index", next, j)
		g.line("scf.yield %s, %s : index, %s", next, result, buffer)
	})
	g.line("}")
	g.result(r + "#1")
}

// blocks are a graph of blocks: branches that meet or don't, a switch, or a loop with one or two entries.
func (g *freeGen) blocks() {
	if g.depth > 2 || g.loops > 2 {
		return
	}
	r, x, y, z := g.fresh(), g.fresh(), g.fresh(), g.fresh()
	block := func(name, arg string, more []value, finish func(result string)) {
		g.line("^%s(%s):", name, params(append([]value{{arg, buffer}}, more...)))
		var in []value
		for _, v := range more {
			in = append(in, value{v.name, "n"})
		}
		g.inner(append([]value{{arg, buffer}}, in...), finish)
	}
	g.line("%s = scf.execute_region -> %s {", r, buffer)
	g.indent++
	switch kind := g.choose(4); kind {
	case 0:
		g.line("cf.cond_br %s, ^left(%s : %s), ^right(%s : %s)", g.truth(), g.buffer(), buffer, g.buffer(), buffer)
		block("left", x, nil, func(result string) {
			if g.flip() {
				g.yield(result)
			} else {
				g.line("cf.br ^right(%s : %s)", result, buffer)
			}
		})
		block("right", y, nil, g.yield)
	case 1:
		g.line("cf.switch %s : i1, [default: ^left(%s : %s), %s: ^right(%s : %s)]", g.truth(), g.buffer(), buffer, pick(&g.writer, []string{"0", "1", "-1"}), g.buffer(), buffer)
		block("left", x, nil, func(result string) { g.line("cf.br ^right(%s : %s)", result, buffer) })
		block("right", y, nil, g.yield)
	default:
		g.loops++
		upper, i, j := g.number(), g.fresh(), g.fresh()
		if kind == 2 {
			g.line("cf.br ^left(%s, %%c0 : %s, index)", g.buffer(), buffer)
		} else {
			g.line("cf.cond_br %s, ^left(%s, %%c0 : %s, index), ^right(%s, %%c0 : %s, index)", g.truth(), g.buffer(), buffer, g.buffer(), buffer)
		}
		block("left", x, []value{{i, "index"}}, func(result string) { g.line("cf.br ^right(%s, %s : %s, index)", result, i, buffer) })
		block("right", y, []value{{j, "index"}}, func(result string) {
			next, again := g.fresh(), g.fresh()
			g.line("%s = arith.addi %s, %%c1 : index", next, j)
			g.line("%s = arith.cmpi ult, %s, %s : index", again, next, upper)
			g.line("cf.cond_br %s, ^left(%s, %s : %s, index), ^done(%s : %s)", again, result, next, buffer, result, buffer)
		})
		block("done", z, nil, g.yield)
	}
	g.indent--
	g.line("}")
	g.result(r)
}

// flags sends booleans through memory, which something may write in between.
func (g *freeGen) flags() {
	m, to, view := g.fresh(), g.fresh(), g.fresh()
	g.line("%s = memref.alloc() : %s", m, flags)
	g.line("memref.store %s, %s[%%c0] : %s", g.truth(), m, flags)
	g.line("memref.store %s, %s[%%c1] : %s", g.truth(), m, flags)
	c, at := g.truth(), pick(&g.writer, []string{"%c0", "%c1"})
	switch g.choose(10) {
	case 8:
		g.line("func.call @fill(%s, %s, %s) : (%s, index, i1) -> ()", m, g.number(), c, flags)
	case 0:
		g.line("linalg.fill ins(%s : i1) outs(%s : %s)", c, m, flags)
	case 1:
		g.line("%s = memref.cast %s : %s to memref<?xi1>", view, m, flags)
		g.line("memref.store %s, %s[%s] : memref<?xi1>", c, view, at)
	case 2:
		g.line("%s = memref.subview %s[1] [1] [1] : %s to memref<1xi1, strided<[1], offset: 1>>", view, m, flags)
		g.line("memref.store %s, %s[%%c0] : memref<1xi1, strided<[1], offset: 1>>", c, view)
	case 3:
		g.line("%s = vector.broadcast %s : i1 to vector<2xi1>", view, c)
		g.line("vector.store %s, %s[%%c0] : %s, vector<2xi1>", view, m, flags)
	case 4:
		g.line("func.call @set(%s, %s, %s) : (%s, index, i1) -> ()", m, at, c, flags)
	case 5:
		i := g.fresh()
		g.line("scf.for %s = %%c0 to %s step %%c1 {", i, g.number())
		g.line("  memref.store %s, %s[%s] : %s", c, m, at, flags)
		g.line("}")
	case 6:
		g.line("scf.if %s {", g.truth())
		g.line("  memref.store %s, %s[%s] : %s", c, m, at, flags)
		g.line("}")
	case 7:
		g.line("%s = arith.select %s, %s, %s : %s", view, c, m, m, flags)
		g.line("memref.store %s, %s[%s] : %s", g.truth(), view, at, flags)
	}
	g.line("%s = memref.load %s[%s] : %s", to, m, pick(&g.writer, []string{"%c0", "%c1"}), flags)
	g.line("memref.dealloc %s : %s", m, flags)
	g.scope.values = append(g.scope.values, value{to, "i1"})
}

// grid sends a boolean through memory whose layout may have the same element at several indices,
// and may free a buffer if it comes back.
func (g *freeGen) grid() {
	t := "memref<2x2xi1" + pick(&g.writer, []string{"", ", strided<[1, 1]>", ", strided<[1, 2]>"}) + ">"
	m, to := g.fresh(), g.fresh()
	at := func() string {
		return pick(&g.writer, []string{"%c0, %c1", "%c1, %c0", "%c1, %c1"})
	}
	from, sent := at(), g.truth()
	g.line("%s = memref.alloc() : %s", m, t)
	g.line("memref.store %s, %s[%s] : %s", sent, m, from, t)
	g.line("memref.store %s, %s[%s] : %s", g.truth(), m, at(), t)
	g.line("%s = memref.load %s[%s] : %s", to, m, from, t)
	g.line("memref.dealloc %s : %s", m, t)
	if g.flip() {
		freed := g.fresh()
		g.line("scf.if %s {", sent)
		g.line("  %s = memref.alloc() : %s", freed, buffer)
		g.line("  scf.if %s {", to)
		g.line("    memref.dealloc %s : %s", freed, buffer)
		g.line("  }")
		g.line("}")
	}
	g.scope.values = append(g.scope.values, value{to, "i1"})
}

// parts sees, writes, or frees a part of a buffer.
func (g *freeGen) parts() {
	m, v := g.buffer(), g.fresh()
	if g.flip() {
		g.line("%s = memref.subview %s[1] [2] [1] : %s to %s", v, m, buffer, part)
	} else {
		g.line("%s = func.call @rest(%s) : (%s) -> %s", v, m, buffer, part)
	}
	switch g.choose(5) {
	case 0:
		g.line("memref.dealloc %s : %s", v, part)
	case 1:
		base := g.fresh()
		g.line("%s, %s, %s, %s = memref.extract_strided_metadata %s : %s -> memref<i32>, index, index, index", base, g.fresh(), g.fresh(), g.fresh(), v, part)
		g.line("%s = memref.reinterpret_cast %s to offset: [0], sizes: [4], strides: [1] : memref<i32> to %s", g.add(buffer), base, buffer)
	default:
		g.line("memref.store %%x, %s[%%c0] : %s", v, part)
	}
}

// parallel is a loop whose iterations are independent, or should be.
func (g *freeGen) parallel() {
	if g.depth > 2 || g.loops > 2 {
		return
	}
	g.loops++
	i := g.fresh()
	if g.flip() {
		g.line("scf.parallel (%s) = (%%c0) to (%s) step (%%c1) {", i, g.number())
		g.inner([]value{{i, "n"}}, func(string) { g.line("scf.reduce") })
	} else {
		g.line("scf.forall (%s) in (%s) {", i, g.number())
		g.inner([]value{{i, "n"}}, func(string) {})
	}
	g.line("}")
}

// owners makes, asks and ends owners.
func (g *freeGen) owners() {
	known := g.scope.of("owner")
	if len(known) == 0 || g.choose(4) == 0 {
		if o := g.add("owner"); g.choose(4) > 0 {
			g.line("%s = deallocation.own %s : %s", o, g.buffer(), buffer)
		} else {
			g.line("%s = deallocation.null", o)
		}
		return
	}
	a, b := pick(&g.writer, known), pick(&g.writer, known)
	switch g.choose(7) {
	case 0:
		g.line("%s = deallocation.get_buffer %s : %s", g.add("address"), a, owner)
	case 1:
		g.line("%s = deallocation.get_buffer %s : %s", g.add("address"), g.buffer(), buffer)
	case 2:
		g.line("deallocation.free %s", a)
	case 3:
		g.line("deallocation.retain () of (%s, %s) : (%s, %s) -> ()", a, b, owner, owner)
	case 4:
		g.line("%s = deallocation.retain (%s) of (%s) : (%s, %s) -> %s", g.add("owner"), g.buffer(), a, buffer, owner, owner)
	case 5:
		g.line("%s = arith.select %s, %s, %s : %s", g.add("owner"), g.truth(), a, b, owner)
	default:
		g.line("func.call @end(%s) : (%s) -> ()", a, owner)
	}
}

func (g *freeGen) callMore() {
	a, b, c, r := g.buffer(), g.buffer(), g.truth(), g.fresh()
	two := func(first, second string) {
		g.scope.values = append(g.scope.values, value{r + "#0", first}, value{r + "#1", second})
	}
	switch g.choose(6) {
	case 0:
		g.line("%s:2 = func.call @maybe(%s, %s) : (%s, i1) -> (%s, i1)", r, a, c, buffer, buffer)
		two(buffer, "i1")
	case 1:
		g.line("%s:2 = func.call @two(%s) : (%s) -> (%s, %s)", r, a, buffer, buffer, buffer)
		two("own", buffer)
	case 2:
		g.line("%s:2 = func.call @owned(%s, %s) : (%s, i1) -> (%s, %s)", r, a, c, buffer, buffer, owner)
		two(buffer, "owner")
	case 3:
		g.line("%s = func.call @odd(%s) : (index) -> i1", g.add("i1"), g.number())
	case 4:
		g.line("%s:2 = func.call @turn(%s, %s, %s, %s) : (%s, %s, index, i1) -> (%s, i1)", r, a, b, g.number(), c, buffer, buffer, buffer)
		two(buffer, "i1")
		if g.flip() {
			g.line("scf.if %s#1 {", r)
			g.line("  memref.dealloc %s#0 : %s", r, buffer)
			g.line("}")
		}
	default:
		g.line("func.call @eat(%s, %s) : (%s, index) -> ()", a, g.number(), buffer)
	}
}
