package oneshot

import "freehold/ir"

// valueTable numbers values, so that what is known of them is kept in slices.
type valueTable struct {
	numbers ir.Numbering
	values  []*ir.Value
}

// number returns the number of a value, a new one if it has none.
func (t *valueTable) number(v *ir.Value) int {
	i, added := t.numbers.AddValue(v)
	if added {
		t.values = append(t.values, v)
	}
	return i
}

// unionFind keeps disjoint sets of values. Values that were never joined are sets
// of their own. The members of a set have an order: when sets are joined, the
// members of the second come after those of the first.
type unionFind struct {
	*valueTable
	nodes []node // by number
}

// node is about one value; the links are numbers of values.
type node struct {
	// up is the way to the set's root, or, in the root, the number of members, negated.
	up int32
	// next is the following member of the set, or -1. first and last are valid in the
	// root.
	next, first, last int32
}

func newUnionFind(t *valueTable) *unionFind { return &unionFind{valueTable: t} }

// root returns the number of the member that stands for v's set.
func (u *unionFind) root(v *ir.Value) int32 {
	i := int32(u.number(v))
	for n := int32(len(u.nodes)); n <= i; n++ {
		u.nodes = append(u.nodes, node{up: -1, next: -1, first: n, last: n})
	}
	for u.nodes[i].up >= 0 {
		if up := u.nodes[u.nodes[i].up].up; up >= 0 {
			u.nodes[i].up = up
		}
		i = u.nodes[i].up
	}
	return i
}

// join makes the sets of a and b one.
func (u *unionFind) join(a, b *ir.Value) {
	x, y := u.root(a), u.root(b)
	if x == y {
		return
	}
	first, last := u.nodes[x].first, u.nodes[y].last
	u.nodes[u.nodes[x].last].next = u.nodes[y].first
	if u.nodes[x].up > u.nodes[y].up {
		x, y = y, x
	}
	u.nodes[x].up += u.nodes[y].up
	u.nodes[y].up = x
	u.nodes[x].first, u.nodes[x].last = first, last
}

func (u *unionFind) same(a, b *ir.Value) bool { return a == b || u.root(a) == u.root(b) }

// each calls fn for the members of v's set.
func (u *unionFind) each(v *ir.Value, fn func(*ir.Value)) {
	for i := u.nodes[u.root(v)].first; i >= 0; i = u.nodes[i].next {
		fn(u.values[i])
	}
}
