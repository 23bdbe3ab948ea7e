package reuse

import (
	"slices"

	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
)

// ViewsForMoves replaces buffers into which data is only moved, in another order of
// dimensions or in the same one, by views of what it is moved from, where the buffer is only
// read and its source isn't written meanwhile: the pass views-for-moves. If that is freed
// meanwhile, it is freed after the last use of the view instead, unless the function would need more memory at a time then. It
// returns how many buffers it replaced. Near-linear in the uses of the buffers.
func ViewsForMoves(fn *ir.Op, calls *analysis.CallSummaries) (n int) {
	// A view of a view is found in the next round.
	for range mostRounds {
		blocks := blocksIn(fn)
		found := false
		for _, b := range blocks {
			for op := range b.Ops() {
				if _, ok := moveOf(op); ok {
					found = true
				}
			}
		}
		if !found {
			return n
		}
		before, left := n, false
		made := map[*ir.Op]bool{}
		var need *pressure
		buffers := analysis.NewBuffers(fn, analysis.BufferOptions{Calls: calls})
		// Blocks in operations that may go come before those of the operations.
		for _, b := range slices.Backward(blocks) {
			v := &viewer{buffers: buffers, next: buffers.NewFirstUses(), frees: map[*ir.Op]bool{}, made: made}
			v.need = func() *pressure {
				if need == nil && n == before {
					need = newPressure(fn, buffers)
				}
				return need
			}
			for op := b.Last(); op != nil; {
				prev := op.Prev()
				if m, ok := moveOf(op); ok {
					// The operation before it may be the one that allocates the target.
					if alloc := allocation(m.target); alloc != nil && alloc == prev {
						prev = prev.Prev()
					}
					if v.replace(op, m) {
						n++
						op = prev
						continue
					}
					prev = op.Prev()
				}
				v.pass(op)
				op = prev
			}
			left = left || v.left
		}
		if n == before || !left {
			return n
		}
	}
	return n
}

// mostRounds limits how often it is looked for views of views.
const mostRounds = 6

// move is data that goes from one buffer to another: dimension i of the target is dimension
// perm[i] of the source.
type move struct {
	copied
	perm []int64
}

// moveOf returns what an operation moves, if it does nothing else.
func moveOf(op *ir.Op) (move, bool) {
	if c, ok := copyOf(op); ok {
		t, ok := c.target.Type().(*ir.MemRefType)
		_, ranked := c.source.Type().(*ir.MemRefType)
		if !ok || !ranked {
			return move{}, false
		}
		perm := make([]int64, len(t.Shape))
		for i := range perm {
			perm[i] = int64(i)
		}
		return move{c, perm}, true
	}
	source, target, ok := linalg.InputAndInit(op)
	if !ok || op.NumResults() > 0 || op.NumRegions() != 1 {
		return move{}, false
	}
	body := op.RegionAt(0).Entry()
	if body == nil || body.First() != body.Last() || body.Last() == nil || body.Last().OnlyOperand() != body.Arg(0) {
		return move{}, false
	}
	maps := interfaces.IndexingMaps(op)
	if len(maps) != 2 || !interfaces.HasBufferSemantics(op) || !maps[0].IsPermutation() || !maps[1].IsPermutation() {
		return move{}, false
	}
	of := make([]int64, maps[0].Dims) // the source's dimension of each of the iteration
	for i, r := range maps[0].Results {
		of[r.Value] = int64(i)
	}
	perm := make([]int64, len(of))
	for i, r := range maps[1].Results {
		perm[i] = of[r.Value]
	}
	return move{copied{source, target}, perm}, source != target
}

// viewer replaces the buffers of one block, from the end.
type viewer struct {
	buffers *analysis.Buffers
	next    *analysis.LastUses // the first operation that changes a buffer, of those after
	frees   map[*ir.Op]bool    // that are not in next, since they can move
	made    map[*ir.Op]bool    // views that were made, or became views of another buffer, in this round: buffers doesn't know that what uses them uses that
	// need returns how much memory is needed; nil if something was changed already, so that it isn't known in this round.
	need func() *pressure
	// left tells that there is a move of which it may be seen in the next round that its target can be a view.
	left bool
}

// pass adds what an operation changes.
func (v *viewer) pass(op *ir.Op) {
	if onlyFrees(op) && op.NumRegions() == 0 && op.OnlyOperand() != nil && v.buffers.IsLocal(op.OnlyOperand()) {
		v.frees[op] = true
		return
	}
	v.next.Add(op, changes)
}

// replace makes a view of the target of a move, if it can, and tells whether it did so.
func (v *viewer) replace(op *ir.Op, m move) bool {
	alloc := allocation(m.target)
	if alloc == nil || alloc.Block() != op.Block() || v.buffers.Escapes(m.target) != 0 || v.buffers.Query(m.source, m.target) != analysis.NeverAlias {
		return false
	}
	source, ok := m.source.Type().(*ir.MemRefType)
	if !ok || source.Space != m.target.Type().(*ir.MemRefType).Space {
		return false
	}
	if _, _, strided := source.StridesAndOffset(); !strided {
		return false
	}
	free := onlyFree(m.target)
	if free == nil || free.Block() == op.Block() && free.IsBefore(op) { // a use after free stays one
		return false
	}
	// What was looked at so far stays as it is, whatever becomes of other moves: a round in which all is left by that is the last one.
	done := v.replaceAllocated(op, m, alloc, free)
	v.left = v.left || !done
	return done
}

// replaceAllocated is replace for a target that is allocated in the block of the move, and freed by one operation.
func (v *viewer) replaceAllocated(op *ir.Op, m move, alloc, free *ir.Op) bool {
	// The view, to see whether what reads the buffer can read it.
	b := ir.NewBuilder(op.Context())
	b.Loc = op.Loc()
	b.SetBefore(op)
	view := m.source
	if perm := op.Context().PermutationMap(m.perm); !perm.IsIdentity() {
		view = memref.NewTranspose(b, m.source, perm)
	}
	undo := func() bool {
		if view != m.source {
			view.DefiningOp().Erase()
		}
		return false
	}
	last, ok := op, true
	for _, u := range usesOf(v.buffers, m.target) {
		user := op.Block().AncestorIn(u.Owner())
		switch {
		case !ok:
		case u.Owner() == op || u.Owner() == free:
			ok = u.Value() == m.target
		case v.made[u.Owner()]:
			ok = false // until the next round
		case user == nil || !op.IsBefore(user) || !reads(u.Owner(), u.Index()) && !v.isView(u, view):
			ok = false
		case last.IsBefore(user):
			last = user
		}
	}
	if !ok {
		return undo()
	}
	if change := v.next.Of(m.source); change != nil && !last.IsBefore(change) && !v.staysApart(m.source, change, last) {
		return undo()
	}
	sourceFree, ok := v.freedBefore(m.source, op, last)
	if !ok {
		return undo()
	}
	types := retype(m.target, view.Type().(*ir.MemRefType), func(x *ir.Op) bool { return x == op || x == free })
	if types == nil {
		return undo()
	}
	if sourceFree != nil && !v.mayOutlive(m, op, last) {
		types.undo()
		return undo()
	}
	if sourceFree != nil {
		sourceFree.MoveAfter(last)
	}
	op.Erase()
	free.Erase()
	for u := m.target.FirstUse(); u != nil; u = u.Next() {
		if interfaces.ViewLike.Has(u.Owner()) || isPureView(u) {
			v.made[u.Owner()] = true
		}
	}
	m.target.ReplaceAllUsesWith(view)
	types.finish()
	alloc.Erase()
	if view != m.source {
		v.made[view.DefiningOp()] = true
	}
	return true
}

// isView tells whether a use makes a view that stays as it is if the buffer is replaced, or of which the type follows.
func (v *viewer) isView(u *ir.Use, view *ir.Value) bool {
	_, ok := interfaces.ViewLike.Of(u.Owner())
	return ok && view.Type() == u.Value().Type() || isPureView(u)
}

// mostBetween limits the operations that are looked at one by one.
const mostBetween = 512

// staysApart tells whether the operations of a block from one to another change no part of a buffer that has something in
// common with v, although they change the buffer.
func (v *viewer) staysApart(w *ir.Value, from, to *ir.Op) bool {
	n := 0
	for op := from; ; op = op.Next() {
		ok := true
		op.Walk(func(x *ir.Op) bool {
			if n++; !ok {
				return false
			}
			effects, known := interfaces.EffectsOf(x)
			_, call := interfaces.Call.Of(x)
			ok = n <= mostBetween && !call && (known || interfaces.IsRegionTerminator(x))
			for _, e := range effects {
				ok = ok && (e.Kind == interfaces.Read || e.Kind == interfaces.Allocate || e.Value(x) != nil && ir.IsMemRef(e.Value(x).Type()))
			}
			for i := range x.NumOperands() {
				if u := x.Operand(i); ok && ir.IsMemRef(u.Type()) && changes(x, i) && v.buffers.Query(u, w) != analysis.NeverAlias {
					ok = !onlyFrees(x) && disjoint(u, w)
				}
			}
			return ok
		})
		if !ok || op == to {
			return ok
		}
	}
}

// mayOutlive tells whether the function needs no more memory if the source of a move is freed after the last use of the target.
func (v *viewer) mayOutlive(m move, op, last *ir.Op) bool {
	base, only := v.buffers.Only(m.source)
	need := v.need()
	return only && need != nil && need.merge(m.target, base, op, last)
}

// freedBefore returns the operation that frees the source between a move and the last use
// of its target, if there is one that can move. It returns false if there is another one, or
// several.
func (v *viewer) freedBefore(source *ir.Value, op, last *ir.Op) (free *ir.Op, ok bool) {
	terminal, only := v.buffers.Only(source)
	only = only && v.buffers.IsLocal(source)
	ok = true
	// Frees of what isn't local are changes.
	v.buffers.Terminals(source, func(t *ir.Value) {
		v.buffers.Uses(t, func(u *ir.Use) {
			x := u.Owner()
			if !v.frees[x] || x.Block() != op.Block() || !op.IsBefore(x) || last.IsBefore(x) {
				return
			}
			ok = ok && only && free == nil && u.Value() == terminal
			free = x
		})
	})
	return free, ok
}

// bytesOf returns the size of a buffer; a very large number if it is not known.
func bytesOf(v *ir.Value) int64 {
	if n, ok := footprint.StaticSize(v.Type()); ok {
		return min(n, unknownBytes)
	}
	return unknownBytes
}

// unknownBytes stands for the size of a buffer that isn't known, or too large to count.
const unknownBytes = 1 << 62
