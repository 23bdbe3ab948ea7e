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
	if y == nil {
		return false
	}
	first, changed := map[[2]*ir.Value]int{}, false
	for i, init := range o.Inits().Values() {
		k := [2]*ir.Value{init, y.Operand(i)}
		j, dup := first[k]
		if !dup {
			first[k] = i
			continue
		}
		if arg, res := o.IterArgs()[i], op.Result(i); arg.HasUses() || res.HasUses() {
			r.ReplaceUses(arg, o.IterArgs()[j])
			r.ReplaceUses(res, op.Result(j))
			changed = true
		}
	}
	return changed
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
	keep := make([]bool, op.NumResults())
	results, kept := make([]*ir.Value, len(keep)), []ir.Type{}
	for i := range keep {
		v := yields[0].Operand(i)
		same := outside(op, v)
		for _, y := range yields {
			same = same && y.Operand(i) == v
		}
		if results[i] = v; !same && op.Result(i).HasUses() {
			keep[i], kept = true, append(kept, op.Result(i).Type())
		}
	}
	if len(kept) == len(keep) {
		return false
	}
	for _, y := range yields {
		keepOperands(r, y, keep)
	}
	r.At(op)
	s := r.State(IndexSwitch)
	s.Operands, s.Types = op.Operands().Values(), kept
	s.SetAttr(CasesAttr, op.Attr(CasesAttr))
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
	y := o.Yield()
	first, changed := map[[2]*ir.Value]int{}, false
	for i, init := range o.Inits().Values() {
		k := [2]*ir.Value{init, y.Operand(i)}
		j, dup := first[k]
		switch arg := o.Before().Arg(i); {
		case !dup:
			first[k] = i
		case arg.HasUses():
			r.ReplaceUses(arg, o.Before().Arg(j))
			changed = true
		}
	}
	return changed
}

// executeYieldsOuter replaces results that are the same value from outside of the region wherever that is left.
func executeYieldsOuter(r *rewrite.Rewriter, op *ir.Op) bool {
	region := op.RegionAt(0)
	var yields []*ir.Op
	for b := range region.Blocks() {
		if y := yieldOf(b); y != nil {
			yields = append(yields, y)
		}
	}
	if len(yields) == 0 {
		return false
	}
	keep := make([]bool, op.NumResults())
	results, kept := make([]*ir.Value, len(keep)), []ir.Type{}
	for i := range keep {
		v := yields[0].Operand(i)
		keep[i] = !outside(op, v)
		for _, y := range yields {
			keep[i] = keep[i] || y.Operand(i) != v
		}
		if results[i] = v; keep[i] {
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
	s := r.State(ExecuteRegion)
	s.Types = kept
	s.AddRegion()
	n := r.Create(s)
	copyAttrs(n, op)
	r.InlineRegionBefore(region, n.RegionAt(0), nil)
	for i, k := 0, 0; i < len(keep); i++ {
		if keep[i] {
			results[i] = n.Result(k)
			k++
		}
	}
	r.Replace(op, results...)
	return true
}
