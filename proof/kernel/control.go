package kernel

import (
	"freehold/dialect/cf"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/certificate"
)

// PassesOn tells whether op gets addresses that aren't memrefs only to pass them on as a
// whole, to blocks, regions or results; else the certificate is refused.
func (v *Machine) PassesOn(fr *Frame, op *ir.Op) bool {
	for i := range op.NumOperands() {
		if x := op.Operand(i); v.Get(fr, x).Carries(x.Type()) && !forwards(op, i) {
			v.Refuse(op, "an address gets out of sight")
			return false
		}
	}
	return true
}

// forwards tells whether op passes operand i on.
func forwards(op *ir.Op, i int) bool {
	in := func(start, n int) bool { return start <= i && i < start+n }
	if m, ok := interfaces.Branch.Of(op); ok {
		for s := range op.NumSuccessors() {
			if start, n, _ := m.SuccessorOperands(op, s); in(start, n) {
				return true
			}
		}
		return false
	}
	parent, points, passed := op, interfaces.ParentPoint, func(to interfaces.RegionPoint) (int, int) { return 0, 0 }
	if m, ok := interfaces.RegionBranch.Of(op); ok {
		passed = func(to interfaces.RegionPoint) (int, int) { return m.EntryOperands(op, to) }
	} else if interfaces.IsRegionTerminator(op) {
		parent, points = op.Parent(), interfaces.RegionPoint{Region: op.Region()}
		passed = func(to interfaces.RegionPoint) (int, int) { return interfaces.TerminatorOperands(op, to) }
		if interfaces.Function.Has(parent) {
			return op.Has(ir.TraitReturnLike)
		}
	}
	if m, ok := interfaces.RegionBranch.Of(parent); ok {
		for _, s := range m.Successors(parent, points) {
			if in(passed(interfaces.RegionPoint{Region: s.Region})) {
				return true
			}
		}
	}
	return false
}

// SuccessorTo returns the one that is the region, or for nil the operation's results.
func SuccessorTo(succs []interfaces.RegionSuccessor, r *ir.Region) *interfaces.RegionSuccessor {
	for i := range succs {
		if succs[i].Region == r {
			return &succs[i]
		}
	}
	return nil
}

// IsLoop tells whether an operation has one region, which control enters or passes by, at
// first and after each time, with as many values: those of the region's end.
func IsLoop(op *ir.Op, m interfaces.RegionBranchModel) bool {
	if op.NumRegions() != 1 || op.RegionAt(0).Empty() {
		return false
	}
	n := -1
	for _, from := range []*ir.Region{nil, op.RegionAt(0)} {
		succs := m.Successors(op, interfaces.RegionPoint{Region: from})
		in, out := SuccessorTo(succs, op.RegionAt(0)), SuccessorTo(succs, nil)
		if in == nil || out == nil || len(succs) != 2 || len(in.Inputs) != len(out.Inputs) || n >= 0 && len(in.Inputs) != n {
			return false
		}
		n = len(in.Inputs)
	}
	return true
}

// RegionOrder returns the order of the nodes of an operation's graph: that of the regions, of
// which those are a loop that control goes back to.
func RegionOrder(op *ir.Op, m interfaces.RegionBranchModel, loop bool) []certificate.Item {
	if loop {
		return []certificate.Item{{Node: 0, Loop: true, Body: []certificate.Item{{Node: 1}}}}
	}
	out := []certificate.Item{{Node: 0}}
	for i, r := range op.Regions() {
		out = append(out, certificate.Item{Node: i + 1})
		if r.Empty() {
			continue
		}
		for _, s := range m.Successors(op, interfaces.RegionPoint{Region: r}) {
			if s.Region != nil && s.Region.Index() <= i && len(out) > s.Region.Index()+1 {
				head := s.Region.Index() + 1
				out = append(out[:head], certificate.Item{Node: head, Loop: true, Body: append([]certificate.Item(nil), out[head+1:]...)})
				break
			}
		}
	}
	return out
}

// Spread returns values for all receivers, of which inputs get the given ones; the others,
// such as induction variables, are made by the operation.
func (v *Machine) Spread(fr *Frame, receivers, inputs []*ir.Value, given []Value) []Value {
	out := make([]Value, len(receivers))
	for i, r := range receivers {
		found := false
		for k, x := range inputs {
			if x == r && k < len(given) {
				out[i], found = given[k], true
			}
		}
		if !found {
			v.Havoc(fr, r)
			out[i] = fr.Values[r]
		}
	}
	return out
}

// BranchConditions returns the conditions under which control goes to each successor of a
// terminator.
func (v *Machine) BranchConditions(fr *Frame, t *ir.Op) []Lit {
	switch {
	case t.NumSuccessors() == 1:
		return []Lit{Yes}
	case t.Is(cf.CondBranch):
		c := v.Truth(fr, t.Operand(0))
		return []Lit{c, c.Not()}
	case t.Is(cf.Switch):
		if out := v.AnyCase(v.Get(fr, t.Operand(0)), switchCases(t)); len(out) == t.NumSuccessors() {
			return out
		}
	}
	return v.AnyOf(t.NumSuccessors())
}

// switchCases returns the numbers that a switch looks for.
func switchCases(t *ir.Op) (out []int64) {
	values, _ := t.Attr("case_values").(*ir.DenseElementsAttr)
	for i := int64(0); values != nil && i < values.Len(); i++ {
		n, ok := values.Elem(t.Context(), i).(*ir.IntegerAttr)
		if !ok || n.Big != nil {
			return nil
		}
		out = append(out, n.Value)
	}
	return out
}

// RegionConditions returns the conditions under which control goes to each successor, from
// the operation (t is nil) or from a terminator.
func (v *Machine) RegionConditions(fr *Frame, op, t *ir.Op, succs []interfaces.RegionSuccessor) []Lit {
	var c Lit
	var then *ir.Region
	switch {
	case len(succs) == 1:
		return []Lit{Yes}
	case t == nil && op.Is(scf.If):
		c, then = v.Truth(fr, op.Operand(0)), op.RegionAt(0)
	case t != nil && t.Is(scf.Condition):
		c, then = v.Truth(fr, t.Operand(0)), op.RegionAt(1)
	case t == nil && op.Is(scf.IndexSwitch) && len(succs) == op.NumRegions():
		return v.AnyCase(v.Get(fr, op.Operand(0)), (scf.IndexSwitchOp{Op: op}).Cases())
	}
	if then == nil || len(succs) != 2 || (succs[0].Region == then) == (succs[1].Region == then) {
		return v.AnyOf(len(succs))
	}
	if succs[0].Region == then {
		return []Lit{c, c.Not()}
	}
	return []Lit{c.Not(), c}
}

// Counted is how a loop counts.
type Counted struct{ Lower, Step, Trips int64 }

// Bounds returns how a loop counts, if its bounds are constants and no number that it counts
// wraps: as signed numbers, in positive steps.
func (v *Machine) Bounds(fr *Frame, op *ir.Op) (c Counted, ok bool) {
	if !op.Is(scf.For) {
		return c, false
	}
	l, u, s := v.Get(fr, op.Operand(0)), v.Get(fr, op.Operand(1)), v.Get(fr, op.Operand(2))
	if l.Kind != Integer || u.Kind != Integer || s.Kind != Integer || s.Number <= 0 {
		return c, false
	}
	const limit = 1 << 30
	if u.Number <= l.Number {
		return Counted{l.Number, s.Number, 0}, true
	}
	if t := op.Operand(0).Type(); t != ir.Type(ir.Index) && t != ir.Type(ir.I64) || min(l.Number, u.Number) < -limit || max(l.Number, u.Number, s.Number) > limit {
		return c, false
	}
	return Counted{l.Number, s.Number, (u.Number-l.Number-1)/s.Number + 1}, true
}
