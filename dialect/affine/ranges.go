package affine

import "freehold/ir"

// useRanges simplifies divisions and remainders with what the bounds and steps of loops
// say about their counters.
func (b *bound) useRanges() {
	r := b.ranges()
	for i, e := range b.exprs {
		b.exprs[i] = r.simplify(e)
	}
}

// ranges is what is known about the expressions of a bound. Expressions are shared: what was
// found out about one is kept, since written out they can be exponentially larger.
type ranges struct {
	*bound
	operands   []limits
	simplified map[*ir.AffineExpr]*ir.AffineExpr
	known      map[*ir.AffineExpr]limits
}

func (b *bound) ranges() *ranges {
	r := &ranges{bound: b, operands: make([]limits, 0, len(b.dims)+len(b.syms))}
	for _, v := range b.operands() {
		r.operands = append(r.operands, counterLimits(v))
	}
	return r
}

func (b *ranges) simplify(e *ir.AffineExpr) *ir.AffineExpr {
	if e.LHS == nil {
		return e
	}
	s, ok := b.simplified[e]
	if !ok {
		l, r := b.simplify(e.LHS), b.simplify(e.RHS)
		s = e
		if l != e.LHS || r != e.RHS {
			s = b.c.AffineBinary(e.Kind, l, r)
		}
		s = b.simplifyDivision(s)
		if b.simplified == nil {
			b.simplified = map[*ir.AffineExpr]*ir.AffineExpr{}
		}
		b.simplified[e] = s
	}
	return s
}

// simplifyDivision simplifies a quotient or remainder of simplified expressions.
func (b *ranges) simplifyDivision(e *ir.AffineExpr) *ir.AffineExpr {
	if e.Kind != ir.AffineMod && e.Kind != ir.AffineFloorDiv && e.Kind != ir.AffineCeilDiv {
		return e
	}
	if e.RHS.Kind != ir.AffineConst || e.RHS.Value < 1 {
		return e
	}
	if s := b.withinRange(e); s != nil {
		return s
	}
	if e.Kind == ir.AffineCeilDiv {
		return e
	}
	n, zero := e.RHS.Value, b.c.AffineConstant(0)
	if multiple, rest, divisor, ok := b.splitSum(e.LHS); ok {
		switch {
		case e.Kind == ir.AffineFloorDiv && n%divisor == 0:
			return b.c.AffineFloorDiv(multiple, e.RHS)
		case e.Kind == ir.AffineMod && divisor%n == 0:
			return b.c.AffineMod(rest, e.RHS)
		}
		return e
	}
	if e.Kind == ir.AffineFloorDiv && b.belowCount(e.LHS, n) || e.Kind == ir.AffineMod && b.divisor(e.LHS)%n == 0 {
		return zero
	}
	return e
}

// withinRange returns what a division or remainder by a constant is if it is the same, or
// changes nothing, for all values between the limits of the left side, and nil otherwise.
func (b *ranges) withinRange(e *ir.AffineExpr) *ir.AffineExpr {
	n, l := e.RHS.Value, b.limits(e.LHS)
	lo, hi := l.lo, l.hi
	switch {
	case !l.hasLo || !l.hasHi:
	case e.Kind == ir.AffineMod && lo >= 0 && hi < n:
		return e.LHS
	case e.Kind == ir.AffineFloorDiv && floorDiv(lo, n) == floorDiv(hi, n):
		return b.c.AffineConstant(floorDiv(lo, n))
	case e.Kind == ir.AffineCeilDiv && floorDiv(-lo, n) == floorDiv(-hi, n):
		return b.c.AffineConstant(-floorDiv(-lo, n))
	}
	return nil
}

// splitSum splits a sum into a multiple of a divisor and a rest that is not negative and
// smaller than the divisor.
func (b *bound) splitSum(e *ir.AffineExpr) (multiple, rest *ir.AffineExpr, divisor int64, ok bool) {
	if e.Kind != ir.AffineAdd {
		return nil, nil, 0, false
	}
	for _, t := range [][2]*ir.AffineExpr{{e.LHS, e.RHS}, {e.RHS, e.LHS}} {
		if d := b.divisor(t[0]); d > 0 && b.belowCount(t[1], d) {
			return t[0], t[1], d, true
		}
	}
	return nil, nil, 0, false
}

// belowCount tells whether the expression is a constant or a loop counter that is never
// negative and always smaller than n.
func (b *bound) belowCount(e *ir.AffineExpr, n int64) bool {
	if e.Kind == ir.AffineConst {
		return e.Value >= 0 && e.Value < n
	}
	o := b.loopOf(e)
	if o.Op == nil {
		return false
	}
	lo, ok1 := constantResult(o.LowerMap())
	hi, ok2 := constantResult(o.UpperMap())
	return ok1 && ok2 && lo >= 0 && hi <= n
}

// divisor returns the largest number that is known to divide the expression, 0 for the
// constant 0. The step of a loop divides its counter if it divides where the loop starts.
func (b *bound) divisor(e *ir.AffineExpr) int64 {
	o := b.loopOf(e)
	if o.Op == nil {
		return e.LargestDivisor()
	}
	if lo, ok := constantResult(o.LowerMap()); ok && lo == 0 {
		return o.Step()
	}
	d := o.Step()
	for _, x := range o.LowerMap().Results {
		d = gcd(d, x.LargestDivisor())
	}
	return d
}

// loopOf returns the affine.for whose counter the expression is; its Op is nil if there
// is none.
func (b *bound) loopOf(e *ir.AffineExpr) ForOp {
	if e.Kind != ir.AffineDim {
		return ForOp{}
	}
	return counterLoop(b.dims[e.Value])
}

// counterLoop returns the affine.for whose counter a value is; its Op is nil if there is
// none.
func counterLoop(v *ir.Value) ForOp {
	if !v.IsBlockArg() || v.Index() != 0 {
		return ForOp{}
	}
	if parent := v.ArgOwner().ParentOp(); parent != nil && parent.Is(For) {
		return ForOp{parent}
	}
	return ForOp{}
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, -a)
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}
