package irgen

import (
	"fmt"
	"strings"
)

// Types of the values in programs of [Calls]: a matrix, what slices of its rows are, and what arguments
// tell.
const (
	matrix = "tensor<8x8xf32>"
	half   = "tensor<4x8xf32>"
	single = "tensor<1x8xf32>"
	row    = "tensor<8xf32>"
)

var rowTypes = []string{row, half, single}

// rowsOf are how many rows of a matrix a slice has.
var rowsOf = map[string]int{row: 1, half: 4, single: 1}

// callee is a private function that may be called.
type callee struct {
	name          string
	args, results []string
}

// callGen writes functions that call the ones before them.
type callGen struct {
	writer
	scope   *scope
	callees []callee
	budget  int
	depth   int
}

// Calls returns a module of about size operations with private functions, whose function @main calls them, in
// loops and branches, too. They get and return matrices, and slices of these: as they were, new, changed, one several
// times, or only some of them.
func Calls(choose Chooser, size int) string {
	g := &callGen{writer: writer{choose: choose}}
	n := 1 + g.choose(3)
	for i := range n {
		var args, results []string
		for range 1 + g.choose(4) {
			args = append(args, pick(&g.writer, []string{matrix, row, matrix, half, single, "i1", "index"}))
		}
		for range 1 + g.choose(3) {
			results = append(results, pick(&g.writer, []string{matrix, row, half}))
		}
		g.budget = size / (n + 1)
		g.function("private @f"+fmt.Sprint(i), args, results)
		g.callees = append(g.callees, callee{"@f" + fmt.Sprint(i), args, results})
	}
	g.budget = size / 2
	results := []string{pick(&g.writer, []string{matrix, row})}
	g.function("@main", []string{matrix, row, matrix, "i1", "i1", "index"}, results)
	return g.text.String()
}

func (g *callGen) open()  { g.scope = &scope{outer: g.scope}; g.indent++; g.depth++ }
func (g *callGen) close() { g.scope = g.scope.outer; g.indent--; g.depth-- }

func (g *callGen) add(name, typ string) string {
	g.scope.values = append(g.scope.values, value{name, typ})
	return name
}

// def writes an operation with one result.
func (g *callGen) def(typ, format string, args ...any) string {
	v := g.fresh()
	g.line("%s = %s", v, fmt.Sprintf(format, args...))
	return g.add(v, typ)
}

func (g *callGen) function(name string, args, results []string) {
	g.names, g.scope, g.depth = 0, nil, 0
	var params []string
	for i, t := range args {
		params = append(params, fmt.Sprintf("%%a%d: %s", i, t))
	}
	g.line("func.func %s(%s) -> (%s) {", name, strings.Join(params, ", "), strings.Join(results, ", "))
	g.open()
	for i, t := range args {
		if t == "index" {
			g.line("%%last%d = arith.constant 7 : index", i)
			g.def(t, "arith.andi %%a%d, %%last%d : index", i, i)
		} else {
			g.add(fmt.Sprintf("%%a%d", i), t)
		}
	}
	for i, n := range []int{0, 1, 3} {
		g.line("%%c%d = arith.constant %d : index", n, n)
		g.line("%%x%d = arith.constant %d.5 : f32", n, i)
	}
	for g.budget > 0 {
		g.statement()
	}
	values := make([]string, len(results))
	for i, t := range results {
		values[i] = g.tensor(t)
	}
	g.line("return %s : %s", strings.Join(values, ", "), strings.Join(results, ", "))
	g.close()
	g.line("}")
}

// tensor returns a tensor that there is, one of the last ones most often, or a new one.
func (g *callGen) tensor(t string) string {
	if list := g.scope.of(t); len(list) > 0 && g.choose(7) < 6 {
		return list[len(list)-1-g.choose(min(len(list), 5))]
	}
	v := g.fresh()
	g.line("%s = tensor.empty() : %s", v, t)
	return g.def(t, "linalg.fill ins(%%x%d : f32) outs(%s : %s) -> %s", pick(&g.writer, []int{0, 1, 3}), v, t, t)
}

// condition returns a boolean: an argument, or one that says which iteration it is.
func (g *callGen) condition() string {
	if list := g.scope.of("i1"); len(list) > 0 {
		return pick(&g.writer, list)
	}
	return g.def("i1", "arith.cmpi ult, %s, %%c1 : index", g.index())
}

func (g *callGen) index() string {
	if list := g.scope.of("index"); len(list) > 0 && g.flip() {
		return pick(&g.writer, list)
	}
	return pick(&g.writer, []string{"%c0", "%c1", "%c3"})
}

// rows returns the part of a matrix that a slice is.
func (g *callGen) rows(t string) string {
	first := g.index()
	if t == half || g.flip() {
		first = pick(&g.writer, []string{"0", "2", "4"})
	}
	return fmt.Sprintf("[%s, 0] [%d, 8] [1, 1]", first, rowsOf[t])
}

func (g *callGen) slice(m, t, rows string) string {
	return g.def(t, "tensor.extract_slice %s%s : %s to %s", m, rows, matrix, t)
}

func (g *callGen) insertion(v, t, m, rows string) {
	g.def(matrix, "tensor.insert_slice %s into %s%s : %s into %s", v, m, rows, t, matrix)
}

func (g *callGen) statement() {
	g.budget--
	deep := g.depth > 3 || g.budget < 3
	switch k := g.choose(9); {
	case k == 1:
		t := pick(&g.writer, rowTypes)
		g.slice(g.tensor(matrix), t, g.rows(t))
	case k == 2:
		t := pick(&g.writer, rowTypes)
		g.insertion(g.tensor(t), t, g.tensor(matrix), g.rows(t))
	case k == 3 && !deep:
		g.branch()
	case k == 4 && !deep:
		g.loop()
	case k >= 5 && len(g.callees) > 0:
		g.call()
	default:
		g.compute(pick(&g.writer, []string{matrix, row, matrix, half, single}))
	}
}

func (g *callGen) compute(t string) string {
	a, b := g.tensor(t), g.tensor(t)
	var into string
	if g.flip() {
		into = g.tensor(t)
	} else {
		into = g.fresh()
		g.line("%s = tensor.empty() : %s", into, t)
	}
	name := pick(&g.writer, []string{"addf", "mulf", "subf", "maximumf"})
	return g.def(t, "linalg.map { arith.%s } ins(%s, %s : %s, %s) outs(%s : %s)", name, a, b, t, t, into, t)
}

// branch writes a conditional that hands on tensors, or a slice that is put back then.
func (g *callGen) branch() {
	var types, before []string
	var m, rows string
	back := g.choose(3) == 2
	if back {
		types = []string{pick(&g.writer, rowTypes)}
		m, rows = g.tensor(matrix), g.rows(types[0])
		before = []string{g.slice(m, types[0], rows)}
	} else {
		for range 1 + g.choose(2) {
			types = append(types, pick(&g.writer, []string{matrix, row, half}))
			before = append(before, g.tensor(types[len(types)-1]))
		}
	}
	c := g.condition()
	def, names := g.freshN(len(types))
	list := strings.Join(types, ", ")
	g.line("%s = scf.if %s -> (%s) {", def, c, list)
	g.arm(types, before)
	g.line("} else {")
	g.arm(types, before)
	g.line("}")
	for i, t := range types {
		g.add(names[i], t)
	}
	if back {
		g.insertion(names[0], types[0], m, rows)
	}
}

// arm writes one side of a conditional.
func (g *callGen) arm(types, before []string) {
	g.open()
	for range g.choose(3) {
		g.statement()
	}
	values := make([]string, len(types))
	for i, t := range types {
		switch g.choose(3) {
		case 0:
			values[i] = before[i]
		case 1:
			values[i] = g.compute(t)
		default:
			values[i] = g.tensor(t)
		}
	}
	g.line("scf.yield %s : %s", strings.Join(values, ", "), strings.Join(types, ", "))
	g.close()
}

func (g *callGen) loop() {
	var types, args, inits []string
	for range 1 + g.choose(2) {
		t := pick(&g.writer, []string{matrix, row})
		a := g.fresh()
		types, args = append(types, t), append(args, a)
		inits = append(inits, a+" = "+g.tensor(t))
	}
	i, end := g.fresh(), pick(&g.writer, []string{"%c3", "%c1", "%c0", g.index()})
	def, names := g.freshN(len(types))
	list := strings.Join(types, ", ")
	g.line("%s = scf.for %s = %%c0 to %s step %%c1 iter_args(%s) -> (%s) {", def, i, end, strings.Join(inits, ", "), list)
	g.open()
	g.add(i, "index")
	for k, t := range types {
		g.add(args[k], t)
	}
	for range 1 + g.choose(3) {
		g.statement()
	}
	values := make([]string, len(types))
	for k, t := range types {
		values[k] = g.tensor(t)
	}
	g.line("scf.yield %s : %s", strings.Join(values, ", "), list)
	g.close()
	g.line("}")
	for k, t := range types {
		g.add(names[k], t)
	}
}

func (g *callGen) call() {
	f := pick(&g.writer, g.callees)
	args := make([]string, len(f.args))
	for i, t := range f.args {
		switch {
		case t == "i1":
			args[i] = g.condition()
		case t == "index":
			args[i] = g.index()
		case t != matrix && g.choose(3) == 2:
			args[i] = g.slice(g.tensor(matrix), t, g.rows(t))
		default:
			args[i] = g.tensor(t)
		}
	}
	def, names := g.freshN(len(f.results))
	g.line("%s = func.call %s(%s) : (%s) -> (%s)", def, f.name, strings.Join(args, ", "), strings.Join(f.args, ", "), strings.Join(f.results, ", "))
	for i, t := range f.results {
		g.add(names[i], t)
	}
}
