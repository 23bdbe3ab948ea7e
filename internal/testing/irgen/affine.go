package irgen

import (
	"fmt"
	"strings"
)

// affineGen writes functions of affine operations on one buffer.
type affineGen struct {
	writer
	scope  *scope
	depth  int
	budget int
	// serial forbids writes, since iterations run in any order.
	serial int
}

// The types under which a scope keeps what may be used where: dimensions and symbols of
// affine maps, other numbers of type index, and elements.
const (
	affineDim    = "dim"
	affineSymbol = "symbol"
	affineElem   = "i64"
	affineBuffer = "memref<7x5xi64>"
)

// Affine returns a module with a function @main of about size operations of the affine
// dialect, which reads and writes its argument inside of its bounds, and returns what it
// computed.
func Affine(choose Chooser, size int) string {
	g := &affineGen{writer: writer{choose: choose}, budget: size}
	g.scope = &scope{values: []value{{"%a", affineSymbol}, {"%b", affineSymbol}, {"%x", affineElem}}}
	g.line("func.func @main(%%m: %s, %%a: index, %%b: index, %%x: i64) -> i64 {", affineBuffer)
	g.indent++
	g.statements(3 + choose(6))
	g.line("return %s : i64", g.elem())
	g.indent--
	g.line("}")
	return g.text.String()
}

func (g *affineGen) open()  { g.scope = &scope{outer: g.scope}; g.indent++; g.depth++ }
func (g *affineGen) close() { g.scope = g.scope.outer; g.indent--; g.depth-- }

func (g *affineGen) define(name, typ string) {
	g.scope.values = append(g.scope.values, value{name, typ})
}

func (g *affineGen) elem() string {
	all := g.scope.of(affineElem)
	return all[len(all)-1-g.choose(len(all))]
}

func (g *affineGen) statements(n int) {
	for range n {
		if g.budget <= 0 {
			return
		}
		g.budget--
		if g.depth < 3 && g.choose(3) == 2 {
			pick(&g.writer, []func(){g.forOp, g.ifOp, g.parallelOp})()
		} else {
			pick(&g.writer, []func(){g.load, g.store, g.combine, g.apply, g.extreme, g.digits})()
		}
	}
}

// operands picks dimensions and symbols, and gives the arguments of a map and the names
// that its expressions may use.
func (g *affineGen) operands() (head, args string, names []string) {
	var lists [2][]string
	var letters [2][]string
	for i, typ := range []string{affineDim, affineSymbol} {
		all := g.scope.of(typ)
		for j := range g.choose(3) {
			if len(all) == 0 {
				break
			}
			lists[i] = append(lists[i], pick(&g.writer, all))
			letters[i] = append(letters[i], fmt.Sprintf("%c%d", "ds"[i], j))
		}
		names = append(names, letters[i]...)
	}
	head = "(" + strings.Join(letters[0], ", ") + ")[" + strings.Join(letters[1], ", ") + "]"
	args = "(" + strings.Join(lists[0], ", ") + ")[" + strings.Join(lists[1], ", ") + "]"
	return strings.ReplaceAll(head, "[]", ""), strings.ReplaceAll(args, "[]", ""), names
}

// expr writes an expression over the names.
func (g *affineGen) expr(names []string, depth int) string {
	if depth == 0 || g.choose(4) == 0 {
		if len(names) == 0 || g.choose(3) == 0 {
			return fmt.Sprint(g.choose(20) - 7)
		}
		return pick(&g.writer, names)
	}
	l := g.expr(names, depth-1)
	switch g.choose(6) {
	case 0:
		return fmt.Sprintf("(%s + %s)", l, g.expr(names, depth-1))
	case 1:
		return fmt.Sprintf("(%s - %s)", l, g.expr(names, depth-1))
	case 2:
		return fmt.Sprintf("(%s * %d)", l, g.choose(9)-4)
	case 3:
		return fmt.Sprintf("(%s mod %d)", l, 1+g.choose(6))
	case 4:
		return fmt.Sprintf("(%s floordiv %d)", l, 1+g.choose(6))
	}
	return fmt.Sprintf("(%s ceildiv %d)", l, 1+g.choose(6))
}

// affineMap writes a map with n results, and its arguments. limit, if positive, keeps
// the results below it.
func (g *affineGen) affineMap(n, limit int) (m, args string) {
	head, args, names := g.operands()
	results := make([]string, n)
	for i := range results {
		results[i] = g.expr(names, 3)
		if limit > 0 {
			results[i] = fmt.Sprintf("(%s) mod %d", results[i], limit)
		}
	}
	return fmt.Sprintf("affine_map<%s -> (%s)>", head, strings.Join(results, ", ")), args
}

// position writes the indices of an element.
func (g *affineGen) position() string {
	names := append(g.scope.of(affineDim), g.symbols()...)
	return fmt.Sprintf("%%m[(%s) mod 7, (%s) mod 5] : %s", g.expr(names, 2), g.expr(names, 2), affineBuffer)
}

func (g *affineGen) symbols() []string {
	var out []string
	for _, s := range g.scope.of(affineSymbol) {
		out = append(out, "symbol("+s+")")
	}
	return out
}

func (g *affineGen) load() {
	at, v := g.position(), g.fresh()
	g.line("%s = affine.load %s", v, at)
	g.define(v, affineElem)
}

func (g *affineGen) store() {
	if g.serial > 0 {
		g.load()
		return
	}
	g.line("affine.store %s, %s", g.elem(), g.position())
}

func (g *affineGen) combine() {
	a, b, v := g.elem(), g.elem(), g.fresh()
	g.line("%s = arith.%s %s, %s : i64", v, pick(&g.writer, []string{"addi", "xori"}), a, b)
	g.define(v, affineElem)
}

// asElem makes an element of a number.
func (g *affineGen) asElem(index string) {
	v := g.fresh()
	g.line("%s = arith.index_cast %s : index to i64", v, index)
	g.define(v, affineElem)
}

func (g *affineGen) apply() {
	m, args := g.affineMap(1, 0)
	v := g.fresh()
	g.line("%s = affine.apply %s%s", v, m, args)
	g.define(v, affineDim)
	g.asElem(v)
}

func (g *affineGen) extreme() {
	m, args := g.affineMap(1+g.choose(3), 0)
	v := g.fresh()
	g.line("%s = affine.%s %s%s", v, pick(&g.writer, []string{"min", "max"}), m, args)
	g.asElem(v)
}

func (g *affineGen) digits() {
	m, args := g.affineMap(1, 0)
	v := g.fresh()
	g.line("%s = affine.apply %s%s", v, m, args)
	n := 1 + g.choose(3)
	basis := make([]string, n)
	for i := range basis {
		basis[i] = g.fresh()
		g.line("%s = arith.constant %d : index", basis[i], 1+g.choose(6))
	}
	def, names := g.freshN(n)
	g.line("%s = affine.delinearize_index %s into (%s) : %s", def, v, strings.Join(basis, ", "), strings.Join(repeat("index", n), ", "))
	g.asElem(pick(&g.writer, names))
}

func (g *affineGen) body(yields int, args ...value) {
	g.open()
	g.scope.values = append(g.scope.values, args...)
	g.statements(1 + g.choose(3))
	g.yield(yields)
	g.close()
}

func (g *affineGen) yield(n int) {
	if n == 0 {
		return
	}
	values := make([]string, n)
	for i := range values {
		values[i] = g.elem()
	}
	g.line("affine.yield %s : %s", strings.Join(values, ", "), strings.Join(repeat(affineElem, n), ", "))
}

func (g *affineGen) forOp() {
	iv, arg := g.fresh(), g.fresh()
	lower, lowerArgs := g.affineMap(1+g.choose(2), 3)
	upper, upperArgs := g.affineMap(1+g.choose(2), 6)
	init := g.elem()
	r := g.fresh()
	g.line("%s = affine.for %s = max %s%s to min %s%s step %d iter_args(%s = %s) -> i64 {", r, iv, lower, lowerArgs, upper, upperArgs,
		1+g.choose(3), arg, init)
	g.body(1, value{iv, affineDim}, value{arg, affineElem})
	g.line("}")
	g.define(r, affineElem)
}

func (g *affineGen) ifOp() {
	head, args, names := g.operands()
	var conditions []string
	for range 1 + g.choose(3) {
		conditions = append(conditions, g.expr(names, 2)+pick(&g.writer, []string{" >= 0", " == 0"}))
	}
	r := g.fresh()
	g.line("%s = affine.if affine_set<%s : (%s)>%s -> i64 {", r, head, strings.Join(conditions, ", "), args)
	g.body(1)
	g.line("} else {")
	g.body(1)
	g.line("}")
	g.define(r, affineElem)
}

func (g *affineGen) parallelOp() {
	i, j, names := g.fresh(), g.fresh(), append(g.scope.of(affineDim), g.symbols()...)
	def, results := g.freshN(1 + g.choose(2))
	var kinds []string
	for range results {
		kinds = append(kinds, `"`+pick(&g.writer, []string{"addi", "muli", "andi", "ori"})+`"`)
	}
	g.line("%s = affine.parallel (%s, %s) = (0, max((%s) mod 3, 1)) to (min((%s) mod 4, 3), 3) step (1, %d) reduce (%s) -> (%s) {",
		def, i, j, g.expr(names, 2), g.expr(names, 2), 1+g.choose(2), strings.Join(kinds, ", "), strings.Join(repeat(affineElem, len(results)), ", "))
	g.serial++
	g.body(len(results), value{i, affineDim}, value{j, affineDim})
	g.serial--
	g.line("}")
	for _, r := range results {
		g.define(r, affineElem)
	}
}
