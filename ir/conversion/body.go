package conversion

import (
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/pass"
)

// Body is the body of a pass that converts operations with patterns, which all runs
// share. convert is given what the pass is run on.
func Body(patterns func() []rewrite.Pattern, convert func(op *ir.Op, set *rewrite.PatternSet, report func(*ir.Diagnostic)) error) pass.Body[pass.None] {
	return pass.Prepared(func(c *ir.Context, _ *pass.None) func(*pass.Context, *ir.Op) error {
		set := rewrite.NewPatternSet(c, patterns())
		return func(c *pass.Context, op *ir.Op) error { return convert(op, set, c.Emit) }
	})
}
