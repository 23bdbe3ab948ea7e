// Package canonicalize brings operations into their canonical form: it folds
// them, applies the canonicalization patterns of their dialects, merges constants,
// and erases dead code.
package canonicalize

import (
	"slices"
	"strings"

	"freehold/ir"
	"freehold/ir/rewrite"
)

// Options direct canonicalization. The zero value visits operations top down and
// simplifies regions as the pass does by default.
type Options struct {
	// BottomUp visits operations after what is nested in them.
	BottomUp bool
	// Simplify is how regions are simplified; the zero value is what
	// [rewrite.SimplifyNormal] does.
	Simplify Level
	// MaxIterations and MaxRewrites limit the work; 0 means the default (ten
	// iterations, and any number of rewrites).
	MaxIterations, MaxRewrites int
	// Threads is how many functions may be rewritten at a time; 0 stands for as many as
	// there are processors.
	Threads int
}

// Level is how much of the control flow is simplified.
type Level uint8

// The levels.
const (
	Normal Level = iota
	Aggressive
	Disabled
)

func (l Level) simplify() rewrite.SimplifyLevel {
	switch l {
	case Aggressive:
		return rewrite.SimplifyAggressive
	case Disabled:
		return rewrite.SimplifyNothing
	}
	return rewrite.SimplifyNormal
}

// Patterns returns the canonicalization patterns of all dialects and operations
// that are registered in the context, except the disabled ones, and only the
// enabled ones if any are given; both are lists of pattern names.
func Patterns(c *ir.Context, disabled, enabled []string) *rewrite.PatternSet {
	var list []rewrite.Pattern
	add := func(patterns []rewrite.Pattern) {
		for _, p := range patterns {
			if slices.Contains(disabled, p.Name) || len(enabled) > 0 && !slices.Contains(enabled, p.Name) {
				continue
			}
			list = append(list, p)
		}
	}
	for _, d := range c.Dialects() {
		if ps, ok := rewrite.DialectCanonicalization.OfDialect(d); ok {
			add(ps)
		}
	}
	names := c.OpNames()
	slices.SortFunc(names, func(a, b *ir.OpName) int { return strings.Compare(a.String(), b.String()) })
	for _, n := range names {
		add(rewrite.CanonicalizationOf(n))
	}
	return rewrite.NewPatternSet(c, list)
}

// Run canonicalizes what is nested in op, which must be isolated from above, and
// returns whether it came to an end within the limits.
func Run(op *ir.Op, o Options) (converged bool) {
	_, converged = RunPatterns(op, Patterns(op.Context(), nil, nil), o)
	return converged
}

// RunPatterns is [Run] with patterns that were collected before. It returns as well
// whether anything changed.
func RunPatterns(op *ir.Op, patterns *rewrite.PatternSet, o Options) (changed, converged bool) {
	return rewrite.ApplyPatternsInParallel(op, patterns, o.Threads, o.config())
}

func (o Options) config() rewrite.Config {
	return rewrite.Config{TopDown: !o.BottomUp, Simplify: o.Simplify.simplify(), MaxIterations: o.MaxIterations, MaxRewrites: o.MaxRewrites}
}
