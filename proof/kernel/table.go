package kernel

// Table is an array of which old versions stay valid: a binary tree, of which versions
// share what they have in common. Elements that were never set are zero.
type Table[T comparable] struct {
	root *branch[T]
	bits int // of the largest index
}

// branch is a part of a table: two halves, or an element.
type branch[T comparable] struct {
	sub [2]*branch[T]
	val T
}

// Get returns element i, which is the zero value if none was set. Logarithmic time.
func (t Table[T]) Get(i int) (zero T) {
	if i>>t.bits != 0 {
		return zero
	}
	n := t.root
	for b := t.bits - 1; n != nil && b >= 0; b-- {
		n = n.sub[i>>b&1]
	}
	if n == nil {
		return zero
	}
	return n.val
}

// Set returns the version with x at i.
func (t Table[T]) Set(i int, x T) Table[T] {
	for i>>t.bits != 0 {
		t = Table[T]{&branch[T]{sub: [2]*branch[T]{t.root, nil}}, t.bits + 1}
	}
	return Table[T]{t.root.set(t.bits-1, i, x), t.bits}
}

func (n *branch[T]) set(bit, i int, x T) *branch[T] {
	out := &branch[T]{}
	if n != nil {
		*out = *n
	}
	if bit < 0 {
		out.val = x
	} else {
		k := i >> bit & 1
		out.sub[k] = out.sub[k].set(bit-1, i, x)
	}
	return out
}

// Compare calls differ with each index at which two versions have different elements.
func (t Table[T]) Compare(u Table[T], differ func(i int, x, y T)) {
	for t.bits < u.bits {
		t = Table[T]{&branch[T]{sub: [2]*branch[T]{t.root, nil}}, t.bits + 1}
	}
	for u.bits < t.bits {
		u = Table[T]{&branch[T]{sub: [2]*branch[T]{u.root, nil}}, u.bits + 1}
	}
	t.root.compare(u.root, t.bits-1, 0, differ)
}

func (n *branch[T]) compare(m *branch[T], bit, at int, differ func(i int, x, y T)) {
	if n == m {
		return
	}
	var x, y branch[T]
	if n != nil {
		x = *n
	}
	if m != nil {
		y = *m
	}
	if bit < 0 {
		if x.val != y.val {
			differ(at, x.val, y.val)
		}
		return
	}
	for k := range 2 {
		x.sub[k].compare(y.sub[k], bit-1, at|k<<bit, differ)
	}
}
