package hlo

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// repeats tells whether an operation may execute a region more than once.
func repeats(op *ir.Op) bool {
	return interfaces.LoopLike.Has(op)
}

// hoistFrom moves allocations with their deallocations out of the operations in a block:
// what one of their regions allocates and frees is allocated before the operation and
// freed after it. As no two regions are at work at the same time, a later one uses what was
// allocated for an earlier one.
func (r *reuser) hoistFrom(b *ir.Block) bool {
	changed := false
	for op := b.First(); op != nil; op = op.Next() {
		if _, ok := HoistableRegions.Of(op); ok {
			changed = r.hoist(op) || changed
		}
	}
	return changed
}

func (r *reuser) hoist(op *ir.Op) bool {
	var moved []*ir.Op // allocations, before op
	changed := false
	last := op // where the next deallocation goes to
	for i := range op.NumRegions() {
		if op.RegionAt(i).NumBlocks() != 1 {
			continue
		}
		used := map[*ir.Op]bool{}
		body := op.BodyBlock(i)
		for a := body.First(); a != nil; {
			next := a.Next()
			t, ok := staticAlloc(a)
			var d *ir.Op
			if ok {
				d = deallocIn(a.Result(0), body)
			}
			if d == nil {
				a = next
				continue
			}
			if d == next {
				next = d.Next()
			}
			changed = true
			r.Hoisted.Add(1)
			var shared *ir.Op
			for _, m := range moved {
				if !used[m] && m.Result(0).Type() == ir.Type(t) && alignment(m) >= alignment(a) {
					shared = m
					break
				}
			}
			if shared != nil {
				used[shared] = true
				a.Result(0).ReplaceAllUsesWith(shared.Result(0))
				d.Erase()
				a.Erase()
			} else {
				used[a] = true
				a.MoveBefore(op)
				d.MoveAfter(last)
				last = d
				moved = append(moved, a)
			}
			a = next
		}
	}
	return changed
}
