package vector

import (
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// comparedStep replaces comparisons of the numbers from 0 on with one that is so large that all have the same result. How many
// numbers a scalable vector has isn't known.
func comparedStep(r *rewrite.Rewriter, op *ir.Op) bool {
	t := vec(op.Result(0).Type())
	if t.Scalable != nil {
		return false
	}
	c := op.Context()
	for _, use := range op.Result(0).Uses() {
		cmp := use.Owner()
		if !cmp.Is(arith.CmpI) || use.Index() != 0 {
			continue
		}
		bound, ok := equalElements(c, arith.CmpIOp{Op: cmp}.RHS())
		if !ok {
			continue
		}
		result, ok := allBelow(arith.Predicate(cmp), t.Shape[0], bound)
		if !ok {
			continue
		}
		r.SetAfter(cmp)
		r.Loc = cmp.Loc()
		bits := cmp.Result(0).Type().(*ir.VectorType)
		r.Replace(cmp, arith.NewConstant(r.Builder, c.DenseElements(bits, ir.AppendElement(nil, c.Bool(result)))).Result(0))
		return true
	}
	return false
}

// allBelow returns what comparisons of the numbers below n with a bound give, if it is the same for all.
func allBelow(p arith.IntPredicate, n, bound int64) (result, same bool) {
	switch p {
	case arith.ULT, arith.UGE:
		return p == arith.ULT, n <= bound
	case arith.ULE, arith.UGT:
		return p == arith.ULE, n-1 <= bound
	case arith.EQ, arith.NE:
		return p == arith.NE, n <= bound
	}
	return false, false
}

// equalElements returns the number that all elements of a constant are.
func equalElements(c *ir.Context, v *ir.Value) (int64, bool) {
	a, ok := ir.ConstantOf(v).(*ir.DenseElementsAttr)
	if !ok || !a.Splat {
		return 0, false
	}
	n, ok := a.Elem(c, 0).(*ir.IntegerAttr)
	if !ok || n.Big != nil {
		return 0, false
	}
	return n.Value, true
}
