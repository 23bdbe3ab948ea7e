package irgen

import (
	"fmt"
	"strings"
)

// permuted has a buffer whose layout has no strides.
func (g *rareGen) permuted() {
	const m = "memref<4x4xf32, affine_map<(d0, d1) -> (d1, d0)>>"
	g.fn("%m: "+m+", %x: f32, %i: index", m, func() {
		a := g.let("memref.alloc() : %s", m)
		g.line("memref.store %%x, %s[%%i, %%i] : %s", g.one(a, "%m"), m)
		g.line("return %s : %s", g.one(a, "%m"), m)
	})
}

// viewPieces are views whose sizes, strides and offsets are not known, of buffers of all
// kinds.
func (g *rareGen) viewPieces() []func() {
	return []func(){g.views}
}

// views takes a buffer apart after making views of it.
func (g *rareGen) views() {
	params := "%m: memref<?x?xf32, strided<[?, ?], offset: ?>>, %k: memref<?x4xf32>, %z: memref<f32>, %u: memref<*xf32>, " +
		"%i: index, %j: index, %n: index, %w: memref<1x1x4xf32, strided<[?, ?, 1], offset: 3>>, %b: memref<?xi8>"
	g.fn(params, "index", func() {
		sum := "%i"
		for range 3 {
			sum = g.takeApart(g.viewed())(sum)
		}
		g.line("return %s : index", sum)
	})
	g.line("memref.global \"private\" @v%d : memref<3x4xf32, 1>", g.fns)
}

// takeApart asks for the parts of a buffer, or accesses it. It returns what adds the numbers
// that it gets to another one.
func (g *rareGen) takeApart(v, t string) func(sum string) string {
	var numbers []string
	if g.flip() {
		numbers = append(numbers, g.let("memref.extract_aligned_pointer_as_index %s : %s -> index", v, t))
	}
	rank := strings.Count(strings.TrimPrefix(strings.Split(t, ",")[0], "memref<"), "x")
	at := func(index string) string { return strings.Join(repeat(index, rank), ", ") }
	switch {
	case t == "memref<*xf32>":
	case g.choose(3) == 2:
		x := g.let("memref.load %s[%s] : %s", v, at("%i"), t)
		g.line("memref.store %s, %s[%s] : %s", x, v, at("%j"), t)
	default:
		parts, base := g.fresh(), "memref<f32"+spaceOf(t)+">"
		g.line("%s:%d = memref.extract_strided_metadata %s : %s -> %s, index%s", parts, 2+2*rank, v, t, base, strings.Repeat(", index", 2*rank))
		x := g.let("memref.load %s#0[] : %s", parts, base)
		g.line("memref.store %s, %%z[] : memref<f32>", x)
		for i := range 1 + 2*rank {
			numbers = append(numbers, fmt.Sprintf("%s#%d", parts, 1+i))
		}
	}
	return func(sum string) string {
		for _, n := range numbers {
			sum = g.let("arith.addi %s, %s : index", sum, n)
		}
		return sum
	}
}

func spaceOf(t string) string {
	if strings.HasSuffix(t, ", 1>") {
		return ", 1"
	}
	return ""
}

// viewed makes a view, and returns it and its type.
func (g *rareGen) viewed() (v, t string) {
	offset, size, step := g.one("0", "2", "%i"), g.one("2", "%n"), g.one("1", "2", "%j")
	dyn := func(s string) string {
		if s[0] == '%' {
			return "?"
		}
		return s
	}
	kinds := []func() string{
		func() string { // a part
			t = fmt.Sprintf("memref<%sx%sxf32, strided<[?, ?], offset: ?>>", dyn(size), dyn(g.one("3")))
			return g.let("memref.subview %%m[%s, %%j] [%s, 3] [%s, 1] : memref<?x?xf32, strided<[?, ?], offset: ?>> to %s", offset, size, step, t)
		},
		func() string { // a row
			t = "memref<4xf32, strided<[1], offset: ?>>"
			return g.let("memref.subview %%k[%%i, 0] [1, 4] [1, 1] : memref<?x4xf32> to %s", t)
		},
		func() string { // a row of known place
			t = "memref<2xf32, strided<[1], offset: 5>>"
			return g.let("memref.subview %%k[1, 1] [1, 2] [1, 1] : memref<?x4xf32> to %s", t)
		},
		func() string {
			t = "memref<?x2x2xf32>"
			return g.let("memref.expand_shape %%k [[0], [1, 2]] output_shape [%%n, 2, 2] : memref<?x4xf32> into %s", t)
		},
		func() string {
			t = "memref<?x2x4xf32>"
			return g.let("memref.expand_shape %%k [[0, 1], [2]] output_shape [%%n, 2, 4] : memref<?x4xf32> into %s", t)
		},
		func() string {
			t = "memref<3x?x4xf32>"
			return g.let("memref.expand_shape %%k [[0, 1], [2]] output_shape [3, %%n, 4] : memref<?x4xf32> into %s", t)
		},
		func() string {
			t = "memref<2x?x3x4xf32>"
			return g.let("memref.expand_shape %%k [[0, 1, 2], [3]] output_shape [2, %%n, 3, 4] : memref<?x4xf32> into %s", t)
		},
		func() string {
			t = "memref<?x2x?x2xf32, strided<[?, ?, ?, ?], offset: ?>>"
			return g.let("memref.expand_shape %%m [[0, 1], [2, 3]] output_shape [%%i, 2, %%j, 2] : memref<?x?xf32, strided<[?, ?], offset: ?>> into %s", t)
		},
		func() string {
			t = "memref<?x?x4xf32>"
			return g.let("memref.expand_shape %%k [[0, 1], [2]] output_shape [%%i, %%n, 4] : memref<?x4xf32> into %s", t)
		},
		func() string {
			t = "memref<1x1xf32>"
			return g.let("memref.expand_shape %%z [] output_shape [1, 1] : memref<f32> into %s", t)
		},
		func() string {
			t = "memref<?xf32>"
			return g.let("memref.collapse_shape %%k [[0, 1]] : memref<?x4xf32> into %s", t)
		},
		func() string {
			t = "memref<1x4xf32, strided<[?, 1], offset: 3>>"
			return g.let("memref.collapse_shape %%w [[0, 1], [2]] : memref<1x1x4xf32, strided<[?, ?, 1], offset: 3>> into %s", t)
		},
		func() string {
			t = "memref<4xf32, strided<[1], offset: 3>>"
			return g.let("memref.collapse_shape %%w [[0, 1, 2]] : memref<1x1x4xf32, strided<[?, ?, 1], offset: 3>> into %s", t)
		},
		func() string {
			t = "memref<?x2x?xf32>"
			return g.let("%s(%%n, %%i) : %s", g.one("memref.alloc", "memref.alloca"), t)
		},
		func() string {
			t = "memref<2x3xf32, 1>"
			return g.let("%s() : %s", g.one("memref.alloc", "memref.alloca"), t)
		},
		func() string {
			t = "memref<f32>"
			return g.one("%z", g.let("memref.alloc() : %s", t))
		},
		func() string {
			t = "memref<3x4xf32, 1>"
			return g.let("memref.get_global @v%d : %s", g.fns, t)
		},
		func() string {
			t = "memref<4x?xf32, strided<[?, ?], offset: ?>>"
			return g.let("memref.cast %%m : memref<?x?xf32, strided<[?, ?], offset: ?>> to %s", t)
		},
		func() string {
			t = "memref<?xf32, strided<[?], offset: ?>>"
			return g.let("memref.reinterpret_cast %s to offset: [%s], sizes: [%%n], strides: [%s] : %s", g.one("%m"), "%i", "%j",
				"memref<?x?xf32, strided<[?, ?], offset: ?>> to "+t)
		},
		func() string {
			t = "memref<2x2xf32, strided<[?, 1], offset: 4>>"
			return g.let("memref.reinterpret_cast %%u to offset: [4], sizes: [2, 2], strides: [%%j, 1] : memref<*xf32> to %s", t)
		},
		func() string {
			t = "memref<*xf32>"
			return g.one("%u", g.let("memref.cast %%k : memref<?x4xf32> to %s", t))
		},
		func() string {
			t = "memref<?x2xf32>"
			return g.let("memref.view %%b[%%i][%%n] : memref<?xi8> to %s", t)
		},
		func() string {
			t = "memref<4x?xf32, strided<[1, 4]>>"
			return g.let("memref.transpose %%k (a, b) -> (b, a) : memref<?x4xf32> to %s", t)
		},
	}
	v = pick(&g.writer, kinds)()
	// A view of the view.
	if t == "memref<?x2x?xf32>" && g.flip() {
		w := g.let("memref.subview %s[%%i, 0, 1] [2, 2, %%j] [1, 1, %%n] : %s to memref<2x2x?xf32, strided<[?, ?, ?], offset: ?>>", v, t)
		return w, "memref<2x2x?xf32, strided<[?, ?, ?], offset: ?>>"
	}
	return v, t
}

// divisionPieces are about expressions and reductions that can't be lowered.
func (g *rareGen) divisionPieces() []func() {
	return []func(){g.divisions, g.divisions, g.badTransfers, g.reductions, g.permuted}
}

// affinePieces are operations that programs of [Affine] have not.
func (g *rareGen) affinePieces() []func() {
	return []func(){g.transfers, g.affineOdd, g.affineOdd, g.digitsOf}
}

// divisions divides by what may be zero, or less.
func (g *rareGen) divisions() {
	g.fn("%m: memref<?xf32>, %n: index, %i: index, %x: f32", "", func() {
		d := g.one("0", "-2", "s1", "3", "0", "-1")
		e := fmt.Sprintf("(s0 + %d) %s %s", g.choose(3), g.one("floordiv", "ceildiv", "mod"), d)
		m, args := "affine_map<()[s0, s1] -> ("+e+")>", "()[%n, %i]"
		two := "affine_map<()[s0, s1] -> (s0, " + e + ")>"
		swapped := "affine_map<()[s0, s1] -> (" + e + ", s1)>"
		switch g.choose(9) {
		case 0:
			g.let("affine.apply %s%s", m, args)
		case 1:
			g.let("affine.%s %s%s", g.one("min", "max"), g.one(m, two, swapped), args)
		case 2:
			g.line("affine.for %%q = %s%s to %%n {", m, args)
			g.line("}")
		case 3:
			g.line("affine.for %%q = 0 to min %s%s {", g.one(m, two, swapped), args)
			g.line("  affine.store %%x, %%m[%%q] : memref<?xf32>")
			g.line("}")
		case 4:
			g.line("affine.for %%q = max %s%s to %%n {", g.one(two, swapped), args)
			g.line("  affine.store %%x, %%m[%%q] : memref<?xf32>")
			g.line("}")
		case 5:
			g.line("affine.if affine_set<()[s0, s1] : (%s >= 0%s)>%s {", e, g.some(", s1 == 0"), args)
			g.line("}")
		case 6:
			at := strings.NewReplacer("s0", "symbol(%n)", "s1", "symbol(%i)").Replace(e)
			g.line("affine.store %%x, %%m[%s] : memref<?xf32>", at)
		case 7:
			at := strings.NewReplacer("s0", "symbol(%n)", "s1", "symbol(%i)").Replace(e)
			g.let("affine.load %%m[%s] : memref<?xf32>", at)
		default:
			at := strings.NewReplacer("s0", "symbol(%n)", "s1", "symbol(%i)").Replace(e)
			g.line("affine.parallel (%%q) = (%s) to (%s) {", g.one("0", at), g.one("4", at))
			g.line("  affine.store %%x, %%m[%%q] : memref<?xf32>")
			g.line("}")
		}
		g.line("return")
	})
}

// transfers starts transfers between buffers, and reads and writes vectors.
func (g *rareGen) transfers() {
	g.transfersAt("%n", "%n + 1", "%n * 2", "symbol(%i) floordiv 2", "%n + symbol(%i) * 3")
}

func (g *rareGen) badTransfers() { g.transfersAt("%n", "symbol(%i) mod 0", "symbol(%i) ceildiv -1") }

// transfersAt does so at some places.
func (g *rareGen) transfersAt(places ...string) {
	g.fn("%m: memref<?xf32>, %k: memref<4x4xf32>, %n: index, %i: index, %t: memref<2xi32>", "", func() {
		at := func() string { return g.one(places...) }
		switch g.choose(4) {
		case 0:
			stride := g.some(", %n, %i")
			g.line("affine.dma_start %%m[%s], %%k[%s, %s], %%t[%s], %%n%s : memref<?xf32>, memref<4x4xf32>, memref<2xi32>", at(), at(), at(), at(), stride)
		case 1:
			g.line("affine.dma_wait %%t[%s], %%n : memref<2xi32>", at())
		case 2:
			g.line("affine.prefetch %%k[%s, %s], %s, locality<%d>, %s : memref<4x4xf32>", at(), at(), g.one("read", "write"), g.choose(4), g.one("data", "instr"))
		default:
			v := g.let("affine.vector_load %%m[%s] : memref<?xf32>, vector<2xf32>", at())
			g.line("affine.vector_store %s, %%k[%s, %s] : memref<4x4xf32>, vector<2xf32>", v, at(), at())
		}
		g.line("return")
	})
}

// affineOdd has loops and conditions of unusual form.
func (g *rareGen) affineOdd() {
	g.fn("%m: memref<?xf32>, %n: index, %i: index, %x: f32", "f32", func() {
		r := "%x"
		switch g.choose(6) {
		case 0:
			g.line("affine.if affine_set<() : (0 == 0)>() {")
			g.line("  affine.store %%x, %%m[%%n] : memref<?xf32>")
			g.line("}")
		case 1:
			r = g.fresh()
			g.line("%s = affine.if affine_set<(d0)[s0] : (d0 - s0 >= 0, d0 - 1 == 0, s0 >= 0)>(%%n)[%%i] -> f32 {", r)
			g.line("  affine.yield %%x : f32")
			g.line("} else {")
			g.line("  %%l = affine.load %%m[%%n] : memref<?xf32>")
			g.line("  affine.yield %%l : f32")
			g.line("}")
		case 2:
			g.line("affine.for %%q = max affine_map<(d0)[s0] -> (d0, s0, 3)>(%%n)[%%i] to min affine_map<(d0)[s0] -> (d0 + 7, s0 * 2, 30)>(%%n)[%%i] step %d {", 1+g.choose(3))
			g.line("  affine.for %%p = affine_map<(d0) -> (d0)>(%%q) to affine_map<(d0) -> (d0 + 4)>(%%q) {")
			g.line("    affine.store %%x, %%m[%%p + %%q] : memref<?xf32>")
			g.line("  }")
			g.line("}")
		case 3:
			r = g.fresh()
			g.line("%s:2 = affine.for %%q = 0 to %%n iter_args(%%a = %%x, %%b = %%x) -> (f32, f32) {", r)
			g.line("  %%l = affine.load %%m[%%q] : memref<?xf32>")
			g.line("  affine.yield %%b, %%l : f32, f32")
			g.line("}")
			r += "#1"
		case 4:
			g.line("affine.parallel (%%p, %%q) = (0, %s) to (%%n, min(%%i, 10)) step (2, 1) {", g.one("0", "max(%n, 1)"))
			g.line("  affine.store %%x, %%m[%%p + %%q] : memref<?xf32>")
			g.line("}")
		default:
			g.line("affine.for %%q = 0 to 4 {")
			g.line("  affine.if affine_set<(d0) : (d0 - 2 >= 0)>(%%q) {")
			g.line("    affine.store %%x, %%m[%%q] : memref<?xf32>")
			g.line("  } else {")
			g.line("    affine.store %%x, %%m[%%q + 1] : memref<?xf32>")
			g.line("  }")
			g.line("}")
		}
		g.line("return %s : f32", r)
	})
}

// digitsOf splits numbers by bases that are not known.
func (g *rareGen) digitsOf() {
	g.fn("%n: index, %i: index, %j: index", "index", func() {
		var basis []string
		for range 1 + g.choose(4) {
			switch g.choose(4) {
			case 0:
				basis = append(basis, g.constant(1+g.choose(5)))
			case 1:
				basis = append(basis, g.let("affine.apply affine_map<()[s0] -> (s0 * 2 + 1)>()[%%i]"))
			default:
				basis = append(basis, g.one("%i", "%j"))
			}
		}
		def, names := g.freshN(len(basis))
		g.line("%s = affine.delinearize_index %%n into (%s) : %s", def, strings.Join(basis, ", "), strings.Join(repeat("index", len(basis)), ", "))
		g.line("return %s : index", pick(&g.writer, names))
	})
}

// reductions has parallel loops that combine numbers in all ways.
func (g *rareGen) reductions() {
	of := pick(&g.writer, []struct {
		elem  string
		kinds []string
	}{
		{"f32", []string{"addf", "mulf", "maximumf", "minimumf", "assign"}},
		{"i32", []string{"addi", "muli", "andi", "ori", "assign"}},
		{"si32", []string{"maxs", "mins"}},
		{"ui32", []string{"maxu", "minu"}},
	})
	elem := of.elem
	g.fn("%m: memref<?x"+elem+">, %n: index", elem, func() {
		g.line("%%r = affine.parallel (%%q) = (0) to (%%n) reduce (\"%s\") -> (%s) {", g.one(of.kinds...), elem)
		g.line("  %%l = affine.load %%m[%%q] : memref<?x%s>", elem)
		g.line("  affine.yield %%l : %s", elem)
		g.line("}")
		g.line("return %%r : %s", elem)
	})
}

// loopPieces are structured operations to be made loops of.
func (g *rareGen) loopPieces() []func() { return []func(){g.named, g.generics, g.generics} }

// named has operations whose loops their names tell.
func (g *rareGen) named() {
	buffers := g.flip()
	of := func(shape string) string {
		if buffers {
			return "memref<" + shape + "xf32>"
		}
		return "tensor<" + shape + "xf32>"
	}
	n := g.one("4", "?")
	a, b, c, v, w := of(n+"x3"), of("3x"+n), of(n+"x"+n), of(n), of("3")
	g.fn("%a: "+a+", %b: "+b+", %c: "+c+", %v: "+v+", %w: "+w+", %x: f32", "", func() {
		op := func(name, ins, types, out, t string) {
			line := fmt.Sprintf("linalg.%s ins(%s : %s) outs(%s : %s)", name, ins, types, out, t)
			if !buffers {
				line = g.fresh() + " = " + line + " -> " + t
			}
			g.line("%s", line)
		}
		short := func(name, in, t, out, u, rest string) {
			line := fmt.Sprintf("linalg.%s ins(%s : %s) outs(%s : %s) %s", name, in, t, out, u, rest)
			if !buffers {
				line = g.fresh() + " = " + line
			}
			g.line("%s", line)
		}
		switch g.choose(7) {
		case 0:
			op("matmul", "%a, %b", a+", "+b, "%c", c)
		case 1:
			op("matvec", "%a, %w", a+", "+w, "%v", v)
		case 2:
			op("add", "%v, %v", v+", "+v, "%v", v)
		case 3:
			op("fill", "%x", "f32", "%c", c)
		case 4:
			short("transpose", "%a", a, "%b", b, "permutation = [1, 0]")
		case 5:
			short("broadcast", "%w", w, "%a", a, "dimensions = [0]")
		default:
			short("reduce { arith.addf }", "%a", a, "%w", w, "dimensions = [0]")
		}
		g.line("return")
	})
}

// generics has operations with indices, scalars, and several results.
func (g *rareGen) generics() {
	buffers := g.flip()
	t := "tensor<?x4xf32>"
	if buffers {
		t = "memref<?x4xf32>"
	}
	results := t
	if buffers {
		results = ""
	}
	g.fn("%a: "+t+", %b: "+t+", %x: f32", results, func() {
		second, out := "parallel", "d0, d1"
		if g.choose(3) == 2 {
			second = "reduction"
		}
		in := g.one("d0, d1", "d0, d1", "d0, 0")
		def := ""
		if !buffers {
			def = "%r = "
		}
		g.line("%slinalg.generic {indexing_maps = [affine_map<(d0, d1) -> (%s)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (%s)>], iterator_types = [\"%s\", \"%s\"]} ins(%%a, %%x : %s, f32) outs(%%b : %s) {",
			def, in, out, g.one("parallel", "reduction"), second, t, t)
		g.line("^bb0(%%p: f32, %%q: f32, %%o: f32):")
		g.indent++
		v := g.let("arith.addf %s, %s : f32", g.one("%p", "%q"), g.one("%o", "%p"))
		if g.flip() {
			i := g.let("linalg.index %d : index", g.choose(2))
			n := g.let("arith.index_cast %s : index to i32", i)
			f := g.let("arith.sitofp %s : i32 to f32", n)
			v = g.let("arith.mulf %s, %s : f32", v, f)
		}
		g.line("linalg.yield %s : f32", v)
		g.indent--
		if buffers {
			g.line("}")
			g.line("return")
			return
		}
		g.line("} -> %s", t)
		g.line("return %%r : %s", t)
	})
}
