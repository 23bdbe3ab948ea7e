package bufferization

import (
	"freehold/dialect/tensor"
	"freehold/iface"
	"freehold/ir"
)

// reifyAllocTensor returns the sizes of an allocated tensor.
func reifyAllocTensor(b *ir.Builder, op *ir.Op) [][]iface.OpFoldResult {
	o := AllocTensorOp{op}
	t := o.Type()
	if t == nil {
		return nil
	}
	if from := o.CopyOf(); from != nil {
		return [][]iface.OpFoldResult{tensorSizes(b, from, t)}
	}
	return [][]iface.OpFoldResult{iface.Mixed(t.Shape, o.DynamicSizes().Values())}
}

// reifyMaterialize returns the sizes of the destination, which are the result's.
func reifyMaterialize(b *ir.Builder, op *ir.Op) [][]iface.OpFoldResult {
	o := MaterializeInDestinationOp{op}
	t, ok := o.Dest().Type().(*ir.RankedTensorType)
	if !ok {
		return nil
	}
	return [][]iface.OpFoldResult{tensorSizes(b, o.Dest(), t)}
}

func tensorSizes(b *ir.Builder, v *ir.Value, t *ir.RankedTensorType) []iface.OpFoldResult {
	out := make([]iface.OpFoldResult, len(t.Shape))
	for i, n := range t.Shape {
		if n == ir.Dynamic {
			out[i] = iface.SizeOf(tensor.NewDim(b, v, int64(i)))
		} else {
			out[i] = iface.ConstSize(n)
		}
	}
	return out
}
