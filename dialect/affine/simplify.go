package affine

import (
	"freehold/ir"
)

// bound is an affine map or the constraints of a set, with operands: dimensions
// first, then symbols.
type bound struct {
	c          *ir.Context
	exprs      []*ir.AffineExpr
	dims, syms []*ir.Value
}

func newBound(c *ir.Context, exprs []*ir.AffineExpr, dims int, operands []*ir.Value) *bound {
	return &bound{c, append([]*ir.AffineExpr(nil), exprs...), append([]*ir.Value(nil), operands[:dims]...),
		append([]*ir.Value(nil), operands[dims:]...)}
}

func (b *bound) operands() []*ir.Value {
	return append(append([]*ir.Value(nil), b.dims...), b.syms...)
}

func (b *bound) affineMap() *ir.AffineMap {
	return b.c.AffineMap(len(b.dims), len(b.syms), b.exprs...)
}

func (b *bound) replace(dims, syms []*ir.AffineExpr) {
	for i, e := range b.exprs {
		b.exprs[i] = b.c.AffineReplace(e, dims, syms)
	}
}

// largest is how many terms the expressions of a map may have, written out, for another
// to be put into them: each may double them.
const largest = 1 << 11

// compose replaces operands that are the results of affine.apply by what those
// compute, as far as the expressions don't grow beyond bounds. Linear in the number of
// operations that are composed.
func (b *bound) compose() {
	replaced := false
	var apart map[*ir.Value]bool // operands that would make the expressions too large
	for pos := 0; pos < len(b.dims)+len(b.syms); pos++ {
		v, isDim := b.at(pos)
		if v == nil {
			continue
		}
		op := v.DefiningOp()
		if op == nil || !op.Is(Apply) || apart[v] || usesLater(op) || !within(MapOf(op).Results, largest) {
			continue
		}
		inner := newBound(b.c, MapOf(op).Results, MapOf(op).Dims, op.Operands().Values())
		inner.promote()
		nd, ns := len(b.dims), len(b.syms)
		idims, isyms := b.shift(len(inner.dims), nd, b.c.AffineDim), b.shift(len(inner.syms), ns, b.c.AffineSymbol)
		e := b.c.AffineReplace(inner.exprs[0], idims, isyms)
		dims, syms := b.shift(nd, 0, b.c.AffineDim), b.shift(ns, 0, b.c.AffineSymbol)
		if isDim {
			dims[pos] = e
		} else {
			syms[pos-nd] = e
		}
		before := append([]*ir.AffineExpr(nil), b.exprs...)
		b.replace(dims, syms)
		if !within(b.exprs, largest) {
			if apart == nil {
				apart = map[*ir.Value]bool{}
			}
			b.exprs, apart[v] = before, true
			continue
		}
		replaced = true
		if isDim {
			b.dims[pos] = nil
		} else {
			b.syms[pos-nd] = nil
		}
		b.dims = append(b.dims, inner.dims...)
		b.syms = append(b.syms, inner.syms...)
		pos = -1 // positions of symbols have moved
	}
	if !replaced {
		return
	}
	var dims, syms []*ir.AffineExpr
	b.dims, dims = b.drop(b.dims, b.c.AffineDim)
	b.syms, syms = b.drop(b.syms, b.c.AffineSymbol)
	b.replace(dims, syms)
}

// within tells whether the expressions have at most n terms. O(n)
func within(exprs []*ir.AffineExpr, n int) bool {
	var count func(e *ir.AffineExpr) bool
	count = func(e *ir.AffineExpr) bool {
		n--
		return n >= 0 && (e.LHS == nil || count(e.LHS) && count(e.RHS))
	}
	for _, e := range exprs {
		if !count(e) {
			return false
		}
	}
	return true
}

func (b *bound) at(pos int) (v *ir.Value, isDim bool) {
	if pos < len(b.dims) {
		return b.dims[pos], true
	}
	return b.syms[pos-len(b.dims)], false
}

func (b *bound) shift(n, by int, expr func(int) *ir.AffineExpr) []*ir.AffineExpr {
	out := make([]*ir.AffineExpr, n)
	for i := range out {
		out[i] = expr(i + by)
	}
	return out
}

// drop removes the operands that are nil.
func (b *bound) drop(vs []*ir.Value, expr func(int) *ir.AffineExpr) (kept []*ir.Value, exprs []*ir.AffineExpr) {
	exprs = make([]*ir.AffineExpr, len(vs))
	for i, v := range vs {
		if v == nil {
			exprs[i] = b.c.AffineConstant(0)
			continue
		}
		exprs[i] = expr(len(kept))
		kept = append(kept, v)
	}
	return kept, exprs
}

// move takes the values that belong to others out of a list, and returns what stays, the others, and the expression that each of the list is now: by its place
// among those that stay, or among the others.
func move(list, others []*ir.Value, belongs func(v *ir.Value) bool, stay, other func(i int) *ir.AffineExpr) (keep, more []*ir.Value, exprs []*ir.AffineExpr) {
	exprs = make([]*ir.AffineExpr, len(list))
	for i, v := range list {
		if belongs(v) {
			exprs[i] = other(len(others))
			others = append(others, v)
		} else {
			exprs[i] = stay(len(keep))
			keep = append(keep, v)
		}
	}
	return keep, others, exprs
}

// promote makes dimensions that are symbols symbols.
func (b *bound) promote() {
	var dims []*ir.AffineExpr
	b.dims, b.syms, dims = move(b.dims, b.syms, isSymbolValue, b.c.AffineDim, b.c.AffineSymbol)
	b.replace(dims, nil)
}

// demote makes symbols that may only be dimensions dimensions, which verifiers ask for since LLVM 22.
func (b *bound) demote() {
	if b.c.LLVM() < symbolsSince {
		return
	}
	var syms []*ir.AffineExpr
	b.syms, b.dims, syms = move(b.syms, b.dims, func(v *ir.Value) bool { return isDimValue(v) && !isSymbolValue(v) }, b.c.AffineSymbol, b.c.AffineDim)
	b.replace(nil, syms)
}

// canonicalize makes dimensions that are symbols symbols, and symbols that can't be any dimensions, and removes operands
// that are not used, constants, and duplicates.
func (b *bound) canonicalize() {
	b.promote()
	b.demote()
	usedDims, usedSyms := make([]bool, len(b.dims)), make([]bool, len(b.syms))
	for _, e := range b.exprs {
		e.Walk(func(x *ir.AffineExpr) {
			switch x.Kind {
			case ir.AffineDim:
				usedDims[x.Value] = true
			case ir.AffineSymbol:
				usedSyms[x.Value] = true
			}
		})
	}
	var dimExprs, symExprs []*ir.AffineExpr
	b.dims, dimExprs = b.unique(b.dims, usedDims, b.c.AffineDim, false)
	b.syms, symExprs = b.unique(b.syms, usedSyms, b.c.AffineSymbol, true)
	b.replace(dimExprs, symExprs)
}

func (b *bound) unique(vs []*ir.Value, used []bool, expr func(int) *ir.AffineExpr, constants bool) (kept []*ir.Value, exprs []*ir.AffineExpr) {
	exprs = make([]*ir.AffineExpr, len(vs))
	seen := map[*ir.Value]*ir.AffineExpr{}
	for i, v := range vs {
		exprs[i] = b.c.AffineConstant(0)
		if !used[i] {
			continue
		}
		if constants {
			if n, ok := ir.ConstantInt(v); ok {
				exprs[i] = b.c.AffineConstant(n)
				continue
			}
		}
		e := seen[v]
		if e == nil {
			e = expr(len(kept))
			seen[v] = e
			kept = append(kept, v)
		}
		exprs[i] = e
	}
	return kept, exprs
}

// isSymbolValue tells whether the value may be a symbol in the scope in which it
// is defined.
func isSymbolValue(v *ir.Value) bool {
	op := v.DefiningOp()
	if op == nil {
		parent := v.ArgOwner().ParentOp()
		return parent != nil && parent.Has(ir.TraitAffineScope)
	}
	if parent := op.Parent(); parent != nil && parent.Has(ir.TraitAffineScope) {
		return true
	}
	return IsValidSymbol(v, Scope(op))
}

// isDimValue tells whether the value may be a dimension in the scope in which it is defined.
func isDimValue(v *ir.Value) bool {
	op := v.DefiningOp()
	if op == nil {
		parent := v.ArgOwner().ParentOp()
		return parent != nil && (parent.Has(ir.TraitAffineScope) || parent.Is(For) || parent.Is(Parallel))
	}
	return IsValidDim(v, Scope(op))
}

// Simplify returns a map and operands that compute the same: operands that are
// results of affine.apply are composed into the map, and operands that are
// constants, duplicates or unused are removed.
func Simplify(c *ir.Context, m *ir.AffineMap, operands []*ir.Value) (*ir.AffineMap, []*ir.Value) {
	b := newBound(c, m.Results, m.Dims, operands)
	b.compose()
	b.canonicalize()
	b.normalize()
	b.useRanges()
	return b.affineMap(), b.operands()
}

// Compose is [Simplify] that knows nothing of the ranges of loops.
func Compose(c *ir.Context, m *ir.AffineMap, operands []*ir.Value) (*ir.AffineMap, []*ir.Value) {
	b := newBound(c, m.Results, m.Dims, operands)
	b.compose()
	b.canonicalize()
	b.normalize()
	return b.affineMap(), b.operands()
}

// usesLater tells whether an operation uses itself, or what comes after it in its block, as it may where order means nothing. Each
// circle of operations has one that does.
func usesLater(op *ir.Op) bool {
	for _, v := range op.Operands().Values() {
		if def := v.DefiningOp(); def != nil && def.Block() == op.Block() && !def.IsBefore(op) {
			return true
		}
	}
	return false
}

func sameOperands(a ir.Operands, b []*ir.Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range b {
		if a.At(i) != b[i] {
			return false
		}
	}
	return true
}
