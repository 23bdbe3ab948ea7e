package sat

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// satisfiable tries all values.
func satisfiable(variables int, clauses [][]int) bool {
	for m := range 1 << variables {
		if !slices.ContainsFunc(clauses, func(c []int) bool {
			return !slices.ContainsFunc(c, func(n int) bool { return m>>(max(n, -n)-1)&1 != 0 == (n > 0) })
		}) {
			return true
		}
	}
	return false
}

// follows tells whether a clause follows from others by unit propagation.
func follows(clauses [][]int, c []int) bool {
	truth := map[int]bool{}
	for _, n := range c {
		truth[-n] = true
	}
	for again := true; again; {
		again = false
	next:
		for _, d := range clauses {
			unit := 0
			for _, n := range d {
				switch {
				case truth[n]:
					continue next
				case truth[-n] || unit == n:
				case unit != 0:
					continue next
				default:
					unit = n
				}
			}
			if unit == 0 {
				return true
			}
			truth[unit], again = true, true
		}
	}
	return false
}

func TestRandomFormulas(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	answers := map[bool]int{}
	for range 3000 {
		variables := 1 + r.IntN(10)
		var clauses [][]int
		for range r.IntN(6 * variables) {
			var c []int
			for range 1 + r.IntN(4) {
				n := 1 + r.IntN(variables)
				if r.IntN(2) == 0 {
					n = -n
				}
				c = append(c, n)
			}
			clauses = append(clauses, c)
		}
		s := New(variables)
		s.LogProof()
		for _, c := range clauses {
			s.Add(c...)
		}
		got := s.Solve()
		answers[got]++
		if got != satisfiable(variables, clauses) {
			t.Fatalf("%v: %v", clauses, got)
		}
		if got {
			for _, c := range clauses {
				if !slices.ContainsFunc(c, func(n int) bool { return s.Value(max(n, -n)) == (n > 0) }) {
					t.Fatalf("%v: no model", clauses)
				}
			}
			continue
		}
		known := slices.Clone(clauses)
		for _, c := range s.Proof() {
			if !follows(known, c) {
				t.Fatalf("%v: %v doesn't follow", clauses, c)
			}
			known = append(known, c)
		}
		if p := s.Proof(); len(p) == 0 || len(p[len(p)-1]) != 0 {
			t.Fatalf("%v: the proof doesn't end with the empty clause", clauses)
		}
	}
	if answers[true] < 100 || answers[false] < 100 {
		t.Errorf("answers: %v", answers)
	}
}

// n pigeons in n-1 holes can't each have its own.
func TestPigeonHoles(t *testing.T) {
	const n = 7
	s := New(n * (n - 1))
	in := func(pigeon, hole int) int { return pigeon*(n-1) + hole + 1 }
	for p := range n {
		var c []int
		for h := range n - 1 {
			c = append(c, in(p, h))
			for q := range p {
				s.Add(-in(p, h), -in(q, h))
			}
		}
		s.Add(c...)
	}
	if yes, conflicts := s.SolveWithin(5); yes || conflicts != 6 {
		t.Errorf("satisfiable: %v, after %d conflicts", yes, conflicts)
	}
	if s.Solve() {
		t.Error("satisfiable")
	}
}
