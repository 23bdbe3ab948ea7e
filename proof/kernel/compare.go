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

// CompareNumbers returns the condition of a comparison of numbers of which the identities
// are known. Of two numbers, one is the smaller one, just if they differ.
func (v *Machine) CompareNumbers(p Predicate, x, y Value) Lit {
	if c, ok := v.chosenAs(x); ok {
		return v.F.Choose(c.cond, v.CompareNumbers(p, c.then, y), v.CompareNumbers(p, c.els, y))
	}
	if c, ok := v.chosenAs(y); ok {
		return v.F.Choose(c.cond, v.CompareNumbers(p, x, c.then), v.CompareNumbers(p, x, c.els))
	}
	a, b := Identity(x), Identity(y)
	switch {
	case x.Kind == Integer && y.Kind == Integer:
		return LitOf(p.Holds(x.Number, y.Number))
	case a == "" || b == "":
		return v.F.Variable()
	case y.Kind == Integer && x.Kind != Boolean:
		return v.compareWithKnown(p, x, y.Number)
	case x.Kind == Integer && y.Kind != Boolean:
		return v.compareWithKnown(p.exchanged(), y, x.Number)
	}
	differs := No
	if a != b {
		differs = v.relation("differs", NE, x, y)
	}
	less := func(what string, less Predicate, x, y Value) Lit {
		return v.F.And(differs, v.relation(what, less, x, y))
	}
	switch p {
	case EQ:
		return differs.Not()
	case NE:
		return differs
	case SLT:
		return less("less", SLT, x, y)
	case SGT:
		return less("less", SLT, y, x)
	case SGE:
		return less("less", SLT, x, y).Not()
	case SLE:
		return less("less", SLT, y, x).Not()
	case ULT:
		return less("below", ULT, x, y)
	case UGT:
		return less("below", ULT, y, x)
	case UGE:
		return less("below", ULT, x, y).Not()
	default:
		return less("below", ULT, y, x).Not()
	}
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

// CompareTruths returns the condition of a comparison of booleans, of which true is -1 as a
// signed number.
func (v *Machine) CompareTruths(p Predicate, x, y Lit) Lit {
	switch p {
	case EQ:
		return v.F.Iff(x, y)
	case NE:
		return v.F.Iff(x, y).Not()
	case SLT, UGT:
		return v.F.And(x, y.Not())
	case SGT, ULT:
		return v.F.And(y, x.Not())
	case SGE, ULE:
		return v.F.And(x, y.Not()).Not()
	case SLE, UGE:
		return v.F.And(y, x.Not()).Not()
	}
	return v.F.Variable()
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

// compareWithKnown returns the condition of a comparison of a number of which the identity is known
// with one that is known.
func (v *Machine) compareWithKnown(p Predicate, x Value, n int64) Lit {
	switch p {
	case EQ:
		return v.F.And(v.upTo(x, n), v.below(x, n).Not())
	case SLT:
		return v.below(x, n)
	case SLE:
		return v.upTo(x, n)
	case ULT, ULE:
		l, negative := v.below(x, n), v.below(x, 0)
		if p == ULE {
			l = v.upTo(x, n)
		}
		if n < 0 {
			return v.F.Or(negative.Not(), l)
		}
		return v.F.And(negative.Not(), l)
	}
	return v.compareWithKnown(p.inverted(), x, n).Not()
}
