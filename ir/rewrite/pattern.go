// Package rewrite changes programs: folding, the greedy pattern driver, the
// simplification of regions, and the rewriter that patterns change programs with.
package rewrite

import (
	"slices"

	"freehold/ir"
)

// Pattern is a local rewrite of operations.
type Pattern struct {
	// Name is for debugging and statistics, and to switch single patterns off.
	Name string
	// Root is the operation that the pattern matches; nil matches any.
	Root *ir.OpID
	// Applies restricts a pattern without Root to the operations that it accepts, such
	// as those with some interface. May be nil.
	Applies func(n *ir.OpName) bool
	// Benefit orders the patterns of one operation: higher first, then in order of
	// registration. The default is 1, spelled 0.
	Benefit int
	// Rewrite changes the program around op and returns true, or changes nothing and
	// returns false. All changes go through the rewriter, which inserts before op at
	// first.
	Rewrite func(r *Rewriter, op *ir.Op) bool
	// Generates lists what operations the pattern creates, for dialect conversion,
	// which prefers patterns that lead to legal operations in few steps and leaves out
	// those that can't. Empty says nothing.
	Generates []*ir.OpID
	// BoundedRecursion lets dialect conversion apply the pattern to what it created
	// itself.
	BoundedRecursion bool
	// Since is the first version of LLVM that has the pattern, and Until the last one; 0 stands for no limit. A set is made of
	// those that the version of its context has.
	Since, Until int
}

// in tells whether a version of LLVM has the pattern. The version 0 is that of the definitions.
func (p *Pattern) in(llvm int) bool {
	return p.Since <= llvm && (p.Until == 0 || llvm <= p.Until)
}

// benefit is Benefit with the default filled in.
func (p *Pattern) benefit() int {
	if p.Benefit == 0 {
		return 1
	}
	return p.Benefit
}

// Canonicalization is implemented by operations with canonicalization patterns;
// the Root of the patterns may be left out.
var Canonicalization = ir.NewInterface[[]Pattern]("getCanonicalizationPatterns")

// Patterns is the model of [Canonicalization] with the given patterns.
func Patterns(patterns ...Pattern) ir.Model { return Canonicalization.Model(patterns) }

// DialectCanonicalization is implemented by dialects with patterns that don't
// belong to one operation.
var DialectCanonicalization = ir.NewInterface[[]Pattern]("getCanonicalizationPatterns (dialect)")

// PatternSet is a set of patterns that is ready to be applied. It is immutable
// and may be used by several goroutines.
type PatternSet struct {
	ctx *ir.Context
	// llvm is the version of LLVM that folds are of; 0 for that of the context.
	llvm int
	any  []*Pattern
	// lists has all patterns for each operation by its index, the most beneficial
	// first; where there is none, or nil, there are only those for any.
	lists [][]*Pattern
}

// NewPatternSet prepares patterns for application to programs of the context. Of
// patterns with equal benefit, those for certain operations come before those for
// any, and then the order of the list counts.
func NewPatternSet(c *ir.Context, patterns []Pattern) *PatternSet {
	return NewPatternSetOf(c, patterns, 0)
}

// NewPatternSetOf is [NewPatternSet] with the patterns, and the folds, of a version of LLVM that is later than the context's; 0 stands for that.
func NewPatternSetOf(c *ir.Context, patterns []Pattern, llvm int) *PatternSet {
	s := &PatternSet{ctx: c, llvm: llvm}
	llvm = max(llvm, c.LLVM())
	var names []*ir.OpName
	for i := range patterns {
		p := &patterns[i]
		switch {
		case !p.in(llvm):
		case p.Root != nil:
			if n := c.OpName(p.Root.String()); n != nil && n.ID() == p.Root {
				s.add(n.Index(), p)
			}
		case p.Applies != nil:
			if names == nil {
				names = c.OpNames()
			}
			for _, n := range names {
				if p.Applies(n) {
					s.add(n.Index(), p)
				}
			}
		default:
			s.any = append(s.any, p)
		}
	}
	byBenefit(s.any)
	for i, list := range s.lists {
		if list != nil {
			s.lists[i] = append(list, s.any...)
			byBenefit(s.lists[i])
		}
	}
	return s
}

// add puts a pattern at the end of those for an operation.
func (s *PatternSet) add(index int, p *Pattern) {
	if missing := index + 1 - len(s.lists); missing > 0 {
		s.lists = append(s.lists, make([][]*Pattern, missing)...)
	}
	s.lists[index] = append(s.lists[index], p)
}

func byBenefit(list []*Pattern) {
	slices.SortStableFunc(list, func(a, b *Pattern) int { return b.benefit() - a.benefit() })
}

// For returns the patterns that may match an operation, the most beneficial first.
// The list is the set's.
func (s *PatternSet) For(id *ir.OpID) []*Pattern {
	if n := s.ctx.OpName(id.String()); n != nil && n.ID() == id {
		return s.of(n)
	}
	return s.any
}

func (s *PatternSet) of(n *ir.OpName) []*Pattern {
	if s.knows(n) {
		return s.lists[n.Index()]
	}
	return s.any
}

// knows tells whether there are patterns for an operation that aren't for any.
func (s *PatternSet) knows(n *ir.OpName) bool {
	i := n.Index()
	return i >= 0 && i < len(s.lists) && s.lists[i] != nil
}

// apply tries the patterns for op, the most beneficial first, until one matches.
func (s *PatternSet) apply(r *Rewriter, op *ir.Op) bool {
	for _, p := range s.of(op.OpName()) {
		r.SetBefore(op)
		if p.Rewrite(r, op) {
			return true
		}
	}
	return false
}
