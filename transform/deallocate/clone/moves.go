package clone

import "freehold/ir"

// findMoved finds allocations and values that would get copies that the program passes on for good: they have one use that passes them on, after
// all others, to values that would get copies and that it frees, or passes on in the same way. So programs that were freed by copies stay as
// they are where the copies were left out since. Near-linear.
func (d *deallocation) findMoved() error {
	freed := false
	for _, v := range d.order {
		freed = freed || freedSomehow(v)
	}
	if !freed {
		return nil
	}
	passed := map[*ir.Value][]edge{}
	for _, v := range d.order {
		err := edgesInto(v, func(e edge) {
			source := e.op.Operand(e.index)
			passed[source] = append(passed[source], e)
		})
		if err != nil {
			return err
		}
	}
	moved := map[*ir.Value][]*ir.Value{} // with what they are passed on as
	senders := map[*ir.Value][]*ir.Value{}
	consider := func(v *ir.Value) {
		if to := d.receivers(v); len(to) > 0 && passedLast(v, passed[v]) {
			moved[v] = to
			for _, r := range to {
				senders[r] = append(senders[r], v)
			}
		}
	}
	for _, o := range d.owners {
		if o.free == nil {
			consider(o.value)
		}
	}
	for _, v := range d.order {
		consider(v)
	}
	for _, v := range d.order {
		for work := []*ir.Value{v}; len(work) > 0; {
			x := work[len(work)-1]
			work = work[:len(work)-1]
			if moved[x] == nil && !freedSomehow(x) {
				for _, s := range senders[x] {
					if moved[s] != nil {
						delete(moved, s)
						work = append(work, s)
					}
				}
			}
		}
	}
	kept := d.owners[:0]
	for _, o := range d.owners {
		if moved[o.value] == nil {
			kept = append(kept, o)
		}
	}
	d.owners = kept
	for v := range moved {
		d.inFlight[v] = true
	}
	return nil
}

// receivers returns the values that v is directly passed on as; none if one of them wouldn't get a copy.
func (d *deallocation) receivers(v *ir.Value) (list []*ir.Value) {
	all := true
	d.flowsOf(v, func(to *ir.Value) {
		all = all && d.copied[to]
		list = append(list, to)
	})
	if !all {
		return nil
	}
	return list
}

// passedLast tells whether the edges on which v is passed on are of one operand, of an operation that always passes it on, and that
// comes after all other uses of v in the block of v, none of which frees it.
func passedLast(v *ir.Value, edges []edge) bool {
	if len(edges) == 0 || freedSomehow(v) {
		return false
	}
	op, index := edges[0].op, edges[0].index
	for _, e := range edges {
		if e.op != op || e.index != index || e.successor >= 0 && op.NumSuccessors() > 1 {
			return false
		}
	}
	if v.ParentBlock() != op.Block() {
		return false
	}
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if u.Owner() == op && u.Index() == index {
			continue
		}
		if a := op.Block().AncestorIn(u.Owner()); a == nil || a == op || !a.IsBefore(op) {
			return false
		}
	}
	return true
}
