package kernel

// Lit is a condition: a node of an and-inverter graph, negated if the lowest bit is set.
type Lit int32

// The conditions that never and always hold.
const (
	No  Lit = 0
	Yes Lit = 1
)

// Not returns the negation.
func (l Lit) Not() Lit { return l ^ 1 }

// Node returns the number of the condition's node.
func (l Lit) Node() int32 { return int32(l >> 1) }

// Negated tells whether the condition is the negation of its node's.
func (l Lit) Negated() bool { return l&1 != 0 }

// isVariable stands in place of the operands of a variable.
const isVariable Lit = -1

// gate is a conjunction of two conditions, or a variable; gate 0 is false.
type gate struct{ a, b Lit }

// Formulas are the conditions of one function. Equal conjunctions are one node; operands
// have smaller numbers than what they are operands of.
type Formulas struct {
	gates []gate
	nodes map[gate]int32
	// users are the conjunctions that a node is an operand of, as far as propagation has asked for them.
	users [][]int32
	// values are what is known of nodes, 1 or -1: what follows from the assumptions by unit
	// propagation, and while a question is answered what follows from the question.
	values []int8
	trail  []int32 // the nodes with values, in the order in which they got them
}

// NewFormulas returns formulas without variables.
func NewFormulas() *Formulas { return &Formulas{gates: []gate{{}}, nodes: map[gate]int32{}} }

// Len returns the number of nodes, of which the first is the constant.
func (f *Formulas) Len() int { return len(f.gates) }

func (f *Formulas) node(g gate) Lit {
	f.gates = append(f.gates, g)
	return Lit(len(f.gates)-1) << 1
}

// Variable returns a new variable.
func (f *Formulas) Variable() Lit { return f.node(gate{isVariable, isVariable}) }

// IsVariable tells whether a node is a variable.
func (f *Formulas) IsVariable(node int32) bool { return f.gates[node].a == isVariable }

// Operands returns the operands of a conjunction; ok is false for the constant and for variables.
func (f *Formulas) Operands(node int32) (a, b Lit, ok bool) {
	g := f.gates[node]
	return g.a, g.b, node != 0 && g.a != isVariable
}

// value returns 1 if l is known to hold, -1 if it is known not to, else 0.
func (f *Formulas) value(l Lit) int8 {
	switch n := l.Node(); {
	case l <= Yes:
		return 2*int8(l) - 1
	case int(n) >= len(f.values):
		return 0
	case l.Negated():
		return -f.values[n]
	default:
		return f.values[n]
	}
}

// Holds tells whether l is known to hold: it follows from the assumptions by unit propagation.
func (f *Formulas) Holds(l Lit) bool { return f.value(l) > 0 }

// TrivialAnd returns the conjunction if it is [No], or one of the two.
func TrivialAnd(a, b Lit) (l Lit, ok bool) {
	switch {
	case a == b || b == Yes:
		return a, true
	case a == Yes:
		return b, true
	case a == No || b == No || a == b.Not():
		return No, true
	}
	return 0, false
}

// And returns the conjunction, simplified by what is seen without looking deeper than the
// operands' operands.
func (f *Formulas) And(a, b Lit) Lit {
	if len(f.trail) > 0 {
		switch x, y := f.value(a), f.value(b); {
		case x < 0 || y < 0:
			return No
		case x > 0:
			return b
		case y > 0:
			return a
		}
	}
	if l, ok := TrivialAnd(a, b); ok {
		return l
	}
	if l, ok := f.absorbed(a, b); ok {
		return l
	}
	if l, ok := f.absorbed(b, a); ok {
		return l
	}
	if l, ok := f.resolved(a, b); ok {
		return l
	}
	g := gate{min(a, b), max(a, b)}
	n, known := f.nodes[g]
	if !known {
		n = f.node(g).Node()
		f.nodes[g] = n
	}
	return Lit(n) << 1
}

// absorbed simplifies a conjunction if a is one of the operands of b, or the negation of one.
func (f *Formulas) absorbed(a, b Lit) (Lit, bool) {
	p, q, ok := f.Operands(b.Node())
	if !ok {
		return 0, false
	}
	switch {
	case !b.Negated() && (a == p || a == q):
		return b, true
	case !b.Negated() && (a == p.Not() || a == q.Not()):
		return No, true
	case b.Negated() && a == p:
		return f.And(a, q.Not()), true
	case b.Negated() && a == q:
		return f.And(a, p.Not()), true
	case b.Negated() && (a == p.Not() || a == q.Not()):
		return a, true
	}
	return 0, false
}

// resolved simplifies a conjunction if the operands of both contradict each other.
func (f *Formulas) resolved(a, b Lit) (Lit, bool) {
	p, q, ok := f.Operands(a.Node())
	r, s, ok2 := f.Operands(b.Node())
	switch {
	case !ok || !ok2 || a.Negated() != b.Negated():
		return 0, false
	case !a.Negated():
		return No, p == r.Not() || p == s.Not() || q == r.Not() || q == s.Not()
	case p == r && q == s.Not(), p == s && q == r.Not(): // neither (p and q) nor (p and not q)
		return p.Not(), true
	case q == r && p == s.Not(), q == s && p == r.Not():
		return q.Not(), true
	}
	return 0, false
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
