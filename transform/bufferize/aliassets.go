package bufferize

import "freehold/ir"

// unionFind keeps disjoint sets of values. Values that were never joined are sets
// of their own.
type unionFind struct {
	nodes map[*ir.Value]*node
}

type node struct {
	value  *ir.Value
	parent *node
	size   int
	// next links the members of a set in a ring.
	next *node
}

func newUnionFind() *unionFind { return &unionFind{map[*ir.Value]*node{}} }

func (u *unionFind) node(v *ir.Value) *node {
	n := u.nodes[v]
	if n == nil {
		n = &node{value: v, size: 1}
		n.parent, n.next = n, n
		u.nodes[v] = n
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

func (u *unionFind) join(a, b *ir.Value) {
	x, y := u.root(a), u.root(b)
	if x == y {
		return
	}
	if x.size < y.size {
		x, y = y, x
	}
	y.parent = x
	x.size += y.size
	x.next, y.next = y.next, x.next
}

func (u *unionFind) same(a, b *ir.Value) bool { return a == b || u.root(a) == u.root(b) }

// each calls fn for the members of v's set.
func (u *unionFind) each(v *ir.Value, fn func(*ir.Value)) {
	first := u.node(v)
	for n := first; ; n = n.next {
		fn(n.value)
		if n.next == first {
			return
		}
	}
}
