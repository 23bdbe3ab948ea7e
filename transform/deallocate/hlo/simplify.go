package hlo

import (
	"freehold/dialect/deallocation"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// simplify is the pass hlo-deallocation-simplification: it drops what owners that are
// known to be null, or known not to be null, make unnecessary. It returns whether it
// changed anything. Near-linear.
func simplify(b *ir.Builder, fn *ir.Op) bool {
	var retains []*ir.Op
	fn.Walk(func(op *ir.Op) bool {
		if op.Is(deallocation.Retain) {
			retains = append(retains, op)
		}
		return true
	})
	changed := false
	if len(retains) > 0 {
		f := analyzeOwners(fn, false)
		for _, op := range retains {
			changed = f.simplifyRetain(b, deallocation.RetainOp{Op: op}) || changed
		}
	}
	return dropOwners(b, fn) || changed
}

// simplifyRetain replaces a retain by something simpler, and tells whether it did.
func (f *ownerFlow) simplifyRetain(b *ir.Builder, op deallocation.RetainOp) bool {
	b.SetBefore(op.Op)
	b.Loc = op.Loc()
	owners, retained := op.Owners().Values(), op.Retained()
	known := mayBeNull
	for _, o := range owners {
		known |= f.null[o]
	}
	if known == mayBeNull {
		if op.NumResults() > 0 {
			null := deallocation.NewNull(b)
			f.null[null] = mayBeNull
			for i := range op.NumResults() {
				op.Result(i).ReplaceAllUsesWith(null)
			}
		}
		op.Erase()
		return true
	}
	if len(owners) != 1 || len(retained) > 1 {
		return false
	}
	o := owners[0]
	if len(retained) == 1 {
		// What is retained is the very buffer.
		if !f.together(o, retained.At(0)) {
			return false
		}
		op.ReplaceAllUsesWith([]*ir.Value{o})
		op.Erase()
		return true
	}
	if f.null[o] != mayOwn {
		return false
	}
	m := f.bufferOf(o)
	if m == nil {
		return false
	}
	memref.NewDealloc(b, m)
	op.Erase()
	return true
}

// dropOwners erases owners without use, and makes those null that are only handed around
// between regions.
func dropOwners(b *ir.Builder, fn *ir.Op) bool {
	changed := false
	var handed []*ir.Op
	var unused []*ir.Op
	fn.Walk(func(op *ir.Op) bool {
		switch own := op.Is(deallocation.Own); {
		case !own && !op.Is(deallocation.Null):
		case !op.HasUses():
			unused = append(unused, op)
		case own && onlyHanded(op.Result(0)):
			handed = append(handed, op)
		}
		return true
	})
	for _, op := range unused {
		op.Erase()
		changed = true
	}
	if len(handed) == 0 {
		return changed
	}
	h := &handing{map[*ir.Op][]edge{}, map[*ir.Value]bool{}}
	for _, op := range handed {
		if !h.isNeeded(op.Result(0)) {
			b.SetBefore(op)
			b.Loc = op.Loc()
			op.ReplaceAllUsesWith([]*ir.Value{deallocation.NewNull(b)})
			op.Erase()
			changed = true
		}
	}
	return changed
}

// onlyHanded tells whether all uses of an owner may be those of operations that hand it
// from region to region.
func onlyHanded(o *ir.Value) bool {
	for u := o.FirstUse(); u != nil; u = u.Next() {
		if !interfaces.RegionBranch.Has(u.Owner()) && !interfaces.IsRegionTerminator(u.Owner()) {
			return false
		}
	}
	return true
}

// edge is one of control flow between regions: what is passed along it, and what receives
// that.
type edge struct {
	operands ir.Operands
	inputs   []*ir.Value
}

// handing follows owners from region to region.
type handing struct {
	edges  map[*ir.Op][]edge  // of the operations that owners are handed through
	needed map[*ir.Value]bool // what is known of them already
}

// isNeeded tells whether an owner matters to an operation other than those that hand it
// from region to region.
func (h *handing) isNeeded(owner *ir.Value) bool {
	from := map[*ir.Value]*ir.Value{owner: nil} // which of them each was reached from
	order := []*ir.Value{owner}
	for i := 0; i < len(order); i++ {
		v := order[i]
		needed, known := h.needed[v]
		for u := v.FirstUse(); u != nil && !needed && !known; u = u.Next() {
			to := h.receivers(u)
			needed = len(to) == 0
			for _, w := range to {
				if _, seen := from[w]; !seen {
					from[w] = v
					order = append(order, w)
				}
			}
		}
		if needed {
			for ; v != nil; v = from[v] {
				h.needed[v] = true
			}
			return true
		}
	}
	for _, v := range order {
		h.needed[v] = false
	}
	return false
}

// receivers returns what a use is handed to by edges between regions; none if it isn't handed
// on.
func (h *handing) receivers(u *ir.Use) (to []*ir.Value) {
	for _, op := range [2]*ir.Op{u.Owner(), u.Owner().Parent()} {
		m, ok := interfaces.RegionBranch.Of(op)
		if !ok || op != u.Owner() && !interfaces.IsRegionTerminator(u.Owner()) {
			continue
		}
		edges, ok := h.edges[op]
		if !ok {
			edges = make([]edge, 0, 2*op.NumRegions()+2)
			interfaces.ForEachRegionEdge(op, m, func(operands ir.Operands, inputs []*ir.Value) {
				edges = append(edges, edge{operands, inputs})
			})
			h.edges[op] = edges
		}
		for _, e := range edges {
			if len(e.operands) == 0 || e.operands[0].Owner() != u.Owner() {
				continue
			}
			if i := u.Index() - e.operands[0].Index(); i >= 0 && i < min(len(e.operands), len(e.inputs)) {
				to = append(to, e.inputs[i])
			}
		}
	}
	return to
}
