package irgen

import "fmt"

// relayout writes a linalg.generic whose input is read at other places than its output
// is written, so that it can't be done in place.
func (g *tensorGen) relayout() {
	elem := pick(&g.writer, []string{"f32", "i32"})
	of := func(sizes ...int) tensorType { return tensorType{sizes: sizes, elem: elem} }
	kind := pick(&g.writer, []struct {
		in, out  tensorType
		from, to string
		second   string
	}{
		{of(2, 2), of(2, 2), "d1, d0", "d0, d1", "parallel"}, // the transposed matrix
		{of(3), of(2, 3), "d1", "d0, d1", "parallel"},        // in each row
		{of(2, 3), of(2), "d0, d1", "d0", "reduction"},       // the sums of the rows
		{of(2, 3), of(3, 2), "d1, d0", "d0, d1", "parallel"},
	})
	a, out := g.tensor(kind.in), g.tensor(kind.out)
	v := g.fresh()
	g.line("%s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (%s)>, affine_map<(d0, d1) -> (%s)>], iterator_types = [\"parallel\", \"%s\"]} ins(%s : %s) outs(%s : %s) {",
		v, kind.from, kind.to, kind.second, a, kind.in, out, kind.out)
	op := "arith.addi"
	if elem == "f32" {
		op = "arith.addf"
	}
	g.line("^bb0(%%x: %s, %%y: %s):", elem, elem)
	g.line("  %%z = %s %%x, %%y : %s", op, elem)
	g.line("  linalg.yield %%z : %s", elem)
	g.line("} -> %s", kind.out)
	g.define(v, kind.out)
}

// mapOver writes a linalg.map, whose output is only written.
func (g *tensorGen) mapOver() {
	t := g.anyType()
	a, b, out := g.tensor(t), g.tensor(t), g.dest(t)
	op := "arith.muli"
	if t.elem == "f32" {
		op = "arith.mulf"
	}
	v := g.fresh()
	g.line("%s = linalg.map { %s } ins(%s, %s : %s, %s) outs(%s : %s)", v, op, a, b, t, t, out, t)
	g.define(v, t)
}

// row takes a row of a matrix as a vector, or puts one there.
func (g *tensorGen) row() {
	t := tensorType{sizes: []int{2, 3}, elem: pick(&g.writer, []string{"f32", "i32"})}
	part := tensorType{sizes: []int{3}, elem: t.elem}
	at := fmt.Sprintf("[%s, 0] [1, 3] [1, 1]", g.below(2))
	whole := g.tensor(t)
	if g.flip() {
		v := g.fresh()
		g.line("%s = tensor.extract_slice %s%s : %s to %s", v, whole, at, t, part)
		g.define(v, part)
		return
	}
	from := g.tensor(part)
	v := g.fresh()
	g.line("%s = tensor.insert_slice %s into %s%s : %s into %s", v, from, whole, at, part, t)
	g.define(v, t)
}

func (g *tensorGen) fromElements() {
	t := tensorType{sizes: []int{2}, elem: pick(&g.writer, []string{"f32", "i32"})}
	a, b := g.scalar(t.elem), g.scalar(t.elem)
	v := g.fresh()
	g.line("%s = tensor.from_elements %s, %s : %s", v, a, b, t)
	g.define(v, t)
}

func (g *tensorGen) reshapeTo() {
	elem := pick(&g.writer, []string{"f32", "i32"})
	from, to := tensorType{sizes: []int{6}, elem: elem}, tensorType{sizes: []int{2, 3}, elem: elem}
	src := g.tensor(from)
	shape := g.vectorConstant("tensor<2xindex>", "[2, 3]")
	v := g.fresh()
	g.line("%s = tensor.reshape %s(%s) : (%s, tensor<2xindex>) -> %s", v, src, shape, from, to)
	g.define(v, to)
}

// dim makes an element of a size.
func (g *tensorGen) dim() {
	t := g.anyType()
	from, d := g.tensor(t), g.index(0)
	n, v := g.fresh(), g.fresh()
	g.line("%s = tensor.dim %s, %s : %s", n, from, d, t)
	g.line("%s = arith.index_cast %s : index to i32", v, n)
	g.add(v, "i32")
}
