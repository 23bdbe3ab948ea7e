package ownership

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// unneededArguments lists the memrefs, among the arguments of each call that can
// take ownership, which the block of the call has no use for after it. Neither the caller
// nor the callee may keep another way to them.
func (d *deallocation) unneededArguments(fn *ir.Op) map[*ir.Op]map[*ir.Value]bool {
	unneeded := map[*ir.Op]map[*ir.Value]bool{}
	last := map[*ir.Block]*analysis.LastUses{}
	fn.Walk(func(op *ir.Op) bool {
		c, ok := interfaces.Call.Of(op)
		if !ok {
			return true
		}
		ref, _ := c.Callee(op)
		if ref == nil || !d.module.takesOwnership(d.module.lookup(op, ref), d.opts) {
			return true
		}
		b := op.Block()
		if last[b] == nil {
			last[b] = d.usesIn(b)
		}
		unneeded[op] = map[*ir.Value]bool{}
		for _, v := range op.Operands().Values() {
			// What is defined around the region is owned there, and parts of an arena go with it.
			if isMemRef(v) && v.ParentRegion() == op.Region() && !memref.IsArena(analysis.ViewBase(v)) && !d.buffers.Escapes(v).Has(analysis.Kept) && !op.IsBefore(last[b].Of(v)) {
				unneeded[op][v] = true
			}
		}
		return true
	})
	return unneeded
}

// usesIn returns the last uses of buffers in a block; its end uses what is live there.
func (d *deallocation) usesIn(b *ir.Block) *analysis.LastUses {
	uses := d.buffers.NewLastUses()
	for op := range b.Ops() {
		uses.Add(op, nil)
	}
	for _, v := range d.liveness.LiveOut(b) {
		uses.AddValue(v, b.Last())
	}
	return uses
}

// giveArguments passes a call, for each buffer among the arguments, whether the
// callee gets the ownership: what the caller has, if the caller needs neither the
// buffer nor any other that may be the same after the call, and passes it only once.
func (d *deallocation) giveArguments(op *ir.Op, m interfaces.CallModel) {
	start, n := m.Args(op)
	d.b.SetBefore(op)
	var owned []*ir.Value
	for _, v := range op.Operands()[start : start+n].Values() {
		if !isMemRef(v) {
			continue
		}
		if d.unneeded[op][d.original(v)] && !d.isLentBack(op, start, v) && d.isOneArgument(op, start, n, v) {
			owned = append(owned, d.give(op, v))
		} else {
			owned = append(owned, d.bool(op.Loc(), false))
		}
	}
	op.InsertOperands(start+n, owned...)
}

// isLentBack tells whether a borrowed result of a call may be one of its arguments: that stays the caller's.
func (d *deallocation) isLentBack(call *ir.Op, start int, arg *ir.Value) bool {
	if call.Attr(interfaces.BorrowedAttr) == nil {
		return false
	}
	for i, v := range call.Operands()[start:].Values() {
		if v == arg && !d.module.summaries.Stays(call, i) {
			return true
		}
	}
	return false
}

// lends tells whether a borrowed result of a call may be one of its arguments, or what another result is.
func (d *deallocation) lends(call *ir.Op, m interfaces.CallModel) bool {
	start, n := m.Args(call)
	for i, v := range call.Operands()[start : start+n].Values() {
		if isMemRef(v) && !d.module.summaries.Stays(call, i) {
			return true
		}
	}
	return countMemRefs(call.Results().Values()) > 1
}

// isOneArgument tells whether no two of a call's n arguments may be v.
func (d *deallocation) isOneArgument(call *ir.Op, start, n int, v *ir.Value) bool {
	found := 0
	for _, w := range call.Operands()[start : start+n].Values() {
		if isMemRef(w) && (w == v || d.buffers.Query(d.original(v), d.original(w)) != analysis.NeverAlias) {
			found++
		}
	}
	return found == 1
}

// namesOf returns the buffers that a block may have to free and that are certainly v, in their order. It fails if one may be v or not, or if it isn't
// known who owns one.
func (d *deallocation) namesOf(v *ir.Value, b *ir.Block) (names []*ir.Value, ok bool) {
	ok = true
	var found []int
	members := d.freeNames(b)
	members.table.Candidates(d.original(v), func(i int) bool {
		w := members.values[i]
		if w == nil {
			return true
		}
		switch d.buffers.Query(d.original(v), d.original(w)) {
		case analysis.MayAlias:
			ok = false
		case analysis.MustAlias:
			ok = d.Ownership(w, b).State == interfaces.Unique
			found = append(found, i)
		}
		return ok
	})
	if !ok {
		return nil, false
	}
	slices.Sort(found)
	for _, i := range slices.Compact(found) {
		names = append(names, members.values[i])
	}
	return names, true
}

// give returns the ownership that a call gets with an argument that is not needed
// after it, and takes it from the block.
func (d *deallocation) give(call *ir.Op, v *ir.Value) *ir.Value {
	b := call.Block()
	no := d.bool(call.Loc(), false)
	// Other names of the buffer lose their ownership with it.
	names, ok := d.namesOf(v, b)
	if !ok {
		return no
	}
	var owned *ir.Value
	for _, w := range names {
		o := d.Ownership(w, b).Indicator
		if ir.IsConstantBool(o, false) {
			continue
		}
		if owned == nil {
			owned = o
		} else if owned != o {
			owned = arith.New(d.b, arith.OrI, owned, o)
		}
		d.Reset(w, b)
		d.Join(w, b, interfaces.UniqueOwnership(no))
	}
	if owned == nil {
		return no
	}
	// The block frees none of them any more. One that it would compare with others later, behind the callee's free, could have the address of a newer one.
	for i, w := range slices.Backward(d.free[b]) {
		if slices.Contains(names, w) {
			d.freesNoMore(b, i)
		}
	}
	return owned
}
