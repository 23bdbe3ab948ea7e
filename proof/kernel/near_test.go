package kernel

import "testing"

// steps assumes that, where here holds, each of n variables implies the next one, and returns them.
func steps(f *Formulas, here Lit, n int) []Lit {
	vs := []Lit{f.Variable()}
	for range n {
		next := f.Variable()
		f.Propagate(f.And(here, f.And(vs[len(vs)-1], next.Not())).Not())
		vs = append(vs, next)
	}
	return vs
}

// A question is about as many conditions in a long function as in a short one.
func TestNear(t *testing.T) {
	for _, n := range []int{10, 100, 10000} {
		f := NewFormulas()
		here := f.Variable()
		vs := steps(f, here, n)
		bad := f.And(here, f.And(vs[n-1], vs[n].Not()))
		if nodes, _ := f.Near(64, bad); len(nodes) > 100 {
			t.Errorf("of %d: %d nodes are near", n, len(nodes))
		}
		if !f.RefutesNear(64, bad, nil) {
			t.Errorf("of %d: what contradicts the last step isn't refuted", n)
		}
		far := f.And(here, f.And(vs[0], vs[n].Not()))
		if got := f.RefutesNear(64, far, nil); got && n > 100 {
			t.Errorf("of %d: few nodes are enough to see all steps", n)
		}
		if !f.Refutes(far, nil) {
			t.Errorf("of %d: what contradicts all steps isn't refuted", n)
		}
		if f.RefutesNear(64, f.And(here, f.And(vs[1], vs[0].Not())), nil) {
			t.Errorf("of %d: what may be is refuted", n)
		}
		if len(f.scope) != 0 {
			t.Errorf("of %d: the scope of a question is left behind", n)
		}
		if _, all := f.Near(16*n, far); !all {
			t.Errorf("of %d: %d nodes aren't all", n, 16*n)
		}
	}
}

// Whatever nodes are looked at, what is refuted by them is refuted by all.
func TestRefutesNearIsSound(t *testing.T) {
	f := NewFormulas()
	here := f.Variable()
	vs := steps(f, here, 6)
	shown := 0
	for i, a := range vs {
		for j, b := range vs {
			for _, bad := range []Lit{f.And(a, b), f.And(a, b.Not()), f.And(here, f.And(a, b.Not())), f.And(here, f.And(a.Not(), b))} {
				for size := 1; size < 200; size++ {
					if f.RefutesNear(size, bad, nil) {
						if shown++; !f.Refutes(bad, nil) {
							t.Errorf("steps %d and %d: refuted by %d nodes only", i, j, size)
						}
					}
				}
			}
		}
	}
	if shown == 0 {
		t.Error("nothing was refuted")
	}
}
