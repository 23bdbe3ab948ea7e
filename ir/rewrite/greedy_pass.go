package rewrite

import (
	"freehold/ir"
	"freehold/pass"
)

// GreedyBody is the body of a pass that applies patterns greedily, without options. The
// patterns must neither look at nor change anything outside of the function in which they
// are applied (see [PatternSet.Parts]).
func GreedyBody(patterns func(*ir.Context) []Pattern) pass.Body[pass.None] {
	return greedyBody(withoutOptions(patterns), false)
}

// GreedyBodyWith is [GreedyBody] for a pass with options, which the patterns depend on.
func GreedyBodyWith[O any](patterns func(*ir.Context, *O) []Pattern) pass.Body[O] {
	return greedyBody(patterns, false)
}

func withoutOptions(patterns func(*ir.Context) []Pattern) func(*ir.Context, *pass.None) []Pattern {
	return func(c *ir.Context, _ *pass.None) []Pattern { return patterns(c) }
}

// NeededGreedyBody is [GreedyBody] that leaves functions alone in which no operation is the
// root of a pattern: they are not folded either.
func NeededGreedyBody(patterns func(*ir.Context) []Pattern) pass.Body[pass.None] {
	return greedyBody(withoutOptions(patterns), true)
}

func greedyBody[O any](patterns func(*ir.Context, *O) []Pattern, ifNeeded bool) pass.Body[O] {
	return pass.OnFunctions(func(c *ir.Context, o *O) pass.Functions[pass.None] {
		set, config := NewPatternSet(c, patterns(c, o)), Config{}
		return pass.Functions[pass.None]{
			Parts: func(op *ir.Op) []*ir.Op { return set.Parts(op, config) },
			Worker: func(a *ir.Arena) func(*pass.Context, pass.None, *ir.Op) error {
				w := NewWorker(c, set, Config{Arena: a})
				return func(c *pass.Context, _ pass.None, part *ir.Op) error {
					if ifNeeded && !set.hasRoot(part) {
						c.Unchanged()
						return nil
					}
					if changed, _ := w.Apply(part); !changed {
						c.Unchanged()
					}
					return nil
				}
			},
		}
	})
}

// hasRoot tells whether an operation in op, or op itself, is the root of a pattern.
func (s *PatternSet) hasRoot(op *ir.Op) bool {
	found := len(s.any) > 0
	op.Walk(func(op *ir.Op) bool {
		found = found || s.knows(op.OpName())
		return !found
	})
	return found
}
