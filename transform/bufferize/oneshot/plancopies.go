package oneshot

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// CopyBeforeWrite makes a plan without analysis: whatever may be written is copied
// before.
func CopyBeforeWrite(root *ir.Op, o *Options) (*Plan, error) {
	p := NewPlan()
	p.calls = newCalls()
	if o.BufferizeFunctionBoundaries {
		if _, err := p.calls.callOrder(root, o); err != nil {
			return nil, err
		}
	}
	if !o.LeaveModules || !root.Has(ir.TraitSymbolTable) {
		planCopies(root, p, o, false)
		return p, nil
	}
	for op := range root.BodyBlock(0).Ops() {
		if !o.leaves(op) {
			planCopies(op, p, o, false)
		}
	}
	return p, nil
}

// planCopies adds to the plan that each tensor operand in root is in place if it
// is not written; with all true, that none is.
func planCopies(root *ir.Op, p *Plan, o *Options, all bool) {
	s := newState(o, p.functions, p.calls)
	var ops []*ir.Op
	root.Walk(func(op *ir.Op) bool {
		if all && isFunction(op) {
			return false // of a module in the module, it was analyzed
		}
		for i := range op.NumOperands() {
			u := op.OperandUse(i)
			if !interfaces.IsTensorLike(u.Value().Type()) {
				continue
			}
			e := p.add(u)
			if !all && s.IsInPlace(u) {
				e.facts |= inPlace
			} else {
				p.refuse(e, Reason{Rule: NotAnalyzed, Write: u})
			}
		}
		if _, ok := s.Model(op); ok && hasTensors(op) {
			ops = append(ops, op)
		}
		return true
	})
	s.planCopies(ops, p)
}

// copyPlanner lets models say which copies the decisions demand.
type copyPlanner struct {
	*state
	to *Plan
}

// planCopies adds to the plan how operations get their copies, which have tensors and
// models.
func (s *state) planCopies(ops []*ir.Op, p *Plan) {
	c := &copyPlanner{s, p}
	for _, op := range ops {
		if m, ok := s.Model(op); ok {
			m.PlanCopies(op, s, c)
		}
	}
}

func (c *copyPlanner) CopyOperands(op *ir.Op) {
	for i := range op.NumOperands() {
		u := op.OperandUse(i)
		if !interfaces.IsTensorLike(u.Value().Type()) || c.IsInPlace(u) {
			continue
		}
		r := c.refusal(u, Reason{Rule: NotAnalyzed, Write: u})
		r.copy = CopyContents
		if c.canOmitCopy(u) {
			r.copy = CopyNothing
		}
		// If the operation only makes one alias, a copy of that is enough, and may be
		// smaller.
		if a := c.AliasingValues(u); len(a) == 1 && !a[0].Value.IsBlockArg() && !c.Writes(u) &&
			len(c.AliasingOperands(a[0].Value)) == 1 {
			if _, ranked := a[0].Value.Type().(*ir.RankedTensorType); ranked {
				r.result = a[0].Value
			}
		}
	}
}

func (c *copyPlanner) CopyPassedOn(u *ir.Use, other *ir.Value) {
	c.refusal(u, Reason{Rule: PassedOn, Definition: other, Region: u.Owner().Region()}).copy = CopyContents
}

// refusal returns the decision against the use, which it makes if there is none.
func (c *copyPlanner) refusal(u *ir.Use, reason Reason) *refusal {
	e := c.to.at(u)
	if e.refusal == 0 {
		return c.to.refuse(e, reason)
	}
	return &c.to.refusals[e.refusal-1]
}
