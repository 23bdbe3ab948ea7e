package complex

import (
	"math"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// isReal tells whether the constant is the real number x, with a zero of any sign
// as its imaginary part.
func isReal(a ir.Attribute, x float64) bool {
	arr, ok := a.(*ir.ArrayAttr)
	if !ok || len(arr.Elems) != 2 {
		return false
	}
	re, ok := arr.Elems[0].(*ir.FloatAttr)
	im, ok2 := arr.Elems[1].(*ir.FloatAttr)
	return ok && ok2 && (re.Is(x) || x == 0 && re.Is(math.Copysign(0, -1))) && (im.Is(0) || im.Is(math.Copysign(0, -1)))
}

func foldAdd(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	lhs, rhs := op.Operand(0), op.Operand(1)
	if sub := lhs.DefinedBy(Sub); sub != nil && sub.Operand(1) == rhs {
		return ir.FoldValue(sub.Operand(0))
	}
	if sub := rhs.DefinedBy(Sub); sub != nil && sub.Operand(1) == lhs {
		return ir.FoldValue(sub.Operand(0))
	}
	return neutralRight(0)(op, operands)
}

func foldSub(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
	if add := op.Operand(0).DefinedBy(Add); add != nil && add.Operand(1) == op.Operand(1) {
		return ir.FoldValue(add.Operand(0))
	}
	return neutralRight(0)(op, operands)
}

// neutralRight folds operations to their left operand where the right one is x.
func neutralRight(x float64) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
		if isReal(operands[1], x) {
			return ir.FoldValue(op.Operand(0))
		}
		return nil
	}
}

// undoes folds an operation of the result of its inverse.
func undoes(inverse *ir.OpID) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return func(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
		if in := op.Operand(0).DefinedBy(inverse); in != nil {
			return ir.FoldValue(in.Operand(0))
		}
		return nil
	}
}

// foldCreate puts the parts of a number together again.
func foldCreate(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	re, im := op.Operand(0).DefinedBy(Re), op.Operand(1).DefinedBy(Im)
	if re != nil && im != nil && re.Operand(0) == im.Operand(0) {
		return ir.FoldValue(re.Operand(0))
	}
	return nil
}

func foldPart(i int) func(*ir.Op, []ir.Attribute) []ir.FoldResult {
	return func(op *ir.Op, operands []ir.Attribute) []ir.FoldResult {
		if arr, ok := operands[0].(*ir.ArrayAttr); ok && len(arr.Elems) == 2 {
			return ir.FoldAttr(arr.Elems[i])
		}
		if create := op.Operand(0).DefinedBy(Create); create != nil {
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
			neg := op.Operand(0).DefinedBy(Neg)
			if neg == nil {
				return false
			}
			create := neg.Operand(0).DefinedBy(Create)
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
	in := op.Operand(0).DefinedBy(Bitcast)
	if in == nil {
		if in = op.Operand(0).DefinedBy(arith.Bitcast); in == nil {
			return false
		}
	}
	return replaceCast(r, op, in.Operand(0))
}

func mergeArithBitcast(r *rewrite.Rewriter, op *ir.Op) bool {
	in := op.Operand(0).DefinedBy(Bitcast)
	if in == nil {
		return false
	}
	return replaceCast(r, op, in.Operand(0))
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
