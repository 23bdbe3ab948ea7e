package cse

import (
	"freehold/ir"
	"freehold/pass"
)

// Pass is --cse.
var Pass = &pass.Pass{
	Name: "cse", Title: "CSE",
	Summary: "Eliminate common sub-expressions",
	Description: `Replaces operations by equivalent ones that are executed before them. Operations that
read memory are replaced if nothing writes in between. Near-linear time.`,
	Statistics: []pass.Statistic{
		{Name: "num-cse'd", Help: "Number of operations CSE'd"},
		{Name: "num-dce'd", Help: "Number of operations DCE'd"},
	},
	Division: &pass.Division{
		Parts: func(_ *pass.Context, op *ir.Op) ([]*ir.Op, any) { return Parts(op), nil },
		Worker: func(*pass.Context) func(*pass.Context, *ir.Op) error {
			var w worker
			return func(c *pass.Context, part *ir.Op) error {
				s := w.run(part)
				c.Count("num-cse'd", int64(s.CSE))
				c.Count("num-dce'd", int64(s.DCE))
				if s == (Stats{}) {
					c.Unchanged()
				}
				return nil
			}
		},
	},
}

// Register adds the pass.
func Register(r *pass.Registry) { r.Register(Pass) }
