package check

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/ir"
)

// chosen is a number that is then where a condition holds, else els: both are known numbers, or
// chosen.
type chosen struct {
	cond      lit
	then, els value
	leaves    int
}

// maxLeaves limits the known numbers that one is chosen of.
const maxLeaves = 8

// chosenAs returns how a number is chosen of known ones, if it is.
func (a *analysis) chosenAs(v value) (chosen, bool) {
	if v.kind != opaque {
		return chosen{}, false
	}
	c, ok := a.chosen[v.number]
	return c, ok
}

// leaves returns how many known numbers a value may be; 0 if it may be others.
func (a *analysis) leaves(v value) int {
	if v.kind == integer {
		return 1
	}
	c, _ := a.chosenAs(v)
	return c.leaves
}

// chooseNumber returns the number that is v where c holds, else w. If these aren't a few known numbers,
// nothing more is known about it than that it is one of both.
func (a *analysis) chooseNumber(c lit, v, w value) value {
	m, n := a.leaves(v), a.leaves(w)
	if m == 0 || n == 0 || m+n > maxLeaves {
		return a.choice(v, w)
	}
	out := a.unknown()
	a.chosen[out.number] = chosen{c, v, w, m + n}
	return out
}

// folded returns the value of a constant, or of an operation on known numbers and booleans, or on
// what is chosen of them.
func (a *analysis) folded(fr *frame, op *ir.Op, r *ir.Value) (value, bool) {
	if attr := ir.ConstantOf(r); attr != nil {
		return known(attr, r)
	}
	if op.Def().Fold == nil || op.NumResults() != 1 || op.NumOperands() == 0 {
		return value{}, false
	}
	operands := make([]value, op.NumOperands())
	for i := range operands {
		operands[i] = a.get(fr, op.Operand(i))
	}
	return a.fold(op, operands, r, 1)
}

// known returns the value of a constant, if that is a number or boolean.
func known(attr ir.Attribute, r *ir.Value) (value, bool) {
	n, ok := attr.(*ir.IntegerAttr)
	switch {
	case !ok || n.Big != nil:
		return value{}, false
	case r.Type() == ir.Type(ir.I1):
		return truthOf(boolLit(n.Value != 0)), true
	}
	return constant(n.Value), true
}

// fold returns what an operation computes of operands, if each is known or chosen; times is how many
// choices were made already.
func (a *analysis) fold(op *ir.Op, operands []value, r *ir.Value, times int) (value, bool) {
	constants := make([]ir.Attribute, len(operands))
	for i, x := range operands {
		c, ok := a.chosenAs(x)
		switch {
		case x.kind == integer:
			constants[i] = op.Context().IntegerAttr(op.Operand(i).Type(), x.number)
			continue
		case x.kind == boolean && x.truth <= yes:
			constants[i] = op.Context().Bool(x.truth == yes)
			continue
		case x.kind == boolean:
			c = chosen{cond: x.truth, then: truthOf(yes), els: truthOf(no)}
		case !ok:
			return value{}, false
		}
		if times *= 2; times > maxLeaves {
			return value{}, false
		}
		with := func(y value) (value, bool) {
			all := slices.Clone(operands)
			all[i] = y
			return a.fold(op, all, r, times)
		}
		then, ok := with(c.then)
		els, ok2 := with(c.els)
		if !ok || !ok2 {
			return value{}, false
		}
		return a.choose(c.cond, then, els), true
	}
	if out := op.Def().Fold(op, constants); len(out) == 1 {
		return known(out[0].Attr, r)
	}
	return value{}, false
}

// compareNumbers returns the formula of a comparison of numbers of which only the
// identities are known. Of two numbers, one is the smaller one, just if they differ.
func (a *analysis) compareNumbers(p arith.IntPredicate, x, y value) lit {
	if c, ok := a.chosenAs(x); ok {
		return a.f.ite(c.cond, a.compareNumbers(p, c.then, y), a.compareNumbers(p, c.els, y))
	}
	if c, ok := a.chosenAs(y); ok {
		return a.f.ite(c.cond, a.compareNumbers(p, x, c.then), a.compareNumbers(p, x, c.els))
	}
	v, w := identity(x), identity(y)
	switch {
	case x.kind == integer && y.kind == integer:
		return boolLit(compareKnown(p, x.number, y.number))
	case v == "" || w == "":
		return a.f.variable()
	case y.kind == integer && x.kind != boolean:
		return a.compareWithKnown(p, x, y.number)
	case x.kind == integer && y.kind != boolean:
		return a.compareWithKnown(exchanged(p), y, x.number)
	}
	differs := no
	if v != w {
		differs = a.about("differs", v, w)
		a.knowComparison(differs, arith.NE, x, y)
	}
	less := func(order string, first, second value) lit {
		v, w := identity(first), identity(second)
		l := a.about(order, v, w)
		is := arith.SLT
		if order == "below" {
			is = arith.ULT
		}
		if v > w {
			a.knowComparison(l, is, second, first)
			l = l.not()
		} else {
			a.knowComparison(l, is, first, second)
		}
		return a.f.and(differs, l)
	}
	switch p {
	case arith.EQ:
		return differs.not()
	case arith.NE:
		return differs
	case arith.SLT:
		return less("less", x, y)
	case arith.SGT:
		return less("less", y, x)
	case arith.SGE:
		return less("less", x, y).not()
	case arith.SLE:
		return less("less", y, x).not()
	case arith.ULT:
		return less("below", x, y)
	case arith.UGT:
		return less("below", y, x)
	case arith.UGE:
		return less("below", x, y).not()
	case arith.ULE:
		return less("below", y, x).not()
	}
	return a.f.variable()
}

// about returns the variable that says something about two numbers, in any order.
func (a *analysis) about(what, v, w string) lit {
	return a.sameFor(what+min(v, w)+max(v, w), func() value {
		return a.comparedTo(truthOf(a.f.variable()), v, w)
	}).truth
}

// compareKnown tells whether a comparison of two known numbers of one type holds.
func compareKnown(p arith.IntPredicate, v, w int64) bool {
	switch p {
	case arith.EQ:
		return v == w
	case arith.NE:
		return v != w
	case arith.SLT:
		return v < w
	case arith.SLE:
		return v <= w
	case arith.SGT:
		return v > w
	case arith.SGE:
		return v >= w
	case arith.ULT:
		return uint64(v) < uint64(w)
	case arith.ULE:
		return uint64(v) <= uint64(w)
	case arith.UGT:
		return uint64(v) > uint64(w)
	}
	return uint64(v) >= uint64(w)
}

// exchanged returns the comparison that holds for operands in the other order just if p does.
func exchanged(p arith.IntPredicate) arith.IntPredicate {
	switch p {
	case arith.SLT:
		return arith.SGT
	case arith.SGT:
		return arith.SLT
	case arith.SLE:
		return arith.SGE
	case arith.SGE:
		return arith.SLE
	case arith.ULT:
		return arith.UGT
	case arith.UGT:
		return arith.ULT
	case arith.ULE:
		return arith.UGE
	case arith.UGE:
		return arith.ULE
	}
	return p
}
