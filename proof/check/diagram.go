package check

import "freehold/proof/kernel"

// diagrams are reduced ordered binary decision diagrams of formulas (Bryant:
// "Graph-Based Algorithms for Boolean Function Manipulation", 1986), in which newer
// variables stand above older ones: where a path joins another, the choice between
// the two is one new node above what was there. So the formulas of long chains of
// decisions have small diagrams, and whether one can be satisfied needs no search.
//
// An edge is a node, negated if the lowest bit is set, like a literal; equal
// functions are equal edges. Node 0 is the constant.
type diagrams struct {
	nodes  []dnode
	unique map[dnode]int32
	ands   map[[2]kernel.Lit]kernel.Lit
	// of holds the diagrams of the formulas' nodes; those that aren't in it were not
	// asked for, and those that are tooLarge have none.
	of map[int32]kernel.Lit
	// left is the work that may still be done for one conjunction, and total for all.
	left, total int
}

// dnode decides about a variable: els is the edge where it is false, then, which is
// never negated, where it is true.
type dnode struct {
	variable  int32
	els, then kernel.Lit
}

const tooLarge kernel.Lit = -1

// The work that goes into the diagrams of one conjunction, and of all formulas of an
// analysis, in pairs of nodes.
const (
	maxDiagramStep  = 1 << 13
	maxDiagramSteps = 1 << 21
)

func newDiagrams() *diagrams {
	d := &diagrams{unique: map[dnode]int32{}, ands: map[[2]kernel.Lit]kernel.Lit{}, of: map[int32]kernel.Lit{}}
	d.reset()
	return d
}

// reset forgets all diagrams.
func (d *diagrams) reset() {
	d.nodes = append(d.nodes[:0], dnode{})
	d.unique, d.ands, d.of = emptied(d.unique), emptied(d.ands), emptied(d.of)
	d.of[0] = kernel.No
	d.total = maxDiagramSteps
}

// impossible tells whether a formula can't be satisfied, as far as diagrams of
// bounded size show; false says nothing.
func (f *formulas) impossible(l kernel.Lit) bool {
	if l <= kernel.Yes {
		return l == kernel.No
	}
	d := f.diagrams
	stack := []int32{l.Node()}
	for len(stack) > 0 {
		n := stack[len(stack)-1]
		if _, done := d.of[n]; done {
			stack = stack[:len(stack)-1]
			continue
		}
		x, y, conjunction := f.Operands(n)
		if !conjunction {
			d.of[n] = d.node(n, kernel.No, kernel.Yes)
			continue
		}
		a, okA := d.of[x.Node()]
		b, okB := d.of[y.Node()]
		switch {
		case !okA:
			stack = append(stack, x.Node())
		case !okB:
			stack = append(stack, y.Node())
		case a == tooLarge || b == tooLarge:
			d.of[n] = tooLarge
		default:
			d.left = min(maxDiagramStep, d.total)
			before := d.left
			d.of[n] = d.and(a^x&1, b^y&1)
			d.total -= before - d.left
		}
	}
	e := d.of[l.Node()]
	return e != tooLarge && e^l&1 == kernel.No
}

// node returns the edge to a decision.
func (d *diagrams) node(variable int32, els, then kernel.Lit) kernel.Lit {
	if els == then {
		return els
	}
	sign := then & 1
	k := dnode{variable, els ^ sign, then ^ sign}
	n, ok := d.unique[k]
	if !ok {
		n = int32(len(d.nodes))
		d.nodes = append(d.nodes, k)
		d.unique[k] = n
	}
	return kernel.Lit(n)<<1 ^ sign
}

// and returns the conjunction, or tooLarge. It takes time in the product of the
// sizes, and recurses as deep as there are variables.
func (d *diagrams) and(a, b kernel.Lit) kernel.Lit {
	if l, ok := kernel.TrivialAnd(a, b); ok {
		return l
	}
	if a > b {
		a, b = b, a
	}
	k := [2]kernel.Lit{a, b}
	if l, ok := d.ands[k]; ok {
		return l
	}
	if d.left <= 0 {
		return tooLarge
	}
	d.left--
	v := max(d.nodes[a.Node()].variable, d.nodes[b.Node()].variable)
	ae, at := d.cofactors(a, v)
	be, bt := d.cofactors(b, v)
	els := d.and(ae, be)
	if els == tooLarge {
		return tooLarge
	}
	then := d.and(at, bt)
	if then == tooLarge {
		return tooLarge
	}
	l := d.node(v, els, then)
	d.ands[k] = l
	return l
}

// cofactors returns what an edge is where the variable, which stands no lower than
// its node, is false and where it is true.
func (d *diagrams) cofactors(l kernel.Lit, variable int32) (els, then kernel.Lit) {
	n := d.nodes[l.Node()]
	if n.variable != variable {
		return l, l
	}
	return n.els ^ l&1, n.then ^ l&1
}
