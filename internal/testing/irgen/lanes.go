package irgen

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// laneForms are those of all operations that compute with vectors.
var laneForms = sync.OnceValue(func() [][]form {
	types := []string{"vector<4xi32>", "vector<2x4xi32>", "vector<4x2xi32>", "vector<1x4xi32>", "vector<2xi32>", "vector<4xf32>", "vector<4xi1>", "i32", "f32", "index"}
	attrs := []string{"array<i64: 0>", "array<i64: 1>", "array<i64: 1, 0>", "array<i64: 0, 1>", "array<i64: 3, 2, 1, 0>", "array<i64: 0, 5>", "array<i64>", "[0]", "[1]", "[2]", "[0, 0]", "[1, 0]", "[0, 2]", "[1, 1]", "[1, 2]", "[]",
		"[affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>]", "[affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>]",
		"[#vector.iterator_type<reduction>, #vector.iterator_type<parallel>]", "[#vector.iterator_type<reduction>]", "affine_map<(d0) -> (d0)>", "[true]", "[false]", "0 : i64", "1 : i64", "2 : i64"}
	return findForms(world{types: types, attrs: attrs}, isVector, func(op *ir.Op) bool {
		return op.NumResults() > 0 && interfaces.IsMemoryEffectFree(op) && !op.Has(ir.TraitConstantLike)
	})
})

// Lanes returns a module whose function @main computes with vectors by operations of any dialect, made up from their definitions. All
// that is computed is returned, or what comes of it when an element is changed; and vectors are used again after others were made of them, the
// arguments at last.
func Lanes(choose Chooser, size int) string {
	g := &algebraGen{cornerGen: cornerGen{writer: writer{choose: choose, indent: 1}}, values: map[string][]string{}}
	inputs := []value{{"%v0", "vector<4xi32>"}, {"%v1", "vector<4xi32>"}, {"%w0", "vector<2x4xi32>"}, {"%f0", "vector<4xf32>"}, {"%u0", "vector<2xi32>"},
		{"%r0", "vector<1x4xi32>"}, {"%b0", "vector<4xi1>"}, {"%x", "i32"}, {"%y", "f32"}}
	program := func() string {
		w, results := writer{}, append(slices.Clone(g.results), inputs[:7]...)
		w.line("func.func @main(%s) -> (%s) {", params(inputs), typesOf(results))
		w.constants()
		w.text.WriteString(g.text.String())
		w.line("  return%s", returned(results))
		w.line("}")
		return w.text.String()
	}
	for _, in := range inputs[:7] { // what the program computes has memory of its own
		op := "arith.addi"
		if strings.Contains(in.typ, "f32") {
			op = "arith.addf"
		}
		g.show(g.def("%s %s, %s : %s", op, in.name, in.name, in.typ), in.typ)
	}
	return g.gather(3+choose(1+size/4), runs, func() {
		g.see(append(inputs, g.results...))
		f := g.form(laneForms())
		names := make([]string, len(f.in))
		for i, t := range f.in {
			names[i] = g.lane(t)
		}
		def, results := g.freshN(len(f.out))
		g.line("%s = %s", def, f.text(names))
		for i, r := range results {
			g.show(g.changed(r, f.out[i], mayShare(&f, i)), f.out[i])
		}
	}, program)
}

// mayShare tells whether a result may be an operand as it is, of an operation that isn't known to compute each element.
func mayShare(f *form, result int) bool {
	_, computes := exec.Elementwise.OfName(f.op)
	return !computes && slices.Contains(f.in, f.out[result])
}

// lanePositions are elements of vectors.
var lanePositions = map[string]string{"vector<4xi32>": "2", "vector<2x4xi32>": "1, 0", "vector<4x2xi32>": "3, 1", "vector<1x4xi32>": "0, 3", "vector<2xi32>": "1",
	"vector<4xf32>": "3", "vector<4xi1>": "0"}

// changed returns a value, or, of a vector, always or every third time, what is left when an element was changed and nothing else uses it any more.
func (g *algebraGen) changed(v, t string, always bool) string {
	at, ok := lanePositions[t]
	if !ok || !always && g.choose(3) > 0 {
		return v
	}
	element := strings.TrimSuffix(t[strings.LastIndex(t, "x")+1:], ">")
	n := g.lane(element)
	return g.def("vector.insert %s, %s [%s] : %s into %s", n, v, at, element, t)
}

// lane returns a value of a type: one of the last ones, or a constant.
func (g *algebraGen) lane(t string) string {
	if old := g.values[t]; len(old) > 0 && g.choose(3) > 0 {
		return old[len(old)-1-g.choose(min(len(old), 3))]
	}
	if t == "index" {
		return fmt.Sprintf("%%c%d", g.choose(2))
	}
	number := pick(&g.writer, []string{"0", "1", "-1", "7", "2147483647"})
	switch {
	case strings.Contains(t, "f32"):
		number = pick(&g.writer, []string{"0.0", "-0.0", "1.0", "0x7F800000", "2.5"})
	case strings.Contains(t, "i1>"):
		number = pick(&g.writer, []string{"true", "false", "[true, false, true, true]"})
	}
	if !strings.HasPrefix(t, "vector") {
		return g.def("arith.constant %s : %s", number, t)
	}
	return g.def("arith.constant dense<%s> : %s", number, t)
}
