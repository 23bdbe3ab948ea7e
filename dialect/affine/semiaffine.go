package affine

import (
	"cmp"
	"slices"

	"freehold/ir"
)

// term is a product of a constant and an expression, with the key by which the
// terms of a semi-affine sum are ordered.
type term struct {
	major, minor int
	expr         *ir.AffineExpr
	factor       int64
}

// buildSemiAffine returns the expression for a sum of which some local terms have
// two unknown sides. Terms are ordered by the position of the dimension or symbol
// they begin with; of one position, terms with dimensions come before products of
// a dimension and a symbol, and these before terms with symbols. Local terms that
// are more than an operation on a dimension or symbol follow in the order in which
// they were met.
func (f *flattener) buildSemiAffine(l linear) *ir.AffineExpr {
	c := f.c
	var terms []term
	// Terms of the same position and kind stay in the order in which they were added.
	symbol, dim := max(f.dims, f.syms), -1
	add := func(pos int, minor int, x *ir.AffineExpr, k int64) { terms = append(terms, term{pos, minor, x, k}) }
	addSymbol := func(pos int, x *ir.AffineExpr, k int64) {
		add(pos, symbol, x, k)
		symbol++
	}
	addDim := func(pos int, x *ir.AffineExpr, k int64) {
		add(pos, dim, x, k)
		dim--
	}
	for i, k := range l.syms {
		if k != 0 {
			addSymbol(i, c.AffineSymbol(i), k)
		}
	}
	var rest []term
	for i, k := range l.locals {
		x := f.locals[i]
		switch {
		case k == 0:
		case x.LHS == nil || !isOperand(x.LHS) || !isOperand(x.RHS) && x.RHS.Kind != ir.AffineConst:
			rest = append(rest, term{expr: x, factor: k})
		case x.LHS.Kind == ir.AffineSymbol:
			addSymbol(int(x.LHS.Value), x, k)
		case x.RHS.Kind == ir.AffineConst:
			addDim(int(x.LHS.Value), x, k)
		default:
			add(int(x.LHS.Value), int(x.RHS.Value), x, k)
		}
	}
	for i, k := range l.dims {
		if k != 0 {
			addDim(i, c.AffineDim(i), k)
		}
	}
	slices.SortStableFunc(terms, func(a, b term) int {
		return cmp.Or(cmp.Compare(a.major, b.major), cmp.Compare(a.minor, b.minor))
	})
	e := c.AffineConstant(0)
	for _, t := range append(terms, rest...) {
		e = c.AffineAdd(e, c.AffineMul(t.expr, c.AffineConstant(t.factor)))
	}
	return c.AffineAdd(e, c.AffineConstant(l.constant))
}

func isOperand(e *ir.AffineExpr) bool { return e.Kind == ir.AffineDim || e.Kind == ir.AffineSymbol }

// cancelSymbols removes symbols by which an expression is multiplied and then
// divided.
func cancelSymbols(c *ir.Context, e *ir.AffineExpr) *ir.AffineExpr {
	if e.LHS == nil {
		return e
	}
	l, r := cancelSymbols(c, e.LHS), cancelSymbols(c, e.RHS)
	if r.Kind == ir.AffineSymbol && e.Kind != ir.AffineAdd && e.Kind != ir.AffineMul && divisible(l, r, e.Kind) {
		if e.Kind == ir.AffineMod {
			return c.AffineConstant(0)
		}
		return divide(c, l, r, e.Kind)
	}
	return c.AffineBinary(e.Kind, l, r)
}

// divisible tells whether an expression can be divided by the symbol under a division
// of the given kind: it is a multiple of the symbol, or a division of the same kind of
// such, as these commute. MLIR also takes a division inside of a sum or product for a
// multiple, which it is not.
func divisible(e, symbol *ir.AffineExpr, kind ir.AffineKind) bool {
	if (kind == ir.AffineFloorDiv || kind == ir.AffineCeilDiv) && e.Kind == kind {
		return divisible(e.LHS, symbol, kind)
	}
	return multiple(e, symbol)
}

// multiple tells whether an expression is certainly a multiple of the symbol.
func multiple(e, symbol *ir.AffineExpr) bool {
	switch e.Kind {
	case ir.AffineConst:
		return e.Value == 0
	case ir.AffineSymbol:
		return e == symbol
	case ir.AffineAdd, ir.AffineMod:
		return multiple(e.LHS, symbol) && multiple(e.RHS, symbol)
	case ir.AffineMul:
		return multiple(e.LHS, symbol) || multiple(e.RHS, symbol)
	}
	return false
}

// divide returns the quotient of a divisible expression and the symbol.
func divide(c *ir.Context, e, symbol *ir.AffineExpr, kind ir.AffineKind) *ir.AffineExpr {
	switch e.Kind {
	case ir.AffineConst:
		return c.AffineConstant(0)
	case ir.AffineSymbol:
		return c.AffineConstant(1)
	case ir.AffineAdd:
		return c.AffineAdd(divide(c, e.LHS, symbol, kind), divide(c, e.RHS, symbol, kind))
	case ir.AffineMod:
		return c.AffineMod(divide(c, e.LHS, symbol, e.Kind), divide(c, e.RHS, symbol, e.Kind))
	case ir.AffineMul:
		if multiple(e.LHS, symbol) {
			return c.AffineMul(divide(c, e.LHS, symbol, kind), e.RHS)
		}
		return c.AffineMul(e.LHS, divide(c, e.RHS, symbol, kind))
	case ir.AffineFloorDiv, ir.AffineCeilDiv:
		return c.AffineBinary(e.Kind, divide(c, e.LHS, symbol, e.Kind), e.RHS)
	}
	return e
}
