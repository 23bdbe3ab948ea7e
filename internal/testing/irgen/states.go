package irgen

import (
	"fmt"
	"strings"
)

// Types of the tensors in programs of [Loops].
var stateTypes = []string{"tensor<8xf32>", "tensor<8xf32>", "tensor<2x3xi32>"}

// stateGen writes loops that hand on several tensors.
type stateGen struct {
	writer
	scope  *scope
	depth  int
	budget int
}

// Loops returns a module of about size operations whose function @main has loops, most of them scf.while, that work before
// or after their condition and hand on several tensors: as they were, new, changed, or each in the place of another. What
// is computed is computed into tensors from the loop or from before it.
func Loops(choose Chooser, size int) string {
	g := &stateGen{writer: writer{choose: choose}, budget: size}
	var args []value
	for range 1 + g.choose(3) {
		args = append(args, value{g.fresh(), pick(&g.writer, stateTypes)})
	}
	g.open()
	g.scope.values = append(g.scope.values, args...)
	for i, n := range []int{0, 1, 2, 3} {
		args := g.constant("index", fmt.Sprint(n))
		g.scope.values = append(g.scope.values, value{args, fmt.Sprintf("index<%d>", i)})
	}
	for _, t := range stateTypes[1:] {
		for range g.choose(2) {
			g.add(g.empty(t), "empty "+t)
		}
	}
	g.statements(1 + g.choose(3))
	g.loop()
	for g.budget > 0 {
		g.statements(1)
	}
	var out []value
	for range 1 + g.choose(3) {
		t := pick(&g.writer, stateTypes)
		out = append(out, value{g.tensor(t), t})
	}
	g.line("return %s : %s", namesOf(out), typesOf(out))
	body := g.text.String()
	return fmt.Sprintf("func.func @main(%s) -> (%s) {\n%s}\n", params(args), typesOf(out), body)
}

func (g *stateGen) open()  { g.scope = &scope{outer: g.scope}; g.indent++; g.depth++ }
func (g *stateGen) close() { g.scope = g.scope.outer; g.indent--; g.depth-- }

func (g *stateGen) add(name, typ string) {
	g.scope.values = append(g.scope.values, value{name, typ})
}

func (g *stateGen) constant(typ, n string) string {
	v := g.fresh()
	g.line("%s = arith.constant %s : %s", v, n, typ)
	return v
}

// number returns one of the constants from 0 to 3.
func (g *stateGen) number(n int) string { return g.scope.of(fmt.Sprintf("index<%d>", n))[0] }

func elementOf(t string) string { return t[strings.LastIndexByte(t, 'x')+1 : len(t)-1] }

func (g *stateGen) scalar(t string) string {
	if elementOf(t) == "f32" {
		return g.constant("f32", pick(&g.writer, []string{"1.0", "-0.5", "2.0"}))
	}
	return g.constant("i32", pick(&g.writer, []string{"1", "-3", "2"}))
}

func (g *stateGen) empty(t string) string {
	v := g.fresh()
	g.line("%s = tensor.empty() : %s", v, t)
	return v
}

// tensor returns a tensor that there is, one of the last ones most often, or a new one.
func (g *stateGen) tensor(t string) string {
	list := g.scope.of(t)
	if len(list) == 0 || g.choose(12) == 11 {
		v := g.fresh()
		g.line("%s = linalg.fill ins(%s : %s) outs(%s : %s) -> %s", v, g.scalar(t), elementOf(t), g.dest(t), t, t)
		g.add(v, t)
		return v
	}
	return list[len(list)-1-g.choose(min(len(list), 4))]
}

// dest returns a tensor to compute into all of which is overwritten.
func (g *stateGen) dest(t string) string {
	switch g.choose(4) {
	case 1:
		if list := g.scope.of("empty " + t); len(list) > 0 {
			return pick(&g.writer, list)
		}
	case 2:
		if list := g.scope.of(t); len(list) > 0 {
			return pick(&g.writer, list)
		}
	}
	return g.empty(t)
}

func (g *stateGen) statements(n int) {
	for range n {
		g.budget--
		if g.depth < 4 && g.budget > 4 && g.choose(7) == 6 {
			g.loop()
			continue
		}
		g.statement()
	}
}

func (g *stateGen) statement() {
	t := pick(&g.writer, stateTypes)
	float := elementOf(t) == "f32"
	maps := "affine_map<(i) -> (i)>"
	iterators := `"parallel"`
	if !float {
		maps, iterators = "affine_map<(i, j) -> (i, j)>", `"parallel", "parallel"`
	}
	a, b := g.tensor(t), g.tensor(t)
	sum := map[bool]string{true: "addf", false: "addi"}[float]
	e := elementOf(t)
	var v string
	switch g.choose(7) {
	case 0, 1:
		name := pick(&g.writer, []string{"add", "sub", "mul"})
		d := g.dest(t)
		v = g.fresh()
		g.line("%s = linalg.%s ins(%s, %s : %s, %s) outs(%s : %s) -> %s", v, name, a, b, t, t, d, t, t)
	case 2: // accumulates
		v = g.fresh()
		g.line("%s = linalg.generic {indexing_maps = [%s, %s], iterator_types = [%s]} ins(%s : %s) outs(%s : %s) {", v, maps, maps, iterators, a, t, b, t)
		g.line("^bb0(%%p: %s, %%q: %s):", e, e)
		g.line("  %%s = arith.%s %%p, %%q : %s", sum, e)
		g.line("  linalg.yield %%s : %s", e)
		g.line("} -> %s", t)
	case 3: // reads one of both in another order
		d, rank := g.dest(t), strings.Count(t, "x")
		v = g.fresh()
		g.line("%s = linalg.generic {indexing_maps = [%s, %s], iterator_types = [%s]} ins(%s : %s) outs(%s : %s) {", v, maps, maps, iterators, a, t, d, t)
		g.line("^bb0(%%p: %s, %%q: %s):", e, e)
		at := []string{"%l", "%l2"}[:rank]
		for i := range at {
			g.line("  %%k%d = linalg.index %d : index", i, i)
			g.line("  %%c%d = arith.constant %d : index", i, map[string][]int{"f32": {7}, "i32": {1, 2}}[e][i])
			g.line("  %s = arith.subi %%c%d, %%k%d : index", at[i], i, i)
		}
		g.line("  %%r = tensor.extract %s[%s] : %s", b, strings.Join(at, ", "), t)
		g.line("  %%s = arith.%s %%p, %%r : %s", sum, e)
		g.line("  linalg.yield %%s : %s", e)
		g.line("} -> %s", t)
	case 4:
		x, at := g.scalar(t), g.number(g.choose(2))
		if !float {
			at += ", " + g.number(g.choose(3))
		}
		v = g.fresh()
		g.line("%s = tensor.insert %s into %s[%s] : %s", v, x, a, at, t)
	case 5:
		part, slice := g.fresh(), "[2] [3] [1]"
		typ := "tensor<3xf32>"
		if !float {
			slice, typ = "[1, 0] [1, 3] [1, 1]", "tensor<1x3xi32>"
		}
		g.line("%s = tensor.extract_slice %s%s : %s to %s", part, a, slice, t, typ)
		v = g.fresh()
		g.line("%s = tensor.insert_slice %s into %s%s : %s into %s", v, part, b, slice, typ, t)
	case 6:
		c := g.condition(a, t)
		v = g.fresh()
		if g.flip() {
			g.line("%s = arith.select %s, %s, %s : %s", v, c, a, b, t)
			break
		}
		g.line("%s = scf.if %s -> (%s) {", v, c, t)
		g.branch(t)
		g.line("} else {")
		g.branch(t)
		g.line("}")
	}
	g.add(v, t)
}

func (g *stateGen) branch(t string) {
	g.open()
	if g.flip() {
		g.statement()
	}
	g.line("scf.yield %s : %s", g.tensor(t), t)
	g.close()
}

// condition compares an element of a tensor with a number.
func (g *stateGen) condition(v, t string) string {
	x, c := g.fresh(), g.fresh()
	if elementOf(t) == "f32" {
		g.line("%s = tensor.extract %s[%s] : %s", x, v, g.number(g.choose(4)), t)
		g.line("%s = arith.cmpf olt, %s, %s : f32", c, x, g.scalar(t))
	} else {
		g.line("%s = tensor.extract %s[%s, %s] : %s", x, v, g.number(g.choose(2)), g.number(g.choose(3)), t)
		g.line("%s = arith.cmpi slt, %s, %s : i32", c, x, g.scalar(t))
	}
	return c
}

// loop writes a loop that carries up to four tensors.
func (g *stateGen) loop() {
	var inits, args []value
	for range 1 + g.choose(4) {
		t := pick(&g.writer, stateTypes)
		inits = append(inits, value{g.tensor(t), t})
	}
	for _, v := range inits {
		args = append(args, value{g.fresh(), v.typ})
	}
	count := g.fresh()
	if g.choose(4) == 3 {
		def, names := g.freshN(len(args))
		g.line("%s = scf.for %s = %s to %s step %s iter_args(%s) -> (%s) {", def, count, g.number(0), g.number(g.choose(4)), g.number(1), pairs(args, inits), typesOf(inits))
		g.open()
		g.scope.values = append(g.scope.values, args...)
		g.statements(1 + g.choose(4))
		g.pass("scf.yield", nil, args, args)
		g.close()
		g.line("}")
		g.results(names, args)
		return
	}
	var passed []value // by their types
	for _, v := range args {
		if g.choose(8) < 7 {
			passed = append(passed, value{"", v.typ})
		}
	}
	if g.choose(4) == 3 || len(passed) == 0 {
		passed = append(passed, value{"", pick(&g.writer, stateTypes)})
	}
	def, names := g.freshN(len(passed) + 1)
	g.line("%s = scf.while (%s) : (index, %s) -> (index, %s) {", def, pairs(append([]value{{count, ""}}, args...), append([]value{{g.number(0), ""}}, inits...)), typesOf(inits), typesOf(passed))
	g.open()
	g.scope.values = append(g.scope.values, args...)
	work := g.choose(3) // before the condition, after it, or both
	if work != 1 {
		g.statements(1 + g.choose(4))
	}
	next, more := g.fresh(), g.fresh()
	g.line("%s = arith.addi %s, %s : index", next, count, g.number(1))
	g.line("%s = arith.cmpi sle, %s, %s : index", more, next, g.number(g.choose(4)))
	if g.flip() {
		c, both := g.condition(args[0].name, args[0].typ), g.fresh()
		g.line("%s = arith.andi %s, %s : i1", both, more, c)
		more = both
	}
	g.pass("scf.condition("+more+")", []value{{next, "index"}}, passed, args)
	g.close()
	g.line("} do {")
	g.open()
	after := []value{{g.fresh(), "index"}}
	for _, v := range passed {
		after = append(after, value{g.fresh(), v.typ})
	}
	g.line("^bb0(%s):", params(after))
	g.scope.values = append(g.scope.values, after[1:]...)
	if work != 0 {
		g.statements(1 + g.choose(4))
	}
	g.pass("scf.yield", after[:1], args, after[1:])
	g.close()
	g.line("}")
	g.results(names[1:], passed)
}

// pass writes a terminator that passes on values of the types of like: what the block got, in any order, or what there is.
func (g *stateGen) pass(terminator string, first, like, got []value) {
	out := first
	for _, v := range like {
		var same []string
		for _, x := range got {
			if x.typ == v.typ {
				same = append(same, x.name)
			}
		}
		name := ""
		if len(same) > 0 && g.choose(3) == 0 {
			name = pick(&g.writer, same)
		} else {
			name = g.tensor(v.typ)
		}
		out = append(out[:len(out):len(out)], value{name, v.typ})
	}
	g.line("%s %s : %s", terminator, namesOf(out), typesOf(out))
}

func (g *stateGen) results(names []string, types []value) {
	for i, v := range types {
		g.add(names[i], v.typ)
	}
}
