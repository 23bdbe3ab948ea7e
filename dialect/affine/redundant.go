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
	var operands []limits
	for _, v := range b.operands() {
		operands = append(operands, counterLimits(v))
	}
	known := make([]limits, len(b.exprs))
	for i, e := range b.exprs {
		l := &known[i]
		l.lo, l.hasLo = b.extreme(e, operands, false)
		l.hi, l.hasHi = b.extreme(e, operands, true)
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

// extreme returns a number that the expression never exceeds (upper), or never falls
// below, and whether one is known. It does not look into divisions within sums.
func (b *bound) extreme(e *ir.AffineExpr, operands []limits, upper bool) (int64, bool) {
	if n := e.RHS; n != nil && e.Kind != ir.AffineAdd && e.Kind != ir.AffineMul {
		if n.Kind != ir.AffineConst || n.Value < 1 {
			if e.Kind != ir.AffineMod {
				return 0, false
			}
		} else {
			return b.divided(e, n.Value, operands, upper)
		}
	}
	f := flattener{b.c, len(b.dims), len(b.syms), nil}
	l, ok := f.flatten(e)
	if !ok || len(f.locals) > 0 {
		return 0, false
	}
	sum := l.constant
	for i, k := range append(l.dims, l.syms...) {
		x := operands[i]
		switch {
		case k == 0:
		case (k > 0) == upper:
			if !x.hasHi {
				return 0, false
			}
			sum, ok = addProduct(sum, k, x.hi)
		default:
			if !x.hasLo {
				return 0, false
			}
			sum, ok = addProduct(sum, k, x.lo)
		}
		if !ok {
			return 0, false
		}
	}
	return sum, true
}

// addProduct returns s + x*y, and whether that fits into 64 bits.
func addProduct(s, x, y int64) (int64, bool) {
	p := x * y
	if x != 0 && (p/x != y || x == -1 && y == math.MinInt64) {
		return 0, false
	}
	sum := s + p
	return sum, (sum > s) == (p > 0)
}

// divided is extreme for quotients and remainders by n.
func (b *bound) divided(e *ir.AffineExpr, n int64, operands []limits, upper bool) (int64, bool) {
	if e.Kind != ir.AffineMod {
		x, ok := b.extreme(e.LHS, operands, upper)
		if e.Kind == ir.AffineFloorDiv {
			return floorDiv(x, n), ok
		}
		return -floorDiv(-x, n), ok
	}
	lo, ok1 := b.extreme(e.LHS, operands, false)
	hi, ok2 := b.extreme(e.LHS, operands, true)
	within := ok1 && ok2 && floorDiv(lo, n) == floorDiv(hi, n)
	switch {
	case within && upper:
		return hi - floorDiv(hi, n)*n, true
	case within:
		return lo - floorDiv(lo, n)*n, true
	case upper:
		return n - 1, true
	}
	return 0, true
}
