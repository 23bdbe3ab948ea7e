package ownership

import (
	"fmt"

	"freehold/dialect/arith"
	"freehold/dialect/funcd"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/transform/generic/canonicalize"
)

// FoldPassedConditions leaves out truth values that a module passes to blocks, regions and private functions for nothing: those that are the same constant on all
// ways, those that always are what is passed beside them, and those that nothing needs, also where they go round in loops; and those that are computed twice in a
// block, or that follow from the conditions of the choices around them. It canonicalizes the functions that this changes, and begins again until there are none; it tells whether there were any. Each round is linear in the
// program, but for a logarithm and the canonicalization.
func FoldPassedConditions(module *ir.Op) (changed bool) {
	for foldPassed(module) {
		changed = true
	}
	return changed
}

func foldPassed(module *ir.Op) (changed bool) {
	functions := functionsIn(module)
	p := newPassed()
	around := map[*ir.Value]*ir.Op{}
	closed, calls := closedFunctions(module)
	for _, fn := range closed {
		p.addCalls(fn, calls[fn])
		for _, v := range p.order[len(around):] {
			around[v] = fn
		}
	}
	for _, fn := range functions {
		if fn.NumRegions() == 0 {
			continue
		}
		p.addEdges(fn)
		for _, v := range p.order[len(around):] {
			around[v] = fn
		}
	}
	touched := map[*ir.Op]bool{}
	always, never, equal, c := p.always(true), p.always(false), p.equal(), constants{}
	needed := p.needed(equal)
	for _, v := range p.order {
		fn, used := around[v], v.HasUses()
		switch {
		case always[v] || never[v]:
			c.replace(v, fn, always[v])
		case !needed[v]:
			c.replace(v, fn, false)
		case equal[v] != nil:
			v.ReplaceAllUsesWith(equal[v])
		default:
			continue
		}
		touched[fn] = touched[fn] || used
	}
	for _, fn := range closed {
		if dropUnused(fn, calls[fn]) {
			touched[fn] = true
			for _, call := range calls[fn] {
				touched[functionAround(call)] = true
			}
		}
	}
	var patterns []*rewrite.PatternSet
	for _, fn := range functions {
		merged := mergeExpressions(fn)
		if !foldImplied(fn, c) && !merged && !touched[fn] {
			continue
		}
		if patterns == nil {
			c := module.Context()
			patterns = []*rewrite.PatternSet{rewrite.NewPatternSet(c, []rewrite.Pattern{chooseByItself}), canonicalize.Patterns(c, canonicalize.DefaultOptions())}
		}
		for _, set := range patterns {
			rewrite.ApplyPatternsInParallel(fn, set, 1, rewrite.Config{})
		}
		changed = true
	}
	return changed
}

// mergeExpressions has the first of equal expressions in a block used instead of the others. It tells whether there are any.
func mergeExpressions(fn *ir.Op) (found bool) {
	type place struct {
		block *ir.Block
		key   string
	}
	first := map[place]*ir.Value{}
	fn.Walk(func(op *ir.Op) bool {
		if op.NumOperands() == 0 || !isExpression(op) || !op.Result(0).HasUses() {
			return true
		}
		at := place{op.Block(), expressionKey(op)}
		for _, v := range op.Operands().Values() {
			at.key += fmt.Sprintf(" %p", v)
		}
		if v := first[at]; v != nil && v.DefiningOp().IsBefore(op) {
			op.Result(0).ReplaceAllUsesWith(v)
			found = true
		} else {
			first[at] = op.Result(0)
		}
		return true
	})
	return found
}

// dropUnused takes truth values that a function doesn't use out of its arguments and those of its calls. It tells whether there are any.
func dropUnused(fn *ir.Op, calls []*ir.Op) (found bool) {
	entry := funcd.Body(fn).Entry()
	drop := make([]bool, entry.NumArgs())
	for i, v := range entry.Args() {
		drop[i] = v.Type() == ir.I1 && !v.HasUses()
		found = found || drop[i]
	}
	if found {
		interfaces.EraseArgs(fn, calls, drop)
	}
	return found
}

// chooseByItself folds choices between a condition and something else by that condition: where it holds it is true, and else false.
var chooseByItself = rewrite.Pattern{Name: "choose-by-itself", Root: arith.Select, Rewrite: func(r *rewrite.Rewriter, op *ir.Op) bool {
	s := arith.SelectOp{Op: op}
	for i, v := range []*ir.Value{s.TrueValue(), s.FalseValue()} {
		if v == s.Condition() && v.Type() == ir.I1 {
			r.SetBefore(op)
			r.Loc = op.Loc()
			constant := arith.ConstantBool(r.Builder, i == 0)
			r.Modify(op, func() { op.SetOperand(i+1, constant) })
			return true
		}
	}
	return false
}}
