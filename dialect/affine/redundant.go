package affine

import (
	"math"

	"freehold/ir"
)

// limits are what is known about the smallest and the largest value of something.
type limits struct {
	lo, hi       int64
	hasLo, hasHi bool
}

// dropRedundant removes expressions that never are the maximum (or the minimum) of all,
// given the constant bounds of loop counters, and makes constants of those that can have
// one value only.
func (b *bound) dropRedundant(largest bool) {
	if len(b.dims)+len(b.syms) == 0 {
		return
	}
	r := b.ranges()
	known := make([]limits, len(b.exprs))
	for i, e := range b.exprs {
		known[i] = r.limits(e)
	}
	var out []*ir.AffineExpr
	for i, e := range b.exprs {
		l := known[i]
		if l.hasLo && l.hasHi && l.lo == l.hi {
			e = b.c.AffineConstant(l.lo)
		}
		if !redundant(known, i, largest) {
			out = append(out, e)
		}
	}
	b.exprs = out
}

// redundant tells whether another expression always is at least as large (or as small)
// as expression i. Of equal constants the first is not redundant.
func redundant(known []limits, i int, largest bool) bool {
	mine := known[i]
	if largest {
		mine = mine.negated()
	}
	if !mine.hasLo {
		return false
	}
	for j, other := range known {
		if largest {
			other = other.negated()
		}
		switch {
		case j == i || !other.hasHi || other.hi > mine.lo:
		case other.hi < mine.lo:
			return true
		case other.hasLo && mine.hasHi && mine.lo == mine.hi && other.lo == other.hi && i < j:
		default:
			return true
		}
	}
	return false
}

// negated returns the limits of the negative of something.
func (l limits) negated() limits {
	return limits{lo: -l.hi, hi: -l.lo, hasLo: l.hasHi, hasHi: l.hasLo}
}

// counterLimits returns what constant bounds say about a loop counter.
func counterLimits(v *ir.Value) limits {
	o := counterLoop(v)
	if o.Op == nil {
		return limits{}
	}
	lo, hasLo := constantResult(o.LowerMap())
	hi, hasHi := constantResult(o.UpperMap())
	l := limits{lo: lo, hasLo: hasLo, hi: hi - 1, hasHi: hasHi && hi > math.MinInt64}
	if n := hi - 1 - lo; hasLo && l.hasHi && o.Step() > 0 && lo < hi && n >= 0 {
		l.hi -= n % o.Step()
	}
	return l
}

func constantResult(m *ir.AffineMap) (int64, bool) {
	if len(m.Results) != 1 || m.Results[0].Kind != ir.AffineConst {
		return 0, false
	}
	return m.Results[0].Value, true
}

// limits returns numbers that the expression never falls below or exceeds, as far as they are
// known. It does not look into divisions within sums.
func (b *ranges) limits(e *ir.AffineExpr) limits {
	l, ok := b.known[e]
	if !ok {
		l = b.findLimits(e)
		if b.known == nil {
			b.known = map[*ir.AffineExpr]limits{}
		}
		b.known[e] = l
	}
	return l
}

func (b *ranges) findLimits(e *ir.AffineExpr) (out limits) {
	if n := e.RHS; n != nil && e.Kind != ir.AffineAdd && e.Kind != ir.AffineMul {
		if n.Kind == ir.AffineConst && n.Value >= 1 {
			return b.limits(e.LHS).divided(e.Kind, n.Value)
		}
		if e.Kind != ir.AffineMod {
			return limits{}
		}
	}
	f := flattener{c: b.c, dims: len(b.dims), syms: len(b.syms)}
	l, ok := f.flatten(e)
	if !ok || len(f.locals) > 0 {
		return limits{}
	}
	out = limits{l.constant, l.constant, true, true}
	for i, k := range append(l.dims, l.syms...) {
		x := b.operands[i]
		if k < 0 {
			x.lo, x.hi, x.hasLo, x.hasHi = x.hi, x.lo, x.hasHi, x.hasLo
		}
		if k != 0 {
			out.lo, out.hasLo = addProduct(out.lo, k, x.lo, out.hasLo && x.hasLo)
			out.hi, out.hasHi = addProduct(out.hi, k, x.hi, out.hasHi && x.hasHi)
		}
	}
	return out
}

// addProduct returns s + x*y, and whether these are known and it fits into 64 bits.
func addProduct(s, x, y int64, known bool) (int64, bool) {
	if !known {
		return 0, false
	}
	p := x * y
	if x != 0 && (p/x != y || x == -1 && y == math.MinInt64) {
		return 0, false
	}
	sum := s + p
	return sum, (sum > s) == (p > 0)
}

// divided returns the limits of the quotient or remainder by n, which is positive.
func (l limits) divided(kind ir.AffineKind, n int64) limits {
	switch kind {
	case ir.AffineFloorDiv:
		l.lo, l.hi = floorDiv(l.lo, n), floorDiv(l.hi, n)
		return l
	case ir.AffineCeilDiv:
		l.lo, l.hi = -floorDiv(-l.lo, n), -floorDiv(-l.hi, n)
		return l
	}
	if q := floorDiv(l.lo, n); l.hasLo && l.hasHi && q == floorDiv(l.hi, n) {
		return limits{l.lo - q*n, l.hi - q*n, true, true}
	}
	return limits{0, n - 1, true, true}
}
