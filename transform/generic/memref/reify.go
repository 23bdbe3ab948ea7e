package memref

import (
	"slices"

	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/shapes"
)

// ReifyResultShapes gives the results of each tensor.pad and tensor.concat in root the sizes that are constant, and casts them to the type that
// they had. It returns whether there is such an operation: what computes its sizes is there afterwards. Linear time.
func ReifyResultShapes(root *ir.Op) bool {
	var found []*ir.Op
	root.Walk(func(op *ir.Op) bool {
		if op.Is(tensor.Pad) || op.Is(tensor.Concat) {
			found = append(found, op)
		}
		return true
	})
	b := ir.NewBuilder(root.Context())
	for _, op := range found {
		b.SetBefore(op)
		b.Loc = op.Loc()
		if m, ok := interfaces.ReifyShapes.Of(op); ok {
			if sizes := m(b, op); len(sizes) == 1 {
				giveSizes(b, op, sizes[0])
			}
		}
	}
	return len(found) > 0
}

// giveSizes gives the result of an operation constant sizes in place of dynamic ones.
func giveSizes(b *ir.Builder, op *ir.Op, sizes []shapes.OpFoldResult) {
	result := op.Result(0)
	usual, ok := result.Type().(*ir.RankedTensorType)
	if !ok || len(usual.Shape) != len(sizes) {
		return
	}
	shape := slices.Clone(usual.Shape)
	for i, s := range sizes {
		if n, ok := s.Int(); ok && shape[i] == ir.Dynamic && n >= 0 {
			shape[i] = n
		}
	}
	if slices.Equal(shape, usual.Shape) {
		return
	}
	result.SetType(b.Context().RankedTensorOf(shape, usual.Elem, usual.Encoding))
	b.SetAfter(op)
	cast := tensor.NewCast(b, usual, result)
	result.ReplaceUsesIf(cast, func(u *ir.Use) bool { return u.Owner() != cast.DefiningOp() })
}
