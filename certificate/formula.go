package certificate

// lit is a condition: a node of an and-inverter graph, negated if the lowest bit is set.
type lit int32

const (
	no  lit = 0
	yes lit = 1
)

func (l lit) not() lit    { return l ^ 1 }
func (l lit) node() int32 { return int32(l >> 1) }

// isVariable stands in place of the operands of a variable.
const isVariable lit = -1

// gate is a conjunction of two conditions, or a variable; gate 0 is false.
type gate struct{ a, b lit }

// formulas are the conditions of one function. Equal conjunctions are one node; operands
// have smaller numbers than what they are operands of.
type formulas struct {
	gates []gate
	nodes map[gate]int32
	users [][]int32 // the conjunctions that a node is an operand of
	// values are what is known of nodes, 1 or -1: what follows from the assumptions by unit
	// propagation, and while a question is answered what follows from the question.
	values []int8
	trail  []int32 // the nodes with values, in the order in which they got them
}

func newFormulas() *formulas {
	return &formulas{gates: []gate{{}}, nodes: map[gate]int32{}, users: [][]int32{nil}, values: []int8{-1}}
}

func (f *formulas) node(g gate) lit {
	n := int32(len(f.gates))
	f.gates, f.users, f.values = append(f.gates, g), append(f.users, nil), append(f.values, 0)
	if g.a != isVariable {
		f.users[g.a.node()] = append(f.users[g.a.node()], n)
		f.users[g.b.node()] = append(f.users[g.b.node()], n)
	}
	return lit(n) << 1
}

// variable returns a new variable.
func (f *formulas) variable() lit { return f.node(gate{isVariable, isVariable}) }

// operands returns the operands of a conjunction.
func (f *formulas) operands(l lit) (a, b lit, ok bool) {
	g := f.gates[l.node()]
	return g.a, g.b, l.node() != 0 && g.a != isVariable
}

// value returns 1 if l is known to hold, -1 if it is known not to, else 0.
func (f *formulas) value(l lit) int8 {
	if l&1 != 0 {
		return -f.values[l.node()]
	}
	return f.values[l.node()]
}

// and returns the conjunction, simplified by what is seen without looking deeper than the
// operands' operands.
func (f *formulas) and(a, b lit) lit {
	switch {
	case f.value(a) < 0 || f.value(b) < 0 || a == b.not():
		return no
	case f.value(a) > 0 || a == b:
		return b
	case f.value(b) > 0:
		return a
	}
	for range 2 {
		if p, q, ok := f.operands(b); ok {
			positive := b&1 == 0
			switch {
			case positive && (a == p || a == q):
				return b
			case positive && (a == p.not() || a == q.not()):
				return no
			case !positive && a == p:
				return f.and(a, q.not())
			case !positive && a == q:
				return f.and(a, p.not())
			case !positive && (a == p.not() || a == q.not()):
				return a
			}
		}
		a, b = b, a
	}
	p, q, ok := f.operands(a)
	r, s, ok2 := f.operands(b)
	if ok && ok2 && a&b&1 == 0 && a&1 == b&1 && (p == r.not() || p == s.not() || q == r.not() || q == s.not()) {
		return no
	}
	if ok && ok2 && a&b&1 != 0 {
		switch { // neither (p and q) nor (p and not q)
		case p == r && q == s.not(), p == s && q == r.not():
			return p.not()
		case q == r && p == s.not(), q == s && p == r.not():
			return q.not()
		}
	}
	g := gate{min(a, b), max(a, b)}
	n, known := f.nodes[g]
	if !known {
		n = f.node(g).node()
		f.nodes[g] = n
	}
	return lit(n) << 1
}

func (f *formulas) or(a, b lit) lit  { return f.and(a.not(), b.not()).not() }
func (f *formulas) iff(a, b lit) lit { return f.choose(a, b, b.not()) }

// choose returns the condition that is t where c holds, else e.
func (f *formulas) choose(c, t, e lit) lit {
	switch {
	case t == e || c == yes:
		return t
	case c == no:
		return e
	}
	return f.or(f.and(c, t), f.and(c.not(), e))
}

// assign makes l hold. It returns false if it is known not to.
func (f *formulas) assign(l lit) bool {
	if f.value(l) == 0 {
		f.values[l.node()] = 1 - 2*int8(l&1)
		f.trail = append(f.trail, l.node())
	}
	return f.value(l) > 0
}

// infer gives a conjunction or its operands the values that follow from the others'. It
// returns false if they contradict each other.
func (f *formulas) infer(n int32) bool {
	g := f.gates[n]
	if g.a == isVariable {
		return true
	}
	a, b, l := f.value(g.a), f.value(g.b), lit(n)<<1
	switch {
	case f.values[n] > 0:
		return f.assign(g.a) && f.assign(g.b)
	case a < 0 || b < 0:
		return f.assign(l.not())
	case a > 0 && b > 0:
		return f.assign(l)
	case f.values[n] < 0 && a > 0:
		return f.assign(g.b.not())
	case f.values[n] < 0 && b > 0:
		return f.assign(g.a.not())
	}
	return true
}

// propagate assigns l and all that follows by unit propagation. It returns false if that
// leads to a contradiction.
func (f *formulas) propagate(l lit) bool {
	at := len(f.trail)
	return f.assign(l) && f.settle(at)
}

// settle propagates what was assigned since the trail was as long as at.
func (f *formulas) settle(at int) bool {
	for ; at < len(f.trail); at++ {
		n := f.trail[at]
		if !f.infer(n) {
			return false
		}
		for _, u := range f.users[n] {
			if !f.infer(u) {
				return false
			}
		}
	}
	return true
}

// undo forgets the values that were found out since the trail was as long as mark.
func (f *formulas) undo(mark int) {
	for _, n := range f.trail[mark:] {
		f.values[n] = 0
	}
	f.trail = f.trail[:mark]
}

// refutes tells whether l can't hold, as the lemmas show: given l and the lemmas before it,
// the negation of each lemma leads to a contradiction by unit propagation, and so does l
// given all of them (reverse unit propagation: Goldberg, Novikov: "Verification of Proofs
// of Unsatisfiability for CNF Formulas", 2003). A lemma is a disjunction; literals are
// numbers of nodes, negative if negated.
func (f *formulas) refutes(l lit, lemmas [][]int) bool {
	size, mark := len(f.gates), len(f.trail)
	defer func() {
		f.undo(mark)
		for n := len(f.gates) - 1; n >= size; n-- {
			for _, o := range []lit{f.gates[n].a, f.gates[n].b} {
				f.users[o.node()] = f.users[o.node()][:len(f.users[o.node()])-1]
			}
		}
		f.gates, f.users, f.values = f.gates[:size], f.users[:size], f.values[:size]
	}()
	if !f.propagate(l) {
		return true
	}
	for _, lemma := range lemmas {
		before, first, open := len(f.trail), len(f.gates), true
		none := yes // the conjunction of the negations
		for _, x := range lemma {
			n := max(x, -x)
			if n == 0 || n >= size {
				return false
			}
			not := lit(n) << 1
			if x > 0 {
				not = not.not()
			}
			open = open && f.propagate(not)
			if none == yes {
				none = not
			} else {
				none = f.node(gate{none, not})
			}
		}
		if open {
			return false
		}
		f.undo(before)
		for n := first; n < len(f.gates); n++ {
			if !f.infer(int32(n)) {
				return true
			}
		}
		if !f.assign(none.not()) || !f.settle(before) {
			return true
		}
	}
	return false
}
