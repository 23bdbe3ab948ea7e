package kernel

import (
	"slices"
	"strconv"

	"freehold/dialect/arith"
	"freehold/ir"
)

// chosen is a number that is then where a condition holds, else els: both are known numbers, or
// chosen.
type chosen struct {
	cond      Lit
	then, els Value
	leaves    int
}

// maxLeaves limits the known numbers that one is chosen of.
const maxLeaves = 8

// chosenAs returns how a number is chosen of known ones, if it is.
func (v *Machine) chosenAs(x Value) (chosen, bool) {
	if x.Kind != Number {
		return chosen{}, false
	}
	c, ok := v.chosen[x.Number]
	return c, ok
}

// leaves returns how many known numbers a value may be; 0 if it may be others.
func (v *Machine) leaves(x Value) int {
	if x.Kind == Integer {
		return 1
	}
	c, _ := v.chosenAs(x)
	return c.leaves
}

// chooseNumber returns the number that is x where c holds, else y.
func (v *Machine) chooseNumber(c Lit, x, y Value) Value {
	out, m, n := v.Fresh(Number), v.leaves(x), v.leaves(y)
	if m > 0 && n > 0 && m+n <= maxLeaves {
		v.chosen[out.Number] = chosen{c, x, y, m + n}
	}
	return out
}

// known returns a constant.
func known(kind ValueKind, n *ir.IntegerAttr) Value {
	if kind == Boolean {
		return TruthOf(LitOf(n.Value != 0))
	}
	return Constant(n.Value)
}

// fold returns what an operation returns for operands of which each is a known number or boolean,
// or is chosen of such ones; false if it isn't known. times is how many choices were made already.
func (v *Machine) fold(op *ir.Op, operands []Value, kind ValueKind, times int) (Value, bool) {
	constants := make([]ir.Attribute, len(operands))
	for i, x := range operands {
		c, ok := v.chosenAs(x)
		switch {
		case x.Kind == Integer:
			constants[i] = op.Context().IntegerAttr(op.Operand(i).Type(), x.Number)
			continue
		case x.Kind == Boolean && x.Truth <= Yes:
			constants[i] = op.Context().Bool(x.Truth == Yes)
			continue
		case x.Kind == Boolean:
			c = chosen{x.Truth, TruthOf(Yes), TruthOf(No), 2}
		case !ok:
			return Value{}, false
		}
		if times *= 2; times > maxLeaves {
			return Value{}, false
		}
		with := func(y Value) (Value, bool) {
			all := slices.Clone(operands)
			all[i] = y
			return v.fold(op, all, kind, times)
		}
		then, ok := with(c.then)
		els, ok2 := with(c.els)
		if !ok || !ok2 {
			return Value{}, false
		}
		return v.Choose(c.cond, then, els), true
	}
	if out := op.Def().Fold(op, constants); len(out) == 1 {
		if n, ok := out[0].Attr.(*ir.IntegerAttr); ok && n.Big == nil {
			return known(kind, n), true
		}
	}
	return Value{}, false
}

// compareNumbers returns the condition of a comparison of numbers of which the identities
// are known. Of two numbers, one is the smaller one, just if they differ.
func (v *Machine) compareNumbers(p arith.IntPredicate, x, y Value) Lit {
	if c, ok := v.chosenAs(x); ok {
		return v.F.Choose(c.cond, v.compareNumbers(p, c.then, y), v.compareNumbers(p, c.els, y))
	}
	if c, ok := v.chosenAs(y); ok {
		return v.F.Choose(c.cond, v.compareNumbers(p, x, c.then), v.compareNumbers(p, x, c.els))
	}
	a, b := identity(x), identity(y)
	switch {
	case x.Kind == Integer && y.Kind == Integer:
		return LitOf(holds(p, x.Number, y.Number))
	case a == "" || b == "":
		return v.F.Variable()
	case y.Kind == Integer && x.Kind != Boolean:
		return v.compareWithKnown(p, a, y.Number)
	case x.Kind == Integer && y.Kind != Boolean:
		return v.compareWithKnown(exchanged(p), b, x.Number)
	case p == arith.SGT || p == arith.SLE || p == arith.UGT || p == arith.ULE:
		a, b = b, a
	}
	about := func(what string) Lit {
		return v.sameFor(what+min(a, b)+max(a, b), func() Value { return v.Fresh(Boolean) }).Truth
	}
	differs := No
	if a != b {
		differs = about("differs")
	}
	less := func(what string) Lit {
		l := about(what)
		if a > b {
			l = l.Not()
		}
		return v.F.And(differs, l)
	}
	switch p {
	case arith.EQ:
		return differs.Not()
	case arith.NE:
		return differs
	case arith.SLT, arith.SGT:
		return less("less")
	case arith.SGE, arith.SLE:
		return less("less").Not()
	case arith.ULT, arith.UGT:
		return less("below")
	case arith.UGE, arith.ULE:
		return less("below").Not()
	}
	return v.F.Variable()
}

// holds tells whether a comparison of two known numbers of one type holds.
func holds(p arith.IntPredicate, x, y int64) bool {
	switch p {
	case arith.EQ:
		return x == y
	case arith.NE:
		return x != y
	case arith.SLT:
		return x < y
	case arith.SLE:
		return x <= y
	case arith.SGT:
		return x > y
	case arith.SGE:
		return x >= y
	case arith.ULT:
		return uint64(x) < uint64(y)
	case arith.ULE:
		return uint64(x) <= uint64(y)
	case arith.UGT:
		return uint64(x) > uint64(y)
	}
	return uint64(x) >= uint64(y)
}

// identity returns a text that is the same for values that are the same numbers; none for
// addresses.
func identity(x Value) string {
	switch x.Kind {
	case Boolean:
		return " b" + strconv.Itoa(int(x.Truth))
	case Integer:
		return " i" + strconv.FormatInt(x.Number, 10)
	case Number, Derived:
		return " o" + strconv.FormatInt(x.Number, 10)
	}
	return ""
}
