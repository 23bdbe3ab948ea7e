package bufferization

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// materialization overwrites all of the destination.
type materialization struct{ interfaces.WholeInsertion }

// BuildExtraction returns the destination. If that is a buffer, it is seen as a
// tensor, which takes over the promise that no other tensor accesses the buffer;
// without the promise, there is no such tensor.
func (materialization) BuildExtraction(b *ir.Builder, op *ir.Op) *ir.Value {
	o := MaterializeInDestinationOp{op}
	if ir.IsTensor(o.Dest().Type()) {
		return o.Dest()
	}
	if !o.Restrict() {
		return nil
	}
	op.SetAttr(RestrictAttr, nil)
	return NewToTensor(b, o.Dest(), true, o.Writable())
}
