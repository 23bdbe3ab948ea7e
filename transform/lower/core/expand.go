package core

import (
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/rewrite"
)

// expander computes affine expressions by operations of arith.
type expander struct {
	r          *rewrite.Rewriter
	loc        ir.Location
	dims, syms []*ir.Value
}

// expandMap computes the results of a map for its operands. It returns false, and
// reports why, if there is a division by a constant below 1.
func expandMap(r *rewrite.Rewriter, op *ir.Op, m *ir.AffineMap, operands []*ir.Value) ([]*ir.Value, bool) {
	return expandAll(r, op, m.Results, m.Dims, operands)
}

// expandAll computes expressions; the first of the operands are the dimensions.
func expandAll(r *rewrite.Rewriter, op *ir.Op, exprs []*ir.AffineExpr, dims int, operands []*ir.Value) ([]*ir.Value, bool) {
	e := &expander{r, op.Loc(), operands[:dims], operands[dims:]}
	out := make([]*ir.Value, len(exprs))
	ok := true
	for i, x := range exprs {
		out[i] = e.expand(x)
		ok = ok && out[i] != nil
	}
	return out, ok
}

// expand returns the value of the expression; nil if it has none.
func (e *expander) expand(x *ir.AffineExpr) *ir.Value {
	switch x.Kind {
	case ir.AffineConst:
		return e.constant(x.Value)
	case ir.AffineDim:
		return e.dims[x.Value]
	case ir.AffineSymbol:
		return e.syms[x.Value]
	case ir.AffineMod, ir.AffineFloorDiv, ir.AffineCeilDiv:
		if x.RHS.Kind == ir.AffineConst && x.RHS.Value < 1 {
			e.reject(x.Kind)
			return nil
		}
	}
	l := e.expand(x.LHS)
	if l == nil {
		return nil
	}
	r := e.expand(x.RHS)
	if r == nil {
		return nil
	}
	switch x.Kind {
	case ir.AffineAdd:
		return e.new(arith.AddI, l, r)
	case ir.AffineMul:
		return e.new(arith.MulI, l, r)
	case ir.AffineMod:
		return e.mod(l, r)
	case ir.AffineFloorDiv:
		return e.floorDiv(l, r)
	}
	return e.ceilDiv(l, r)
}

func (e *expander) reject(kind ir.AffineKind) {
	what := "division"
	if kind == ir.AffineMod {
		what = "modulo"
	}
	if c := conversion.Of(e.r); c != nil {
		c.Report(ir.Errorf(e.loc, "%s by non-positive value is not supported", what))
	}
}

func (e *expander) constant(n int64) *ir.Value { return arith.ConstantIndex(e.r.Builder, n) }

func (e *expander) new(id *ir.OpID, l, r *ir.Value) *ir.Value {
	return arith.New(e.r.Builder, id, l, r)
}

func (e *expander) less(l, r *ir.Value) *ir.Value {
	return arith.NewCmpI(e.r.Builder, arith.SLT, l, r)
}

func (e *expander) pick(cond, t, f *ir.Value) *ir.Value {
	return arith.NewSelect(e.r.Builder, cond, t, f)
}

// mod is the remainder with the sign of the divisor, which is positive: that of the
// division that rounds to zero, plus the divisor if it is negative.
func (e *expander) mod(l, r *ir.Value) *ir.Value {
	rem := e.new(arith.RemSI, l, r)
	negative := e.less(rem, e.constant(0))
	return e.pick(negative, e.new(arith.AddI, rem, r), rem)
}

// floorDiv rounds down: a negative dividend x is divided as -1-x, which rounds the
// other way.
func (e *expander) floorDiv(l, r *ir.Value) *ir.Value {
	zero, none := e.constant(0), e.constant(-1)
	negative := e.less(l, zero)
	dividend := e.pick(negative, e.new(arith.SubI, none, l), l)
	q := e.new(arith.DivSI, dividend, r)
	return e.pick(negative, e.new(arith.SubI, none, q), q)
}

// ceilDiv rounds up: a positive dividend x is divided as x-1, and the quotient
// increased by 1; one that isn't is divided as -x.
func (e *expander) ceilDiv(l, r *ir.Value) *ir.Value {
	zero, one := e.constant(0), e.constant(1)
	nonPositive := arith.NewCmpI(e.r.Builder, arith.SLE, l, zero)
	negated := e.new(arith.SubI, zero, l)
	decreased := e.new(arith.SubI, l, one)
	dividend := e.pick(nonPositive, negated, decreased)
	q := e.new(arith.DivSI, dividend, r)
	negatedQuotient := e.new(arith.SubI, zero, q)
	increased := e.new(arith.AddI, q, one)
	return e.pick(nonPositive, negatedQuotient, increased)
}

// extreme computes the minimum or maximum of the results of a map with arith.minsi or
// arith.maxsi.
func extreme(r *rewrite.Rewriter, op *ir.Op, exprs []*ir.AffineExpr, dims int, operands []*ir.Value, id *ir.OpID) *ir.Value {
	values, ok := expandAll(r, op, exprs, dims, operands)
	if !ok || len(values) == 0 {
		return nil
	}
	v := values[0]
	for _, w := range values[1:] {
		v = arith.New(r.Builder, id, v, w)
	}
	return v
}
