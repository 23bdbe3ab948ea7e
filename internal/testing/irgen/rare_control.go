package irgen

import (
	"fmt"
	"strings"
)

// branchPieces are about tensors and buffers in control flow between blocks, and
// functions of all kinds.
func (g *rareGen) branchPieces() []func() {
	return []func(){g.loopOfBlocks, g.loopOfBlocks, g.blocksInRegion, g.returns, g.external, g.recursive, g.indirect, g.emptyBlocks, g.whiles, g.whiles}
}

// callPieces are about functions that call each other.
func (g *rareGen) callPieces() []func() {
	return []func(){g.calls, g.calls, g.nested, g.whiles, g.inlined, g.inlined, g.tensorBlocks, g.tensorBlocks}
}

// kind is a type that is allocated and written.
type kind struct {
	typ    string
	tensor bool
}

func (g *rareGen) kind() kind {
	if g.flip() {
		return kind{"tensor<4xf32>", true}
	}
	return kind{"memref<4xf32>", false}
}

// fresh writes an operation that makes a value of the kind from nothing.
func (g *rareGen) make(k kind) string {
	if k.tensor {
		return g.change(g.let("tensor.empty() : %s", k.typ), k.typ)
	}
	return g.let("memref.alloc() : %s", k.typ)
}

// write changes an element.
func (g *rareGen) write(k kind, v string) string {
	if k.tensor {
		return g.let("tensor.insert %%x into %s[%%i] : %s", v, k.typ)
	}
	g.line("memref.store %%x, %s[%%i] : %s", v, k.typ)
	return v
}

func (g *rareGen) read(k kind, v string) {
	if k.tensor {
		g.let("tensor.extract %s[%%i] : %s", v, k.typ)
	} else {
		g.let("memref.load %s[%%i] : %s", v, k.typ)
	}
}

// step changes a value, reads it, makes another one, or does nothing.
func (g *rareGen) step(k kind, v string) string {
	switch g.choose(4) {
	case 0:
		return g.write(k, v)
	case 1:
		g.read(k, v)
	case 2:
		return g.make(k)
	}
	return v
}

const stepParams = ", %i: index, %x: f32, %c: i1"

// loopOfBlocks writes a loop of blocks that hands values on, or uses those from before
// it.
func (g *rareGen) loopOfBlocks() { g.loopOfBlocksOn(g.kind()) }

func (g *rareGen) tensorBlocks() { g.loopOfBlocksOn(kind{"tensor<4xf32>", true}) }

func (g *rareGen) loopOfBlocksOn(k kind) {
	g.fn("%t: "+k.typ+stepParams, k.typ, func() {
		v := g.step(k, "%t")
		w := g.step(k, "%t")
		carried := g.flip()
		args, list := "", ""
		inside := g.one(v, w)
		if carried {
			args, list = "(%a: "+k.typ+")", fmt.Sprintf("(%s : %s)", v, k.typ)
			inside = g.one("%a", "%a", w)
		}
		g.line("cf.br ^head%s", list)
		g.line("^head%s:", args)
		if g.flip() {
			g.read(k, g.one(inside, v))
		}
		g.line("%%go = arith.cmpi slt, %%i, %s : index", g.constant(3))
		g.line("cf.cond_br %%go, ^body, ^exit")
		g.line("^body:")
		next := g.step(k, inside)
		if g.flip() {
			g.read(k, g.one(w, inside))
		}
		if carried {
			list = fmt.Sprintf("(%s : %s)", g.one(next, next, v), k.typ)
		}
		g.line("cf.br ^head%s", list)
		g.line("^exit:")
		r := g.step(k, g.one(inside, v, w))
		g.line("return %s : %s", r, k.typ)
	})
}

// blocksInRegion has several blocks in a region.
func (g *rareGen) blocksInRegion() {
	k := g.kind()
	g.fn("%t: "+k.typ+stepParams, k.typ, func() {
		v := g.step(k, "%t")
		g.line("%%r = scf.execute_region -> %s {", k.typ)
		g.line("  cf.cond_br %%c, ^a, ^b")
		g.line("^a:")
		w := g.step(k, v)
		g.line("  cf.br ^b")
		g.line("^b:")
		u := g.step(k, v)
		g.line("  scf.yield %s : %s", g.one(u, v), k.typ)
		g.line("}")
		_ = w
		g.line("return %%r : %s", k.typ)
	})
}

// returns has several returns.
func (g *rareGen) returns() {
	k := g.kind()
	name := g.fn("%t: "+k.typ+stepParams, k.typ, func() {
		g.line("cf.cond_br %%c, ^a, ^b")
		for _, b := range []string{"^a", "^b"} {
			g.line("%s:", b)
			g.line("return %s : %s", g.step(k, "%t"), k.typ)
		}
	})
	if g.flip() {
		g.fn("%t: "+k.typ+stepParams, k.typ, func() {
			v := g.let("call %s(%%t, %%i, %%x, %%c) : (%s, index, f32, i1) -> %s", name, k.typ, k.typ)
			g.line("return %s : %s", g.step(k, v), k.typ)
		})
	}
}

// external calls a function that has no body.
func (g *rareGen) external() {
	k := g.kind()
	name := g.declare(k.typ+", index", g.one(k.typ, "f32", k.typ+", "+k.typ))
	results := g.text.String()[strings.LastIndex(g.text.String(), "->")+3:]
	results = strings.TrimSpace(results)
	list := strings.Trim(results, "()")
	g.fn("%t: "+k.typ+stepParams, k.typ, func() {
		v := g.step(k, "%t")
		n := strings.Count(list, ",") + 1
		def, names := g.freshN(n)
		g.line("%s = call %s(%s, %%i) : (%s, index) -> %s", def, name, v, k.typ, results)
		r := v
		if list != "f32" {
			r = pick(&g.writer, names)
		}
		r = g.step(k, r)
		g.line("return %s : %s", g.one(r, v), k.typ)
	})
}

// recursive calls itself, or has another function in between.
func (g *rareGen) recursive() {
	k := g.kind()
	body := func(callee string) func() {
		return func() {
			v := g.step(k, "%t")
			w := g.let("call %s(%s, %%i, %%x, %%c) : (%s, index, f32, i1) -> %s", callee, v, k.typ, k.typ)
			g.line("return %s : %s", g.one(w, v, "%t"), k.typ)
		}
	}
	if g.flip() {
		g.fn("%t: "+k.typ+stepParams, k.typ, body(fmt.Sprintf("@f%d", g.fns+1)))
		return
	}
	first := fmt.Sprintf("@f%d", g.fns+1)
	g.fn("%t: "+k.typ+stepParams, k.typ, body(fmt.Sprintf("@f%d", g.fns+2)))
	g.fn("%t: "+k.typ+stepParams, k.typ, body(first))
}

// indirect calls what a value says.
func (g *rareGen) indirect() {
	k := g.kind()
	name := g.declare(k.typ, k.typ)
	g.fn("%t: "+k.typ+stepParams, k.typ, func() {
		f := g.let("constant %s : (%s) -> %s", name, k.typ, k.typ)
		v := g.step(k, "%t")
		w := g.let("call_indirect %s(%s) : (%s) -> %s", f, v, k.typ, k.typ)
		g.line("return %s : %s", g.one(w, v), k.typ)
	})
}

// calls has functions that call each other, with what they get, other names of it, and
// what they make.
func (g *rareGen) calls() {
	k := g.kind()
	two := "(" + k.typ + ", index, f32, i1, " + k.typ + ") -> (" + k.typ + ", " + k.typ + ")"
	params, results := "%t: "+k.typ+stepParams+", %u: "+k.typ, k.typ+", "+k.typ
	name := ""
	for range 2 + g.choose(2) {
		name = g.fn(params, results, func() {
			all := []string{"%t", "%u"}
			value := func() string { return pick(&g.writer, all) }
			all = append(all, g.step(k, value()))
			if g.flip() {
				all = append(all, g.let("arith.select %%c, %s, %s : %s", value(), value(), k.typ))
			}
			if name != "" {
				for range 1 + g.choose(2) {
					a, b := value(), value()
					for range 1 + g.choose(2) { // maybe the same again
						v := g.fresh()
						g.line("%s:2 = call %s(%s, %%i, %%x, %%c, %s) : %s", v, name, a, b, two)
						all = append(all, v+"#0", v+"#1")
					}
					all = append(all, g.step(k, value()))
					g.read(k, value())
				}
			}
			g.line("return %s, %s : %s", value(), value(), results)
		})
	}
}

// inlined calls functions with operations of several dialects, from in and outside of
// loops.
func (g *rareGen) inlined() {
	const m = "memref<?xf32>"
	name := g.fn("%m: "+m+", %i: index, %x: f32, %c: i1", "f32", func() {
		v := "%x"
		switch g.choose(6) {
		case 0:
			v = g.let("affine.load %%m[%%i] : %s", m)
		case 1:
			g.line("affine.for %%q = 0 to 4 {")
			g.line("  affine.store %%x, %%m[%%q + symbol(%%i)] : %s", m)
			g.line("}")
		case 2:
			g.line("%s = builtin.unrealized_conversion_cast %%i : index to i64", g.fresh())
		case 3:
			n := g.let("affine.apply affine_map<(d0) -> (d0 * 2)>(%%i)")
			v = g.let("memref.load %%m[%s] : %s", n, m)
		case 4:
			v = g.fresh()
			g.line("%s = scf.if %%c -> (f32) {", v)
			g.line("  %%l = affine.load %%m[symbol(%%i)] : %s", m)
			g.line("  scf.yield %%l : f32")
			g.line("} else {")
			g.line("  scf.yield %%x : f32")
			g.line("}")
		default:
			g.line("cf.cond_br %%c, ^a, ^b")
			g.line("^a:")
			g.line("memref.store %%x, %%m[%%i] : %s", m)
			g.line("cf.br ^b")
			g.line("^b:")
		}
		g.line("return %s : f32", v)
	})
	g.fn("%m: "+m+", %i: index, %x: f32, %c: i1", "f32", func() {
		v := "%x"
		call := func(i string) {
			v = g.let("func.call %s(%%m, %s, %s, %%c) : (%s, index, f32, i1) -> f32", name, i, g.one(v, "%x"), m)
		}
		switch g.choose(4) {
		case 0:
			call("%i")
			call("%i")
		case 1:
			g.line("affine.for %%q = 0 to 4 {")
			call("%q")
			g.line("}")
			v = "%x"
		case 2:
			g.line("scf.if %%c {")
			call("%i")
			g.line("}")
			v = "%x"
		default:
			call(g.constant(3))
		}
		g.line("return %s : f32", v)
	})
}

// nested has a module in the module, with functions of its own.
func (g *rareGen) nested() {
	k := g.kind()
	g.fns++
	g.line("module %s{", g.one("", fmt.Sprintf("@m%d ", g.fns)))
	g.indent++
	name := g.fn("%t: "+k.typ+stepParams, k.typ, func() { g.line("return %s : %s", g.step(k, "%t"), k.typ) })
	if g.flip() {
		g.line("func.func %s@g%d(%%t: %s%s) -> %s {", g.one("", "private "), g.fns, k.typ, stepParams, k.typ)
		g.indent++
		v := g.let("func.call %s(%s, %%i, %%x, %%c) : (%s, index, f32, i1) -> %s", name, g.step(k, "%t"), k.typ, k.typ)
		g.line("func.return %s : %s", v, k.typ)
		g.indent--
		g.line("}")
	}
	g.indent--
	g.line("}")
}

// whiles has loops whose regions hand on values in any order, and change some; the second
// region may only hand on.
func (g *rareGen) whiles() {
	k := g.kind()
	two := k.typ + ", " + k.typ
	g.fn("%t: "+k.typ+", %u: "+k.typ+stepParams, two, func() {
		g.line("%%r:2 = scf.while (%%a = %s, %%b = %s) : (%s) -> (%s) {", g.one("%t", "%t", g.make(k)), g.one("%u", "%t"), two, two)
		g.indent++
		v, w := g.step(k, "%a"), g.step(k, "%b")
		if g.choose(4) == 3 {
			v, w = w, v
		}
		g.line("scf.condition(%%c) %s, %s : %s", g.one(v, v, "%a"), g.one(w, w, "%b"), two)
		g.indent--
		g.line("} do {")
		g.line("^bb0(%%p: %s, %%q: %s):", k.typ, k.typ)
		g.indent++
		if g.choose(3) == 2 {
			v, w = "%p", "%q"
		} else {
			v, w = g.step(k, "%p"), g.step(k, "%q")
			if g.choose(4) == 3 {
				v, w = w, g.one(v, "%t")
			}
		}
		g.line("scf.yield %s, %s : %s", v, w, two)
		g.indent--
		g.line("}")
		if g.flip() {
			g.read(k, g.one("%t", "%u"))
		}
		g.line("return %s, %s : %s", g.step(k, "%r#0"), g.one("%r#1", "%u"), two)
	})
}

// emptyBlocks has blocks that only branch, and ones that nothing branches to.
func (g *rareGen) emptyBlocks() {
	k := g.kind()
	g.fn("%t: "+k.typ+stepParams, k.typ, func() {
		v := g.step(k, "%t")
		g.line("cf.cond_br %%c, ^a(%s : %s), ^b(%s : %s)", v, k.typ, "%t", k.typ)
		g.line("^a(%%p: %s):", k.typ)
		g.line("cf.br ^join(%%p : %s)", k.typ)
		g.line("^b(%%q: %s):", k.typ)
		g.line("cf.br ^join(%s : %s)", g.one("%q", "%t"), k.typ)
		if g.flip() {
			g.line("^dead:")
			g.line("cf.br ^join(%%t : %s)", k.typ)
		}
		g.line("^join(%%r: %s):", k.typ)
		g.line("return %s : %s", g.step(k, "%r"), k.typ)
	})
}
