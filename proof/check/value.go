package check

import "freehold/proof/kernel"

// overTree computes something of a tree of decisions, from its ends on: end returns what it is at a
// node, if that is one; choose what it is of both branches. Linear in the nodes.
func overTree[T any](a *analysis, tree int32, end func(n int32, d kernel.Choice) (T, bool), choose func(cond kernel.Lit, then, els T) T) T {
	seen := map[int32]T{}
	var of func(n int32) T
	of = func(n int32) T {
		out, done := seen[n]
		if done {
			return out
		}
		d := a.Choices[n]
		if out, done = end(n, d); !done {
			out = choose(d.Cond, of(d.Then), of(d.Els))
		}
		seen[n] = out
		return out
	}
	return of(tree)
}

// equalTargets is like equal for parts of pointers, whose targets are objects of
// the loop.
func (a *analysis) equalTargets(v, w []kernel.Target) kernel.Lit {
	guards := make(map[int]kernel.Lit, len(v))
	for _, t := range v {
		guards[t.Object] = t.Guard
	}
	out := kernel.No
	for _, t := range w {
		if g, ok := guards[t.Object]; ok {
			out = a.f.Or(out, a.f.And(g, t.Guard))
		}
	}
	return out
}
