package check

import (
	"freehold/proof/kernel"
	"freehold/proof/sat"
)

// firstQuestion is the number of nodes that a question takes at first.
const firstQuestion = 1 << 6

// lemmas finds those of a certificate that show that bad can't hold: by the nodes near it, which mostly is enough, or else by ever more. So a
// question takes no longer in a long function than in a short one, if its answer is near.
func lemmas(f *kernel.Formulas, bad kernel.Lit) ([][]int, bool) {
	for size := firstQuestion; ; size *= 4 {
		nodes, all := near(f, size, bad)
		if found, shown := refuted(f, nodes, bad); shown || all {
			return found, shown
		}
	}
}

// near returns about as many nodes as size, those nearest to l: from conjunctions to operands, and from operands whose value isn't known to what
// they are operands of, if that is no more than an eighth of size; all tells that there are no others.
func near(f *kernel.Formulas, size int, l kernel.Lit) (nodes []int32, all bool) {
	all = true
	seen := map[int32]bool{}
	visit := func(n int32) {
		if !seen[n] {
			seen[n] = true
			nodes = append(nodes, n)
		}
	}
	visit(l.Node())
	for i := 0; i < len(nodes); i++ {
		if i == size {
			return nodes, false
		}
		n := nodes[i]
		if a, b, ok := f.Operands(n); ok {
			visit(a.Node())
			visit(b.Node())
		}
		x := kernel.Lit(n) << 1
		users := f.Users(n)
		switch {
		case f.Holds(x) || f.Holds(x.Not()):
		case len(users) > size/8:
			all = false
		default:
			for _, u := range users {
				visit(u)
			}
		}
	}
	return nodes, all
}

// refuted returns the lemmas by which the solver shows that bad contradicts what some nodes are and what is known of them.
func refuted(f *kernel.Formulas, nodes []int32, bad kernel.Lit) (found [][]int, shown bool) {
	number := map[int32]int{} // of the solver's variables for nodes
	literal := func(l kernel.Lit) int {
		n := number[l.Node()]
		if n == 0 {
			n = len(number) + 1
			number[l.Node()] = n
		}
		if l.Negated() {
			return -n
		}
		return n
	}
	clauses := [][]int{{literal(bad)}}
	for _, n := range nodes {
		l := kernel.Lit(n) << 1
		v := literal(l)
		if f.Holds(l) {
			clauses = append(clauses, []int{v})
		} else if f.Holds(l.Not()) {
			clauses = append(clauses, []int{-v})
		}
		if a, b, ok := f.Operands(n); ok {
			x, y := literal(a), literal(b)
			clauses = append(clauses, []int{-v, x}, []int{-v, y}, []int{v, -x, -y})
		}
	}
	s := sat.New(len(number))
	s.LogProof()
	for _, c := range clauses {
		s.Add(c...)
	}
	if s.Solve() {
		return nil, false
	}
	numbered := make([]int, len(number)+1)
	for n, v := range number {
		numbered[v] = int(n)
	}
	for _, c := range s.Proof() {
		lemma := make([]int, len(c))
		for i, x := range c {
			if lemma[i] = numbered[max(x, -x)]; x < 0 {
				lemma[i] = -lemma[i]
			}
		}
		if len(lemma) > 0 {
			found = append(found, lemma)
		}
	}
	return found, true
}
