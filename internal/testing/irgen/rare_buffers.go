package irgen

import (
	"fmt"
	"strings"
)

// spacePieces are about tensors in several memory spaces.
func (g *rareGen) spacePieces() []func() {
	return []func(){g.spaces, g.spaces, g.spaceLoop}
}

// inSpace makes a tensor in a memory space.
func (g *rareGen) inSpace() string {
	space := g.one("", " {memory_space = 1 : i64}", " {memory_space = 2 : i64}")
	source := g.some("copy(%t)")
	return g.let("bufferization.alloc_tensor() %s%s : tensor<4xf32>", source, space)
}

// spaces joins tensors of several spaces.
func (g *rareGen) spaces() {
	const t = "tensor<4xf32>"
	g.fn("%t: "+t+stepParams, t, func() {
		a, b := g.inSpace(), g.inSpace()
		r := ""
		switch g.choose(5) {
		case 0:
			r = g.let("arith.select %%c, %s, %s : %s", a, b, t)
		case 1:
			r = g.fresh()
			g.line("%s = scf.if %%c -> (%s) {", r, t)
			g.line("  scf.yield %s : %s", a, t)
			g.line("} else {")
			g.line("  scf.yield %s : %s", b, t)
			g.line("}")
		case 2:
			p := g.let("tensor.extract_slice %s[1] [2] [1] : %s to tensor<2xf32>", a, t)
			r = g.let("tensor.insert_slice %s into %s[%%i] [2] [1] : tensor<2xf32> into %s", g.maybeChange(p, "tensor<2xf32>"), b, t)
		case 3:
			p := g.let("tensor.pad %s low[0] high[2] {\n  ^bb0(%%q: index):\n    tensor.yield %%x : f32\n  } : %s to tensor<6xf32>", a, t)
			r = g.let("tensor.extract_slice %s[1] [4] [1] : tensor<6xf32> to %s", p, t)
		default:
			r = g.let("linalg.copy ins(%s : %s) outs(%s : %s) -> %s", a, t, b, t, t)
		}
		g.line("return %s : %s", g.maybeChange(r, t), t)
	})
}

func (g *rareGen) spaceLoop() {
	const t = "tensor<4xf32>"
	g.fn("%t: "+t+stepParams, t, func() {
		a, b := g.inSpace(), g.inSpace()
		zero, one, r := g.constant(0), g.constant(1), g.fresh()
		g.line("%s = scf.for %%q = %s to %%i step %s iter_args(%%p = %s) -> (%s) {", r, zero, one, a, t)
		g.indent++
		v := g.maybeChange(g.one("%p", b), t)
		g.line("scf.yield %s : %s", v, t)
		g.indent--
		g.line("}")
		g.line("return %s : %s", r, t)
	})
}

// freePieces are about buffers in operations that deallocation doesn't know, or knows
// only in part.
func (g *rareGen) freePieces() []func() {
	return []func(){g.around, g.around, g.frees, g.frees, g.odd, g.copies}
}

// accessPieces are about what deallocation must see through, and what is read and
// written.
func (g *rareGen) accessPieces() []func() {
	return []func(){g.loopOfBuffers, g.mixedTypes, g.effects, g.effects, g.clones, g.clones, g.manual}
}

// clones copies buffers whose sizes are not known.
func (g *rareGen) clones() {
	m := g.one("memref<?x?xf32>", "memref<?x4xf32>", "memref<?x4x?xf32>", "memref<*xf32>", "memref<4xf32, 1>", "memref<?xf32, strided<[?], offset: ?>>", "memref<2xf32>")
	to := m
	if strings.Contains(m, "strided") {
		to = "memref<?xf32>"
	}
	g.fn("%m: "+m+", %c: i1", to, func() {
		v := g.let("bufferization.clone %%m : %s to %s", m, to)
		if to != "memref<*xf32>" && g.flip() {
			w := g.let("bufferization.clone %s : %s to %s", v, to, to)
			g.line("memref.copy %s, %s : %s to %s", v, w, to, to)
			v = g.one(v, w, g.let("arith.select %%c, %s, %s : %s", v, w, to))
		}
		g.line("return %s : %s", v, to)
	})
}

// manual has buffers that the program frees itself.
func (g *rareGen) manual() {
	const m = "memref<4xf32>"
	g.fn("%m: "+m+stepParams, m, func() {
		a := g.let("memref.alloc()%s : %s", g.one(" {bufferization.manual_deallocation}", ""), m)
		b := g.let("memref.alloc()%s : %s", g.some(" {bufferization.manual_deallocation}"), m)
		v := g.one(a, a, g.let("arith.select %%c, %s, %s : %s", a, g.one(b, "%m"), m))
		g.line("memref.store %%x, %s[%%i] : %s", v, m)
		g.line("memref.dealloc %s {bufferization.manual_deallocation} : %s", v, m)
		g.line("return %s : %s", g.one(b, "%m"), m)
	})
}

// around has an allocation in, before and behind an operation with a region.
func (g *rareGen) around() {
	const m = "memref<4xf32>"
	g.fn("%m: "+m+", %n: memref<?xf32>"+stepParams, m, func() {
		zero, four, one := g.constant(0), g.constant(4), g.constant(1)
		a := g.let("memref.alloc() : %s", m)
		inner := func() string {
			g.indent++
			b := g.let("memref.alloc() : %s", m)
			g.line("memref.store %%x, %s[%s] : %s", g.one(a, b, "%m"), zero, m)
			g.indent--
			return b
		}
		r := a
		switch g.choose(8) {
		case 0:
			g.line("memref.alloca_scope {")
			inner()
			g.line("}")
		case 1:
			r = g.fresh()
			g.line("%s = memref.alloca_scope -> (%s) {", r, m)
			b := inner()
			g.line("  memref.alloca_scope.return %s : %s", g.one(a, b), m)
			g.line("}")
		case 2:
			g.line("scf.forall (%%q) in (4) {")
			inner()
			g.line("}")
		case 3:
			g.line("scf.parallel (%%q) = (%s) to (%s) step (%s) {", zero, four, one)
			inner()
			g.line("  scf.reduce")
			g.line("}")
		case 4:
			g.line("affine.for %%q = 0 to 4 {")
			inner()
			g.line("}")
		case 5:
			r = g.fresh()
			g.line("%s = affine.if affine_set<()[s0] : (s0 - 1 >= 0)>()[%%i] -> %s {", r, m)
			b := inner()
			g.line("  affine.yield %s : %s", b, m)
			g.line("} else {")
			g.line("  affine.yield %s : %s", g.one(a, "%m"), m)
			g.line("}")
		case 6:
			r = g.fresh()
			g.line("%s = scf.execute_region -> %s {", r, m)
			b := inner()
			g.line("  scf.yield %s : %s", g.one(a, b), m)
			g.line("}")
		default:
			r = g.fresh()
			g.line("%s = affine.for %%q = 0 to 4 iter_args(%%p = %s) -> (%s) {", r, a, m)
			b := inner()
			g.line("  affine.yield %s : %s", g.one("%p", b), m)
			g.line("}")
		}
		g.line("return %s : %s", g.one(r, r, "%m"), m)
	})
}

// frees has frees already.
func (g *rareGen) frees() {
	const m = "memref<4xf32>"
	g.fn("%m: "+m+stepParams, m, func() {
		a, b := g.let("memref.alloc() : %s", m), g.let("memref.alloc() : %s", m)
		manual := g.some(" {bufferization.manual_deallocation}")
		v := a
		switch g.choose(4) {
		case 0:
			v = g.let("arith.select %%c, %s, %s : %s", a, g.one(b, "%m"), m)
		case 1:
			v = "%m"
		}
		if g.choose(3) == 2 {
			g.line("scf.if %%c {")
			g.line("  memref.dealloc %s%s : %s", v, manual, m)
			g.line("}")
		} else {
			g.line("memref.dealloc %s%s : %s", v, manual, m)
		}
		g.line("return %s : %s", g.one(b, "%m"), m)
	})
}

// odd has operations that are not known, or do more than others.
func (g *rareGen) odd() {
	const m = "memref<4xf32>"
	g.fn("%m: "+m+", %u: memref<*xf32>"+stepParams, m, func() {
		a := g.let("memref.alloc() : %s", m)
		r := a
		switch g.choose(9) {
		case 0:
			g.line("memref.assume_alignment %s, 16 : %s", a, m)
		case 1:
			g.line("memref.prefetch %s[%%i], write, locality<1>, data : %s", a, m)
		case 2:
			r = g.let("bufferization.clone %s : %s to %s", a, m, m)
		case 3:
			v := g.let("memref.realloc %s : %s to memref<8xf32>", a, m)
			r = g.let("memref.subview %s[0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1]>>", v)
			r = g.let("memref.cast %s : memref<4xf32, strided<[1]>> to %s", r, m)
		case 4:
			v := g.let("memref.cast %s : %s to memref<*xf32>", a, m)
			r = g.let("memref.cast %s : memref<*xf32> to %s", g.one(v, "%u"), m)
		case 5:
			g.line("cf.assert %%c, \"no\"")
		case 6:
			r = g.let("bufferization.to_memref %s : %s", g.let("bufferization.to_tensor %s : %s", a, m), m)
		case 7:
			s := g.let("memref.alloca() : %s", m)
			r = g.let("arith.select %%c, %s, %s : %s", s, a, m)
		default:
			p := g.let("memref.extract_aligned_pointer_as_index %s : %s -> index", a, m)
			g.let("arith.addi %s, %%i : index", p)
		}
		g.line("return %s : %s", r, m)
	})
}

// loopOfBuffers hands buffers on in another order than it gets them.
func (g *rareGen) loopOfBuffers() {
	const m = "memref<?xf32>"
	g.fn("%a: "+m+", %b: "+m+stepParams, m+", "+m, func() {
		zero, one := g.constant(0), g.constant(1)
		g.line("%%r:2 = scf.for %%q = %s to %%i step %s iter_args(%%p0 = %%a, %%p1 = %s) -> (%s, %s) {", zero, one, g.one("%a", "%b"), m, m)
		g.indent++
		v := g.one("%p1", "%p0", g.let("memref.alloc(%%i) : %s", m))
		w := g.one("%p0", "%p1", v, g.let("bufferization.clone %%p0 : %s to %s", m, m))
		g.line("scf.yield %s, %s : %s, %s", v, w, m, m)
		g.indent--
		g.line("}")
		g.line("return %s, %s : %s, %s", g.one("%r#0", "%r#1"), g.one("%r#1", "%b"), m, m)
	})
}

// mixedTypes has buffers of several types under one name.
func (g *rareGen) mixedTypes() {
	g.fn("%u: memref<*xf32>, %m: memref<4xf32>"+stepParams, "memref<?xf32>", func() {
		a := g.let("memref.alloc() : memref<4xf32>")
		v := g.let("memref.cast %s : memref<4xf32> to memref<?xf32>", g.one(a, "%m"))
		w := g.let("memref.cast %%u : memref<*xf32> to memref<?xf32>")
		x := g.let("memref.get_global @g%d : memref<4xf32>", g.fns)
		y := g.let("memref.cast %s : memref<4xf32> to memref<?xf32>", x)
		r := g.fresh()
		g.line("%s = scf.if %%c -> (memref<?xf32>) {", r)
		g.line("  scf.yield %s : memref<?xf32>", g.one(v, w, y))
		g.line("} else {")
		g.line("  scf.yield %s : memref<?xf32>", g.one(v, w, y))
		g.line("}")
		g.line("return %s : memref<?xf32>", r)
	})
	g.line("memref.global \"private\" %s@g%d : memref<4xf32> = dense<%d.0>", g.some("constant "), g.fns, g.choose(4))
}

// copies has clones, copies and casts that fold away, or not.
func (g *rareGen) copies() {
	const m = "memref<4xf32>"
	g.fn("%m: "+m+stepParams, m, func() {
		all := []string{"%m", g.let("memref.alloc() : %s", m)}
		for range 2 + g.choose(4) {
			from := pick(&g.writer, all)
			switch g.choose(6) {
			case 0:
				all = append(all, g.let("bufferization.clone %s : %s to %s", from, m, m))
			case 1:
				g.line("memref.copy %s, %s : %s to %s", from, pick(&g.writer, all), m, m)
			case 2:
				g.line("memref.store %%x, %s[%%i] : %s", from, m)
			case 3:
				v := g.let("memref.cast %s : %s to memref<?xf32>", from, m)
				all = append(all, g.let("memref.cast %s : memref<?xf32> to %s", v, m))
			case 4:
				g.line("%s = memref.load %s[%%i] : %s", g.fresh(), from, m)
			case 5:
				if from != "%m" && len(all) > 2 {
					g.line("memref.dealloc %s : %s", from, m)
				}
			}
		}
		g.line("return %s : %s", pick(&g.writer, all), m)
	})
}

// effects reads and writes two buffers, in and outside of regions: what is read twice,
// what is never read, what can be moved.
func (g *rareGen) effects() {
	const m = "memref<4xf32>"
	g.fn("%m: "+m+", %n: "+m+stepParams, "f32", func() {
		last := "%x"
		access := func() {
			b := g.one("%m", "%n")
			switch g.choose(4) {
			case 0:
				g.line("memref.store %s, %s[%%i] : %s", last, b, m)
			case 3:
				v := g.let("math.%s %s : f32", g.one("sqrt", "exp", "absf"), g.one(last, "%x"))
				last = v
			default:
				v := g.let("memref.load %s[%%i] : %s", b, m)
				last = g.let("arith.%s %s, %s : f32", g.one("addf", "mulf", "divf"), v, g.one(last, v))
			}
		}
		for range 2 + g.choose(3) {
			access()
		}
		outer := last
		if g.flip() {
			zero, one := g.constant(0), g.constant(1)
			g.line("scf.for %%q = %s to %%i step %s {", zero, one)
			g.indent++
			g.let("arith.%s %%i, %s : index", g.one("divsi", "addi", "remui"), g.one("%i", one, "%q"))
		} else {
			g.line("scf.if %%c {")
			g.indent++
		}
		for range 1 + g.choose(3) {
			access()
		}
		g.indent--
		g.line("}")
		last = outer
		for range 1 + g.choose(3) {
			access()
		}
		g.line("return %s : f32", last)
	})
}

// deallocPieces are conditional frees as ownership makes them, and others.
func (g *rareGen) deallocPieces() []func() { return []func(){g.deallocs} }

// deallocs has bufferization.dealloc of any buffers, if any conditions, retaining any.
func (g *rareGen) deallocs() {
	const m = "memref<4xf32>"
	g.fn("%a: "+m+", %b: "+m+", %c: i1, %d: i1, %n: memref<?xf32>", "", func() {
		memrefs, conditions := []string{"%a", "%b"}, []string{"%c", "%d"}
		for range g.choose(4) {
			switch g.choose(4) {
			case 0:
				memrefs = append(memrefs, g.let("memref.alloc() : %s", m))
			case 1:
				v := g.let("memref.cast %s : %s to memref<?xf32>", pick(&g.writer, memrefs), m)
				memrefs = append(memrefs, g.let("memref.cast %s : memref<?xf32> to %s", v, m))
			case 2:
				memrefs = append(memrefs, g.let("arith.select %s, %s, %s : %s", pick(&g.writer, conditions), pick(&g.writer, memrefs), pick(&g.writer, memrefs), m))
			case 3:
				conditions = append(conditions, g.let("arith.%s %s, %s : i1", g.one("andi", "ori"), pick(&g.writer, conditions), pick(&g.writer, conditions)))
			}
		}
		conditions = append(conditions, g.let("arith.constant true"), g.let("arith.constant false"))
		for range 1 + g.choose(2) {
			g.dealloc(memrefs, &conditions)
		}
		g.line("return")
	})
}

// dealloc writes one, whose results are conditions.
func (g *rareGen) dealloc(memrefs []string, conditions *[]string) {
	const m = "memref<4xf32>"
	list := func(from []string, n int) (out []string) {
		for range n {
			out = append(out, pick(&g.writer, from))
		}
		return out
	}
	n, r := g.choose(4), g.choose(3)
	free, keep := list(memrefs, n), list(memrefs, r)
	text := "bufferization.dealloc"
	if n > 0 {
		conds := list(*conditions, n)
		text += fmt.Sprintf(" (%s : %s) if (%s)", strings.Join(free, ", "), strings.Join(repeat(m, n), ", "), strings.Join(conds, ", "))
	}
	if r > 0 {
		text += fmt.Sprintf(" retain (%s : %s)", strings.Join(keep, ", "), strings.Join(repeat(m, r), ", "))
		def, names := g.freshN(r)
		text = def + " = " + text
		*conditions = append(*conditions, names...)
	}
	g.line("%s", text)
}
