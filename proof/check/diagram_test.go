package check

import (
	"testing"

	"pgregory.net/rapid"

	"freehold/proof/kernel"
)

// TestImpossible compares the answers of decision diagrams with those of trying all
// models.
func TestImpossible(t *testing.T) {
	found := 0
	rapid.Check(t, func(t *rapid.T) {
		f := newFormulas()
		const variables = 5
		var pool []kernel.Lit
		for range variables {
			pool = append(pool, f.Variable())
		}
		pick := func() kernel.Lit {
			l := pool[rapid.IntRange(0, len(pool)-1).Draw(t, "operand")]
			if rapid.Bool().Draw(t, "negated") {
				l = l.Not()
			}
			return l
		}
		for range rapid.IntRange(1, 40).Draw(t, "size") {
			pool = append(pool, f.And(pick(), pick()))
		}
		small := rapid.Bool().Draw(t, "bounded")
		if small {
			f.diagrams.total = rapid.IntRange(0, 20).Draw(t, "work")
		}
		for _, l := range pool[variables:] {
			for _, l := range []kernel.Lit{l, l.Not()} {
				want := true
				for bits := range 1 << variables {
					m := model{}
					for i := range variables {
						m[int32(i+1)] = bits>>i&1 == 1
					}
					want = want && !f.in(m).holds(l)
				}
				got := f.impossible(l)
				if got && !want || want && !got && !small {
					t.Fatalf("impossible: %t, but no model: %t", got, want)
				}
				if got && l > kernel.Yes {
					found++
				}
			}
		}
	})
	if found == 0 {
		t.Error("no formula was impossible")
	}
}
