package ownership

import (
	"slices"

	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// A choice is control flow of which exactly one region is executed, once, such as scf.if with both branches. Where it may pass on
// buffers from around it, its regions get the ownership of those that only it needs: so each region frees what it doesn't pass
// on, instead of the block around it at its end.

// isChoice tells whether an operation is such control flow, and may take buffers.
func (d *deallocation) isChoice(op *ir.Op) bool {
	if !d.opts.BranchOwnership || op.NumRegions() == 0 || countMemRefs(op.Results().Values()) == 0 || op.Has(ir.TraitParallelRegion) || interfaces.IsMasking(op) {
		return false
	}
	m, ok := interfaces.RegionBranch.Of(op)
	if !ok || interfaces.LoopLike.Has(op) {
		return false
	}
	entered := m.Successors(op, interfaces.ParentPoint)
	if len(entered) != op.NumRegions() {
		return false
	}
	for _, s := range entered {
		if s.Region == nil || s.Region.NumBlocks() != 1 || s.Region.Entry().NumArgs() > 0 {
			return false
		}
		for _, next := range m.Successors(op, interfaces.RegionPoint{Region: s.Region}) {
			if next.Region != nil {
				return false
			}
		}
	}
	return true
}

// givenBuffer is a buffer whose ownership regions get, by all names by which they may reach it.
type givenBuffer struct {
	value *ir.Value
	views []*ir.Value
	owned *ir.Value
}

// giveToRegions takes the ownership of buffers that only a choice needs, and that it may pass on, from its block, and gives it
// to the choice's regions.
func (d *deallocation) giveToRegions(op *ir.Op) {
	b := op.Block()
	given := d.apartFrom(b, d.candidates(op))
	if len(given) == 0 {
		return
	}
	for i := range given {
		g := &given[i]
		g.owned = d.Ownership(g.value, b).Indicator
		for _, r := range op.Regions() {
			entry := r.Entry()
			d.Join(g.value, entry, interfaces.UniqueOwnership(g.owned))
			d.mayFree(g.value, entry)
			for _, v := range g.views {
				d.Join(v, entry, interfaces.UniqueOwnership(g.owned))
			}
		}
	}
	d.b.SetBefore(op)
	no := d.bool(op.Loc(), false)
	for _, g := range given {
		d.Reset(g.value, b)
		d.Join(g.value, b, interfaces.UniqueOwnership(no))
	}
	for i, v := range slices.Backward(d.free[b]) {
		if slices.ContainsFunc(given, func(g givenBuffer) bool { return g.value == v }) {
			d.freesNoMore(b, i)
		}
	}
}

// candidates returns the buffers that the block of a choice may own, that the choice uses and may pass on, and that nothing uses after it.
func (d *deallocation) candidates(op *ir.Op) (out []givenBuffer) {
	b := op.Block()
	seen := map[*ir.Value]bool{}
	op.Walk(func(x *ir.Op) bool {
		for i := range x.NumOperands() {
			v := x.Operand(i)
			if !isMemRef(v) {
				continue
			}
			if v = analysis.ViewBase(v); seen[v] {
				continue
			}
			seen[v] = true
			o := d.Ownership(v, b)
			if o.State != interfaces.Unique || ir.IsConstantBool(o.Indicator, false) || !slices.Contains(d.free[b], v) ||
				d.buffers.Escapes(d.original(v)).Has(analysis.Kept) || !d.mayPassOn(op, v) {
				continue
			}
			if views, only := d.onlyForChoice(v, op); only {
				out = append(out, givenBuffer{value: v, views: views})
			}
		}
		return true
	})
	return out
}

// mayPassOn tells whether a result of an operation may be a buffer.
func (d *deallocation) mayPassOn(op *ir.Op, v *ir.Value) bool {
	return slices.ContainsFunc(op.Results().Values(), func(r *ir.Value) bool {
		return isMemRef(r) && d.buffers.Query(d.original(r), d.original(v)) != analysis.NeverAlias
	})
}

// onlyForChoice tells whether a choice is the last to use a buffer, of what uses it by its name and those of views of it, which it
// returns, and that nothing before it is another name. Linear in the number of these uses.
func (d *deallocation) onlyForChoice(v *ir.Value, choice *ir.Op) (views []*ir.Value, only bool) {
	b := choice.Block()
	outside := v.ParentBlock() != b // then what is outside of the block was looked at when the block got the buffer
	work := []*ir.Value{v}
	for len(work) > 0 {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		for u := w.FirstUse(); u != nil; u = u.Next() {
			op := u.Owner()
			user := b.AncestorIn(op)
			if user == choice {
				continue
			}
			if user == nil && !outside || user != nil && !user.IsBefore(choice) {
				return nil, false
			}
			if interfaces.ViewLike.Has(op) {
				for _, r := range op.Results().Values() {
					if !isMemRef(r) {
						return nil, false
					}
					work, views = append(work, r), append(views, r)
				}
			} else if user != nil && !usesOnly(op, u) {
				return nil, false
			}
		}
	}
	return views, true
}

// apartFrom drops buffers that may be the same as another one that a block may own and that isn't among them.
func (d *deallocation) apartFrom(b *ir.Block, candidates []givenBuffer) []givenBuffer {
	// An allocation has no names but those of its views.
	if !slices.ContainsFunc(candidates, func(g givenBuffer) bool { return !isAllocated(g.value) }) {
		return candidates
	}
	if len(d.free[b]) > mostNames {
		return slices.DeleteFunc(candidates, func(g givenBuffer) bool { return !isAllocated(g.value) })
	}
	for {
		n := len(candidates)
		candidates = slices.DeleteFunc(slices.Clone(candidates), func(g givenBuffer) bool {
			return !isAllocated(g.value) && slices.ContainsFunc(d.free[b], func(w *ir.Value) bool {
				p := d.Ownership(w, b)
				return w != g.value && (p.State != interfaces.Unique || !ir.IsConstantBool(p.Indicator, false)) &&
					!slices.ContainsFunc(candidates, func(g givenBuffer) bool { return g.value == w }) &&
					d.buffers.Query(d.original(g.value), d.original(w)) != analysis.NeverAlias
			})
		})
		if len(candidates) == n {
			return candidates
		}
	}
}

// isGiven tells whether a block may own a buffer from around its region.
func (d *deallocation) isGiven(v *ir.Value, b *ir.Block) bool {
	o := d.Ownership(v, b)
	return d.opts.BranchOwnership && o.State != interfaces.Uninitialized && (o.State != interfaces.Unique || !ir.IsConstantBool(o.Indicator, false))
}

// isAllocated tells whether a value is what an operation allocates.
func isAllocated(v *ir.Value) bool {
	def := v.DefiningOp()
	return def != nil && interfaces.HasEffect(def, interfaces.Allocate, v)
}
