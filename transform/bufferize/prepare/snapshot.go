package prepare

import (
	"freehold/dialect/bufferization"
	"freehold/dialect/memref"
	"freehold/ir"
)

// SnapshotBuffers lets each bufferization.to_tensor in op that isn't `restrict` read a copy
// of the buffer. Others may read and write the buffer while the tensor is in use, which
// bufferization can't know; the tensor is what was in the buffer at that point. Unranked
// buffers stay. It returns how many there were. Linear time.
func SnapshotBuffers(op *ir.Op) (n int) {
	b := ir.NewBuilder(op.Context())
	op.Walk(func(op *ir.Op) bool {
		if !op.Is(bufferization.ToTensor) {
			return true
		}
		o := bufferization.ToTensorOp{Op: op}
		t, ranked := o.MemRef().Type().(*ir.MemRefType)
		if o.Restrict() || !ranked {
			return true
		}
		b.SetBefore(op)
		b.Loc = op.Loc()
		buffer := memref.NewAlloc(b, b.Context().MemRefOf(t.Shape, t.Elem, nil, t.Space), memref.DynamicSizes(b, o.MemRef()), 0)
		memref.NewCopy(b, o.MemRef(), buffer)
		op.SetOperand(0, buffer)
		op.SetAttr(bufferization.RestrictAttr, ir.Unit)
		op.SetAttr(bufferization.WritableFlag, ir.Unit)
		n++
		return true
	})
	return n
}
