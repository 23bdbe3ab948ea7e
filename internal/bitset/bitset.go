// Package bitset has sets of small numbers, one bit for each.
package bitset

// Set is a set of numbers below a limit.
type Set []uint64

// New returns an empty set of numbers below n.
func New(n int) Set { return make(Set, (n+63)/64) }

// Has tells whether a number is in the set.
func (s Set) Has(i int) bool { return s[i>>6]>>(i&63)&1 == 1 }

// Add puts a number into the set.
func (s Set) Add(i int) { s[i>>6] |= 1 << (i & 63) }

// Flip puts a number into the set, or takes it out if it is there.
func (s Set) Flip(i int) { s[i>>6] ^= 1 << (i & 63) }

// Union adds the members of another set with the same limit.
func (s Set) Union(t Set) {
	for i, w := range t {
		s[i] |= w
	}
}
