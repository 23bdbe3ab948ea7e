package irgen

// Reserved returns a module as [Frees] does, with little but loops that make memory again and again, and compare addresses.
func Reserved(choose Chooser) string {
	return frees(choose, 0, func(g *freeGen) {
		for range 1 + choose(2) {
			g.again()
		}
	})
}

// again makes memory in each iteration of a loop that ends there: on the stack, in a scope, in a function, or on the heap.
// It compares its address with those of other such memory, of this iteration and of the one before; which of them were
// equal decides on frees. Memory that ended may be where new memory is, and what is empty where other memory is.
func (g *freeGen) again() {
	if g.depth > 1 || g.loops > 2 {
		return
	}
	g.loops++
	m, stack, start := g.fresh(), g.fresh(), g.fresh()
	g.line("%s = memref.alloc() : %s", m, buffer)
	g.line("%s = memref.alloca() : %s", stack, buffer)
	g.line("%s = memref.extract_aligned_pointer_as_index %s : %s -> index", start, stack, buffer)
	upper, r := pick(&g.writer, append(g.scope.of("n"), "%c2")), g.fresh()
	i, before, was := g.fresh(), g.fresh(), g.fresh()
	all := g.flip() // what is carried is whether all were equal, else whether any were
	first := "%true"
	if !all {
		first = g.fresh()
		g.line("%s = arith.xori %%true, %%true : i1", first)
	}
	if g.choose(4) == 0 {
		first = g.truth()
	}
	g.line("%s:2 = scf.for %s = %%c0 to %s step %%c1 iter_args(%s = %s, %s = %s) -> (index, i1) {", r, i, upper, before, start, was, first)
	g.indent++
	now, other := g.reserved(i), g.reserved(i)
	compare := func(p, x, y string) string {
		e := g.fresh()
		g.line("%s = arith.cmpi %s, %s, %s : index", e, p, x, y)
		return e
	}
	join := func(o, x, y string) string {
		e := g.fresh()
		g.line("%s = arith.%s %s, %s : i1", e, o, x, y)
		return e
	}
	at := []string{before, now, other}
	k := g.choose(3)
	e := compare(pick(&g.writer, []string{"eq", "eq", "ne"}), at[k], at[(k+1)%3])
	if k != 1 && g.flip() {
		e = join("ori", e, compare("eq", before, start)) // the first time, there is none before
	}
	if g.flip() {
		c := join("andi", join("xori", e, "%true"), was)
		g.line("func.call @freeIf(%s, %s) : (%s, i1) -> ()", m, c, buffer)
	}
	out := "andi"
	if !all {
		out = "ori"
	}
	g.line("scf.yield %s, %s : index, i1", now, join(out, e, was))
	g.indent--
	g.line("}")
	g.scope.values = append(g.scope.values, value{r + "#0", "address"}, value{r + "#1", "i1"})
	if g.flip() {
		g.line("func.call @freeIf(%s, %s#1) : (%s, i1) -> ()", m, r, buffer)
	} else {
		g.line("memref.dealloc %s : %s", m, buffer)
	}
}

// reserved returns the address of memory that was made, and may have ended: n elements, or four.
func (g *freeGen) reserved(n string) string {
	m, p, typ, size := g.fresh(), g.fresh(), buffer, ""
	if g.flip() {
		typ, size = "memref<?xi32>", n
	}
	take := func(m, p string) {
		g.line("%s = memref.extract_aligned_pointer_as_index %s : %s -> index", p, m, typ)
	}
	switch g.choose(4) {
	case 0:
		g.line("%s = memref.alloca(%s) : %s", m, size, typ)
		take(m, p)
	case 1:
		q := g.fresh()
		g.line("%s = memref.alloca_scope -> index {", p)
		g.indent++
		g.line("%s = memref.alloca(%s) : %s", m, size, typ)
		take(m, q)
		g.line("memref.alloca_scope.return %s : index", q)
		g.indent--
		g.line("}")
	case 2:
		g.line("%s = func.call @reserve(%s) : (index) -> index", p, n)
	default:
		g.line("%s = memref.alloc(%s) : %s", m, size, typ)
		take(m, p)
		g.line("memref.dealloc %s : %s", m, typ)
	}
	return p
}
