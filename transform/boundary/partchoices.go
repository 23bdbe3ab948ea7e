package boundary

import (
	"freehold/dialect/memref"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/analysis"
)

// choice is an operation with branches, such as scf.if, a result of which may be a part of a buffer, and is only passed on.
type choice struct {
	*partsOfFunction
	passed []*ir.Use // what the branches hand on as the result
}

// choiceOf returns the choice by which v came about, which the operation at passes on: nil if there is none, or if a copy that a
// branch makes couldn't take its place.
func (f *partsOfFunction) choiceOf(at *ir.Op, v *ir.Value) *choice {
	for v.HasOneUse() {
		c := v.DefinedBy(memref.Cast)
		if c == nil {
			break
		}
		v = c.Operand(0)
	}
	op := v.DefiningOp()
	if op == nil || !v.HasOneUse() || op.Block() != at.Block() {
		return nil
	}
	if _, loop := iface.LoopLike.Of(op); loop {
		return nil
	}
	m, ok := iface.RegionBranch.Of(op)
	if !ok || !f.atEntry(op) {
		return nil
	}
	c := &choice{partsOfFunction: f}
	for _, r := range op.Regions() {
		if r.Empty() {
			continue
		}
		to := m.Successors(op, iface.RegionPoint{Region: r})
		t := r.Entry().Last()
		if len(to) != 1 || to[0].Region != nil || r.Entry().Next() != nil || t == nil || !iface.IsRegionTerminator(t) {
			return nil
		}
		start, n := iface.TerminatorOperands(t, iface.ParentPoint)
		for k := range min(n, len(to[0].Inputs)) {
			if to[0].Inputs[k] == v {
				c.passed = append(c.passed, t.OperandUse(start+k))
			}
		}
	}
	for _, u := range c.passed {
		if f.marked[u.Value()] && (newBufferType(f.fn.Context(), u.Value()) == nil || !f.isSettled(u.Value(), op)) {
			return nil
		}
	}
	if len(c.passed) == 0 {
		return nil
	}
	return c
}

// atEntry tells whether an operation is in the entry of its function, or of a branch that is only entered once there.
func (f *partsOfFunction) atEntry(op *ir.Op) bool {
	for ; op != f.fn; op = op.Parent() {
		_, loop := iface.LoopLike.Of(op)
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
	if iface.IsRegionTerminator(op) || memref.Narrows(op) || iface.IsPure(op) {
		return false
	}
	if _, branch := iface.RegionBranch.Of(op); branch {
		return false // what is in it is among the uses
	}
	effects, known := iface.EffectsOf(op)
	for _, e := range effects {
		if e.Value(op) == u.Value() && (e.Kind == iface.Write || e.Kind == iface.Free) || e.Value(op) == nil && e.Kind == iface.Write && analysis.IsBuffer(u.Value()) {
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
