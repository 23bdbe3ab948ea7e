package arith

import (
	"math"
	"math/big"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// redundantSelectTrue rewrites select(p, select(p, a, b), c) to select(p, a, c).
func redundantSelectTrue(r *rewrite.Rewriter, op *ir.Op) bool {
	in := SelectOp{op}.TrueValue().DefinedBy(Select)
	if in == nil || (SelectOp{in}).Condition() != (SelectOp{op}).Condition() {
		return false
	}
	r.At(op)
	r.Replace(op, NewSelect(r.Builder, SelectOp{op}.Condition(), SelectOp{in}.TrueValue(), SelectOp{op}.FalseValue()))
	return true
}

// redundantSelectFalse rewrites select(p, a, select(p, b, c)) to select(p, a, c).
func redundantSelectFalse(r *rewrite.Rewriter, op *ir.Op) bool {
	in := SelectOp{op}.FalseValue().DefinedBy(Select)
	if in == nil || (SelectOp{in}).Condition() != (SelectOp{op}).Condition() {
		return false
	}
	r.At(op)
	r.Replace(op, NewSelect(r.Builder, SelectOp{op}.Condition(), SelectOp{op}.TrueValue(), SelectOp{in}.FalseValue()))
	return true
}

// selectNot exchanges the values instead of inverting the condition.
func selectNot(r *rewrite.Rewriter, op *ir.Op) bool {
	not := SelectOp{op}.Condition().DefinedBy(XOrI)
	if not == nil {
		return false
	}
	if one := scalarConstant(XOrIOp{not}.RHS()); one == nil || !isOne(one) {
		return false
	}
	r.At(op)
	r.Replace(op, NewSelect(r.Builder, XOrIOp{not}.LHS(), SelectOp{op}.FalseValue(), SelectOp{op}.TrueValue()))
	return true
}

// selectsBits tells whether op chooses between the integers t, where the condition
// holds, and f.
func selectsBits(op *ir.Op, t, f int64) bool {
	a, b := scalarConstant(SelectOp{op}.TrueValue()), scalarConstant(SelectOp{op}.FalseValue())
	return a != nil && b != nil && isInt(a, t) && isInt(b, f) && SelectOp{op}.Condition().Type() == ir.Type(ir.I1)
}

// not creates the inversion of a boolean.
func not(b *ir.Builder, v *ir.Value) *ir.Value { return New(b, XOrI, v, ConstantBool(b, true)) }

func selectToNot(r *rewrite.Rewriter, op *ir.Op) bool {
	if op.Result(0).Type() != ir.Type(ir.I1) || !selectsBits(op, 0, 1) {
		return false
	}
	r.At(op)
	r.Replace(op, not(r.Builder, SelectOp{op}.Condition()))
	return true
}

// selectToExt extends the condition, or its inversion, where one and zero are
// chosen.
func selectToExt(r *rewrite.Rewriter, op *ir.Op) bool {
	t := op.Result(0).Type()
	if !ir.IsInteger(t) || bitWidth(t) == 1 {
		return false
	}
	cond := SelectOp{op}.Condition()
	switch {
	case selectsBits(op, 1, 0):
		r.At(op)
	case selectsBits(op, 0, 1):
		r.At(op)
		cond = not(r.Builder, cond)
	default:
		return false
	}
	r.Replace(op, NewCast(r.Builder, ExtUI, t, cond))
	return true
}

// cmpOfExt compares for equality before an extension rather than after it.
func cmpOfExt(ext *ir.OpID) func(r *rewrite.Rewriter, op *ir.Op) bool {
	return func(r *rewrite.Rewriter, op *ir.Op) bool {
		pred := Predicate(op)
		a, b := CmpIOp{op}.LHS().DefinedBy(ext), CmpIOp{op}.RHS().DefinedBy(ext)
		if pred > NE || a == nil || b == nil || (castOp{a}).In().Type() != (castOp{b}).In().Type() {
			return false
		}
		r.At(op)
		r.Replace(op, NewCmpI(r.Builder, pred, castOp{a}.In(), castOp{b}.In()))
		return true
	}
}

// cmpIntAsFloat compares an integer that was converted to a floating-point number
// with a constant as an integer, where the conversion can't change the outcome.
func cmpIntAsFloat(r *rewrite.Rewriter, op *ir.Op) bool {
	conv := CmpFOp{op}.LHS().DefiningOp()
	if conv == nil || !conv.Is(SIToFP) && !conv.Is(UIToFP) {
		return false
	}
	signed := conv.Is(SIToFP)
	x := castOp{conv}.In()
	k, ok := constantOf(CmpFOp{op}.RHS()).(*ir.FloatAttr)
	t, isInt := x.Type().(*ir.IntegerType)
	if !ok || !isInt || k.Type.Width > 64 || isNaN(k) {
		return false
	}
	rhs := k.Float64()
	if !conversionKeepsOrder(k, t.Width, signed) {
		return false
	}
	r.At(op)
	answer := func(v bool) bool {
		r.Replace(op, ConstantBool(r.Builder, v))
		return true
	}
	// Integers are never unordered.
	outcomes := FPredicate(op).Outcomes() &^ unordered
	switch outcomes {
	case 0:
		return answer(false)
	case equal | greater | less:
		return answer(true)
	}
	least, greatest := intRange(t.Width, signed)
	switch {
	case rhs > asFloat(k, greatest):
		return answer(outcomes&less != 0)
	case rhs < asFloat(k, least):
		return answer(outcomes&greater != 0)
	}
	bound, acc := new(big.Float).SetFloat64(rhs).Int(nil)
	if acc != big.Exact {
		// The number is never equal: what is less than a positive fraction is at most
		// its integer part, and likewise for negative ones.
		outcomes &^= equal
		if outcomes == greater|less {
			return answer(true)
		}
		if outcomes == 0 {
			return answer(false)
		}
		if rhs < 0 {
			if !signed {
				return answer(outcomes == greater)
			}
			if outcomes == greater {
				outcomes |= equal
			}
		} else if outcomes == less {
			outcomes |= equal
		}
	}
	pred := map[exec.FloatPredicate]IntPredicate{
		equal: EQ, greater: SGT, greater | equal: SGE, less: SLT, less | equal: SLE, greater | less: NE,
	}[outcomes]
	if !signed && pred >= SLT {
		pred += ULT - SLT
	}
	c := NewConstant(r.Builder, r.Context().BigIntegerAttr(t, bound)).Result(0)
	r.Replace(op, NewCmpI(r.Builder, pred, x, c))
	return true
}

// intRange returns the least and the greatest integer of w bits.
func intRange(w int, signed bool) (least, greatest *big.Int) {
	n := w
	least = new(big.Int)
	if signed {
		n--
		least.Neg(new(big.Int).Lsh(big.NewInt(1), uint(n)))
	}
	greatest = new(big.Int).Lsh(big.NewInt(1), uint(n))
	return least, greatest.Sub(greatest, big.NewInt(1))
}

// asFloat rounds an integer to the type of k.
func asFloat(k *ir.FloatAttr, v *big.Int) float64 {
	f, _ := new(big.Float).SetInt(v).Float64()
	bits, _ := k.Type.Format.FromFloat64(f)
	return k.Type.Format.ToFloat64(bits)
}

// conversionKeepsOrder tells whether the comparison of an integer of w bits with k
// has the same outcome before and after a conversion to k's type: all its bits fit
// the mantissa, or what is lost is too small to matter beside k.
func conversionKeepsOrder(k *ir.FloatAttr, w int, signed bool) bool {
	if k.Type.Format.Special == ir.PowersOfTwo {
		return false // it has no sign, and no zero
	}
	mantissa := k.Type.Format.MantBits + 1
	if w <= mantissa {
		return true
	}
	valueBits := w
	if signed {
		valueBits--
	}
	rhs := k.Float64()
	switch {
	case math.IsInf(rhs, 0):
		largest := 1<<k.Type.Format.ExpBits - 2 - k.Type.Format.Bias
		return largest >= valueBits
	case rhs == 0:
		return true
	}
	exponent := math.Ilogb(rhs)
	return exponent < mantissa || exponent > valueBits
}
