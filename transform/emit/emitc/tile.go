package emitc

import (
	"freehold/dialect/arith"
	"freehold/ir"
)

// tiling is a way to write a nest that combines elements, such as a contraction: several rows and columns of the result are kept in registers while
// their elements are combined with others. What is combined with an element comes in the same order as ever.
type tiling struct {
	*nest
	// elem is the type in which numbers are computed with.
	elem *ir.FloatType
	// column is the dimension along which elements of the result follow each other in memory, and row one along which the elements of an operand stay
	// the same, or -1.
	column, row int
	// integers are the lanes of integers, if it is these that are combined.
	integers *integerLanes
	// outer and inner are the other dimensions: those that lead to other elements of the result, and those that don't.
	outer, inner []int
}

// rows is how many rows there are in a tile: enough for the additions not to wait for each other.
const rows = 4

// columns returns how many columns there are in a tile: as many as the longest vectors have where few elements are combined for each, so that what is loaded counts.
func (t *tiling) columns() int64 {
	size, known := number(t.sizes[t.column])
	if !known || t.elem != ir.F32 || !t.isShort(short) {
		return laneCount(t.elem)
	}
	if size%mostLanes == 0 && (t.rowsOfMemory(t.column) || t.repeats() && isHalf(t.operands[t.inits].r.elem.(*ir.FloatType))) {
		return mostLanes
	}
	return laneCount(t.elem)
}

// repeats tells whether the columns that are left may be written as part of the last ones of so many, some of which are computed again then: nothing that is
// combined is what was written before.
func (t *tiling) repeats() bool { return t.row < 0 && t.fill != nil }

// tiling returns how to write the nest in tiles; nil if it isn't one for which that is good.
func (n *nest) tiling() *tiling {
	if !n.free || n.indexed || len(n.operands) != n.inits+1 || len(n.loops) == 0 {
		return nil
	}
	init := n.operands[n.inits]
	elem, ok := init.r.elem.(*ir.FloatType)
	if !ok || init.arg == nil || !isNative(elem) && !isHalf(elem) {
		return nil
	}
	t := &tiling{nest: n, elem: floatType(elem), column: -1, row: -1}
	if !n.fitsLanes(t.elem, false) || isNative(elem) && !n.isArithmetic() {
		return nil
	}
	for _, d := range n.loops {
		if init.strides[d] == "1" && t.rowsOfMemory(d) {
			t.column = d
		}
	}
	if t.column >= 0 {
		if size, ok := number(n.sizes[t.column]); ok && size < laneCount(t.elem) {
			t.column = -1
		}
	}
	if t.column < 0 && !isNative(elem) {
		t.column = t.gathered()
	}
	t.chooseRow()
	if t.column < 0 && t.row < 0 && isNative(elem) {
		return nil
	}
	t.divide()
	if len(t.inner) == 0 || t.column >= 0 && t.row < 0 && t.rowsOfMemory(t.column) && t.passesOnce() {
		return nil
	}
	return t
}

// gathered returns a dimension along which only elements of the result follow each other in memory, or -1. Those of operands, which are few bits, are put together one by one: that
// takes less than to round each sum by itself.
func (t *tiling) gathered() int {
	column := -1
	for _, d := range t.loops {
		size, known := number(t.sizes[d])
		if t.operands[t.inits].strides[d] != "1" || !known || size < laneCount(t.elem) {
			continue
		}
		few := true
		for _, o := range t.operands[:t.inits] {
			few = few && (o.r == nil || isHalf(o.r.elem.(*ir.FloatType)) || t.rowsOfMemory(d))
		}
		if few {
			column = d
		}
	}
	return column
}

// divide tells the dimensions apart that are neither those of columns nor of rows.
func (t *tiling) divide() {
	for _, d := range t.loops {
		switch {
		case d == t.column || d == t.row:
		case t.writesApart(d):
			t.outer = append(t.outer, d)
		default:
			t.inner = append(t.inner, d)
		}
	}
}

// passesOnce tells whether all that a tile loads serves one element, of a result that stays in the cache: then memory is best read in its order.
func (t *tiling) passesOnce() bool {
	size, known := number(t.sizes[t.column])
	return len(t.inner) == 1 && len(t.outer) == 0 && known && size <= 4096
}

// isArithmetic tells whether the body does nothing but arithmetic. Extremes and functions of floats compilers do better for whole rows.
func (n *nest) isArithmetic() bool {
	for op := range n.op.BodyBlock(0).Ops() {
		if op.NumResults() == 1 && vectorOps[op.ID()] == "" && !op.Is(arith.ExtF) && !op.Is(arith.TruncF) {
			return false
		}
	}
	return true
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
		// Of f16 and bf16, the sum is kept as a float, even if there is only one.
		elem, float := t.operands[t.inits].r.elem.(*ir.FloatType)
		few := known && size < rows && (!float || isNative(elem))
		if t.column >= 0 && same == 0 || t.column < 0 && few {
			continue
		}
		if t.column < 0 && (!known || size >= 2*rows) {
			same += len(t.operands) // as a tile has so many rows
		}
		if same >= most {
			t.row, most = d, same
		}
	}
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
		if o.r != nil && o.strides[d] == "0" && (t.column < 0 || o.strides[t.column] != "0") {
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
	if t.column < 0 && t.isShort(shortest) && isNative(t.operands[t.inits].r.elem.(*ir.FloatType)) && t.operands[t.inits].strides[t.row] == "1" {
		f.m.vectorMacro()
		f.line("FH_INDEPENDENT")
		t.count(t.row)
		t.tile("", 1, t.vars[t.row], 1)
		f.closeAll(len(t.outer) + 1)
		return
	}
	if t.column < 0 && t.row < 0 {
		t.tile("", 1, "", 1)
		f.closeAll(len(t.outer))
		return
	}
	if t.column < 0 {
		t.inSteps(t.row, 2*rows, func(row string, height int64) { t.tile("", 1, row, height) })
		f.closeAll(len(t.outer))
		return
	}
	switch columns := t.columns(); {
	case t.row < 0:
		t.inSteps(t.column, columns, func(first string, width int64) {
			if width == columns {
				t.tile(first, width, "", 1)
				return
			}
			t.row, t.column = t.column, -1
			t.tile("", 1, first, width)
		})
	case t.isShort(short):
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

// inSteps writes the loop of a dimension in steps of a width. What is left becomes part of a last step where that may be. Otherwise, if it is known that several are left, fn is given them
// at once, as single elements whose sums needn't wait for each other.
func (t *tiling) inSteps(d int, width int64, fn func(first string, width int64)) {
	size, known := number(t.sizes[d])
	left := size % width
	again := left > 0 && size > width && t.repeats()
	if !known || left < 2 && !again {
		t.steps(d, width, fn)
		return
	}
	if size > left {
		all := t.sizes[d]
		t.sizes[d] = constant(size - left)
		t.steps(d, width, fn)
		t.sizes[d] = all
	}
	if again {
		left = width
	}
	fn(constant(size-left), left)
}

// isShort tells whether no more than a number of elements are combined for each one of the result.
func (t *tiling) isShort(most int64) bool {
	all := int64(1)
	for _, d := range t.inner {
		n, known := number(t.sizes[d])
		if !known || n > most {
			return false
		}
		all *= n
	}
	return all <= most
}

// short is how many elements are so few that what all columns need of them stays near: tiles that follow each other in memory are then better than
// those that have the same columns. Of the shortest, compilers make no loop, so that they compute several elements of the result at a time.
const short, shortest = 64, 16

// count opens the loop of a dimension.
func (n *nest) count(d int) {
	base := "i"
	if d < len(counters) {
		base = counters[d]
	}
	f := n.f
	v := f.names.fresh(base)
	n.vars[d] = v
	f.openf("for (%s %s = 0; %s < %s; %s++)", f.m.types.index(), v, v, f.pinned("size", n.sizes[d]), v)
}

// place returns the expression for the element of an operand in a row of the tile.
func (t *tiling) place(o *nestOperand, column, row string, k int64) string {
	if t.column >= 0 {
		t.vars[t.column] = column
	}
	if t.row >= 0 {
		t.vars[t.row] = row
		if k > 0 {
			t.vars[t.row] = sum(row, constant(k))
		}
	}
	return t.element(o)
}

// tile writes one tile, or one element if width is 1.
func (t *tiling) tile(column string, width int64, row string, height int64) {
	f, init := t.f, t.operands[t.inits]
	l, elem := f.newLanes(t.op, t.elem, width), init.r.elem.(*ir.FloatType)
	totals := make([]string, height)
	for k := range height {
		if t.fill != nil {
			totals[k] = f.variable("total", l.ctype, l.operand(t.fill.Operand(0)))
			continue
		}
		totals[k] = f.variable("total", l.ctype, l.element(elem, t.place(init, column, row, k), width > 1))
	}
	for _, d := range t.inner {
		t.count(d)
	}
	for k := range height {
		values := map[*ir.Value]string{}
		for i, o := range t.operands {
			switch {
			case i == t.inits:
				values[o.arg] = totals[k]
			case !o.arg.HasUses():
			case o.r == nil:
				values[o.arg] = l.operand(o.v)
			case width > 1 && o.strides[t.column] != "0" && o.strides[t.column] != "1":
				values[o.arg] = l.gather(o.r.elem.(*ir.FloatType), t.place(o, column, row, k), o.strides[t.column])
			default:
				values[o.arg] = l.load(o.r.elem.(*ir.FloatType), t.place(o, column, row, k), width > 1 && o.strides[t.column] == "1")
			}
		}
		f.assign(totals[k], l.body(t.op.BodyBlock(0), values, false))
	}
	f.closeAll(len(t.inner))
	for k := range height {
		l.store(elem, t.place(init, column, row, k), totals[k])
	}
}
