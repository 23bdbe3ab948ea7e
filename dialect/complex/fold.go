package complex

import (
	"math"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// isConstant tells whether the constant has the given parts; a zero has a sign.
func isConstant(a ir.Attribute, re, im float64) bool {
	arr, ok := a.(*ir.ArrayAttr)
	if !ok || len(arr.Elems) != 2 {
		return false
	}
	x, ok := arr.Elems[0].(*ir.FloatAttr)
	y, ok2 := arr.Elems[1].(*ir.FloatAttr)
	return ok && ok2 && x.Is(re) && y.Is(im)
}

var negativeZero = math.Copysign(0, -1)

// isZero tells whether the constant is zero, both of whose parts have the sign of zero; the other sign is as good where signs
// of zeros don't matter.
func isZero(op *ir.Op, a ir.Attribute, zero float64) bool {
	if isConstant(a, zero, zero) {
		return true
	}
	if !arith.Allows(op, arith.NoSignedZeros) {
		return false
	}
	return isConstant(a, 0, 0) || isConstant(a, 0, negativeZero) || isConstant(a, negativeZero, 0) || isConstant(a, negativeZero, negativeZero)
}

// cancels are the flags that let a number be added and subtracted again without a trace. Without them, what is lost of the
// other number is.
const cancels = arith.Reassociate | arith.NoSignedZeros

func foldAdd(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	lhs, rhs := AddOp{op}.LHS(), AddOp{op}.RHS()
	if arith.Allows(op, cancels) {
		if sub := lhs.DefinedBy(Sub); sub != nil && (SubOp{sub}).RHS() == rhs {
			return ir.FoldValue(SubOp{sub}.LHS())
		}
		if sub := rhs.DefinedBy(Sub); sub != nil && (SubOp{sub}).RHS() == lhs {
			return ir.FoldValue(SubOp{sub}.LHS())
		}
	}
	if isZero(op, operands[1], negativeZero) {
		return ir.FoldValue(lhs)
	}
	return nil
}

func foldSub(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if add := (SubOp{op}).LHS().DefinedBy(Add); add != nil && (AddOp{add}).RHS() == (SubOp{op}).RHS() && arith.Allows(op, cancels) {
		return ir.FoldValue(AddOp{add}.LHS())
	}
	if isZero(op, operands[1], 0) {
		return ir.FoldValue(SubOp{op}.LHS())
	}
	return nil
}

// foldByOne folds a product with 1, or a quotient by it, to the other number. In it, zero times a part is added to the other part: that may be
// no number, or change the sign of a zero.
func foldByOne(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	one := isConstant(operands[1], 1, 0) || isConstant(operands[1], 1, negativeZero)
	if one && arith.Allows(op, arith.NoNaNs|arith.NoInfs|arith.NoSignedZeros) {
		return ir.FoldValue(op.Operand(0))
	}
	return nil
}

// foldExp folds the exponential function of a logarithm, where rounding errors don't matter. The logarithm of an exponential function is
// another number, if the imaginary part is more than half a turn.
func foldExp(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if !arith.Allows(op, arith.Reassociate) {
		return nil
	}
	return undoes(Log)(op, operands)
}

// undoes folds an operation of the result of its inverse.
func undoes(inverse *ir.OpID) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return func(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
		if in := op.OnlyOperand().DefinedBy(inverse); in != nil {
			return ir.FoldValue(in.OnlyOperand())
		}
		return nil
	}
}

// foldCreate puts the parts of a number together again.
func foldCreate(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	re, im := CreateOp{op}.Real().DefinedBy(Re), CreateOp{op}.Imaginary().DefinedBy(Im)
	if re != nil && im != nil && (ReOp{re}).Complex() == (ImOp{im}).Complex() {
		return ir.FoldValue(ReOp{re}.Complex())
	}
	return nil
}

func foldPart(i int) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
		if arr, ok := operands[0].(*ir.ArrayAttr); ok && len(arr.Elems) == 2 {
			return ir.FoldAttr(arr.Elems[i])
		}
		if create := op.OnlyOperand().DefinedBy(Create); create != nil {
			return ir.FoldValue(create.Operand(i))
		}
		return nil
	}
}

// partPatterns are the patterns of the operation that takes part i of a number.
func partPatterns(i int) ir.Model {
	return rewrite.Canonicalization.Model([]rewrite.Pattern{{
		Name: "FoldComponentNeg",
		Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			neg := op.OnlyOperand().DefinedBy(Neg)
			if neg == nil {
				return false
			}
			create := NegOp{neg}.Complex().DefinedBy(Create)
			if create == nil {
				return false
			}
			r.At(op)
			r.Replace(op, arith.New(r.Builder, arith.NegF, create.Operand(i)))
			return true
		},
	}})
}

// mergeBitcasts joins a cast with the cast before it, which may be one of the arith
// dialect.
func mergeBitcasts(r *rewrite.Rewriter, op *ir.Op) bool {
	in := BitcastOp{op}.OperandValue().DefinedBy(Bitcast)
	if in == nil {
		if in = (BitcastOp{op}).OperandValue().DefinedBy(arith.Bitcast); in == nil {
			return false
		}
	}
	return replaceCast(r, op, in.OnlyOperand())
}

func mergeArithBitcast(r *rewrite.Rewriter, op *ir.Op) bool {
	in := arith.BitcastOp{Op: op}.In().DefinedBy(Bitcast)
	if in == nil {
		return false
	}
	return replaceCast(r, op, BitcastOp{in}.OperandValue())
}

// replaceCast replaces a cast by one of v, of the dialect that can do it.
func replaceCast(r *rewrite.Rewriter, op *ir.Op, v *ir.Value) bool {
	t := op.Result(0).Type()
	if v.Type() == t {
		r.Replace(op, v)
		return true
	}
	def := arith.Bitcast
	if isComplexType(v.Type()) || isComplexType(t) {
		if isComplexType(v.Type()) && isComplexType(t) {
			return false
		}
		def = Bitcast
	}
	r.At(op)
	r.Replace(op, r.CreateOp(def, []ir.Type{t}, []*ir.Value{v}).Result(0))
	return true
}
