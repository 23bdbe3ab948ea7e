package irgen

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"freehold/dialect/shape"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// The types of programs of [Algebra].
const (
	matrixType = "tensor<4x4xi32>"
	pieces     = "tensor<16xi32>"
	vague      = "tensor<?x4xi32>"
	floats     = "tensor<2x3xf32>"
	wideMat    = "tensor<8x8xi32>"
)

// algebraForms are those of all operations that compute with tensors.
var algebraForms = sync.OnceValue(func() [][]form {
	types := []string{matrixType, pieces, vague, floats, "tensor<1x4x4x1xi32>", "tensor<4xi32>", "tensor<i32>", "tensor<4x4xi1>", "tensor<2xindex>", "index", "i32", "f32", "i1", "vector<4xi32>", "vector<4xi1>"}
	attrs := []string{"affine_map<(d0, d1) -> (d1)>", "affine_map<(d0, d1) -> (d0, d1)>", "array<i64: 0, 0>", "array<i64: 4, 4>", "array<i64: 1, 1>", "array<i64: 0>", "array<i64: 4>", "array<i64: 1, 0>",
		"[[0, 1]]", "[[0], [1]]", "[true]", "[false]", "0 : i64", "1 : i64", "0 : i32", "1 : i32", "0 : i8", "false", "true", "dense<1> : tensor<4x4xi32>", "dense<0.0> : tensor<2x3xf32>"}
	return findForms(world{types: types, attrs: attrs, defined: true}, ir.IsTensor, func(op *ir.Op) bool {
		return interfaces.IsMemoryEffectFree(op) && !op.Has(ir.TraitConstantLike) && !op.Is(shape.SplitAt) && meansTensors(op) && !slices.ContainsFunc(ir.TypesOf(op.Results().Values()), ir.IsMemRef)
	})
})

// meansTensors tells whether an operation that may take vectors and tensors means tensors: some are accepted for any type, and mean nothing.
// That the parts of shapes fit their types isn't checked when they are executed.
func meansTensors(op *ir.Op) bool {
	types := append(ir.TypesOf(op.Operands().Values()), ir.TypesOf(op.Results().Values())...)
	return !slices.ContainsFunc(types, isVector) || interfaces.Bufferizable.Has(op)
}

// algebraGen writes programs of operations on tensors.
type algebraGen struct {
	cornerGen
	values map[string][]string
}

// Algebra returns a module whose function @main computes with tensors by operations of any dialect, made up from their definitions. Their
// operands are arguments, constants, parts of other tensors, casts, what was computed before; what they compute is returned, or inserted into
// larger tensors.
func Algebra(choose Chooser, size int) string {
	g := &algebraGen{cornerGen: cornerGen{writer: writer{choose: choose, indent: 1}}, values: map[string][]string{}}
	return g.gather(3+choose(1+size/4), runs, g.compute, g.program)
}

// compute writes an operation, and what makes its operands.
func (g *algebraGen) compute() {
	clear(g.values) // what was written with them may be gone
	for range 1 + g.choose(3) {
		f := g.form(algebraForms())
		names := make([]string, len(f.in))
		for i, t := range f.in {
			names[i] = g.operand(t)
		}
		def, results := g.freshN(len(f.out))
		g.line("%s = %s", def, f.text(names))
		for i, r := range results {
			g.made(r, f.out[i])
		}
	}
}

func (g *algebraGen) program() string {
	w := writer{}
	w.line("func.func @main(%%a0: %s, %%a1: %s, %%big: %s, %%f0: %s, %%x: i32, %%y: f32) -> (%s) {", matrixType, matrixType, wideMat, floats, typesOf(g.results))
	w.constants()
	w.text.WriteString(g.text.String())
	w.line("  return%s", returned(g.results))
	w.line("}")
	return w.text.String()
}

// see sets the values that there are.
func (g *algebraGen) see(values []value) {
	clear(g.values)
	for _, v := range values {
		g.values[v.typ] = append(g.values[v.typ], v.name)
	}
}

// made notes a value that an operation has computed, which is shown, or becomes a part of another tensor.
func (g *algebraGen) made(v, t string) {
	g.values[t] = append(g.values[t], v)
	if t == matrixType && g.choose(3) == 0 {
		at := []string{"[0, 2] [4, 4] [1, 1]", "[0, 0] [4, 4] [1, 2]", "[1, 0] [4, 4] [2, 1]"}[g.choose(3)]
		g.show(g.def("tensor.insert_slice %s into %%big%s : %s into %s", v, at, matrixType, wideMat), wideMat)
		return
	}
	if strings.HasPrefix(t, "tensor<") && g.flip() {
		return // others may use it, or nobody
	}
	g.show(v, t)
}

// operand returns a value of a type.
func (g *algebraGen) operand(t string) string {
	if old := g.values[t]; len(old) > 0 && g.choose(3) > 0 {
		return old[len(old)-1-g.choose(min(3, len(old)))]
	}
	switch t {
	case "index":
		return fmt.Sprintf("%%c%d", g.choose(3))
	case "i32":
		return "%x"
	case "f32":
		return "%y"
	case "i1":
		return g.def("arith.constant %s", []string{"false", "true"}[g.choose(2)])
	case "vector<4xi32>":
		return g.def("arith.constant dense<%s> : %s", pick(&g.writer, []string{"[0, 1, 2, 3]", "[0, 3, 5, 6]"}), t)
	case "vector<4xi1>":
		return g.mask()
	case "tensor<4x4xi1>":
		zero := g.def("arith.constant dense<%d> : %s", g.choose(3), matrixType)
		return g.def("arith.cmpi slt, %%a0, %s : %s", zero, matrixType)
	case "tensor<2xindex>":
		return g.def("arith.constant dense<%s> : %s", pick(&g.writer, []string{"[4, 4]", "[4, 1]", "[0, 1]"}), t)
	case floats:
		return g.floats()
	case vague:
		return g.def("tensor.cast %s : %s to %s", g.matrix(), matrixType, vague)
	case matrixType:
		return g.matrix()
	case pieces:
		return g.def("tensor.collapse_shape %s [[0, 1]] : %s into %s", g.matrix(), matrixType, pieces)
	case "tensor<4xi32>":
		return g.def("tensor.extract_slice %s[%%c%d, 0] [1, 4] [1, 1] : %s to %s", g.matrix(), g.choose(4), matrixType, t)
	case "tensor<1x4x4x1xi32>":
		return g.def("tensor.expand_shape %s [[0, 1], [2, 3]] output_shape [1, 4, 4, 1] : %s into %s", g.matrix(), matrixType, t)
	}
	e := strings.TrimSuffix(strings.TrimPrefix(t, "tensor<"), ">")
	return g.def("tensor.from_elements %s : %s", g.operand(e), t)
}

// floats returns a tensor of floating-point numbers: an argument, or a constant of zeros of either sign, or units.
func (g *algebraGen) floats() string {
	if g.flip() {
		return "%f0"
	}
	return g.def("arith.constant dense<%s> : %s", pick(&g.writer, []string{"0.0", "-0.0", "1.0", "0x7F800000"}), floats)
}

// matrix returns a matrix from anywhere.
func (g *algebraGen) matrix() string {
	switch g.choose(7) {
	case 0:
		return g.def("tensor.extract_slice %%big%s : %s to %s", pick(&g.writer, []string{"[0, 2] [4, 4] [1, 1]", "[0, 0] [4, 4] [1, 2]", "[1, 0] [4, 4] [2, 1]"}), wideMat, matrixType)
	case 1:
		e := g.def("tensor.empty() : %s", matrixType)
		return g.def("linalg.fill ins(%%x : i32) outs(%s : %s) -> %s", e, matrixType, matrixType)
	case 2:
		return g.def("arith.constant dense<%s> : %s", pick(&g.writer, []string{"0", "1", "-1", "2147483647"}), matrixType)
	case 3:
		return g.tensor()
	}
	return pick(&g.writer, []string{"%a0", "%a1"})
}
