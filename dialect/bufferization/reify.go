package bufferization

import (
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/shapes"
)

// reifyAllocTensor returns the sizes of an allocated tensor.
func reifyAllocTensor(b *ir.Builder, op *ir.Op) [][]shapes.OpFoldResult {
	o := AllocTensorOp{op}
	t := o.Type()
	if t == nil {
		return nil
	}
	if from := o.CopyOf(); from != nil {
		return [][]shapes.OpFoldResult{tensorSizes(b, from, t)}
	}
	return [][]shapes.OpFoldResult{shapes.Mixed(t.Shape, o.DynamicSizes().Values())}
}

// reifyMaterialize returns the sizes of the destination, which are the result's.
func reifyMaterialize(b *ir.Builder, op *ir.Op) [][]shapes.OpFoldResult {
	o := MaterializeInDestinationOp{op}
	t, ok := o.Dest().Type().(*ir.RankedTensorType)
	if !ok {
		return nil
	}
	return [][]shapes.OpFoldResult{tensorSizes(b, o.Dest(), t)}
}

func tensorSizes(b *ir.Builder, v *ir.Value, t *ir.RankedTensorType) []shapes.OpFoldResult {
	out := make([]shapes.OpFoldResult, len(t.Shape))
	for i, n := range t.Shape {
		if n == ir.Dynamic {
			out[i] = shapes.SizeOf(tensor.NewDim(b, v, int64(i)))
		} else {
			out[i] = shapes.ConstSize(n)
		}
	}
	return out
}
