package conversion

import (
	"freehold/ir"
	"freehold/ir/rewrite"
)

// Config directs a conversion. The zero value is ready for use.
type Config struct {
	// Report is told the diagnostics of patterns. May be nil.
	Report func(*ir.Diagnostic)
	// Unlegalized is told, by partial conversion, the operations that stay though they
	// aren't known to be legal. May be nil.
	Unlegalized func(op *ir.Op)
	// Builder creates the operations. Conversions that run one after another take less
	// memory if they share one. May be nil.
	Builder *ir.Builder
}

// Partial makes operations in op, and op itself, legal. Those that can't be made legal
// stay unless the target says that they are illegal: that is an error, and the program
// is then as it was. Time is linear in the size of the program and of what patterns
// create.
func Partial(op *ir.Op, target *Target, patterns *rewrite.PatternSet, c Config) error {
	return run(op, target, patterns, c, func(l *legalizer, op *ir.Op) error {
		if l.legalize(op) {
			return nil
		}
		if target.Legality(op) == Illegal {
			return op.PlainErrorf("failed to legalize operation '%s' that was explicitly marked illegal", op.Name())
		}
		if c.Unlegalized != nil {
			c.Unlegalized(op)
		}
		return nil
	}, (*state).finish)
}

// Full is Partial, but all operations must become legal.
func Full(op *ir.Op, target *Target, patterns *rewrite.PatternSet, c Config) error {
	return run(op, target, patterns, c, func(l *legalizer, op *ir.Op) error {
		if !l.legalize(op) {
			return op.PlainErrorf("failed to legalize operation '%s'", op.Name())
		}
		return nil
	}, (*state).finish)
}

// Analyze returns the operations in op, and op itself, that a conversion would make
// legal, or that are legal. It leaves the program as it is.
func Analyze(op *ir.Op, target *Target, patterns *rewrite.PatternSet, c Config) []*ir.Op {
	var out []*ir.Op
	// No step fails, so there is no error.
	_ = run(op, target, patterns, c, func(l *legalizer, op *ir.Op) error {
		if l.legalize(op) {
			out = append(out, op)
		}
		return nil
	}, func(s *state) error {
		s.rollback(0)
		return nil
	})
	return out
}

func run(root *ir.Op, target *Target, patterns *rewrite.PatternSet, c Config, convert func(*legalizer, *ir.Op) error, finish func(*state) error) error {
	s := newState(root.Context(), c)
	l := &legalizer{state: s, target: target, patterns: patterns, plans: map[*ir.OpDef]*plan{}, rules: map[*ir.OpName]*rule{}}
	for _, op := range toConvert(root, target) {
		if err := convert(l, op); err != nil {
			s.rollback(0)
			return err
		}
	}
	if err := finish(s); err != nil {
		s.rollback(0)
		return err
	}
	return nil
}

// toConvert lists root and what is nested in it, parents first, and blocks so that
// definitions come before uses. What is in recursively legal operations is left out,
// and so are blocks that can't be reached.
func toConvert(root *ir.Op, target *Target) []*ir.Op {
	var out []*ir.Op
	var visit func(op *ir.Op)
	visit = func(op *ir.Op) {
		out = append(out, op)
		if op.NumRegions() == 0 || target.IsRecursivelyLegal(op) {
			return
		}
		for _, r := range op.Regions() {
			for _, b := range depthFirst(r) {
				for o := range b.Ops() {
					visit(o)
				}
			}
		}
	}
	visit(root)
	return out
}

// depthFirst lists the blocks of a region that can be reached from its entry, in order
// of their first visit; all blocks, if dominance doesn't matter.
func depthFirst(r *ir.Region) []*ir.Block {
	entry := r.Entry()
	if entry == nil {
		return nil
	}
	if entry.Next() == nil {
		return []*ir.Block{entry}
	}
	var out []*ir.Block
	if !ir.HasSSADominance(r) {
		for b := range r.Blocks() {
			out = append(out, b)
		}
		return out
	}
	seen := map[*ir.Block]bool{}
	stack := []*ir.Block{entry}
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[b] {
			continue
		}
		seen[b] = true
		out = append(out, b)
		succs := b.Succs()
		for i := len(succs) - 1; i >= 0; i-- {
			if !seen[succs[i]] {
				stack = append(stack, succs[i])
			}
		}
	}
	return out
}
