package cf

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/ub"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// becomeBranch replaces a terminator by an unconditional branch.
func becomeBranch(r *rewrite.Rewriter, op *ir.Op, dest *ir.Block, values []*ir.Value) {
	r.At(op)
	NewBranch(r.Builder, dest, values...)
	r.Erase(op)
}

func dropTrueAssertion(r *rewrite.Rewriter, op *ir.Op) bool {
	if v, ok := ir.ConstantInt(AssertOp{op}.Arg()); !ok || v == 0 {
		return false
	}
	r.Erase(op)
	return true
}

// mergeIntoPredecessor joins a block with the only one that branches to it.
func mergeIntoPredecessor(r *rewrite.Rewriter, op *ir.Op) bool {
	block, dest := op.Block(), op.Successor(0)
	if dest == block || dest.SinglePred() == nil {
		return false
	}
	values := op.Operands().Values()
	if slices.ContainsFunc(values, func(v *ir.Value) bool { return v.ParentBlock() == dest }) {
		return false // a loop that control never reaches, in which values would be made of themselves
	}
	r.Erase(op)
	r.InlineBlockBefore(dest, block, nil, values)
	return true
}

// collapse follows a branch to blocks that only branch on: it returns where that leads
// in the end and what is passed. It is false if that is nowhere but dest, or if the
// blocks branch round and round, for ever. Linear in the number of blocks.
func collapse(dest *ir.Block, values []*ir.Value) (*ir.Block, []*ir.Value, bool) {
	mark := dest
	for n, power := 0, 1; ; n++ {
		next, passed, ok := passedOn(dest, values)
		if !ok {
			return dest, values, n > 0
		}
		if next == mark {
			return nil, nil, false
		}
		dest, values = next, passed
		if n == power { // R. P. Brent's way to find a cycle
			mark, power = dest, 2*power
		}
	}
}

// passedOn returns where a block only branches to, and what is passed there if values
// are passed to the block. The block's arguments may have no other uses.
func passedOn(dest *ir.Block, values []*ir.Value) (*ir.Block, []*ir.Value, bool) {
	br := dest.First()
	if br == nil || !br.Is(Branch) || br.Successor(0) == dest {
		return nil, nil, false
	}
	for _, a := range dest.Args() {
		for u := a.FirstUse(); u != nil; u = u.Next() {
			if u.Owner() != br {
				return nil, nil, false
			}
		}
	}
	passed := br.Operands().Values()
	for i, v := range passed {
		if v.ArgOwner() == dest {
			passed[i] = values[v.Index()]
		}
	}
	return br.Successor(0), passed, true
}

func passThroughBranch(r *rewrite.Rewriter, op *ir.Op) bool {
	// A block that branches to itself stays reachable through it.
	if op.Successor(0) == op.Block() {
		return false
	}
	dest, values, ok := collapse(op.Successor(0), op.Operands().Values())
	if !ok {
		return false
	}
	becomeBranch(r, op, dest, values)
	return true
}

// condDests returns the destinations of a conditional branch and what is passed.
func condDests(op *ir.Op) (t *ir.Block, tv []*ir.Value, f *ir.Block, fv []*ir.Value) {
	return op.Successor(0), op.OperandGroup(condTrue).Values(), op.Successor(1), op.OperandGroup(condFalse).Values()
}

func constantCondition(r *rewrite.Rewriter, op *ir.Op) bool {
	v, ok := ir.ConstantInt(CondBranchOp{op}.Condition())
	if !ok {
		return false
	}
	t, tv, f, fv := condDests(op)
	if v != 0 {
		becomeBranch(r, op, t, tv)
	} else {
		becomeBranch(r, op, f, fv)
	}
	return true
}

func passThroughCondBranch(r *rewrite.Rewriter, op *ir.Op) bool {
	n := followCondBranch(r, op)
	if n == nil {
		return false
	}
	r.Erase(op)
	return true
}

// passThroughWeightedBranch keeps how likely it is where the branch goes.
func passThroughWeightedBranch(r *rewrite.Rewriter, op *ir.Op) bool {
	n := followCondBranch(r, op)
	if n == nil {
		return false
	}
	if w := op.DiscardableAttr(branchWeights); w != nil {
		n.SetDiscardableAttr(branchWeights, w)
	}
	r.Erase(op)
	return true
}

// followCondBranch returns a new branch to where the blocks that op branches to lead, or nil if it is the same.
func followCondBranch(r *rewrite.Rewriter, op *ir.Op) *ir.Op {
	t, tv, f, fv := condDests(op)
	t2, tv2, ok := collapse(t, tv)
	f2, fv2, ok2 := collapse(f, fv)
	if !ok && !ok2 {
		return nil
	}
	if ok {
		t, tv = t2, tv2
	}
	if ok2 {
		f, fv = f2, fv2
	}
	r.At(op)
	return NewCondBranch(r.Builder, CondBranchOp{op}.Condition(), t, tv, f, fv)
}

// avoidUnreachable goes to the other block where one of them begins with what is never executed.
func avoidUnreachable(r *rewrite.Rewriter, op *ir.Op) bool {
	never := func(b *ir.Block) bool { return !b.Empty() && b.First().Is(ub.Unreachable) }
	switch t, tv, f, fv := condDests(op); {
	case never(t):
		becomeBranch(r, op, f, fv)
	case never(f):
		becomeBranch(r, op, t, tv)
	default:
		return false
	}
	return true
}

// identicalSuccessors selects what is passed rather than where to go.
func identicalSuccessors(r *rewrite.Rewriter, op *ir.Op) bool {
	t, tv, f, fv := condDests(op)
	if t != f {
		return false
	}
	if !slices.Equal(tv, fv) {
		// Selecting pays where it saves all branches to the block.
		for u := t.FirstPred(); u != nil; u = u.NextPred() {
			if u.Owner() != op {
				return false
			}
		}
	}
	r.At(op)
	for i := range tv {
		if tv[i] != fv[i] {
			tv[i] = arith.NewSelect(r.Builder, CondBranchOp{op}.Condition(), tv[i], fv[i])
		}
	}
	becomeBranch(r, op, t, tv)
	return true
}

// sameConditionAsPredecessor goes where the only predecessor's branch on the same
// condition has gone.
func sameConditionAsPredecessor(r *rewrite.Rewriter, op *ir.Op) bool {
	block := op.Block()
	pred := block.SinglePred()
	if pred == nil {
		return false
	}
	before := pred.Last()
	if !before.Is(CondBranch) || (CondBranchOp{before}).Condition() != (CondBranchOp{op}).Condition() {
		return false
	}
	t, tv, f, fv := condDests(op)
	if before.Successor(0) == block {
		becomeBranch(r, op, t, tv)
	} else {
		becomeBranch(r, op, f, fv)
	}
	return true
}

// propagateTruth makes the condition a constant in the blocks that only this
// branch reaches.
func propagateTruth(r *rewrite.Rewriter, op *ir.Op) bool {
	cond := CondBranchOp{op}.Condition()
	changed := false
	for i, truth := range []bool{true, false} {
		dest := op.Successor(i)
		if dest.SinglePred() == nil {
			continue
		}
		var constant *ir.Value
		for _, u := range cond.UsesIn(dest) {
			if constant == nil {
				r.At(op)
				constant = arith.ConstantBool(r.Builder, truth)
			}
			r.Modify(u.Owner(), func() { u.Set(constant) })
			changed = true
		}
	}
	return changed
}
