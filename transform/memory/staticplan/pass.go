package staticplan

import (
	"freehold/ir"
	"freehold/pass"
)

// place is the options of a use of the pass, and what it counts.
type place struct {
	Options
	eligible, dynamic, nested pass.Counter
}

func (p *place) declare(d *pass.Decl) {
	pass.Enum(d, &p.Algorithm, "algorithm", Trivial, "How buffers get their places",
		pass.Choice[Algorithm]{Name: "trivial", Value: Trivial, Help: "one behind the other"},
		pass.Choice[Algorithm]{Name: "best-fit", Value: BestFit, Help: "in the smallest room that nothing alive is in"})
	d.String(&p.Mode, "arena-mode", Allocate, "Where the arena comes from: `allocate`, or `arg`, the first argument of the function")
	d.Counter(&p.eligible, "eligible", "allocations that became views of the arena")
	d.Counter(&p.dynamic, "skip-dynamic", "allocations whose size isn't constant")
	d.Counter(&p.nested, "skip-nested", "allocations that aren't directly in the entry block, or are freed with such a one")
}

// Pass is --static-memory-planner-analysis.
var Pass = pass.New(pass.Info{
	Name: "static-memory-planner-analysis", Title: "StaticMemoryPlannerAnalysis", On: pass.Function,
	Summary: "Put the buffers of constant size that a function frees into one arena",
	Description: `Buffers of constant size that are allocated directly in the entry block, and freed there or in what is nested in it, become
views (` + "`memref.view`" + `) of one buffer of bytes. Run it after buffers are freed. It is the planner of LLVM's main branch,
but for what is wrong there: the arena of ` + "`arena-mode=allocate`" + ` is freed, a buffer that is used behind its last
deallocation, on paths without it, keeps its place until then, and what is freed together with something that isn't planned stays. ` + "`plan-memory`" + ` is the better one: it takes
control flow apart, plans across calls, and never needs more memory than before.`,
}, (*place).declare, pass.OnModule(func(c *pass.Context, p *place, fn *ir.Op) error {
	done, err := Run(fn, p.Options)
	if err != nil {
		return err
	}
	p.eligible.Add(done.Planned)
	p.dynamic.Add(done.Dynamic)
	p.nested.Add(done.Nested)
	if done.Planned == 0 {
		c.Unchanged()
	}
	c.Preserves(pass.Dominance)
	return nil
}))

// Register adds the pass.
func Register(r *pass.Registry) { r.Register(Pass) }
