package scf

import (
	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// negated returns the value whose negation v is, or nil.
func negated(v *ir.Value) *ir.Value {
	op := v.DefiningOp()
	if op == nil || !op.Is(arith.XOrI) {
		return nil
	}
	for i := range 2 {
		if c, ok := ir.ConstantInt(op.Operand(i)); ok && c != 0 {
			return op.Operand(1 - i)
		}
	}
	return nil
}

// foldIf swaps the regions of a conditional on a negation.
func foldIf(op *ir.Op, _ []ir.Attribute) []ir.FoldResult {
	o := IfOp{op}
	if o.Else() == nil {
		return nil
	}
	c := negated(o.Condition())
	if c == nil {
		return nil
	}
	op.SetOperand(0, c)
	then, els := o.Then(), o.Else()
	then.Remove()
	els.Remove()
	op.RegionAt(0).Append(els)
	op.RegionAt(1).Append(then)
	return ir.FoldedInPlace()
}

// newBareIf creates a conditional with two empty regions.
func newBareIf(r *rewrite.Rewriter, types []ir.Type, cond *ir.Value) IfOp {
	s := r.State(If)
	s.Operands, s.Types = []*ir.Value{cond}, types
	s.AddRegion()
	s.AddRegion()
	return IfOp{r.Create(s)}
}

func moveBody(r *rewrite.Rewriter, from, to *ir.Region) { r.InlineRegionBefore(from, to, nil) }

func staticCondition(r *rewrite.Rewriter, op *ir.Op) bool {
	o := IfOp{op}
	c, ok := ir.ConstantInt(o.Condition())
	if !ok {
		return false
	}
	switch {
	case c != 0:
		inlineBody(r, op, o.Then(), nil)
	case o.Else() != nil:
		inlineBody(r, op, o.Else(), nil)
	default:
		r.Erase(op)
	}
	return true
}

func unusedIfResults(r *rewrite.Rewriter, op *ir.Op) bool {
	used := 0
	for used < op.NumResults() && op.Result(used).HasUses() {
		used++
	}
	if used == op.NumResults() {
		return false
	}
	keep := make([]bool, op.NumResults())
	var types []ir.Type
	for i := range keep {
		if keep[i] = op.Result(i).HasUses(); keep[i] {
			types = append(types, op.Result(i).Type())
		}
	}
	o := IfOp{op}
	r.At(op)
	n := newBareIf(r, types, o.Condition())
	for i := range 2 {
		moveBody(r, op.RegionAt(i), n.RegionAt(i))
		if b := n.BodyBlock(i); b != nil {
			y := b.Last()
			r.Modify(y, func() { y.SetOperands(chosen(y, keep)) })
		}
	}
	values := make([]*ir.Value, len(keep))
	k := 0
	for i := range keep {
		if keep[i] {
			values[i] = n.Result(k)
			k++
		}
	}
	replaceUsed(r, op, values)
	return true
}

// replaceUsed replaces an operation's results by values, of which those for
// results without uses may be nil, and erases it.
func replaceUsed(r *rewrite.Rewriter, op *ir.Op, values []*ir.Value) {
	for i, v := range values {
		if v != nil {
			r.ReplaceUses(op.Result(i), v)
		}
	}
	r.Erase(op)
}

func removeEmptyElse(r *rewrite.Rewriter, op *ir.Op) bool {
	o := IfOp{op}
	if op.NumResults() > 0 || o.Else() == nil || o.Else().First() != o.Else().Last() {
		return false
	}
	r.At(op)
	n := newBareIf(r, nil, o.Condition())
	copyAttrs(n.Op, op)
	moveBody(r, op.RegionAt(0), n.RegionAt(0))
	r.Erase(op)
	return true
}

// ifToSelect makes results whose values are known outside of the conditional
// selects.
func ifToSelect(r *rewrite.Rewriter, op *ir.Op) bool {
	o := IfOp{op}
	if op.NumResults() == 0 {
		return false
	}
	then, els := o.ThenYield(), o.ElseYield()
	keep := make([]bool, op.NumResults())
	var types []ir.Type
	for i := range keep {
		keep[i] = then.Operand(i).ParentRegion() == op.RegionAt(0) || els.Operand(i).ParentRegion() == op.RegionAt(1)
		if keep[i] {
			types = append(types, then.Operand(i).Type())
		}
	}
	if len(types) == len(keep) {
		return false
	}
	cond := o.Condition()
	r.At(op)
	n := newBareIf(r, types, cond)
	moveBody(r, op.RegionAt(0), n.RegionAt(0))
	moveBody(r, op.RegionAt(1), n.RegionAt(1))
	values := make([]*ir.Value, len(keep))
	r.SetBefore(n.Op)
	k := 0
	for i := range keep {
		t, f := then.Operand(i), els.Operand(i)
		switch {
		case keep[i]:
			values[i] = n.Result(k)
			k++
		case t == f:
			values[i] = t
		default:
			values[i] = arith.NewSelect(r.Builder, cond, t, f)
		}
	}
	keepOperands(r, then, keep)
	keepOperands(r, els, keep)
	r.Replace(op, values...)
	return true
}

// propagateCondition replaces the condition inside the regions by what it is there.
func propagateCondition(r *rewrite.Rewriter, op *ir.Op) bool {
	cond := IfOp{op}.Condition()
	if ir.ConstantOf(cond) != nil {
		return false
	}
	r.At(op)
	changed := false
	var constants [2]*ir.Value
	for _, u := range cond.UsesWithin(op) {
		for i, region := range op.Regions() {
			if !region.IsAncestorOf(u.Owner().Region()) {
				continue
			}
			if constants[i] == nil {
				constants[i] = arith.ConstantBool(r.Builder, i == 0)
			}
			r.Modify(u.Owner(), func() { u.Set(constants[i]) })
			changed = true
		}
	}
	return changed
}

// yieldOfCondition replaces results that are the condition, its negation, or the
// same in both cases.
func yieldOfCondition(r *rewrite.Rewriter, op *ir.Op) bool {
	o := IfOp{op}
	if op.NumResults() == 0 {
		return false
	}
	r.At(op)
	changed := false
	for i := range op.NumResults() {
		t, f, res := o.ThenYield().Operand(i), o.ElseYield().Operand(i), op.Result(i)
		if !res.HasUses() {
			continue
		}
		if t == f {
			r.ReplaceUses(res, t)
			changed = true
			continue
		}
		tc, ok1 := ir.ConstantInt(t)
		fc, ok2 := ir.ConstantInt(f)
		if !ok1 || !ok2 || t.Type() != ir.Type(ir.I1) {
			continue
		}
		switch {
		case tc == 0 && fc != 0:
			one := arith.ConstantBool(r.Builder, true)
			r.ReplaceUses(res, arith.New(r.Builder, arith.XOrI, o.Condition(), one))
			changed = true
		case tc != 0 && fc == 0:
			r.ReplaceUses(res, o.Condition())
			changed = true
		}
	}
	return changed
}

// combineNestedIfs joins a conditional with one that is all of its first region.
func combineNestedIfs(r *rewrite.Rewriter, op *ir.Op) bool {
	o := IfOp{op}
	in := o.Then().First()
	if !in.Is(If) || in.Next() != o.Then().Last() || o.Else() != nil && o.Else().First() != o.Else().Last() {
		return false
	}
	inner := IfOp{in}
	if inner.Else() != nil && inner.Else().First() != inner.Else().Last() {
		return false
	}
	thens := o.ThenYield().Operands().Values()
	var elses []*ir.Value
	if o.Else() != nil {
		elses = o.ElseYield().Operands().Values()
	}
	var upgrade []int
	for i, v := range thens {
		if v.DefiningOp() == in {
			k := v.Index()
			if inner.ElseYield().Operand(k) != elses[i] {
				return false
			}
			thens[i] = inner.ThenYield().Operand(k)
			continue
		}
		// What the first region yields must be known outside of it, so that it can be
		// selected by the outer condition alone.
		if v.ParentRegion() == op.RegionAt(0) {
			return false
		}
		upgrade = append(upgrade, i)
	}
	r.At(op)
	cond := arith.New(r.Builder, arith.AndI, o.Condition(), inner.Condition())
	n := newBareIf(r, op.Results().Types(), cond)
	results := n.Results().Values()
	r.SetBefore(n.Op)
	for _, i := range upgrade {
		results[i] = arith.NewSelect(r.Builder, o.Condition(), thens[i], elses[i])
	}
	y := inner.ThenYield()
	moveBody(r, in.RegionAt(0), n.RegionAt(0))
	r.Modify(y, func() { y.SetOperands(thens) })
	if len(elses) > 0 {
		r.SetEnd(n.RegionAt(1).AddBlock())
		NewYield(r.Builder, elses...)
	}
	r.Replace(op, results...)
	return true
}
