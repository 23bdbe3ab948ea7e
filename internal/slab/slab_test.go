package slab

import (
	"slices"
	"testing"
)

// A list has the elements that a slice has, whatever is added, changed and removed.
func TestList(t *testing.T) {
	var l List[int]
	var want []int
	for i := range 20000 {
		switch r := i * 7919 % 100; {
		case r < 2 && i%500 == 0:
			l.Clear()
			want = want[:0]
		case r < 40 && i > 8000 && len(want) > 0:
			x := l.Pop()
			if y := want[len(want)-1]; x != y {
				t.Fatalf("step %d: %d is popped, want %d", i, x, y)
			}
			want = want[:len(want)-1]
		case r < 50 && len(want) > 0:
			k := i * 31 % len(want)
			*l.At(k), want[k] = -i, -i
		default:
			l.Append(i)
			want = append(want, i)
		}
		if l.Len() != len(want) {
			t.Fatalf("step %d: %d elements, want %d", i, l.Len(), len(want))
		}
	}
	for i, x := range want {
		if *l.At(i) != x {
			t.Errorf("element %d: %d, want %d", i, *l.At(i), x)
		}
	}
}

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
