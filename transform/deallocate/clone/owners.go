package clone

import (
	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// owner is a value that stands for a buffer which has to be freed once: the result of an allocation, or a value that gets a
// copy of whatever flows into it.
type owner struct {
	value *ir.Value
	// model tells how the buffer is freed and copied; nil stands for memref.dealloc and bufferization.clone.
	model interfaces.AllocationModel
	// free is the operation that frees it already; nil if there is none.
	free *ir.Op
}

// findOwners finds the allocations, and the values that need a copy, each in the order in which they are handled.
func (d *deallocation) findOwners() error {
	if err := d.findAllocations(); err != nil {
		return err
	}
	managed := analysis.Summarize(d.buffers, nil, freedConditionally, func(x, y bool) bool { return x || y })
	kept := d.owners[:0]
	for _, o := range d.owners {
		if !managed.Of(o.value) {
			kept = append(kept, o)
		}
	}
	d.owners = kept
	return d.findCopied()
}

// takeFrees makes owners of those values that several operations free, in branches, and that are passed on elsewhere, where a copy would be: nobody
// would free the value there. Their frees go, since owners are freed once on each path. It tells whether there are any. Linear time.
func (d *deallocation) takeFrees() bool {
	freed := d.freed()
	left := d.several[:0]
	for _, v := range d.several {
		passed, plain := false, !d.leaves(owner{value: v}, freed)
		d.buffers.Names(v, func(name *ir.Value) {
			d.buffers.Flows(name, func(to *ir.Value) { passed = passed || d.copied[to] })
		})
		var frees []*ir.Op
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if op := u.Owner(); interfaces.HasEffect(op, interfaces.Free, v) {
				plain = plain && analysis.FreesOnly(op, v) && op.NumResults() == 0
				frees = append(frees, op)
			}
		}
		if !passed || !plain {
			left = append(left, v)
			continue
		}
		for _, op := range frees {
			op.Erase()
			d.moved++
		}
		m, _ := interfaces.Allocation.Of(v.DefiningOp())
		d.owners = append(d.owners, owner{value: v, model: m})
	}
	taken := len(left) < len(d.several)
	d.several = left
	return taken
}

// findAllocations lists the allocations.
func (d *deallocation) findAllocations() (err error) {
	d.fn.WalkPostOrder(func(op *ir.Op) {
		if err != nil {
			return
		}
		if interfaces.Call.Has(op) && d.opts.Boundary {
			for i := range op.NumResults() {
				if r := op.Result(i); ir.IsMemRef(r.Type()) && !analysis.IsBorrowed(r) {
					d.addAllocation(owner{value: r})
				}
			}
			return
		}
		v := allocated(op)
		if v == nil || op.Attr(bufferization.ManualDeallocationAttr) != nil {
			return
		}
		m, ok := interfaces.Allocation.Of(op)
		o := owner{value: v, model: m}
		if d.addAllocation(o) && !ok && d.owners[len(d.owners)-1].free == nil {
			err = op.PlainErrorf("Allocation is not deallocated explicitly nor does the operation implement the AllocationOpInterface.")
		}
	})
	return err
}

// addAllocation adds an owner unless several operations free it, when it only notes it, and tells whether it did.
func (d *deallocation) addAllocation(o owner) bool {
	for u := o.value.FirstUse(); u != nil; u = u.Next() {
		if op := u.Owner(); interfaces.HasEffect(op, interfaces.Free, o.value) && op != o.free {
			if o.free != nil {
				d.several = append(d.several, o.value)
				return false
			}
			o.free = op
		}
	}
	d.owners = append(d.owners, o)
	return true
}

// allocated returns the buffer that an operation allocates; nil if it allocates none, or several, or one that isn't
// freed by an operation.
func allocated(op *ir.Op) (v *ir.Value) {
	effects, _ := interfaces.EffectsOf(op)
	for _, e := range effects {
		if e.Kind != interfaces.Allocate || !e.IsOnResult() || e.On() == interfaces.AutomaticAllocationScopeResource {
			continue
		}
		if v != nil {
			return nil
		}
		v = e.Value(op)
	}
	return v
}

// freedConditionally tells whether an operation frees a value that it uses under a condition.
func freedConditionally(v *ir.Value) bool {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if m, ok := interfaces.ConditionalFree.Of(u.Owner()); ok {
			if start, n := m(u.Owner()); u.Index() >= start && u.Index() < start+n {
				return true
			}
		}
	}
	return false
}

// flowsOf calls fn for the buffers that v is directly passed on as.
func (d *deallocation) flowsOf(v *ir.Value, fn func(to *ir.Value)) {
	d.buffers.Flows(v, func(to *ir.Value) {
		if ir.IsMemRef(to.Type()) {
			fn(to)
		}
	})
}

// findCopied finds the values that get copies: those that a buffer is passed on as, by whatever names, that isn't there
// on all paths to the value, or that may be an earlier one's, as the value is an argument of the block that allocates it. A value
// that gets copies is a buffer of its own, for which the same is asked again.
//
// Each value is looked at from the lowest block only that allocates something that flows into it, as the others
// dominate that one.
func (d *deallocation) findCopied() error {
	type item struct {
		value *ir.Value
		from  *ir.Block
	}
	var work []item
	lowest := map[*ir.Value]*ir.Block{}
	mark := func(v *ir.Value) {
		if !d.copied[v] {
			d.copied[v] = true
			d.order = append(d.order, v)
			work = append(work, item{v, v.ParentBlock()})
		}
	}
	spread := func(v *ir.Value, from *ir.Block) {
		d.flowsOf(v, func(to *ir.Value) {
			if d.copied[to] {
				return
			}
			at := to.ParentBlock()
			if !d.dom.BlockDominates(from, at) || from == at && to.IsBlockArg() {
				mark(to)
			} else if l := lowest[to]; l == nil || l != from && d.dom.BlockDominates(l, from) {
				lowest[to] = from
				work = append(work, item{to, from})
			}
		})
	}
	for _, o := range d.owners {
		spread(o.value, o.value.ParentBlock())
	}
	for {
		for len(work) > 0 {
			x := work[len(work)-1]
			work = work[:len(work)-1]
			spread(x.value, x.from)
		}
		// What gets a copy where another value does gets it, too.
		for _, v := range d.order {
			err := edgesInto(v, func(e edge) {
				for _, to := range e.others(v) {
					if ir.IsMemRef(to.Type()) {
						mark(to)
					}
				}
			})
			if err != nil {
				return err
			}
		}
		if len(work) == 0 {
			return nil
		}
	}
}
