package boundary

import (
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// choice is where branches join, such as those of an scf.if, and hand on what may be parts of buffers, which is only passed on then.
type choice struct {
	*partsOfFunction
	passed []*ir.Use // what the branches hand on
}

// choiceOf returns the choice by which v came about, which the operation at passes on: nil if there is none, or if a copy that a
// branch makes couldn't take its place.
func (f *partsOfFunction) choiceOf(at *ir.Op, v *ir.Value) *choice {
	var t ir.Trail
	for v.HasOneUse() && !t.Returns(v) {
		c := v.DefinedBy(memref.Cast)
		if c == nil {
			break
		}
		v = memref.CastOp{Op: c}.Source()
	}
	op := v.DefiningOp()
	switch {
	case !v.HasOneUse():
		return nil
	case op == nil:
		return f.choiceOfBlocks(at, v)
	case op.Block() != at.Block():
		return nil
	}
	if interfaces.LoopLike.Has(op) {
		return nil
	}
	m, ok := interfaces.RegionBranch.Of(op)
	if !ok || !f.atEntry(op) {
		return nil
	}
	c := &choice{partsOfFunction: f}
	for _, r := range op.Regions() {
		if r.Empty() {
			continue
		}
		to := m.Successors(op, interfaces.RegionPoint{Region: r})
		t := r.Entry().Last()
		if len(to) != 1 || to[0].Region != nil || r.Entry().Next() != nil || t == nil || !interfaces.IsRegionTerminator(t) {
			return nil
		}
		start, n := interfaces.TerminatorOperands(t, interfaces.ParentPoint)
		for k := range min(n, len(to[0].Inputs)) {
			if to[0].Inputs[k] == v {
				c.passed = append(c.passed, t.OperandUse(start+k))
			}
		}
	}
	for _, u := range c.passed {
		if f.marked[u.Value()] && f.mayBeOwn(u.Value()) && (newBufferType(f.fn.Context(), u.Value()) == nil || !f.isSettled(u.Value(), op)) {
			return nil
		}
	}
	if len(c.passed) == 0 {
		return nil
	}
	return c
}

// choiceOfBlocks is choiceOf for an argument of a block, which the last operation of the block passes on.
func (f *partsOfFunction) choiceOfBlocks(at *ir.Op, v *ir.Value) *choice {
	block := at.Block()
	if v.ArgOwner() != block || block.IsEntry() || block.Last() != at {
		return nil
	}
	c := &choice{partsOfFunction: f}
	for p := block.FirstPred(); p != nil; p = p.NextPred() {
		t := p.Owner()
		m, ok := interfaces.Branch.Of(t)
		if !ok || t.NumSuccessors() != 1 {
			return nil
		}
		start, _, produced := m.SuccessorOperands(t, 0)
		if v.Index() < produced {
			return nil
		}
		c.passed = append(c.passed, t.OperandUse(start+v.Index()-produced))
	}
	for _, u := range c.passed {
		if x := u.Value(); f.marked[x] && f.mayBeOwn(x) && (newBufferType(f.fn.Context(), x) == nil || !f.isUnchangedIn(x, block)) {
			return nil
		}
	}
	return c
}

// isUnchangedIn tells whether nothing in a block changes the buffers that a value may be.
func (f *partsOfFunction) isUnchangedIn(v *ir.Value, block *ir.Block) bool {
	unchanged := true
	f.buffers.Terminals(v, func(t *ir.Value) {
		unchanged = unchanged && !f.isArgument(t)
		f.buffers.Uses(t, func(u *ir.Use) {
			unchanged = unchanged && (block.AncestorIn(u.Owner()) == nil || !mayWrite(u))
		})
	})
	return unchanged
}

// atEntry tells whether an operation is in the entry of its function, or of a branch that is only entered once there.
func (f *partsOfFunction) atEntry(op *ir.Op) bool {
	for ; op != f.fn; op = op.Parent() {
		_, loop := interfaces.LoopLike.Of(op)
		if b := op.Block(); loop || !b.IsEntry() || b.Next() != nil {
			return false
		}
	}
	return true
}

// isSettled tells whether nothing changes the buffers that a value may be after an operation.
func (f *partsOfFunction) isSettled(v *ir.Value, op *ir.Op) bool {
	settled := true
	f.buffers.Terminals(v, func(t *ir.Value) {
		settled = settled && !f.isArgument(t) // which others may be, too
		f.buffers.Uses(t, func(u *ir.Use) {
			// What isn't in this block comes before an operation around it, or is in another branch.
			at := op.Block().AncestorIn(u.Owner())
			settled = settled && (at == nil && op.Parent() != f.fn || at == op || at != nil && at.IsBefore(op) || !mayWrite(u))
		})
	})
	return settled
}

// mayWrite tells whether an operation may write or free the buffer that it has as an operand.
func mayWrite(u *ir.Use) bool {
	op := u.Owner()
	if interfaces.IsRegionTerminator(op) || memref.Narrows(op) || interfaces.IsPure(op) {
		return false
	}
	if interfaces.RegionBranch.Has(op) {
		return false // what is in it is among the uses
	}
	effects, known := interfaces.EffectsOf(op)
	for _, e := range effects {
		if e.Value(op) == u.Value() && (e.Kind == interfaces.Write || e.Kind == interfaces.Free) || e.Value(op) == nil && e.Kind == interfaces.Write && analysis.IsBuffer(u.Value()) {
			return true
		}
	}
	return !known
}

// onlyParts tells whether all branches hand on parts.
func (c *choice) onlyParts() bool {
	for _, u := range c.passed {
		if !c.marked[u.Value()] {
			return false
		}
		if inner := c.choiceOf(u.Owner(), u.Value()); inner != nil && !inner.onlyParts() {
			return false
		}
	}
	return true
}

// copy lets the branches hand on copies of parts, and tells whether all do.
func (c *choice) copy() bool {
	all := true
	for _, u := range c.passed {
		if c.marked[u.Value()] {
			all = c.partsOfFunction.copy(u.Owner(), u.Index()) && all
		}
	}
	return all
}
