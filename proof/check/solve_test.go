package check

import (
	"math/rand/v2"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"freehold/proof/kernel"
)

// TestSatisfy compares the solver's answers with those of trying all models.
func TestSatisfy(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := newFormulas()
		const variables = 6
		var pool []kernel.Lit
		for range variables {
			pool = append(pool, f.Variable())
		}
		n := rapid.IntRange(1, 40).Draw(t, "size")
		pick := func() kernel.Lit {
			l := pool[rapid.IntRange(0, len(pool)-1).Draw(t, "operand")]
			if rapid.Bool().Draw(t, "negated") {
				l = l.Not()
			}
			return l
		}
		type choice struct{ c, x, y kernel.Lit }
		var choices []choice
		for range n {
			x, y := pick(), pick()
			switch rapid.IntRange(0, 3).Draw(t, "op") {
			case 0:
				pool = append(pool, f.And(x, y))
			case 1:
				pool = append(pool, f.Or(x, y))
			case 2:
				pool = append(pool, f.xor(x, y))
			default:
				c := pick()
				pool = append(pool, f.Choose(c, x, y))
				choices = append(choices, choice{c, x, y})
			}
		}
		goals := []kernel.Lit{pick(), pick(), pick()}
		axiom := pick()
		want := false
		for bits := range 1 << variables {
			m := model{}
			for i := range variables {
				m[int32(i+1)] = bits>>i&1 == 1
			}
			e := f.in(m)
			for _, c := range choices {
				w := c.y
				if e.holds(c.c) {
					w = c.x
				}
				if e.holds(f.Choose(c.c, c.x, c.y)) != e.holds(w) {
					t.Fatalf("ite differs in %v", m)
				}
			}
			all := e.holds(axiom)
			for _, g := range goals {
				all = all && e.holds(g)
			}
			want = want || all
		}
		// The axiom belongs to all variables; where no goal has any, it doesn't count.
		m, ok := f.satisfy(func(int32) []kernel.Lit { return []kernel.Lit{axiom} }, 1<<20, nil, goals...)
		if !ok {
			t.Fatal("too large")
		}
		if m == nil {
			if want {
				t.Fatal("no model found")
			}
			return
		}
		e := f.in(m)
		for _, g := range goals {
			if !e.holds(g) {
				t.Fatalf("goal %d doesn't hold in the model %v", g, m)
			}
		}
		constant := true
		for _, g := range goals {
			constant = constant && g <= kernel.Yes
		}
		if !constant && !e.holds(axiom) {
			t.Fatalf("the axiom doesn't hold in the model %v", m)
		}
	})
}

// Formulas are solved at the same time as others without disturbing each other. They are
// hard enough for the solver to learn from conflicts.
func TestSatisfyAtTheSameTime(t *testing.T) {
	const variables, clauses, formulas = 60, 256, 40
	try := func(seed uint64) bool {
		rnd := rand.New(rand.NewPCG(seed, 1))
		f := newFormulas()
		var v, goals []kernel.Lit
		for range variables {
			v = append(v, f.Variable())
		}
		for range clauses {
			c := kernel.No
			for range 3 {
				l := v[rnd.IntN(variables)]
				if rnd.IntN(2) == 0 {
					l = l.Not()
				}
				c = f.Or(c, l)
			}
			goals = append(goals, c)
		}
		m, _ := f.satisfy(func(int32) []kernel.Lit { return nil }, 1<<20, nil, goals...)
		if m != nil {
			e := f.in(m)
			for _, g := range goals {
				if !e.holds(g) {
					t.Errorf("formula %d: the model doesn't hold", seed)
				}
			}
		}
		return m != nil
	}
	var want [formulas]bool
	for i := range want {
		want[i] = try(uint64(i))
	}
	var wg sync.WaitGroup
	for k := range 8 {
		wg.Go(func() {
			for i := range want {
				if i = (i + k*5) % formulas; try(uint64(i)) != want[i] {
					t.Errorf("formula %d: %t by itself", i, want[i])
				}
			}
		})
	}
	wg.Wait()
}
