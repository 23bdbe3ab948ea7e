package normalize

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/transform/bufferize/prepare"
	"freehold/transform/generic/inline"
)

// Inline replaces calls of private functions that get or return tensors or buffers, or that only compute numbers, by what these do, so that their buffers are planned with those of their
// callers: buffers of other functions are allocated where they are needed, and what is passed to them is kept for all of a call, also if nobody needs the number that it returns. Functions with several
// blocks or the attribute no_inline stay, those with buffers on the stack, which are freed where a function returns, and those that would make the program more than four times as large, or nest its regions deeper than [prepare.MostNested]. What nobody needs of private functions isn't copied. It returns whether it changed something.
func Inline(module *ir.Op) bool {
	before := calls(module)
	erased := eraseDead(module)
	automatic, effective := once(hasAutomatic), once(hasEffects)
	// Without a pipeline that simplifies functions, there is no error.
	_ = inline.Run(module, inline.Options{
		CallersFirst: true, MaxIterations: 1, Threshold: inline.NoThreshold, Growth: inline.ModerateGrowth(module), Depth: prepare.MostNested,
		Wants: func(call, callee *ir.Op) bool {
			return ir.IsPrivate(callee) && callee.Attr(inline.KeepAttr) == nil && callee.RegionAt(0).NumBlocks() == 1 && !automatic(callee) &&
				(slices.ContainsFunc(call.Operands().Types(), isArray) || slices.ContainsFunc(call.Results().Types(), isArray) || !effective(callee))
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

// once returns a property of functions that is found out once for each.
func once(of func(fn *ir.Op) bool) func(fn *ir.Op) bool {
	known := map[*ir.Op]bool{}
	return func(fn *ir.Op) bool {
		is, ok := known[fn]
		if !ok {
			is = of(fn)
			known[fn] = is
		}
		return is
	}
}

// hasEffects tells whether a function does more than to compute what it returns.
func hasEffects(fn *ir.Op) (found bool) {
	for op := range fn.RegionAt(0).Entry().Ops() {
		found = found || !op.Has(ir.TraitTerminator) && !interfaces.IsMemoryEffectFree(op)
	}
	return found
}

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
