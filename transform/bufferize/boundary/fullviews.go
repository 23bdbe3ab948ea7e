package boundary

import (
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// castFullView replaces a subview that has all of what it views, in sizes that aren't static, by a cast, and tells whether it did.
func castFullView(b *ir.Builder, op *ir.Op) bool {
	if !op.Is(memref.SubView) {
		return false
	}
	source, t := memref.SubViewOp{Op: op}.Source(), op.Result(0).Type()
	slice, shape := interfaces.SliceOf(op), memref.SubViewOp{Op: op}.Source().Type().(*ir.MemRefType).Shape
	if !memref.CastNeverFails(source.Type(), t) {
		return false
	}
	for i := range shape {
		size := slice.Sizes[i]
		switch {
		case !slice.Offsets[i].IsConst(0) || !slice.Strides[i].IsConst(1):
			return false
		case shape[i] != ir.Dynamic && !size.IsConst(shape[i]):
			return false
		case shape[i] == ir.Dynamic && (size.Value == nil || !isSize(size.Value, source, i)):
			return false
		}
	}
	b.SetBefore(op)
	b.Loc = op.Loc()
	op.Result(0).ReplaceAllUsesWith(memref.NewCast(b, t, source))
	op.Erase()
	return true
}

// isSize tells whether a value is known to be the size of a dimension of a buffer.
func isSize(v, buffer *ir.Value, dim int) bool {
	buffer = uncast(buffer)
	if d := v.DefinedBy(memref.Dim); d != nil {
		if n, known := (memref.DimOp{Op: d}).ConstantIndex(); known && n == int64(dim) && uncast(memref.DimOp{Op: d}.Source()) == buffer {
			return true
		}
	}
	alloc, ok := memref.AsAlloc(buffer.DefiningOp())
	return ok && alloc.Sizes()[dim].Value == v
}
