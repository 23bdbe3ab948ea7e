package boundary

import (
	"slices"

	funcd "freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/transform/generic/canonicalize"
)

// FoldConstantArguments puts constants in place of the numbers among the arguments of private functions that are the same constant
// in all calls, and canonicalizes these functions. It returns how many arguments there were. Linear in the program, apart from the
// canonicalization.
func FoldConstantArguments(module *ir.Op) (n int) {
	callers := analysis.NewCallers(module, ir.NewSymbolTables())
	var patterns *rewrite.PatternSet
	// Callers first, since they may pass on what they get.
	for _, group := range slices.Backward(analysis.NewCallGraph(module).BottomUp()) {
		for _, fn := range slices.Backward(group) {
			if !fn.Is(funcd.Func) || !ir.IsPrivate(fn) || !callers.OnlyCalled(fn) {
				continue
			}
			calls := callers.Calls(fn)
			if len(calls) == 0 || slices.ContainsFunc(calls, func(op *ir.Op) bool { return !op.Is(funcd.Call) }) {
				continue
			}
			folded := foldConstants(fn, calls)
			if folded == 0 {
				continue
			}
			n += folded
			if patterns == nil {
				patterns = canonicalize.Patterns(module.Context(), canonicalize.DefaultOptions())
			}
			rewrite.ApplyPatternsInParallel(fn, patterns, 1, rewrite.Config{})
			callers.Recollect(fn) // some calls may be gone
		}
	}
	return n
}

// foldConstants puts constants in place of arguments of a function, and takes them out of its calls.
func foldConstants(fn *ir.Op, calls []*ir.Op) (n int) {
	entry := funcd.Body(fn).Entry()
	drop := make([]bool, entry.NumArgs())
	b := ir.NewBuilder(fn.Context())
	b.SetStart(entry)
	for i := range drop {
		c := constantOfAll(entry.Arg(i), calls)
		if c == nil {
			continue
		}
		drop[i] = true
		n++
		b.Loc = entry.Arg(i).Loc()
		entry.Arg(i).ReplaceAllUsesWith(b.Clone(c, ir.NewMapping()).Result(0))
	}
	if n == 0 {
		return 0
	}
	interfaces.EraseArgs(fn, calls, drop)
	return n
}

// constantOfAll returns the constant that all calls pass as an argument, or that is equal to those that they pass; nil if there is
// none. Calls in the function itself may pass the argument.
func constantOfAll(arg *ir.Value, calls []*ir.Op) (found *ir.Op) {
	if t := arg.Type(); !ir.IsIntOrIndex(t) && !ir.IsFloat(t) {
		return nil
	}
	for _, call := range calls {
		v := call.Operand(arg.Index())
		if v == arg {
			continue
		}
		op := v.DefiningOp()
		if op == nil || rewrite.ConstantValue(op) == nil || found != nil && rewrite.ConstantValue(op) != rewrite.ConstantValue(found) {
			return nil
		}
		found = op
	}
	return found
}
