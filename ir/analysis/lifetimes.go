package analysis

import (
	"cmp"
	"slices"

	"freehold/iface"
	"freehold/ir"
)

// Span is a half-open range of the times of a function.
type Span struct{ Lower, Upper int64 }

// Lifetime says when a buffer, or a tensor, may be alive.
type Lifetime struct {
	// Value is where it appears: the result of an operation.
	Value *ir.Value
	// Spans are when it may be alive, in order, with gaps between them.
	Spans []Span
	// Escape tells how it leaves what can be seen.
	Escape Escape
	// Frees are the operations that may free it, in no order.
	Frees []*ir.Op
	// Leaked tells that nothing frees it, and not each path returns it, so that it may be alive to the end; or that
	// of several that are made one after the other at most one is returned.
	Leaked bool
	// Rounds are what may make it again while the one before is still alive, because nothing
	// ends its life in between.
	Rounds Rounds
	// Automatic tells that it is freed when control leaves its scope.
	Automatic bool
	// Overlaps tells that one that the same operation made before may be alive still when
	// it makes the next, as it is if a loop carries it.
	Overlaps bool
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
	fn    *ir.Op
	times map[*ir.Op]Span
	end   int64
	seq   []*ir.Op // the operation of each two times
	// toLastUse tells that frees don't count as uses.
	toLastUse bool
	// cycles are those of regions of several blocks that were asked for.
	cycles map[*ir.Region]*Cycles
}

// NewLifetimes numbers the operations of a function. Linear.
func NewLifetimes(fn *ir.Op) *Lifetimes {
	l := &Lifetimes{fn: fn, times: map[*ir.Op]Span{}, cycles: map[*ir.Region]*Cycles{}}
	l.number(fn)
	l.end = int64(2 * len(l.seq))
	return l
}

// NewLifetimesToLastUse is NewLifetimes for a function in which frees are still to be moved: they don't count as uses. Linear.
func NewLifetimesToLastUse(fn *ir.Op) *Lifetimes {
	l := NewLifetimes(fn)
	l.toLastUse = true
	return l
}

func (l *Lifetimes) number(op *ir.Op) {
	begin := int64(2 * len(l.seq))
	l.seq = append(l.seq, op)
	if op.NumRegions() > 0 {
		for _, r := range op.Regions() {
			for b := range r.Blocks() {
				for x := range b.Ops() {
					l.number(x)
				}
			}
		}
		l.seq = append(l.seq, op)
	}
	l.times[op] = Span{begin, int64(2*len(l.seq) - 2)}
}

// Of returns the times of an operation: the one at which it begins, and, the same if it has
// no regions, the one at which it ends.
func (l *Lifetimes) Of(op *ir.Op) (begin, end int64) {
	s := l.times[op]
	return s.Lower, s.Upper
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
			c := l.cycles[r]
			if c == nil {
				c = NewCycles(r)
				l.cycles[r] = c
			}
			out.Cycle = out.Cycle || c.InCycle(op.Block())
		}
		op = op.Parent()
		if op == l.fn || op == nil || scoped && op.Has(ir.TraitAutomaticAllocationScope) {
			break
		}
		if !entersOnce(op) {
			out.Loops = append(out.Loops, op)
		}
	}
	return out
}

// Holder is a value by which buffers are reached, together with what is only a view of it.
type Holder struct {
	Value *ir.Value
	// Spans are when it is live, in order, with gaps between them.
	Spans []Span
	// Buffers are those that it may be, by their places in [Alive.Buffers].
	Buffers []int
}

// Alive says which buffers are alive when.
type Alive struct {
	Buffers []Lifetime
	// Holders are the values that may be one of the buffers: the results at which they
	// appear, and block arguments and results of control flow, each of which is one buffer
	// at a time.
	Holders []Holder
}

// Buffers returns the lifetimes of the buffers that appear as results of operations of the
// function, in their order: of allocations and others that owned admits. It takes as many
// steps as the buffers have holders, with uses, and of blocks between these.
func (l *Lifetimes) Buffers(b *Buffers, owned func(v *ir.Value) bool) *Alive {
	b.link()
	h := &holders{l: l, b: b, of: make([]int32, len(b.nodes)), names: map[int32][]int32{}, known: map[int32]int{}}
	for i := range b.nodes {
		r := h.root(int32(i))
		h.names[r] = append(h.names[r], int32(i))
	}
	var values []*ir.Value
	for _, v := range b.order {
		if op := v.DefiningOp(); op != nil && owned(v) {
			values = append(values, v)
		}
	}
	slices.SortStableFunc(values, func(x, y *ir.Value) int { return cmp.Compare(l.defined(x), l.defined(y)) })
	for _, v := range values {
		h.add(v)
	}
	return &h.out
}

// Reach returns when something may use a value, or what is known to come from it, in order. It
// takes as many steps as there are names with uses, and blocks between these.
func (l *Lifetimes) Reach(b *Buffers, v *ir.Value) []Span {
	s := spanner{l: l}
	b.Names(v, s.value)
	return s.merged()
}

// After returns the times that may come after an operation, in order.
func (l *Lifetimes) After(op *ir.Op) []Span {
	s := spanner{l: l}
	_, end := l.Of(op)
	s.toEnd(op.Block(), end+1, false)
	return s.merged()
}

// mostHolders limits the number of holders of a buffer whose times are told apart. One with more is
// taken to be alive from the first to the last.
const mostHolders = 256

// holders collects the lifetimes of buffers.
type holders struct {
	l     *Lifetimes
	b     *Buffers
	of    []int32           // by node: the node it is a view of, plus one
	names map[int32][]int32 // the nodes that are views of one, with itself
	known map[int32]int     // places of holders by node
	out   Alive
}

// root returns the node that a node is only a view of.
func (h *holders) root(i int32) int32 {
	if r := h.of[i]; r != 0 {
		return r - 1
	}
	h.of[i] = i + 1 // in code that is never executed, values may depend on themselves
	n := &h.b.nodes[i]
	if n.first == 0 || n.first != n.last || n.terminal != 0 || n.value.IsBlockArg() || isRegionBranch(n.value.DefiningOp()) {
		return i
	}
	r := h.root(h.b.edges[n.first-1].source)
	h.of[i] = r + 1
	return r
}

// add adds a buffer, and the holders that weren't known.
func (h *holders) add(v *ir.Value) {
	b := h.b
	at := len(h.out.Buffers)
	first := b.node(v)
	t := Lifetime{Value: v, Escape: b.nodes[first].escape}
	time, _ := h.l.Of(v.DefiningOp())
	s := spanner{l: h.l}
	seen, freed := map[int32]bool{first: true}, map[*ir.Op]bool{}
	for work := []int32{first}; len(work) > 0; {
		r := work[0]
		work = work[1:]
		place, ok := h.known[r]
		if !ok {
			place = len(h.out.Holders)
			h.known[r] = place
			h.out.Holders = append(h.out.Holders, h.holder(r))
		}
		x := &h.out.Holders[place]
		x.Buffers = append(x.Buffers, at)
		s.spans = append(s.spans, x.Spans...)
		for _, y := range x.Spans {
			t.Overlaps = t.Overlaps || r != first && y.Lower <= time && time < y.Upper
		}
		for _, i := range h.names[r] {
			for u := b.nodes[i].value.FirstUse(); u != nil; u = u.Next() {
				if op := u.Owner(); MayFree(op, u.Index()) && !freed[op] {
					freed[op] = true
					t.Frees = append(t.Frees, op)
				}
			}
			for _, to := range b.targets[b.first[i]:b.first[i+1]] {
				if to = h.root(to); !seen[to] {
					seen[to] = true
					work = append(work, to)
				}
			}
		}
	}
	t.Automatic = isAutomatic(v)
	if len(t.Frees) == 0 {
		t.Rounds = h.l.Rounds(v.DefiningOp(), t.Automatic)
	}
	t.Leaked = len(t.Frees) == 0 && !t.Automatic && (!t.Escape.Has(Returned) || t.Rounds.Any() || !h.alwaysReturned(v))
	if t.Leaked || t.Automatic || t.Escape.Has(Kept) {
		s.toEnd(v.ParentBlock(), h.l.defined(v), t.Automatic)
	}
	if len(seen) > mostHolders {
		// To put them all into order, for each of many buffers, would take too long.
		t.Spans = s.hull()
	} else {
		t.Spans = s.merged()
	}
	h.out.Buffers = append(h.out.Buffers, t)
}

func (h *holders) holder(r int32) Holder {
	s := spanner{l: h.l}
	for _, i := range h.names[r] {
		s.value(h.b.nodes[i].value)
	}
	return Holder{Value: h.b.nodes[r].value, Spans: s.merged()}
}

// Tensors returns the lifetimes of the tensors that operations of the function compute, each
// as a buffer of its own, in their order. What only passes tensors on, such as control flow
// and casts, computes none; own tells for other operations.
func (l *Lifetimes) Tensors(own func(v *ir.Value) bool) (out []Lifetime) {
	for i, op := range l.seq {
		if i > 0 && l.times[op].Lower != int64(2*i) || op == l.fn || passesOn(op) {
			continue
		}
		for _, v := range op.Results().Values() {
			if !ir.IsTensor(v.Type()) || !own(v) {
				continue
			}
			s := spanner{l: l}
			seen := map[*ir.Value]bool{v: true}
			for work := []*ir.Value{v}; len(work) > 0; {
				name := work[len(work)-1]
				work = work[:len(work)-1]
				s.value(name)
				for u := name.FirstUse(); u != nil; u = u.Next() {
					forEachPassed(u, func(to *ir.Value) {
						if !seen[to] {
							seen[to] = true
							work = append(work, to)
						}
					})
				}
			}
			out = append(out, Lifetime{Value: v, Spans: s.merged()})
		}
	}
	return out
}

// passesOn tells whether the results of an operation are values that it is given.
func passesOn(op *ir.Op) bool {
	return isRegionBranch(op) || iface.IsCast(op)
}

// forEachPassed calls fn for what a use passes its value on as.
func forEachPassed(u *ir.Use, fn func(to *ir.Value)) {
	op, i := u.Owner(), u.Index()
	pass := func(start, n int, s iface.RegionSuccessor) {
		if i >= start && i < start+n && i-start < len(s.Inputs) {
			fn(s.Inputs[i-start])
		}
	}
	if iface.IsCast(op) && op.NumResults() == 1 {
		fn(op.Result(0))
		return
	}
	if m, ok := iface.Branch.Of(op); ok {
		for s := range op.NumSuccessors() {
			if start, n, produced := m.SuccessorOperands(op, s); i >= start && i < start+n {
				fn(op.Successor(s).Arg(produced + i - start))
			}
		}
		return
	}
	if m, ok := iface.RegionBranch.Of(op); ok {
		for _, s := range m.Successors(op, iface.ParentPoint) {
			start, n := m.EntryOperands(op, iface.RegionPoint{Region: s.Region})
			pass(start, n, s)
		}
	}
	if iface.IsRegionTerminator(op) && op.Parent() != nil {
		if m, ok := iface.RegionBranch.Of(op.Parent()); ok {
			for _, s := range m.Successors(op.Parent(), iface.RegionPoint{Region: op.Region()}) {
				start, n := iface.TerminatorOperands(op, iface.RegionPoint{Region: s.Region})
				pass(start, n, s)
			}
		}
	}
}

// MayFree tells whether an operation may free an operand.
func MayFree(op *ir.Op, operand int) bool {
	if m, ok := iface.ConditionalFree.Of(op); ok {
		start, n := m(op)
		return operand >= start && operand < start+n
	}
	effects, _ := iface.EffectsOf(op)
	for _, e := range effects {
		if e.Kind == iface.Free && e.IsOn(operand) {
			return true
		}
	}
	return false
}

// isAutomatic tells whether a buffer is freed when control leaves its scope.
func isAutomatic(v *ir.Value) bool {
	op := v.DefiningOp()
	effects, _ := iface.EffectsOf(op)
	for _, e := range effects {
		if e.Kind == iface.Allocate && e.Value(op) == v {
			return e.On() == iface.AutomaticAllocationScopeResource
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
	_, call := iface.Call.Of(op)
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

// spanner collects times.
type spanner struct {
	l     *Lifetimes
	spans []Span
}

func (s *spanner) add(from, to int64) {
	if from < to {
		s.spans = append(s.spans, Span{from, to})
	}
}

// value adds when a value is live.
func (s *spanner) value(v *ir.Value) {
	var uses []*ir.Use
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if !s.l.toLastUse || !MayFree(u.Owner(), u.Index()) {
			uses = append(uses, u)
		}
	}
	start := s.l.defined(v)
	s.add(start, start+1)
	s.live(v.ParentBlock(), start, uses)
}

// live adds when a value is live that exists from a time on in a block, in the block's
// region.
func (s *spanner) live(def *ir.Block, start int64, uses []*ir.Use) {
	region := def.Region()
	if region.NumBlocks() == 1 {
		s.inBlock(def, start, uses)
		return
	}
	byBlock := map[*ir.Block][]*ir.Use{}
	var work []*ir.Block
	for _, u := range uses {
		b := region.AncestorIn(u.Owner()).Block()
		if byBlock[b] == nil && b != def {
			work = append(work, b)
		}
		byBlock[b] = append(byBlock[b], u)
	}
	out := map[*ir.Block]bool{}
	in := map[*ir.Block]bool{}
	var order []*ir.Block
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if in[b] || b == def {
			continue
		}
		in[b] = true
		order = append(order, b)
		for u := b.FirstPred(); u != nil; u = u.NextPred() {
			p := u.Owner().Block()
			out[p] = true
			work = append(work, p)
		}
	}
	s.throughBlock(def, start, byBlock[def], out[def])
	for _, b := range order {
		s.throughBlock(b, s.l.blockStart(b), byBlock[b], out[b])
	}
}

func (s *spanner) throughBlock(b *ir.Block, start int64, uses []*ir.Use, out bool) {
	if out {
		s.add(start, s.l.blockEnd(b))
		return
	}
	s.inBlock(b, start, uses)
}

// inBlock adds when a value is live that exists from a time on in a block and is used there
// alone.
func (s *spanner) inBlock(b *ir.Block, start int64, uses []*ir.Use) {
	var last *ir.Op
	for _, u := range uses {
		if op := b.AncestorIn(u.Owner()); op != nil && (last == nil || last.IsBefore(op)) {
			last = op
		}
	}
	if last == nil {
		return
	}
	begin, end := s.l.Of(last)
	if last.NumRegions() == 0 {
		s.add(start, end+1)
		return
	}
	var inside []*ir.Use
	for _, u := range uses {
		if op := u.Owner(); op != last && b.AncestorIn(op) == last {
			inside = append(inside, u)
		}
	}
	// What control flow is given, it passes on when it begins.
	switch {
	case !isRegionBranch(last) || len(inside) > 0 && !entersOnce(last):
		s.add(start, end+1)
		return
	default:
		s.add(start, begin+1)
	}
	for _, r := range last.Regions() {
		var uses []*ir.Use
		for _, u := range inside {
			if r.AncestorIn(u.Owner()) != nil {
				uses = append(uses, u)
			}
		}
		if len(uses) > 0 {
			s.live(r.Entry(), s.l.blockStart(r.Entry()), uses)
		}
	}
}

// entersOnce tells whether control that leaves a region of an operation leaves the operation.
func entersOnce(op *ir.Op) bool {
	m, ok := iface.RegionBranch.Of(op)
	if !ok || op.Has(ir.TraitParallelRegion) {
		return false
	}
	for _, r := range op.Regions() {
		for _, s := range m.Successors(op, iface.RegionPoint{Region: r}) {
			if s.Region != nil {
				return false
			}
		}
	}
	return true
}

// toEnd adds what comes after a time in a block, to the end of the function or of the
// scope in which allocations on the stack live.
func (s *spanner) toEnd(block *ir.Block, start int64, scoped bool) {
	for {
		region, op := block.Region(), block.ParentOp()
		if region.NumBlocks() == 1 {
			s.add(start, s.l.blockEnd(block))
		} else {
			s.reachable(block, start)
		}
		if op == s.l.fn || op == nil || op.Block() == nil || scoped && op.Has(ir.TraitAutomaticAllocationScope) {
			return
		}
		begin, end := s.l.Of(op)
		if start = end; !entersOnce(op) {
			start = begin
		}
		s.add(start, end+1)
		block = op.Block()
	}
}

// reachable adds what control may get to from a time in a block on, in its region.
func (s *spanner) reachable(from *ir.Block, start int64) {
	s.add(start, s.l.blockEnd(from))
	seen := map[*ir.Block]bool{}
	for work := []*ir.Block{from}; len(work) > 0; {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		t := b.Last()
		if t == nil {
			continue
		}
		for i := range t.NumSuccessors() {
			if x := t.Successor(i); !seen[x] {
				seen[x] = true
				s.add(s.l.blockStart(x), s.l.blockEnd(x))
				work = append(work, x)
			}
		}
	}
}

// hull returns the times from the first to the last.
func (s *spanner) hull() []Span {
	if len(s.spans) == 0 {
		return nil
	}
	out := s.spans[0]
	for _, x := range s.spans {
		out = Span{min(out.Lower, x.Lower), max(out.Upper, x.Upper)}
	}
	return []Span{out}
}

// merged returns the times in order.
func (s *spanner) merged() (out []Span) {
	slices.SortFunc(s.spans, func(x, y Span) int { return cmp.Compare(x.Lower, y.Lower) })
	for _, x := range s.spans {
		if n := len(out); n > 0 && x.Lower <= out[n-1].Upper {
			out[n-1].Upper = max(out[n-1].Upper, x.Upper)
			continue
		}
		out = append(out, x)
	}
	return out
}

func isRegionBranch(op *ir.Op) bool { _, ok := iface.RegionBranch.Of(op); return ok }
