package analysis

import (
	"cmp"
	"slices"

	"freehold/ir"
)

// Holder is a value by which buffers are reached, together with what is only a view of it.
type Holder struct {
	Value *ir.Value
	// Spans are when it is live, in order, with gaps between them.
	Spans []Span
	// Buffer is the place in [Alive.Buffers] of the buffer that appears at it, or -1.
	Buffer int
	// Sources are the places of the holders that it may get a buffer from.
	Sources []int
}

// Alive says which buffers are alive when.
type Alive struct {
	Buffers []Lifetime
	// Holders are the values that may be one of the buffers: the results at which they
	// appear, and block arguments and results of control flow, each of which is one buffer
	// at a time.
	Holders []Holder

	targets [][]int // by holder: those whose source it is
	appears []int   // by buffer: its holder
	// comps are the holders that get buffers from each other, each after those that it leads to.
	comps [][]int
}

// Held joins what one says of buffers, by their places, over those that each holder may be. join must be
// associative, commutative and idempotent. Both are called as often as there are holders, and flows between them.
func Held[T any](a *Alive, one func(buffer int) T, join func(x, y T) T) []T {
	comps := slices.Clone(a.comps)
	slices.Reverse(comps)
	return sumUp(a, comps, func(i int) (x T, ok bool) {
		if b := a.Holders[i].Buffer; b >= 0 {
			return one(b), true
		}
		return x, false
	}, func(i int) []int { return a.Holders[i].Sources }, join)
}

// Holding joins what one says of holders, by their places, over those that may be each buffer. It is like [Held].
func Holding[T any](a *Alive, one func(holder int) T, join func(x, y T) T) []T {
	sums := held(a, one, join)
	out := make([]T, len(a.Buffers))
	for b, i := range a.appears {
		out[b] = sums[i]
	}
	return out
}

// held joins what one says of holders, by holder over itself and all that may get a buffer from it.
func held[T any](a *Alive, one func(holder int) T, join func(x, y T) T) []T {
	return sumUp(a, a.comps, func(i int) (T, bool) { return one(i), true }, func(i int) []int { return a.targets[i] }, join)
}

// sumUp joins over all holders that each one leads to on edges, whose components come in the order in which they are needed.
func sumUp[T any](a *Alive, comps [][]int, one func(i int) (T, bool), edges func(i int) []int, join func(x, y T) T) []T {
	out := make([]T, len(a.Holders))
	done := make([]bool, len(a.Holders))
	for _, comp := range comps {
		var sum T
		first := true
		add := func(x T) {
			if sum = join(sum, x); first {
				sum, first = x, false
			}
		}
		for _, i := range comp {
			if x, ok := one(i); ok {
				add(x)
			}
			for _, j := range edges(i) {
				if done[j] {
					add(out[j])
				}
			}
		}
		for _, i := range comp {
			out[i], done[i] = sum, true
		}
	}
	return out
}

// Buffers returns the lifetimes of the buffers that appear as results of operations of the
// function, in their order: of allocations and others that owned admits. It takes as many
// steps as the holders of buffers have uses, and there are blocks between these; and for each buffer those of up to
// some hundreds of holders.
func (l *Lifetimes) Buffers(b *Buffers, owned func(v *ir.Value) bool) *Alive {
	b.link()
	h := &holders{l: l, b: b, of: make([]int32, len(b.nodes)), names: make([][]int32, len(b.nodes)), known: make([]int32, len(b.nodes))}
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
	for i, v := range values {
		h.find(v, i)
	}
	h.connect()
	freed := b.mayBeFreed(b.calls.MayFree)
	h.reached = make([]int32, len(h.out.Holders))
	for _, v := range values {
		h.add(v, freed[b.node(v)])
	}
	h.addMany()
	return &h.out
}

// mostHolders limits the number of holders of a buffer whose times are told apart. One with more is
// taken to be alive from the first to the last.
const mostHolders = 256

// holders collects the lifetimes of buffers.
type holders struct {
	l     *Lifetimes
	b     *Buffers
	of    []int32   // by node: the node it is a view of, plus one
	names [][]int32 // by node: those that are views of it, with itself
	known []int32   // by node: its place among the holders, plus one
	nodes []int32   // by holder
	// reached holds the last buffer, plus one, of which a holder was found to be one; many the buffers with too many.
	reached []int32
	many    []int
	ends    map[*ir.Op]*returnedBy // by return
	out     Alive
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

// find finds the holders of a buffer that weren't known.
func (h *holders) find(v *ir.Value, buffer int) {
	b := h.b
	next := len(h.nodes)
	note := func(r int32) int {
		if h.known[r] == 0 {
			h.nodes = append(h.nodes, r)
			h.known[r] = int32(len(h.nodes))
			h.out.Holders = append(h.out.Holders, Holder{Value: b.nodes[r].value, Spans: h.spans(r), Buffer: -1})
			h.out.targets = append(h.out.targets, nil)
		}
		return int(h.known[r] - 1)
	}
	first := note(b.node(v))
	h.out.Holders[first].Buffer = buffer
	h.out.appears = append(h.out.appears, first)
	for ; next < len(h.nodes); next++ {
		for _, i := range h.names[h.nodes[next]] {
			for _, to := range b.targets[b.first[i]:b.first[i+1]] {
				if to = h.root(to); to != h.nodes[next] {
					t := note(to)
					h.out.targets[next] = append(h.out.targets[next], t)
					h.out.Holders[t].Sources = append(h.out.Holders[t].Sources, next)
				}
			}
		}
	}
}

// connect finds the components of the holders.
func (h *holders) connect() {
	h.out.comps = components(len(h.out.Holders), func(i, j int) (int, bool) {
		if j < len(h.out.targets[i]) {
			return h.out.targets[i][j], true
		}
		return 0, false
	})
}

// spans returns when a holder is live.
func (h *holders) spans(r int32) []Span {
	s := spanner{l: h.l}
	for _, i := range h.names[r] {
		s.value(h.b.nodes[i].value)
	}
	return s.merged()
}

// add adds a buffer whose holders are known.
func (h *holders) add(v *ir.Value, freed bool) {
	at := len(h.out.Buffers)
	first := h.out.appears[at]
	t := Lifetime{Value: v, Escape: h.b.nodes[h.nodes[first]].escape &^ addressed, Freed: freed, Automatic: isAutomatic(v)}
	time, _ := h.l.Of(v.DefiningOp())
	s := spanner{l: h.l}
	work := []int{first}
	h.reached[first] = int32(at + 1)
	for i := 0; i < len(work) && len(work) <= mostHolders; i++ {
		spans := h.out.Holders[work[i]].Spans
		s.spans = append(s.spans, spans...)
		t.Overlaps = t.Overlaps || i > 0 && SpansHave(spans, time)
		for _, to := range h.out.targets[work[i]] {
			if h.reached[to] != int32(at+1) {
				h.reached[to] = int32(at + 1)
				work = append(work, to)
			}
		}
	}
	var unfreed []Span
	if t.Freed && !t.Automatic && (t.Escape == 0 || h.l.doubts != nil) && !h.l.toLastUse {
		unfreed = h.l.unfreedTimes(v, h.b.calls)
	}
	if !t.Freed || t.Automatic || unfreed != nil {
		// What may free others that have one of its names doesn't free what is on the stack.
		t.Rounds = h.l.Rounds(v.DefiningOp(), t.Automatic)
	}
	t.Leaked = !t.Freed && !t.Automatic && (!t.Escape.Has(Returned) || t.Rounds.Any() || !h.alwaysReturned(v))
	switch {
	case unfreed != nil:
		t.Leaked = true
		s.spans = append(s.spans, unfreed...)
		t.Spans = s.merged()
	case len(work) > mostHolders:
		h.many = append(h.many, at) // to put them all into order, for each of many buffers, would take too long
	default:
		h.toEnd(&s, &t)
		t.Spans = s.merged()
	}
	h.out.Buffers = append(h.out.Buffers, t)
}

// toEnd adds the time after the last use of a buffer that nothing frees then.
func (h *holders) toEnd(s *spanner, t *Lifetime) {
	if t.Leaked || t.Automatic || t.Escape.Has(Kept) {
		s.toEnd(t.Value.ParentBlock(), h.l.defined(t.Value), t.Automatic)
	}
}

// addMany tells when those buffers are alive that have too many holders to look at each.
func (h *holders) addMany() {
	if len(h.many) == 0 {
		return
	}
	hulls := held(&h.out, func(i int) Span {
		s := h.out.Holders[i].Spans
		if len(s) == 0 {
			return Span{}
		}
		return Span{s[0].Lower, s[len(s)-1].Upper}
	}, Span.hull)
	for _, at := range h.many {
		t := &h.out.Buffers[at]
		s := spanner{l: h.l}
		hull := hulls[h.out.appears[at]]
		s.add(hull.Lower, hull.Upper)
		h.toEnd(&s, t)
		t.Spans = s.hull()
	}
	h.findOverlaps(hulls)
}

// findOverlaps tells which of the buffers with many holders one of them may be when the buffer is made again, for
// those that are live then. Hulls are by holder what all span that may get a buffer from it.
func (h *holders) findOverlaps(hulls []Span) {
	type event struct {
		time   int64
		holder int
		start  bool
	}
	var events []event
	for i := range h.out.Holders {
		for _, s := range h.out.Holders[i].Spans {
			events = append(events, event{s.Lower, i, true}, event{s.Upper, i, false})
		}
	}
	slices.SortFunc(events, func(x, y event) int { return cmp.Compare(x.time, y.time) })
	live := map[int]bool{}
	for _, at := range h.many { // in the order of their times
		t := &h.out.Buffers[at]
		time, _ := h.l.Of(t.Value.DefiningOp())
		for len(events) > 0 && events[0].time <= time {
			if e := events[0]; e.start {
				live[e.holder] = true
			} else {
				delete(live, e.holder)
			}
			events = events[1:]
		}
		first := h.out.appears[at]
		if !slices.ContainsFunc(h.out.targets[first], func(i int) bool { return hulls[i].has(time) }) {
			continue // as most: what gets a buffer is live after it was made
		}
		terminal := int(h.b.nodes[h.nodes[first]].terminal - 1)
		for i := range live {
			if i != first && h.b.setOf(h.out.Holders[i].Value).terminals.has(terminal) {
				t.Overlaps = true
				break
			}
		}
	}
}
