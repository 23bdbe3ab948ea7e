package kernel

import "testing"

// A lemma holds if its negation leads to a contradiction by unit propagation.
func TestRefutes(t *testing.T) {
	f := NewFormulas()
	a, b, c := f.Variable(), f.Variable(), f.Variable()
	xor := func(x, y Lit) Lit { return f.Iff(x, y).Not() }
	// a, b and c differ from each other: unit propagation alone doesn't see that they can't.
	all := f.And(f.And(xor(a, b), xor(b, c)), xor(a, c))
	n := int(a.Node())
	for _, x := range []struct {
		lemmas [][]int
		want   bool
	}{
		{nil, false},
		{[][]int{{n}}, true},
		{[][]int{{-n}}, true},
		{[][]int{{n, int(b.Node())}}, false},
		{[][]int{{n, int(b.Node())}, {n}}, true},
		{[][]int{{1000}}, false},
		{[][]int{{}}, false},
	} {
		if got := f.Refutes(f.Len(), all, x.lemmas); got != x.want {
			t.Errorf("%v: %t", x.lemmas, got)
		}
		if len(f.trail) != 0 {
			t.Errorf("%v left values behind", x.lemmas)
		}
	}
	f.Propagate(a)
	if f.And(a, b) != b || f.And(a.Not(), b) != No || !f.Refutes(f.Len(), all, nil) {
		t.Error("what is assumed isn't known")
	}
}

// Old versions of a table stay what they were.
func TestTable(t *testing.T) {
	var a Table[int]
	a = a.Set(3, 7)
	b := a.Set(100, 1).Set(3, 8)
	if a.Get(3) != 7 || a.Get(100) != 0 || b.Get(3) != 8 || b.Get(100) != 1 || b.Get(1<<40) != 0 {
		t.Error("an element is something else")
	}
	got := map[int][2]int{}
	a.Compare(b, func(i, x, y int) { got[i] = [2]int{x, y} })
	if len(got) != 2 || got[3] != [2]int{7, 8} || got[100] != [2]int{0, 1} {
		t.Errorf("differences %v", got)
	}
}
