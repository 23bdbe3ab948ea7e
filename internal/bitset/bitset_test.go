package bitset_test

import (
	"fmt"

	"freehold/internal/bitset"
)

// Numbers on both sides of a word's end are apart from each other.
func Example() {
	s, t := bitset.New(70), bitset.New(70)
	s.Add(63)
	t.Add(64)
	t.Flip(69)
	s.Union(t)
	s.Flip(63)
	fmt.Println(s.Has(0), s.Has(63), s.Has(64), s.Has(69))
	// Output: false false true true
}
