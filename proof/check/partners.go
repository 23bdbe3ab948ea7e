package check

import (
	"slices"

	"freehold/proof/kernel"
)

// maxParted limits the objects that pointers which go together may point to: certificates name each.
const maxParted = 8

// partner is an earlier argument of a loop whose choice another one shares, and how many pointers from
// before the loop both are chosen of: where the earlier one is the i-th of its own, so is the other one of
// its own. So buffers that a loop exchanges need one variable, and are seen to be different.
type partner struct{ with, of int }

// findPartners gives each pointer that is one of several from before the loop a partner, as long as no
// iteration has shown that they don't go together.
func (a *analysis) findPartners(s *shape) {
	g := &s.guess
	g.partners = make([]partner, len(s.changed))
	for k := range g.partners {
		g.partners[k].with = none
		for m := 0; m < k && g.partners[k].with == none; m++ {
			if !g.parted[[2]int{k, m}] && g.partners[m].with == none && len(g.from[m]) == len(g.from[k]) && a.isParted(s, m) && a.isParted(s, k) {
				g.partners[k] = partner{m, len(g.from[k])}
			}
		}
	}
}

// isParted tells whether an argument is a pointer of which each object from before the loop tells which one
// of several it is.
func (a *analysis) isParted(s *shape, k int) bool {
	if s.own[k] || !s.guess.varies(s, k) {
		return false
	}
	seen := map[int]bool{}
	for _, tree := range s.guess.from[k] {
		for _, t := range a.Targets(a.pointer(tree)) {
			if seen[t.Object] || len(seen) == maxParted {
				return false
			}
			seen[t.Object] = true
		}
	}
	return true
}

// goTogether tells whether argument k goes with its partner after the iteration that ends with next.
func (a *analysis) goTogether(g *guess, k int, next kernel.Edge) bool {
	m := g.partners[k].with
	for i := range g.partners[k].of {
		if !a.sameAfter(next, a.isFrom(g, k, i, next.Values[k]), a.isFrom(g, m, i, next.Values[m])) {
			return false
		}
	}
	return true
}

// isFrom returns the condition that v, what argument k is in the next iteration, is the i-th of the pointers
// from before the loop that it may be.
func (a *analysis) isFrom(g *guess, k, i int, v kernel.Value) kernel.Lit {
	return kernel.OverTree(a.Machine, v.Tree, func(n int32, d kernel.Choice) (kernel.Lit, bool) {
		return kernel.LitOf(n == g.from[k][i]), d.Leaf || slices.Contains(g.from[k], n)
	}, a.f.Choose)
}
