package conversion

import (
	"freehold/internal/slab"
	"freehold/ir"
	"freehold/ir/rewrite"
)

// Config directs a conversion. The zero value is ready for use.
type Config struct {
	// Arena is the memory for what patterns create. May be nil.
	Arena *ir.Arena
	// Report is told the diagnostics of patterns. May be nil.
	Report func(*ir.Diagnostic)
	// Unlegalized is told, by partial conversion, the operations that stay though they
	// aren't known to be legal. May be nil.
	Unlegalized func(op *ir.Op)
}

// Converter converts one operation after another to the same target, with the same
// patterns, and keeps memory from one to the next. It must be used by one goroutine at a
// time.
type Converter struct {
	config    Config
	legalizer legalizer
	work      slab.List[*ir.Op] // scratch
}

// NewConverter returns a converter for operations of the context.
func NewConverter(ctx *ir.Context, target *Target, patterns *rewrite.PatternSet, c Config) *Converter {
	return &Converter{config: c, legalizer: legalizer{state: newState(ctx, c), target: target, patterns: patterns,
		plans: map[*ir.OpID]*plan{}, rules: map[*ir.OpName]*rule{}}}
}

// Partial is [Partial]. Besides the error it tells whether it changed anything.
func (c *Converter) Partial(op *ir.Op) (changed bool, err error) {
	return c.run(op, func(op *ir.Op) error {
		if c.legalizer.legalize(op) {
			return nil
		}
		if c.legalizer.target.Legality(op) == Illegal {
			return op.PlainErrorf("failed to legalize operation '%s' that was explicitly marked illegal", op.Name())
		}
		if c.config.Unlegalized != nil {
			c.config.Unlegalized(op)
		}
		return nil
	}, (*state).finish)
}

// Partial makes operations in op, and op itself, legal. Those that can't be made legal
// stay unless the target says that they are illegal: that is an error, and the program
// is then as it was. Time is linear in the size of the program and of what patterns
// create.
func Partial(op *ir.Op, target *Target, patterns *rewrite.PatternSet, c Config) error {
	_, err := NewConverter(op.Context(), target, patterns, c).Partial(op)
	return err
}

// Full is Partial, but all operations must become legal.
func Full(op *ir.Op, target *Target, patterns *rewrite.PatternSet, c Config) error {
	l := NewConverter(op.Context(), target, patterns, c)
	_, err := l.run(op, func(op *ir.Op) error {
		if !l.legalizer.legalize(op) {
			return op.PlainErrorf("failed to legalize operation '%s'", op.Name())
		}
		return nil
	}, (*state).finish)
	return err
}

// Analyze returns the operations in op, and op itself, that a conversion would make
// legal, or that are legal. It leaves the program as it is.
func Analyze(op *ir.Op, target *Target, patterns *rewrite.PatternSet, c Config) []*ir.Op {
	l := NewConverter(op.Context(), target, patterns, c)
	var out []*ir.Op
	// No step fails, so there is no error.
	_, _ = l.run(op, func(op *ir.Op) error {
		if l.legalizer.legalize(op) {
			out = append(out, op)
		}
		return nil
	}, func(s *state) error {
		s.rollback(0)
		return nil
	})
	return out
}

func (c *Converter) run(root *ir.Op, convert func(*ir.Op) error, finish func(*state) error) (changed bool, err error) {
	s := c.legalizer.state
	defer s.reset()
	c.work.Clear()
	toConvert(root, c.legalizer.target, &c.work)
	for i := range c.work.Len() {
		if err := convert(*c.work.At(i)); err != nil {
			s.rollback(0)
			return false, err
		}
	}
	changed = len(s.log) > 0
	if err := finish(s); err != nil {
		s.rollback(0)
		return false, err
	}
	return changed, nil
}

// toConvert appends to out root and what is nested in it, parents first, and blocks so that
// definitions come before uses. What is in recursively legal operations is left out,
// and so are blocks that can't be reached.
func toConvert(root *ir.Op, target *Target, out *slab.List[*ir.Op]) {
	var visit func(op *ir.Op)
	visit = func(op *ir.Op) {
		out.Append(op)
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
