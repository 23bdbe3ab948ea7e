package irgen

// recursion writes functions that call themselves or each other, with rules about who owns what that they keep to, mostly:
// each argument belongs to the caller, or to the function, or to it just if its last argument holds; what is returned
// belongs to the caller, or just if the boolean beside it holds. They are called @r0, @r1, ....
func (g *freeGen) recursion() {
	n := 1 + g.choose(2)
	type rules struct {
		args [2]int // who owns them: the caller, the function, or that is told
		told bool   // whether a boolean tells who owns the result
	}
	of := make([]rules, n)
	for i := range of {
		of[i] = rules{[2]int{g.choose(3), g.choose(3)}, g.flip()}
	}
	g.recursive = n
	mostly := func() bool { return g.choose(14) > 0 }
	for i, f := range of {
		next := (i + 1) % n
		g.line("func.func private @r%d(%%n: index, %%a: %s, %%b: %s, %%c: i1) -> (%s, i1) {", i, buffer, buffer, buffer)
		g.line("  %%c0 = arith.constant 0 : index")
		g.line("  %%c1 = arith.constant 1 : index")
		g.line("  %%true = arith.constant true")
		g.line("  %%false = arith.constant false")
		g.line("  %%x = arith.constant 7 : i32")
		g.line("  %%e = arith.cmpi eq, %%n, %%c0 : index")
		// end frees what the function owns, but for what is kept.
		end := func(kept string) {
			for k, arg := range []string{"%a", "%b"} {
				switch {
				case arg == kept || !mostly():
				case f.args[k] == 1:
					g.line("    memref.dealloc %s : %s", arg, buffer)
				case f.args[k] == 2:
					g.line("    scf.if %%c {")
					g.line("      memref.dealloc %s : %s", arg, buffer)
					g.line("    }")
				}
			}
		}
		g.line("  %%r:2 = scf.if %%e -> (%s, i1) {", buffer)
		switch kind := g.choose(3); {
		case kind == 0 && f.told && f.args[0] == 0:
			end("%a")
			g.line("    scf.yield %%a, %s : %s, i1", pick(&g.writer, []string{"%false", "%false", "%c"}), buffer)
		case kind == 1 && f.args[1] == 1:
			end("%b")
			g.line("    scf.yield %%b, %%true : %s, i1", buffer)
		default:
			g.line("    %%new = bufferization.clone %s : %s to %s", pick(&g.writer, []string{"%a", "%b"}), buffer, buffer)
			end("")
			g.line("    scf.yield %%new, %s : %s, i1", pick(&g.writer, []string{"%true", "%true", "%true", "%c"}), buffer)
		}
		g.line("  } else {")
		g.line("    %%k = arith.subi %%n, %%c1 : index")
		// What the callee gets to own is new, or an argument that this function owns.
		var pass [2]string
		kept := ""
		tell := pick(&g.writer, []string{"%true", "%false", "%c"})
		for k := range pass {
			pass[k] = pick(&g.writer, []string{"%a", "%b"})
			own := of[next].args[k] == 1 || of[next].args[k] == 2 && tell != "%false"
			if kept == "" && own && f.args[k] == of[next].args[k] && (f.args[k] == 1 || tell == "%c") && g.flip() {
				pass[k] = []string{"%a", "%b"}[k]
				kept = pass[k]
			} else if own && mostly() {
				name := g.fresh()
				g.line("    %s = bufferization.clone %s : %s to %s", name, pass[k], buffer, buffer)
				if of[next].args[k] == 2 && tell == "%c" && mostly() {
					g.line("    %%d%d = arith.xori %%c, %%true : i1", k)
					g.line("    scf.if %%d%d {", k)
					g.line("      memref.dealloc %s : %s", name, buffer)
					g.line("    }")
					other := g.fresh()
					g.line("    %s = arith.select %%c, %s, %s : %s", other, name, pass[k], buffer)
					name = other
				}
				pass[k] = name
			} else if kept != "" && pass[k] == kept {
				pass[k] = map[string]string{"%a": "%b", "%b": "%a"}[kept]
			}
		}
		g.line("    %%s:2 = func.call @r%d(%%k, %s, %s, %s) : (index, %s, %s, i1) -> (%s, i1)", next, pass[0], pass[1], tell, buffer, buffer, buffer)
		if g.choose(3) == 0 {
			g.line("    memref.store %%x, %%s#0[%%c1] : %s", buffer)
		}
		if of[next].told {
			// What may be an argument is copied, so that the arguments can be freed.
			g.line("    %%new = bufferization.clone %%s#0 : %s to %s", buffer, buffer)
			if mostly() {
				g.line("    scf.if %%s#1 {")
				g.line("      memref.dealloc %%s#0 : %s", buffer)
				g.line("    }")
			}
			end(kept)
			g.line("    scf.yield %%new, %%true : %s, i1", buffer)
		} else {
			end(kept)
			g.line("    scf.yield %%s#0, %%true : %s, i1", buffer)
		}
		g.line("  }")
		g.line("  return %%r#0, %%r#1 : %s, i1", buffer)
		g.line("}")
	}
	g.owns = of[0].args
	g.tells = of[0].told
}

// recurse calls the functions that call themselves.
func (g *freeGen) recurse() {
	var pass [2]string
	c := g.truth()
	for k := range pass {
		pass[k] = g.buffer()
		if g.owns[k] > 0 && g.choose(14) > 0 {
			name := g.fresh()
			g.line("%s = bufferization.clone %s : %s to %s", name, pass[k], buffer, buffer)
			if pass[k] = name; g.owns[k] == 2 {
				c = "%true"
			}
		}
	}
	r := g.fresh()
	g.line("%s:2 = func.call @r0(%s, %s, %s, %s) : (index, %s, %s, i1) -> (%s, i1)", r, g.number(), pass[0], pass[1], c, buffer, buffer, buffer)
	switch {
	case g.choose(14) == 0:
		g.scope.values = append(g.scope.values, value{r + "#0", buffer}, value{r + "#1", "i1"})
	case g.tells:
		g.line("scf.if %s#1 {", r)
		g.line("  memref.dealloc %s#0 : %s", r, buffer)
		g.line("}")
	default:
		g.line("memref.dealloc %s#0 : %s", r, buffer)
	}
}
