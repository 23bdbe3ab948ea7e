package kernel

// Lit is a condition: a node of an and-inverter graph, negated if the lowest bit is set.
type Lit int32

// The conditions that never and always hold.
const (
	No  Lit = 0
	Yes Lit = 1
)

// Not returns the negation.
func (l Lit) Not() Lit    { return l ^ 1 }
func (l Lit) node() int32 { return int32(l >> 1) }

// isVariable stands in place of the operands of a variable.
const isVariable Lit = -1

// gate is a conjunction of two conditions, or a variable; gate 0 is false.
type gate struct{ a, b Lit }

// Formulas are the conditions of one function. Equal conjunctions are one node; operands
// have smaller numbers than what they are operands of.
type Formulas struct {
	gates []gate
	nodes map[gate]int32
	users [][]int32 // the conjunctions that a node is an operand of
	// values are what is known of nodes, 1 or -1: what follows from the assumptions by unit
	// propagation, and while a question is answered what follows from the question.
	values []int8
	trail  []int32 // the nodes with values, in the order in which they got them
}

// NewFormulas returns formulas without variables.
func NewFormulas() *Formulas {
	return &Formulas{gates: []gate{{}}, nodes: map[gate]int32{}, users: [][]int32{nil}, values: []int8{-1}}
}

func (f *Formulas) node(g gate) Lit {
	n := int32(len(f.gates))
	f.gates, f.users, f.values = append(f.gates, g), append(f.users, nil), append(f.values, 0)
	if g.a != isVariable {
		f.users[g.a.node()] = append(f.users[g.a.node()], n)
		f.users[g.b.node()] = append(f.users[g.b.node()], n)
	}
	return Lit(n) << 1
}

// Variable returns a new variable.
func (f *Formulas) Variable() Lit { return f.node(gate{isVariable, isVariable}) }

// operands returns the operands of a conjunction.
func (f *Formulas) operands(l Lit) (a, b Lit, ok bool) {
	g := f.gates[l.node()]
	return g.a, g.b, l.node() != 0 && g.a != isVariable
}

// value returns 1 if l is known to hold, -1 if it is known not to, else 0.
func (f *Formulas) value(l Lit) int8 {
	if l&1 != 0 {
		return -f.values[l.node()]
	}
	return f.values[l.node()]
}

// And returns the conjunction, simplified by what is seen without looking deeper than the
// operands' operands.
func (f *Formulas) And(a, b Lit) Lit {
	switch {
	case f.value(a) < 0 || f.value(b) < 0 || a == b.Not():
		return No
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
			case positive && (a == p.Not() || a == q.Not()):
				return No
			case !positive && a == p:
				return f.And(a, q.Not())
			case !positive && a == q:
				return f.And(a, p.Not())
			case !positive && (a == p.Not() || a == q.Not()):
				return a
			}
		}
		a, b = b, a
	}
	p, q, ok := f.operands(a)
	r, s, ok2 := f.operands(b)
	if ok && ok2 && a&b&1 == 0 && a&1 == b&1 && (p == r.Not() || p == s.Not() || q == r.Not() || q == s.Not()) {
		return No
	}
	if ok && ok2 && a&b&1 != 0 {
		switch { // neither (p and q) nor (p and not q)
		case p == r && q == s.Not(), p == s && q == r.Not():
			return p.Not()
		case q == r && p == s.Not(), q == s && p == r.Not():
			return q.Not()
		}
	}
	g := gate{min(a, b), max(a, b)}
	n, known := f.nodes[g]
	if !known {
		n = f.node(g).node()
		f.nodes[g] = n
	}
	return Lit(n) << 1
}

// Or returns the condition that one of two holds, or both.
func (f *Formulas) Or(a, b Lit) Lit { return f.And(a.Not(), b.Not()).Not() }

// Iff returns the condition that both hold, or none.
func (f *Formulas) Iff(a, b Lit) Lit { return f.Choose(a, b, b.Not()) }

// Choose returns the condition that is t where c holds, else e.
func (f *Formulas) Choose(c, t, e Lit) Lit {
	switch {
	case t == e || c == Yes:
		return t
	case c == No:
		return e
	}
	return f.Or(f.And(c, t), f.And(c.Not(), e))
}

// assign makes l hold. It returns false if it is known not to.
func (f *Formulas) assign(l Lit) bool {
	if f.value(l) == 0 {
		f.values[l.node()] = 1 - 2*int8(l&1)
		f.trail = append(f.trail, l.node())
	}
	return f.value(l) > 0
}

// infer gives a conjunction or its operands the values that follow from the others'. It
// returns false if they contradict each other.
func (f *Formulas) infer(n int32) bool {
	g := f.gates[n]
	if g.a == isVariable {
		return true
	}
	a, b, l := f.value(g.a), f.value(g.b), Lit(n)<<1
	switch {
	case f.values[n] > 0:
		return f.assign(g.a) && f.assign(g.b)
	case a < 0 || b < 0:
		return f.assign(l.Not())
	case a > 0 && b > 0:
		return f.assign(l)
	case f.values[n] < 0 && a > 0:
		return f.assign(g.b.Not())
	case f.values[n] < 0 && b > 0:
		return f.assign(g.a.Not())
	}
	return true
}

// Propagate assigns l and all that follows by unit propagation. It returns false if that
// leads to a contradiction.
func (f *Formulas) Propagate(l Lit) bool {
	at := len(f.trail)
	return f.assign(l) && f.settle(at)
}

// settle propagates what was assigned since the trail was as long as at.
func (f *Formulas) settle(at int) bool {
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
func (f *Formulas) undo(mark int) {
	for _, n := range f.trail[mark:] {
		f.values[n] = 0
	}
	f.trail = f.trail[:mark]
}

// Refutes tells whether l can't hold, as the lemmas show: given l and the lemmas before it,
// the negation of each lemma leads to a contradiction by unit propagation, and so does l
// given all of them (reverse unit propagation: Goldberg, Novikov: "Verification of Proofs
// of Unsatisfiability for CNF Formulas", 2003). A lemma is a disjunction; literals are
// numbers of nodes, negative if negated.
func (f *Formulas) Refutes(l Lit, lemmas [][]int) bool {
	size, mark := len(f.gates), len(f.trail)
	defer func() {
		f.undo(mark)
		for n := len(f.gates) - 1; n >= size; n-- {
			for _, o := range []Lit{f.gates[n].a, f.gates[n].b} {
				f.users[o.node()] = f.users[o.node()][:len(f.users[o.node()])-1]
			}
		}
		f.gates, f.users, f.values = f.gates[:size], f.users[:size], f.values[:size]
	}()
	if !f.Propagate(l) {
		return true
	}
	for _, lemma := range lemmas {
		before, first, open := len(f.trail), len(f.gates), true
		none := Yes // the conjunction of the negations
		for _, x := range lemma {
			n := max(x, -x)
			if n == 0 || n >= size {
				return false
			}
			not := Lit(n) << 1
			if x > 0 {
				not = not.Not()
			}
			open = open && f.Propagate(not)
			if none == Yes {
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
		if !f.assign(none.Not()) || !f.settle(before) {
			return true
		}
	}
	return false
}

// Question is whether a condition can't hold.
type Question struct {
	f *Formulas
	// Goal is the condition; Assumptions are conditions that hold. A condition is the number
	// of a node, negative if it is negated; 0 is one that holds.
	Goal        int
	Assumptions []int
}

// Operands returns the nodes of which node n is the conjunction; ok is false if it is a
// variable.
func (q *Question) Operands(n int) (a, b int, ok bool) {
	g := q.f.gates[n]
	return external(g.a), external(g.b), g.a != isVariable
}

func external(l Lit) int {
	if l&1 != 0 {
		return -int(l.node())
	}
	return int(l.node())
}

// Question returns the question whether l can't hold.
func (f *Formulas) Question(l Lit, assumed []Lit) *Question {
	q := &Question{f: f, Goal: external(l)}
	for _, a := range assumed {
		q.Assumptions = append(q.Assumptions, external(a))
	}
	return q
}
