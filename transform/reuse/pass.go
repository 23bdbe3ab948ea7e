// Package reuse makes programs on buffers need less memory.
package reuse

import (
	"freehold/ir"
	"freehold/pass"
)

// lastUse is what free-after-last-use counts.
type lastUse struct{ frees, moved pass.Counter }

func (n *lastUse) declare(d *pass.Decl) {
	d.Counter(&n.frees, "num-frees", "operations that free buffers")
	d.Counter(&n.moved, "num-moved", "those that were moved to an earlier place")
}

// The passes.
var (
	LastUsePass = pass.New(pass.Info{
		Name: "free-after-last-use", Title: "FreeAfterLastUse",
		Summary: "Free buffers after their last use in a block",
		Description: `Moves what only frees buffers up to the place after the last operation of its block that may use the
buffer, by whatever name: ` + "`bufferization.dealloc`, `memref.dealloc`" + `, and these under conditions. The peak of
live memory gets smaller. On a module, the pass knows what functions do with the buffers that are passed to them, and
which results are theirs alone. This pass is freehold's own.`,
	}, (*lastUse).declare, pass.OnModule(func(c *pass.Context, n *lastUse, op *ir.Op) error {
		moved, frees := FreeAfterLastUse(op, c.Threads())
		n.moved.Add(moved)
		n.frees.Add(frees)
		if moved == 0 {
			c.Unchanged()
		}
		return nil
	}))
)

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(LastUsePass)
}
