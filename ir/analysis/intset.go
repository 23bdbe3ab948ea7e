package analysis

import "math/bits"

// intSet is a set of small numbers, immutable; nil is the empty set. It is a
// big-endian Patricia tree with 64 numbers in a leaf (Okasaki and Gill, "Fast
// Mergeable Integer Maps", 1998). Sets that are made from each other share what
// they have in common: a chain of n sets, each with one more number than the one
// before, takes n log n space, and operations don't look at shared parts.
type intSet struct {
	// prefix is the number of a leaf's word, or what the words below have in common,
	// where the bits up to branch are 0.
	prefix uint32
	branch uint32 // the bit in which left and right differ; 0 in a leaf
	word   uint64 // of a leaf
	left   *intSet
	right  *intSet
}

// oneInt returns the set of t alone.
func oneInt(t int) *intSet { return &intSet{prefix: uint32(t) >> 6, word: 1 << (t & 63)} }

// matches tells whether a word's number belongs below a branch.
func (s *intSet) matches(w uint32) bool { return w&^(s.branch|(s.branch-1)) == s.prefix }

func joinSets(a, b *intSet) *intSet {
	bit := uint32(1) << (31 - bits.LeadingZeros32(a.prefix^b.prefix))
	s := &intSet{prefix: a.prefix &^ (bit | (bit - 1)), branch: bit, left: a, right: b}
	if a.prefix&bit != 0 {
		s.left, s.right = b, a
	}
	return s
}

// union returns the numbers that are in either set. It returns a or b itself if
// that holds them all already.
func (a *intSet) union(b *intSet) *intSet {
	switch {
	case a == b || b == nil:
		return a
	case a == nil:
		return b
	case a.branch < b.branch:
		return b.union(a)
	case a.branch == b.branch:
		if a.prefix != b.prefix {
			return joinSets(a, b)
		}
		if a.branch == 0 {
			switch w := a.word | b.word; w {
			case a.word:
				return a
			case b.word:
				return b
			default:
				return &intSet{prefix: a.prefix, word: w}
			}
		}
		return a.with(b, a.left.union(b.left), a.right.union(b.right))
	case !a.matches(b.prefix):
		return joinSets(a, b)
	case b.prefix&a.branch == 0:
		return a.with(nil, a.left.union(b), a.right)
	}
	return a.with(nil, a.left, a.right.union(b))
}

// with returns the branch a with other children; a itself, or b, a branch for the
// same words, if it has them.
func (a *intSet) with(b, left, right *intSet) *intSet {
	if a.left == left && a.right == right {
		return a
	}
	if b != nil && b.left == left && b.right == right {
		return b
	}
	return &intSet{prefix: a.prefix, branch: a.branch, left: left, right: right}
}

// has tells whether a number is in the set.
func (a *intSet) has(t int) bool {
	w := uint32(t) >> 6
	for a != nil && a.branch != 0 {
		switch {
		case !a.matches(w):
			return false
		case w&a.branch == 0:
			a = a.left
		default:
			a = a.right
		}
	}
	return a != nil && a.prefix == w && a.word>>(t&63)&1 != 0
}

// intersects tells whether the sets have a number in common.
func (a *intSet) intersects(b *intSet) bool {
	switch {
	case a == nil || b == nil:
		return false
	case a == b:
		return true
	case a.branch < b.branch:
		return b.intersects(a)
	case a.branch == b.branch:
		if a.prefix != b.prefix {
			return false
		}
		if a.branch == 0 {
			return a.word&b.word != 0
		}
		return a.left.intersects(b.left) || a.right.intersects(b.right)
	case !a.matches(b.prefix):
		return false
	case b.prefix&a.branch == 0:
		return a.left.intersects(b)
	}
	return a.right.intersects(b)
}

// only returns the number of a set that has exactly one.
func (a *intSet) only() (t int, ok bool) {
	if a == nil || a.branch != 0 || a.word&(a.word-1) != 0 {
		return 0, false
	}
	return int(a.prefix)<<6 | bits.TrailingZeros64(a.word), true
}

// fewerThan tells whether there are fewer than n numbers in the set, in at most n steps.
func (a *intSet) fewerThan(n int) bool { return a.countDown(n) > 0 }

// countDown returns n less the numbers of the set, or if that is not above 0 something that isn't, either.
func (a *intSet) countDown(n int) int {
	switch {
	case a == nil || n <= 0:
		return n
	case a.branch != 0:
		return a.right.countDown(a.left.countDown(n))
	}
	return n - bits.OnesCount64(a.word)
}

// each calls fn for each number, in ascending order.
func (a *intSet) each(fn func(t int)) {
	if a == nil {
		return
	}
	if a.branch != 0 {
		a.left.each(fn)
		a.right.each(fn)
		return
	}
	for w := a.word; w != 0; w &= w - 1 {
		fn(int(a.prefix)<<6 | bits.TrailingZeros64(w))
	}
}
