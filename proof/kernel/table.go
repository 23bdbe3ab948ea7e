package kernel

import "slices"

// Table is an array of which old versions stay valid: a radix tree, of which versions share what they
// have in common. The zero value has the zero T everywhere. Reading and writing take O(log n),
// comparing and merging two versions O(differences * log n).
type Table[T comparable] struct {
	root   *branch[T]
	levels int
}

const (
	tableBits = 4
	width     = 1 << tableBits
)

// branch is a node of the tree: an inner one has width others, a leaf as many elements.
type branch[T comparable] struct {
	sub []*branch[T]
	val []T
}

// copy returns a copy of a node, or an empty one if there is none.
func (n *branch[T]) copy(leaf bool) *branch[T] {
	switch {
	case n != nil:
		return &branch[T]{slices.Clone(n.sub), slices.Clone(n.val)}
	case leaf:
		return &branch[T]{val: make([]T, width)}
	}
	return &branch[T]{sub: make([]*branch[T], width)}
}

func (p Table[T]) capacity() int {
	if p.root == nil {
		return 0
	}
	return 1 << (tableBits * p.levels)
}

// Get returns element i, which is the zero value if none was set.
func (p Table[T]) Get(i int) (zero T) {
	if i >= p.capacity() {
		return zero
	}
	n := p.root
	for l := p.levels - 1; l > 0; l-- {
		if n = n.sub[i>>(tableBits*l)&(width-1)]; n == nil {
			return zero
		}
	}
	return n.val[i&(width-1)]
}

// Set returns the version with v at i.
func (p Table[T]) Set(i int, v T) Table[T] {
	if p.Get(i) == v {
		return p
	}
	p = p.grow(i)
	return Table[T]{setIn(p.root, p.levels-1, i, v), p.levels}
}

// grow returns an equal version that has room for index i.
func (p Table[T]) grow(i int) Table[T] {
	for i >= p.capacity() {
		n := (*branch[T])(nil).copy(p.levels == 0)
		if p.levels > 0 {
			n.sub[0] = p.root
		}
		p = Table[T]{n, p.levels + 1}
	}
	return p
}

func setIn[T comparable](n *branch[T], level, i int, v T) *branch[T] {
	c, k := n.copy(level == 0), i>>(tableBits*level)&(width-1)
	if level == 0 {
		c.val[k] = v
	} else {
		c.sub[k] = setIn(c.sub[k], level-1, i, v)
	}
	return c
}

// Compare calls differ with each index at which two versions have different elements, in ascending order.
func (p Table[T]) Compare(q Table[T], differ func(i int, x, y T)) {
	p.Merge(q, func(i int, x, y T) T {
		differ(i, x, y)
		return x
	})
}

// Merge returns a version that has join(i, x, y) where p and q have different elements x and y at i, and
// their common elements elsewhere. It calls join in ascending order.
func (p Table[T]) Merge(q Table[T], join func(i int, x, y T) T) Table[T] {
	if p.root == q.root {
		return p
	}
	p, q = p.grow(q.capacity()-1), q.grow(p.capacity()-1)
	return Table[T]{mergeBranches(p.root, q.root, p.levels-1, 0, join), p.levels}
}

func mergeBranches[T comparable](a, b *branch[T], level, base int, join func(i int, x, y T) T) *branch[T] {
	if a == b {
		return a
	}
	c := a.copy(level == 0)
	if b == nil {
		b = b.copy(level == 0)
	}
	for k := range width {
		if level > 0 {
			c.sub[k] = mergeBranches(c.sub[k], b.sub[k], level-1, base+k<<(tableBits*level), join)
		} else if x, y := c.val[k], b.val[k]; x != y {
			c.val[k] = join(base+k, x, y)
		}
	}
	return c
}
