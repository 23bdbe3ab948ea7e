package irgen

import (
	"fmt"
	"strings"
)

// results chooses the types of what an operation with regions returns.
func (g *tensorGen) results() []tensorType {
	var out []tensorType
	for range 1 + g.choose(2) {
		out = append(out, g.anyType())
	}
	return out
}

func spell(types []tensorType) string {
	list := make([]string, len(types))
	for i, t := range types {
		list[i] = t.String()
	}
	return strings.Join(list, ", ")
}

func (g *tensorGen) defineAll(names []string, types []tensorType) {
	for i, t := range types {
		g.define(names[i], t)
	}
}

// body writes statements and a terminator that passes tensors of the given types.
func (g *tensorGen) body(terminator string, types []tensorType) {
	g.statements(1 + g.choose(4))
	vs := make([]value, len(types))
	for i, t := range types {
		vs[i] = value{g.tensor(t), t.String()}
	}
	g.line("%s %s : %s", terminator, namesOf(vs), typesOf(vs))
}

func (g *tensorGen) ifOp() {
	types, c := g.results(), g.bool()
	def, names := g.freshN(len(types))
	g.line("%s = scf.if %s -> (%s) {", def, c, spell(types))
	g.open()
	g.body("scf.yield", types)
	g.close()
	g.line("} else {")
	g.open()
	g.body("scf.yield", types)
	g.close()
	g.line("}")
	g.defineAll(names, types)
}

func (g *tensorGen) switchOp() {
	types := g.results()
	arg := g.below(4)
	def, names := g.freshN(len(types))
	g.line("%s = scf.index_switch %s -> %s", def, arg, spell(types))
	for i := range g.choose(3) {
		g.line("case %d {", i)
		g.open()
		g.body("scf.yield", types)
		g.close()
		g.line("}")
	}
	g.line("default {")
	g.open()
	g.body("scf.yield", types)
	g.close()
	g.line("}")
	g.defineAll(names, types)
}

func (g *tensorGen) executeRegion() {
	types := g.results()
	def, names := g.freshN(len(types))
	g.line("%s = scf.execute_region -> (%s) {", def, spell(types))
	g.open()
	g.body("scf.yield", types)
	g.close()
	g.line("}")
	g.defineAll(names, types)
}

// carried returns initial values of the given types, and names for the arguments
// of a loop's body.
func (g *tensorGen) carried(types []tensorType) (inits, args []value) {
	for _, t := range types {
		inits = append(inits, value{g.tensor(t), t.String()})
	}
	for _, t := range types {
		args = append(args, value{g.fresh(), t.String()})
	}
	return inits, args
}

func (g *tensorGen) forOp() {
	types := g.results()
	n := pick(&g.writer, []int{2, 4, 0, 1})
	lower, upper, step := g.index(0), g.index(n), g.index(1)
	inits, args := g.carried(types)
	iv := g.fresh()
	def, names := g.freshN(len(types))
	g.line("%s = scf.for %s = %s to %s step %s iter_args(%s) -> (%s) {", def, iv, lower, upper, step, pairs(args, inits), spell(types))
	g.open()
	if n > 0 {
		g.add(iv, fmt.Sprintf("index<%d", n))
	}
	g.defineArgs(args, types)
	g.body("scf.yield", types)
	g.close()
	g.line("}")
	g.defineAll(names, types)
}

// sliceLoop writes a loop that works on the same part of what it carries each time, so
// that the part can be taken before the loop and put back behind it; sometimes on two
// parts, which may overlap, so that it can't.
func (g *tensorGen) sliceLoop() {
	t := tensorType{sizes: []int{6}, elem: pick(&g.writer, []string{"f32", "i32"})}
	lower, upper, step := g.index(0), g.index(g.choose(4)), g.index(1)
	init, iv, arg, v := g.tensor(t), g.fresh(), g.fresh(), g.fresh()
	at := g.below(4)
	g.line("%s = scf.for %s = %s to %s step %s iter_args(%s = %s) -> (%s) {", v, iv, lower, upper, step, arg, init, t)
	g.open()
	last := arg
	for i := range 1 + g.choose(2) {
		from := at
		if i > 0 {
			from = g.index(g.choose(5))
		}
		part, put := g.fresh(), ""
		if g.flip() {
			pad, changed := g.scalar(t.elem), g.fresh()
			typ := vectorOf(t.elem)
			g.line("%s = vector.transfer_read %s[%s], %s {in_bounds = [true]} : %s, %s", part, last, from, pad, t, typ)
			g.line("%s = arith.%s %s, %s : %s", changed, map[string]string{"f32": "addf", "i32": "addi"}[t.elem], part, part, typ)
			put = g.fresh()
			g.line("%s = vector.transfer_write %s, %s[%s] {in_bounds = [true]} : %s, %s", put, changed, last, from, typ, t)
		} else {
			typ := tensorType{sizes: []int{2}, elem: t.elem}
			g.line("%s = tensor.extract_slice %s[%s] [2] [1] : %s to %s", part, last, from, t, typ)
			sum := g.fresh()
			g.line("%s = linalg.add ins(%s, %s : %s, %s) outs(%s : %s) -> %s", sum, part, part, typ, typ, part, typ, typ)
			put = g.fresh()
			g.line("%s = tensor.insert_slice %s into %s[%s] [2] [1] : %s into %s", put, sum, last, from, typ, t)
		}
		last = put
	}
	g.line("scf.yield %s : %s", last, t)
	g.close()
	g.line("}")
	g.define(v, t)
}

func (g *tensorGen) defineArgs(args []value, types []tensorType) {
	for i, t := range types {
		g.define(args[i].name, t)
	}
}

// whileOp writes a loop that counts beside what it carries.
func (g *tensorGen) whileOp() {
	types := g.results()
	start, limit, one := g.index(0), g.index(g.choose(4)), g.index(1)
	inits, before := g.carried(types)
	count := value{g.fresh(), "index"}
	spelled := "index, " + spell(types)
	def, names := g.freshN(len(types) + 1)
	g.line("%s = scf.while (%s) : (%s) -> (%s) {", def, pairs(append([]value{count}, before...), append([]value{{start, "index"}}, inits...)), spelled, spelled)
	g.open()
	g.defineArgs(before, types)
	if g.flip() {
		g.statements(1 + g.choose(2))
	}
	cond := g.fresh()
	g.line("%s = arith.cmpi slt, %s, %s : index", cond, count.name, limit)
	pass := []value{count}
	for _, t := range types {
		pass = append(pass, value{g.tensor(t), t.String()})
	}
	g.line("scf.condition(%s) %s : %s", cond, namesOf(pass), typesOf(pass))
	g.close()
	g.line("} do {")
	g.open()
	after := []value{{g.fresh(), "index"}}
	for _, t := range types {
		after = append(after, value{g.fresh(), t.String()})
	}
	g.line("^bb0(%s):", params(after))
	g.defineArgs(after[1:], types)
	g.statements(1 + g.choose(3))
	next := value{g.fresh(), "index"}
	g.line("%s = arith.addi %s, %s : index", next.name, after[0].name, one)
	yield := []value{next}
	for _, t := range types {
		yield = append(yield, value{g.tensor(t), t.String()})
	}
	g.line("scf.yield %s : %s", namesOf(yield), typesOf(yield))
	g.close()
	g.line("}")
	g.defineAll(names[1:], types)
}

// forallOp writes a loop each of whose threads fills one element.
func (g *tensorGen) forallOp() {
	t := tensorType{sizes: []int{4}, elem: pick(&g.writer, []string{"f32", "i32"})}
	part := tensorType{sizes: []int{1}, elem: t.elem}
	init := g.tensor(t)
	iv, arg := g.fresh(), g.fresh()
	v := g.fresh()
	g.line("%s = scf.forall (%s) in (4) shared_outs(%s = %s) -> (%s) {", v, iv, arg, init, t)
	g.open()
	g.add(iv, "index<4")
	if g.flip() {
		g.statements(1 + g.choose(2))
	}
	slice := g.fresh()
	g.line("%s = tensor.extract_slice %s[%s] [1] [1] : %s to %s", slice, arg, iv, t, part)
	g.define(slice, part)
	src := slice
	if g.flip() {
		x := g.scalar(t.elem)
		src = g.fresh()
		g.line("%s = linalg.fill ins(%s : %s) outs(%s : %s) -> %s", src, x, t.elem, slice, part, part)
		g.define(src, part)
	}
	if g.flip() {
		src = g.tensor(part)
	}
	g.line("scf.forall.in_parallel {")
	g.line("  tensor.parallel_insert_slice %s into %s[%s] [1] [1] : %s into %s", src, arg, iv, part, t)
	g.line("}")
	g.close()
	g.line("}")
	g.define(v, t)
}

func (g *tensorGen) call() {
	if len(g.funcs) == 0 {
		g.fresh1()
		return
	}
	f := pick(&g.writer, g.funcs)
	var args []value
	for _, t := range f.params {
		args = append(args, value{g.tensor(t), t.String()})
	}
	args = append(args, value{g.bool(), "i1"})
	def, names := g.freshN(len(f.results))
	g.line("%s = func.call @%s(%s) : (%s) -> (%s)", def, f.name, namesOf(args), typesOf(args), spell(f.results))
	g.defineAll(names, f.results)
}
