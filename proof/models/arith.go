package models

import (
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/proof/kernel"
)

func connective(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	if op.Result(0).Type() != ir.Type(ir.I1) {
		return false
	}
	a, b := v.Truth(fr, arith.BinaryOp{Op: op}.LHS()), v.Truth(fr, arith.BinaryOp{Op: op}.RHS())
	l := v.F.And(a, b)
	if op.Is(arith.OrI) {
		l = v.F.Or(a, b)
	} else if op.Is(arith.XOrI) {
		l = v.F.Iff(a, b).Not()
	}
	v.Assign(fr, op.Result(0), kernel.TruthOf(l))
	return true
}

func selectOp(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	if (arith.SelectOp{Op: op}).Condition().Type() != ir.Type(ir.I1) {
		return false
	}
	v.Assign(fr, op.Result(0), v.Choose(v.Truth(fr, arith.SelectOp{Op: op}.Condition()), v.Get(fr, arith.SelectOp{Op: op}.TrueValue()), v.Get(fr, arith.SelectOp{Op: op}.FalseValue())))
	return true
}

// HoldsAddress tells whether numbers of a type may be addresses, none of them cut off.
func HoldsAddress(t ir.Type) bool { return t == ir.Type(ir.Index) || t == ir.Type(ir.I64) }

// castAddress casts between types that hold whole addresses.
func castAddress(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	if in := op.OnlyOperand(); in != nil && op.NumResults() == 1 && HoldsAddress(in.Type()) && HoldsAddress(op.Result(0).Type()) {
		if x := v.Get(fr, in); x.Address() {
			v.Assign(fr, op.Result(0), x)
			return true
		}
	}
	return false
}

// compare decides comparisons of addresses by what they point to, and those of booleans.
// Comparisons of the same numbers depend on each other.
func compare(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	x, y := v.Get(fr, arith.CmpIOp{Op: op}.LHS()), v.Get(fr, arith.CmpIOp{Op: op}.RHS())
	x, y = v.OrNull(x, y), v.OrNull(y, x)
	attr, ok := op.Attr("predicate").(*ir.IntegerAttr)
	if !ok || op.Result(0).Type() != ir.Type(ir.I1) || x.Kind == kernel.Integer && y.Kind == kernel.Integer {
		return false
	}
	p := kernel.Predicate(attr.Value)
	if p != kernel.EQ && p != kernel.NE || x.Kind != kernel.Pointer || y.Kind != kernel.Pointer {
		v.Assign(fr, op.Result(0), kernel.TruthOf(v.Compare(p, x, y)))
		return true
	}
	l := v.SameAddress(x, y)
	if p == kernel.NE {
		l = l.Not()
	}
	v.Assign(fr, op.Result(0), kernel.TruthOf(l))
	return true
}
