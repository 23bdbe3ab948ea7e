package check

import (
	"cmp"
	"slices"

	"freehold/ir"
)

// lit is a formula: a node of an and-inverter graph, negated if the lowest bit is
// set.
type lit int32

const (
	no  lit = 0
	yes lit = 1
)

func (l lit) not() lit      { return l ^ 1 }
func (l lit) node() int32   { return int32(l >> 1) }
func (l lit) negated() bool { return l&1 != 0 }

// formulas is an and-inverter graph: nodes are the constant, variables, and
// conjunctions of two literals; equal conjunctions are one node. Nodes are numbered
// so that operands come before what they are operands of.
type formulas struct {
	nodes []fnode
	ands  map[fnode]int32
	// numbers is room for satisfy: zero for each node.
	numbers []int32
	// solved is the size of the formulas that were solved so far.
	solved int
	// diagrams are those of the formulas that were asked for.
	diagrams *diagrams
	// spare are maps for frames that are to come, edges and pendings room for edges, flows the
	// orders of small graphs, and graphs those of the regions of operations: all outlast reset.
	spare    []map[*ir.Value]value
	edges    [][]edge
	pendings [][][]edge
	flows    map[string]*flow
	graphs   map[*ir.Op]*regionGraph
}

// takeValues returns an empty map for the values of a frame, and giveValues takes it back.
func (f *formulas) takeValues() map[*ir.Value]value {
	n := len(f.spare)
	if n == 0 {
		return map[*ir.Value]value{}
	}
	m := f.spare[n-1]
	f.spare = f.spare[:n-1]
	return m
}

func (f *formulas) giveValues(m map[*ir.Value]value) { f.spare = append(f.spare, emptied(m)) }

// takeEdges returns room for edges, and giveEdges takes it back from who has no more use for it.
func (f *formulas) takeEdges() []edge {
	n := len(f.edges)
	if n == 0 {
		return make([]edge, 0, 2)
	}
	e := f.edges[n-1]
	f.edges = f.edges[:n-1]
	return e
}

func (f *formulas) giveEdges(e []edge) {
	if cap(e) > 0 && cap(e) <= maxKept {
		f.edges = append(f.edges, e[:0])
	}
}

// takePending returns room for the edges into the nodes of a graph, and givePending takes it back.
func (f *formulas) takePending(g *flow) [][]edge {
	n := g.exit + 1 + len(g.dispatch)
	if last := len(f.pendings) - 1; last >= 0 {
		if p := f.pendings[last]; cap(p) >= n {
			f.pendings = f.pendings[:last]
			return p[:n]
		}
	}
	return make([][]edge, n, max(n, 4))
}

func (f *formulas) givePending(p [][]edge) {
	if len(p) > maxKept {
		return
	}
	for i := range p {
		p[i] = p[i][:0]
	}
	f.pendings = append(f.pendings, p)
}

// maxKept limits the maps that are used again: to empty one takes as long as it is large.
const maxKept = 1 << 10

// emptied returns an empty map, the same one unless it is large.
func emptied[K comparable, V any](m map[K]V) map[K]V {
	if len(m) > maxKept {
		return map[K]V{}
	}
	clear(m)
	return m
}

// flow is newFlow; small graphs that are equal are ordered once. Each flow is another one,
// even so.
func (f *formulas) flow(nodes int, succs [][]int) *flow {
	if nodes > 4 {
		return newFlow(nodes, succs)
	}
	key := make([]byte, 0, 32)
	key = append(key, byte(nodes))
	for _, s := range succs {
		for _, n := range s {
			key = append(key, byte(n))
		}
		key = append(key, 255)
	}
	g, ok := f.flows[string(key)]
	if !ok {
		g = newFlow(nodes, succs)
		f.flows[string(key)] = g
	}
	other := *g
	return &other
}

// fnode is a conjunction; a variable has two negative operands, and the constant
// is node 0.
type fnode struct{ a, b lit }

const isVariable lit = -1

func newFormulas() *formulas {
	f := &formulas{ands: map[fnode]int32{}, diagrams: newDiagrams(), flows: map[string]*flow{}, graphs: map[*ir.Op]*regionGraph{}}
	f.reset()
	return f
}

func (f *formulas) reset() {
	f.nodes = append(f.nodes[:0], fnode{})
	f.ands = emptied(f.ands)
	if len(f.graphs) > maxKept {
		f.graphs = map[*ir.Op]*regionGraph{}
	}
	f.solved = 0
	f.diagrams.reset()
}

// variable returns a new variable.
func (f *formulas) variable() lit {
	f.nodes = append(f.nodes, fnode{isVariable, isVariable})
	return lit(len(f.nodes)-1) << 1
}

// conjuncts returns the operands of a conjunction that isn't negated.
func (f *formulas) conjuncts(l lit) (a, b lit, ok bool) {
	n := f.nodes[l.node()]
	return n.a, n.b, l.node() != 0 && n.a != isVariable
}

// trivialAnd returns the conjunction if it is no, or one of the two.
func trivialAnd(a, b lit) (l lit, ok bool) {
	switch {
	case a == b || b == yes:
		return a, true
	case a == yes:
		return b, true
	case a == no || b == no || a == b.not():
		return no, true
	}
	return 0, false
}

// and returns the conjunction, simplified by the rules that need to look no deeper
// than the operands of a and b.
func (f *formulas) and(a, b lit) lit {
	if l, ok := trivialAnd(a, b); ok {
		return l
	}
	if x, ok := f.simplify(a, b); ok {
		return x
	}
	if x, ok := f.simplify(b, a); ok {
		return x
	}
	if p, q, ok := f.conjuncts(a); ok && !a.negated() && !b.negated() {
		if r, s, ok := f.conjuncts(b); ok && (p == r.not() || p == s.not() || q == r.not() || q == s.not()) {
			return no
		}
	}
	// (not (p and q)) and (not (p and not q)) is not p.
	if a.negated() && b.negated() {
		p, q, ok := f.conjuncts(a)
		r, s, ok2 := f.conjuncts(b)
		if ok && ok2 {
			switch {
			case p == r && q == s.not(), p == s && q == r.not():
				return p.not()
			case q == r && p == s.not(), q == s && p == r.not():
				return q.not()
			}
		}
	}
	if a > b {
		a, b = b, a
	}
	k := fnode{a, b}
	if n, ok := f.ands[k]; ok {
		return lit(n) << 1
	}
	f.nodes = append(f.nodes, k)
	n := int32(len(f.nodes) - 1)
	f.ands[k] = n
	return lit(n) << 1
}

// simplify simplifies a and b by what b says about a.
func (f *formulas) simplify(a, b lit) (lit, bool) {
	p, q, ok := f.conjuncts(b)
	if !ok {
		return 0, false
	}
	if !b.negated() {
		switch a {
		case p, q:
			return b, true
		case p.not(), q.not():
			return no, true
		}
		return 0, false
	}
	switch a {
	case p:
		return f.and(a, q.not()), true
	case q:
		return f.and(a, p.not()), true
	case p.not(), q.not():
		return a, true
	}
	return 0, false
}

func (f *formulas) or(a, b lit) lit      { return f.and(a.not(), b.not()).not() }
func (f *formulas) implies(a, b lit) lit { return f.and(a, b.not()).not() }
func (f *formulas) xor(a, b lit) lit     { return f.ite(a, b.not(), b) }
func (f *formulas) iff(a, b lit) lit     { return f.ite(a, b, b.not()) }

// ite returns a formula that is t where c holds, else e.
func (f *formulas) ite(c, t, e lit) lit {
	switch {
	case t == e || c == yes:
		return t
	case c == no:
		return e
	case t == e.not() && t <= yes:
		if t == yes {
			return c
		}
		return c.not()
	}
	return f.or(f.and(c, t), f.and(c.not(), e))
}

// maxOlder limits the nodes that older looks at.
const maxOlder = 1 << 10

// older tells whether all variables of a formula are nodes below limit; it says no if
// the formula has too many nodes that aren't.
func (f *formulas) older(l lit, limit int32) bool {
	seen := map[int32]bool{}
	stack := []int32{l.node()}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n < limit || seen[n] {
			continue
		}
		seen[n] = true
		x := f.nodes[n]
		if x.a == isVariable || len(seen) > maxOlder {
			return false
		}
		stack = append(stack, x.a.node(), x.b.node())
	}
	return true
}

// support returns formulas of nodes below limit that the given ones are made of, at most
// n of them: first those that are as large as possible, then variables; newer ones
// first. It looks at no more than maxSupport nodes.
func (f *formulas) support(of []lit, limit int32, n int) []lit {
	seen := map[int32]bool{0: true}
	var parts, variables, stack []int32
	push := func(l lit, above bool) {
		if k := l.node(); !seen[k] && len(seen) < maxSupport {
			seen[k] = true
			stack = append(stack, k)
			switch {
			case k >= limit:
			case f.nodes[k].a == isVariable:
				variables = append(variables, k)
			case above:
				parts = append(parts, k)
			}
		}
	}
	for _, l := range of {
		push(l, true)
	}
	for len(stack) > 0 {
		k := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if x := f.nodes[k]; x.a != isVariable {
			push(x.a, k >= limit)
			push(x.b, k >= limit)
		}
	}
	newest := func(x, y int32) int { return cmp.Compare(y, x) }
	slices.SortFunc(parts, newest)
	slices.SortFunc(variables, newest)
	var out []lit
	for _, k := range append(parts, variables...) {
		if len(out) < n {
			out = append(out, lit(k)<<1)
		}
	}
	return out
}

// variables returns the variables of formulas.
func (f *formulas) variables(of ...lit) (out []int32) {
	seen := map[int32]bool{0: true}
	var stack []int32
	for _, l := range of {
		stack = append(stack, l.node())
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[n] {
			continue
		}
		seen[n] = true
		if x := f.nodes[n]; x.a == isVariable {
			out = append(out, n)
		} else {
			stack = append(stack, x.a.node(), x.b.node())
		}
	}
	return out
}

// substitute returns a formula with other formulas for some of its variables.
func (f *formulas) substitute(l lit, at map[int32]lit) lit {
	done := map[int32]lit{0: no}
	stack := []int32{l.node()}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		x := f.nodes[n]
		if x.a == isVariable {
			to, ok := at[n]
			if !ok {
				to = lit(n) << 1
			}
			done[n] = to
		}
		if _, ok := done[n]; ok {
			stack = stack[:len(stack)-1]
			continue
		}
		a, first := done[x.a.node()]
		b, second := done[x.b.node()]
		if !first || !second {
			stack = append(stack, x.a.node(), x.b.node())
			continue
		}
		done[n] = f.and(a^x.a&1, b^x.b&1)
	}
	return done[l.node()] ^ l&1
}

// maxSupport limits the nodes that support looks at.
const maxSupport = 1 << 12

// model gives variables values; those that aren't in it are false.
type model map[int32]bool

// evaluator computes formulas in a model, each node once.
type evaluator struct {
	f      *formulas
	m      model
	values map[int32]bool
}

func (f *formulas) in(m model) *evaluator { return &evaluator{f, m, map[int32]bool{0: false}} }

// holds tells whether a formula holds. It doesn't recurse, since formulas may be
// deep.
func (e *evaluator) holds(l lit) bool {
	stack := []int32{l.node()}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		if _, done := e.values[n]; done {
			stack = stack[:len(stack)-1]
			continue
		}
		x := e.f.nodes[n]
		if x.a == isVariable {
			e.values[n] = e.m[n]
			continue
		}
		va, ok := e.values[x.a.node()]
		if !ok {
			stack = append(stack, x.a.node())
			continue
		}
		if va == x.a.negated() { // the first operand is false
			e.values[n] = false
			continue
		}
		vb, ok := e.values[x.b.node()]
		if !ok {
			stack = append(stack, x.b.node())
			continue
		}
		e.values[n] = vb != x.b.negated()
	}
	return e.values[l.node()] != l.negated()
}
