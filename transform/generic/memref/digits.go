package memref

import (
	"freehold/dialect/affine"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/shapes"
)

// digitsSince is the first version of LLVM in which affine.linearize_index and affine.delinearize_index compute positions in buffers
// that were expanded or collapsed.
const digitsSince = 22

// numberOfDigits is positionBeforeExpansion with affine.linearize_index.
func numberOfDigits(b *ir.Builder, view *ir.Op, at []shapes.OpFoldResult, inside bool) (list []shapes.OpFoldResult) {
	o := memref.ExpandShapeOp{Op: view}
	sizes := o.OutputShape()
	for _, group := range o.Reassociation() {
		from, n := group[0], len(group)
		list = append(list, affine.FoldedLinearize(b, at[from:][:n], sizes[from:][:n], inside))
	}
	return list
}

// digitsOfNumber is positionBeforeCollapse with affine.delinearize_index.
func digitsOfNumber(b *ir.Builder, view *ir.Op, at []shapes.OpFoldResult, _ bool) (list []shapes.OpFoldResult) {
	o := memref.CollapseShapeOp{Op: view}
	shape := o.Source().Type().(*ir.MemRefType).Shape
	if len(o.Reassociation()) == 0 {
		return make([]shapes.OpFoldResult, len(shape))
	}
	var parts memref.ExtractStridedMetadataOp
	for g, group := range o.Reassociation() {
		basis := make([]shapes.OpFoldResult, len(group))
		for i, d := range group {
			basis[i] = shapes.ConstSize(shape[d])
			if shape[d] == 0 {
				return nil
			}
			if shape[d] != ir.Dynamic || len(group) == 1 {
				continue
			}
			if parts.Op == nil {
				parts = memref.NewExtractStridedMetadata(b, o.Source())
			}
			basis[i] = shapes.SizeOf(parts.Sizes().At(int(d)))
		}
		list = append(list, affine.FoldedDelinearize(b, at[g], basis)...)
	}
	return list
}
