package oneshot

import (
	"math"
	"slices"

	"freehold/exec"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// lasting is how long an operation reads that gives out the buffer of what it reads, as bufferization.to_memref does: whoever has the buffer may read it later. MLIR takes such a read for one that is over at once.
type lasting struct {
	uses    []*ir.Op // what reads the buffer, or views of it
	endless bool     // it is passed on to where nothing is known of it
}

// lastingOf returns how long an operation reads, if it gives out a buffer. It takes time linear in the uses.
func (s *state) lastingOf(reader *ir.Op) (l lasting, ok bool) {
	if l, known := s.lasting[reader]; known {
		return l, true
	}
	if !givesBuffers(reader) || reader.NumRegions() > 0 {
		return lasting{}, false // what is in regions reads for itself
	}
	seen := map[*ir.Value]bool{}
	for _, v := range reader.Results().Values() {
		if ir.IsMemRef(v.Type()) {
			l.follow(v, seen)
		}
	}
	if s.lasting == nil {
		s.lasting = map[*ir.Op]lasting{}
	}
	s.lasting[reader] = l
	return l, true
}

// follow adds the uses of a buffer.
func (l *lasting) follow(v *ir.Value, seen map[*ir.Value]bool) {
	if seen[v] {
		return
	}
	seen[v] = true
	for u := v.FirstUse(); u != nil && !l.endless; u = u.Next() {
		op := u.Owner()
		l.uses = append(l.uses, op)
		switch {
		case slices.ContainsFunc(op.Results().Types(), ir.IsTensor):
			l.endless = true // the tensor is in this buffer
		case interfaces.Call.Has(op):
			l.endless = givesBuffers(op) || !onlyReads(op)
		case accesses(op, u.Index()):
			if m, ok := interfaces.Asynchronous.Of(op); ok && m.Token(op) != nil {
				l.await(m.Token(op), seen)
			}
		case op.Has(ir.TraitTerminator), op.NumRegions() > 0, !interfaces.IsMemoryEffectFree(op):
			l.endless = true
		default:
			for _, r := range op.Results().Values() {
				if ir.IsMemRef(r.Type()) {
					l.follow(r, seen)
				} else if isAddress(op) {
					l.endless = l.endless || !isOnlyCompared(r)
				}
			}
		}
	}
}

// isAddress tells whether what an operation computes from a buffer may be its address, through which it may be read: it is none of its sizes, and of what describes it.
func isAddress(op *ir.Op) bool {
	_, view := interfaces.ViewLike.Of(op)
	_, other := interfaces.OtherView.Of(op)
	return !view && !other && !interfaces.IsShapeOnly(op)
}

// isOnlyCompared tells whether a number only becomes conditions.
func isOnlyCompared(v *ir.Value) bool {
	isCondition := func(t ir.Type) bool { return t == ir.Type(ir.I1) }
	if isCondition(v.Type()) {
		return true
	}
	for u := v.FirstUse(); u != nil; u = u.Next() {
		op := u.Owner()
		if op.NumResults() == 0 || op.NumRegions() > 0 || !interfaces.IsMemoryEffectFree(op) || slices.ContainsFunc(op.Results().Types(), func(t ir.Type) bool { return !isCondition(t) }) {
			return false
		}
	}
	return true
}

// onlyReads tells whether a call is one of a function that is known to keep nothing of what it is passed.
func onlyReads(call *ir.Op) bool {
	m, _ := interfaces.Call.Of(call)
	name, _ := m.Callee(call)
	if name == nil {
		return false
	}
	fn := ir.LookupSymbol(call, name)
	return fn != nil && exec.IsRunnerFunction(fn)
}

// await adds what waits for work that is done later.
func (l *lasting) await(token *ir.Value, seen map[*ir.Value]bool) {
	if seen[token] {
		return // in code that isn't reached, tokens may wait for each other
	}
	seen[token] = true
	l.endless = l.endless || !token.HasUses()
	for u := token.FirstUse(); u != nil; u = u.Next() {
		l.uses = append(l.uses, u.Owner())
		if m, ok := interfaces.Asynchronous.Of(u.Owner()); !ok {
			l.endless = true
		} else if next := m.Token(u.Owner()); next != nil {
			l.await(next, seen)
		}
	}
}

// accesses tells whether an operation is known to do something with the memory of an operand, and so nothing with the buffer itself.
func accesses(op *ir.Op, operand int) bool {
	effects, _ := interfaces.EffectsOf(op)
	for _, e := range effects {
		if e.IsOn(operand) {
			return !givesBuffers(op)
		}
	}
	return false
}

func givesBuffers(op *ir.Op) bool { return slices.ContainsFunc(op.Results().Types(), ir.IsMemRef) }

// isOver tells whether all reads through a buffer that was given out come before the writer, and not again after it, in a loop.
func (a *analysis) isOver(l lasting, reader, writer *ir.Op) bool {
	if l.endless {
		return false
	}
	for _, op := range l.uses {
		if !a.happensBefore(op, writer) {
			return false
		}
		for r := op.Region(); r != nil && r != reader.Region(); r = outer(r) {
			if r.IsAncestorOf(writer.Region()) && (r.NumBlocks() > 1 || a.repeats(r)) {
				return false
			}
		}
		if at := reader.Region().AncestorIn(op); reader.Region().NumBlocks() > 1 && (at == nil || at.Block() != reader.Block()) {
			return false
		}
	}
	return true
}

// end returns the last position at which a buffer is read that a reader gave out: in a loop, that is where the loop ends.
func (g *groups) end(l lasting, reader *ir.Op) (to int32) {
	if l.endless {
		return math.MaxInt32
	}
	for _, op := range l.uses {
		last := op
		for r := op.Region(); r != nil && r != reader.Region(); r = outer(r) {
			if r.NumBlocks() > 1 || g.repeats(r) {
				last = r.Op()
			}
		}
		at := g.order.extentOf(last)
		if at.from == noPosition {
			return math.MaxInt32
		}
		to = max(to, at.to)
	}
	return to
}
