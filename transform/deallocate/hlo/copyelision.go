package hlo

import (
	"freehold/dialect/deallocation"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// elideCopies computes directly in the target of a copy in a block, where the source is
// freed afterwards without being used again.
func (r *reuser) elideCopies(b *ir.Block) bool {
	changed := false
	for op := b.First(); op != nil; {
		next := op.Next()
		if c, ok := interfaces.Copy.Of(op); ok && op.NumResults() == 0 {
			source, target := c(op)
			d := deallocIn(source, b)
			if d != nil && op.IsBefore(d) && source.Type() == target.Type() && r.elideCopy(op, source, target, d) {
				if next == d {
					next = d.Next()
				}
				d.Erase()
				op.Erase()
				r.Copies.Add(1)
				changed = true
			}
		}
		op = next
	}
	return changed
}

// elideCopy makes the two buffers one, and tells whether that is possible.
func (r *reuser) elideCopy(c *ir.Op, source, target *ir.Value, dealloc *ir.Op) bool {
	b := c.Block()
	for i, v := range origins(source) {
		for _, u := range transitiveUsers(v) {
			at := b.AncestorIn(u)
			if i == 0 && at == nil || at != nil && at != dealloc && at != c && c.IsBefore(at) {
				return false
			}
		}
	}
	if _, ok := staticAlloc(target.DefiningOp()); ok && target.DefiningOp().Block() == b && r.aligned(source, target.DefiningOp()) {
		return r.intoSource(c, source, target)
	}
	alloc := source.DefiningOp()
	if _, ok := staticAlloc(alloc); !ok || alloc.Block() != b || !isRestrict(target) {
		return false
	}
	for _, u := range transitiveUsers(target) {
		// What doesn't come after the copy must come before the source is written.
		if at := b.AncestorIn(u); at == nil || at != c && at.IsBefore(c) && !at.IsBefore(alloc) {
			return false
		}
	}
	for _, u := range source.Uses() {
		if u.Owner() != c && u.Owner() != dealloc {
			if u.Owner().Is(deallocation.Own) {
				return false
			}
			u.Set(target)
		}
	}
	c.SetOperand(0, target)
	dealloc.SetOperand(0, target)
	alloc.Erase()
	return true
}

// intoSource replaces the target, an allocation that isn't used before the copy, by the
// source.
func (r *reuser) intoSource(c *ir.Op, source, target *ir.Value) bool {
	b := c.Block()
	var owns []*ir.Op
	for _, u := range transitiveUsers(target) {
		if u.Is(deallocation.Own) && u.Block() == b {
			owns = append(owns, u)
			continue
		}
		if at := b.AncestorIn(u); at == nil || at != c && at.IsBefore(c) {
			return false
		}
	}
	for _, o := range owns {
		for u := o.Result(0).FirstUse(); u != nil; u = u.Next() {
			if at := b.AncestorIn(u.Owner()); at == nil || !c.IsBefore(at) {
				return false
			}
		}
	}
	for _, o := range owns {
		o.MoveBefore(c)
	}
	alloc := target.DefiningOp()
	target.ReplaceAllUsesWith(source)
	alloc.Erase()
	return true
}

// isRestrict tells whether a value is an argument of a function that promises to be no
// other argument's buffer.
func isRestrict(v *ir.Value) bool {
	if !v.IsBlockArg() {
		return false
	}
	fn := v.ArgOwner().ParentOp()
	if !interfaces.Function.Has(fn) {
		return false
	}
	a, ok := interfaces.ArgAttr(fn, v.Index(), deallocation.RestrictAttr).(*ir.IntegerAttr)
	return ok && a.Value != 0
}

// transitiveUsers returns the operations that use a buffer, or what may be a part of it.
func transitiveUsers(v *ir.Value) (users []*ir.Op) {
	seen := map[*ir.Value]bool{v: true}
	work := []*ir.Value{v}
	reach := func(w *ir.Value) {
		if isMemRef(w) && !seen[w] && ir.ElementType(w.Type()) == ir.ElementType(v.Type()) {
			seen[w] = true
			work = append(work, w)
		}
	}
	for len(work) > 0 {
		w := work[len(work)-1]
		work = work[:len(work)-1]
		for u := w.FirstUse(); u != nil; u = u.Next() {
			op := u.Owner()
			users = append(users, op)
			for _, res := range op.Results().Values() {
				reach(res)
			}
			for _, at := range []*ir.Op{op, op.Parent()} {
				if m, ok := interfaces.RegionBranch.Of(at); ok {
					interfaces.ForEachRegionEdge(at, m, func(operands ir.Operands, inputs []*ir.Value) {
						for i := range min(len(operands), len(inputs)) {
							if operands.At(i) == w {
								reach(inputs[i])
							}
						}
					})
				}
			}
		}
	}
	return users
}

// origins returns a buffer and those that it may be, or be a part of, as far as the operations
// tell that lead to it.
func origins(v *ir.Value) []*ir.Value {
	seen := map[*ir.Value]bool{v: true}
	list := []*ir.Value{v}
	for i := 0; i < len(list); i++ {
		def := list[i].DefiningOp()
		if def == nil {
			continue
		}
		from := def.Operands().Values()
		for _, reg := range def.Regions() {
			for b := range reg.Blocks() {
				if end := b.Last(); end != nil {
					from = append(from, end.Operands().Values()...)
				}
			}
		}
		for _, w := range from {
			if isMemRef(w) && !seen[w] && ir.ElementType(w.Type()) == ir.ElementType(v.Type()) {
				seen[w] = true
				list = append(list, w)
			}
		}
	}
	return list
}
