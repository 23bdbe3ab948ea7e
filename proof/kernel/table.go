package kernel

// Table is an array of which old versions stay valid: a radix tree, of which versions share what they
// have in common. The zero value has the zero T everywhere. Reading and writing take O(log n),
// comparing and merging two versions O(differences * log n).
type Table[T comparable] struct {
	root   *branch[T]
	levels int
}

const tableBits = 4

// branch is a node of the tree: an inner one has sub, a leaf val.
type branch[T comparable] struct {
	sub *[1 << tableBits]*branch[T]
	val *[1 << tableBits]T
}

// newLeaf returns a leaf of zeros, which lies in memory beside what it has.
func newLeaf[T comparable]() *branch[T] {
	n := new(struct {
		branch[T]
		elements [1 << tableBits]T
	})
	n.val = &n.elements
	return &n.branch
}

// newInner likewise returns an inner node that has no others.
func newInner[T comparable]() *branch[T] {
	n := new(struct {
		branch[T]
		nodes [1 << tableBits]*branch[T]
	})
	n.sub = &n.nodes
	return &n.branch
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
		if n = n.sub[i>>(tableBits*l)&(1<<tableBits-1)]; n == nil {
			return zero
		}
	}
	return n.val[i&(1<<tableBits-1)]
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
		if p.levels == 0 {
			p = Table[T]{newLeaf[T](), 1}
			continue
		}
		n := newInner[T]()
		n.sub[0] = p.root
		p = Table[T]{n, p.levels + 1}
	}
	return p
}

func setIn[T comparable](n *branch[T], level, i int, v T) *branch[T] {
	k := i >> (tableBits * level) & (1<<tableBits - 1)
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
	if level == 0 {
		n := newLeaf[T]()
		x := n.val
		var y [1 << tableBits]T
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
	var y [1 << tableBits]*branch[T]
	if a != nil {
		*x = *a.sub
	}
	if b != nil {
		y = *b.sub
	}
	for k := range x {
		x[k] = mergeBranches(x[k], y[k], level-1, base+k<<(tableBits*level), join)
	}
	return n
}
