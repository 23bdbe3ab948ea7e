package irgen

import (
	"fmt"
	"strconv"
	"strings"
)

// tensorType is a ranked tensor type; the sizes of dynamic dimensions are known
// to the generator, so that all accesses are in bounds.
type tensorType struct {
	sizes   []int
	dynamic bool // in the first dimension
	elem    string
}

func (t tensorType) String() string {
	var b strings.Builder
	b.WriteString("tensor<")
	for i, n := range t.sizes {
		if i == 0 && t.dynamic {
			b.WriteString("?x")
		} else {
			b.WriteString(strconv.Itoa(n) + "x")
		}
	}
	return b.String() + t.elem + ">"
}

func (t tensorType) static() tensorType {
	t.dynamic = false
	return t
}

var shapes = [][]int{{4}, {2, 3}, {6}}

// tensorGen writes functions on tensors.
type tensorGen struct {
	writer
	scope *scope
	// types are those of the tensors that the scopes hold, by their spelling. The
	// generator sees to it that a spelling has one meaning.
	types map[string]tensorType
	funcs []signature
	depth int
	// budget is the number of operations left to write.
	budget int
	// limits adds what is described at [TensorLimits].
	limits bool
}

type signature struct {
	name            string
	params, results []tensorType
}

// Tensors returns a module of functions on tensors, of about size operations. The
// function to run is @main.
func Tensors(choose Chooser, size int) string {
	return tensors(&tensorGen{writer: writer{choose: choose}, types: map[string]tensorType{}}, size)
}

func tensors(g *tensorGen, size int) string {
	for i := range g.choose(3) {
		g.budget = size / 3
		g.function(fmt.Sprintf("f%d", i), "private ")
	}
	g.budget = size
	g.function("main", "")
	return g.text.String()
}

func (g *tensorGen) anyType() tensorType {
	t := tensorType{sizes: pick(&g.writer, shapes), elem: pick(&g.writer, []string{"f32", "i32"})}
	// 4 and 6 would have the same spelling if both were dynamic.
	t.dynamic = len(t.sizes) == 2 || t.sizes[0] == 4
	t.dynamic = t.dynamic && g.choose(4) == 3
	return t
}

func (g *tensorGen) define(name string, t tensorType) {
	g.add(name, t.String())
	g.types[t.String()] = t
}

func (g *tensorGen) add(name, typ string) {
	g.scope.values = append(g.scope.values, value{name, typ})
}

func (g *tensorGen) open()  { g.scope = &scope{outer: g.scope}; g.indent++; g.depth++ }
func (g *tensorGen) close() { g.scope = g.scope.outer; g.indent--; g.depth-- }

func (g *tensorGen) function(name, visibility string) {
	s := signature{name: name}
	g.names = 0
	g.scope = nil
	g.open()
	var args []value
	for range g.choose(4) {
		t := g.anyType()
		s.params = append(s.params, t)
		args = append(args, value{g.fresh(), t.String()})
		g.define(args[len(args)-1].name, t)
	}
	var results []string
	for range 1 + g.choose(3) {
		t := g.anyType()
		s.results = append(s.results, t)
		results = append(results, t.String())
	}
	args = append(args, value{g.fresh(), "i1"})
	g.add(args[len(args)-1].name, "i1")
	g.indent--
	g.line("func.func %s@%s(%s) -> (%s) {", visibility, name, params(args), strings.Join(results, ", "))
	g.indent++
	g.statements(2 + g.choose(8))
	if g.limits {
		for i := range g.choose(3) {
			g.branches(i)
			g.statements(1 + g.choose(3))
		}
	}
	var ret []value
	for _, t := range s.results {
		ret = append(ret, value{g.tensor(t), t.String()})
	}
	g.line("return %s : %s", namesOf(ret), typesOf(ret))
	g.close()
	g.line("}")
	if visibility != "" {
		g.funcs = append(g.funcs, s)
	}
}

// statements writes up to n operations.
func (g *tensorGen) statements(n int) {
	for range n {
		if g.budget <= 0 {
			return
		}
		g.budget--
		g.statement()
	}
}

func (g *tensorGen) statement() {
	simple := []func(){
		g.elementwise, g.insert, g.insertSlice, g.extractSlice, g.fillOver, g.generic, g.selectTensor,
		g.fresh1, g.cast, g.reshape, g.copyTensor, g.generate, g.extract, g.pad,
		g.transferWrite, g.gather, g.relayout, g.mapOver, g.row, g.fromElements, g.reshapeTo, g.dim, g.genericResults,
	}
	nested := []func(){g.ifOp, g.forOp, g.sliceLoop, g.whileOp, g.switchOp, g.forallOp, g.call, g.executeRegion}
	if g.depth < 4 && g.choose(3) == 2 {
		pick(&g.writer, nested)()
		return
	}
	if g.limits && g.choose(6) == 5 {
		g.limit()
		return
	}
	pick(&g.writer, simple)()
}

// tensor returns a tensor of the type, one that exists if possible.
func (g *tensorGen) tensor(t tensorType) string {
	if old := g.scope.of(t.String()); len(old) > 0 && g.choose(8) < 7 {
		// Recent values make longer chains.
		return old[len(old)-1-g.choose(len(old))]
	}
	return g.newTensor(t)
}

func (g *tensorGen) index(i int) string {
	v := g.fresh()
	g.line("%s = arith.constant %d : index", v, i)
	return v
}

// below returns an index that is less than n: a constant, or a loop's induction
// variable.
func (g *tensorGen) below(n int) string {
	if ivs := g.scope.of(fmt.Sprintf("index<%d", n)); len(ivs) > 0 && g.flip() {
		return pick(&g.writer, ivs)
	}
	return g.index(g.choose(n))
}

func literal(elem string, i int) string {
	if elem == "f32" {
		return fmt.Sprintf("%d.5", i)
	}
	return strconv.Itoa(i)
}

// scalar returns a value of an element type.
func (g *tensorGen) scalar(elem string) string {
	if old := g.scope.of(elem); len(old) > 0 && g.flip() {
		return pick(&g.writer, old)
	}
	v := g.fresh()
	g.line("%s = arith.constant %s : %s", v, literal(elem, g.choose(10)), elem)
	return v
}

func (g *tensorGen) bool() string { return pick(&g.writer, g.scope.of("i1")) }

// empty returns a tensor without contents.
func (g *tensorGen) empty(t tensorType) string {
	size := ""
	if t.dynamic {
		size = g.index(t.sizes[0])
	}
	v := g.fresh()
	if g.choose(4) == 3 {
		g.line("%s = bufferization.alloc_tensor(%s) : %s", v, size, t)
	} else {
		g.line("%s = tensor.empty(%s) : %s", v, size, t)
	}
	return v
}

func elements(t tensorType, base int) string {
	next := base
	var nest func(d int) string
	nest = func(d int) string {
		if d == len(t.sizes) {
			next++
			return literal(t.elem, next)
		}
		list := make([]string, t.sizes[d])
		for i := range list {
			list[i] = nest(d + 1)
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	return nest(0)
}

// newTensor makes a tensor of the type from nothing.
func (g *tensorGen) newTensor(t tensorType) string {
	v := ""
	switch kind := g.choose(3); {
	case t.dynamic && kind != 0:
		from := g.tensor(t.static())
		v = g.fresh()
		g.line("%s = tensor.cast %s : %s to %s", v, from, t.static(), t)
	case kind == 1:
		v = g.fresh()
		g.line("%s = arith.constant dense<%s> : %s", v, elements(t, g.choose(10)), t)
	default:
		x, e := g.scalar(t.elem), g.empty(t)
		v = g.fresh()
		g.line("%s = linalg.fill ins(%s : %s) outs(%s : %s) -> %s", v, x, t.elem, e, t, t)
	}
	g.define(v, t)
	return v
}

func (g *tensorGen) fresh1() { g.newTensor(g.anyType()) }

// dest returns a destination that is overwritten: a new one, or one with contents.
func (g *tensorGen) dest(t tensorType) string {
	if g.flip() {
		return g.empty(t)
	}
	return g.tensor(t)
}

func (g *tensorGen) elementwise() {
	t := g.anyType()
	a, b, out := g.tensor(t), g.tensor(t), g.dest(t)
	v := g.fresh()
	op := pick(&g.writer, []string{"add", "sub", "mul", "max"})
	g.line("%s = linalg.%s ins(%s, %s : %s, %s) outs(%s : %s) -> %s", v, op, a, b, t, t, out, t, t)
	g.define(v, t)
}

// generic writes a linalg.generic that also reads its output.
func (g *tensorGen) generic() {
	t := g.anyType()
	a, out := g.tensor(t), g.tensor(t)
	dims, iterators := "d0", `"parallel"`
	if len(t.sizes) == 2 {
		dims, iterators = "d0, d1", `"parallel", "parallel"`
	}
	id := fmt.Sprintf("affine_map<(%s) -> (%s)>", dims, dims)
	v := g.fresh()
	g.line("%s = linalg.generic {indexing_maps = [%s, %s], iterator_types = [%s]} ins(%s : %s) outs(%s : %s) {", v, id, id, iterators, a, t, out, t)
	op := "arith.addi"
	if t.elem == "f32" {
		op = "arith.addf"
	}
	g.line("^bb0(%%x: %s, %%y: %s):", t.elem, t.elem)
	g.line("  %%z = %s %%x, %%y : %s", op, t.elem)
	g.line("  linalg.yield %%z : %s", t.elem)
	g.line("} -> %s", t)
	g.define(v, t)
}

// genericResults writes a linalg.generic with several results, of which some may depend on what others overwrite, and some are used by nothing.
func (g *tensorGen) genericResults() {
	t := g.anyType()
	a, n := g.tensor(t), 2+g.choose(2)
	dims, iterators := "d0", `"parallel"`
	if len(t.sizes) == 2 {
		dims, iterators = "d0, d1", `"parallel", "parallel"`
	}
	id := fmt.Sprintf("affine_map<(%s) -> (%s)>", dims, dims)
	add, multiply := "arith.addi", "arith.muli"
	if t.elem == "f32" {
		add, multiply = "arith.addf", "arith.mulf"
	}
	outs, yields := make([]string, n), make([]string, n)
	args := "%x: " + t.elem
	for i := range n {
		if outs[i] = g.tensor(t); i > 0 && i < n-1 { // its old value isn't read
			outs[i] = g.dest(t)
		}
		args += fmt.Sprintf(", %%y%d: %s", i, t.elem)
	}
	v := g.fresh()
	g.line("%s:%d = linalg.generic {indexing_maps = [%s%s], iterator_types = [%s]} ins(%s : %s) outs(%s : %s) {", v, n,
		id, strings.Repeat(", "+id, n), iterators, a, t, strings.Join(outs, ", "), strings.TrimPrefix(strings.Repeat(", "+t.String(), n), ", "))
	g.line("^bb0(%s):", args)
	operand := func() string { return pick(&g.writer, []string{"%x", "%y0", fmt.Sprintf("%%y%d", n-1)}) }
	for i := range n {
		if yields[i] = operand(); g.flip() {
			g.line("  %%z%d = %s %s, %s : %s", i, pick(&g.writer, []string{add, multiply}), yields[i], operand(), t.elem)
			yields[i] = fmt.Sprintf("%%z%d", i)
		}
	}
	g.line("  linalg.yield %s : %s", strings.Join(yields, ", "), strings.TrimPrefix(strings.Repeat(", "+t.elem, n), ", "))
	g.line("} -> (%s)", strings.TrimPrefix(strings.Repeat(", "+t.String(), n), ", "))
	for i := range n {
		if g.choose(3) > 0 {
			g.define(fmt.Sprintf("%s#%d", v, i), t)
		}
	}
}

func (g *tensorGen) fillOver() {
	t := g.anyType()
	x, out := g.scalar(t.elem), g.tensor(t)
	v := g.fresh()
	g.line("%s = linalg.fill ins(%s : %s) outs(%s : %s) -> %s", v, x, t.elem, out, t, t)
	g.define(v, t)
}

func (g *tensorGen) indices(t tensorType) string {
	list := make([]string, len(t.sizes))
	for i, n := range t.sizes {
		list[i] = g.below(n)
	}
	return strings.Join(list, ", ")
}

func (g *tensorGen) insert() {
	t := g.anyType()
	x, into, at := g.scalar(t.elem), g.tensor(t), g.indices(t)
	v := g.fresh()
	g.line("%s = tensor.insert %s into %s[%s] : %s", v, x, into, at, t)
	g.define(v, t)
}

func (g *tensorGen) extract() {
	t := g.anyType()
	from, at := g.tensor(t), g.indices(t)
	v := g.fresh()
	g.line("%s = tensor.extract %s[%s] : %s", v, from, at, t)
	g.add(v, t.elem)
}

// slice chooses a part of t that has a type of its own, which is returned with
// its place. ok is false if there is none.
func (g *tensorGen) slice(t tensorType) (part tensorType, at string) {
	part = tensorType{elem: t.elem}
	switch len(t.sizes) {
	case 1:
		switch n := t.sizes[0]; {
		case n == 6 && g.flip(): // every other one, or four in a row
			part.sizes = []int{4}
			return part, fmt.Sprintf("[%d] [4] [1]", g.choose(3))
		case n == 6:
			part.sizes = []int{3}
			return part, fmt.Sprintf("[%d] [3] [2]", g.choose(2))
		case g.flip():
			part.sizes = []int{1}
			return part, fmt.Sprintf("[%s] [1] [1]", g.below(4))
		}
		part.sizes = []int{2}
		return part, fmt.Sprintf("[%d] [2] [1]", g.choose(3))
	}
	if g.flip() { // a row
		part.sizes = []int{3}
		return part, fmt.Sprintf("[%s, 0] [1, 3] [1, 1]", g.below(2))
	}
	part.sizes = []int{2, 2}
	return part, fmt.Sprintf("[0, %d] [2, 2] [1, 1]", g.choose(2))
}

func (g *tensorGen) extractSlice() {
	t := g.anyType()
	part, at := g.slice(t)
	from := g.tensor(t)
	v := g.fresh()
	g.line("%s = tensor.extract_slice %s%s : %s to %s", v, from, at, t, part)
	g.define(v, part)
	if g.flip() {
		return
	}
	// Change the part, and maybe put it back: what tiling does.
	x := g.scalar(part.elem)
	w := g.fresh()
	g.line("%s = linalg.fill ins(%s : %s) outs(%s : %s) -> %s", w, x, part.elem, v, part, part)
	g.define(w, part)
	if g.flip() {
		r := g.fresh()
		g.line("%s = tensor.insert_slice %s into %s%s : %s into %s", r, w, from, at, part, t)
		g.define(r, t)
	}
}

func (g *tensorGen) insertSlice() {
	t := g.anyType()
	part, at := g.slice(t)
	from, into := "", g.tensor(t)
	if g.flip() {
		from = g.newTensor(part) // often one that could be made in its place
	} else {
		from = g.tensor(part)
	}
	v := g.fresh()
	g.line("%s = tensor.insert_slice %s into %s%s : %s into %s", v, from, into, at, part, t)
	g.define(v, t)
}

func (g *tensorGen) cast() {
	t := g.anyType()
	if len(t.sizes) == 1 && t.sizes[0] == 6 {
		return
	}
	to := t
	to.dynamic = !t.dynamic
	from := g.tensor(t)
	v := g.fresh()
	g.line("%s = tensor.cast %s : %s to %s", v, from, t, to)
	g.define(v, to)
}

func (g *tensorGen) reshape() {
	elem := pick(&g.writer, []string{"f32", "i32"})
	flat, rows := tensorType{sizes: []int{6}, elem: elem}, tensorType{sizes: []int{2, 3}, elem: elem}
	if g.flip() {
		from := g.tensor(rows)
		v := g.fresh()
		g.line("%s = tensor.collapse_shape %s [[0, 1]] : %s into %s", v, from, rows, flat)
		g.define(v, flat)
		return
	}
	from := g.tensor(flat)
	v := g.fresh()
	g.line("%s = tensor.expand_shape %s [[0, 1]] output_shape [2, 3] : %s into %s", v, from, flat, rows)
	g.define(v, rows)
}

func (g *tensorGen) copyTensor() {
	t := g.anyType()
	from := g.tensor(t)
	if g.flip() {
		v := g.fresh()
		g.line("%s = bufferization.alloc_tensor() copy(%s) : %s", v, from, t)
		g.define(v, t)
		return
	}
	out := g.dest(t)
	v := g.fresh()
	g.line("%s = linalg.copy ins(%s : %s) outs(%s : %s) -> %s", v, from, t, out, t, t)
	g.define(v, t)
}

func (g *tensorGen) generate() {
	t := tensorType{sizes: []int{4}, dynamic: true, elem: "i32"}
	size := g.index(4)
	from := g.tensor(t)
	v := g.fresh()
	g.line("%s = tensor.generate %s {", v, size)
	g.line("^bb0(%%i: index):")
	g.line("  %%x = tensor.extract %s[%%i] : %s", from, t)
	g.line("  tensor.yield %%x : i32")
	g.line("} : %s", t)
	g.define(v, t)
}

func (g *tensorGen) pad() {
	from, to := tensorType{sizes: []int{4}, elem: "f32"}, tensorType{sizes: []int{6}, elem: "f32"}
	x, src := g.scalar("f32"), g.tensor(from)
	low := g.choose(3)
	v := g.fresh()
	g.line("%s = tensor.pad %s low[%d] high[%d] {", v, src, low, 2-low)
	g.line("^bb0(%%i: index):")
	g.line("  tensor.yield %s : f32", x)
	g.line("} : %s to %s", from, to)
	g.define(v, to)
}

func (g *tensorGen) selectTensor() {
	t := g.anyType()
	c, a, b := g.bool(), g.tensor(t), g.tensor(t)
	v := g.fresh()
	g.line("%s = arith.select %s, %s, %s : %s", v, c, a, b, t)
	g.define(v, t)
}
