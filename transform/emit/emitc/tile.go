package emitc

import (
	"fmt"
	"strconv"

	"freehold/dialect/arith"
	"freehold/ir"
)

// tiling is a way to write a nest that combines elements, such as a contraction: several rows and columns of the result are kept in registers while
// their elements are combined with others. What is combined with an element comes in the same order as ever.
type tiling struct {
	*nest
	elem *ir.FloatType
	// column is the dimension along which elements of the result follow each other in memory, and row one along which the elements of an operand stay
	// the same, or -1.
	column, row int
	// outer and inner are the other dimensions: those that lead to other elements of the result, and those that don't.
	outer, inner []int
	// vector is the C type of several columns.
	vector string
}

// rows is how many rows there are in a tile: enough for the additions not to wait for each other.
const rows = 4

// columns returns how many columns there are in a tile.
func (t *tiling) columns() int64 {
	if t.elem == ir.F64 {
		return 4
	}
	return 8
}

// vectorOps are the operations that are done on several columns at a time.
var vectorOps = map[*ir.OpID]string{arith.AddF: "+", arith.SubF: "-", arith.MulF: "*", arith.DivF: "/"}

// tiling returns how to write the nest in tiles; nil if it isn't one for which that is good.
func (n *nest) tiling() *tiling {
	if !n.free || n.indexed || len(n.operands) != n.inits+1 || len(n.loops) < 2 {
		return nil
	}
	init := n.operands[n.inits]
	elem, ok := init.r.elem.(*ir.FloatType)
	if !ok || !isNative(elem) || init.arg == nil {
		return nil
	}
	t := &tiling{nest: n, elem: elem, column: -1, row: -1}
	for _, o := range n.operands {
		if o.arg == nil || ir.ElementType(o.v.Type()) != ir.Type(elem) && !t.extends(o) {
			return nil
		}
	}
	if !t.bodyFits() {
		return nil
	}
	for _, d := range n.loops {
		if init.strides[d] == "1" && t.rowsOfMemory(d) {
			t.column = d
		}
	}
	if t.column >= 0 {
		if size, ok := number(n.sizes[t.column]); ok && size < t.columns() {
			t.column = -1
		}
	}
	t.chooseRow()
	if t.column < 0 && t.row < 0 {
		return nil
	}
	for _, d := range n.loops {
		switch {
		case d == t.column || d == t.row:
		case n.writesApart(d):
			t.outer = append(t.outer, d)
		default:
			t.inner = append(t.inner, d)
		}
	}
	if len(t.inner) == 0 {
		return nil
	}
	if t.column >= 0 {
		t.vector = n.f.m.vectorType(elem, t.columns())
	}
	return t
}

// chooseRow chooses the dimension of the rows: one along which an operand that is loaded for a row serves the others, too. Without columns it may be any
// that has enough rows, so that sums needn't wait for each other.
func (t *tiling) chooseRow() {
	most := -1
	for _, d := range t.loops {
		if d == t.column || !t.writesApart(d) {
			continue
		}
		size, known := number(t.sizes[d])
		same := t.reuses(d)
		if t.column >= 0 && same == 0 || t.column < 0 && known && size < rows || same < most {
			continue
		}
		t.row, most = d, same
	}
}

// bodyFits tells whether the body does nothing but arithmetic on numbers of the type.
func (t *tiling) bodyFits() bool {
	body := t.op.BodyBlock(0)
	for op := range body.Ops() {
		if op == body.Last() {
			return op.NumOperands() == 1
		}
		if vectorOps[op.ID()] == "" && !t.isExtension(op) || op.Result(0).Type() != ir.Type(t.elem) {
			return false
		}
	}
	return false
}

// extends tells whether the elements of an input are of fewer bits, and all that the body does with them first is to make them numbers of the type.
func (t *tiling) extends(o *nestOperand) bool {
	half, ok := ir.ElementType(o.v.Type()).(*ir.FloatType)
	if !ok || o.r == nil || o == t.operands[t.inits] || !isHalf(half) || t.elem != ir.F32 {
		return false
	}
	for _, u := range o.arg.Uses() {
		if !u.Owner().Is(arith.ExtF) || u.Owner().Result(0).Type() != ir.Type(t.elem) {
			return false
		}
	}
	return true
}

// isExtension tells whether an operation of the body makes a number of fewer bits that was loaded one of the type.
func (t *tiling) isExtension(op *ir.Op) bool {
	return op.Is(arith.ExtF) && op.OnlyOperand().ArgOwner() == t.op.BodyBlock(0)
}

// loaded returns the columns from a place of an operand on, or what all columns have in common.
func (t *tiling) loaded(o *nestOperand, e string, width int64, splat func(string) string) string {
	f, c := t.f, t.f.ctype(t.op, t.elem)
	half, _ := o.r.elem.(*ir.FloatType)
	switch walks := width > 1 && o.strides[t.column] == "1"; {
	case walks && half == t.elem:
		return f.define("in", t.vector, t.vector+"_load(&"+e+")")
	case walks:
		return f.define("in", t.vector, f.m.halfVector(half, t.vector, t.columns())+"(&"+e+")")
	}
	if half != t.elem {
		return splat(f.define("in", c, f.m.oneHalf(half)+"("+e+")"))
	}
	return splat(f.define("in", c, e))
}

// rowsOfMemory tells whether a dimension walks along memory, or stays where it is, in all operands.
func (t *tiling) rowsOfMemory(d int) bool {
	for _, o := range t.operands {
		if o.r != nil && o.strides[d] != "0" && o.strides[d] != "1" {
			return false
		}
	}
	return true
}

// reuses tells how many operands stay where they are along a dimension; where there are columns, of those that walk along memory with these.
func (t *tiling) reuses(d int) (n int) {
	for _, o := range t.operands[:t.inits] {
		if o.r != nil && o.strides[d] == "0" && (t.column < 0 || o.strides[t.column] == "1") {
			n++
		}
	}
	return n
}

// write writes the loops over tiles.
func (t *tiling) write() {
	f := t.f
	for _, o := range t.operands {
		t.pin(o)
	}
	for _, d := range t.outer {
		t.count(d)
	}
	if t.column < 0 {
		t.steps(t.row, 2*rows, func(row string, height int64) { t.tile("", 1, row, height) })
		f.closeAll(len(t.outer))
		return
	}
	switch columns := t.columns(); {
	case t.row < 0:
		t.steps(t.column, columns, func(first string, width int64) { t.tile(first, width, "", 1) })
	case t.isShort():
		t.steps(t.row, rows, func(row string, height int64) {
			t.steps(t.column, columns, func(first string, width int64) { t.tile(first, width, row, height) })
		})
	default:
		t.steps(t.column, columns, func(first string, width int64) {
			t.steps(t.row, rows, func(row string, height int64) { t.tile(first, width, row, height) })
		})
	}
	f.closeAll(len(t.outer))
}

// isShort tells whether so few elements are combined for each one of the result that what all columns need of them stays near: tiles that follow
// each other in memory are then better than those that have the same columns.
func (t *tiling) isShort() bool {
	all := int64(1)
	for _, d := range t.inner {
		n, known := number(t.sizes[d])
		if !known || n > short {
			return false
		}
		all *= n
	}
	return all <= short
}

// short is how many elements are few.
const short = 64

// count opens the loop of a dimension.
func (t *tiling) count(d int) {
	base := "i"
	if d < len(counters) {
		base = counters[d]
	}
	f := t.f
	v := f.names.fresh(base)
	t.vars[d] = v
	f.openf("for (%s %s = 0; %s < %s; %s++)", f.m.types.index(), v, v, f.pinned("size", t.sizes[d]), v)
}

// steps writes the loop of a dimension in steps of a width, and then in steps of 1 for what is left. fn is given the first index of a step.
func (t *tiling) steps(d int, width int64, fn func(first string, width int64)) {
	f, size := t.f, t.f.pinned("size", t.sizes[d])
	n, known := number(size)
	from := "0"
	if !known || n >= width {
		v := f.names.fresh("tile")
		limit := fmt.Sprintf("%s + %d <= %s", v, width, size)
		if known {
			limit = fmt.Sprintf("%s < %d", v, n/width*width)
			from = constant(n / width * width)
		}
		if !known {
			f.linef("%s %s = 0;", f.m.types.index(), v)
			f.openf("for (; %s; %s += %d)", limit, v, width)
			from = v
		} else {
			f.openf("for (%s %s = 0; %s; %s += %d)", f.m.types.index(), v, limit, v, width)
		}
		fn(v, width)
		f.close()
	}
	if known && n%width == 0 {
		return
	}
	v := f.names.fresh("rest")
	f.openf("for (%s %s = %s; %s < %s; %s++)", f.m.types.index(), v, from, v, size, v)
	fn(v, 1)
	f.close()
}

// place returns the expression for the element of an operand in a row of the tile.
func (t *tiling) place(o *nestOperand, column, row string, k int64) string {
	if t.column >= 0 {
		t.vars[t.column] = column
	}
	if t.row >= 0 {
		t.vars[t.row] = row
		if k > 0 {
			t.vars[t.row] = "(" + row + " + " + strconv.FormatInt(k, 10) + ")"
		}
	}
	return t.element(o)
}

// tile writes one tile, or one element if width is 1.
func (t *tiling) tile(column string, width int64, row string, height int64) {
	f, init := t.f, t.operands[t.inits]
	c := f.ctype(t.op, t.elem)
	if width > 1 {
		c = t.vector
	}
	load := func(e string) string {
		if width > 1 {
			return t.vector + "_load(&" + e + ")"
		}
		return e
	}
	totals := make([]string, height)
	for k := range height {
		totals[k] = f.variable("total", c, load(t.place(init, column, row, k)))
	}
	for _, d := range t.inner {
		t.count(d)
	}
	loaded := map[string]string{}
	for k := range height {
		t.row1(column, width, row, k, totals[k], loaded)
	}
	f.closeAll(len(t.inner))
	for k := range height {
		e := t.place(init, column, row, k)
		if width > 1 {
			f.linef("%s_store(&%s, %s);", t.vector, e, totals[k])
		} else {
			f.linef("%s = %s;", e, totals[k])
		}
	}
}

// row1 writes the body for one row of a tile.
func (t *tiling) row1(column string, width int64, row string, k int64, total string, loaded map[string]string) {
	f, body := t.f, t.op.BodyBlock(0)
	c := f.ctype(t.op, t.elem)
	values := map[*ir.Value]string{}
	splat := func(e string) string {
		if width == 1 {
			return e
		}
		if loaded[e] == "" {
			loaded[e] = f.define("all", t.vector, t.vector+"_splat("+e+")")
		}
		return loaded[e]
	}
	for i, o := range t.operands {
		switch {
		case i == t.inits:
			values[o.arg] = total
		case !o.arg.HasUses():
		case o.r == nil:
			values[o.arg] = splat(f.value(o.v))
		default:
			e := t.place(o, column, row, k)
			if loaded[e] == "" {
				loaded[e] = t.loaded(o, e, width, splat)
			}
			values[o.arg] = loaded[e]
		}
	}
	operand := func(v *ir.Value) string {
		if e, ok := values[v]; ok {
			return e
		}
		return splat(f.value(v))
	}
	for op := range body.Ops() {
		if op == body.Last() {
			f.assign(total, operand(op.OnlyOperand()))
			return
		}
		if op.Is(arith.ExtF) {
			values[op.Result(0)] = operand(op.OnlyOperand())
			continue
		}
		a, b := operand(arith.BinaryOp{Op: op}.LHS()), operand(arith.BinaryOp{Op: op}.RHS())
		if width == 1 {
			values[op.Result(0)] = f.define("v", c, factor(a)+" "+vectorOps[op.ID()]+" "+factor(b))
		} else {
			name := map[string]string{"+": "add", "-": "sub", "*": "mul", "/": "div"}[vectorOps[op.ID()]]
			values[op.Result(0)] = f.define("v", t.vector, t.vector+"_"+name+"("+a+", "+b+")")
		}
	}
}

// vectorType defines a type of several numbers, with arithmetic: by GCC's vector extension where there is that, and else by loops.
func (m *module) vectorType(t *ir.FloatType, n int64) string {
	c, _ := m.types.of(t)
	name := fmt.Sprintf("fh_%s_x%d", c, n)
	list := func(e string) string {
		all := make([]string, n)
		for i := range all {
			all[i] = e
		}
		return commas(all)
	}
	text := "#ifdef __GNUC__\n" + fmt.Sprintf(`typedef %[2]s %[1]s __attribute__((vector_size(%[3]d)));
typedef %[2]s %[1]s_memory __attribute__((vector_size(%[3]d), aligned(%[4]d), may_alias));
#define %[1]s_load(p) (*(const %[1]s_memory *)(const void *)(p))
#define %[1]s_store(p, v) (*(%[1]s_memory *)(void *)(p) = (v))
#define %[1]s_splat(x) ((%[1]s){%[5]s})
#define %[1]s_add(a, b) ((a) + (b))
#define %[1]s_sub(a, b) ((a) - (b))
#define %[1]s_mul(a, b) ((a) * (b))
#define %[1]s_div(a, b) ((a) / (b))
#else
typedef struct { %[2]s e[%[6]d]; } %[1]s;
static %[1]s %[1]s_load(const %[2]s *p) { %[1]s v; int i; for (i = 0; i < %[6]d; i++) v.e[i] = p[i]; return v; }
static void %[1]s_store(%[2]s *p, %[1]s v) { int i; for (i = 0; i < %[6]d; i++) p[i] = v.e[i]; }
static %[1]s %[1]s_splat(%[2]s x) { %[1]s v; int i; for (i = 0; i < %[6]d; i++) v.e[i] = x; return v; }
static %[1]s %[1]s_add(%[1]s a, %[1]s b) { int i; for (i = 0; i < %[6]d; i++) a.e[i] = a.e[i] + b.e[i]; return a; }
static %[1]s %[1]s_sub(%[1]s a, %[1]s b) { int i; for (i = 0; i < %[6]d; i++) a.e[i] = a.e[i] - b.e[i]; return a; }
static %[1]s %[1]s_mul(%[1]s a, %[1]s b) { int i; for (i = 0; i < %[6]d; i++) a.e[i] = a.e[i] * b.e[i]; return a; }
static %[1]s %[1]s_div(%[1]s a, %[1]s b) { int i; for (i = 0; i < %[6]d; i++) a.e[i] = a.e[i] / b.e[i]; return a; }
#endif`, name, c, n*ir.StorageBytes(t), ir.StorageBytes(t), list("x"), n)
	return m.helpers.define(name, text)
}
