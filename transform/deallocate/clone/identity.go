package clone

import (
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// told is the error about a copy of a buffer that somebody may tell from the buffer.
func (d *deallocation) told(source *ir.Value, at *ir.Op) error {
	return at.PlainErrorf("can't be freed by copies: what is passed on here would be a copy, and what is written to that, or to the buffer, would not be seen in the other").
		WithNote(source.Loc(), "this is the buffer; ownership-based-buffer-deallocation (compile --deallocation ownership) makes no such copies")
}

// checkRetained returns an error if at, which passes on a buffer, would pass on a copy of it though an operation decides by what
// is passed on what it frees: that would keep what nobody has any more. Linear in the uses of the buffer, if there are such operations at all.
func (d *deallocation) checkRetained(source *ir.Value, at *ir.Op) (err error) {
	if !d.opts.Boundary || !d.decides() {
		return nil // without function boundaries as MLIR's pass
	}
	d.buffers.Terminals(source, func(t *ir.Value) {
		d.buffers.Names(t, func(name *ir.Value) {
			for u := name.FirstUse(); u != nil && err == nil; u = u.Next() {
				op := u.Owner()
				if m, ok := interfaces.ConditionalFree.Of(op); ok {
					if start, n := m(op); u.Index() < start || u.Index() >= start+n {
						err = at.PlainErrorf("can't be freed by copies: what is passed on here would be a copy, and a buffer that isn't freed because it is passed on would be left").
							WithNote(op.Loc(), "this frees what isn't passed on; ownership-based-buffer-deallocation (compile --deallocation ownership) makes no such copies")
					}
				}
			}
		})
	})
	return err
}

// decidesIn tells whether an operation in a function decides by what is passed on what it frees.
func decidesIn(fn *ir.Op) (found bool) {
	fn.Walk(func(op *ir.Op) bool {
		found = found || interfaces.ConditionalFree.Has(op)
		return !found
	})
	return found
}

// mayTell tells whether something may see that to, which at passes source on as, is a copy of its buffer and not that itself: one of them is
// written, and the other one used, after that. Linear in the uses of both.
func (d *deallocation) mayTell(source, to *ir.Value, at *ir.Op) bool {
	names := map[*ir.Value]bool{}
	written := false
	d.buffers.Names(to, func(name *ir.Value) {
		names[name] = true
		for u := name.FirstUse(); u != nil; u = u.Next() {
			written = written || d.returns(u.Owner()) || mayWrite(u)
		}
	})
	told := false
	d.buffers.Terminals(source, func(t *ir.Value) {
		told = told || written && !d.buffers.IsLocal(t) && !names[t]
		d.buffers.Names(t, func(name *ir.Value) {
			for u := name.FirstUse(); u != nil && !told && !names[name]; u = u.Next() {
				op := u.Owner()
				if op == at || interfaces.IsRegionTerminator(op) && !d.returns(op) || analysis.FreesOnly(op, name) || !d.comesAfter(op, at, t) {
					continue
				}
				told = mayWrite(u) || written && (mayUse(u) || d.returns(op))
			}
		})
	})
	return told
}

// returns tells whether an operation returns from the function.
func (d *deallocation) returns(op *ir.Op) bool {
	return op.Parent() == d.fn && interfaces.IsRegionTerminator(op)
}

// returnsElsewhere tells whether the function returns what operand i of a return may be by another operand as well, or anything but what it has allocated.
func (d *deallocation) returnsElsewhere(t *ir.Op, roots [][]*ir.Value, i int) bool {
	v := t.Operand(i)
	for j, list := range roots {
		if j != i && len(list) > 0 && d.buffers.Query(v, t.Operand(j)) != analysis.NeverAlias {
			return true
		}
	}
	for _, root := range roots[i] {
		if !d.copied[root] && !d.buffers.IsLocal(root) {
			return true
		}
	}
	return false
}

// comesAfter tells whether an operation may use a buffer that appears at t after at has passed it on.
func (d *deallocation) comesAfter(op, at *ir.Op, t *ir.Value) bool {
	r := at.Region()
	for !r.IsAncestorOf(op.Region()) {
		r = r.Op().Region()
	}
	x, y := r.AncestorIn(op), r.AncestorIn(at)
	switch {
	case x == y && (op == at || y == at || interfaces.LoopLike.Has(y)):
		return true
	case x == y: // in another region of it
	case x.Block() == y.Block():
		if y.IsBefore(x) {
			return true
		}
	case reaches(y.Block(), x.Block()):
		return true
	}
	def := t.DefiningOp()
	for p := y.Parent(); p != nil && p != d.fn; p = p.Parent() {
		if def != nil && p.IsAncestorOf(def) {
			return false // another one in each iteration
		}
		if interfaces.LoopLike.Has(p) {
			return true
		}
	}
	return false
}

// reaches tells whether control can come from the end of a block to another one.
func reaches(from, to *ir.Block) bool {
	seen := map[*ir.Block]bool{}
	work := []*ir.Block{from}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		for _, s := range b.Succs() {
			if s == to {
				return true
			}
			if !seen[s] {
				seen[s] = true
				work = append(work, s)
			}
		}
	}
	return false
}

// mayUse tells whether an operation does anything with a buffer but make a view of it or pass it on.
func mayUse(u *ir.Use) bool {
	op := u.Owner()
	_, view := interfaces.ViewLike.Of(op)
	return !view && !interfaces.IsRegionTerminator(op) && !interfaces.Branch.Has(op) && !interfaces.RegionBranch.Has(op) && !interfaces.IsShapeOnly(op)
}

// mayWrite tells whether an operation may write the buffer that it has as an operand.
func mayWrite(u *ir.Use) bool {
	return mayUse(u) && (interfaces.Call.Has(u.Owner()) || interfaces.MayWrite(u))
}
