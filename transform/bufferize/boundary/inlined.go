package boundary

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/transform/generic/canonicalize"
	"freehold/transform/generic/inline"
)

// inlineCalls replaces calls of the functions for which wanted is set by what these do, where that is possible and they may be, and canonicalizes the
// callers, which may know more than the functions did. It tells whether there are any. Functions that nothing calls go. It takes time linear in what comes out, apart
// from the canonicalization.
func inlineCalls(module *ir.Op, wanted map[*ir.Op]bool) bool {
	callers := map[*ir.Op]bool{}
	// Without a pipeline that simplifies functions, there is no error.
	_ = inline.Run(module, inline.Options{MaxIterations: 1, Threshold: inline.NoThreshold, Growth: inline.ModerateGrowth(module),
		Wants: func(call, callee *ir.Op) bool {
			if !wanted[callee] || callee.Attr(inline.KeepAttr) != nil {
				return false
			}
			caller := call.Parent()
			for caller != nil && !interfaces.Function.Has(caller) {
				caller = caller.Parent()
			}
			callers[caller] = true
			return true
		}})
	if len(callers) == 0 {
		return false
	}
	patterns := canonicalize.Patterns(module.Context(), canonicalize.DefaultOptions())
	module.Walk(func(op *ir.Op) bool {
		if callers[op] {
			rewrite.ApplyPatternsInParallel(op, patterns, 1, rewrite.Config{})
		}
		return !interfaces.Function.Has(op)
	})
	return true
}
