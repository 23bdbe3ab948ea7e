package irgen

import (
	"slices"
	"strings"
	"sync"

	"freehold/dialect/chlo"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// frontEnds are the dialects that front ends write, whose operations are executed once they are lowered.
var frontEnds = []string{"tosa", "stablehlo", "chlo"}

// importedForms are those of all their operations without regions that compute with tensors.
var importedForms = sync.OnceValue(func() [][]form {
	types := []string{floats, "tensor<2x3xi32>", "tensor<2x3xi1>", "tensor<3x2xf32>", "tensor<1x3xf32>", "tensor<1x2x3xf32>", "tensor<6xf32>", "tensor<f32>", "tensor<i32>", "!tosa.shape<2>"}
	attrs := []string{"array<i32: 1, 0>", "array<i64: 1, 0>", "array<i64: 0, 0>", "array<i64: 2, 3>", "array<i64: 1, 1>", "array<i64: 3, 2>", "array<i64: 6>", "array<i64: 0, 1>", "array<i32: 0, 1>",
		"0 : i32", "1 : i32", "0 : i64", "1 : i64", "0.5 : f32", "-1.0 : f32", "1.0 : f32", "0 : i8", "false", "true"}
	return findForms(world{types: types, attrs: attrs, unexecuted: true}, ir.IsTensor, func(op *ir.Op) bool {
		return slices.Contains(frontEnds, op.Dialect().Name) && interfaces.IsMemoryEffectFree(op) && !op.Has(ir.TraitConstantLike) && !hasTwoAccuracies(op)
	})
})

// hasTwoAccuracies tells whether an operation is one of math by stablehlo-to-linalg, and a formula of stablehlo, whose last bits differ, by chlo-to-stablehlo.
func hasTwoAccuracies(op *ir.Op) bool {
	name, ok := strings.CutPrefix(op.Name(), chlo.Dialect.Name+".")
	return ok && op.Context().OpName("math."+name) != nil
}

// Imported returns a module whose function @main computes with tensors by operations of the dialects that front ends write, made up from their
// definitions. Constants are such at which something changes: zeros of either sign, units, infinity.
func Imported(choose Chooser, size int) string {
	g := &algebraGen{cornerGen: cornerGen{writer: writer{choose: choose, indent: 1}}, values: map[string][]string{}}
	inputs := []value{{"%a0", floats}, {"%a1", floats}, {"%b0", "tensor<2x3xi32>"}, {"%c", "tensor<2x3xi1>"}}
	program := func() string {
		w := writer{}
		w.line("func.func @main(%s) -> (%s) {", params(inputs), typesOf(g.results))
		w.text.WriteString(g.text.String())
		w.line("  return%s", returned(g.results))
		w.line("}")
		return w.text.String()
	}
	// What one needs of the other may not be what it is, such as a constant permutation.
	return g.gather(1+choose(1+size/12), isValid, func() {
		g.see(append(inputs, g.results...))
		f := g.form(importedForms())
		names := make([]string, len(f.in))
		for i, t := range f.in {
			names[i] = g.imported(t)
		}
		def, results := g.freshN(len(f.out))
		g.line("%s = %s", def, f.text(names))
		for i, r := range results {
			g.show(r, f.out[i])
		}
	}, program)
}

// imported returns a value of a type: one that there is, or a constant.
func (g *algebraGen) imported(t string) string {
	if old := g.values[t]; len(old) > 0 && g.choose(3) > 0 {
		return pick(&g.writer, old)
	}
	if t == "!tosa.shape<2>" {
		return g.def("tosa.const_shape {value = dense<[2, 3]> : tensor<2xindex>} : () -> %s", t)
	}
	number := pick(&g.writer, []string{"0", "1", "-1", "2"})
	switch {
	case strings.HasSuffix(t, "f32>"):
		number = pick(&g.writer, []string{"0.0", "-0.0", "1.0", "0x7F800000", "2.5"})
	case strings.HasSuffix(t, "i1>"):
		number = pick(&g.writer, []string{"true", "false"})
	}
	if g.flip() {
		return g.def("stablehlo.constant dense<%s> : %s", number, t)
	}
	return g.def("\"tosa.const\"() <{value = dense<%s> : %s}> : () -> %s", number, t, t)
}
