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

// A question is answered by as many conditions in a long function as in a short one, if what shows it is near.
func TestRefutesByFew(t *testing.T) {
	for _, n := range []int{10, 100, 10000} {
		f := NewFormulas()
		here := f.Variable()
		vs := steps(f, here, n)
		if bad := f.And(here, f.And(vs[n-1], vs[n].Not())); !f.Refutes(64, bad, nil) {
			t.Errorf("of %d: what contradicts the last step isn't refuted", n)
		}
		far := f.And(here, f.And(vs[0], vs[n].Not()))
		if got := f.Refutes(64, far, nil); got && n > 100 {
			t.Errorf("of %d: few nodes are enough to see all steps", n)
		}
		if !f.Refutes(f.Len(), far, nil) {
			t.Errorf("of %d: what contradicts all steps isn't refuted", n)
		}
		if f.Refutes(f.Len(), f.And(here, f.And(vs[1], vs[0].Not())), nil) {
			t.Errorf("of %d: what may be is refuted", n)
		}
	}
}

// By however many nodes, what is refuted by some is refuted by all.
func TestRefutesByFewIsSound(t *testing.T) {
	f := NewFormulas()
	here := f.Variable()
	vs := steps(f, here, 6)
	shown := 0
	for i, a := range vs {
		for j, b := range vs {
			for _, bad := range []Lit{f.And(a, b), f.And(a, b.Not()), f.And(here, f.And(a, b.Not())), f.And(here, f.And(a.Not(), b))} {
				for limit := 1; limit < 200; limit++ {
					if f.Refutes(limit, bad, nil) {
						if shown++; !f.Refutes(f.Len(), bad, nil) {
							t.Errorf("steps %d and %d: refuted by %d nodes only", i, j, limit)
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
