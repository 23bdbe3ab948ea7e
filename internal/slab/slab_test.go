package slab

import (
	"slices"
	"testing"
)

// Parts don't overlap, and appending to one leaves the others alone.
func TestPool(t *testing.T) {
	var p Pool[int]
	var parts [][]int
	for i := range 2000 {
		s := p.Take(i % 50)
		if len(s) != i%50 || cap(s) != i%50 || slices.ContainsFunc(s, func(x int) bool { return x != 0 }) {
			t.Fatalf("part %d: %v", i, s)
		}
		for j := range s {
			s[j] = i
		}
		parts = append(parts, s)
		_ = append(s, -1)
	}
	for i, s := range parts {
		if slices.ContainsFunc(s, func(x int) bool { return x != i }) {
			t.Fatalf("part %d: %v", i, s)
		}
	}
	if c := p.Copy([]int{1, 2}); !slices.Equal(c, []int{1, 2}) || p.Copy(nil) != nil {
		t.Errorf("copy %v", c)
	}
}
