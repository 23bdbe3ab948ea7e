package irgen

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"freehold/dialect/builtin"
	"freehold/dialect/deallocation"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// The types of programs of [Accesses]: buffers with and without gaps, and what operations take with them.
const (
	square     = "memref<4x4xi32>"
	line       = "memref<16xi32>"
	bytes64    = "memref<64xi8>"
	asyncToken = "!gpu.async.token"
)

// strided are buffers with gaps, or in another order, and where they are in a [wide] buffer.
var strided = map[string]string{
	"memref<4x4xi32, strided<[8, 1], offset: 2>>":    "subview [0, 2] [4, 4] [1, 1]",
	"memref<4x4xi32, strided<[8, 2]>>":               "subview [0, 0] [4, 4] [1, 2]",
	"memref<4x4xi32, strided<[16, 1], offset: 8>>":   "subview [1, 0] [4, 4] [2, 1]",
	"memref<4x4xi32, strided<[-4, -1], offset: 15>>": "offset: [15], sizes: [4, 4], strides: [-4, -1]",
	"memref<16xi32, strided<[-1], offset: 15>>":      "offset: [15], sizes: [16], strides: [-1]",
}

const wide = "memref<8x8xi32>"

// stridedTypes lists the types, first the one of rank 1.
func stridedTypes() (list []string) {
	for t := range strided {
		list = append(list, t)
	}
	slices.Sort(list)
	return list
}

// accessForms are those of all operations that take buffers and free none.
var accessForms = sync.OnceValue(func() [][]form {
	types := append([]string{square, line, bytes64, "index", "i32", "vector<4xi32>", "vector<4xi1>", "vector<2x4xi32>", "memref<i32>", "memref<2xindex>", "memref<?x?xi32>", "i1", asyncToken}, stridedTypes()...)
	attrs := []string{"affine_map<() -> (0, 1)>", "affine_map<(d0) -> (d0, 0)>", "affine_map<(d0, d1) -> (d0, d1)>", "affine_map<(d0, d1) -> (d1, d0)>", "affine_map<(d0) -> (d0)>",
		"array<i64: 0, 0>", "array<i64: 4, 4>", "array<i64: 4, 1>", "array<i64: 0>", "array<i64: 16>", "array<i64: 1>", "[[0, 1]]", "[[0], [1]]", "[true]", "[false]", "0 : i64", "1 : i64", "0 : i32", "\"add\""}
	return findForms(world{types: types, attrs: attrs}, ir.IsMemRef, func(op *ir.Op) bool {
		effects, known := interfaces.EffectsOf(op)
		frees := slices.ContainsFunc(effects, func(e interfaces.Effect) bool { return e.Kind == interfaces.Free })
		return slices.ContainsFunc(ir.TypesOf(op.Operands().Values()), ir.IsMemRef) && known && !frees && copiesFit(op) && sameElements(op) && meansBuffers(op)
	})
})

// copiesFit tells whether what an operation allocates has the shape and the elements of a buffer that it takes, if any: clones may be
// declared to be of other types, which nobody can carry out.
func copiesFit(op *ir.Op) bool {
	for _, r := range op.Results().Values() {
		if !ir.IsMemRef(r.Type()) || !interfaces.HasEffect(op, interfaces.Allocate, r) {
			continue
		}
		for _, v := range op.Operands().Values() {
			if ir.IsMemRef(v.Type()) && (!ir.CompatibleShapes(v.Type(), r.Type()) || ir.ElementType(v.Type()) != ir.ElementType(r.Type())) {
				return false
			}
		}
	}
	return true
}

// sameElements tells whether an operation doesn't take a buffer of numbers of type index for vectors of others, which the verifier accepts, as
// mlir-opt does, but which means nothing.
func sameElements(op *ir.Op) bool {
	types := append(ir.TypesOf(op.Operands().Values()), ir.TypesOf(op.Results().Values())...)
	has := func(match func(t ir.Type) bool) bool { return slices.ContainsFunc(types, match) }
	return !has(func(t ir.Type) bool { return ir.IsMemRef(t) && ir.ElementType(t) == ir.Type(ir.Index) }) || !has(isVector)
}

// meansBuffers tells whether what an operation makes means something where buffers are freed by other means: owners are the business of the passes that make them,
// and a buffer that is said to be of another layout is none that can be accessed.
func meansBuffers(op *ir.Op) bool {
	if op.Is(builtin.UnrealizedConversionCast) {
		return !slices.ContainsFunc(op.Results().Types(), ir.IsMemRef)
	}
	return !slices.ContainsFunc(op.Results().Types(), deallocation.IsOwnership)
}

func isVector(t ir.Type) bool { _, ok := t.(*ir.VectorType); return ok }

// allocationForms are those of all operations that make buffers.
var allocationForms = sync.OnceValue(func() [][]form {
	return findForms(world{types: []string{square, line, wide, asyncToken}}, ir.IsMemRef, func(op *ir.Op) bool {
		effects, _ := interfaces.EffectsOf(op)
		return op.NumOperands() == 0 && slices.ContainsFunc(effects, func(e interfaces.Effect) bool { return e.Kind == interfaces.Allocate && e.IsOnResult() })
	})
})

// accessGen writes programs of operations on buffers that come from somewhere and go somewhere.
type accessGen struct {
	cornerGen
	tokens []string
}

// Accesses returns a module whose function @main uses buffers by operations of any dialect, made up from their definitions: loads, vectors,
// structured operations, atomic ones, copies, what is asynchronous, views. The buffers are arguments, new, copies of parts of others, parts of
// others, or other shapes of them, and are read, or copied into others, afterwards.
func Accesses(choose Chooser, size int) string {
	g := &accessGen{cornerGen: cornerGen{writer: writer{choose: choose, indent: 1}}}
	return g.gather(2+choose(1+size/5), runs, g.use, g.program)
}

func (g *accessGen) program() string {
	w := writer{}
	w.line("func.func @main(%%m0: %s, %%m1: %s, %%l0: %s, %%big: %s, %%x: i32) -> (%s) {", square, square, line, wide, typesOf(g.results))
	w.constants()
	w.text.WriteString(g.text.String())
	w.line("  return%s", returned(g.results))
	w.line("}")
	return w.text.String()
}

// constants defines %c0 to %c8, and %c16.
func (w *writer) constants() {
	for _, n := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 16} {
		w.line("  %%c%d = arith.constant %d : index", n, n)
	}
}

func returned(vs []value) string {
	if len(vs) == 0 {
		return ""
	}
	return " " + namesOf(vs) + " : " + typesOf(vs)
}

// use writes an operation, what makes its operands, and what becomes of them.
func (g *accessGen) use() {
	g.tokens = nil
	f := g.form(accessForms())
	names, buffers := make([]string, len(f.in)), []value(nil)
	for i, t := range f.in {
		names[i] = g.operand(t)
		if strings.HasPrefix(t, "memref<") {
			buffers = append(buffers, value{names[i], t})
		}
	}
	looped := g.choose(5) == 4 && len(f.out) == 0
	if looped {
		g.line("scf.for %%k = %%c0 to %%c2 step %%c1 {")
	}
	def, results := "", []string(nil)
	if len(f.out) > 0 {
		def, results = g.freshN(len(f.out))
		def += " = "
	}
	g.line("%s%s", def, f.text(names))
	if looped {
		g.line("}")
	}
	for i, r := range results {
		switch t := f.out[i]; {
		case t == asyncToken:
			if g.flip() {
				g.line("gpu.wait [%s]", r)
			} else {
				g.tokens = append(g.tokens, r)
			}
		case strings.HasPrefix(t, "memref<"):
			buffers = append(buffers, value{r, t})
		default:
			g.show(r, t)
		}
	}
	for _, b := range buffers {
		g.after(b.name, b.typ)
	}
	if len(g.tokens) > 0 {
		g.line("gpu.wait [%s]", strings.Join(g.tokens, ", "))
	}
}

// operand returns a value of a type.
func (g *accessGen) operand(t string) string {
	switch t {
	case "index":
		return fmt.Sprintf("%%c%d", g.choose(3))
	case "i32":
		return "%x"
	case "i1":
		return g.def("arith.constant %s", []string{"false", "true"}[g.choose(2)])
	case "vector<4xi32>":
		return g.def("arith.constant dense<%s> : %s", pick(&g.writer, []string{"[0, 1, 2, 3]", "[0, 3, 5, 6]", "[7, 5, 0, 1]"}), t)
	case "vector<4xi1>":
		return g.mask()
	case "vector<2x4xi32>":
		return g.def("arith.constant dense<[[9, 8, 7, 6], [5, 4, 3, 2]]> : %s", t)
	case "memref<2xindex>":
		m := g.def("memref.alloc() : %s", t)
		g.line("memref.store %%c4, %s[%%c0] : %s", m, t)
		g.line("memref.store %%c%d, %s[%%c1] : %s", 4-g.choose(2)*3, m, t)
		return m
	case "memref<?x?xi32>":
		return g.def("memref.cast %s : %s to %s", g.operand(square), square, t)
	case "memref<i32>":
		m := g.def("memref.alloc() : %s", t)
		g.line("memref.store %%x, %s[] : %s", m, t)
		return m
	case bytes64:
		m := g.def("memref.alloc() : %s", t)
		zero := g.def("arith.constant %d : i8", 1+g.choose(3))
		g.line("linalg.fill ins(%s : i8) outs(%s : %s)", zero, m, t)
		return m
	case asyncToken:
		t := g.def("gpu.wait async")
		return t
	case line:
		return g.lineOf()
	case square:
		return g.squareOf()
	}
	return g.part(g.bufferOf(wide), t)
}

// part returns a view of a wide buffer that has a strided type.
func (g *accessGen) part(of, t string) string {
	if slice, ok := strings.CutPrefix(strided[t], "subview "); ok {
		return g.def("memref.subview %s%s : %s to %s", of, slice, wide, t)
	}
	return g.def("memref.reinterpret_cast %s to %s : %s to %s", of, strided[t], wide, t)
}

// bufferOf returns an argument, or a new buffer, of a type, whose elements differ.
func (g *accessGen) bufferOf(t string) string {
	if old := map[string][]string{square: {"%m0", "%m1"}, line: {"%l0"}, wide: {"%big"}}[t]; g.choose(3) == 0 {
		return pick(&g.writer, old)
	}
	return g.new(t, true)
}

// new returns a new buffer, by any operation that allocates one. With values, its elements differ.
func (g *accessGen) new(t string, values bool) string {
	fit := slices.DeleteFunc(slices.Clone(pick(&g.writer, allocationForms())), func(f form) bool { return f.out[0] != t })
	if len(fit) == 0 {
		return g.new(t, values)
	}
	f := pick(&g.writer, fit)
	def, names := g.freshN(len(f.out))
	g.line("%s = %s", def, f.text(nil))
	for i, o := range f.out {
		if o == asyncToken {
			g.line("gpu.wait [%s]", names[i])
		}
	}
	m := names[0]
	if !values {
		return m
	}
	sizes := strings.Split(strings.TrimSuffix(strings.TrimPrefix(t, "memref<"), "xi32>"), "x")
	at := []string{"%a", "%b"}[:len(sizes)]
	for d, n := range sizes {
		g.line("scf.for %s = %%c0 to %%c%s step %%c1 {", at[d], n)
	}
	g.line("  %%p = arith.muli %s, %%c8 : index", at[0])
	g.line("  %%q = arith.addi %%p, %s : index", at[len(at)-1])
	g.line("  %%r = arith.index_cast %%q : index to i32")
	g.line("  memref.store %%r, %s[%s] : %s", m, strings.Join(at, ", "), t)
	for range sizes {
		g.line("}")
	}
	return m
}

// lineOf returns a dense buffer of rank 1.
func (g *accessGen) lineOf() string {
	if g.choose(3) == 2 {
		return g.def("memref.collapse_shape %s [[0, 1]] : %s into %s", g.bufferOf(square), square, line)
	}
	return g.bufferOf(line)
}

// squareOf returns a dense buffer of rank 2, from anywhere.
func (g *accessGen) squareOf() string {
	switch g.choose(7) {
	case 0:
		return g.def("memref.expand_shape %s [[0, 1]] output_shape [4, 4] : %s into %s", g.bufferOf(line), line, square)
	case 1:
		m := g.new(square, false)
		g.line("linalg.transpose ins(%s : %s) outs(%s : %s) permutation = [1, 0]", g.bufferOf(square), square, m, square)
		return m
	case 2, 3:
		t := pick(&g.writer, stridedTypes()[1:])
		part := g.part(g.bufferOf(wide), t)
		m := g.new(square, false)
		g.line("memref.copy %s, %s : %s to %s", part, m, t, square)
		return m
	case 4:
		m := g.new(square, false)
		g.line("memref.copy %s, %s : %s to %s", g.bufferOf(square), m, square, square)
		return m
	}
	return g.bufferOf(square)
}

// after does something with a buffer that an operation has used: it is shown, or copied into another.
func (g *accessGen) after(m, t string) {
	switch {
	case t == "memref<i32>":
		g.show(g.def("memref.load %s[] : %s", m, t), "i32")
	case strings.HasPrefix(t, "memref<16xi32"):
		g.show(g.def("memref.load %s[%%c%d] : %s", m, g.choose(9), t), "i32")
	case !strings.HasPrefix(t, "memref<4x4xi32"):
		// what others see of it, such as a shape or bytes, was seen
	case g.flip():
		to := pick(&g.writer, stridedTypes()[1:])
		big := g.bufferOf(wide)
		part := g.part(big, to)
		g.line("memref.copy %s, %s : %s to %s", m, part, t, to)
		g.line("memref.copy %s, %%big : %s to %s", big, wide, wide)
	default:
		for row := range 4 {
			g.show(g.def("memref.load %s[%%c%d, %%c%d] : %s", m, row, g.choose(4), t), "i32")
		}
	}
}
