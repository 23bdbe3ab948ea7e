package emitc

import (
	"fmt"

	"freehold/exec"
	"freehold/ir"
)

// integerTiling returns how to write a nest that combines integers of fewer bits than 32, such as a convolution, in tiles; nil if it isn't one for which that is good.
func (n *nest) integerTiling() *tiling {
	if n.plain || !n.free || n.indexed || len(n.operands) != n.inits+1 || len(n.loops) < 2 {
		return nil
	}
	init := n.operands[n.inits]
	if init.arg == nil || !ir.IsInteger(init.r.elem) || exec.Width(init.r.elem) != 32 {
		return nil
	}
	l := n.newIntegerLanes()
	if l == nil || !l.mixes() {
		return nil
	}
	t := &tiling{nest: n, integers: l, column: -1, row: -1}
	for _, d := range n.loops {
		if init.strides[d] == "1" && t.rowsOfMemory(d) {
			t.column = d
		}
	}
	if t.column < 0 {
		return nil
	}
	if size, known := number(n.sizes[t.column]); !known || size < mostLanes {
		return nil
	}
	t.chooseRow()
	t.divide()
	if len(t.inner) == 0 || t.row < 0 {
		return nil
	}
	return t
}

// writeIntegers writes the loops over tiles of integers, for compilers that have the instructions, and the nest as it is otherwise written for others.
func (t *tiling) writeIntegers() {
	f := t.f
	other := *t.nest
	other.plain, other.hoisted = true, nil
	other.vars = append([]string(nil), t.vars...)
	other.operands = nil
	for _, o := range t.operands {
		same := *o
		same.strides = append([]string(nil), o.strides...)
		other.operands = append(other.operands, &same)
	}
	t.integers.begin()
	f.line("#ifdef FH_INTEGER_LANES")
	for _, o := range t.operands {
		t.pin(o)
		if o.r == nil {
			f.alias(o.arg, o.v)
		}
	}
	for _, d := range t.outer {
		t.count(d)
	}
	if t.isShort(short) {
		t.steps(t.row, rows, func(row string, height int64) {
			t.columnSteps(func(first, of string) { t.integerTile(first, of, row, height) })
		})
	} else {
		t.columnSteps(func(first, of string) {
			t.steps(t.row, rows, func(row string, height int64) { t.integerTile(first, of, row, height) })
		})
	}
	f.closeAll(len(t.outer))
	f.line("#else")
	other.best()
	f.line("#endif")
}

// columnSteps writes the loop over columns, as many at a time as there are lanes, and what is left as part of the last so many. fn is given the first one, and the
// mask of those that are stored, "" for all.
func (t *tiling) columnSteps(fn func(first, of string)) {
	f, by := t.f, t.f.m.lanesText(mostLanes)
	size, _ := number(t.sizes[t.column])
	whole := size / mostLanes * mostLanes
	v := f.names.fresh("tile")
	f.openf("for (%[1]s %[2]s = 0; %[2]s < %[3]d; %[2]s += %[4]s)", f.m.types.index(), v, whole, by)
	fn(v, "")
	f.close()
	if whole < size {
		fn(constant(size-mostLanes), fmt.Sprintf("%#x", 0xffff&(0xffff<<(mostLanes-(size-whole)))))
	}
}

// integerTile writes one tile.
func (t *tiling) integerTile(column, of, row string, height int64) {
	f, l, init := t.f, t.integers, t.operands[t.inits]
	l.forget()
	totals := make([]string, height)
	for k := range height {
		if t.fill != nil {
			totals[k] = f.variable("total", l.ctype, l.inLanes(t.fill.Operand(0), 0))
			continue
		}
		totals[k] = f.variable("total", l.ctype, l.load(32, false, t.place(init, column, row, k)))
	}
	for _, d := range t.inner {
		t.count(d)
	}
	for k := range height {
		for i, o := range t.operands {
			switch {
			case i == t.inits:
				l.values[o.arg] = lane{name: totals[k], as: signBits | zeroBits}
			case o.r != nil && o.arg.HasUses():
				l.argument(o, t.place(o, column, row, k), o.strides[t.column] == "1")
			}
		}
		l.bodyOps(nil)
		f.assign(totals[k], l.inLanes(t.op.BodyBlock(0).Last().OnlyOperand(), 0))
	}
	f.closeAll(len(t.inner))
	for k := range height {
		place := t.place(init, column, row, k)
		if of == "" {
			l.store(32, place, totals[k])
			continue
		}
		macro := l.macro(l.ctype, "store_some", "(p, m, v)", "_mm512_mask_storeu_epi32((void *)(p), m, (__m512i)(v))")
		f.linef("%s(&%s, %s, %s);", macro, place, of, totals[k])
	}
}

// isUniform tells whether an operation computes the same for all lanes, from numbers that aren't in lanes.
func (l *integerLanes) isUniform(op *ir.Op) bool {
	for _, v := range op.Operands().Values() {
		if _, ok := l.values[v]; ok || l.floats.values[v] != "" {
			return false
		}
	}
	return true
}
