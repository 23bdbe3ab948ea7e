package kernel

import (
	"cmp"
	"math"
	"slices"

	"freehold/dialect/arith"
)

// threshold is the condition that a number is less than a known one, as signed numbers. Of those of
// one number, each implies the greater ones.
type threshold struct {
	at    int64
	truth Lit
}

// below returns the condition that the number with an identity is less than n, as signed numbers.
func (v *Machine) below(id string, n int64) Lit {
	if n == math.MinInt64 {
		return No
	}
	all := v.thresholds[id]
	i, ok := slices.BinarySearchFunc(all, n, func(t threshold, n int64) int { return cmp.Compare(t.at, n) })
	if ok {
		return all[i].truth
	}
	l := v.F.Variable()
	if i > 0 {
		l = v.F.Or(l, all[i-1].truth)
	}
	if i < len(all) {
		l = v.F.And(l, all[i].truth)
	}
	v.thresholds[id] = slices.Insert(all, i, threshold{n, l})
	return l
}

// upTo returns the condition that the number with an identity is n or less, as signed numbers.
func (v *Machine) upTo(id string, n int64) Lit {
	if n == math.MaxInt64 {
		return Yes
	}
	return v.below(id, n+1)
}

// compareWithKnown returns the condition of a comparison of a number of which the identity is known
// with one that is known.
func (v *Machine) compareWithKnown(p arith.IntPredicate, id string, n int64) Lit {
	switch p {
	case arith.EQ:
		return v.F.And(v.upTo(id, n), v.below(id, n).Not())
	case arith.SLT:
		return v.below(id, n)
	case arith.SLE:
		return v.upTo(id, n)
	case arith.ULT, arith.ULE:
		l, negative := v.below(id, n), v.below(id, 0)
		if p == arith.ULE {
			l = v.upTo(id, n)
		}
		if n < 0 {
			return v.F.Or(negative.Not(), l)
		}
		return v.F.And(negative.Not(), l)
	}
	return v.compareWithKnown(p.Inverted(), id, n).Not()
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
