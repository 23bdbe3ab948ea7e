package irgen

// vectorOf is the type of the vectors of programs.
func vectorOf(elem string) string { return "vector<2x" + elem + ">" }

// vector returns a vector, read from a tensor if there is none.
func (g *tensorGen) vector(elem string) string {
	if old := g.scope.of(vectorOf(elem)); len(old) > 0 && g.flip() {
		return pick(&g.writer, old)
	}
	t := g.anyType()
	t.elem = elem
	from, at, pad := g.tensor(t), g.indices(t), g.scalar(elem)
	v := g.fresh()
	g.line("%s = vector.transfer_read %s[%s], %s : %s, %s", v, from, at, pad, t, vectorOf(elem))
	g.add(v, vectorOf(elem))
	return v
}

func (g *tensorGen) vectorConstant(typ, elements string) string {
	v := g.fresh()
	g.line("%s = arith.constant dense<%s> : %s", v, elements, typ)
	return v
}

// transferWrite overwrites a part of a tensor, which may reach beyond its end.
func (g *tensorGen) transferWrite() {
	t := g.anyType()
	from, into, at := g.vector(t.elem), g.tensor(t), g.indices(t)
	v := g.fresh()
	g.line("%s = vector.transfer_write %s, %s[%s] : %s, %s", v, from, into, at, vectorOf(t.elem), t)
	g.define(v, t)
}

func (g *tensorGen) gather() {
	t := tensorType{sizes: []int{4}, elem: pick(&g.writer, []string{"f32", "i32"})}
	from, base, pass := g.tensor(t), g.index(0), g.vector(t.elem)
	indices, mask := g.vectorConstant("vector<2xindex>", "[3, 1]"), g.vectorConstant("vector<2xi1>", "[true, false]")
	v := g.fresh()
	g.line("%s = vector.gather %s[%s] [%s], %s, %s : %s, vector<2xindex>, vector<2xi1>, %s into %s", v, from, base, indices, mask, pass, t,
		vectorOf(t.elem), vectorOf(t.elem))
	g.add(v, vectorOf(t.elem))
}
