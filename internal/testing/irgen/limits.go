package irgen

// TensorLimits returns programs as [Tensors] does, which also have what one-shot
// bufferization can't always do without the copies that are not its to insert: branches
// between blocks, destinations that are given, masks.
func TensorLimits(choose Chooser, size int) string {
	return tensors(&tensorGen{writer: writer{choose: choose}, types: map[string]tensorType{}, limits: true}, size)
}

// limit writes something of this kind.
func (g *tensorGen) limit() {
	pick(&g.writer, []func(){g.materialize, g.maskedWrite, g.assuming})()
}

// materialize says where a tensor is to be.
func (g *tensorGen) materialize() {
	t := g.anyType()
	from, into := g.tensor(t), g.dest(t)
	v := g.fresh()
	g.line("%s = bufferization.materialize_in_destination %s in %s : (%s, %s) -> %s", v, from, into, t, t, t)
	g.define(v, t)
}

func (g *tensorGen) maskedWrite() {
	t := g.anyType()
	from, into, at := g.vector(t.elem), g.tensor(t), g.indices(t)
	mask := g.vectorConstant("vector<2xi1>", pick(&g.writer, []string{"[true, false]", "[false, true]"}))
	v := g.fresh()
	g.line("%s = vector.mask %s { vector.transfer_write %s, %s[%s] : %s, %s } : vector<2xi1> -> %s", v, mask, from, into, at, vectorOf(t.elem), t, t)
	g.define(v, t)
}

// assuming writes an operation with a region that ownership doesn't know.
func (g *tensorGen) assuming() {
	if g.depth > 4 {
		return
	}
	types, witness := g.results(), g.fresh()
	g.line("%s = shape.const_witness true", witness)
	def, names := g.freshN(len(types))
	g.line("%s = shape.assuming %s -> (%s) {", def, witness, spell(types))
	g.open()
	g.body("shape.assuming_yield", types)
	g.close()
	g.line("}")
	g.defineAll(names, types)
}

// branches writes control flow between blocks that ends in a new one.
func (g *tensorGen) branches(i int) {
	if g.flip() {
		g.diamond(i)
	} else {
		g.blockLoop(i)
	}
}

// blockLoop writes a loop of blocks that hands a tensor on.
func (g *tensorGen) blockLoop(i int) {
	t, zero, two, one := g.anyType(), g.index(0), g.index(2), g.index(1)
	init := g.tensor(t)
	n, v, again, next := g.fresh(), g.fresh(), g.fresh(), g.fresh()
	g.line("cf.br ^head%d(%s, %s : index, %s)", i, zero, init, t)
	g.line("^head%d(%s: index, %s: %s):", i, n, v, t)
	g.define(v, t)
	g.line("%s = arith.cmpi slt, %s, %s : index", again, n, two)
	g.line("cf.cond_br %s, ^body%d, ^exit%d", again, i, i)
	g.line("^body%d:", i)
	g.open()
	g.statements(1 + g.choose(3))
	through := g.tensor(t)
	g.line("%s = arith.addi %s, %s : index", next, n, one)
	g.line("cf.br ^head%d(%s, %s : index, %s)", i, next, through, t)
	g.close()
	g.line("^exit%d:", i)
}

// diamond writes a branch between blocks that ends where a tensor is the argument of a
// block.
func (g *tensorGen) diamond(i int) {
	t, c := g.anyType(), g.bool()
	g.line("cf.cond_br %s, ^left%d, ^join%d(%s : %s)", c, i, i, g.tensor(t), t)
	g.line("^left%d:", i)
	g.open()
	g.statements(1 + g.choose(3))
	through := g.tensor(t)
	g.line("cf.br ^join%d(%s : %s)", i, through, t)
	g.close()
	v := g.fresh()
	g.line("^join%d(%s: %s):", i, v, t)
	g.define(v, t)
}
