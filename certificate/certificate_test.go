package certificate

import "testing"

// What isn't a certificate is refused with the line.
func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"":                                                   `the first line isn't "freehold certificate 1"`,
		"freehold certificate 2":                             `line 1: "freehold certificate 2" isn't understood here`,
		header + "\nprogram":                                 `line 2: "program" isn't understood here`,
		header + "\nowns 1":                                  `line 2: "owns 1" isn't understood here`,
		header + "\nfunction @f\nowns x":                     `line 3: "owns x" isn't understood here`,
		header + "\nfunction @f\nowns 1 if":                  `line 3: "owns 1 if" isn't understood here`,
		header + "\nfunction @f\ngives 1":                    `line 3: "gives 1" isn't understood here`,
		header + "\nfunction @f\nblocks 0.0 (0":              `line 3: "blocks 0.0 (0" isn't understood here`,
		header + "\nfunction @f\nblocks 0.0 -3":              `line 3: "blocks 0.0 -3" isn't understood here`,
		header + "\nfunction @f\nblocks 0.0 0 1=x+":          `line 3: "blocks 0.0 0 1=x+" isn't understood here`,
		header + "\nfunction @f\nlemma 1":                    `line 3: "lemma 1" isn't understood here`,
		header + "\nfunction @f\nproof\nlemma 0":             `line 4: "lemma 0" isn't understood here`,
		header + "\nfunction @f\nholds c1":                   `line 3: "holds c1" isn't understood here`,
		header + "\nfunction @f\nloop 3\nloop 3":             `line 4: "loop 3" isn't understood here`,
		header + "\nfunction @f\nloop 3\ncarries 1":          `line 4: "carries 1" isn't understood here`,
		header + "\nfunction @f\nloop 3\ncarries 1 to":       `line 4: "carries 1 to" isn't understood here`,
		header + "\nfunction @f\nloop 3\nlives new1":         `line 4: "lives new1" isn't understood here`,
		header + "\nfunction @f\nunroll 3\ncarries 1 free":   `line 4: "carries 1 free" isn't understood here`,
		header + "\nfunction @f\nloop 3\ncarries 1 anything": `line 4: "carries 1 anything" isn't understood here`,
	} {
		if _, err := Parse(text); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// A lemma holds if its negation leads to a contradiction by unit propagation.
func TestRefutes(t *testing.T) {
	f := newFormulas()
	a, b, c := f.variable(), f.variable(), f.variable()
	xor := func(x, y lit) lit { return f.iff(x, y).not() }
	// a, b and c differ from each other: unit propagation alone doesn't see that they can't.
	all := f.and(f.and(xor(a, b), xor(b, c)), xor(a, c))
	n := int(a.node())
	for _, x := range []struct {
		lemmas [][]int
		want   bool
	}{
		{nil, false},
		{[][]int{{n}}, true},
		{[][]int{{-n}}, true},
		{[][]int{{n, int(b.node())}}, false},
		{[][]int{{n, int(b.node())}, {n}}, true},
		{[][]int{{1000}}, false},
		{[][]int{{}}, false},
	} {
		if got := f.refutes(all, x.lemmas); got != x.want {
			t.Errorf("%v: %t", x.lemmas, got)
		}
		if len(f.trail) != 0 {
			t.Errorf("%v left values behind", x.lemmas)
		}
	}
	f.propagate(a)
	if f.and(a, b) != b || f.and(a.not(), b) != no || !f.refutes(all, nil) {
		t.Error("what is assumed isn't known")
	}
}

// Old versions of a table stay what they were.
func TestTable(t *testing.T) {
	var a table[int]
	a = a.set(3, 7)
	b := a.set(100, 1).set(3, 8)
	if a.get(3) != 7 || a.get(100) != 0 || b.get(3) != 8 || b.get(100) != 1 || b.get(1<<40) != 0 {
		t.Error("an element is something else")
	}
	got := map[int][2]int{}
	a.compare(b, func(i, x, y int) { got[i] = [2]int{x, y} })
	if len(got) != 2 || got[3] != [2]int{7, 8} || got[100] != [2]int{0, 1} {
		t.Errorf("differences %v", got)
	}
}
