package twin

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// addDead computes some things once more that nobody needs.
func addDead(module *ir.Op, choose func(n int) int) (n int) {
	for _, op := range each(module, interfaces.IsPure) {
		if choose(3) > 0 || op == op.Block().Terminator() || op.NumResults() == 0 {
			continue
		}
		b := ir.NewBuilder(module.Context())
		b.SetAfter(op)
		again := b.Clone(op, ir.NewMapping())
		if ir.VerifyOp(op.Parent()) != nil { // as vector.mask, which holds one operation
			again.Erase()
			continue
		}
		n++
	}
	return n
}
