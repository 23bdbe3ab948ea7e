package reuse

import (
	"slices"
	"sync"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/analysis"
)

// ElideCopies removes copies of buffers from a function in which every buffer is freed: the
// pass elide-copies.
//
//   - A copy of a constant of one value becomes a fill; so does one of a buffer that holds
//     what it was filled with, which goes if nothing else reads it.
//   - The source of a copy after which it is not used is made in the target in the first
//     place, if nothing else uses the target meanwhile. The target may be a part of a buffer,
//     whose allocation moves up, unless the function would need more memory at a time then.
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
	if again := f.fillAgain(buffers, blocks); again > 0 {
		n[0] += again
		blocks = blocksIn(fn) // without those of fills that are gone
	}
	need := sync.OnceValue(func() *pressure { return newPressure(fn, buffers) })
	for _, b := range blocks {
		e := &elider{buffers: buffers, last: buffers.NewLastUses(), need: need}
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

// fillAgain replaces copies of buffers that hold what they were filled with by fills. It
// returns how many.
func (f *filler) fillAgain(buffers *analysis.Buffers, blocks []*ir.Block) (n int64) {
	sources := map[*ir.Value]bool{}
	// What is filled now may be what another copy takes it from.
	for round := 0; round < 4; round++ {
		known := map[*ir.Value]*writes{}
		var copies, fills []*ir.Op
		for _, b := range blocks {
			for op := range b.Ops() {
				m, ok := copyOf(op)
				if !ok {
					continue
				}
				source, only := buffers.Only(m.source)
				if _, ranked := m.target.Type().(*ir.MemRefType); !only || !ranked || !buffers.IsLocal(m.source) || allocation(source) == nil {
					continue
				}
				w := known[source]
				if w == nil {
					w = writesOf(buffers, source)
					known[source] = w
				}
				if fill := w.fillAt(op); fill != nil {
					sources[source] = true
					copies, fills = append(copies, op), append(fills, fill)
				}
			}
		}
		for i, op := range copies {
			m, _ := copyOf(op)
			b := ir.NewBuilder(op.Context())
			b.Loc = op.Loc()
			b.SetBefore(op)
			linalg.NewFill(b, fills[i].Operand(0), m.target)
			op.Erase()
		}
		n += int64(len(copies))
		if len(copies) == 0 {
			break
		}
	}
	for source := range sources {
		eraseUnread(source)
	}
	return n
}

// writes are what may write to a buffer: operations that write the same value to all of it,
// and others. If that can't be seen, any is set.
type writes struct {
	fills, others []*ir.Op
	any           bool
}

func writesOf(buffers *analysis.Buffers, terminal *ir.Value) *writes {
	w := &writes{any: buffers.Escapes(terminal).Has(analysis.Kept)}
	for _, u := range usesOf(buffers, terminal) {
		op := u.Owner()
		_, view := iface.ViewLike.Of(op)
		_, other := iface.OtherView.Of(op)
		switch {
		case op.Is(linalg.Fill) && op.NumResults() == 0 && u.Index() == 1 && u.Value() == terminal:
			w.fills = append(w.fills, op)
		case !ir.IsMemRef(u.Value().Type()):
			w.any = true
		case view || other || iface.IsDim(op) || op.Has(ir.TraitReturnLike) || reads(op, u.Index()) || analysis.FreesOnly(op, u.Value()):
		default:
			w.others = append(w.others, op)
		}
	}
	return w
}

// fillAt returns the fill that wrote all that the buffer holds before an operation; nil if
// there is none. All other writes are executed before that fill, or after the operation and not
// before it again without the fill in between.
func (w *writes) fillAt(op *ir.Op) *ir.Op {
	if w.any {
		return nil
	}
	for _, fill := range w.fills {
		x := fill.Block().AncestorIn(op)
		if !comesBefore(fill, op) {
			continue
		}
		ok := true
		for _, list := range [][]*ir.Op{w.fills, w.others} {
			for _, other := range list {
				y := fill.Block().AncestorIn(other)
				ok = ok && (other == fill || y != nil && y != x && (y.IsBefore(fill) || x.IsBefore(y)))
			}
		}
		if ok {
			return fill
		}
	}
	return nil
}

// comesBefore tells whether an operation is executed whenever a later one is, before that: it
// stands before it in the same block, or in one around it.
func comesBefore(op, later *ir.Op) bool {
	x := op.Block().AncestorIn(later)
	return x != nil && x != op && op.IsBefore(x)
}

// eraseUnread erases a buffer that is only filled and freed.
func eraseUnread(terminal *ir.Value) {
	for u := terminal.FirstUse(); u != nil; u = u.Next() {
		if op := u.Owner(); !(op.Is(linalg.Fill) && u.Index() == 1) && !(op.NumResults() == 0 && op.NumOperands() == 1 && analysis.FreesOnly(op, terminal)) {
			return
		}
	}
	for u := terminal.FirstUse(); u != nil; u = terminal.FirstUse() {
		u.Owner().Erase()
	}
	terminal.DefiningOp().Erase()
}

// elider removes the copies of one block.
type elider struct {
	buffers *analysis.Buffers
	last    *analysis.LastUses // of the operations before the copy
	need    func() *pressure
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
	// Nothing else uses the target since then, but for what fills it, which can be done before.
	var fills []*ir.Op
	if last := e.last.Of(m.target); last != nil && !last.IsBefore(first) {
		if fills, ok = e.preparing(m.target, first, op); !ok {
			return false
		}
	}
	moving, ok := needed(m.target, fills, first)
	if !ok {
		return false
	}
	if base, only := e.buffers.Only(m.target); only && !e.need().merge(m.source, base, first) {
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

// preparing lists the operations from first up to a copy into target that do nothing but
// write to the target's buffer without reading memory; false if others use it there.
func (e *elider) preparing(target *ir.Value, first, op *ir.Op) (fills []*ir.Op, ok bool) {
	base, only := e.buffers.Only(target)
	if !only || allocation(base) == nil || e.buffers.Escapes(base).Has(analysis.Kept) {
		return nil, false
	}
	ok = true
	e.buffers.Uses(base, func(u *ir.Use) {
		user := op.Block().AncestorIn(u.Owner())
		switch _, view := iface.ViewLike.Of(u.Owner()); {
		case user == nil:
			ok = false
		case user.IsBefore(first) || user == op || op.IsBefore(user) || view && user == u.Owner():
		case user == u.Owner() && onlyWrites(user, u):
			if !slices.Contains(fills, user) {
				fills = append(fills, user)
			}
		default:
			ok = false
		}
	})
	slices.SortFunc(fills, func(a, b *ir.Op) int {
		if a.IsBefore(b) {
			return -1
		}
		return 1
	})
	return fills, ok
}

// onlyWrites tells whether an operation does nothing with memory but write to the buffer of a
// use.
func onlyWrites(op *ir.Op, u *ir.Use) bool {
	inits := iface.DpsInits(op)
	if iface.IndexingMaps(op) == nil || op.NumResults() > 0 || len(inits) != 1 || &inits[0] != u || (linalg.StructuredOp{Op: op}).ReadsInit(u) {
		return false
	}
	for i := range op.NumOperands() {
		if i != u.Index() && ir.IsShaped(op.Operand(i).Type()) {
			return false
		}
	}
	for x := range op.BodyBlock(0).Ops() {
		if !iface.IsMemoryEffectFree(x) && !iface.IsRegionTerminator(x) {
			return false
		}
	}
	return true
}

// needed lists what has to move so that v is defined, and the given operations are executed,
// before an operation of the same block, in order; false if that isn't possible.
func needed(v *ir.Value, ops []*ir.Op, before *ir.Op) (moving []*ir.Op, ok bool) {
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
	for _, op := range ops {
		op.Walk(func(x *ir.Op) bool {
			for _, w := range x.Operands().Values() {
				visit(w)
			}
			return true
		})
		moving = append(moving, op)
	}
	return moving, ok
}
