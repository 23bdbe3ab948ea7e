package core

import (
	"freehold/dialect/affine"
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/ir/shapes"
)

// lowerDelinearize makes affine.apply operations of quotients and remainders: the
// divisor of a digit is the product of the bases of all later ones.
func lowerDelinearize(r *rewrite.Rewriter, op *ir.Op) bool {
	c := r.Context()
	rest, radices := affine.DelinearizeIndexOp{Op: op}.LinearIndex(), arith.ValuesOf(r.Builder, affine.DelinearizeIndexOp{Op: op}.Radices())
	var divisors []*ir.Value
	for i := range radices {
		divisors = append(divisors, product(r, radices[i:]))
	}
	x, y := c.AffineDim(0), c.AffineDim(1)
	quotient, remainder := c.AffineMap(2, 0, c.AffineFloorDiv(x, y)), c.AffineMap(2, 0, c.AffineMod(x, y))
	var digits []*ir.Value
	for _, d := range divisors {
		digits = append(digits, composed(r, quotient, rest, d))
		rest = composed(r, remainder, rest, d)
	}
	r.Replace(op, append(digits, rest)...)
	return true
}

// composed creates the value of a map, into which operands that are values of maps
// themselves are composed.
func composed(r *rewrite.Rewriter, m *ir.AffineMap, operands ...*ir.Value) *ir.Value {
	n, simple := affine.Simplify(r.Context(), m, operands)
	return affine.NewApply(r.Builder, n, simple...)
}

// product multiplies values, as far as they aren't constants by affine.apply.
func product(r *rewrite.Rewriter, values []*ir.Value) *ir.Value {
	c := r.Context()
	p := shapes.SizeOf(values[0])
	for _, v := range values[1:] {
		factor, operands := c.AffineConstant(p.Const), []*ir.Value{v}
		if p.Value != nil {
			factor, operands = c.AffineSymbol(0), []*ir.Value{p.Value, v}
		}
		n := len(operands)
		m, operands := affine.Simplify(c, c.AffineMap(0, n, c.AffineMul(factor, c.AffineSymbol(n-1))), operands)
		switch e := m.Results[0]; e.Kind {
		case ir.AffineConst:
			p = shapes.ConstSize(e.Value)
		case ir.AffineDim:
			p = shapes.SizeOf(operands[e.Value])
		case ir.AffineSymbol:
			p = shapes.SizeOf(operands[m.Dims+int(e.Value)])
		default:
			p = shapes.SizeOf(affine.NewApply(r.Builder, m, operands...))
		}
	}
	if p.Value == nil {
		return arith.ConstantIndex(r.Builder, p.Const)
	}
	return p.Value
}

// lowerLinearize multiplies and adds.
func lowerLinearize(r *rewrite.Rewriter, op *ir.Op) bool {
	o := affine.LinearizeIndexOp{Op: op}
	if len(o.Digits()) == 0 {
		r.Replace(op, arith.ConstantIndex(r.Builder, 0))
		return true
	}
	sum := o.Digits().At(0)
	for i, x := range o.Radices() {
		factor := x.Value
		if factor == nil {
			factor = arith.ConstantIndex(r.Builder, x.Const)
		}
		sum = arith.New(r.Builder, arith.AddI, arith.New(r.Builder, arith.MulI, sum, factor), o.Digits().At(i+1))
	}
	r.Replace(op, sum)
	return true
}
