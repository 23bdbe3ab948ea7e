package linalg

import (
	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// reifyInits returns the sizes of the results. As in MLIR, a size is that of the first
// operand that has a dimension of its own for the same loop; what this is chosen from,
// the sizes of all operands, is created as well.
func reifyInits(b *ir.Builder, op *ir.Op) [][]shapes.OpFoldResult {
	maps := interfaces.IndexingMaps(op)
	inits := interfaces.DpsInits(op)
	inputs := op.NumOperands() - len(inits)
	loops := make([]shapes.OpFoldResult, maps[0].Dims)
	known := make([]bool, len(loops)) // by an input
	for i, m := range maps {
		for d, e := range m.Results {
			size := foldedSize(b, op.Operand(i), d)
			if i < inputs && e.Kind == ir.AffineDim && !known[e.Value] {
				loops[e.Value], known[e.Value] = size, true
			}
		}
	}
	var out [][]shapes.OpFoldResult
	for i := range inits {
		v := inits.At(i)
		t, ok := v.Type().(*ir.RankedTensorType)
		if !ok {
			continue
		}
		sizes := make([]shapes.OpFoldResult, len(t.Shape))
		for d, e := range maps[inputs+i].Results {
			switch {
			case t.Shape[d] != ir.Dynamic:
				sizes[d] = shapes.ConstSize(t.Shape[d])
			case e.Kind == ir.AffineDim && known[e.Value]:
				sizes[d] = shapes.SizeOf(arith.ValueOf(b, loops[e.Value]))
			default:
				sizes[d] = foldedSize(b, v, d)
			}
		}
		out = append(out, sizes)
	}
	return out
}

// foldedSize returns the size of dimension i of a tensor or buffer: what it folds to, or
// a new tensor.dim or memref.dim.
func foldedSize(b *ir.Builder, v *ir.Value, i int) shapes.OpFoldResult {
	t, ok := v.Type().(*ir.RankedTensorType)
	if !ok {
		return memref.SizeOf(b, v, i)
	}
	if d := t.Shape[i]; d != ir.Dynamic {
		return shapes.ConstSize(d)
	}
	return shapes.SizeOf(tensor.FoldedDim(b, v, int64(i)))
}
