package rewrite

import (
	"freehold/ir"
	"freehold/pass"
)

// GreedyBody is the body of a pass that applies patterns greedily, without options. The
// patterns must neither look at nor change anything outside of the function in which they
// are applied (see [PatternSet.Parts]).
func GreedyBody(patterns func(*ir.Context) []Pattern) pass.Body[pass.None] {
	return pass.OnFunctions(func(c *ir.Context, _ *pass.None) pass.Functions[pass.None] {
		set, config := NewPatternSet(c, patterns(c)), Config{}
		return pass.Functions[pass.None]{
			Parts: func(op *ir.Op) []*ir.Op { return set.Parts(op, config) },
			Worker: func() func(*pass.Context, pass.None, *ir.Op) error {
				w := NewWorker(c, set, config)
				return func(c *pass.Context, _ pass.None, part *ir.Op) error {
					if changed, _ := w.Apply(part); !changed {
						c.Unchanged()
					}
					return nil
				}
			},
		}
	})
}
