package kernel

import (
	"cmp"
	"math"
	"slices"
)

// Predicate is that of a comparison of integers.
type Predicate uint8

// The predicates, as MLIR numbers them: S is for signed numbers, U for unsigned ones.
const (
	EQ Predicate = iota
	NE
	SLT
	SLE
	SGT
	SGE
	ULT
	ULE
	UGT
	UGE
)

// inverted returns the predicate that holds just where p doesn't.
func (p Predicate) inverted() Predicate {
	return [...]Predicate{NE, EQ, SGE, SGT, SLE, SLT, UGE, UGT, ULE, ULT}[p]
}

// exchanged returns the predicate that holds for operands in the other order just if p does.
func (p Predicate) exchanged() Predicate {
	return [...]Predicate{EQ, NE, SGT, SGE, SLT, SLE, UGT, UGE, ULT, ULE}[p]
}

// Holds tells whether a comparison of two known numbers of one type holds.
func (p Predicate) Holds(x, y int64) bool {
	switch p {
	case EQ:
		return x == y
	case NE:
		return x != y
	case SLT:
		return x < y
	case SLE:
		return x <= y
	case SGT:
		return x > y
	case SGE:
		return x >= y
	case ULT:
		return uint64(x) < uint64(y)
	case ULE:
		return uint64(x) <= uint64(y)
	case UGT:
		return uint64(x) > uint64(y)
	}
	return uint64(x) >= uint64(y)
}

// Compare returns the condition of a comparison of two integers of one type, of which true is -1 as a signed boolean. Of two numbers, one is
// the smaller one, just if they differ.
func (v *Machine) Compare(p Predicate, x, y Value) Lit {
	switch p {
	case NE, SGE, UGE:
		return v.Compare(p.inverted(), x, y).Not()
	case SGT, UGT:
		return v.Compare(p.exchanged(), y, x)
	case SLE, ULE:
		return v.Compare(p.inverted().exchanged(), y, x).Not()
	}
	if c, ok := v.chosenAs(x); ok {
		return v.F.Choose(c.cond, v.Compare(p, c.then, y), v.Compare(p, c.els, y))
	}
	if c, ok := v.chosenAs(y); ok {
		return v.F.Choose(c.cond, v.Compare(p, x, c.then), v.Compare(p, x, c.els))
	}
	a, b := Identity(x), Identity(y)
	switch {
	case x.Kind == Integer && y.Kind == Integer:
		return LitOf(p.Holds(x.Number, y.Number))
	case x.Kind == Boolean && y.Kind == Boolean:
		return v.compareTruths(p, x.Truth, y.Truth)
	case a == "" || b == "":
		return v.F.Variable()
	case y.Kind == Integer && x.Kind != Boolean:
		return v.compareWithKnown(p, x, y.Number)
	case x.Kind == Integer && y.Kind != Boolean:
		return v.compareWithKnown(p.exchanged(), y, x.Number)
	case a == b:
		return LitOf(p == EQ)
	}
	differs := v.relation("differs", NE, x, y)
	if p == EQ {
		return differs.Not()
	}
	what := "less"
	if p == ULT {
		what = "below"
	}
	return v.F.And(differs, v.relation(what, p, x, y))
}

// Outcomes is a set of the outcomes that the comparison of two floating-point numbers may have, of which it has just one.
type Outcomes uint8

// The outcomes. Unordered is that with what is no number.
const (
	Equal Outcomes = 1 << iota
	Greater
	Less
	Unordered
)

// CompareFloats returns the condition that the comparison of two floating-point numbers of one type has one of some outcomes.
func (v *Machine) CompareFloats(some Outcomes, x, y Value) Lit {
	if some&Unordered != 0 {
		return v.CompareFloats(some^(Equal|Greater|Less|Unordered), x, y).Not()
	}
	if c, ok := v.chosenAs(x); ok {
		return v.F.Choose(c.cond, v.CompareFloats(some, c.then, y), v.CompareFloats(some, c.els, y))
	}
	if c, ok := v.chosenAs(y); ok {
		return v.F.Choose(c.cond, v.CompareFloats(some, x, c.then), v.CompareFloats(some, x, c.els))
	}
	a, b := Identity(x), Identity(y)
	switch {
	case some == 0:
		return No
	case a == "" || b == "":
		return v.F.Variable()
	case a > b:
		a, b = b, a
		if less := some&Less != 0; less != (some&Greater != 0) {
			some ^= Less | Greater
		}
	}
	has := func(o Outcomes) Lit { return LitOf(some&o != 0) }
	is := func(what string, x, y Value) Lit {
		return v.SameFor(what, func() Value {
			l := v.F.Variable()
			if v.Ordered != nil {
				v.Ordered(l, x, y)
			}
			return TruthOf(l)
		}).Truth
	}
	ordered := has(Equal)
	if a != b && some != Equal|Greater|Less {
		ordered = v.F.Choose(is("float equal"+a+b, x, y), ordered, v.F.Choose(is("float less"+a+b, x, y), has(Less), has(Greater)))
	}
	number := func(x Value) Lit {
		if f := v.literals[x]; f != nil {
			n := f.Float64()
			return LitOf(n == n)
		}
		return is("float"+Identity(x), x, x)
	}
	return v.F.And(v.F.And(number(x), number(y)), ordered)
}

// compareTruths returns the condition that booleans are equal, or the first one is the smaller one.
func (v *Machine) compareTruths(p Predicate, x, y Lit) Lit {
	switch p {
	case EQ:
		return v.F.Iff(x, y)
	case SLT:
		return v.F.And(x, y.Not())
	}
	return v.F.And(x.Not(), y)
}

// relation returns the condition that two numbers, which differ, are in a relation: it is one variable for both orders.
func (v *Machine) relation(what string, p Predicate, x, y Value) Lit {
	a, b := Identity(x), Identity(y)
	first := p // the one of which the identity is smaller, compared with the other
	if a > b {
		first = p.exchanged()
	}
	l := v.SameFor(what+min(a, b)+max(a, b), func() Value { return TruthOf(v.learn(first, x, y)) }).Truth
	if first != p {
		l = l.Not()
	}
	return l
}

// learn returns a new variable that holds just if a comparison does.
func (v *Machine) learn(p Predicate, x, y Value) Lit {
	l := v.F.Variable()
	if v.Compared != nil {
		v.Compared(l, p, x, y)
	}
	return l
}

// threshold is the condition that a number is less than a known one, as signed numbers. Of those of
// one number, each implies the greater ones.
type threshold struct {
	at    int64
	truth Lit
}

// below returns the condition that a number is less than n, as signed numbers.
func (v *Machine) below(x Value, n int64) Lit {
	if n == math.MinInt64 {
		return No
	}
	id := Identity(x)
	all := v.thresholds[id]
	i, ok := slices.BinarySearchFunc(all, n, func(t threshold, n int64) int { return cmp.Compare(t.at, n) })
	if ok {
		return all[i].truth
	}
	l := v.learn(SLT, x, Constant(n))
	if i > 0 {
		l = v.F.Or(l, all[i-1].truth)
	}
	if i < len(all) {
		l = v.F.And(l, all[i].truth)
	}
	v.thresholds[id] = slices.Insert(all, i, threshold{n, l})
	return l
}

// upTo returns the condition that a number is n or less, as signed numbers.
func (v *Machine) upTo(x Value, n int64) Lit {
	if n == math.MaxInt64 {
		return Yes
	}
	return v.below(x, n+1)
}

// compareWithKnown returns the condition of a comparison of a number of which the identity is known with one that is known.
func (v *Machine) compareWithKnown(p Predicate, x Value, n int64) Lit {
	switch p {
	case EQ:
		return v.F.And(v.upTo(x, n), v.below(x, n).Not())
	case SLT:
		return v.below(x, n)
	case SGT:
		return v.upTo(x, n).Not()
	case UGT:
		return v.unsigned(v.upTo(x, n), x, n).Not()
	}
	return v.unsigned(v.below(x, n), x, n)
}

// unsigned returns the condition that a number is below a known one as unsigned numbers, or up to it, given that as signed ones.
func (v *Machine) unsigned(l Lit, x Value, n int64) Lit {
	negative := v.below(x, 0)
	if n < 0 {
		return v.F.Or(negative.Not(), l)
	}
	return v.F.And(negative.Not(), l)
}
