package check

import "github.com/crillab/gophersat/solver"

// satisfy returns a model of the conjunction of goals, with the axioms of the
// variables that it, or one of the mentioned formulas, speaks of; nil if there is
// none. axiomsOf gives the axioms of a variable, which may bring in further
// variables. ok is false if the formula has more than limit nodes, and so wasn't
// looked at.
func (f *formulas) satisfy(axiomsOf func(variable int32) []lit, limit int, mentioned []lit, goals ...lit) (m model, ok bool) {
	var clauses [][]int
	number := map[int32]int{} // of the solver's variable for a node
	var pending []int32
	name := func(l lit) int {
		n, seen := number[l.node()]
		if !seen {
			n = len(number) + 1
			number[l.node()] = n
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
	if len(number) == 0 {
		return model{}, true
	}
	asserted := map[lit]bool{}
	for len(pending) > 0 {
		n := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if len(number) > limit {
			return nil, false
		}
		x, v := f.nodes[n], number[n]
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
	s := solver.New(solver.ParseSliceNb(clauses, len(number)))
	if s.Solve() != solver.Sat {
		return nil, true
	}
	m = model{}
	values := s.Model()
	for n, v := range number {
		if f.nodes[n].a == isVariable && values[v-1] {
			m[n] = true
		}
	}
	return m, true
}
