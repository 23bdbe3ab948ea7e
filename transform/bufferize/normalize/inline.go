package normalize

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/transform/bufferize/prepare"
	"freehold/transform/generic/inline"
)

// Inline replaces calls of private functions that get or return tensors or buffers by what these do, so that their buffers are planned with those of their
// callers: buffers of other functions are allocated where they are needed, and what is passed to them is kept for all of a call. Functions with several
// blocks or the attribute no_inline stay, those with buffers on the stack, which are freed where a function returns, and those that would make the program more than four times as large, or nest its regions deeper than [prepare.MostNested]. What nobody needs of private functions isn't copied. It returns whether it changed something.
func Inline(module *ir.Op) bool {
	before := calls(module)
	erased := eraseDead(module)
	onStack := map[*ir.Op]bool{}
	allocatesOnStack := func(fn *ir.Op) bool {
		known, ok := onStack[fn]
		if !ok {
			known = hasAutomatic(fn)
			onStack[fn] = known
		}
		return known
	}
	// Without a pipeline that simplifies functions, there is no error.
	_ = inline.Run(module, inline.Options{
		CallersFirst: true, MaxIterations: 1, Threshold: inline.NoThreshold, Growth: inline.ModerateGrowth(module), Depth: prepare.MostNested,
		Wants: func(call, callee *ir.Op) bool {
			return ir.IsPrivate(callee) && callee.Attr(inline.KeepAttr) == nil && callee.RegionAt(0).NumBlocks() == 1 && !allocatesOnStack(callee) &&
				(slices.ContainsFunc(call.Operands().Types(), isArray) || slices.ContainsFunc(call.Results().Types(), isArray))
		},
	})
	return erased || calls(module) != before
}

// eraseDead erases the operations of private functions whose results nobody uses, and that do nothing else, and tells whether there were any.
func eraseDead(module *ir.Op) (found bool) {
	module.Walk(func(fn *ir.Op) bool {
		if !interfaces.Function.Has(fn) || !ir.IsPrivate(fn) {
			return !interfaces.Function.Has(fn)
		}
		var ops []*ir.Op
		fn.Walk(func(op *ir.Op) bool {
			ops = append(ops, op)
			return true
		})
		for _, op := range slices.Backward(ops[1:]) { // what uses a result comes behind it, or is in it
			if interfaces.IsTriviallyDead(op) {
				op.Erase()
				found = true
			}
		}
		return false
	})
	return found
}

func isArray(t ir.Type) bool { return ir.IsTensor(t) || ir.IsMemRef(t) }

// hasAutomatic tells whether a function allocates what is freed when control leaves it.
func hasAutomatic(fn *ir.Op) (found bool) {
	fn.Walk(func(op *ir.Op) bool {
		effects, _ := interfaces.EffectsOf(op)
		found = found || slices.ContainsFunc(effects, func(e interfaces.Effect) bool { return e.On() == interfaces.AutomaticAllocationScopeResource })
		return !found && (op == fn || !op.Has(ir.TraitAutomaticAllocationScope))
	})
	return found
}

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
