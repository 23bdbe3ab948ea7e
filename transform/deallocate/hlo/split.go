package hlo

import (
	"freehold/dialect/bufferization"
	"freehold/ir"
)

// splitAllocTensors is the pass hlo-split-alloc-tensors: each use of a
// bufferization.alloc_tensor gets a copy of it, right before the user, so that
// bufferization doesn't use one buffer for several things. It returns whether there were
// any.
func splitAllocTensors(b *ir.Builder, fn *ir.Op) bool {
	var users, old []*ir.Op
	fn.Walk(func(op *ir.Op) bool {
		if !op.Is(bufferization.AllocTensor) {
			users = append(users, op)
		} else if op.HasUses() {
			old = append(old, op)
		}
		return true
	})
	for _, op := range users {
		splitFor(b, op)
	}
	// What only dead allocations use goes with them.
	for i := len(old) - 1; i >= 0; i-- {
		if !old[i].HasUses() {
			old[i].Erase()
		}
	}
	return len(old) > 0
}

// splitFor gives an operation allocations of its own.
func splitFor(b *ir.Builder, user *ir.Op) {
	for i := range user.NumOperands() {
		def := user.Operand(i).DefiningOp()
		if def == nil || !def.Is(bufferization.AllocTensor) {
			continue
		}
		c := ir.CloneDetached(def)
		b.SetBefore(user)
		b.Insert(c)
		splitFor(b, c)
		user.SetOperand(i, c.Result(0))
	}
}
