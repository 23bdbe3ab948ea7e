package order

// bitset is a set of small numbers.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

func (s bitset) has(i int32) bool { return s[i>>6]>>(i&63)&1 == 1 }

func (s bitset) set(i int32) { s[i>>6] |= 1 << (i & 63) }

// union adds the members of another set.
func (s bitset) union(t bitset) {
	for i, w := range t {
		s[i] |= w
	}
}
