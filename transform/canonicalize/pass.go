package canonicalize

import (
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/pass"
)

// Pass is --canonicalize.
var Pass = &pass.Pass{
	Name: "canonicalize", Title: "Canonicalizer",
	Summary: "Canonicalize operations",
	Description: `Folds operations, applies the canonicalization patterns of all registered
dialects, merges equal constants at the start of the enclosing isolated operation, and erases dead
operations and unreachable blocks, until nothing changes or a limit is reached. Reaching a limit is no
error, unless ` + "`test-convergence`" + ` is given.`,
	Options: []pass.Option{
		pass.Bool("top-down", true, "Seed the worklist in general top-down order"),
		pass.Enum("region-simplify", "normal", "Perform control flow optimizations to the region tree",
			pass.Case{Name: "disabled", Help: "Don't run any control-flow simplification."},
			pass.Case{Name: "normal", Help: "Perform simple control-flow simplifications (e.g. dead args elimination)."},
			pass.Case{Name: "aggressive", Help: "Perform aggressive control-flow simplification (e.g. block merging)."},
		),
		pass.Int("max-iterations", 10, "Max. iterations between applying patterns / simplifying regions"),
		pass.Int("max-num-rewrites", -1, "Max. number of pattern rewrites within an iteration"),
		pass.Bool("test-convergence", false, "Test only: Fail pass on non-convergence to detect cyclic pattern"),
		pass.List("disable-patterns", "Labels of patterns that should be filtered out during application"),
		pass.List("enable-patterns", "Labels of patterns that should be used during application, all other patterns are filtered out"),
	},
	Prepare: func(c *ir.Context, o *pass.Options) (any, error) {
		return Patterns(c, o.Strings("disable-patterns"), o.Strings("enable-patterns")), nil
	},
	Division: &pass.Division{
		Parts: func(c *pass.Context, op *ir.Op) ([]*ir.Op, any) {
			return c.Prepared().(*rewrite.PatternSet).Parts(op, options(c).config()), nil
		},
		Worker: func(c *pass.Context) func(*pass.Context, *ir.Op) error {
			w := rewrite.NewWorker(c.Context(), c.Prepared().(*rewrite.PatternSet), options(c).config())
			return func(c *pass.Context, part *ir.Op) error {
				changed, converged := w.Apply(part)
				if !converged && c.Bool("test-convergence") {
					return pass.Failed
				}
				if !changed {
					c.Unchanged()
				}
				return nil
			}
		},
	},
}

// options returns what the pass's options say.
func options(c *pass.Context) Options {
	o := Options{BottomUp: !c.Bool("top-down"), MaxIterations: int(c.Int("max-iterations")), MaxRewrites: int(c.Int("max-num-rewrites"))}
	switch c.String("region-simplify") {
	case "disabled":
		o.Simplify = Disabled
	case "aggressive":
		o.Simplify = Aggressive
	}
	return o
}

// Register adds the pass.
func Register(r *pass.Registry) { r.Register(Pass) }
