// Package canonicalize brings operations into their canonical form: it folds
// them, applies the canonicalization patterns of their dialects, merges constants,
// and erases dead code.
package canonicalize

import (
	"slices"

	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/pass"
)

// Options direct canonicalization. Start with [DefaultOptions].
type Options struct {
	// TopDown visits operations before what is nested in them.
	TopDown bool
	// Simplify is how regions are simplified.
	Simplify Level
	// MaxIterations and MaxRewrites limit the work; -1 stands for no limit.
	MaxIterations, MaxRewrites int
	// MustConverge makes it an error if a limit is reached.
	MustConverge bool
	// Without names patterns that are not applied. If Only isn't empty, just the patterns
	// that it names are applied.
	Without, Only []string
	// LLVM is the version of LLVM whose folds and patterns are applied, if it is later than that of the program; 0 stands for that.
	LLVM uint32
}

// DefaultOptions returns the options' defaults.
func DefaultOptions() *Options { return pass.Defaults((*Options).Declare) }

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
// that are registered in the context, as far as the options let them.
func Patterns(c *ir.Context, o *Options) *rewrite.PatternSet {
	all := rewrite.Canonicalizations(c)
	if len(o.Without) == 0 && len(o.Only) == 0 {
		return c.Memo(allPatterns{o.LLVM}, func() any { return rewrite.NewPatternSetOf(c, all, int(o.LLVM)) }).(*rewrite.PatternSet)
	}
	var list []rewrite.Pattern
	for _, p := range all {
		if !slices.Contains(o.Without, p.Name) && (len(o.Only) == 0 || slices.Contains(o.Only, p.Name)) {
			list = append(list, p)
		}
	}
	return rewrite.NewPatternSetOf(c, list, int(o.LLVM))
}

// allPatterns is the key of the set of all patterns in a context.
type allPatterns struct{ llvm uint32 }

// Run canonicalizes what is nested in op, which must be isolated from above, on the given
// number of threads (0: as many as there are processors). It returns whether anything
// changed, and whether it came to an end within the limits.
func Run(op *ir.Op, o *Options, threads int) (changed, converged bool) {
	return rewrite.ApplyPatternsInParallel(op, Patterns(op.Context(), o), threads, o.config())
}

func (o *Options) config() rewrite.Config {
	return rewrite.Config{TopDown: o.TopDown, Simplify: o.Simplify.simplify(), MaxIterations: limit(o.MaxIterations), MaxRewrites: limit(o.MaxRewrites)}
}

// limit returns what a limit is for the driver, for which 0 stands for its default.
func limit(n int) int {
	if n == 0 {
		return rewrite.Nothing
	}
	return n
}
