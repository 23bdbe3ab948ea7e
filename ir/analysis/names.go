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

// Summarize joins what one says of each value over all its names: those that are buffers, or, if carriers is true,
// also numbers, pointers and tensors that hold an address. join must be associative, commutative and idempotent. Values
// that flow into each other share a result, so that both functions are called as often as there are values and
// flows between them.
func Summarize[T any](b *Buffers, carriers bool, one func(v *ir.Value) T, join func(x, y T) T) *Summaries[T] {
	b.link()
	s := &Summaries[T]{b, one, make([]T, len(b.nodes))}
	follows := func(t int32) bool { return carriers || !b.nodes[t].carrier }
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
