package kernel

import (
	"slices"

	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/proof/certificate"
)

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
		if k := slices.Index(inputs, r); k >= 0 && k < len(given) {
			out[i] = given[k]
		} else {
			out[i] = v.Anything(fr, r)
		}
	}
	return out
}
