package kernel

import (
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/certificate"
)

// PassesOn tells whether op gets addresses that aren't memrefs only to pass them on as a
// whole, to blocks, regions or results; else the certificate is refused.
func (v *Machine) PassesOn(fr *Frame, op *ir.Op) bool {
	for i := range op.NumOperands() {
		if x := op.Operand(i); v.Get(fr, x).Carries(x.Type()) && !Forwards(op, i) {
			v.Refuse(op, "an address gets out of sight")
			return false
		}
	}
	return true
}

// Forwards tells whether op passes operand i on, and does nothing else with it.
func Forwards(op *ir.Op, i int) bool {
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
