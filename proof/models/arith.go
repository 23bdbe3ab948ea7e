package models

import (
	"freehold/dialect/arith"
	"freehold/dialect/complex"
	"freehold/dialect/index"
	"freehold/dialect/math"
	"freehold/ir"
	"freehold/proof/kernel"
)

// connective is arithmetic of booleans, of which true is the number 1, or if it has a sign -1.
func connective(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	if op.Result(0).Type() != ir.Type(ir.I1) {
		return false
	}
	a, b := v.Truth(fr, arith.BinaryOp{Op: op}.LHS()), v.Truth(fr, arith.BinaryOp{Op: op}.RHS())
	var l kernel.Lit
	switch {
	case op.Is(arith.AndI), op.Is(arith.MulI), op.Is(arith.MinUI), op.Is(arith.MaxSI):
		l = v.F.And(a, b)
	case op.Is(arith.OrI), op.Is(arith.MaxUI), op.Is(arith.MinSI):
		l = v.F.Or(a, b)
	default: // both sums and differences
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

// castAddress casts between types that hold whole addresses, and the same numbers.
func castAddress(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	in := op.OnlyOperand()
	if in == nil || op.NumResults() != 1 || !HoldsAddress(in.Type()) || !HoldsAddress(op.Result(0).Type()) {
		return false
	}
	v.Assign(fr, op.Result(0), v.Get(fr, in))
	return true
}

// integerPredicates are the predicates of comparisons of integers, as MLIR numbers them.
var integerPredicates = [...]struct {
	order kernel.Order
	some  kernel.Outcomes
}{
	{kernel.Signed, kernel.Equal}, {kernel.Signed, kernel.Less | kernel.Greater},
	{kernel.Signed, kernel.Less}, {kernel.Signed, kernel.Less | kernel.Equal}, {kernel.Signed, kernel.Greater}, {kernel.Signed, kernel.Greater | kernel.Equal},
	{kernel.Unsigned, kernel.Less}, {kernel.Unsigned, kernel.Less | kernel.Equal}, {kernel.Unsigned, kernel.Greater}, {kernel.Unsigned, kernel.Greater | kernel.Equal},
}

// compareIntegers is arith.cmpi.
func compareIntegers(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	p, ok := op.Attr("predicate").(*ir.IntegerAttr)
	return ok && compare(v, fr, op, p.Value, arith.CmpIOp{Op: op}.LHS(), arith.CmpIOp{Op: op}.RHS())
}

// compareIndices is index.cmp, whose predicates have the same numbers.
func compareIndices(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	p, ok := op.Attr("pred").(*ir.EnumAttr)
	return ok && compare(v, fr, op, int64(p.Value), index.CmpOp{Op: op}.LHS(), index.CmpOp{Op: op}.RHS())
}

// compare decides comparisons of addresses by what they point to, and those of booleans.
// Comparisons of the same numbers depend on each other.
func compare(v *kernel.Machine, fr *kernel.Frame, op *ir.Op, predicate int64, lhs, rhs *ir.Value) bool {
	x, y := v.Get(fr, lhs), v.Get(fr, rhs)
	x, y = v.OrNull(x, y), v.OrNull(y, x)
	if op.Result(0).Type() != ir.Type(ir.I1) || predicate < 0 || predicate >= int64(len(integerPredicates)) || x.Kind == kernel.Integer && y.Kind == kernel.Integer {
		return false
	}
	p := integerPredicates[predicate]
	l := kernel.No
	switch pointers := x.Kind == kernel.Pointer && y.Kind == kernel.Pointer; {
	case pointers && p.some == kernel.Equal:
		l = v.SameAddress(x, y)
	case pointers && p.some == kernel.Less|kernel.Greater:
		l = v.SameAddress(x, y).Not()
	default:
		l = v.Compare(p.order, p.some, x, y)
	}
	v.Assign(fr, op.Result(0), kernel.TruthOf(l))
	return true
}

// compareFloats is arith.cmpf. Where it may take for granted that no operand is NaN, what it returns otherwise is poison, and it doesn't
// matter what it is: it is chosen so that predicates that are opposites but for that stay opposites.
func compareFloats(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	some := kernel.Outcomes(arith.FPredicate(op).Outcomes())
	if arith.Allows(op, arith.NoNaNs) {
		some &^= kernel.Unordered
		if some&kernel.Equal != 0 {
			some |= kernel.Unordered
		}
	}
	return outcomes(v, fr, op, some, arith.CmpFOp{Op: op}.LHS(), arith.CmpFOp{Op: op}.RHS())
}

// isNaN is math.isnan: a number is equal to itself, what isn't one isn't ordered.
func isNaN(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	x := math.IsNaNOp{Op: op}.OperandValue()
	return outcomes(v, fr, op, kernel.Unordered, x, x)
}

// equalComplex is complex.eq: such numbers are equal, or not ordered if a part is NaN, or otherwise one of them is the less one in some order.
func equalComplex(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	return outcomes(v, fr, op, kernel.Equal, complex.EqualOp{Op: op}.LHS(), complex.EqualOp{Op: op}.RHS())
}

// differentComplex is complex.neq.
func differentComplex(v *kernel.Machine, fr *kernel.Frame, op *ir.Op) bool {
	return outcomes(v, fr, op, kernel.Less|kernel.Greater|kernel.Unordered, complex.NotEqualOp{Op: op}.LHS(), complex.NotEqualOp{Op: op}.RHS())
}

// outcomes tells whether a comparison of two numbers has one of some outcomes.
func outcomes(v *kernel.Machine, fr *kernel.Frame, op *ir.Op, some kernel.Outcomes, x, y *ir.Value) bool {
	r := op.Result(0)
	if r.Type() != ir.Type(ir.I1) {
		return false
	}
	is, known := v.Known(fr, op, r)
	if !known {
		is = kernel.TruthOf(v.Compare(kernel.Floating, some, v.Get(fr, x), v.Get(fr, y)))
	}
	v.Assign(fr, r, is)
	return true
}
