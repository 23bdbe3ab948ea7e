package irgen

import "fmt"

// cornerGen writes programs of small parts, each of which shows one kind of thing that is rare, and easily got wrong where programs are
// rewritten. What the parts compute is returned.
type cornerGen struct {
	writer
	functions []string
	results   []value
}

// Corners returns a module whose function @main has a few parts, each about something else: accesses to vectors in strided buffers,
// reshapes of unknown sizes, bodies that print, loops that grow tensors.
func Corners(choose Chooser, size int) string {
	g := &cornerGen{writer: writer{choose: choose}}
	return g.module(size, []func(){
		g.vectorOfCopy, g.vectorIntoCopy, g.vectorOfView, g.gatherOfTensor, g.vectorThroughView, g.pointers,
		g.forall, g.reshapes, g.reshapesOfBuffers, g.bodyPrints, g.pads, g.contraction, g.slices, g.growing, g.hidden, g.emptyParts, g.spaces,
		g.reshapeOfShape, g.reversed, g.manual, g.swap, g.reallocated, g.reallocatedStatic, g.collapsedEnds,
	})
}

// Kept returns such a module whose buffers can be reached in other ways than by their names: buffers in buffers, parts and globals that
// functions return, views that control flow chooses, and buffers that functions are given to free. Passes that free need to be told of that by others.
func Kept(choose Chooser, size int) string {
	g := &cornerGen{writer: writer{choose: choose}}
	return g.module(size, []func(){g.returnedPart, g.getter, g.table, g.choiceOfViews, g.manual, g.writable, g.oddElements, g.ownedArgument, g.tableFreed, g.takes})
}

// module writes a few parts, of some kinds.
func (g *cornerGen) module(size int, kinds []func()) string {
	g.indent = 1
	for range 1 + g.choose(max(1, size/4)) {
		pick(&g.writer, kinds)()
	}
	body := g.text.String()
	g.text.Reset()
	g.indent = 0
	for _, f := range g.functions {
		g.line("%s", f)
	}
	g.line("func.func @main(%%m: memref<4x8xi32>, %%t: tensor<4x4xi32>, %%x: i32, %%i: index) -> (%s) {", typesOf(g.results))
	for n := range 9 {
		g.line("  %%c%d = arith.constant %d : index", n, n)
	}
	g.line("  %%zero = arith.constant 0 : i32")
	g.text.WriteString(body)
	if len(g.results) == 0 {
		g.line("  return")
	} else {
		g.line("  return %s : %s", namesOf(g.results), typesOf(g.results))
	}
	g.line("}")
	return g.text.String()
}

// def writes an operation and returns the name of its result.
func (g *cornerGen) def(format string, args ...any) string {
	v := g.fresh()
	g.line("%s = %s", v, fmt.Sprintf(format, args...))
	return v
}

// show makes a value a result of the program.
func (g *cornerGen) show(v, t string) { g.results = append(g.results, value{v, t}) }

// below returns an index below n, of which nothing is known.
func (g *cornerGen) below(n int) string { return g.def("arith.remui %%i, %%c%d : index", n) }

// never returns a condition that doesn't hold, which only an execution shows.
func (g *cornerGen) never() string { return g.def("arith.cmpi eq, %s, %%c7 : index", g.below(3)) }

func (g *cornerGen) maybe() string { return g.def("arith.cmpi eq, %s, %%c0 : index", g.below(2)) }

// filled returns a new buffer whose elements differ.
func (g *cornerGen) filled(sizes string, n, m int) string {
	v := g.def("memref.alloc() : memref<%sxi32>", sizes)
	g.line("scf.for %%a = %%c0 to %%c%d step %%c1 {", n)
	g.line("  scf.for %%b = %%c0 to %%c%d step %%c1 {", m)
	g.line("    %%p = arith.muli %%a, %%c8 : index")
	g.line("    %%q = arith.addi %%p, %%b : index")
	g.line("    %%r = arith.index_cast %%q : index to i32")
	g.line("    memref.store %%r, %s[%%a, %%b] : memref<%sxi32>", v, sizes)
	g.line("  }")
	g.line("}")
	return v
}

// tensor returns a tensor whose elements differ.
func (g *cornerGen) tensor() string {
	v := g.def("tensor.generate {")
	g.line("^bb0(%%a: index, %%b: index):")
	g.line("  %%p = arith.muli %%a, %%c8 : index")
	g.line("  %%q = arith.addi %%p, %%b : index")
	g.line("  %%r = arith.index_cast %%q : index to i32")
	g.line("  tensor.yield %%r : i32")
	g.line("} : tensor<4x4xi32>")
	return v
}

// read shows a vector of four elements of a buffer, read in one of the ways that there are.
func (g *cornerGen) read(m, t string) {
	mask := g.def("vector.constant_mask [%d] : vector<4xi1>", 2+g.choose(3))
	pass := g.def("arith.constant dense<-1> : vector<4xi32>")
	row, column := fmt.Sprintf("%%c%d", g.choose(3)), fmt.Sprintf("%%c%d", g.choose(2))
	var v string
	switch g.choose(5) {
	case 0:
		at := g.def("arith.constant dense<[0, %d, %d, %d]> : vector<4xi32>", 1+g.choose(2), 3+g.choose(2), 5)
		v = g.def("vector.gather %s[%%c0, %%c0] [%s], %s, %s : %s, vector<4xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>", m, at, mask, pass, t)
	case 1:
		v = g.def("vector.maskedload %s[%s, %s], %s, %s : %s, vector<4xi1>, vector<4xi32> into vector<4xi32>", m, row, column, mask, pass, t)
	case 2:
		v = g.def("vector.expandload %s[%s, %s], %s, %s : %s, vector<4xi1>, vector<4xi32> into vector<4xi32>", m, row, column, mask, pass, t)
	case 3:
		v = g.def("vector.transfer_read %s[%s, %s], %%x : %s, vector<4xi32>", m, row, column, t)
	default:
		v = g.def("memref.load %s[%s, %s] : %s", m, row, column, t)
		g.show(v, "i32")
		return
	}
	g.show(v, "vector<4xi32>")
}

// vectorOfCopy reads a vector from a copy of a part of another buffer, or of a buffer that is transposed.
func (g *cornerGen) vectorOfCopy() {
	big, t := g.filled("4x8", 4, 8), g.def("memref.alloc() : memref<4x4xi32>")
	s, o := 1+g.choose(2), g.choose(2)
	part := g.def("memref.subview %s[0, %d] [4, 4] [1, %d] : memref<4x8xi32> to memref<4x4xi32, strided<[8, %d], offset: %d>>", big, o, s, s, o)
	g.line("memref.copy %s, %s : memref<4x4xi32, strided<[8, %d], offset: %d>> to memref<4x4xi32>", part, t, s, o)
	if g.flip() {
		u := g.def("memref.alloc() : memref<4x4xi32>")
		g.line("linalg.transpose ins(%s : memref<4x4xi32>) outs(%s : memref<4x4xi32>) permutation = [1, 0]", t, u)
		t = u
	}
	g.read(t, "memref<4x4xi32>")
}

// vectorIntoCopy writes a vector to a buffer that is copied to a part of another one then.
func (g *cornerGen) vectorIntoCopy() {
	t := g.filled("4x4", 4, 4)
	mask := g.def("vector.constant_mask [%d] : vector<4xi1>", 2+g.choose(3))
	v := g.def("arith.constant dense<[-1, -2, -3, -4]> : vector<4xi32>")
	switch g.choose(4) {
	case 0:
		at := g.def("arith.constant dense<[0, 5, 10, 15]> : vector<4xi32>")
		g.line("vector.scatter %s[%%c0, %%c0] [%s], %s, %s : memref<4x4xi32>, vector<4xi32>, vector<4xi1>, vector<4xi32>", t, at, mask, v)
	case 1:
		g.line("vector.maskedstore %s[%%c1, %%c1], %s, %s : memref<4x4xi32>, vector<4xi1>, vector<4xi32>", t, mask, v)
	case 2:
		g.line("vector.compressstore %s[%%c0, %%c2], %s, %s : memref<4x4xi32>, vector<4xi1>, vector<4xi32>", t, mask, v)
	default:
		g.line("vector.store %s, %s[%%c1, %%c0] : memref<4x4xi32>, vector<4xi32>", v, t)
	}
	big := g.filled("4x8", 4, 8)
	s := 1 + g.choose(2)
	part := g.def("memref.subview %s[0, 0] [4, 4] [1, %d] : memref<4x8xi32> to memref<4x4xi32, strided<[8, %d]>>", big, s, s)
	g.line("memref.copy %s, %s : memref<4x4xi32> to memref<4x4xi32, strided<[8, %d]>>", t, part, s)
	for row := range 4 {
		g.show(g.def("vector.load %s[%%c%d, %%c0] : memref<4x8xi32>, vector<8xi32>", big, row), "vector<8xi32>")
	}
}

// vectorOfView reads a vector from a part of a buffer.
func (g *cornerGen) vectorOfView() {
	s := 1 + g.choose(2)
	part := g.def("memref.subview %%m[0, 0] [4, 4] [1, %d] : memref<4x8xi32> to memref<4x4xi32, strided<[8, %d]>>", s, s)
	g.read(part, fmt.Sprintf("memref<4x4xi32, strided<[8, %d]>>", s))
}

// gatherOfTensor gathers from a tensor, or from a slice of one, that becomes a part of a larger one.
func (g *cornerGen) gatherOfTensor() {
	t, typ := g.tensor(), "tensor<4x4xi32>"
	if g.flip() {
		t, typ = g.def("tensor.extract_slice %s[0, %d] [4, 2] [1, 1] : tensor<4x4xi32> to tensor<4x2xi32>", t, g.choose(3)), "tensor<4x2xi32>"
	}
	at := g.def("arith.constant dense<[0, 3, 5, 6]> : vector<4xi32>")
	mask, pass := g.def("vector.constant_mask [%d] : vector<4xi1>", 3+g.choose(2)), g.def("arith.constant dense<-1> : vector<4xi32>")
	v := g.def("vector.gather %s[%%c0, %%c0] [%s], %s, %s : %s, vector<4xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>", t, at, mask, pass, typ)
	g.show(v, "vector<4xi32>")
	e := g.def("tensor.empty() : tensor<4x8xi32>")
	big := g.def("linalg.fill ins(%%x : i32) outs(%s : tensor<4x8xi32>) -> tensor<4x8xi32>", e)
	width := 4
	if typ != "tensor<4x4xi32>" {
		width = 2
	}
	in := g.def("tensor.insert_slice %s into %s[0, 2] [4, %d] [1, 1] : %s into tensor<4x8xi32>", t, big, width, typ)
	g.show(g.def("vector.transfer_read %s[%%c1, %%c0], %%x {in_bounds = [true]} : tensor<4x8xi32>, vector<8xi32>", in), "vector<8xi32>")
}

// vectorThroughView reads vectors of two dimensions through views that give a buffer other dimensions.
func (g *cornerGen) vectorThroughView() {
	switch g.choose(3) {
	case 0:
		e := g.def("memref.expand_shape %%m [[0], [1, 2]] output_shape [4, 4, 2] : memref<4x8xi32> into memref<4x4x2xi32>")
		g.show(g.def("vector.load %s[%s, %%c%d, %%c0] : memref<4x4x2xi32>, vector<2x2xi32>", e, g.below(4), g.choose(3)), "vector<2x2xi32>")
	case 1:
		e := g.def("memref.expand_shape %%m [[0, 1], [2]] output_shape [2, 2, 8] : memref<4x8xi32> into memref<2x2x8xi32>")
		g.show(g.def("vector.load %s[%s, %%c0, %%c%d] : memref<2x2x8xi32>, vector<2x4xi32>", e, g.below(2), g.choose(4)), "vector<2x4xi32>")
	default:
		e := g.def("memref.collapse_shape %%m [[0, 1]] : memref<4x8xi32> into memref<32xi32>")
		g.show(g.def("vector.load %s[%%c%d] : memref<32xi32>, vector<4xi32>", e, g.choose(8)), "vector<4xi32>")
	}
}

// pointers shows how far the pointer of a view is from that of what it views.
func (g *cornerGen) pointers() {
	m := g.def("memref.alloc() : memref<64xi8>")
	v := g.def("memref.view %s[%%c%d][] : memref<64xi8> to memref<2xi32>", m, 4*g.choose(3))
	a := g.def("memref.extract_aligned_pointer_as_index %s : memref<64xi8> -> index", m)
	b := g.def("memref.extract_aligned_pointer_as_index %s : memref<2xi32> -> index", v)
	g.show(g.def("arith.subi %s, %s : index", b, a), "index")
}

func (g *cornerGen) function(text string) string {
	name := fmt.Sprint("@f", len(g.functions))
	g.functions = append(g.functions, fmt.Sprintf(text, name))
	return name
}

// returnedPart writes through a part of a buffer that a function returns.
func (g *cornerGen) returnedPart() {
	const part = "memref<4xi32, strided<[1], offset: ?>>"
	f := g.function(`func.func private %s(%%a: memref<4x8xi32>, %%i: index) -> ` + part + ` {
  %%s = memref.subview %%a[%%i, 0] [1, 4] [1, 1] : memref<4x8xi32> to ` + part + `
  return %%s : ` + part + `
}`)
	n := g.def("func.call %s(%%m, %s) : (memref<4x8xi32>, index) -> %s", f, g.below(4), part)
	g.line("memref.store %%x, %s[%%c%d] : %s", n, g.choose(4), part)
}

// getter writes through what a function returns, a global, and gets it again.
func (g *cornerGen) getter() {
	name := fmt.Sprint("@g", len(g.functions))
	f := g.function(`memref.global "private" ` + name + ` : memref<4xi32> = dense<1>
func.func private %s() -> memref<4xi32> {
  %%g = memref.get_global ` + name + ` : memref<4xi32>
  return %%g : memref<4xi32>
}`)
	p := g.def("func.call %s() : () -> memref<4xi32>", f)
	g.line("memref.store %%x, %s[%%c1] : memref<4xi32>", p)
	q := g.def("func.call %s() : () -> memref<4xi32>", f)
	g.show(g.def("memref.load %s[%%c1] : memref<4xi32>", q), "i32")
}

// table puts buffers into a buffer, in a loop, and reads them from there.
func (g *cornerGen) table() {
	box := g.def("memref.alloc() : memref<2xmemref<4xi32>>")
	g.line("scf.for %%k = %%c0 to %%c2 step %%c1 {")
	g.line("  %%a = memref.alloc() : memref<4xi32>")
	g.line("  memref.store %%x, %%a[%%k] : memref<4xi32>")
	g.line("  memref.store %%a, %s[%%k] : memref<2xmemref<4xi32>>", box)
	g.line("}")
	k := g.below(2)
	a := g.def("memref.load %s[%s] : memref<2xmemref<4xi32>>", box, k)
	g.show(g.def("memref.load %s[%s] : memref<4xi32>", a, k), "i32")
	if g.flip() {
		g.line("memref.dealloc %s : memref<2xmemref<4xi32>>", box)
	}
}

// forall computes tensors in parallel, that are all needed.
func (g *cornerGen) forall() {
	n := 1 + g.choose(3)
	var all []string
	for range n {
		e := g.def("tensor.empty() : tensor<8xi32>")
		v := g.def("scf.forall (%%k) in (8) shared_outs(%%o = %s) -> (tensor<8xi32>) {", e)
		g.line("  %%s = tensor.extract_slice %%o[%%k] [1] [1] : tensor<8xi32> to tensor<1xi32>")
		g.line("  %%v = linalg.fill ins(%%x : i32) outs(%%s : tensor<1xi32>) -> tensor<1xi32>")
		g.line("  scf.forall.in_parallel {")
		g.line("    tensor.parallel_insert_slice %%v into %%o[%%k] [1] [1] : tensor<1xi32> into tensor<8xi32>")
		g.line("  }")
		g.line("}")
		all = append(all, v)
	}
	for _, v := range all {
		g.show(g.def("tensor.extract %s[%s] : tensor<8xi32>", v, g.below(8)), "i32")
	}
}

// reshapes collapses a tensor of unknown sizes and expands it to others.
func (g *cornerGen) reshapes() {
	a, b, c := g.opaque(2), g.opaque(3), g.opaque(4)
	t := g.def("tensor.generate %s, %s, %s {", a, b, c)
	g.line("^bb0(%%p: index, %%q: index, %%r: index):")
	g.line("  %%s = arith.muli %%q, %%c4 : index")
	g.line("  %%u = arith.addi %%s, %%r : index")
	g.line("  %%v = arith.index_cast %%u : index to i32")
	g.line("  tensor.yield %%v : i32")
	g.line("} : tensor<?x?x?xi32>")
	k := g.def("tensor.collapse_shape %s [[0, 1, 2]] : tensor<?x?x?xi32> into tensor<?xi32>", t)
	sizes := pick(&g.writer, [][2]int{{6, 4}, {2, 12}, {4, 6}, {3, 8}, {8, 3}})
	y := g.opaque(sizes[0])
	z := g.def("arith.divui %s, %s : index", g.opaque24(), y)
	e := g.def("tensor.expand_shape %s [[0, 1]] output_shape [%s, %s] : tensor<?xi32> into tensor<?x?xi32>", k, y, z)
	g.show(g.def("tensor.dim %s, %%c0 : tensor<?x?xi32>", e), "index")
	g.show(g.def("tensor.extract %s[%%c1, %%c1] : tensor<?x?xi32>", e), "i32")
}

// reshapesOfBuffers does the same with buffers.
func (g *cornerGen) reshapesOfBuffers() {
	a, b, c := g.opaque(2), g.opaque(3), g.opaque(4)
	t := g.def("memref.alloc(%s, %s, %s) : memref<?x?x?xi32>", a, b, c)
	g.line("linalg.fill ins(%%x : i32) outs(%s : memref<?x?x?xi32>)", t)
	k := g.def("memref.collapse_shape %s [[0, 1, 2]] : memref<?x?x?xi32> into memref<?xi32>", t)
	y := g.opaque(pick(&g.writer, []int{6, 2, 4, 3, 8}))
	z := g.def("arith.divui %s, %s : index", g.opaque24(), y)
	e := g.def("memref.expand_shape %s [[0, 1]] output_shape [%s, %s] : memref<?xi32> into memref<?x?xi32>", k, y, z)
	g.show(g.def("memref.dim %s, %%c0 : memref<?x?xi32>", e), "index")
	g.show(g.def("memref.load %s[%%c1, %%c1] : memref<?x?xi32>", e), "i32")
}

// opaque returns a number that is computed from what only an execution knows.
func (g *cornerGen) opaque(n int) string {
	k := g.below(3)
	three := g.def("arith.divui %s, %%c3 : index", k) // 0
	return g.def("arith.addi %s, %%c%d : index", three, n)
}

func (g *cornerGen) opaque24() string { return g.def("arith.muli %s, %%c3 : index", g.opaque(8)) }

// bodyPrints computes what nobody needs, and prints while it does. How often the body of a tensor.pad is executed isn't defined.
func (g *cornerGen) bodyPrints() {
	e := g.def("tensor.empty() : tensor<4x4xi32>")
	switch g.choose(3) {
	case 0:
		g.def("linalg.map ins(%%t : tensor<4x4xi32>) outs(%s : tensor<4x4xi32>)", e)
		g.line("(%%in: i32) {")
		g.line("  vector.print %%in : i32")
		g.line("  linalg.yield %%in : i32")
		g.line("}")
	case 1:
		g.def("linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1, d0)>], iterator_types = [\"parallel\", \"parallel\"]} "+
			"ins(%%t : tensor<4x4xi32>) outs(%s : tensor<4x4xi32>) {", e)
		g.line("^bb0(%%in: i32, %%o: i32):")
		g.line("  vector.print %%in : i32")
		g.line("  linalg.yield %%in : i32")
		g.line("} -> tensor<4x4xi32>")
	default:
		g.def("tensor.generate {")
		g.line("^bb0(%%a: index):")
		g.line("  vector.print %%a : index")
		g.line("  tensor.yield %%x : i32")
		g.line("} : tensor<3xi32>")
	}
}

// pads adds to a tensor at both ends, or at none.
func (g *cornerGen) pads() {
	low, high := g.choose(2), g.choose(2)
	t := fmt.Sprintf("tensor<%dx4xi32>", 4+low+high)
	v := g.def("tensor.pad %%t low[%d, 0] high[%d, 0] {", low, high)
	g.line("^bb0(%%a: index, %%b: index):")
	if low+high > 0 && g.flip() { // once or more often makes no difference
		g.line("  memref.store %%x, %%m[%%c%d, %%c%d] : memref<4x8xi32>", g.choose(4), g.choose(8))
	}
	g.line("  tensor.yield %%x : i32")
	g.line("} : tensor<4x4xi32> to %s", t)
	if g.flip() {
		g.show(g.def("tensor.extract %s[%s, %%c1] : %s", v, g.below(4), t), "i32")
	}
}

// contraction adds to what a contraction of some kind has computed.
func (g *cornerGen) contraction() {
	a := g.def("vector.load %%m[%%c0, %%c0] : memref<4x8xi32>, vector<4xi32>")
	b := g.def("vector.load %%m[%%c1, %%c0] : memref<4x8xi32>, vector<4xi32>")
	c := g.def("vector.load %%m[%%c2, %%c0] : memref<4x8xi32>, vector<4xi32>")
	zero := g.def("arith.constant dense<0> : vector<4xi32>")
	bs := g.def("vector.broadcast %s : vector<4xi32> to vector<2x4xi32>", b)
	as := g.def("vector.broadcast %s : vector<4xi32> to vector<2x4xi32>", a)
	kind := pick(&g.writer, []string{"add", "maxsi", "minsi"})
	v := g.def("vector.contract {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], "+
		"iterator_types = [\"parallel\", \"reduction\"], kind = #vector.kind<%s>} %s, %s, %s : vector<2x4xi32>, vector<2x4xi32> into vector<4xi32>", kind, as, bs, zero)
	g.show(g.def("arith.addi %s, %s : vector<4xi32>", v, c), "vector<4xi32>")
}

// slices takes slices of vectors that were inserted, or stretched.
func (g *cornerGen) slices() {
	a := g.def("vector.load %%m[%%c0, %%c0] : memref<4x8xi32>, vector<2x4xi32>")
	if g.flip() {
		zero := g.def("arith.constant dense<0> : vector<4x8xi32>")
		o, c := g.choose(3), g.choose(5)
		b := g.def("vector.insert_strided_slice %s, %s {offsets = [%d, %d], strides = [1, 1]} : vector<2x4xi32> into vector<4x8xi32>", a, zero, o, c)
		t := fmt.Sprintf("vector<%dx8xi32>", 1+g.choose(2))
		g.show(g.def("vector.extract_strided_slice %s {offsets = [%d], sizes = [%c], strides = [1]} : vector<4x8xi32> to %s", b, o, t[len("vector<")], t), t)
		return
	}
	o := g.choose(2)
	one := g.def("vector.extract_strided_slice %s {offsets = [%d, 0], sizes = [1, 4], strides = [1, 1]} : vector<2x4xi32> to vector<1x4xi32>", a, o)
	b := g.def("vector.broadcast %s : vector<1x4xi32> to vector<3x4xi32>", one)
	g.show(g.def("vector.extract_strided_slice %s {offsets = [1, %d], sizes = [2, 3], strides = [1, 1]} : vector<3x4xi32> to vector<2x3xi32>", b, g.choose(2)), "vector<2x3xi32>")
}

// growing carries a tensor through a loop that may make it larger.
func (g *cornerGen) growing() {
	s := g.def("tensor.extract_slice %%t[0, 0] [1, 4] [1, 1] : tensor<4x4xi32> to tensor<4xi32>")
	c := g.def("tensor.cast %s : tensor<4xi32> to tensor<?xi32>", s)
	l := g.def("scf.for %%k = %%c0 to %%c%d step %%c1 iter_args(%%a = %s) -> (tensor<?xi32>) {", 1+g.choose(3), c)
	if g.flip() {
		g.line("  %%p = tensor.pad %%a low[0] high[%d] {", 1+g.choose(2))
		g.line("  ^bb0(%%b: index):")
		g.line("    tensor.yield %%x : i32")
		g.line("  } : tensor<?xi32> to tensor<?xi32>")
	} else {
		g.line("  %%p = tensor.insert %%x into %%a[%%k] : tensor<?xi32>")
	}
	g.line("  scf.yield %%p : tensor<?xi32>")
	g.line("}")
	g.show(g.def("tensor.dim %s, %%c0 : tensor<?xi32>", l), "index")
}

// hidden has operations whose sizes don't fit, where they aren't executed.
func (g *cornerGen) hidden() {
	a, b := g.def("memref.alloc() : memref<4xi32>"), g.def("memref.alloc() : memref<8xi32>")
	c, d := g.def("memref.cast %s : memref<4xi32> to memref<?xi32>", a), g.def("memref.cast %s : memref<8xi32> to memref<?xi32>", b)
	g.line("scf.if %s {", g.never())
	g.line("  memref.copy %s, %s : memref<?xi32> to memref<?xi32>", c, d)
	g.line("  linalg.copy ins(%s : memref<?xi32>) outs(%s : memref<?xi32>)", c, d)
	g.line("}")
}

// emptyParts inserts empty tensors into others, also into themselves.
func (g *cornerGen) emptyParts() {
	e := g.def("tensor.empty() : tensor<4xi32>")
	f := e
	if g.flip() {
		f = g.def("linalg.fill ins(%%x : i32) outs(%s : tensor<4xi32>) -> tensor<4xi32>", e)
	}
	into := e
	if f != e && g.flip() { // what is in an empty tensor must not come into an argument, which others see
		into = g.def("tensor.extract_slice %%t[0, 0] [1, 4] [1, 1] : tensor<4x4xi32> to tensor<4xi32>")
	}
	r := g.def("tensor.insert_slice %s into %s[0] [4] [1] : tensor<4xi32> into tensor<4xi32>", f, into)
	g.show(g.def("tensor.dim %s, %%c0 : tensor<4xi32>", r), "index")
	if f != e {
		g.show(g.def("tensor.extract %s[%%c1] : tensor<4xi32>", r), "i32")
	}
}

// spaces needs a tensor in another memory space.
func (g *cornerGen) spaces() {
	const there = "memref<4x4xi32, 1>"
	m := g.def("bufferization.to_memref %s : %s", pick(&g.writer, []string{"%t", g.tensor()}), there)
	switch g.choose(4) {
	case 0:
		g.show(g.def("memref.load %s[%s, %%c0] : %s", m, g.below(4), there), "i32")
	case 1:
		a := g.def("memref.alloc() : memref<4x4xi32>")
		g.line("memref.copy %s, %s : %s to memref<4x4xi32>", m, a, there)
		g.show(g.def("memref.load %s[%s, %%c0] : memref<4x4xi32>", a, g.below(4)), "i32")
	case 2:
		const part = "memref<4x2xi32, strided<[4, 1], offset: 1>, 1>"
		v := g.def("memref.subview %s[0, 1] [4, 2] [1, 1] : %s to %s", m, there, part)
		g.show(g.def("memref.load %s[%s, %%c1] : %s", v, g.below(4), part), "i32")
	case 3:
		f := g.function(`func.func private %s(%%a: memref<4x4xi32, 1>, %%i: index) -> i32 {
  %%r = memref.load %%a[%%i, %%i] : memref<4x4xi32, 1>
  return %%r : i32
}`)
		g.show(g.def("func.call %s(%s, %s) : (%s, index) -> i32", f, m, g.below(4), there), "i32")
	}
}

// oddElements has buffers of elements that are no words.
func (g *cornerGen) oddElements() {
	e := pick(&g.writer, []string{"f80", "complex<f32>", "f64", "vector<3xi32>"})
	c := "arith.constant 2.5 : " + e
	switch e {
	case "complex<f32>":
		c = "complex.constant [2.5 : f32, 1.0 : f32] : complex<f32>"
	case "vector<3xi32>":
		c = "arith.constant dense<[1, 2, 3]> : " + e
	}
	v := g.def("%s", c)
	for range 2 {
		m := g.def("memref.alloc() : memref<3x%s>", e)
		g.line("memref.store %s, %s[%%c1] : memref<3x%s>", v, m, e)
		v = g.def("memref.load %s[%%c1] : memref<3x%s>", m, e)
		g.line("memref.dealloc %s : memref<3x%s>", m, e)
	}
	switch e {
	case "vector<3xi32>":
		g.show(v, e)
		return
	case "complex<f32>":
		v, e = g.def("complex.re %s : complex<f32>", v), "f32"
	}
	h := g.def("arith.constant 2.5 : %s", e)
	g.show(g.def("arith.cmpf oeq, %s, %s : %s", v, h, e), "i1")
}

// reshapeOfShape changes the shape by which a buffer was seen, and sees it again.
func (g *cornerGen) reshapeOfShape() {
	shape := g.def("memref.alloca() : memref<2xindex>")
	for _, s := range [][2]int{{4, 8}, pick(&g.writer, [][2]int{{8, 4}, {4, 8}})} {
		g.line("memref.store %%c%d, %s[%%c0] : memref<2xindex>", s[0], shape)
		g.line("memref.store %%c%d, %s[%%c1] : memref<2xindex>", s[1], shape)
		r := g.def("memref.reshape %%m(%s) : (memref<4x8xi32>, memref<2xindex>) -> memref<?x?xi32>", shape)
		g.show(g.def("memref.dim %s, %%c0 : memref<?x?xi32>", r), "index")
	}
}

// choiceOfViews chooses between a view of a buffer and another buffer.
func (g *cornerGen) choiceOfViews() {
	a := g.def("memref.alloc() : memref<64xi8>")
	v := g.def("memref.view %s[%%c%d][] : memref<64xi8> to memref<4xi32>", a, 4*g.choose(3))
	g.line("memref.store %%x, %s[%%c0] : memref<4xi32>", v)
	r := g.def("scf.if %s -> (memref<4xi32>) {", g.maybe())
	g.line("  scf.yield %s : memref<4xi32>", v)
	g.line("} else {")
	g.line("  %%n = memref.alloc() : memref<4xi32>")
	g.line("  memref.store %%zero, %%n[%%c0] : memref<4xi32>")
	g.line("  scf.yield %%n : memref<4xi32>")
	g.line("}")
	g.show(g.def("memref.load %s[%%c0] : memref<4xi32>", r), "i32")
}

// ownedArgument hands a new tensor to a function that overwrites it.
func (g *cornerGen) ownedArgument() {
	f := g.function(`func.func private %s(%%a: tensor<4x4xi32>, %%o: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %%r = linalg.add ins(%%a, %%a : tensor<4x4xi32>, tensor<4x4xi32>) outs(%%o : tensor<4x4xi32>) -> tensor<4x4xi32>
  return %%r : tensor<4x4xi32>
}`)
	r := g.def("func.call %s(%%t, %s) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>", f, g.tensor())
	g.show(g.def("tensor.extract %s[%s, %%c1] : tensor<4x4xi32>", r, g.below(4)), "i32")
}

// writable lets others overwrite an argument.
func (g *cornerGen) writable() {
	t := g.def("bufferization.to_tensor %%m restrict writable : memref<4x8xi32>")
	n := g.def("tensor.insert %%x into %s[%%c0, %s] : tensor<4x8xi32>", t, g.below(8))
	g.show(g.def("tensor.extract %s[%%c0, %s] : tensor<4x8xi32>", n, g.below(8)), "i32")
}

// reversed sees a buffer from its end, and frees it so.
func (g *cornerGen) reversed() {
	a := g.def("memref.alloc() : memref<4xi32>")
	g.line("linalg.fill ins(%%x : i32) outs(%s : memref<4xi32>)", a)
	g.line("memref.store %%zero, %s[%%c3] : memref<4xi32>", a)
	r := g.def("memref.reinterpret_cast %s to offset: [3], sizes: [4], strides: [-1] : memref<4xi32> to memref<4xi32, strided<[-1], offset: 3>>", a)
	g.show(g.def("memref.load %s[%%c0] : memref<4xi32, strided<[-1], offset: 3>>", r), "i32")
	if g.flip() {
		g.line("memref.dealloc %s : memref<4xi32, strided<[-1], offset: 3>>", r)
	}
}

// manual has a buffer that the program says it frees itself, and does so.
func (g *cornerGen) manual() {
	n := pick(&g.writer, []string{"%c4", "%c2"})
	a := g.def("memref.alloc(%s) {bufferization.manual_deallocation} : memref<?xi32>", n)
	g.line("memref.store %%x, %s[%%c1] : memref<?xi32>", a)
	g.show(g.def("memref.load %s[%%c1] : memref<?xi32>", a), "i32")
	g.line("memref.dealloc %s {bufferization.manual_deallocation} : memref<?xi32>", a)
}

// swap exchanges what a loop carries, numbers and buffers.
func (g *cornerGen) swap() {
	a, b := g.def("arith.constant 1 : i32"), g.def("arith.constant 2 : i32")
	def, names := g.freshN(2)
	g.line("%s = scf.for %%k = %%c0 to %s step %%c1 iter_args(%%p = %s, %%q = %s) -> (i32, i32) {", def, g.opaque(3), a, b)
	g.line("  scf.yield %%q, %%p : i32, i32")
	g.line("}")
	for _, n := range names {
		g.show(n, "i32")
	}
}
