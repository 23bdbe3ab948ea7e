package analysis

import (
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Buffers is what is known about the buffers of a function: where each memref value may
// come from ([Origins], backwards), by which values a buffer may be reached (forwards,
// also as an address or a tensor), and on which ways it leaves what can be seen. It doesn't
// see later changes: of values that it doesn't know it
// answers that they may be any buffer.
//
// Building it is linear in the program. Queries of origins cost what those of [Origins] do.
type Buffers struct {
	*Origins
	// The graph of Origins forwards, made when it is needed: targets[first[i]:first[i+1]]
	// are the nodes that the value of node i flows into.
	first, targets []int32
	seen           []int32 // by node: the last query that reached it
	queries        int32
	// merged are targets that came later, by node.
	merged map[int32][]int32
}

// BufferOptions say what [NewBuffers] may rely on.
type BufferOptions struct {
	// Boundary tells that functions follow the function boundary ABI: the caller owns what
	// a call returns.
	Boundary bool
	// Calls tells what callees do. If it is nil, they use their arguments only until they
	// return, but may return an argument or something computed from its address.
	Calls *CallSummaries
}

// NewBuffers analyses everything in fn.
func NewBuffers(fn *ir.Op, o BufferOptions) *Buffers {
	b := &Buffers{Origins: &Origins{escapes: true, calls: o.Calls}}
	if o.Boundary {
		b.dom = ir.NewDominance()
	}
	b.analyse(fn)
	return b
}

// Escapes returns the ways on which a buffer that v may be leaves what can be seen.
func (b *Buffers) Escapes(v *ir.Value) (ways Escape) {
	c := b.setOf(v)
	if c.kind >= unknownOrigin {
		return Returned | Kept
	}
	c.terminals.each(func(t int) {
		ways |= b.nodes[b.node(b.order[t])].escape
	})
	return ways &^ addressed
}

// HasAddress tells whether something computes the address of a buffer that v may be, as a number or pointer.
func (b *Buffers) HasAddress(v *ir.Value) (has bool) {
	c := b.setOf(v)
	if c.kind >= unknownOrigin {
		return true
	}
	c.terminals.each(func(t int) { has = has || b.nodes[b.node(b.order[t])].escape.Has(addressed) })
	return has
}

// Keeper returns the ways of [Kept] on which the buffer that appears at a terminal leaves, and an operation by which it does, if there are any.
func (b *Buffers) Keeper(terminal *ir.Value) (ways Escape, at *ir.Op) {
	i := b.numbers.Value(terminal)
	if i < 0 || !b.nodes[i].escape.Has(Kept) {
		return 0, nil
	}
	b.Names(terminal, func(name *ir.Value) {
		if at == nil {
			at = b.keepers[name]
		}
	})
	return b.nodes[i].escape & Kept, at
}

// IsLocal tells whether all that v may be was allocated in the function and can only be
// reached by values that are known.
func (b *Buffers) IsLocal(v *ir.Value) bool { return b.setOf(v).kind == localOrigin }

// IsAddress tells whether a value that is no buffer, such as a number, gives access to one.
func (b *Buffers) IsAddress(v *ir.Value) bool { return b.isCarrier(v) }

// Only returns the value at which v's buffer appeared, if there is just one, such as the
// result of an allocation.
func (b *Buffers) Only(v *ir.Value) (terminal *ir.Value, ok bool) {
	t, ok := b.setOf(v).terminals.only()
	if !ok {
		return nil, false
	}
	return b.order[t], true
}

// Names calls fn for each value by which the buffer that appears at a terminal may be
// reached: memrefs, and what carries its address. The terminal is the first. Linear in
// their uses.
func (b *Buffers) Names(terminal *ir.Value, fn func(name *ir.Value)) {
	b.link()
	b.queries++
	work := []int32{b.node(terminal)}
	if int(work[0]) >= len(b.seen) {
		return // not known
	}
	b.seen[work[0]] = b.queries
	for len(work) > 0 {
		i := work[0]
		work = work[1:]
		fn(b.nodes[i].value)
		for _, targets := range [2][]int32{b.targets[b.first[i]:b.first[i+1]], b.merged[i]} {
			for _, t := range targets {
				if b.seen[t] != b.queries {
					b.seen[t] = b.queries
					work = append(work, t)
				}
			}
		}
	}
}

// Knows tells whether a value was there when the analysis was made, and is one that it follows.
func (b *Buffers) Knows(v *ir.Value) bool {
	b.link()
	i := b.numbers.Value(v)
	return i >= 0 && i < len(b.seen)
}

// relink is link with what was merged among the targets.
func (b *Buffers) relink() {
	if len(b.merged) > 0 {
		b.first, b.merged = nil, nil
	}
	b.link()
}

// link turns the edges around.
func (b *Buffers) link() {
	if b.first != nil {
		return
	}
	n := len(b.nodes)
	b.first, b.targets, b.seen = make([]int32, n+1), make([]int32, len(b.edges)), make([]int32, n)
	for _, e := range b.edges {
		b.first[e.source+1]++
	}
	for i := range n {
		b.first[i+1] += b.first[i]
	}
	target := make([]int32, len(b.edges))
	for i := range n {
		for e := b.nodes[i].first; e != 0; e = b.edges[e-1].next {
			target[e-1] = int32(i)
		}
	}
	next := append([]int32(nil), b.first...)
	for i, e := range b.edges { // in the order in which they were found
		b.targets[next[e.source]] = target[i]
		next[e.source]++
	}
}

// Uses calls fn for each operand by which an operation may use the buffer that appears at
// a terminal.
func (b *Buffers) Uses(terminal *ir.Value, fn func(use *ir.Use)) {
	b.Names(terminal, func(name *ir.Value) {
		for u := name.FirstUse(); u != nil; u = u.Next() {
			fn(u)
		}
	})
}

// FreesOnly tells whether an operation does nothing with a buffer but free it.
func FreesOnly(op *ir.Op, v *ir.Value) bool {
	effects, known := interfaces.EffectsOf(op)
	frees := false
	for _, e := range effects {
		if e.Value(op) != v {
			continue
		}
		if e.Kind != interfaces.Free {
			return false
		}
		frees = true
	}
	return known && frees
}
