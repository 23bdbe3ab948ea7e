package affine

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// linearExpr returns an expression over dimensions and symbols, which operand gives,
// if it is linear.
func linearExpr(e *ir.AffineExpr, operand func(*ir.AffineExpr) interfaces.Linear) (interfaces.Linear, bool) {
	switch e.Kind {
	case ir.AffineConst:
		return interfaces.LinearConst(e.Value), true
	case ir.AffineDim, ir.AffineSymbol:
		return operand(e), true
	case ir.AffineAdd, ir.AffineMul:
		l, ok1 := linearExpr(e.LHS, operand)
		r, ok2 := linearExpr(e.RHS, operand)
		if !ok1 || !ok2 {
			return interfaces.Linear{}, false
		}
		if e.Kind == ir.AffineMul {
			return l.Product(r)
		}
		return l.Plus(r), true
	}
	return interfaces.Linear{}, false
}
