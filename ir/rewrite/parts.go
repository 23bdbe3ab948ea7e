package rewrite

import (
	"sync/atomic"

	"freehold/iface"
	"freehold/internal/parallel"
	"freehold/ir"
)

// Worker is what one thread of [ApplyPatternsInParallel] works with.
type Worker struct {
	Patterns *PatternSet
	// Enter is called before patterns are applied in an operation. May be nil.
	Enter func(op *ir.Op)
}

// ApplyPatternsInParallel is [ApplyPatternsGreedily] for patterns that neither
// look at nor change anything outside of the isolated operation in which they are
// applied. Where op holds nothing but isolated operations that are not rewritten
// themselves, such as functions, these are taken one by one, on the given number
// of threads (0: as many as there are processors); the result is the same.
// newWorker is called for each thread.
func ApplyPatternsInParallel(op *ir.Op, threads int, c Config, newWorker func() Worker) (changed, converged bool) {
	parts := []*ir.Op{op}
	if c.MaxRewrites <= 0 && c.Strictness == AnyOp {
		parts = newWorker().Patterns.parts(op, nil)
	}
	var changes, limited atomic.Bool
	parallel.For(len(parts), threads, func() func(int) {
		w := newWorker()
		d := newDriver(op.Context(), nil, w.Patterns, c)
		return func(i int) {
			if w.Enter != nil {
				w.Enter(parts[i])
			}
			for _, r := range parts[i].Regions() {
				ch, co := d.run(r)
				if ch {
					changes.Store(true)
				}
				if !co {
					limited.Store(true)
				}
			}
		}
	})
	return changes.Load(), !limited.Load()
}

// parts appends to list the operations that have to be rewritten for op: those in
// it, if they are independent, or op itself.
func (s *PatternSet) parts(op *ir.Op, list []*ir.Op) []*ir.Op {
	if !s.divisible(op) {
		return append(list, op)
	}
	for _, r := range op.Regions() {
		if r.Empty() {
			continue
		}
		for o := r.Entry().First(); o != nil; o = o.Next() {
			if o.NumRegions() > 0 {
				list = s.parts(o, list)
			}
		}
	}
	return list
}

// divisible tells whether everything in op's regions is isolated, or has no
// regions, and stays as it is.
func (s *PatternSet) divisible(op *ir.Op) bool {
	if len(s.any) > 0 {
		return false
	}
	for _, r := range op.Regions() {
		if r.Empty() {
			continue
		}
		if r.NumBlocks() > 1 || r.Entry().NumArgs() > 0 {
			return false
		}
		for o := r.Entry().First(); o != nil; o = o.Next() {
			if !s.keeps(o) || o.NumRegions() > 0 && !o.Has(ir.TraitIsolatedFromAbove) {
				return false
			}
		}
	}
	return true
}

// keeps tells whether the driver would leave the operation itself as it is,
// whatever happens inside of it.
func (s *PatternSet) keeps(op *ir.Op) bool {
	def := op.Def()
	return op.Registered() && op.NumOperands() == 0 && op.NumResults() == 0 && def.Fold == nil &&
		def.Traits&(ir.TraitSymbol|ir.TraitOptionalSymbol) != 0 && !iface.WouldBeTriviallyDead(op) && len(s.byDef[def]) == 0
}
