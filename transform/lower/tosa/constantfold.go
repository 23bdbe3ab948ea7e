package tosa

import (
	"math/big"

	"freehold/dialect/tosa"
	"freehold/ir"
	"freehold/ir/fold"
	"freehold/ir/rewrite"
)

// FoldOptions are the options of [FoldPatterns].
type FoldOptions struct {
	// Aggressive computes reductions of constants that others use, too: there are more constants then.
	Aggressive bool
}

// FoldPatterns returns the patterns of tosa-layerwise-constant-fold: reciprocals, transpositions and reductions of constants
// are computed. The canonicalization patterns of tosa are among them.
func FoldPatterns(c *ir.Context, o FoldOptions) []rewrite.Pattern {
	out := []rewrite.Pattern{
		{Name: "TosaFoldConstantReciprocal", Root: tosa.Reciprocal, Rewrite: foldReciprocal},
		{Name: "TosaFoldConstantTranspose", Root: tosa.Transpose, Rewrite: foldTranspose},
	}
	for _, k := range foldedReductions {
		out = append(out, rewrite.Pattern{Name: "ReduceConstantOptimization", Root: k.id, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
			return foldReduction(r, op, o.Aggressive, k.combine)
		}})
	}
	for _, d := range tosa.Dialect.OpDefs() {
		out = append(out, rewrite.CanonicalizationOf(c.OpNameOf(d.ID))...)
	}
	return out
}

// foldedReductions lists how integers are combined.
var foldedReductions = []struct {
	id      *ir.OpID
	combine func(x, y *big.Int) *big.Int
}{
	{tosa.ReduceAll, func(x, y *big.Int) *big.Int { return new(big.Int).And(x, y) }},
	{tosa.ReduceAny, func(x, y *big.Int) *big.Int { return new(big.Int).Or(x, y) }},
	{tosa.ReduceMax, func(x, y *big.Int) *big.Int { return pick(x.Cmp(y) >= 0, x, y) }},
	{tosa.ReduceMin, func(x, y *big.Int) *big.Int { return pick(x.Cmp(y) <= 0, x, y) }},
	{tosa.ReduceProd, func(x, y *big.Int) *big.Int { return new(big.Int).Mul(x, y) }},
	{tosa.ReduceSum, func(x, y *big.Int) *big.Int { return new(big.Int).Add(x, y) }},
}

func pick(first bool, x, y *big.Int) *big.Int {
	if first {
		return x
	}
	return y
}

// constantFor returns the constant that an operand is, if it may be computed with: only this operation uses it, or
// all its elements are the same.
func constantFor(op *ir.Op) *ir.DenseElementsAttr {
	d := tosa.ConstantOf(tosa.ReciprocalOp{Op: op}.Input1())
	if d == nil || !d.Splat && !(tosa.ReciprocalOp{Op: op}).Input1().HasOneUse() {
		return nil
	}
	return d
}

// foldReciprocal divides one by each element.
func foldReciprocal(r *rewrite.Rewriter, op *ir.Op) bool {
	d := constantFor(op)
	result := ranked(op.Result(0).Type())
	if d == nil || result == nil || ir.TypeOfAttr(d) != ir.Type(result) {
		return false
	}
	elem, ok := result.Elem.(*ir.FloatType)
	if !ok || elem.Width > 64 {
		return false
	}
	c := op.Context()
	var data []byte
	for i := range distinct(d) {
		x := d.Elem(c, i).(*ir.FloatAttr).Float64()
		data = ir.AppendElement(data, c.FloatAttr(elem, 1/x))
	}
	return replaceByConstant(r, op, result, data)
}

// distinct is the number of elements that a constant is stored as.
func distinct(d *ir.DenseElementsAttr) int64 {
	if d.Splat {
		return 1
	}
	return d.Len()
}

func replaceByConstant(r *rewrite.Rewriter, op *ir.Op, t *ir.RankedTensorType, data []byte) bool {
	r.At(op)
	r.Replace(op, tosa.NewConst(r.Builder, op.Context().DenseElements(t, data)))
	return true
}

// foldTranspose moves the elements of a constant that nothing else uses.
func foldTranspose(r *rewrite.Rewriter, op *ir.Op) bool {
	v := tosa.TransposeOp{Op: op}.Input1()
	d, perm, result := tosa.ConstantOf(v), tosa.Permutation(op), ranked(op.Result(0).Type())
	in := ranked(v.Type())
	if d == nil || perm == nil || in == nil || result == nil || !v.HasOneUse() || !ir.IsStaticShape(result.Shape) || len(perm) != len(in.Shape) {
		return false
	}
	var data []byte
	if d.Splat {
		data = []byte(d.Raw(0))
	} else {
		strides := make([]int64, len(perm))
		for i, stride := len(perm)-1, int64(1); i >= 0; i-- {
			strides[i] = stride
			stride *= in.Shape[i]
		}
		shape := make([]int64, len(perm))
		moved := make([]int64, len(perm))
		for i, p := range perm {
			shape[i], moved[i] = in.Shape[p], strides[p]
		}
		c := op.Context()
		at := make([]int64, len(perm))
		for range d.Len() {
			from := int64(0)
			for i, n := range at {
				from += n * moved[i]
			}
			data = ir.AppendElement(data, d.Elem(c, from))
			for i := len(at) - 1; i >= 0; i-- {
				if at[i]++; at[i] < shape[i] {
					break
				}
				at[i] = 0
			}
		}
	}
	return replaceByConstant(r, op, result, data)
}

// foldReduction combines the elements of a constant of integers along a dimension.
func foldReduction(r *rewrite.Rewriter, op *ir.Op, aggressive bool, combine func(x, y *big.Int) *big.Int) bool {
	v := tosa.ReductionOp{Op: op}.Input()
	def := v.DefinedBy(tosa.Const)
	d := tosa.ConstantOf(v)
	in, result := ranked(v.Type()), ranked(op.Result(0).Type())
	if def == nil || d == nil || in == nil || result == nil || !aggressive && !v.HasOneUse() || !ir.IsStaticShape(result.Shape) || !ir.IsStaticShape(in.Shape) {
		return false
	}
	elem, ok := in.Elem.(*ir.IntegerType)
	axis := tosa.Axis(op)
	if !ok || axis >= int64(len(in.Shape)) || result.Elem != in.Elem {
		return false
	}
	c := op.Context()
	number := func(i int64) *big.Int {
		a := d.Elem(c, i).(*ir.IntegerAttr)
		if elem.Signedness == ir.Unsigned {
			return fold.Unsigned(a.BigInt(), elem.Width)
		}
		return fold.Signed(a)
	}
	inner := int64(1)
	for _, n := range in.Shape[axis+1:] {
		inner *= n
	}
	outer, _ := ir.NumElements(in.Shape[:axis])
	size := in.Shape[axis]
	var data []byte
	for o := range outer {
		for i := range inner {
			x := number(o*size*inner + i)
			for k := int64(1); k < size; k++ {
				x = fold.Wrap(combine(x, number((o*size+k)*inner+i)), elem.Width)
			}
			data = ir.AppendElement(data, c.BigIntegerAttr(elem, x))
		}
	}
	return replaceByConstant(r, op, result, data)
}
