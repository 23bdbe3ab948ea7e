package analysis

import (
	"slices"

	"freehold/internal/slab"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Span is a half-open range of the times of a function.
type Span struct{ Lower, Upper int64 }

// SpansHave tells whether spans, which are in order with gaps between them, have a time.
// It takes logarithmic time.
func SpansHave(spans []Span, time int64) bool {
	_, ok := slices.BinarySearchFunc(spans, time, func(s Span, time int64) int {
		switch {
		case s.Upper <= time:
			return -1
		case s.Lower > time:
			return 1
		}
		return 0
	})
	return ok
}

// has tells whether a time is one of the span's.
func (s Span) has(time int64) bool { return s.Lower <= time && time < s.Upper }

// hull returns the times from the first of both to the last; those of none are no times.
func (s Span) hull(t Span) Span {
	switch {
	case s.Lower == s.Upper:
		return t
	case t.Lower == t.Upper:
		return s
	}
	return Span{min(s.Lower, t.Lower), max(s.Upper, t.Upper)}
}

// Lifetime says when a buffer, or a tensor, may be alive.
type Lifetime struct {
	// Value is where it appears: the result of an operation.
	Value *ir.Value
	// Spans are when it may be alive, in order, with gaps between them.
	Spans []Span
	// Escape tells how it leaves what can be seen.
	Escape Escape
	// Freed tells that something may free it.
	Freed bool
	// Leaked tells that nothing frees it, and not each path returns it, so that it may be alive to the end; or that
	// of several that are made one after the other at most one is returned; or, if it is Freed, that some paths skip
	// what frees it.
	Leaked bool
	// Rounds are what may make it again while the one before is still alive, because nothing
	// ends its life in between.
	Rounds Rounds
	// Automatic tells that it is freed when control leaves its scope.
	Automatic bool
	// Overlaps tells that one that the same operation made before may be alive still when
	// it makes the next, as it is if a loop carries it.
	Overlaps bool
	// Returned are the results of the function that may be a part of a tensor, or of what it is a part of; of a buffer it is nil.
	Returned []int
}

// Lifetimes knows when the buffers of a function are alive. Time is the order of the
// function's text: an operation without regions has two times, its own and the one after
// it; one with regions has two before them and two behind them. So what is in different
// branches is at different times, and a body of a loop is there once. A buffer may be
// alive at a time if one of the values by which it can be reached is live there: its frees
// count as uses, so that it is alive from its allocation to the last operation that may
// use or free it. What nothing frees, though it is not returned, is alive to the end of the
// function.
type Lifetimes struct {
	fn *ir.Op
	// places are where an operation stands in seq: first, and, if it has regions, last.
	places map[*ir.Op][2]uint32
	end    int64
	seq    []*ir.Op // the operation of each two times
	// toLastUse tells that frees don't count as uses.
	toLastUse bool
	// doubts tells whether frees are to be doubted; nil is never.
	doubts       func() bool
	asked, doubt bool
	// cycles are those of regions of several blocks that were asked for.
	cycles map[*ir.Region]*Cycles
	// forwards are the regions of several blocks in which values were looked for; nil where control goes back.
	forwards map[*ir.Region]*forwardRegion
	// once tells of operations whether control that leaves a region of them leaves them.
	once map[*ir.Op]bool
	// reached is what control may get to in regions that were asked for.
	reached map[*ir.Region]*reachable
}

// NewLifetimes numbers the operations of a function. Linear.
func NewLifetimes(fn *ir.Op) *Lifetimes {
	l := &Lifetimes{fn: fn, cycles: map[*ir.Region]*Cycles{}, once: map[*ir.Op]bool{}}
	distinct := l.list(fn)
	l.end = int64(2 * len(l.seq))
	// A map that grew would have been allocated several times over.
	l.places = make(map[*ir.Op][2]uint32, distinct)
	for i, op := range l.seq {
		at := uint32(i)
		if p, ok := l.places[op]; ok {
			l.places[op] = [2]uint32{p[0], at}
		} else {
			l.places[op] = [2]uint32{at, at}
		}
	}
	return l
}

// NewLifetimesToLastUse is NewLifetimes for a function in which frees are still to be moved: they don't count as uses. Linear.
func NewLifetimesToLastUse(fn *ir.Op) *Lifetimes {
	l := NewLifetimes(fn)
	l.toLastUse = true
	return l
}

// NewLifetimesInDoubt is NewLifetimes for a function of which it isn't known whether it frees all that it allocates. doubts
// is called, once, if a buffer isn't certainly freed on all paths; if it returns true, such buffers are alive to the
// end. Linear.
func NewLifetimesInDoubt(fn *ir.Op, doubts func() bool) *Lifetimes {
	l := NewLifetimes(fn)
	l.doubts = doubts
	return l
}

// cyclesOf returns the cycles of a region of several blocks.
func (l *Lifetimes) cyclesOf(r *ir.Region) *Cycles {
	c := l.cycles[r]
	if c == nil {
		c = NewCycles(r)
		l.cycles[r] = c
	}
	return c
}

// list puts an operation, and those in its regions, into the order of their times. It returns how many there are.
func (l *Lifetimes) list(op *ir.Op) (distinct int) {
	l.seq = slab.Append(l.seq, op)
	distinct = 1
	if op.NumRegions() > 0 {
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for x := range b.Ops() {
					distinct += l.list(x)
				}
			}
		}
		l.seq = slab.Append(l.seq, op)
	}
	return distinct
}

// Of returns the times of an operation: the one at which it begins, and, the same if it has
// no regions, the one at which it ends.
func (l *Lifetimes) Of(op *ir.Op) (begin, end int64) {
	p := l.places[op]
	return 2 * int64(p[0]), 2 * int64(p[1])
}

// At returns the operation at a time.
func (l *Lifetimes) At(time int64) *ir.Op { return l.seq[time/2] }

// End returns the time after the last.
func (l *Lifetimes) End() int64 { return l.end }

// Rounds is what may execute an operation several times.
type Rounds struct {
	// Loops are operations with regions that may be executed several times each time they are.
	Loops []*ir.Op
	// Cycle tells that control may come back to it in the graph of blocks.
	Cycle bool
}

// Any tells whether there is anything.
func (r Rounds) Any() bool { return r.Cycle || len(r.Loops) > 0 }

// Rounds returns what may execute an operation several times each time the function is called, or, if
// scoped, each time the scope of its allocations on the stack is entered.
func (l *Lifetimes) Rounds(op *ir.Op, scoped bool) (out Rounds) {
	for op != l.fn && op.Block() != nil {
		if r := op.Region(); r.NumBlocks() > 1 {
			out.Cycle = out.Cycle || l.cyclesOf(r).InCycle(op.Block())
		}
		op = op.Parent()
		if op == l.fn || op == nil || scoped && op.Has(ir.TraitAutomaticAllocationScope) {
			break
		}
		if !l.entersOnce(op) {
			out.Loops = append(out.Loops, op)
		}
	}
	return out
}

// Reach tells when something may use a value, or what is known to come from it, but for values of which stop is true, in order. Each
// value is looked at once.
func (l *Lifetimes) Reach(b *Buffers, stop func(v *ir.Value) bool) *Summaries[[]Span] {
	follow := func(v *ir.Value) bool { return !stop(v) }
	return Summarize(b, follow, func(v *ir.Value) []Span {
		s := spanner{l: l}
		s.value(v)
		return s.merged()
	}, united)
}

// After returns the times that may come after an operation, in order.
func (l *Lifetimes) After(op *ir.Op) []Span {
	s := spanner{l: l}
	_, end := l.Of(op)
	s.toEnd(op.Block(), end+1, false)
	return s.merged()
}

// MayFree tells whether an operation may free an operand.
func MayFree(op *ir.Op, operand int) bool {
	if interfaces.AccessesOperands.Has(op) {
		return false
	}
	if m, ok := interfaces.ConditionalFree.Of(op); ok {
		start, n := m(op)
		return operand >= start && operand < start+n
	}
	effects, _ := interfaces.EffectsOf(op)
	for _, e := range effects {
		if e.Kind == interfaces.Free && e.IsOn(operand) {
			return true
		}
	}
	return false
}

// isAutomatic tells whether a buffer is freed when control leaves its scope.
func isAutomatic(v *ir.Value) bool {
	op := v.DefiningOp()
	effects, _ := interfaces.EffectsOf(op)
	for _, e := range effects {
		if e.Kind == interfaces.Allocate && e.Value(op) == v {
			return e.On() == interfaces.AutomaticAllocationScopeResource
		}
	}
	return false
}

// defined returns the time from which on a value exists.
func (l *Lifetimes) defined(v *ir.Value) int64 {
	if v.IsBlockArg() {
		return l.blockStart(v.ParentBlock())
	}
	op := v.DefiningOp()
	begin, end := l.Of(op)
	_, call := interfaces.Call.Of(op)
	switch {
	case isRegionBranch(op) && op.NumRegions() > 0:
		return end - 1 // joined to what was yielded
	case call:
		return begin + 1 // while the callee is at work, it is the callee's
	}
	return begin
}

// blockStart returns the time after what is before the block in the text.
func (l *Lifetimes) blockStart(b *ir.Block) int64 {
	if op := b.First(); op != nil {
		begin, _ := l.Of(op)
		return begin - 1
	}
	begin, _ := l.Of(b.ParentOp())
	return begin + 1
}

// blockEnd returns the time after the block's last.
func (l *Lifetimes) blockEnd(b *ir.Block) int64 {
	if op := b.Last(); op != nil {
		_, end := l.Of(op)
		return end + 1
	}
	return l.blockStart(b)
}

func isRegionBranch(op *ir.Op) bool { return interfaces.RegionBranch.Has(op) }

// entersOnce is [entersOnce], which is found out once: an operation with many regions is asked for what is in each.
func (l *Lifetimes) entersOnce(op *ir.Op) bool {
	once, known := l.once[op]
	if !known {
		once = entersOnce(op)
		l.once[op] = once
	}
	return once
}

// entersOnce tells whether control that leaves a region of an operation leaves the operation.
func entersOnce(op *ir.Op) bool {
	m, ok := interfaces.RegionBranch.Of(op)
	if !ok || op.Has(ir.TraitParallelRegion) {
		return false
	}
	for _, r := range op.Regions() {
		for _, s := range m.Successors(op, interfaces.RegionPoint{Region: r}) {
			if s.Region != nil {
				return false
			}
		}
	}
	return true
}
