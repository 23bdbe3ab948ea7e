package placement

import (
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/pass"
)

// counts is what a pass of this family counts.
type counts struct{ moved pass.Counter }

// callees is what functions do with buffers that are called.
var callees = pass.NewAnalysis("call summaries", analysis.NewCallSummaries)

func (n *counts) declare(d *pass.Decl) {
	d.Uses(pass.Dominance)
	d.UsesAround(callees)
	d.Counter(&n.moved, "num-moved", "allocations that were moved")
}

// promotion is the options of promote-buffers-to-stack, and what it counts.
type promotion struct {
	PromoteOptions
	promoted pass.Counter
}

func (p *promotion) declare(d *pass.Decl) {
	d.UsesAround(callees)
	d.Uint(&p.MaxBytes, "max-alloc-size-in-bytes", 1024, "The largest size in bytes of buffers that are moved to the stack")
	d.Uint(&p.MaxRank, "max-rank-of-allocated-memref", 1, "The largest rank of buffers of dynamic sizes that are moved to the stack; the sizes must be ranks")
	d.Counter(&p.promoted, "num-promoted", "allocations that were moved to the stack")
}

// The passes.
var (
	HoistPass = pass.New(pass.Info{
		Name: "buffer-hoisting", Title: "BufferHoisting", On: pass.Function,
		Summary: "Move allocations up before branches and out of regions",
		Description: `Moves each allocation into the closest block that dominates all uses of the buffer and of its other names, but
not out of loops, and not above the values that its sizes are. Run it after bufferization and before ` + "`buffer-deallocation`" + `,
which needs fewer copies then. Buffers that are freed by other names than the allocation, or by functions that are called, stay where they are.`,
	}, (*counts).declare, moving(Hoist))
	LoopHoistPass = pass.New(pass.Info{
		Name: "buffer-loop-hoisting", Title: "BufferLoopHoisting", On: pass.Function,
		Summary: "Move allocations out of loops",
		Description: `Moves each allocation that is in the body of a sequential loop before the loop, and out of as many loops as its
sizes allow, if no iteration passes the buffer on. If it is freed in the same block, the free is moved behind the loop. Run it
after bufferization, before or after buffers are freed.`,
	}, (*counts).declare, moving(HoistFromLoops))
	PromotePass = pass.New(pass.Info{
		Name: "promote-buffers-to-stack", Title: "PromoteBuffersToStack", On: pass.Function,
		Summary: "Put small buffers that aren't freed on the stack",
		Description: `Replaces ` + "`memref.alloc`" + ` by ` + "`memref.alloca`" + ` if the buffer is small, never freed, also not by a function that is called, and not passed out of the
operation whose end frees what is on the stack. Run it before buffers are freed.`,
	}, (*promotion).declare, pass.OnModule(func(c *pass.Context, p *promotion, fn *ir.Op) error {
		calls, _ := callees.Around(c)
		n := Promote(fn, p.PromoteOptions, calls)
		p.promoted.Add(n)
		if n == 0 {
			c.Unchanged()
		}
		c.Preserves(pass.Dominance)
		return nil
	}))
)

// moving is the body of a pass that moves allocations.
func moving(move func(fn *ir.Op, dom *ir.Dominance, calls *analysis.CallSummaries) int) pass.Body[counts] {
	return pass.OnModule(func(c *pass.Context, n *counts, fn *ir.Op) error {
		calls, _ := callees.Around(c)
		moved := move(fn, pass.Dominance.Of(c, fn), calls)
		n.moved.Add(moved)
		if moved == 0 {
			c.Unchanged()
		}
		c.Preserves(pass.Dominance)
		return nil
	})
}

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(HoistPass, LoopHoistPass, PromotePass)
}
