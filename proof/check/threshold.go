package check

import (
	"cmp"
	"math"
	"slices"

	"freehold/dialect/arith"
)

// threshold is the formula that a number is less than a known one, as signed numbers. Of those of one
// number, each implies the greater ones.
type threshold struct {
	at    int64
	truth lit
}

// below returns the formula that a number is less than n, as signed numbers.
func (a *analysis) below(x value, n int64) lit {
	if n == math.MinInt64 {
		return no
	}
	id := identity(x)
	all := a.thresholds[id]
	i, ok := slices.BinarySearchFunc(all, n, func(t threshold, n int64) int { return cmp.Compare(t.at, n) })
	if ok {
		return all[i].truth
	}
	l := a.comparedTo(truthOf(a.f.variable()), id, identity(constant(n))).truth
	a.knowComparison(l, arith.SLT, x, constant(n))
	if i > 0 {
		l = a.f.or(l, all[i-1].truth)
	}
	if i < len(all) {
		l = a.f.and(l, all[i].truth)
	}
	a.thresholds[id] = slices.Insert(all, i, threshold{n, l})
	return l
}

// upTo returns the formula that a number is n or less, as signed numbers.
func (a *analysis) upTo(x value, n int64) lit {
	if n == math.MaxInt64 {
		return yes
	}
	return a.below(x, n+1)
}

// compareWithKnown returns the formula of a comparison of a number of which the identity is known with
// one that is known.
func (a *analysis) compareWithKnown(p arith.IntPredicate, x value, n int64) lit {
	switch p {
	case arith.EQ:
		return a.f.and(a.upTo(x, n), a.below(x, n).not())
	case arith.SLT:
		return a.below(x, n)
	case arith.SLE:
		return a.upTo(x, n)
	case arith.ULT, arith.ULE:
		l, negative := a.below(x, n), a.below(x, 0)
		if p == arith.ULE {
			l = a.upTo(x, n)
		}
		if n < 0 {
			return a.f.or(negative.not(), l)
		}
		return a.f.and(negative.not(), l)
	}
	return a.compareWithKnown(p.Inverted(), x, n).not()
}
