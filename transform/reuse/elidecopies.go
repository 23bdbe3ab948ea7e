package reuse

import (
	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/analysis"
)

// ElideCopies removes copies of buffers from a function in which every buffer is freed: the
// pass elide-copies.
//
//   - A copy of a constant of one value becomes a fill.
//   - The source of a copy after which it is not used is made in the target in the first
//     place, if nothing else uses the target meanwhile. The target may be a part of a buffer,
//     whose allocation moves up.
//
// It returns how many copies became fills, and how many went. Near-linear in the uses of the
// buffers.
func ElideCopies(fn *ir.Op, calls *analysis.CallSummaries) counts {
	var n counts
	var copies bool
	f := &filler{tables: ir.NewSymbolTables(), fn: fn, constants: map[ir.Attribute]*ir.Value{}}
	blocks := blocksIn(fn)
	for _, b := range blocks {
		for op := b.First(); op != nil; {
			next := op.Next()
			if _, ok := copyOf(op); ok {
				if f.fill(op) {
					n[0]++
				} else {
					copies = true
				}
			}
			op = next
		}
	}
	if !copies {
		return n
	}
	buffers := analysis.NewBuffers(fn, analysis.BufferOptions{Calls: calls})
	for _, b := range blocks {
		e := &elider{buffers: buffers, last: buffers.NewLastUses()}
		for op := b.First(); op != nil; {
			next := op.Next()
			if m, ok := copyOf(op); ok {
				// The operation after it may be the one that frees the source.
				free := onlyFree(m.source)
				if next == free && next != nil {
					next = next.Next()
				}
				if free != nil && e.inPlace(op, m, free) {
					n[1]++
					op = next
					continue
				}
				next = op.Next()
			}
			e.last.Add(op, accesses)
			op = next
		}
	}
	return n
}

// copied are the buffers of a copy.
type copied struct{ source, target *ir.Value }

// copyOf returns what an operation copies, if it does nothing else.
func copyOf(op *ir.Op) (copied, bool) {
	m, ok := iface.Copy.Of(op)
	if !ok || op.NumResults() > 0 {
		return copied{}, false
	}
	s, t := m(op)
	return copied{s, t}, s != t && ir.IsMemRef(s.Type()) && ir.IsMemRef(t.Type())
}

// filler makes fills of copies of constants.
type filler struct {
	tables    *ir.SymbolTables
	fn        *ir.Op
	constants map[ir.Attribute]*ir.Value // at the start of the function
}

// fill replaces a copy of a constant of one value, and tells whether it is one.
func (f *filler) fill(op *ir.Op) bool {
	m, _ := copyOf(op)
	def := analysis.ViewBase(m.source).DefiningOp()
	if def == nil {
		return false
	}
	g, ok := iface.GlobalBuffer.Of(def)
	if !ok {
		return false
	}
	global := f.tables.Lookup(def, g(def))
	if global == nil {
		return false
	}
	contents, ok := iface.GlobalContents.Of(global)
	if !ok {
		return false
	}
	dense, ok := contents(global).(*ir.DenseElementsAttr)
	elem := ir.ElementType(m.target.Type())
	if !ok || !dense.Splat || !ir.IsFloat(elem) && !ir.IsIntOrIndex(elem) {
		return false
	}
	if _, ranked := m.target.Type().(*ir.MemRefType); !ranked {
		return false
	}
	b := ir.NewBuilder(op.Context())
	b.Loc = op.Loc()
	value := dense.Elem(op.Context(), 0)
	v := f.constants[value]
	if v == nil {
		b.SetStart(f.fn.BodyBlock(0))
		v = arith.NewConstant(b, value).Result(0)
		f.constants[value] = v
	}
	b.SetBefore(op)
	linalg.NewFill(b, v, m.target)
	op.Erase()
	return true
}

// elider removes the copies of one block.
type elider struct {
	buffers *analysis.Buffers
	last    *analysis.LastUses // of the operations before the copy
}

// inPlace makes the source of a copy, which an operation frees, in the target, if it dies
// there, and tells whether it did so.
func (e *elider) inPlace(op *ir.Op, m copied, free *ir.Op) bool {
	alloc := allocation(m.source)
	if alloc == nil || alloc.Block() != op.Block() || e.buffers.Escapes(m.source) != 0 || e.buffers.Query(m.source, m.target) != analysis.NeverAlias {
		return false
	}
	if !op.IsBefore(free) {
		return false
	}
	// What uses the source does so before the copy.
	var first *ir.Op
	ok := true
	for _, u := range usesOf(e.buffers, m.source) {
		user := op.Block().AncestorIn(u.Owner())
		switch {
		case u.Owner() == free || u.Owner() == op:
			ok = ok && u.Value() == m.source
		case user == nil || !user.IsBefore(op) || !ok || !e.canUse(u, m):
			ok = false
		case first == nil || user.IsBefore(first):
			first = user
		}
	}
	if !ok || first == nil {
		return false
	}
	// Nothing else uses the target since then.
	if last := e.last.Of(m.target); last != nil && !last.IsBefore(first) {
		return false
	}
	moving, ok := needed(m.target, first)
	if !ok {
		return false
	}
	for _, x := range moving {
		x.MoveBefore(first)
	}
	// Later copies see that the target was used.
	if used := e.last.Of(m.source); used != nil {
		e.last.AddValue(m.target, used)
	}
	op.Erase()
	free.Erase()
	m.source.ReplaceAllUsesWith(m.target)
	alloc.Erase()
	return true
}

// canUse tells whether a use of the source can be one of the target.
func (e *elider) canUse(u *ir.Use, m copied) bool {
	op := u.Owner()
	if u.Value() != m.source {
		// A view of it; another type of the source could change the view's.
		return ir.IsMemRef(u.Value().Type()) && m.source.Type() == m.target.Type() && !op.Has(ir.TraitTerminator)
	}
	if _, view := iface.ViewLike.Of(op); view {
		return m.source.Type() == m.target.Type()
	}
	_, branch := iface.RegionBranch.Of(op)
	return !branch && !op.Has(ir.TraitTerminator) && accepts(u, m.target)
}

// needed lists what has to move so that v is defined before an operation of the same block,
// in order; false if that isn't possible.
func needed(v *ir.Value, before *ir.Op) (moving []*ir.Op, ok bool) {
	seen := map[*ir.Op]bool{}
	ok = true
	var visit func(v *ir.Value)
	visit = func(v *ir.Value) {
		def := v.DefiningOp()
		if def == nil || def.Block() != before.Block() || def.IsBefore(before) || seen[def] || !ok {
			return
		}
		seen[def] = true
		alloc := def.NumResults() == 1 && allocation(def.Result(0)) != nil
		if def == before || def.NumRegions() > 0 || !alloc && !iface.IsPure(def) {
			ok = false
			return
		}
		for _, w := range def.Operands().Values() {
			visit(w)
		}
		moving = append(moving, def)
	}
	visit(v)
	return moving, ok
}
