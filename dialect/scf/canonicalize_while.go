package scf

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/cf"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// newBranch creates a branch to a block.
func newBranch(r *rewrite.Rewriter, dest *ir.Block, args []*ir.Value) {
	cf.NewBranch(r.Builder, dest, args...)
}

// foldIterCast carries the source of a tensor.cast through a loop where the result
// is cast back.
func foldIterCast(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ForOp{op}
	for i := range o.Inits() {
		in := o.Inits().At(i).DefiningOp()
		if in == nil || !in.Is(tensor.Cast) {
			continue
		}
		from, to := tensor.CastOp{Op: in}.Source().Type(), in.Result(0).Type()
		if !tensor.PreservesStatic(to, from) || !op.Result(i).HasOneUse() {
			continue
		}
		if !keepsShape(o.Yield().Operand(i), o.IterArgs()[i], from, maxNesting) && !castTo(op.Result(i), from) {
			continue // it may grow
		}
		r.At(op)
		inits := o.Inits().Values()
		inits[i] = tensor.CastOp{Op: in}.Source()
		n := newEmptyFor(r.Builder, o.LowerBound(), o.UpperBound(), o.Step(), inits)
		copyAttrs(n.Op, op)
		r.SetEnd(n.Body())
		args := append([]*ir.Value(nil), n.Body().Args()...)
		args[i+1] = tensor.NewCast(r.Builder, to, args[i+1])
		r.MergeBlocks(o.Body(), n.Body(), args)
		y := n.Yield()
		r.SetBefore(y)
		yielded := y.Operands().Values()
		yielded[i] = tensor.NewCast(r.Builder, from, yielded[i])
		r.CreateOp(Yield, nil, yielded)
		r.Erase(y)
		r.SetAfter(n.Op)
		results := n.Results().Values()
		results[i] = tensor.NewCast(r.Builder, to, results[i])
		r.Replace(op, results...)
		return true
	}
	return false
}

// maxNesting bounds how deeply loops are looked into.
const maxNesting = 8

// keepsShape tells whether v is known to have the static sizes of t if arg has: it was computed into arg, or is a cast of
// a tensor that has them.
func keepsShape(v, arg *ir.Value, t ir.Type, depth int) bool {
	for v != arg {
		def := v.DefiningOp()
		if def == nil || depth == 0 {
			return false
		}
		switch init := interfaces.TiedInit(v); {
		case init != nil:
			v = init.Value()
		case def.Is(tensor.Cast):
			v = tensor.CastOp{Op: def}.Source()
			if tensor.PreservesStatic(t, v.Type()) {
				return true
			}
		case def.Is(tensor.Insert):
			v = tensor.InsertOp{Op: def}.Dest()
		case def.Is(For):
			o := ForOp{def}
			if !keepsShape(o.Yield().Operand(v.Index()), o.IterArgs()[v.Index()], t, depth-1) {
				return false
			}
			v = o.Inits().At(v.Index())
		case def.Is(If):
			for _, r := range def.Regions() {
				if r.Empty() || !keepsShape(r.Entry().Last().Operand(v.Index()), arg, t, depth-1) {
					return false
				}
			}
			return true
		default:
			return false
		}
	}
	return true
}

// castTo tells whether the only use of v is a cast to a type with the static sizes of t: the program says that it has them.
func castTo(v *ir.Value, t ir.Type) bool {
	user := v.FirstUse().Owner()
	return user.Is(tensor.Cast) && tensor.PreservesStatic(t, user.Result(0).Type())
}

func whilePatterns() []rewrite.Pattern {
	return []rewrite.Pattern{
		{Name: "RemoveLoopInvariantArgsFromBeforeBlock", Rewrite: whileInvariantArgs},
		{Name: "RemoveLoopInvariantValueYielded", Rewrite: whileInvariantResults},
		{Name: "WhileConditionTruth", Rewrite: whileConditionTruth},
		{Name: "WhileCmpCond", Rewrite: whileCompareCondition},
		{Name: "WhileUnusedResult", Rewrite: whileUnusedResults},
		{Name: "WhileRemoveDuplicatedResults", Rewrite: whileDuplicateResults},
		{Name: "WhileRemoveUnusedArgs", Rewrite: whileUnusedArgs},
		{Name: "WhileRemoveDuplicatedArgs", Since: 22, Rewrite: whileDuplicateArgs},
		{Name: "WhileMoveIfDown", Since: 22, Rewrite: whileIfDown},
	}
}

// whileInvariantArgs removes arguments of the first region that are always the
// initial value.
func whileInvariantArgs(r *rewrite.Rewriter, op *ir.Op) bool {
	o := WhileOp{op}
	cond, y := o.Condition(), o.Yield()
	keep := make([]bool, len(o.Inits()))
	for i := range keep {
		init, v := o.Inits().At(i), y.Operand(i)
		invariant := v == init
		if v.IsBlockArg() && v.ArgOwner() == o.After() {
			passed := cond.Args().At(v.Index())
			invariant = invariant || passed == o.Before().Arg(i)
		}
		keep[i] = !invariant
	}
	return shrinkWhileArgs(r, o, keep, o.Inits().Values())
}

// shrinkWhileArgs drops the arguments of the first region that aren't to be kept; what is in
// instead takes their places. It returns whether there are any.
func shrinkWhileArgs(r *rewrite.Rewriter, o WhileOp, keep []bool, instead []*ir.Value) bool {
	var inits []*ir.Value
	for i, k := range keep {
		if k {
			inits = append(inits, o.Inits().At(i))
		}
	}
	if len(inits) == len(keep) {
		return false
	}
	r.At(o.Op)
	n := NewWhile(r.Builder, o.Op.Results().Types(), inits)
	args := slices.Clone(instead)
	k := 0
	for i := range keep {
		if keep[i] {
			args[i] = n.Before().Arg(k)
			k++
		}
	}
	keepOperands(r, o.Yield(), keep)
	r.MergeBlocks(o.Before(), n.Before(), args)
	moveAfter(r, o, n)
	r.Replace(o.Op, n.Results().Values()...)
	return true
}

// moveAfter moves the second region of a loop, with the locations of its arguments,
// to a loop with the same results.
func moveAfter(r *rewrite.Rewriter, from, to WhileOp) {
	for i, a := range from.After().Args() {
		to.After().Arg(i).SetArgLoc(a.Loc())
	}
	r.MergeBlocks(from.After(), to.After(), to.After().Args())
}

// whileInvariantResults replaces results that are defined outside of the loop.
func whileInvariantResults(r *rewrite.Rewriter, op *ir.Op) bool {
	o := WhileOp{op}
	cond := o.Condition()
	keep := make([]bool, op.NumResults())
	count := 0
	for i := range keep {
		if keep[i] = !outside(op, cond.Args().At(i)); keep[i] {
			count++
		}
	}
	if count == len(keep) {
		return false
	}
	return shrinkWhileResults(r, o, keep, func(i int) *ir.Value { return cond.Args().At(i) })
}

// shrinkWhileResults makes a loop with the kept results only; with tells what the
// others are.
func shrinkWhileResults(r *rewrite.Rewriter, o WhileOp, keep []bool, with func(i int) *ir.Value) bool {
	op, cond := o.Op, o.Condition()
	var types []ir.Type
	for i, k := range keep {
		if k {
			types = append(types, op.Result(i).Type())
		}
	}
	r.At(op)
	n := NewWhile(r.Builder, types, o.Inits().Values())
	for _, a := range n.After().Args() {
		a.SetArgLoc(op.Loc())
	}
	args, results := make([]*ir.Value, len(keep)), make([]*ir.Value, len(keep))
	k := 0
	for i := range keep {
		if keep[i] {
			args[i], results[i] = n.After().Arg(k), n.Result(k)
			k++
		} else if with != nil {
			args[i], results[i] = with(i), with(i)
		}
	}
	keepOperands(r, cond.Op, append([]bool{true}, keep...))
	r.MergeBlocks(o.Before(), n.Before(), n.Before().Args())
	after := o.After()
	for i, a := range args {
		if a == nil {
			args[i] = after.Arg(i)
		}
	}
	r.MergeBlocks(after, n.After(), args)
	replaceUsed(r, op, results)
	return true
}

// whileConditionTruth replaces the condition, where it is passed on to the second
// region, by true.
func whileConditionTruth(r *rewrite.Rewriter, op *ir.Op) bool {
	o := WhileOp{op}
	cond := o.Condition()
	changed := false
	r.At(op)
	var one *ir.Value
	for i := range cond.Args() {
		a := o.After().Arg(i)
		if cond.Args().At(i) != cond.Condition() || !a.HasUses() {
			continue
		}
		if one == nil {
			one = arith.ConstantBool(r.Builder, true)
		}
		r.ReplaceUses(a, one)
		changed = true
	}
	return changed
}

// whileCompareCondition replaces, in the second region, comparisons of the same
// operands as the condition by what they are.
func whileCompareCondition(r *rewrite.Rewriter, op *ir.Op) bool {
	o := WhileOp{op}
	cond := o.Condition()
	cmp := cond.Condition().DefiningOp()
	if cmp == nil || !cmp.Is(arith.CmpI) {
		return false
	}
	changed := false
	for i := range cond.Args() {
		v := cond.Args().At(i)
		if v.DefiningOp() == nil && !v.IsBlockArg() {
			continue
		}
		side := -1
		for k := range 2 {
			if cmp.Operand(k) == v {
				side = k
			}
		}
		if side < 0 {
			continue
		}
		for _, u := range o.After().Arg(i).Uses() {
			other := u.Owner()
			if !other.Is(arith.CmpI) || u.Index() != side || other.Operand(1-side) != cmp.Operand(1-side) {
				continue
			}
			same := arith.Predicate(other) == arith.Predicate(cmp)
			if !same && arith.Predicate(other) != arith.Predicate(cmp).Inverted() {
				continue
			}
			r.At(other)
			r.Replace(other, arith.ConstantBool(r.Builder, same))
			changed = true
		}
	}
	return changed
}

func whileUnusedResults(r *rewrite.Rewriter, op *ir.Op) bool {
	o := WhileOp{op}
	keep := make([]bool, op.NumResults())
	count := 0
	for i := range keep {
		if keep[i] = op.Result(i).HasUses() || o.After().Arg(i).HasUses(); keep[i] {
			count++
		}
	}
	if count == len(keep) {
		return false
	}
	return shrinkWhileResults(r, o, keep, nil)
}

func whileDuplicateResults(r *rewrite.Rewriter, op *ir.Op) bool {
	o := WhileOp{op}
	cond := o.Condition()
	first := map[*ir.Value]int{}
	keep := make([]bool, op.NumResults())
	for i := range keep {
		v := cond.Args().At(i)
		if _, dup := first[v]; !dup {
			first[v] = i
			keep[i] = true
		}
	}
	if len(first) == len(keep) {
		return false
	}
	for i := range keep {
		if !keep[i] {
			j := first[cond.Args().At(i)]
			r.ReplaceUses(o.After().Arg(i), o.After().Arg(j))
			r.ReplaceUses(op.Result(i), op.Result(j))
		}
	}
	return shrinkWhileResults(r, o, keep, nil)
}

func whileUnusedArgs(r *rewrite.Rewriter, op *ir.Op) bool {
	o := WhileOp{op}
	keep := make([]bool, len(o.Inits()))
	for i := range keep {
		keep[i] = o.Before().Arg(i).HasUses()
	}
	return shrinkWhileArgs(r, o, keep, o.Before().Args())
}

// whileIfDown moves what is done at the end of the first region if the loop goes on to the start of the second one, with the values
// that it needs.
func whileIfDown(r *rewrite.Rewriter, op *ir.Op) bool {
	o := WhileOp{op}
	cond := o.Condition()
	branch := cond.Op.Prev()
	if branch == nil || !branch.Is(If) || (IfOp{branch}).Condition() != cond.Condition() {
		return false
	}
	i := IfOp{branch}
	if branch.NumRegions() > 1 && !branch.RegionAt(1).Empty() && i.Else().First() != i.Else().Last() {
		return false
	}
	then := branch.RegionAt(0)
	within := func(u *ir.Use) bool { return then.IsAncestorOf(u.Owner().Block().Region()) }
	var needed []*ir.Value
	types := op.Results().Types()
	for first := range i.Then().Ops() {
		first.WalkPostOrder(func(x *ir.Op) {
			for _, v := range x.Operands().Values() {
				if v.ParentBlock() == o.Before() && !slices.Contains(needed, v) {
					needed = append(needed, v)
					types = append(types, v.Type())
				}
			}
		})
	}
	r.At(op)
	n := NewWhile(r.Builder, types, o.Inits().Values())
	for _, a := range n.After().Args() {
		a.SetArgLoc(op.Loc())
	}
	for k, v := range needed {
		r.ReplaceUsesIf(v, n.After().Arg(op.NumResults()+k), within)
	}
	handed, args := []*ir.Value{cond.Condition()}, slices.Clone(n.After().Args()[:op.NumResults()])
	for k, v := range cond.Args().Values() {
		if v.DefiningOp() == branch {
			args[k] = i.ThenYield().Operand(v.Index())
			v = i.ElseYield().Operand(v.Index())
		}
		handed = append(handed, v)
	}
	r.At(cond.Op)
	r.CreateOp(cond.Op.ID(), nil, append(handed, needed...))
	r.Erase(cond.Op)
	if y := i.Then().Last(); y != nil && y.Is(Yield) {
		r.Erase(y)
	}
	r.MergeBlocks(o.Before(), n.Before(), n.Before().Args())
	r.MergeBlocks(o.After(), n.After(), args)
	r.InlineBlockBefore(i.Then(), n.After(), n.After().First(), nil)
	r.Erase(branch)
	replaceUsed(r, op, n.Results().Values()[:op.NumResults()])
	return true
}
