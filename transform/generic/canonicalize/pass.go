package canonicalize

import (
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/pass"
)

// Declare declares the options of the pass.
func (o *Options) Declare(d *pass.Decl) {
	d.Bool(&o.TopDown, "top-down", true, "Start with the first operations of the program, and visit operations before what is nested in them; or the other way around")
	pass.Enum(d, &o.Simplify, "region-simplify", Normal, "How much of the control flow to simplify",
		pass.Choice[Level]{Name: "disabled", Value: Disabled, Help: "nothing"},
		pass.Choice[Level]{Name: "normal", Value: Normal, Help: "erase blocks that can't be reached, and arguments that nothing uses"},
		pass.Choice[Level]{Name: "aggressive", Value: Aggressive, Help: "also merge blocks that do the same, and drop arguments that always get the same value"})
	d.Int(&o.MaxIterations, "max-iterations", 10, "How often to go over the program at most; -1 for any number")
	d.Int(&o.MaxRewrites, "max-num-rewrites", -1, "How many patterns to apply at most each time; -1 for any number")
	d.Bool(&o.MustConverge, "test-convergence", false, "Fail if a limit ends the work, which finds patterns that undo each other (for tests)")
	d.Uint(&o.LLVM, "mlir-version", 0, "Apply the folds and patterns of this version of LLVM, if it is later than that of the program; 0 stands for that").Extension()
	d.Strings(&o.Without, "disable-patterns", "Names of patterns to leave out")
	d.Strings(&o.Only, "enable-patterns", "Names of the patterns to apply, instead of all")
}

// Pass is --canonicalize.
var Pass = pass.New(pass.Info{
	Name: "canonicalize", Title: "Canonicalizer",
	Summary: "Bring operations into their simplest form",
	Description: `Folds operations, applies the canonicalization patterns of all registered
dialects, merges equal constants at the start of the enclosing isolated operation, and erases dead
operations and unreachable blocks, until nothing changes or a limit is reached. Reaching a limit is no
error, unless ` + "`test-convergence`" + ` is given. Run it between other passes, which needn't clean up then. An iteration takes
near-linear time, and most programs take two or three.`,
}, (*Options).Declare, pass.OnFunctions(func(c *ir.Context, o *Options) pass.Functions[pass.None] {
	patterns, config := Patterns(c, o), o.config()
	return pass.Functions[pass.None]{
		Parts: func(op *ir.Op) []*ir.Op { return patterns.Parts(op, config) },
		Worker: func(a *ir.Arena) func(*pass.Context, pass.None, *ir.Op) error {
			config := config
			config.Arena = a
			w := rewrite.NewWorker(c, patterns, config)
			return func(c *pass.Context, _ pass.None, part *ir.Op) error {
				changed, converged := w.Apply(part)
				if w.Endless() {
					c.Emit(&ir.Diagnostic{Severity: ir.Warning, Loc: part.Loc(), Message: "canonicalization was given up, since it doesn't come to an end"})
				}
				if !converged && o.MustConverge {
					return pass.Failed
				}
				if !changed {
					c.Unchanged()
				}
				return nil
			}
		},
	}
}))

// Register adds the pass.
func Register(r *pass.Registry) { r.Register(Pass) }
