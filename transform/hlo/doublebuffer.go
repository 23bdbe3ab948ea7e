package hlo

import (
	"slices"

	"freehold/dialect/memref"
	"freehold/iface"
	"freehold/ir"
)

// CarriedBuffers is implemented by loops to which a buffer can be added that each iteration
// hands to the next. CarryBuffer replaces the loop by one that starts with init; build is
// given what stands for the buffer in region number region, and returns, in the scope of
// the region's terminator, what it hands on. The other region, if there is one, passes the
// buffer through. It returns the new loop, whose last result is the buffer.
var CarriedBuffers = ir.NewInterface[func(b *ir.Builder, loop *ir.Op, region int, init *ir.Value, build func(arg *ir.Value) *ir.Value) *ir.Op]("CarriedBuffers")

// doubleBuffer lets the loops in a block swap buffers: where an iteration allocates one and
// frees another one of the same type, the latter becomes the former of the next iteration.
func (r *reuser) doubleBuffer(b *ir.Block) bool {
	changed := false
	for op := b.First(); op != nil; op = op.Next() {
		carry, ok := CarriedBuffers.Of(op)
		if !ok {
			continue
		}
		for i := range op.NumRegions() {
			if i < op.NumRegions()-1 && !r.DoubleBufferingBefore || op.RegionAt(i).NumBlocks() != 1 {
				continue
			}
			for alloc, dealloc := r.swapped(op.BodyBlock(i)); alloc != nil; alloc, dealloc = r.swapped(op.BodyBlock(i)) {
				alloc.MoveBefore(op)
				r.b.Loc = op.Loc()
				var loc ir.Location
				op = carry(r.b, op, i, alloc.Result(0), func(arg *ir.Value) *ir.Value {
					body := arg.ArgOwner().ParentOp()
					alloc.Result(0).ReplaceUsesIf(arg, func(u *ir.Use) bool { return body.IsProperAncestorOf(u.Owner()) })
					freed := dealloc.Operand(0)
					loc = dealloc.Loc()
					dealloc.Erase()
					return freed
				})
				r.b.SetAfter(op)
				r.b.Loc = loc
				memref.NewDealloc(r.b, op.Result(op.NumResults()-1))
				r.Swapped.Add(1)
				changed = true
			}
		}
	}
	return changed
}

// swapped returns an allocation in the body of a loop and a deallocation of another buffer
// of its type.
func (r *reuser) swapped(body *ir.Block) (alloc, dealloc *ir.Op) {
	allocs := map[*ir.MemRefType][]*ir.Op{}
	for op := range body.Ops() {
		if t, ok := staticAlloc(op); ok && deallocIn(op.Result(0), body) == nil {
			allocs[t] = append(allocs[t], op)
		}
		t, ok := staticDealloc(op)
		if !ok {
			continue
		}
		for _, a := range allocs[t] {
			if a.Result(0) != op.Operand(0) && r.aligned(op.Operand(0), a) {
				return a, op
			}
		}
	}
	return nil, nil
}

// simplifyLoops makes deallocations of the results of operations in a block
// deallocations of their operands, where the regions do nothing but permute the buffers.
func (r *reuser) simplifyLoops(b *ir.Block) bool {
	changed := false
	for op := b.First(); op != nil; op = op.Next() {
		if m, ok := iface.RegionBranch.Of(op); ok && op.NumResults() > 0 {
			changed = r.simplifyLoop(op, m) || changed
		}
	}
	return changed
}

// permuted is a set of values that receive the buffers of a loop at its points, in any
// order.
type permuted struct {
	results, operands []*ir.Value
	bad               bool
}

func (r *reuser) simplifyLoop(op *ir.Op, m iface.RegionBranchModel) bool {
	parent := map[*ir.Value]*ir.Value{} // of the union-find structure of what receives buffers
	find := func(v *ir.Value) *ir.Value {
		for parent[v] != v {
			parent[v] = parent[parent[v]]
			v = parent[v]
		}
		return v
	}
	receives := func(v *ir.Value) {
		if parent[v] == nil {
			parent[v] = v
		}
	}
	iface.ForEachRegionEdge(op, m, func(_ ir.Operands, inputs []*ir.Value) {
		for _, v := range inputs {
			if isMemRef(v) {
				receives(v)
			}
		}
	})
	sets := map[*ir.Value]*permuted{}
	iface.ForEachRegionEdge(op, m, func(operands ir.Operands, inputs []*ir.Value) {
		for i := range min(len(operands), len(inputs)) {
			if v := operands.At(i); isMemRef(v) && parent[v] != nil {
				parent[find(v)] = find(inputs[i])
			}
		}
	})
	set := func(v *ir.Value) *permuted {
		s := sets[find(v)]
		if s == nil {
			s = &permuted{}
			sets[find(v)] = s
		}
		return s
	}
	iface.ForEachRegionEdge(op, m, func(operands ir.Operands, inputs []*ir.Value) {
		seen := map[*ir.Value]bool{}
		for i := range min(len(operands), len(inputs)) {
			v := operands.At(i)
			if !isMemRef(v) {
				continue
			}
			s := set(inputs[i])
			outside := parent[v] == nil
			s.bad = s.bad || seen[v] || outside && operands[i].Owner() != op
			seen[v] = true
			if outside && !s.bad && inputs[i].IsBlockArg() {
				s.operands = append(s.operands, v)
			}
		}
	})
	var order []*permuted
	for _, v := range memrefs(op.Results().Values()) {
		s := set(v)
		if len(s.results) == 0 {
			order = append(order, s)
		}
		s.results = append(s.results, v)
	}
	changed := false
	for _, s := range order {
		if s.bad || len(s.operands) != len(s.results) {
			continue
		}
		deallocs := make([]*ir.Op, 0, len(s.results))
		for _, v := range s.results {
			if d := deallocIn(v, op.Block()); d != nil {
				deallocs = append(deallocs, d)
			}
		}
		if len(deallocs) < len(s.results) || usedBetween(s.results, deallocs) {
			continue
		}
		for i, d := range deallocs {
			d.SetOperand(0, s.operands[i])
			r.LoopDeallocs.Add(1)
		}
		changed = true
	}
	return changed
}

// usedBetween tells whether one of the buffers is used when another one was freed already:
// it might be that one.
func usedBetween(buffers []*ir.Value, deallocs []*ir.Op) bool {
	first := deallocs[0]
	for _, d := range deallocs {
		if d.IsBefore(first) {
			first = d
		}
	}
	for _, v := range buffers {
		for _, u := range transitiveUsers(v) {
			at := first.Block().AncestorIn(u)
			if at == nil || first.IsBefore(at) && !slices.Contains(deallocs, at) {
				return true
			}
		}
	}
	return false
}
