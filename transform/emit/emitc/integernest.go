package emitc

import (
	"fmt"
	"strings"

	"freehold/dialect/arith"
	"freehold/exec"
	"freehold/ir"
)

// argument loads the elements of an operand from a place on.
func (l *integerLanes) argument(o *nestOperand, place string, walks bool) {
	t := o.r.elem
	if ft, ok := t.(*ir.FloatType); ok {
		l.floats.values[o.arg] = l.floats.load(ft, place, walks)
		return
	}
	w := exec.Width(t)
	signed := l.wantsSigns(o.arg)
	as := zeroBits
	if signed {
		as = signBits
	}
	if !walks {
		if l.made[place] == "" {
			l.made[place] = l.f.define("in", l.f.ctype(l.op, t), place)
		}
		l.f.scalars[o.arg] = l.made[place]
		return
	}
	if w == 1 {
		in := l.f.define("in", l.ctype, l.load(8, false, place))
		l.values[o.arg] = lane{name: l.f.define("is", mask16, l.macro(l.ctype, "any", "(v)", "_mm512_test_epi32_mask((__m512i)(v), (__m512i)(v))")+"("+in+")")}
		return
	}
	if l.made[place] == "" {
		l.made[place] = l.f.define("in", l.ctype, l.load(w, signed, place))
	}
	l.values[o.arg] = lane{name: l.made[place], as: as}
}

// wantsSigns tells whether something asks for the sign of an element.
func (l *integerLanes) wantsSigns(v *ir.Value) bool {
	for _, u := range v.Uses() {
		op := u.Owner()
		signed := op.Is(arith.CmpI) && int(arith.Predicate(op)) < 6
		if op.Is(arith.ExtSI) || op.Is(arith.SIToFP) || op.Is(arith.ShRSI) && u.Index() == 0 || intExtremes[op.ID()].signed || signed {
			return true
		}
	}
	return false
}

// loaded defines the elements of all operands that the body uses, from the first index of a dimension on.
func (l *integerLanes) loaded(d int, first string, but *nestOperand) {
	l.vars[d] = first
	for _, o := range l.operands {
		switch {
		case !o.arg.HasUses(), o.r == nil, o == but:
		case o.strides[d] == "0":
			// It is a number that was loaded before.
		default:
			l.argument(o, l.element(o), true)
		}
	}
}

// bodyOps computes the operations of the body.
func (l *integerLanes) bodyOps(but *ir.Op) {
	body := l.op.BodyBlock(0)
	for op := range body.Ops() {
		switch {
		case op == body.Last(), op == but, l.isHoisted(op):
		case l.isUniform(op):
			l.f.operation(op)
		default:
			l.compute(op)
		}
	}
}

// mixes tells whether the body has numbers of several widths, or something that compilers don't do well for several at a time.
func (l *integerLanes) mixes() bool {
	widths := map[int]bool{}
	see := func(t ir.Type) {
		if w := exec.Width(t); w > 1 {
			widths[w] = true
		} else if ir.IsFloat(t) {
			widths[t.(*ir.FloatType).Width] = true
		}
	}
	for _, o := range l.operands {
		if o.arg.HasUses() || o == l.operands[l.inits] {
			see(ir.ElementType(o.v.Type()))
		}
	}
	for op := range l.op.BodyBlock(0).Ops() {
		if op.NumResults() == 1 {
			see(op.Result(0).Type())
		}
	}
	return len(widths) > 1
}

// integerElements returns the lanes for a nest whose innermost loop computes elements that follow each other in memory, nil if there are none or compilers find them
// by themselves.
func (n *nest) integerElements() *integerLanes {
	if n.plain || !n.free || n.indexed || len(n.loops) == 0 || len(n.operands) != n.inits+1 || n.op.BodyBlock(0).First() == n.op.BodyBlock(0).Last() {
		return nil
	}
	d := n.loops[len(n.loops)-1]
	for k, o := range n.operands {
		if o.r != nil && o.strides[d] != "1" && (k == n.inits || o.strides[d] != "0") {
			return nil
		}
	}
	l := n.newIntegerLanes()
	if w := exec.Width(n.operands[n.inits].r.elem); l == nil || !l.mixes() || w == 1 || w == 64 || n.isFew(d, mostLanes) {
		return nil
	}
	return l
}

// integerSums returns the lanes for a nest whose innermost loop combines integers, of fewer bits than the result, or nil. They may be combined in any order.
func (n *nest) integerSums() *integerLanes {
	if n.plain || !n.free || n.indexed || len(n.loops) == 0 || len(n.operands) != n.inits+1 {
		return nil
	}
	d, init := n.loops[len(n.loops)-1], n.operands[n.inits]
	if init.strides[d] != "0" || n.isFew(d, 4*mostLanes) {
		return nil
	}
	for _, o := range n.operands[:n.inits] {
		if o.r != nil && o.strides[d] != "1" && o.strides[d] != "0" {
			return nil
		}
	}
	l := n.newIntegerLanes()
	if l == nil || !l.mixes() || l.combination() == nil || exec.Width(init.r.elem) < 32 {
		return nil
	}
	return l
}

// combinations are the operations by which integers are combined: what a combination begins with, and the end of the name of the instruction that combines all.
var combinations = map[*ir.OpID]struct{ first, all string }{
	arith.AddI: {"0", "add_epi"}, arith.OrI: {"0", "or_epi"}, arith.AndI: {"-1", "and_epi"}, arith.MulI: {"1", "mul_epi"},
	arith.MaxSI: {"", "max_epi"}, arith.MinSI: {"", "min_epi"}, arith.MaxUI: {"", "max_epu"}, arith.MinUI: {"", "min_epu"},
}

// combination returns the operation that combines a number with those before, if the rest of the body doesn't depend on these.
func (l *integerLanes) combination() *ir.Op {
	body, total := l.op.BodyBlock(0), l.operands[l.inits].arg
	op := body.Last().OnlyOperand().DefiningOp()
	if op == nil || op.Block() != body || combinations[op.ID()].all == "" || !total.HasOneUse() || total.Uses()[0].Owner() != op || !op.Result(0).HasOneUse() {
		return nil
	}
	return op
}

// writeElements writes the innermost loop, whose counter is already declared.
func (l *integerLanes) writeElements(d int, counter string) {
	init := l.operands[l.inits]
	v := l.op.BodyBlock(0).Last().OnlyOperand()
	if ir.IsFloat(v.Type()) && v.HasOneUse() {
		l.floats.stored = v
	}
	l.inSteps(d, counter)
	l.loaded(d, counter, nil)
	l.bodyOps(nil)
	if t, ok := init.r.elem.(*ir.FloatType); ok {
		l.floats.store(t, l.element(init), l.floats.operand(v))
	} else {
		l.store(exec.Width(init.r.elem), l.element(init), l.inLanes(v, 0))
	}
	l.f.close()
}

// combined returns what a combination combines with what was before.
func (l *integerLanes) combined(op *ir.Op) *ir.Value {
	if x := op.Operand(0); x != l.operands[l.inits].arg {
		return x
	}
	return op.Operand(1)
}

// sumsFit returns the extension to 64 bits whose results are added up along a dimension, if there are so few that each lane's sum fits in 32 bits.
func (l *integerLanes) sumsFit(d int, op *ir.Op) *ir.Op {
	x := l.combined(op).DefiningOp()
	size, known := number(l.sizes[d])
	if !isLong(op.Result(0)) || !op.Is(arith.AddI) || !known || x == nil || x.Block() != op.Block() || !x.Is(arith.ExtSI) && !x.Is(arith.ExtUI) {
		return nil
	}
	if w := exec.Width(x.OnlyOperand().Type()); w == 1 || w > 16 || size/mostLanes+1 > 1<<(31-w) {
		return nil
	}
	return x
}

// unrolled asks for several steps of the loop that follows in one.
func (l *integerLanes) unrolled() {
	l.f.line(l.f.m.helpers.define("FH_UNROLLED", `
/* Asks for four iterations of the loop that follows in one. */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 8
#define FH_UNROLLED _Pragma("GCC unroll 4")
#else
#define FH_UNROLLED
#endif`))
}

// inSteps opens the loop over as many elements at a time as there are lanes.
func (l *integerLanes) inSteps(d int, counter string) {
	by := l.f.m.lanesText(mostLanes)
	l.f.openf("for (; %s + %s <= %s; %s += %s)", counter, by, l.f.pinned("size", l.sizes[d]), counter, by)
	l.forget()
}

// last writes what is left when there are fewer elements than lanes: again so many, up to the end, of which those count that weren't seen before.
func (l *integerLanes) last(d int, counter string, combine func(from, more string)) {
	f, size, by := l.f, l.f.pinned("size", l.sizes[d]), l.f.m.lanesText(mostLanes)
	test := counter + " < " + size
	if n, known := number(size); known && n%mostLanes == 0 {
		return
	} else if !known {
		test += " && " + size + " >= " + by
	}
	f.openf("if (%s)", test)
	l.forget()
	last := f.define("last", f.m.types.index(), size+" - "+by)
	combine(last, f.define("more", mask16, fmt.Sprintf("(%s)(0xffff << (%s - %s))", mask16, counter, last)))
	f.linef("%s = %s;", counter, size)
	f.close()
}

// forget drops the names of what was computed in a block that is closed.
func (l *integerLanes) forget() {
	l.values, l.made = map[*ir.Value]lane{}, map[string]string{}
	l.floats.values, l.floats.made = map[*ir.Value]string{}, map[string]string{}
}

// writeSums writes the innermost loop, whose counter is already declared, of a nest that combines integers with a variable.
func (l *integerLanes) writeSums(d int, counter, total string) {
	f, op, init := l.f, l.combination(), l.operands[l.inits]
	c, long := combinations[op.ID()], isLong(op.Result(0))
	ctype, words := l.ctype, []string{"totals"}
	if long {
		ctype, words = l.long, []string{"even", "odd"}
	}
	first := c.first
	if first == "" {
		first = total
	}
	// Numbers of few bits are summed up in 32 as long as that can't overflow.
	var sums []string
	narrow := l.sumsFit(d, op)
	if narrow != nil {
		ctype, words, long = l.ctype, []string{"totals"}, false
	}
	for _, word := range words {
		sums = append(sums, f.variable(word, ctype, l.splat(ctype, first)))
	}
	x, upper := l.combined(op), extension(0)
	if narrow != nil {
		x, upper = narrow.OnlyOperand(), zeroBits
		if narrow.Is(arith.ExtSI) {
			upper = signBits
		}
	}
	combine := func(from, more string) {
		l.loaded(d, from, init)
		l.bodyOps(op)
		switch {
		case more == "":
		case long:
			a, b := l.halves(more)
			p, q := l.inLongLanes(x)
			all := l.splat(ctype, first)
			l.values[x] = lane{even: f.define("more", ctype, l.selected(ctype, a, p, all)), odd: f.define("more", ctype, l.selected(ctype, b, q, all))}
		default:
			l.values[x] = lane{name: f.define("more", ctype, l.selected(ctype, more, l.inLanes(x, upper), l.splat(ctype, first))), as: upper}
		}
		y := lane{name: sums[0]}
		if long {
			y = lane{even: sums[0], odd: sums[1]}
		}
		l.values[init.arg] = y
		if narrow != nil {
			f.assign(sums[0], sums[0]+" + "+l.inLanes(x, upper))
			return
		}
		l.compute(op)
		r := l.values[op.Result(0)]
		if long {
			f.assign(sums[0], r.even)
			f.assign(sums[1], r.odd)
			return
		}
		f.assign(sums[0], r.name)
	}
	l.unrolled()
	l.inSteps(d, counter)
	combine(counter, "")
	f.close()
	l.last(d, counter, combine)
	if narrow != nil {
		ctype, l.values[x] = l.long, lane{name: sums[0], as: signBits | zeroBits}
		even, odd := l.computeLong(narrow)
		sums = []string{f.define("even", ctype, even), f.define("odd", ctype, odd)}
	}
	name := strings.NewReplacer("_epi", "", "_epu", "_unsigned").Replace(c.all)
	for _, s := range sums {
		all := f.define("all", f.ctype(l.op, init.r.elem), l.macro(ctype, "all_"+name, "(v)", "((uint$B_t)_mm512_reduce_"+c.all+"$B((__m512i)(v)))")+"("+s+")")
		x := &element{f: f, op: op, out: init.r.elem, in: []ir.Type{init.r.elem, init.r.elem}, args: []string{total, all}}
		f.assign(total, operations().scalars[op.ID()](x))
	}
}

// inIntegerLanes writes the innermost loop in lanes, and what they leave one by one.
func (n *nest) inIntegerLanes(level int, l *integerLanes, totals []string) {
	f, d := n.f, n.loops[level]
	base := "i"
	if level < len(counters) {
		base = counters[level]
	}
	counter := f.names.fresh(base)
	f.linef("%s %s = 0;", f.m.types.index(), counter)
	l.begin()
	f.line("#ifdef FH_INTEGER_LANES")
	size, known := number(n.sizes[d])
	exact := known && size%mostLanes == 0
	if total := totals[n.inits]; l.operands[l.inits].strides[d] == "0" {
		l.writeSums(d, counter, total)
		exact = known
	} else {
		l.writeElements(d, counter)
	}
	if exact {
		f.line("#else") // as nothing is left, of which compilers may complain
	} else {
		f.line("#endif")
	}
	if n.writesApart(d) {
		f.m.vectorMacro()
		f.line("FH_INDEPENDENT")
	}
	n.vars[d] = counter
	f.openf("for (; %s < %s; %s++)", counter, f.pinned("size", n.sizes[d]), counter)
	for k, o := range n.operands[:n.inits] {
		if o.arg != nil && o.r != nil && o.arg.HasUses() && n.depth(o) == len(n.loops) {
			f.bind(o.arg, f.define("in", f.ctype(n.op, o.r.elem), n.element(n.operands[k])))
		}
	}
	n.body(totals)
	f.close()
	if exact {
		f.line("#endif")
	}
}
