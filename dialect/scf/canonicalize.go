package scf

import (
	"math"

	"freehold/dialect/arith"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
)

// inlineBody puts the operations of a block with one terminator before op, and
// replaces op's results by the terminator's operands.
func inlineBody(r *rewrite.Rewriter, op *ir.Op, b *ir.Block, args []*ir.Value) {
	t := b.Last()
	r.InlineBlockBefore(b, op.Block(), op, args)
	r.Replace(op, t.Operands().Values()...)
	r.Erase(t)
}

func inlineSingleBlock(r *rewrite.Rewriter, op *ir.Op) bool {
	if op.DiscardableAttr(noInline) != nil || op.RegionAt(0).NumBlocks() != 1 || !op.BodyBlock(0).Last().Is(Yield) {
		return false
	}
	inlineBody(r, op, op.BodyBlock(0), nil)
	return true
}

// inlineBlocks moves the blocks of a region into a function or another region of
// this kind, where there may be several blocks.
func inlineBlocks(r *rewrite.Rewriter, op *ir.Op) bool {
	parent := op.Parent()
	if parent == nil || op.DiscardableAttr(noInline) != nil {
		return false
	}
	if !interfaces.Function.Has(parent) && !parent.Is(ExecuteRegion) {
		return false
	}
	return splitAround(r, op)
}

// splitAround splits the block at op, puts the region's blocks in between, and
// makes each yield a branch to what follows.
func splitAround(r *rewrite.Rewriter, op *ir.Op) bool {
	before, region := op.Block(), op.RegionAt(0)
	for b := range region.Blocks() {
		if b.Last() == nil {
			return false
		}
	}
	following := before.Split(op)
	entry := region.Entry()
	r.InlineRegionBefore(region, before.Region(), following)
	r.SetEnd(before)
	r.Loc = op.Loc()
	newBranch(r, entry, nil)
	for b := entry; b != following; b = b.Next() {
		if y := yieldOf(b); y != nil {
			r.SetBefore(y)
			r.Loc = y.Loc()
			newBranch(r, following, y.Operands().Values())
			r.Erase(y)
		}
	}
	args := make([]*ir.Value, op.NumResults())
	for i := range args {
		args[i] = following.AddArg(op.Result(i).Type(), op.Loc())
	}
	r.Replace(op, args...)
	return true
}

// constantDistance returns by how much the upper bound is above the lower one if that is known, and 0 if it isn't. An unsigned number holds any distance; the
// difference of two signed ones wraps. A sum of lower and a constant may wrap unless it says that it doesn't.
func (o ForOp) constantDistance() (uint64, bool) {
	lower, upper := o.LowerBound(), o.UpperBound()
	if lower == upper {
		return 0, true
	}
	l, ok1 := ir.ConstantInt(lower)
	u, ok2 := ir.ConstantInt(upper)
	if ok1 && ok2 {
		return o.distance(l, u), true
	}
	promise := uint64(arith.NSW)
	if o.Unsigned() {
		promise = arith.NUW
	}
	if op := upper.DefinedBy(arith.AddI); op != nil && arith.Promises(op, promise) {
		for i := range 2 {
			if c, ok := ir.ConstantInt(op.Operand(i)); ok && op.Operand(1-i) == lower {
				return o.distance(0, c), true
			}
		}
	}
	return 0, false
}

// distance returns by how much a number that is the upper bound of the loop is above one that is the lower one, and 0 if it isn't.
func (o ForOp) distance(lower, upper int64) uint64 {
	if !o.Unsigned() {
		return distance(lower, upper)
	}
	cut := uint64(math.MaxUint64)
	if t, ok := o.LowerBound().Type().(*ir.IntegerType); ok && t.Width < 64 {
		cut = 1<<t.Width - 1
	}
	if l, u := uint64(lower)&cut, uint64(upper)&cut; l < u {
		return u - l
	}
	return 0
}

// distance returns by how much upper is above lower, and 0 if it isn't.
func distance(lower, upper int64) uint64 {
	if upper <= lower {
		return 0
	}
	return uint64(upper) - uint64(lower)
}

// simplifyTrivialLoop replaces loops that run never or once, and loops that run and
// have no effect.
func simplifyTrivialLoop(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ForOp{op}
	if o.LowerBound() == o.UpperBound() {
		r.Replace(op, o.Inits().Values()...)
		return true
	}
	length, ok := o.constantDistance()
	if !ok {
		return false
	}
	if length == 0 {
		r.Replace(op, o.Inits().Values()...)
		return true
	}
	step, ok := ir.ConstantInt(o.Step())
	if !ok {
		return false
	}
	if step > 0 && uint64(step) >= length {
		inlineBody(r, op, o.Body(), append([]*ir.Value{o.LowerBound()}, o.Inits().Values()...))
		return true
	}
	y := o.Yield()
	if o.Body().First() != y {
		return false
	}
	values := y.Operands().Values()
	for _, v := range values {
		if !outside(op, v) {
			return false
		}
	}
	r.Replace(op, values...)
	return true
}

// outside tells whether the value is defined outside of the operation's regions.
func outside(op *ir.Op, v *ir.Value) bool {
	r := v.ParentRegion()
	for _, x := range op.Regions() {
		if x.IsAncestorOf(r) {
			return false
		}
	}
	return true
}

// foldIterArgs removes iteration arguments that don't change, or that nothing
// needs.
func foldIterArgs(r *rewrite.Rewriter, op *ir.Op) bool {
	o := ForOp{op}
	y := o.Yield()
	if y == nil || op.NumResults() == 0 {
		return false
	}
	keep := make([]bool, op.NumResults())
	changed := false
	for i, arg := range o.IterArgs() {
		init, yielded, res := o.Inits().At(i), y.Operand(i), op.Result(i)
		if arg == yielded || !arg.HasUses() && (yielded == init || !res.HasUses()) {
			r.ReplaceUses(arg, init)
			r.ReplaceUses(res, init)
			changed = true
			continue
		}
		keep[i] = true
	}
	if !changed {
		return false
	}
	var inits []*ir.Value
	for i := range keep {
		if keep[i] {
			inits = append(inits, o.Inits().At(i))
		}
	}
	r.At(op)
	n := newEmptyFor(r.Builder, o.LowerBound(), o.UpperBound(), o.Step(), inits)
	copyAttrs(n.Op, op)
	args := []*ir.Value{n.InductionVar()}
	results := make([]*ir.Value, len(keep))
	k := 0
	for i := range keep {
		if keep[i] {
			args = append(args, n.IterArgs()[k])
			results[i] = n.Result(k)
			k++
		} else {
			args = append(args, o.Inits().At(i))
			results[i] = o.Inits().At(i)
		}
	}
	r.MergeBlocks(o.Body(), n.Body(), args)
	keepOperands(r, n.Body().Last(), keep)
	r.Replace(op, results...)
	return true
}

// copyAttrs gives op the discardable attributes of from.
func copyAttrs(op, from *ir.Op) {
	for _, a := range from.DiscardableAttrs() {
		op.SetDiscardableAttr(a.Name, a.Value)
	}
}

// keepOperands puts a terminator with only the chosen operands, and without
// discardable attributes, in op's place.
func keepOperands(r *rewrite.Rewriter, op *ir.Op, keep []bool) {
	r.At(op)
	r.CreateOp(op.ID(), nil, chosen(op, keep))
	r.Erase(op)
}

// chosen returns the operands that keep marks.
func chosen(op *ir.Op, keep []bool) []*ir.Value {
	var values []*ir.Value
	for i, k := range keep {
		if k {
			values = append(values, op.Operand(i))
		}
	}
	return values
}

func constantCase(r *rewrite.Rewriter, op *ir.Op) bool {
	o := IndexSwitchOp{op}
	n, ok := ir.ConstantInt(o.Arg())
	if !ok {
		return false
	}
	b := o.Default()
	for i, c := range o.Cases() {
		if c == n {
			b = o.Case(i)
			break
		}
	}
	inlineBody(r, op, b, nil)
	return true
}
