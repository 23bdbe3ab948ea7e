package memref

import (
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// ResolveDimPatterns returns the patterns that compute the sizes of results from operands of the operation that returns them.
func ResolveDimPatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "DimOfReifyRankedShapedTypeOpInterface", Root: memref.Dim, Rewrite: resolveDim},
		{Name: "DimOfReifyRankedShapedTypeOpInterface", Root: tensor.Dim, Rewrite: resolveDim},
	}
}

// resolveDim replaces the size of a result by what the operation that returns it computes for it.
func resolveDim(r *rewrite.Rewriter, op *ir.Op) bool {
	v := op.Operand(0)
	def := v.DefiningOp()
	d, constant := ir.ConstantInt(op.Operand(1))
	shape, ranked := ir.ShapeOf(v.Type())
	if def == nil || !constant || !ranked || d < 0 || d >= int64(len(shape)) {
		return false
	}
	m, ok := interfaces.ReifyShapes.Of(def)
	if !ok {
		return false
	}
	b := r.At(op)
	b.Loc = op.Loc()
	sizes := m(b, def)
	if v.Index() >= len(sizes) || len(sizes[v.Index()]) != len(shape) {
		return false
	}
	r.Replace(op, arith.ValueOf(b, sizes[v.Index()][d]))
	return true
}
