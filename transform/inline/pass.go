package inline

import (
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/pass"
	"freehold/transform/canonicalize"
)

// Pass is --inline. Functions are canonicalized before the calls in them are
// looked at; other pipelines for that can't be given.
var Pass = &pass.Pass{
	Name: "inline", Title: "Inliner",
	Summary: "Inline function calls",
	Description: `Replaces calls of functions with a body, that are not recursive, by the body, callees before
callers, and canonicalizes the functions on the way. Private functions that become unused are erased.`,
	Options: []pass.Option{
		pass.Uint("max-iterations", 4, "Maximum number of iterations when inlining within an SCC"),
		pass.Uint("inlining-threshold", 0, "If the ratio between the number of the operations in the callee and the number of the operations in the caller exceeds this value (in percentage), then the callee is not inlined even if it is legal to inline it; 0 means no limit"),
	},
	Prepare: func(c *ir.Context, _ *pass.Options) (any, error) { return canonicalize.Patterns(c, nil, nil), nil },
	Run: func(c *pass.Context, op *ir.Op) error {
		if !op.Has(ir.TraitSymbolTable) {
			return op.Errorf(" was scheduled to run under the inliner, but does not define a symbol table")
		}
		Run(op, Options{
			MaxIterations: int(c.Int("max-iterations")),
			Threshold:     int(c.Int("inlining-threshold")),
			Patterns:      c.Prepared().(*rewrite.PatternSet),
		})
		return nil
	},
}

// Register adds the pass.
func Register(r *pass.Registry) { r.Register(Pass) }
