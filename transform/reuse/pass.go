// Package reuse makes programs on buffers need less memory.
package reuse

import (
	"freehold/ir"
	"freehold/pass"
)

// The passes.
var (
	LastUsePass = &pass.Pass{
		Name: "free-after-last-use", Title: "FreeAfterLastUse",
		Summary: "Free buffers after their last use in a block",
		Description: `Moves what only frees buffers up to the place after the last operation of its block that may use the
buffer, by whatever name: ` + "`bufferization.dealloc`, `memref.dealloc`" + `, and these under conditions. The peak of
live memory gets smaller. On a module, the pass knows what functions do with the buffers that are passed to them, and
which results are theirs alone. This pass is freehold's own.`,
		Statistics: []pass.Statistic{
			{Name: "num-frees", Help: "operations that free buffers"},
			{Name: "num-moved", Help: "those that were moved to an earlier place"},
		},
		Run: func(c *pass.Context, op *ir.Op) error {
			moved, frees := FreeAfterLastUse(op, c.Threads())
			c.Count("num-moved", int64(moved))
			c.Count("num-frees", int64(frees))
			if moved == 0 {
				c.Unchanged()
			}
			return nil
		},
	}
)

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(LastUsePass)
}
