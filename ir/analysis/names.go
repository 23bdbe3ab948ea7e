package analysis

import "freehold/ir"

// Summaries hold, for each value, what the values have in common by which its buffer may be reached
// from there on: itself, and all that it flows into.
type Summaries[T any] struct {
	b    *Buffers
	one  func(v *ir.Value) T
	list []T // by node
}

// Of returns the summary of a value. A value that the analysis doesn't know has no other names.
func (s *Summaries[T]) Of(v *ir.Value) T {
	if i := s.b.numbers.Value(v); i >= 0 {
		return s.list[i]
	}
	return s.one(v)
}

// Summarize joins what one says of each value over all its names: what the value flows into, and on from there, as far
// as follow is true; if it is nil, also numbers, pointers and tensors that hold an address. join must be associative,
// commutative and idempotent. Values that flow into each other share a result, so that both functions are called as
// often as there are values and flows between them.
func Summarize[T any](b *Buffers, follow func(v *ir.Value) bool, one func(v *ir.Value) T, join func(x, y T) T) *Summaries[T] {
	b.relink()
	s := &Summaries[T]{b, one, make([]T, len(b.nodes))}
	follows := func(t int32) bool { return follow == nil || follow(b.nodes[t].value) }
	comps := components(len(b.nodes), func(i, j int) (int, bool) {
		e := b.first[i] + int32(j)
		if e >= b.first[i+1] {
			return 0, false
		}
		if t := b.targets[e]; follows(t) {
			return int(t), true
		}
		return -1, true
	})
	// Components come after those that they lead to.
	done := make([]bool, len(b.nodes))
	for _, comp := range comps {
		sum := one(b.nodes[comp[0]].value)
		for _, i := range comp[1:] {
			sum = join(sum, one(b.nodes[i].value))
		}
		for _, i := range comp {
			for _, t := range b.targets[b.first[i]:b.first[i+1]] {
				if done[t] && follows(t) {
					sum = join(sum, s.list[t])
				}
			}
		}
		for _, i := range comp {
			s.list[i], done[i] = sum, true
		}
	}
	return s
}

// IsBuffer is the follow of [Summarize] for names that are buffers themselves.
func IsBuffer(v *ir.Value) bool { return ir.IsMemRef(v.Type()) }

// Flows calls fn for each value that v's buffer is passed on as, in the order in which the analysis comes to the operations
// that do so: each after what is nested in it.
func (b *Buffers) Flows(v *ir.Value, fn func(to *ir.Value)) {
	i := b.numbers.Value(v)
	if i < 0 {
		return
	}
	b.relink()
	// around are values whose operations may hold those of the values that come next.
	var around []*ir.Value
	for _, t := range b.targets[b.first[i]:b.first[i+1]] {
		to := b.nodes[t].value
		op := passing(to)
		for k := len(around); k > 0 && !(passing(around[k-1]) == op || passing(around[k-1]).IsAncestorOf(op)); k = len(around) {
			around = flush(around, fn)
		}
		if op == nil || op.NumRegions() == 0 {
			fn(to)
			continue
		}
		around = append(around, to)
	}
	for len(around) > 0 {
		around = flush(around, fn)
	}
}

// flush hands on the last values of a list that the same operation makes.
func flush(list []*ir.Value, fn func(v *ir.Value)) []*ir.Value {
	k := len(list) - 1
	for op := passing(list[k]); k > 0 && passing(list[k-1]) == op; {
		k--
	}
	for _, v := range list[k:] {
		fn(v)
	}
	return list[:k]
}

// passing returns the operation that makes a value of others, or holds the block whose argument it is.
func passing(v *ir.Value) *ir.Op {
	if op := v.DefiningOp(); op != nil {
		return op
	}
	if b := v.ArgOwner(); b.IsEntry() {
		return b.ParentOp()
	}
	if p := v.ArgOwner().FirstPred(); p != nil {
		return p.Owner()
	}
	return nil
}

// Sources calls fn for each value that v's buffer comes from directly.
func (b *Buffers) Sources(v *ir.Value, fn func(from *ir.Value)) {
	i := b.numbers.Value(v)
	if i < 0 {
		return
	}
	for e := b.nodes[i].first; e != 0; e = b.edges[e-1].next {
		fn(b.nodes[b.edges[e-1].source].value)
	}
}
