package bufferize

import "freehold/ir"

// unionFind keeps disjoint sets of values. Values that were never joined are sets
// of their own. The members of a set have an order: when sets are joined, the
// members of the second come after those of the first.
type unionFind struct {
	numbers *ir.Numbering // may be shared with others
	nodes   []*node       // by number; nil if the value was not looked at
}

type node struct {
	value  *ir.Value
	parent *node
	size   int
	// next is the following member of the set. first and last are valid in the root.
	next, first, last *node
}

func newUnionFind(numbers *ir.Numbering) *unionFind { return &unionFind{numbers: numbers} }

func (u *unionFind) node(v *ir.Value) *node {
	i, _ := u.numbers.AddValue(v)
	for i >= len(u.nodes) {
		u.nodes = append(u.nodes, nil)
	}
	n := u.nodes[i]
	if n == nil {
		n = &node{value: v, size: 1}
		n.parent, n.first, n.last = n, n, n
		u.nodes[i] = n
	}
	return n
}

func (u *unionFind) root(v *ir.Value) *node {
	n := u.node(v)
	for n.parent != n {
		n.parent = n.parent.parent
		n = n.parent
	}
	return n
}

// join makes the sets of a and b one.
func (u *unionFind) join(a, b *ir.Value) {
	x, y := u.root(a), u.root(b)
	if x == y {
		return
	}
	first, last := x.first, y.last
	x.last.next = y.first
	if x.size < y.size {
		x, y = y, x
	}
	y.parent = x
	x.size += y.size
	x.first, x.last = first, last
}

func (u *unionFind) same(a, b *ir.Value) bool { return a == b || u.root(a) == u.root(b) }

// each calls fn for the members of v's set.
func (u *unionFind) each(v *ir.Value, fn func(*ir.Value)) {
	for n := u.root(v).first; n != nil; n = n.next {
		fn(n.value)
	}
}
