package check

import "freehold/proof/kernel"

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
