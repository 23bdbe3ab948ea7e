package reuse

import (
	"slices"
	"sync"

	"freehold/dialect/linalg"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// elider makes buffers in what they are copied to, or written to element by element, in the first place.
type elider struct {
	buffers *analysis.Buffers
	need    func() *pressure
	// joined holds, for buffers that are gone, all that they may be parts of, the innermost first; parts the other way around. The
	// analysis knows names by what they were.
	joined, parts map[*ir.Value][]*ir.Value
	several       map[*ir.Value]bool // those of which that may be one or another
	// open holds, of parts, those that may be used behind what was looked at when they became parts; since are those of open that it
	// doesn't hold yet, as they aren't used any more in the block that is looked at.
	open, since map[*ir.Value][]*ir.Value
	// later are frees that moved behind operations that weren't looked at then.
	later map[*ir.Op]bool
	// nearby leaves moves for later for which the target would be needed while other buffers are allocated; left tells that
	// there are some.
	nearby, left bool
	// last are the last uses by the operations before the one that is looked at, in its block.
	last *analysis.LastUses
}

func newElider(fn *ir.Op, buffers *analysis.Buffers) *elider {
	return &elider{buffers: buffers, joined: map[*ir.Value][]*ir.Value{}, parts: map[*ir.Value][]*ir.Value{}, several: map[*ir.Value]bool{}, open: map[*ir.Value][]*ir.Value{}, since: map[*ir.Value][]*ir.Value{}, later: map[*ir.Op]bool{},
		need: sync.OnceValue(func() *pressure { return newPressure(fn, buffers) })}
}

// inParts looks at the blocks of a function, and returns how often it made a source in the
// target, of those that goesTo tells: first where that takes the target at about the time at
// which it is allocated anyway, and then, unless near ones are all that is asked for, where it takes the target early, which is returned as well. What
// there is room for then depends on what those leave. buffers is the picture of the function as it is, or nil.
func inParts(fn *ir.Op, calls *analysis.CallSummaries, buffers *analysis.Buffers, near bool, goesTo func(op *ir.Op) []copied) (n, early int) {
	for _, nearby := range []bool{true, false} {
		if buffers == nil || !nearby {
			buffers = analysis.NewBuffers(fn, analysis.BufferOptions{Calls: calls})
		}
		e := newElider(fn, buffers)
		e.nearby = nearby
		made := 0
		for _, b := range blocksIn(fn) {
			made += e.inBlock(b, goesTo)
		}
		if n += made; !nearby {
			early = made
		}
		if !e.left || near {
			break
		}
	}
	return n, early
}

// inBlock looks at the operations of a block in order, and returns how often it made a source in the target, of those that
// goesTo tells. Copies go then.
func (e *elider) inBlock(b *ir.Block, goesTo func(op *ir.Op) []copied) (n int) {
	e.last = e.buffers.NewLastUses()
	for t, list := range e.since {
		e.open[t] = append(e.open[t], list...)
	}
	clear(e.since)
	var ops []*ir.Op
	for op := range b.Ops() {
		ops = append(ops, op)
	}
	for _, op := range ops {
		if op.Block() == nil {
			continue // freed what is gone
		}
		for _, m := range goesTo(op) {
			if x := e.taken(op, m); x != nil && e.inPlace(x) {
				n++
				break
			}
		}
		if op.Block() != nil && !e.later[op] {
			e.last.Add(op, accesses)
		}
	}
	return n
}

// taken is a buffer that an operation moves to another one, all of it.
type taken struct {
	copied
	op    *ir.Op
	whole *ir.Value // what source is, or sees in another shape
	views []*ir.Op  // from source to whole
	alloc *ir.Op
	free  *ir.Op
	// t is the type of whole if source has that of target.
	t *ir.MemRefType
	// first is the first operation of the block that uses the buffer. last is the last one, if that is after op: of
	// those that only read.
	first, last *ir.Op
}

// mostReaders limits the uses of a buffer that is still read after it was copied.
const mostReaders = 256

// taken returns what is known about the source of a move; nil if it can't be made in the target.
func (e *elider) taken(op *ir.Op, m copied) *taken {
	x := &taken{copied: m, op: op, whole: m.source}
	t, ok := m.target.Type().(*ir.MemRefType)
	var way ir.Trail
	for def := m.source.DefiningOp(); ok && def != nil && def.Block() == op.Block() && !way.Returns(x.whole); def = x.whole.DefiningOp() {
		from := memref.SourceType(def, t)
		if from == nil {
			break
		}
		x.views, x.whole, t = append(x.views, def), viewed(def), from
	}
	if x.t = t; !ok || t.Elem != ir.ElementType(x.whole.Type()) || t.Space != ir.MemorySpaceOf(x.whole.Type()) {
		return nil
	}
	x.alloc = allocation(x.whole)
	if x.alloc == nil || x.alloc.Block() != op.Block() || e.escapes(x.whole) != 0 || e.mayBeSame(x.whole, m.target) || !e.isOnlyTarget(x) || len(e.parts[x.whole]) >= mostParts {
		return nil
	}
	// This looks at all uses, of which a buffer that is moved within itself may have many.
	if x.free = onlyFree(x.whole); x.free == nil || !op.IsBefore(x.free) {
		return nil
	}
	_, isCopy := copyOf(op)
	uses := 0
	e.uses(x.whole, func(u *ir.Use) {
		user := op.Block().AncestorIn(u.Owner())
		uses++
		switch {
		case !ok || user == nil:
			ok = false
		case u.Owner() == x.free:
			ok = u.Value() == x.whole
		case u.Owner() == op:
			ok = u.Value() == m.source
		case user.IsBefore(op):
			if ok = x.canUse(u); x.first == nil || user.IsBefore(x.first) {
				x.first = user
			}
		case user == op || !isCopy || uses > mostReaders || !reads(u.Owner(), u.Index()) && !isPureView(u):
			ok = false
		default:
			if ok = x.canUse(u) && user.IsBefore(x.free); x.last == nil || x.last.IsBefore(user) {
				x.last = user
			}
		}
	})
	if !ok || x.first == nil || uses > mostReaders && x.last != nil {
		return nil
	}
	return x
}

// isPureView tells whether a use makes a view and does nothing else.
func isPureView(u *ir.Use) bool {
	return u.Index() == 0 && viewed(u.Owner()) != nil && interfaces.IsPure(u.Owner())
}

// viewed returns what the result of an operation is a view of; nil if it is none.
func viewed(op *ir.Op) *ir.Value {
	if v := interfaces.ViewSource(op); v != nil {
		return v
	}
	if m, ok := interfaces.OtherView.Of(op); ok {
		return m(op)
	}
	return nil
}

// canUse tells whether a use of the buffer, by whatever name, can be one of the target; if the types differ, that is left to
// [retype].
func (x *taken) canUse(u *ir.Use) bool {
	op := u.Owner()
	if !ir.IsMemRef(u.Value().Type()) || op.Has(ir.TraitTerminator) || op.Is(memref.AssumeAlignment) {
		return false
	}
	_, branch := interfaces.RegionBranch.Of(op)
	return u.Value() != x.whole || !branch
}

// inPlace makes the source of a move in the target, and tells whether it did so.
func (e *elider) inPlace(x *taken) bool {
	// Nothing else uses the target since then, but for what fills it, which can be done before.
	var fills []*ir.Op
	ok := true
	if last := e.lastUse(x.target); last != nil && !last.IsBefore(x.first) {
		if fills, ok = e.preparing(x); !ok {
			return false
		}
	}
	base, only := e.only(x.target)
	var free *ir.Op // of the target, if it is too early
	if x.last != nil {
		if !only {
			return false
		}
		if free, ok = e.staysUntil(base, x); !ok {
			return false
		}
	}
	moving, ok := needed(x.target, fills, x.first)
	if !ok {
		return false
	}
	need := e.need() // of the types as they were
	if e.nearby && only && !need.quiet(x.first, x.op, x.whole, base) {
		e.left = true
		return false
	}
	types := retype(x.whole, x.t, func(op *ir.Op) bool { return op == x.op || op == x.free })
	if types == nil {
		return false
	}
	if only && !need.merge(x.whole, base, x.first, x.last) {
		types.undo()
		return false
	}
	for _, op := range moving {
		op.MoveBefore(x.first)
		e.last.Moved(op)
		need.place(op, x.first)
	}
	if free != nil {
		free.MoveAfter(x.last)
		e.later[free] = true
	}
	// Later moves see that the target was used.
	if used := e.lastUse(x.whole); used != nil {
		e.last.AddValue(x.target, used)
	}
	e.join(x)
	if _, ok := copyOf(x.op); ok {
		x.op.Erase()
	}
	x.free.Erase()
	if x.source.Type() == x.target.Type() {
		x.source.ReplaceAllUsesWith(x.target)
	}
	if x.whole.HasUses() {
		b := ir.NewBuilder(x.alloc.Context())
		b.Loc = x.alloc.Loc()
		b.SetBefore(x.first)
		v := x.target
		for _, view := range x.views {
			v = memref.NewSource(b, view, v)
		}
		x.whole.ReplaceAllUsesWith(v)
	}
	types.finish()
	x.alloc.Erase()
	return true
}

// only returns the buffer that a value is or is a part of, if there is just one.
func (e *elider) only(v *ir.Value) (*ir.Value, bool) {
	t, ok := e.buffers.Only(v)
	for ok {
		// The first is the innermost; what it is a part of follows.
		list := e.joined[t]
		if len(list) == 0 {
			break
		}
		if e.several[t] {
			return nil, false
		}
		t = list[0]
	}
	return t, ok
}

// uses calls fn for each use of a buffer, and of its parts, by any name.
func (e *elider) uses(v *ir.Value, fn func(u *ir.Use)) {
	// Views that were made since have sources that are known.
	var views []*ir.Value
	use := func(u *ir.Use) {
		fn(u)
		if isPureView(u) && !e.buffers.Knows(u.Owner().Result(0)) {
			views = append(views, u.Owner().Result(0))
		}
	}
	e.buffers.Uses(v, use)
	for _, w := range e.parts[v] {
		e.buffers.Uses(w, use)
	}
	for len(views) > 0 {
		v := views[len(views)-1]
		views = views[:len(views)-1]
		for u := v.FirstUse(); u != nil; u = u.Next() {
			use(u)
		}
	}
}

// escapes returns the ways on which a buffer, or a part of it, leaves.
func (e *elider) escapes(v *ir.Value) analysis.Escape {
	ways := e.buffers.Escapes(v)
	for _, w := range e.parts[v] {
		ways |= e.buffers.Escapes(w)
	}
	return ways
}

// mayBeSame tells whether a value may be, or be a part of, a buffer that is allocated in the function.
func (e *elider) mayBeSame(buffer, v *ir.Value) (same bool) {
	if e.buffers.Query(buffer, v) != analysis.NeverAlias || e.haveCommon(buffer, v) {
		return true
	}
	for _, w := range e.parts[buffer] {
		same = same || e.buffers.Query(w, v) != analysis.NeverAlias
	}
	return same
}

// isOnlyTarget tells whether an operation that moves a buffer uses that of the target by no other operand.
func (e *elider) isOnlyTarget(x *taken) bool {
	for i := range x.op.NumOperands() {
		v := x.op.Operand(i)
		if v == x.source || !ir.IsMemRef(v.Type()) {
			continue
		}
		if v == x.target {
			if changes(x.op, i) {
				continue
			}
			return false
		}
		if e.mayHaveCommon(v, x.target) {
			return false
		}
	}
	return true
}

// haveCommon tells whether two values may be parts of the same buffer.
func (e *elider) haveCommon(v, w *ir.Value) (common bool) {
	if len(e.joined) == 0 {
		return false // what is common to them is known
	}
	in := map[*ir.Value]bool{}
	e.ends(v, func(t *ir.Value) { in[t] = true })
	e.ends(w, func(t *ir.Value) { common = common || in[t] })
	return common
}

// ends calls fn for the buffers that a value may be, or be a part of.
func (e *elider) ends(v *ir.Value, fn func(t *ir.Value)) {
	e.buffers.Terminals(v, func(t *ir.Value) {
		fn(t)
		for _, t := range e.joined[t] {
			fn(t)
		}
	})
}

// lastUse returns the last operation that may use the buffer of a value, of those that were looked at; nil if there is
// none.
func (e *elider) lastUse(v *ir.Value) *ir.Op {
	last := e.last.Of(v)
	e.buffers.Terminals(v, func(t *ir.Value) {
		for _, w := range e.open[t] {
			if used := e.last.Of(w); last == nil || used != nil && last.IsBefore(used) {
				last = used
			}
		}
	})
	return last
}

// join notes that a buffer is a part of another one.
func (e *elider) join(x *taken) {
	gone := append([]*ir.Value{x.whole}, e.parts[x.whole]...)
	open, since := slices.Clip(e.open[x.whole]), slices.Clip(e.since[x.whole])
	if x.last != nil {
		open = append(open, x.whole)
	} else {
		since = append(since, x.whole) // the target has its last use
	}
	_, only := e.buffers.Only(x.target)
	e.several[x.whole] = !only
	e.ends(x.target, func(t *ir.Value) {
		e.parts[t] = append(e.parts[t], gone...)
		e.open[t], e.since[t] = append(e.open[t], open...), append(e.since[t], since...)
		for _, w := range gone {
			e.joined[w] = append(e.joined[w], t)
		}
	})
}

// staysUntil tells whether the contents of a buffer that a source is copied to stay until the
// last operation that reads the source, if the free that it returns, if any, moves behind that
// one.
func (e *elider) staysUntil(base *ir.Value, x *taken) (free *ir.Op, ok bool) {
	alloc := allocation(base)
	if alloc == nil || e.escapes(base).Has(analysis.Kept) {
		return nil, false
	}
	last := onlyFree(base)
	ok = true
	each := e.uses
	if isNear(x.op, x.last) {
		// Others don't matter.
		each = func(base *ir.Value, fn func(u *ir.Use)) { e.usesBetween(base, x.op, x.last, fn) }
	}
	each(base, func(u *ir.Use) {
		user := x.op.Block().AncestorIn(u.Owner())
		switch {
		case user == nil || user == x.op || user.IsBefore(x.op) || x.last.IsBefore(user) || reads(u.Owner(), u.Index()) || isPureView(u):
		case u.Owner() == last && user == last:
			free = user
		default:
			ok = false
		}
	})
	return free, ok
}

// preparing lists the operations from the first use of the source up to a copy into the target that do nothing but
// write to the target's buffer, and read nothing that isn't the same before; false if others use it there.
func (e *elider) preparing(x *taken) (fills []*ir.Op, ok bool) {
	base, only := e.only(x.target)
	if !only || allocation(base) == nil && !analysis.IsDistinct(base) || e.buffers.Escapes(base).Has(analysis.Kept) {
		return nil, false
	}
	ok = true
	first, op, alloc := x.first, x.op, allocation(base)
	around := inSequence(op, base.ParentBlock())
	each := e.uses
	if around && isNear(first, op) {
		each = func(base *ir.Value, fn func(u *ir.Use)) { e.usesBetween(base, first, op, fn) }
	}
	each(base, func(u *ir.Use) {
		user := op.Block().AncestorIn(u.Owner())
		switch view := viewed(u.Owner()) != nil; {
		case user != nil && (user.IsBefore(first) || user == op || op.IsBefore(user)) || view && user == u.Owner():
		case user == nil:
			// Outside, it is used before or later.
			ok = ok && around
		case alloc != nil && analysis.ExistsBefore(u.Value(), alloc):
			// What the allocation made in an iteration before.
		case user == first && user == u.Owner() && sameSlice(u.Value(), x.target) && overwrites(user, u.Index(), x.whole):
		case disjoint(u.Value(), x.target):
		case user == u.Owner() && (onlyWrites(user, u) || e.canCopyBefore(user, u, first)):
			if !slices.Contains(fills, user) {
				fills = append(fills, user)
			}
		default:
			ok = false
		}
	})
	slices.SortFunc(fills, ir.ComparePlaces)
	return fills, ok
}

// near is a number of operations that are as fast to look at as the uses of a buffer.
const near = 64

// isNear tells whether there are at most so many operations from one to another one of its block, with those in them.
func isNear(first, last *ir.Op) bool {
	n := 0
	for x := first; x != nil && n <= near; x = x.Next() {
		x.Walk(func(*ir.Op) bool { n++; return n <= near })
		if x == last {
			return n <= near
		}
	}
	return false
}

// usesBetween calls fn for the uses of a buffer, as uses does, by the operations from one to another one of its block.
func (e *elider) usesBetween(v *ir.Value, first, last *ir.Op, fn func(u *ir.Use)) {
	for x := first; ; x = x.Next() {
		x.Walk(func(op *ir.Op) bool {
			for i := range op.NumOperands() {
				if u := op.OperandUse(i); e.isName(u.Value(), v) {
					fn(u)
				}
			}
			return true
		})
		if x == last {
			return
		}
	}
}

// isName tells whether a value may be a buffer, or a part of it.
func (e *elider) isName(v, buffer *ir.Value) (is bool) {
	for !e.buffers.Knows(v) {
		def := v.DefiningOp()
		if def == nil || v != def.Result(0) || viewed(def) == nil || !interfaces.IsPure(def) {
			return false
		}
		v = viewed(def) // views that were made since
	}
	e.ends(v, func(t *ir.Value) { is = is || t == buffer })
	return is
}

// inSequence tells whether what holds an operation, from a block on, executes its bodies one after the other.
func inSequence(op *ir.Op, from *ir.Block) bool {
	for op.Block() != from {
		if op = op.Parent(); op == nil || op.Has(ir.TraitParallelRegion) {
			return false
		}
		if !interfaces.RegionBranch.Has(op) {
			return false
		}
	}
	return true
}

// overwrites tells whether an operation writes each element of a buffer once, when it has read the one at the same place of
// operand i, and uses that buffer in no other way.
func overwrites(op *ir.Op, i int, v *ir.Value) bool {
	maps := interfaces.IndexingMaps(op)
	start, n, ok := destinations(op)
	if !ok || len(maps) != op.NumOperands() || i >= start {
		return false
	}
	written := false
	for k := range op.NumOperands() {
		if op.Operand(k) != v {
			continue
		}
		if k < start || k >= start+n || !maps[k].IsPermutation() || (linalg.StructuredOp{Op: op}).ReadsInit(op.OperandUse(k)) || !sameElement(maps[i], maps[k], v.Type()) {
			return false
		}
		written = true
	}
	return written
}

// destinations returns the first operand of a structured operation on buffers that it writes, and how many it writes.
func destinations(op *ir.Op) (start, n int, ok bool) {
	m, ok := interfaces.DestinationStyle.Of(op)
	if !ok || op.NumResults() > 0 || !interfaces.HasBufferSemantics(op) {
		return 0, 0, false
	}
	start, n = m(op)
	return start, n, true
}

// canCopyBefore tells whether a use is that of the target of a copy whose source is the same before an earlier operation of
// its block: a buffer that nothing changes from there on.
func (e *elider) canCopyBefore(op *ir.Op, u *ir.Use, first *ir.Op) bool {
	m, ok := copyOf(op)
	if !ok || m.target != u.Value() || e.mayHaveCommon(m.source, m.target) {
		return false
	}
	base, only := e.only(m.source)
	if !only || allocation(base) == nil || e.escapes(base).Has(analysis.Kept) {
		return false
	}
	e.uses(base, func(u *ir.Use) {
		user := op.Block().AncestorIn(u.Owner())
		ok = ok && (user == op || user != nil && (user.IsBefore(first) || op.IsBefore(user)) || reads(u.Owner(), u.Index()) || isPureView(u))
	})
	return ok
}

// mayHaveCommon tells whether two values may be parts of the same buffer, now.
func (e *elider) mayHaveCommon(v, w *ir.Value) bool {
	return e.buffers.Query(v, w) != analysis.NeverAlias || e.haveCommon(v, w)
}

// onlyWrites tells whether an operation does nothing with memory but write to the buffer of a
// use.
func onlyWrites(op *ir.Op, u *ir.Use) bool {
	inits := interfaces.DpsInits(op)
	if interfaces.IndexingMaps(op) == nil || op.NumResults() > 0 || len(inits) != 1 || &inits[0] != u || (linalg.StructuredOp{Op: op}).ReadsInit(u) {
		return false
	}
	for i := range op.NumOperands() {
		if i != u.Index() && ir.IsShaped(op.Operand(i).Type()) {
			return false
		}
	}
	for x := range op.BodyBlock(0).Ops() {
		if !interfaces.IsMemoryEffectFree(x) && !interfaces.IsRegionTerminator(x) {
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
		if def == before || def.NumRegions() > 0 || !alloc && !interfaces.IsPure(def) {
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
