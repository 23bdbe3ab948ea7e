package memref

import (
	"slices"

	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/ir"
)

// RaiseAccesses makes memref.load and memref.store in root those of the affine dialect where all indices are sums and products that an
// affine map can say, and returns whether it changed anything. It takes time linear in the sizes of the maps.
func RaiseAccesses(root *ir.Op) bool {
	var list []*ir.Op
	root.Walk(func(op *ir.Op) bool {
		if op.Is(memref.Load) || op.Is(memref.Store) {
			list = append(list, op)
		}
		return true
	})
	changed := false
	for _, op := range list {
		changed = raiseAccess(op) || changed
	}
	return changed
}

func raiseAccess(op *ir.Op) bool {
	a := accesses[op.ID()]
	buffer := op.OperandGroup(a.buffer).At(0)
	r := raising{c: op.Context(), scope: affine.Scope(op), known: map[*ir.Value]*ir.AffineExpr{}}
	var exprs []*ir.AffineExpr
	for _, v := range op.OperandGroup(a.indices).Values() {
		e := r.expr(v)
		if e == nil {
			return false
		}
		exprs = append(exprs, e)
	}
	b := ir.NewBuilder(op.Context())
	b.SetBefore(op)
	b.Loc = op.Loc()
	m, operands := affine.CanonicalOperands(r.c, r.c.AffineMap(len(r.dims), len(r.symbols), exprs...), slices.Concat(r.dims, r.symbols))
	if op.Is(memref.Load) {
		op.Result(0).ReplaceAllUsesWith(affine.NewLoad(b, buffer, m, operands...))
	} else {
		affine.NewStore(b, memref.StoreOp{Op: op}.Value(), buffer, m, operands...)
	}
	op.Erase()
	return true
}

// raising collects the operands of a map, some of which may be needless.
type raising struct {
	c             *ir.Context
	scope         *ir.Region
	dims, symbols []*ir.Value
	// known is what was found out about values.
	known map[*ir.Value]*ir.AffineExpr
}

// expr returns how an affine map computes the value, or nil.
func (r *raising) expr(v *ir.Value) *ir.AffineExpr {
	e, ok := r.known[v]
	if !ok {
		r.known[v] = nil // where a value that isn't reached is made of itself
		e = r.find(v)
		r.known[v] = e
	}
	return e
}

func (r *raising) find(v *ir.Value) *ir.AffineExpr {
	if k, ok := ir.ConstantInt(v); ok {
		return r.c.AffineConstant(k)
	}
	if op := v.DefiningOp(); op != nil && (op.Is(arith.AddI) || op.Is(arith.MulI)) {
		if e := r.compound(op); e != nil {
			return e
		}
	}
	switch {
	case affine.IsValidSymbol(v, r.scope):
		return r.c.AffineSymbol(numberOf(v, &r.symbols))
	case affine.IsValidDim(v, r.scope):
		return r.c.AffineDim(numberOf(v, &r.dims))
	}
	return nil
}

// compound returns a sum, or a product of which one factor is known at the top of the scope.
func (r *raising) compound(op *ir.Op) *ir.AffineExpr {
	x := r.expr(arith.BinaryOp{Op: op}.LHS())
	if x == nil {
		return nil
	}
	y := r.expr(arith.BinaryOp{Op: op}.RHS())
	switch {
	case y == nil:
		return nil
	case op.Is(arith.AddI):
		return r.c.AffineAdd(x, y)
	case x.SymbolicOrConstant() || y.SymbolicOrConstant():
		return r.c.AffineMul(x, y)
	}
	return nil
}

// numberOf returns the position of a value in a list, to which it is added if it isn't there.
func numberOf(v *ir.Value, list *[]*ir.Value) int {
	i := slices.Index(*list, v)
	if i < 0 {
		i = len(*list)
		*list = append(*list, v)
	}
	return i
}
