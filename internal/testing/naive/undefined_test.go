package naive_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// undefinedGen writes programs on memory and tensors of which only parts are written: elements are copied whether or not they
// are defined, and now and then one is needed.
type undefinedGen struct {
	poisonGen
	elem    string
	buffers []string // memref<4xelem>
	tensors []string // tensor<4xelem>
	rows    []string // memref<2x2xelem>
}

func (g *undefinedGen) index() string { return fmt.Sprintf("%%c%d", g.r.IntN(4)) }

// one returns one of a list.
func one(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

// element writes how an element, which may be undefined, gets somewhere.
func (g *undefinedGen) element() string {
	v := g.name()
	switch g.r.IntN(5) {
	case 0:
		return "%x"
	case 1:
		g.line("%s = tensor.extract %s[%s] : tensor<4x%s>", v, one(g.r, g.tensors), g.index(), g.elem)
	case 2:
		g.line("%s = memref.load %s[%%c%d, %%c%d] : memref<2x2x%s>", v, one(g.r, g.rows), g.r.IntN(2), g.r.IntN(2), g.elem)
	case 3:
		g.line("%s = affine.load %s[%d] : memref<4x%s>", v, one(g.r, g.buffers), g.r.IntN(4), g.elem)
	default:
		g.line("%s = memref.load %s[%s] : memref<4x%s>", v, one(g.r, g.buffers), g.index(), g.elem)
	}
	return v
}

func (g *undefinedGen) statement() {
	t := g.elem
	to := g.name()
	switch g.r.IntN(15) {
	case 14:
		if strings.Contains(t, "vector") {
			return
		}
		// Each element is needed.
		body := "arith.xori %in, %in : " + t
		if strings.HasPrefix(t, "f") {
			body = "arith.negf %in : " + t
		}
		result, kind, of := "", "memref", g.buffers
		if g.r.IntN(2) == 0 {
			result, kind, of = to+" = ", "tensor", g.tensors
			g.tensors = append(g.tensors, to)
		}
		g.line("%slinalg.map ins(%s : %s<4x%s>) outs(%s : %s<4x%s>) (%%in: %s) {\n    %%y = %s\n    linalg.yield %%y : %s\n  }", result, one(g.r, of), kind, t, one(g.r, of), kind, t, t, body, t)
	case 0:
		g.line("%s = memref.%s() : memref<4x%s>", to, g.pick("alloc alloca"), t)
		g.buffers = append(g.buffers, to)
	case 1:
		g.line("%s = tensor.empty() : tensor<4x%s>", to, t)
		g.tensors = append(g.tensors, to)
	case 2:
		g.line("%s = memref.alloc() : memref<2x2x%s>", to, t)
		g.rows = append(g.rows, to)
	case 3:
		v := g.element()
		for range 1 + g.r.IntN(2) {
			g.line("memref.store %s, %s[%s] : memref<4x%s>", v, one(g.r, g.buffers), g.index(), t)
		}
	case 4:
		g.line("affine.store %s, %s[%d, %d] : memref<2x2x%s>", g.element(), one(g.r, g.rows), g.r.IntN(2), g.r.IntN(2), t)
	case 5, 6:
		g.line("%s = tensor.insert %s into %s[%s] : tensor<4x%s>", to, g.element(), one(g.r, g.tensors), g.index(), t)
		g.tensors = append(g.tensors, to)
	case 7:
		g.line("%s = tensor.from_elements %s, %s, %s, %s : tensor<4x%s>", to, g.element(), g.element(), g.element(), g.element(), t)
		g.tensors = append(g.tensors, to)
	case 8:
		g.line("memref.copy %s, %s : memref<4x%s> to memref<4x%s>", one(g.r, g.buffers), one(g.r, g.buffers), t, t)
	case 9:
		from := g.name()
		g.line("%s = memref.subview %s[%s] [2] [1] : memref<4x%s> to memref<2x%s, strided<[1], offset: ?>>", from, one(g.r, g.buffers), g.pick("%c0 %c1 %c2"), t, t)
		g.line("%s = memref.subview %s[0, %%c1] [2, 1] [1, 1] : memref<2x2x%s> to memref<2x%s, strided<[2], offset: ?>>", to, one(g.r, g.rows), t, t)
		types := []string{fmt.Sprintf("memref<2x%s, strided<[1], offset: ?>>", t), fmt.Sprintf("memref<2x%s, strided<[2], offset: ?>>", t)}
		if g.r.IntN(2) == 0 {
			g.line("memref.copy %s, %s : %s to %s", from, to, types[0], types[1])
		} else {
			g.line("memref.copy %s, %s : %s to %s", to, from, types[1], types[0])
		}
	case 10:
		g.line("%s = tensor.insert_slice %s into %s[0] [4] [1] : tensor<4x%s> into tensor<4x%s>", to, one(g.r, g.tensors), one(g.r, g.tensors), t, t)
		g.tensors = append(g.tensors, to)
	case 11:
		from, at := g.name(), g.r.IntN(3)
		g.line("%s = tensor.extract_slice %s[%d] [2] [1] : tensor<4x%s> to tensor<2x%s>", from, one(g.r, g.tensors), at, t, t)
		g.line("%s = tensor.insert_slice %s into %s[%s] [2] [1] : tensor<2x%s> into tensor<4x%s>", to, from, one(g.r, g.tensors), g.pick("%c0 %c1 %c2"), t, t)
		g.tensors = append(g.tensors, to)
	case 12:
		if strings.Contains(t, "vector") {
			return // of which there are no such tensors
		}
		g.line("%s = tensor.splat %s : tensor<4x%s>", to, g.element(), t)
		g.tensors = append(g.tensors, to)
	default:
		if strings.Contains(t, "vector") {
			return
		}
		m := one(g.r, g.buffers)
		if g.r.IntN(2) == 0 {
			g.line("linalg.map ins(%s : memref<4x%s>) outs(%s : memref<4x%s>) (%%in: %s) {\n    linalg.yield %%in : %s\n  }", m, t, one(g.r, g.buffers), t, t, t)
			return
		}
		g.line("%s = vector.load %s[%%c0] : memref<4x%s>, vector<2x%s>", to, m, t, t)
		g.line("vector.store %s, %s[%s] : memref<4x%s>, vector<2x%s>", to, one(g.r, g.buffers), g.pick("%c0 %c1 %c2"), t, t)
	}
}

func undefinedProgram(r *rand.Rand) program {
	g := &undefinedGen{elem: strings.Fields("i8 i32 f32 f64 i100 index i1 f80 f16 vector<2xi8>")[r.IntN(10)]}
	g.r = r
	t := g.elem
	g.line("func.func @f(%%x: %s, %%a: memref<4x%s>, %%t: tensor<4x%s>, %%m: memref<2x2x%s>) -> %s {", t, t, t, t, t)
	for i := range 4 {
		g.line("%%c%d = arith.constant %d : index", i, i)
	}
	g.buffers, g.tensors, g.rows = []string{"%a", "%b"}, []string{"%t", "%e"}, []string{"%m"}
	g.line("%%b = memref.alloca() : memref<4x%s>\n  %%e = tensor.empty() : tensor<4x%s>", t, t)
	for range 2 + r.IntN(10) {
		g.statement()
	}
	// What is needed is mostly one of a few.
	v := "%x"
	if r.IntN(3) > 0 {
		for v == "%x" {
			v = g.element()
		}
	}
	g.line("return %s : %s\n}", v, t)
	return program{"undefined", strings.Join(slices.Clone(g.lines), "\n")}
}

// Both engines agree about which elements are undefined, wherever these are copied, and where one is needed.
func TestUndefinedPrograms(t *testing.T) {
	var list []program
	for seed := range uint64(1500) {
		list = append(list, undefinedProgram(rand.New(rand.NewPCG(seed, 67))))
	}
	compareAll(t, list, 2)
}
