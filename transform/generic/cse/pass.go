package cse

import (
	"freehold/ir"
	"freehold/pass"
)

// counters are the statistics of the pass.
type counters struct{ replaced, erased pass.Counter }

func (n *counters) declare(d *pass.Decl) {
	d.Counter(&n.replaced, "num-cse'd", "Number of operations CSE'd")
	d.Counter(&n.erased, "num-dce'd", "Number of operations DCE'd")
	d.Uses(pass.Dominance)
}

// Pass is --cse.
var Pass = pass.New(pass.Info{
	Name: "cse", Title: "CSE",
	Summary: "Reuse results instead of computing them again",
	Description: `Replaces operations by equivalent ones that are executed before them. Operations that
read memory are replaced if nothing writes in between. Results that nothing uses are not computed at all.
Run it after passes that create operations wherever they need them, such as lowerings. Near-linear time.`,
}, (*counters).declare, pass.OnFunctions(func(_ *ir.Context, n *counters) pass.Functions[pass.None] {
	return pass.Functions[pass.None]{
		Parts: Parts,
		Worker: func(a *ir.Arena) func(*pass.Context, pass.None, *ir.Op) error {
			w := worker{arena: a}
			return func(c *pass.Context, _ pass.None, part *ir.Op) error {
				s := w.run(part, pass.Dominance.Of(c, part))
				c.Preserves(pass.Dominance)
				n.replaced.Add(s.CSE)
				n.erased.Add(s.DCE)
				if s == (Stats{}) {
					c.Unchanged()
				}
				return nil
			}
		},
	}
}))

// Register adds the pass.
func Register(r *pass.Registry) { r.Register(Pass) }
