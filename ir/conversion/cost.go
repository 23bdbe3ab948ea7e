package conversion

import (
	"slices"

	"freehold/ir"
	"freehold/ir/rewrite"
)

// plan is how operations may become legal.
type plan struct {
	patterns []*rewrite.Pattern
	depth    int // least number of steps to legal operations; 0 if no pattern leads there
}

// planFor returns the patterns for an operation: those that lead to legal
// operations in fewer steps first, as far as patterns say what they create, and then by
// benefit. Patterns that create what nothing makes legal are left out.
func (l *legalizer) planFor(id *ir.OpID) []*rewrite.Pattern {
	p := l.plans[id]
	if p == nil {
		l.makePlans(id)
		p = l.plans[id]
	}
	return p.patterns
}

// makePlans plans for an operation and all that patterns lead to from there. Time is
// linear in the number of patterns times the number of steps.
func (l *legalizer) makePlans(id *ir.OpID) {
	l.plans[id] = &plan{patterns: l.patterns.For(id)}
	fresh := []*ir.OpID{id}
	for i := 0; i < len(fresh); i++ {
		for _, p := range l.plans[fresh[i]].patterns {
			for _, g := range p.Generates {
				if l.plans[g] == nil {
					l.plans[g] = &plan{patterns: l.patterns.For(g)}
					fresh = append(fresh, g)
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for _, d := range fresh {
			for _, p := range l.plans[d].patterns {
				if n, ok := l.steps(p); ok && (l.plans[d].depth == 0 || n < l.plans[d].depth) {
					l.plans[d].depth, changed = n, true
				}
			}
		}
	}
	for _, d := range fresh {
		pl := l.plans[d]
		depths := map[*rewrite.Pattern]int{}
		var kept []*rewrite.Pattern
		for _, p := range pl.patterns {
			if n, ok := l.steps(p); ok {
				depths[p] = n
				kept = append(kept, p)
			}
		}
		slices.SortStableFunc(kept, func(a, b *rewrite.Pattern) int { return depths[a] - depths[b] })
		pl.patterns = kept
	}
}

// steps returns the number of patterns that are applied one after another, from p on,
// until all is legal, and whether what p creates can become legal, as far as is known
// yet.
func (l *legalizer) steps(p *rewrite.Pattern) (n int, ok bool) {
	n = 1
	for _, g := range p.Generates {
		may, always := l.target.mayBeLegal(g)
		depth := l.plans[g].depth
		switch {
		case always:
		case depth > 0:
			n = max(n, 1+depth)
		case !may:
			return 0, false
		}
	}
	return n, true
}
