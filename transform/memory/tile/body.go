package tile

import (
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// body finds the tensors that the body of a structured operation reads by rows, and what else it needs from outside.
func (n *node) body(ranges []int64) bool {
	ok := true
	seen := map[*ir.Value]access{}
	n.op.Walk(func(x *ir.Op) bool {
		if x == n.op {
			return true
		}
		if x.NumResults() > 0 && ir.IsTensor(x.Result(0).Type()) {
			ok = false
			return false
		}
		for i, v := range x.Operands().Values() {
			if isInside(n.op, v) {
				continue
			}
			if !ir.IsTensor(v.Type()) || !x.Is(tensor.Extract) || i > 0 {
				n.rest = append(n.rest, v)
				continue
			}
			a, ok1 := n.extraction(x, ranges)
			if !ok1 {
				n.rest = append(n.rest, v)
				continue
			}
			if before, known := seen[v]; known && before != a {
				ok = false
			} else if !known {
				seen[v] = a
				n.reads = append(n.reads, read{v, -1, a})
			}
		}
		return ok
	})
	// What is read by rows must not be needed otherwise as well.
	for _, v := range n.rest {
		if _, rows := seen[v]; rows {
			return false
		}
	}
	return ok
}

// isInside tells whether a value is defined in an operation.
func isInside(op *ir.Op, v *ir.Value) bool {
	if v.IsBlockArg() {
		return op.IsAncestorOf(interfaces.OwnerOf(v))
	}
	return op.IsProperAncestorOf(v.DefiningOp())
}

// extraction returns the rows of the tensor that an extraction of an element reads; false if that doesn't depend on the row alone, or not on
// it at all.
func (n *node) extraction(x *ir.Op, ranges []int64) (a access, ok bool) {
	shape, ranked := ir.ShapeOf(x.Operand(0).Type())
	if !ranked || !ir.IsStaticShape(shape) {
		return a, false
	}
	for k := range shape {
		e := index(n.op, x.Operand(1+k))
		if e == nil {
			return a, false // it may be any row
		}
		if !dependsOn(e, n.loop) {
			continue
		}
		if ok {
			return a, false
		}
		if a, ok = accessOf(e, n.loop, ranges); !ok {
			return a, false
		}
		a.dim = k
	}
	return a, ok
}

// index returns an index that the body of a structured operation computes, in terms of the dimensions of its iteration space; nil if it is
// something else.
func index(op *ir.Op, v *ir.Value) *ir.AffineExpr {
	c := op.Context()
	if n, ok := ir.ConstantInt(v); ok {
		return c.AffineConstant(n)
	}
	def := v.DefiningOp()
	if def == nil || !op.IsProperAncestorOf(def) {
		return nil
	}
	if def.Is(linalg.Index) {
		return c.AffineDim(int(def.Attr("dim").(*ir.IntegerAttr).Value))
	}
	if def.NumOperands() != 2 {
		return nil
	}
	l, r := index(op, def.Operand(0)), index(op, def.Operand(1))
	if l == nil || r == nil {
		return nil
	}
	switch {
	case def.Is(arith.AddI):
		return c.AffineAdd(l, r)
	case r.Kind != ir.AffineConst || r.Value <= 0:
		return nil
	case def.Is(arith.MulI):
		return c.AffineMul(l, r)
	case def.Is(arith.FloorDivSI), (def.Is(arith.DivUI) || def.Is(arith.DivSI)) && isNatural(l):
		return c.AffineFloorDiv(l, r)
	}
	return nil
}

// isNatural tells whether an expression is at least zero, as dimensions are: other divisions than those that round down do the same then.
func isNatural(e *ir.AffineExpr) (ok bool) {
	ok = true
	e.Walk(func(x *ir.AffineExpr) { ok = ok && !(x.Kind == ir.AffineConst && x.Value < 0) })
	return ok
}
