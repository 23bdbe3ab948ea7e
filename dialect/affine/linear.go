package affine

import (
	"freehold/iface"
	"freehold/ir"
)

// linearExpr returns an expression over dimensions and symbols, which operand gives,
// if it is linear.
func linearExpr(e *ir.AffineExpr, operand func(*ir.AffineExpr) iface.Linear) (iface.Linear, bool) {
	switch e.Kind {
	case ir.AffineConst:
		return iface.LinearConst(e.Value), true
	case ir.AffineDim, ir.AffineSymbol:
		return operand(e), true
	case ir.AffineAdd, ir.AffineMul:
		l, ok1 := linearExpr(e.LHS, operand)
		r, ok2 := linearExpr(e.RHS, operand)
		if !ok1 || !ok2 {
			return iface.Linear{}, false
		}
		if e.Kind == ir.AffineMul {
			return l.Product(r)
		}
		return l.Plus(r), true
	}
	return iface.Linear{}, false
}
