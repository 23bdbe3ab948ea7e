package check

// A persistent is an array of which old versions stay valid: a radix tree that
// shares what versions have in common. The zero value has the zero T everywhere.
// Reading and writing take O(log n), merging two versions O(differences * log n).
type persistent[T comparable] struct {
	root   *pnode[T]
	levels int
}

const pbits = 4

// pnode is a node of the tree: an inner one has sub, a leaf val.
type pnode[T comparable] struct {
	sub *[1 << pbits]*pnode[T]
	val *[1 << pbits]T
}

// newLeaf returns a leaf of zeros, which lies in memory beside what it has.
func newLeaf[T comparable]() *pnode[T] {
	n := new(struct {
		pnode[T]
		elements [1 << pbits]T
	})
	n.val = &n.elements
	return &n.pnode
}

// newInner likewise returns an inner node that has no others.
func newInner[T comparable]() *pnode[T] {
	n := new(struct {
		pnode[T]
		nodes [1 << pbits]*pnode[T]
	})
	n.sub = &n.nodes
	return &n.pnode
}

func (p persistent[T]) capacity() int {
	if p.root == nil {
		return 0
	}
	return 1 << (pbits * p.levels)
}

func (p persistent[T]) get(i int) (zero T) {
	if i >= p.capacity() {
		return zero
	}
	n := p.root
	for l := p.levels - 1; l > 0; l-- {
		if n = n.sub[i>>(pbits*l)&(1<<pbits-1)]; n == nil {
			return zero
		}
	}
	return n.val[i&(1<<pbits-1)]
}

// set returns the version with v at i.
func (p persistent[T]) set(i int, v T) persistent[T] {
	if p.get(i) == v {
		return p
	}
	p = p.grow(i)
	return persistent[T]{setIn(p.root, p.levels-1, i, v), p.levels}
}

// grow returns an equal version that has room for index i.
func (p persistent[T]) grow(i int) persistent[T] {
	for i >= p.capacity() {
		if p.levels == 0 {
			p = persistent[T]{newLeaf[T](), 1}
			continue
		}
		n := newInner[T]()
		n.sub[0] = p.root
		p = persistent[T]{n, p.levels + 1}
	}
	return p
}

func setIn[T comparable](n *pnode[T], level, i int, v T) *pnode[T] {
	k := i >> (pbits * level) & (1<<pbits - 1)
	if level == 0 {
		c := newLeaf[T]()
		if n != nil {
			*c.val = *n.val
		}
		c.val[k] = v
		return c
	}
	c := newInner[T]()
	if n != nil {
		*c.sub = *n.sub
	}
	c.sub[k] = setIn(c.sub[k], level-1, i, v)
	return c
}

// mergePersistent returns a version that has join(i, x, y) where a and b have
// different elements x and y at i, and their common elements elsewhere.
func mergePersistent[T comparable](a, b persistent[T], join func(i int, x, y T) T) persistent[T] {
	if a.root == b.root {
		return a
	}
	a, b = a.grow(b.capacity()-1), b.grow(a.capacity()-1)
	return persistent[T]{mergeNodes(a.root, b.root, a.levels-1, 0, join), a.levels}
}

func mergeNodes[T comparable](a, b *pnode[T], level, base int, join func(i int, x, y T) T) *pnode[T] {
	if a == b {
		return a
	}
	if level == 0 {
		n := newLeaf[T]()
		x := n.val
		var y [1 << pbits]T
		if a != nil {
			*x = *a.val
		}
		if b != nil {
			y = *b.val
		}
		for k := range x {
			if x[k] != y[k] {
				x[k] = join(base+k, x[k], y[k])
			}
		}
		return n
	}
	n := newInner[T]()
	x := n.sub
	var y [1 << pbits]*pnode[T]
	if a != nil {
		*x = *a.sub
	}
	if b != nil {
		y = *b.sub
	}
	for k := range x {
		x[k] = mergeNodes(x[k], y[k], level-1, base+k<<(pbits*level), join)
	}
	return n
}
