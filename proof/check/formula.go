package check

import (
	"cmp"
	"math"
	"slices"

	"freehold/ir"
	"freehold/proof/kernel"
)

// formulas are the formulas of an analysis, with what is known about them, and room that analyses use one after the other.
type formulas struct {
	*kernel.Formulas
	// numbers is room for satisfy: zero for each node.
	numbers []int32
	// solved is the size of the formulas that were solved so far.
	solved int
	// diagrams are those of the formulas that were asked for.
	diagrams *diagrams
	// spare are maps for frames that are to come, edges and pendings room for edges, flows the
	// orders of small graphs, and graphs those of the regions of operations: all outlast reset.
	spare    []map[*ir.Value]kernel.Value
	edges    [][]kernel.Edge
	pendings [][][]kernel.Edge
	flows    map[string]*flow
	graphs   map[*ir.Op]*regionGraph
}

// takeValues returns an empty map for the values of a frame, and giveValues takes it back.
func (f *formulas) takeValues() map[*ir.Value]kernel.Value {
	n := len(f.spare)
	if n == 0 {
		return map[*ir.Value]kernel.Value{}
	}
	m := f.spare[n-1]
	f.spare = f.spare[:n-1]
	return m
}

func (f *formulas) giveValues(m map[*ir.Value]kernel.Value) { f.spare = append(f.spare, emptied(m)) }

// takeEdges returns room for edges, and giveEdges takes it back from who has no more use for it.
func (f *formulas) takeEdges() []kernel.Edge {
	n := len(f.edges)
	if n == 0 {
		return make([]kernel.Edge, 0, 2)
	}
	e := f.edges[n-1]
	f.edges = f.edges[:n-1]
	return e
}

func (f *formulas) giveEdges(e []kernel.Edge) {
	if cap(e) > 0 && cap(e) <= maxKept {
		f.edges = append(f.edges, e[:0])
	}
}

// takePending returns room for the edges into the nodes of a graph, and givePending takes it back.
func (f *formulas) takePending(g *flow) [][]kernel.Edge {
	n := g.exit + 1 + len(g.dispatch)
	if last := len(f.pendings) - 1; last >= 0 {
		if p := f.pendings[last]; cap(p) >= n {
			f.pendings = f.pendings[:last]
			return p[:n]
		}
	}
	return make([][]kernel.Edge, n, max(n, 4))
}

func (f *formulas) givePending(p [][]kernel.Edge) {
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

func newFormulas() *formulas {
	f := &formulas{Formulas: kernel.NewFormulas(), diagrams: newDiagrams(), flows: map[string]*flow{}, graphs: map[*ir.Op]*regionGraph{}}
	f.reset()
	return f
}

func (f *formulas) reset() {
	f.Formulas = kernel.NewFormulas()
	if len(f.graphs) > maxKept {
		f.graphs = map[*ir.Op]*regionGraph{}
	}
	f.solved = 0
	f.diagrams.reset()
}

func (f *formulas) implies(a, b kernel.Lit) kernel.Lit { return f.And(a, b.Not()).Not() }
func (f *formulas) xor(a, b kernel.Lit) kernel.Lit     { return f.Choose(a, b.Not(), b) }

// maxOlder limits the nodes that older looks at.
const maxOlder = 1 << 10

// older tells whether all variables of a formula are nodes below limit; it says no if
// the formula has too many nodes that aren't.
func (f *formulas) older(l kernel.Lit, limit int32) bool {
	seen := map[int32]bool{}
	stack := []int32{l.Node()}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if n < limit || seen[n] {
			continue
		}
		seen[n] = true
		x, y, conjunction := f.Operands(n)
		if !conjunction || len(seen) > maxOlder {
			return false
		}
		stack = append(stack, x.Node(), y.Node())
	}
	return true
}

// support returns formulas of nodes below limit that the given ones are made of, at most
// n of them: first those that are as large as possible, then variables; newer ones
// first. It looks at no more than maxSupport nodes.
func (f *formulas) support(of []kernel.Lit, limit int32, n int) []kernel.Lit {
	seen := map[int32]bool{0: true}
	var parts, variables, stack []int32
	push := func(l kernel.Lit, above bool) {
		if k := l.Node(); !seen[k] && len(seen) < maxSupport {
			seen[k] = true
			stack = append(stack, k)
			switch {
			case k >= limit:
			case f.IsVariable(k):
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
		if x, y, ok := f.Operands(k); ok {
			push(x, k >= limit)
			push(y, k >= limit)
		}
	}
	newest := func(x, y int32) int { return cmp.Compare(y, x) }
	slices.SortFunc(parts, newest)
	slices.SortFunc(variables, newest)
	var out []kernel.Lit
	for _, k := range append(parts, variables...) {
		if len(out) < n {
			out = append(out, kernel.Lit(k)<<1)
		}
	}
	return out
}

// variables returns the variables of formulas.
func (f *formulas) variables(of ...kernel.Lit) []int32 { return f.variablesWithin(math.MaxInt, of...) }

// variablesWithin is variables; it returns none if the formulas have more than some nodes.
func (f *formulas) variablesWithin(nodes int, of ...kernel.Lit) (out []int32) {
	seen := map[int32]bool{0: true}
	var stack []int32
	for _, l := range of {
		stack = append(stack, l.Node())
	}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[n] {
			continue
		}
		if len(seen) > nodes {
			return nil
		}
		seen[n] = true
		if x, y, ok := f.Operands(n); ok {
			stack = append(stack, x.Node(), y.Node())
		} else {
			out = append(out, n)
		}
	}
	return out
}

// substitute returns a formula with other formulas for some of its variables.
func (f *formulas) substitute(l kernel.Lit, at map[int32]kernel.Lit) kernel.Lit {
	done := map[int32]kernel.Lit{0: kernel.No}
	stack := []int32{l.Node()}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		x, y, conjunction := f.Operands(n)
		if !conjunction && n != 0 {
			to, ok := at[n]
			if !ok {
				to = kernel.Lit(n) << 1
			}
			done[n] = to
		}
		if _, ok := done[n]; ok {
			stack = stack[:len(stack)-1]
			continue
		}
		a, first := done[x.Node()]
		b, second := done[y.Node()]
		if !first || !second {
			stack = append(stack, x.Node(), y.Node())
			continue
		}
		done[n] = f.And(a^x&1, b^y&1)
	}
	return done[l.Node()] ^ l&1
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
func (e *evaluator) holds(l kernel.Lit) bool {
	stack := []int32{l.Node()}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		if _, done := e.values[n]; done {
			stack = stack[:len(stack)-1]
			continue
		}
		x, y, conjunction := e.f.Operands(n)
		if !conjunction {
			e.values[n] = e.m[n]
			continue
		}
		vx, ok := e.values[x.Node()]
		if !ok {
			stack = append(stack, x.Node())
			continue
		}
		if vx == x.Negated() { // the first operand is false
			e.values[n] = false
			continue
		}
		vy, ok := e.values[y.Node()]
		if !ok {
			stack = append(stack, y.Node())
			continue
		}
		e.values[n] = vy != y.Negated()
	}
	return e.values[l.Node()] != l.Negated()
}
