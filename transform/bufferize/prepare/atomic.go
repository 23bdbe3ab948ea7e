package prepare

import (
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// hoistFromAtomic moves what the body of a memref.generic_atomic_rmw computes without the element to before the operation, if there are tensors among it: their
// buffers can't be accessed in the body, which has no side effects. The body is executed once, so nothing is computed that wasn't.
func hoistFromAtomic(r *rewrite.Rewriter, op *ir.Op) bool {
	body := memref.GenericAtomicRMWOp{Op: op}.Body()
	found := false
	for x := range body.Ops() {
		x.Walk(func(y *ir.Op) bool {
			found = found || interfaces.HasTensorTypes(y)
			return !found
		})
	}
	moved := false
	for x := body.First(); found && x != nil; {
		next := x.Next()
		if next != nil && dependsOnlyOnOutside(x, op) {
			r.MoveBefore(x, op)
			moved = true
		}
		x = next
	}
	return moved
}

// dependsOnlyOnOutside tells whether an operation in another one, and what is in it, uses nothing else that is there.
func dependsOnlyOnOutside(x, around *ir.Op) bool {
	ok := true
	x.Walk(func(y *ir.Op) bool {
		for _, v := range y.Operands().Values() {
			in := v.ParentBlock().ParentOp()
			ok = ok && (!around.IsAncestorOf(in) || x.IsAncestorOf(in))
		}
		return ok
	})
	return ok
}
