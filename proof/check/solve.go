package check

import "freehold/proof/sat"

// satisfy returns a model of the conjunction of goals, with the axioms of the
// variables that it, or one of the mentioned formulas, speaks of; nil if there is
// none. axiomsOf gives the axioms of a variable, which may bring in further
// variables. ok is false if the formula, with those solved before, has more than limit
// nodes, and so wasn't looked at.
func (f *formulas) satisfy(axiomsOf func(variable int32) []lit, limit int, mentioned []lit, goals ...lit) (m model, ok bool) {
	var clauses [][]int
	// numbers are those of the solver's variables for nodes, 0 for none.
	numbers := f.numbers
	var named, pending []int32
	defer func() {
		for _, n := range named {
			numbers[n] = 0
		}
		f.numbers = numbers
	}()
	name := func(l lit) int {
		for int(l.node()) >= len(numbers) {
			numbers = append(numbers, make([]int32, len(f.nodes)-len(numbers))...)
		}
		n := int(numbers[l.node()])
		if n == 0 {
			named = append(named, l.node())
			n = len(named)
			numbers[l.node()] = int32(n)
			pending = append(pending, l.node())
		}
		if l.negated() {
			return -n
		}
		return n
	}
	require := func(l lit) {
		// A conjunction is required part by part.
		stack := []lit{l}
		for len(stack) > 0 {
			l := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if a, b, and := f.conjuncts(l); and && !l.negated() {
				stack = append(stack, a, b)
				continue
			}
			if l != yes {
				clauses = append(clauses, []int{name(l)})
			}
		}
	}
	for _, g := range goals {
		if g == no {
			return nil, true
		}
		require(g)
	}
	for _, l := range mentioned {
		name(l)
	}
	if len(named) == 0 {
		return model{}, true
	}
	asserted := map[lit]bool{}
	for len(pending) > 0 {
		n := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if f.solved++; f.solved > limit {
			return nil, false
		}
		x, v := f.nodes[n], int(numbers[n])
		switch {
		case n == 0:
			clauses = append(clauses, []int{-v})
		case x.a == isVariable:
			for _, ax := range axiomsOf(n) {
				if !asserted[ax] {
					asserted[ax] = true
					if ax == no {
						return nil, true
					}
					require(ax)
				}
			}
		default:
			a, b := name(x.a), name(x.b)
			clauses = append(clauses, []int{-v, a}, []int{-v, b}, []int{v, -a, -b})
		}
	}
	s := sat.New(len(named))
	for _, c := range clauses {
		s.Add(c...)
	}
	if !s.Solve() {
		return nil, true
	}
	m = model{}
	for i, n := range named {
		if f.nodes[n].a == isVariable && s.Value(i+1) {
			m[n] = true
		}
	}
	return m, true
}
