package normalize

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/transform/generic/inline"
)

// Inline replaces calls of private functions that get or return tensors by what these do, so that their tensors are planned with those of their
// callers: buffers of other functions are allocated where they are needed, and what is passed to them is kept for all of a call. Functions with several
// blocks or the attribute no_inline stay, and those that would make the program more than four times as large, or nest its regions deeper than mostNested. It returns whether there are fewer calls.
func Inline(module *ir.Op) bool {
	before := calls(module)
	// Without a pipeline that simplifies functions, there is no error.
	_ = inline.Run(module, inline.Options{
		CallersFirst: true, MaxIterations: 1, Threshold: inline.NoThreshold, Growth: inline.ModerateGrowth(module), Depth: mostNested,
		Wants: func(call, callee *ir.Op) bool {
			return ir.IsPrivate(callee) && callee.Attr(inline.KeepAttr) == nil && callee.RegionAt(0).NumBlocks() == 1 &&
				(slices.ContainsFunc(call.Operands().Types(), ir.IsTensor) || slices.ContainsFunc(call.Results().Types(), ir.IsTensor))
		},
	})
	return calls(module) != before
}

// mostNested bounds how deep regions are nested by inlining. Passes take time for each operation that depends on how deep it is.
const mostNested = 32

// calls counts calls.
func calls(module *ir.Op) (n int) {
	module.Walk(func(op *ir.Op) bool {
		if interfaces.Call.Has(op) {
			n++
		}
		return true
	})
	return n
}
