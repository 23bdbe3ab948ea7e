package check

import (
	"freehold/proof/kernel"
	"freehold/proof/sat"
)

// conflictCost is how many nodes a conflict of the solver counts for in the size of all questions.
const conflictCost = 1024

// satisfy returns a model of the conjunction of goals, with the axioms of the
// variables that it, or one of the mentioned formulas, speaks of; nil if there is
// none. axiomsOf gives the axioms of a variable, which may bring in further
// variables. ok is false if the formula, with those solved before, has more than limit
// nodes, or takes too many conflicts to solve, so that nothing is known.
func (f *formulas) satisfy(axiomsOf func(variable int32) []kernel.Lit, limit int, mentioned []kernel.Lit, goals ...kernel.Lit) (m model, ok bool) {
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
	name := func(l kernel.Lit) int {
		for int(l.Node()) >= len(numbers) {
			numbers = append(numbers, make([]int32, f.Len()-len(numbers))...)
		}
		n := int(numbers[l.Node()])
		if n == 0 {
			named = append(named, l.Node())
			n = len(named)
			numbers[l.Node()] = int32(n)
			pending = append(pending, l.Node())
		}
		if l.Negated() {
			return -n
		}
		return n
	}
	require := func(l kernel.Lit) {
		// A conjunction is required part by part.
		stack := []kernel.Lit{l}
		for len(stack) > 0 {
			l := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			if a, b, and := f.Operands(l.Node()); and && !l.Negated() {
				stack = append(stack, a, b)
				continue
			}
			if l != kernel.Yes {
				clauses = append(clauses, []int{name(l)})
			}
		}
	}
	for _, g := range goals {
		if g == kernel.No {
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
	asserted := map[kernel.Lit]bool{}
	for len(pending) > 0 {
		n := pending[len(pending)-1]
		pending = pending[:len(pending)-1]
		if f.solved++; f.solved > limit {
			return nil, false
		}
		x, y, _ := f.Operands(n)
		v := int(numbers[n])
		switch {
		case n == 0:
			clauses = append(clauses, []int{-v})
		case f.IsVariable(n):
			for _, ax := range axiomsOf(n) {
				if !asserted[ax] {
					asserted[ax] = true
					if ax == kernel.No {
						return nil, true
					}
					require(ax)
				}
			}
		default:
			a, b := name(x), name(y)
			clauses = append(clauses, []int{-v, a}, []int{-v, b}, []int{v, -a, -b})
		}
	}
	s := sat.New(len(named))
	for _, c := range clauses {
		s.Add(c...)
	}
	within := (limit - f.solved) / conflictCost
	satisfiable, conflicts := s.SolveWithin(within)
	f.solved += conflicts * conflictCost
	if !satisfiable {
		return nil, conflicts <= within
	}
	m = model{}
	for i, n := range named {
		if f.IsVariable(n) && s.Value(i+1) {
			m[n] = true
		}
	}
	return m, true
}
