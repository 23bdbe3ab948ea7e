package scf

import (
	"freehold/ir"
	"freehold/ir/rewrite"
)

// Patterns that LLVM 22 has, and 19 doesn't.

// yieldInvariants makes a loop yield iteration arguments that are always what they are at first, though the loop yields something else:
// that value, or another one of them that starts with it.
func yieldInvariants(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ForOp{op}
	y, args := o.Yield(), o.IterArgs()
	if y == nil {
		return false
	}
	invariant := make([]bool, len(args))
	for i := range invariant {
		invariant[i] = true
	}
	// Each round finds one at least that isn't.
	for again := true; again; {
		again = false
		for i, init := range o.Inits().Values() {
			v := y.Operand(i)
			if !invariant[i] || v == init {
				continue
			}
			j := v.Index() - 1
			if !v.IsBlockArg() || v.ArgOwner() != o.Body() || j < 0 || !invariant[j] || o.Inits().At(j) != init {
				invariant[i], again = false, true
			}
		}
	}
	changed := false
	for i := range args {
		if invariant[i] && y.Operand(i) != args[i] {
			r.Modify(y, func() { y.SetOperand(i, args[i]) })
			changed = true
		}
	}
	return changed
}

// endlessLoop removes a loop whose step is 0, which is undefined.
func endlessLoop(r *rewrite.Rewriter, op *ir.Op) bool {
	if step, ok := ir.ConstantInt(ForOp{op}.Step()); !ok || step != 0 {
		return false
	}
	r.Replace(op, ForOp{op}.Inits().Values()...)
	return true
}

// emptyParallel removes a loop one of whose dimensions ends before it begins.
func emptyParallel(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ParallelOp{op}
	for i := range o.Steps() {
		lower, ok1 := ir.ConstantInt(o.LowerBounds().At(i))
		upper, ok2 := ir.ConstantInt(o.UpperBounds().At(i))
		if ok1 && ok2 && lower >= upper {
			r.Replace(op, o.Inits().Values()...)
			return true
		}
	}
	return false
}

// forDuplicateArgs makes one of two iteration arguments that have the same value in each iteration unused, and its result.
func forDuplicateArgs(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ForOp{op}
	y := o.Yield()
	return y != nil && mergeDuplicates(o.Inits(), y, func(i, j int) bool {
		arg := replaceIfUsed(r, o.IterArgs()[i], o.IterArgs()[j])
		return replaceIfUsed(r, op.Result(i), op.Result(j)) || arg
	})
}

// mergeDuplicates calls merge for each of what a loop hands on that starts, and goes on, with the same value as an earlier one, with the places of both. It tells
// whether any call changed something.
func mergeDuplicates(inits ir.Operands, y *ir.Op, merge func(i, j int) bool) (changed bool) {
	first := map[[2]*ir.Value]int{}
	for i, init := range inits.Values() {
		k := [2]*ir.Value{init, y.Operand(i)}
		if j, dup := first[k]; !dup {
			first[k] = i
		} else if merge(i, j) {
			changed = true
		}
	}
	return changed
}

// replaceIfUsed puts a value in the place of another one, if that is used.
func replaceIfUsed(r *rewrite.Rewriter, v, by *ir.Value) bool {
	if !v.HasUses() {
		return false
	}
	r.ReplaceUses(v, by)
	return true
}

// switchYieldsOuter replaces the results of a choice that are the same in all cases, and leaves those out that nothing uses.
func switchYieldsOuter(r *rewrite.Rewriter, op *ir.Op) bool {
	var yields []*ir.Op
	for i := range op.Regions() {
		b := op.BodyBlock(i)
		if b == nil || yieldOf(b) == nil {
			return false
		}
		yields = append(yields, yieldOf(b))
	}
	return dropOuter(r, op, yields, true)
}

// dropOuter replaces the results of an operation for which all yields have the same value from outside of its regions, and leaves those out that nothing uses if unused is true.
func dropOuter(r *rewrite.Rewriter, op *ir.Op, yields []*ir.Op, unused bool) bool {
	keep := make([]bool, op.NumResults())
	results, kept := make([]*ir.Value, len(keep)), []ir.Type{}
	for i := range keep {
		v := yields[0].Operand(i)
		same := outside(op, v)
		for _, y := range yields {
			same = same && y.Operand(i) == v
		}
		results[i], keep[i] = v, !same && !(unused && !op.Result(i).HasUses())
		if keep[i] {
			kept = append(kept, op.Result(i).Type())
		}
	}
	if len(kept) == len(keep) {
		return false
	}
	for _, y := range yields {
		keepOperands(r, y, keep)
	}
	r.At(op)
	s := r.State(op.ID())
	s.Operands, s.Types = op.Operands().Values(), kept
	if op.Is(IndexSwitch) {
		s.SetAttr(CasesAttr, op.Attr(CasesAttr))
	}
	for range op.Regions() {
		s.AddRegion()
	}
	n := r.Create(s)
	copyAttrs(n, op)
	for i, region := range op.Regions() {
		r.InlineRegionBefore(region, n.RegionAt(i), nil)
	}
	for i, k := 0, 0; i < len(keep); i++ {
		if keep[i] {
			results[i] = n.Result(k)
			k++
		}
	}
	r.Replace(op, results...) // what is left out and isn't the same everywhere has no uses
	return true
}

// whileDuplicateArgs makes one of two arguments of the first region that have the same value in each iteration unused.
func whileDuplicateArgs(r *rewrite.Rewriter, op *ir.Op) bool {
	o := WhileOp{op}
	return mergeDuplicates(o.Inits(), o.Yield(), func(i, j int) bool { return replaceIfUsed(r, o.Before().Arg(i), o.Before().Arg(j)) })
}

// executeYieldsOuter replaces results that are the same value from outside of the region wherever that is left.
func executeYieldsOuter(r *rewrite.Rewriter, op *ir.Op) bool {
	var yields []*ir.Op
	for b := range op.RegionAt(0).Blocks() {
		if y := yieldOf(b); y != nil {
			yields = append(yields, y)
		}
	}
	return len(yields) > 0 && dropOuter(r, op, yields, false)
}
