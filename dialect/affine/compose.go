package affine

import (
	"freehold/ir"
	"freehold/ir/shapes"
)

// CanonicalOperands returns a map and operands that compute the same: dimensions
// that may be symbols are symbols, and operands that are constants, duplicates or
// unused are removed. Operands that are results of affine.apply stay what they
// are.
func CanonicalOperands(c *ir.Context, m *ir.AffineMap, operands []*ir.Value) (*ir.AffineMap, []*ir.Value) {
	b := newBound(c, m.Results, m.Dims, operands)
	b.canonicalize()
	return b.affineMap(), b.operands()
}

// FoldedApply computes an expression over dims dimensions and the symbols that
// follow them in the operands. Constants, and what operands that are results of
// affine.apply compute, become part of the expression; nothing is created if it is
// constant or just one of the operands.
func FoldedApply(b *ir.Builder, dims int, e *ir.AffineExpr, operands ...shapes.OpFoldResult) shapes.OpFoldResult {
	m, values := composed(b.Context(), dims, []*ir.AffineExpr{e}, operands)
	switch e := m.Results[0]; e.Kind {
	case ir.AffineConst:
		return shapes.ConstSize(e.Value)
	case ir.AffineDim:
		return shapes.SizeOf(values[e.Value])
	case ir.AffineSymbol:
		return shapes.SizeOf(values[m.Dims+int(e.Value)])
	}
	return shapes.SizeOf(NewApply(b, m, values...))
}

// FoldedMin is the smallest of the operands. Nothing is created if it is constant.
func FoldedMin(b *ir.Builder, operands ...shapes.OpFoldResult) shapes.OpFoldResult {
	c := b.Context()
	m, values := composed(c, len(operands), c.IdentityMap(len(operands)).Results, operands)
	least, constant := int64(0), true
	for i, e := range m.Results {
		constant = constant && e.Kind == ir.AffineConst
		if i == 0 || e.Value < least {
			least = e.Value
		}
	}
	if constant {
		return shapes.ConstSize(least)
	}
	return shapes.SizeOf(NewMin(b, m, values...))
}

// composed returns the map of the expressions over dims dimensions and symbols,
// with what is known about the operands put into it, and the operands that are
// left.
func composed(c *ir.Context, dims int, exprs []*ir.AffineExpr, operands []shapes.OpFoldResult) (*ir.AffineMap, []*ir.Value) {
	newDims, newSyms := make([]*ir.AffineExpr, dims), make([]*ir.AffineExpr, len(operands)-dims)
	var dimValues, symValues []*ir.Value
	for i, o := range operands {
		var to *ir.AffineExpr
		if o.Value == nil {
			to = c.AffineConstant(o.Const)
		} else if i < dims {
			to = c.AffineDim(len(dimValues))
			dimValues = append(dimValues, o.Value)
		} else {
			to = c.AffineSymbol(len(symValues))
			symValues = append(symValues, o.Value)
		}
		if i < dims {
			newDims[i] = to
		} else {
			newSyms[i-dims] = to
		}
	}
	results := make([]*ir.AffineExpr, len(exprs))
	for i, e := range exprs {
		results[i] = c.AffineReplace(e, newDims, newSyms)
	}
	return Compose(c, c.AffineMap(len(dimValues), len(symValues), results...), append(dimValues, symValues...))
}
