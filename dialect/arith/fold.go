package arith

import (
	"math/big"

	"freehold/dialect/ub"
	"freehold/exec"
	"freehold/ir"
	"freehold/ir/fold"
)

// poisoned returns the first operand that is poison, or nil.
func poisoned(operands []ir.Attribute) ir.Attribute {
	for _, o := range operands {
		if ub.IsPoison(o) {
			return o
		}
	}
	return nil
}

// constantOf returns the constant that a value is, or nil.
func constantOf(v *ir.Value) ir.Attribute { return ir.ConstantOf(v) }

// folded turns an attribute, which may be nil, into the answer of a folder.
func folded(a ir.Attribute) []ir.FoldResult {
	if a == nil {
		return nil
	}
	return ir.FoldAttr(a)
}

// constantInt returns the integer that the constant a is, or consists of; nil if
// it is none.
func constantInt(c *ir.Context, a ir.Attribute) *ir.IntegerAttr {
	i, _ := splat(c, a).(*ir.IntegerAttr)
	return i
}

func isConstant(c *ir.Context, a ir.Attribute, is func(*ir.IntegerAttr) bool) bool {
	i := constantInt(c, a)
	return i != nil && is(i)
}

func foldSelect(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	c := op.Context()
	cond, t, f := SelectOp{op}.Condition(), SelectOp{op}.TrueValue(), SelectOp{op}.FalseValue()
	switch {
	case t == f:
		return ir.FoldValue(t)
	case isConstant(c, operands[0], isOne):
		return ir.FoldValue(t)
	case isConstant(c, operands[0], isZero):
		return ir.FoldValue(f)
	case ub.IsPoison(operands[1]):
		return ir.FoldValue(f)
	case ub.IsPoison(operands[2]):
		return ir.FoldValue(t)
	}
	if op.Result(0).Type() == ir.Type(ir.I1) && isConstant(c, operands[1], isOne) && isConstant(c, operands[2], isZero) {
		return ir.FoldValue(cond)
	}
	if cmp := cond.DefiningOp(); cmp != nil && cmp.Is(CmpI) {
		a, b := CmpIOp{cmp}.LHS(), CmpIOp{cmp}.RHS()
		if a == t && b == f || b == t && a == f {
			switch Predicate(cmp) {
			case EQ:
				return ir.FoldValue(f)
			case NE:
				return ir.FoldValue(t)
			}
		}
	}
	mask, ok := operands[0].(*ir.DenseElementsAttr)
	if !ok {
		return nil
	}
	td, ok1 := operands[1].(*ir.DenseElementsAttr)
	fd, ok2 := operands[2].(*ir.DenseElementsAttr)
	if !ok1 || !ok2 {
		return nil
	}
	return folded(fold.Elementwise(c, op.Result(0).Type(), []ir.Attribute{mask, td, fd}, func(args []ir.Attribute) ir.Attribute {
		if args[0].(*ir.IntegerAttr).Value != 0 {
			return args[1]
		}
		return args[2]
	}))
}

// swapped is the predicate p for exchanged operands.
func swapped(p IntPredicate) IntPredicate {
	return [...]IntPredicate{EQ, NE, SGT, SGE, SLT, SLE, UGT, UGE, ULT, ULE}[p]
}

// inverted is the predicate that holds where p doesn't.
func inverted(p IntPredicate) IntPredicate {
	return [...]IntPredicate{NE, EQ, SGE, SGT, SLE, SLT, UGE, UGT, ULE, ULT}[p]
}

// HoldsForEqual tells whether the comparison of a value with itself is true.
func (p IntPredicate) HoldsForEqual() bool {
	switch p {
	case EQ, SLE, SGE, ULE, UGE:
		return true
	}
	return false
}

// Holds compares two constants of the same type.
func (p IntPredicate) Holds(a, b *ir.IntegerAttr) bool {
	x, y := fold.Signed(a), fold.Signed(b)
	if p >= ULT {
		w := fold.Width(a.Type)
		x, y = fold.Unsigned(x, w), fold.Unsigned(y, w)
	}
	cmp := x.Cmp(y)
	switch p {
	case EQ:
		return cmp == 0
	case NE:
		return cmp != 0
	case SLT, ULT:
		return cmp < 0
	case SLE, ULE:
		return cmp <= 0
	case SGT, UGT:
		return cmp > 0
	}
	return cmp >= 0
}

// foldLaterCmpI is how LLVM 22 folds arith.cmpi: also a comparison of a boolean that asks whether it is true.
func foldLaterCmpI(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if lhs := (CmpIOp{op}).LHS(); bitWidth(ir.ElementType(lhs.Type())) == 1 && lhs.Type() == op.Result(0).Type() {
		notZero := func(a *ir.IntegerAttr) bool { return !isZero(a) }
		if Predicate(op) == NE && isConstant(op.Context(), operands[1], isZero) || Predicate(op) == EQ && isConstant(op.Context(), operands[1], notZero) {
			return ir.FoldValue(lhs)
		}
	}
	if operands[1] == nil && ub.IsPoison(operands[0]) {
		return swapCompared(op)
	}
	return foldCmpI(op, operands)
}

// swapCompared compares the other way round, since constants go to the right.
func swapCompared(op *ir.Op) []ir.FoldResult {
	o := CmpIOp{op}
	lhs, rhs := o.LHS(), o.RHS()
	op.SetAttr("predicate", op.Context().EnumAttr(CmpIPredicate, uint64(swapped(Predicate(op)))))
	op.SetOperand(0, rhs)
	op.SetOperand(1, lhs)
	return ir.FoldedInPlace()
}

func foldCmpI(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	c := op.Context()
	pred := Predicate(op)
	lhs, rhs := CmpIOp{op}.LHS(), CmpIOp{op}.RHS()
	if lhs == rhs {
		v := int64(0)
		if pred.HoldsForEqual() {
			v = 1
		}
		return folded(fold.Filled(c, op.Result(0).Type(), v))
	}
	if pred == NE && isConstant(c, operands[1], isZero) {
		// A boolean that was extended is compared with zero.
		if ext := lhs.DefiningOp(); ext != nil && (ext.Is(ExtUI) || ext.Is(ExtSI)) && bitWidth(ir.ElementType(castOp{ext}.In().Type())) == 1 {
			return ir.FoldValue(castOp{ext}.In())
		}
	}
	if operands[0] == nil || ub.IsPoison(operands[0]) || ub.IsPoison(operands[1]) {
		return nil
	}
	if operands[1] == nil {
		return swapCompared(op)
	}
	return folded(fold.Elementwise(c, op.Result(0).Type(), operands, func(args []ir.Attribute) ir.Attribute {
		a, ok := args[0].(*ir.IntegerAttr)
		b, ok2 := args[1].(*ir.IntegerAttr)
		if !ok || !ok2 {
			return nil
		}
		return c.Bool(pred.Holds(a, b))
	}))
}

// The outcomes of a comparison of floating-point numbers.
const (
	equal     = exec.FEqual
	greater   = exec.FGreater
	less      = exec.FLess
	unordered = exec.FUnordered
)

// Outcomes returns the outcomes of a comparison for which the predicate is true, as a set of those of [exec.FloatPredicate].
func (p FloatPredicate) Outcomes() exec.FloatPredicate {
	switch {
	case p <= ORD:
		return exec.FloatPredicate(p)
	case p <= UNE:
		return exec.FloatPredicate(p-UEQ+1) | unordered
	case p == UNO:
		return unordered
	}
	return equal | greater | less | unordered
}

// Holds compares two numbers.
func (p FloatPredicate) Holds(x, y float64) bool {
	outcome := unordered
	switch {
	case x == y:
		outcome = equal
	case x > y:
		outcome = greater
	case x < y:
		outcome = less
	}
	return p.Outcomes()&outcome != 0
}

func foldCmpF(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	a, aok := operands[0].(*ir.FloatAttr)
	b, bok := operands[1].(*ir.FloatAttr)
	// With a NaN on one side the other doesn't matter.
	if aok && !bok && isNaN(a) {
		b, bok = a, true
	} else if bok && !aok && isNaN(b) {
		a, aok = b, true
	}
	if !aok || !bok {
		return nil
	}
	return ir.FoldAttr(op.Context().Bool(FPredicate(op).holdsForAttrs(a, b)))
}

func isNaN(a *ir.FloatAttr) bool { x := a.Float64(); return x != x }

// holdsForAttrs is Holds for numbers of any width.
func (p FloatPredicate) holdsForAttrs(a, b *ir.FloatAttr) bool {
	if a.Type.Width > 64 && !isNaN(a) && !isNaN(b) {
		return p.Holds(float64(bigOf(a).Cmp(bigOf(b))), 0)
	}
	return p.Holds(a.Float64(), b.Float64())
}

// bigOf returns a number that isn't NaN, of any width.
func bigOf(a *ir.FloatAttr) *big.Float {
	if x, finite := a.Type.Format.ToBig(a.Lo, a.Hi); finite {
		return x
	}
	return new(big.Float).SetInf(a.Float64() < 0)
}
