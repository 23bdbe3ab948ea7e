package emitc

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/ir"
)

// dots is a way to write a contraction of integers of 8 bits whose operands both walk along memory while products are added, such as a product with a
// transposed matrix. Several rows of one operand are widened to 16 bits once for all columns, as processors multiply and add pairs of those.
// Integers may be added in any order.
type dots struct {
	*nest
	// kept is the operand whose rows are widened first, and passed the other one.
	kept, passed *nestOperand
	// row and column are the dimensions along which only one of the two moves, inner the one of the sums, and outer the others.
	row, column, inner int
	outer              []int
	// signed tells of both operands whether their elements are signed.
	signed map[*nestOperand]bool
}

// dotBlock is how many elements of a row are widened at a time.
const dotBlock = 256

// dots returns how to write the nest as such a contraction; nil if it is none.
func (n *nest) dots() *dots {
	if !n.free || n.indexed || len(n.operands) != 3 || n.inits != 2 {
		return nil
	}
	d := &dots{nest: n, signed: map[*nestOperand]bool{}, kept: n.operands[0], passed: n.operands[1], row: -1, column: -1, inner: -1}
	if !d.addsProducts() {
		return nil
	}
	for _, i := range n.loops {
		a, b := d.kept.strides[i], d.passed.strides[i]
		switch {
		case !n.writesApart(i):
			if d.inner >= 0 || a != "1" || b != "1" {
				return nil
			}
			d.inner = i
		case a != "0" && b == "0":
			d.row = i
		case a == "0" && b != "0":
			d.column = i
		}
	}
	if d.row < 0 || d.column < 0 || d.inner < 0 {
		return nil
	}
	if n.isFew(d.row, rows) {
		d.kept, d.passed, d.row, d.column = d.passed, d.kept, d.column, d.row
	}
	for _, i := range n.loops {
		if i != d.row && i != d.column && i != d.inner {
			d.outer = append(d.outer, i)
		}
	}
	if n.isFew(d.row, rows) || n.isFew(d.column, rows) || n.isFew(d.inner, 16) {
		return nil
	}
	return d
}

// isFew tells whether a dimension is known to have fewer iterations than a number.
func (n *nest) isFew(d int, least int64) bool {
	size, known := number(n.sizes[d])
	return known && size < least
}

// addsProducts tells whether the body adds the product of two integers of 8 bits to one of 32.
func (d *dots) addsProducts() bool {
	total := d.operands[d.inits]
	if t, ok := total.r.elem.(*ir.IntegerType); !ok || t.Width != 32 || total.arg == nil {
		return false
	}
	sum := d.op.BodyBlock(0).Last().OnlyOperand().DefiningOp()
	if sum == nil || !sum.Is(arith.AddI) {
		return false
	}
	a, b := arith.BinaryOp{Op: sum}.LHS(), arith.BinaryOp{Op: sum}.RHS()
	if a != total.arg {
		a, b = b, a
	}
	product := b.DefiningOp()
	if a != total.arg || product == nil || !product.Is(arith.MulI) {
		return false
	}
	return d.widens(arith.BinaryOp{Op: product}.LHS()) && d.widens(arith.BinaryOp{Op: product}.RHS()) && len(d.signed) == 2
}

// widens tells whether a value is an integer of 8 bits, an element of an operand, and notes its sign.
func (d *dots) widens(v *ir.Value) bool {
	op := v.DefiningOp()
	if op == nil || !op.Is(arith.ExtSI) && !op.Is(arith.ExtUI) {
		return false
	}
	for _, o := range d.operands[:d.inits] {
		if t, ok := op.OnlyOperand().Type().(*ir.IntegerType); ok && t.Width == 8 && o.arg == op.OnlyOperand() && o.r != nil {
			d.signed[o] = op.Is(arith.ExtSI)
			return true
		}
	}
	return false
}

// wide returns the element of an operand, as an integer that fits in 16 bits.
func (d *dots) wide(o *nestOperand) string {
	if d.signed[o] {
		return "(int8_t)" + d.element(o)
	}
	return d.element(o)
}

// write writes the loops.
func (d *dots) write() {
	f := d.f
	for _, o := range d.operands {
		d.pin(o)
	}
	d.sizes[d.inner] = f.pinned("size", d.sizes[d.inner])
	for _, i := range d.outer {
		d.count(i)
	}
	d.steps(d.row, rows, func(row string, height int64) {
		start, count := "0", d.sizes[d.inner]
		length, known := number(count)
		blocks := !known || length > dotBlock
		if blocks {
			length, start = dotBlock, f.names.fresh("start")
			f.openf("for (%[1]s %[2]s = 0; %[2]s < %[3]s; %[2]s += %[4]d)", f.m.types.index(), start, count, dotBlock)
			count = f.define("count", f.m.types.index(), fmt.Sprintf("%[1]s - %[2]s < %[3]d ? %[1]s - %[2]s : %[3]d", count, start, dotBlock))
		}
		wide := f.names.fresh("rows")
		f.linef("int16_t %s[%d][%d];", wide, height, length)
		k := f.count(count)
		d.vars[d.inner] = sum(start, k)
		for r := range height {
			d.moveTo(row, r)
			f.linef("%s[%d][%s] = %s;", wide, r, k, d.wide(d.kept))
		}
		f.close()
		d.count(d.column)
		init, totals := d.operands[d.inits], make([]string, height)
		for r := range height {
			d.moveTo(row, r)
			totals[r] = f.variable("total", f.ctype(d.op, init.r.elem), d.element(init))
		}
		k = f.count(count)
		d.vars[d.inner] = sum(start, k)
		in := f.define("in", "int16_t", d.wide(d.passed))
		for r := range height {
			f.assign(totals[r], fmt.Sprintf("%s + (uint32_t)((int32_t)%s[%d][%s] * %s)", totals[r], wide, r, k, in))
		}
		f.close()
		for r := range height {
			d.moveTo(row, r)
			f.linef("%s = %s;", d.element(init), totals[r])
		}
		f.close()
		if blocks {
			f.close()
		}
	})
	f.closeAll(len(d.outer))
}

// moveTo makes a row the one after a first one that the elements of operands are in.
func (d *dots) moveTo(first string, after int64) {
	d.vars[d.row] = sum(first, constant(after))
}
