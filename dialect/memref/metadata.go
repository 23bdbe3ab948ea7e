package memref

import (
	"freehold/dialect/arith"
	"freehold/ir"
)

// foldMetadata replaces sizes, strides and the offset of a buffer that its type
// knows by constants, which it creates before the operation.
func foldMetadata(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	o := ExtractStridedMetadataOp{op}
	m := memrefOf(o.Source().Type())
	strides, offset, ok := m.StridesAndOffset()
	if !ok {
		return nil
	}
	var b *ir.Builder
	constant := func(v *ir.Value, n int64) {
		if n == ir.Dynamic || !v.HasUses() {
			return
		}
		if b == nil {
			b = ir.NewBuilder(op.Context())
			b.SetBefore(op)
			b.Loc = op.Loc()
		}
		v.ReplaceAllUsesWith(arith.ConstantIndex(b, n))
	}
	constant(o.Offset(), offset)
	for i, n := range m.Shape {
		constant(o.Sizes().At(i), n)
	}
	for i, n := range strides {
		constant(o.Strides().At(i), n)
	}
	if b == nil {
		return nil
	}
	return ir.FoldedInPlace()
}
