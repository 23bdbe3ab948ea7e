package twin

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// reorder moves pure operations before the one that stands before them, where they don't need its results.
func reorder(module *ir.Op, choose func(n int) int) (n int) {
	for _, op := range each(module, interfaces.IsPure) {
		for range choose(4) {
			before := op.Prev()
			if before == nil || op == op.Block().Terminator() || uses(op, before) {
				break
			}
			op.MoveBefore(before)
			n++
		}
	}
	return n
}

// uses tells whether an operation, or one in its regions, has results of another as operands.
func uses(op, other *ir.Op) (found bool) {
	op.Walk(func(o *ir.Op) bool {
		for _, v := range o.Operands().Values() {
			found = found || v.DefiningOp() == other
		}
		return !found
	})
	return found
}
