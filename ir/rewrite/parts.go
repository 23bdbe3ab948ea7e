package rewrite

import (
	"sync/atomic"

	"freehold/internal/parallel"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// Worker applies patterns greedily to one operation after another, and keeps memory
// from one to the next. It must be used by one goroutine at a time.
type Worker struct{ driver *driver }

// NewWorker returns a worker for operations of the context.
func NewWorker(c *ir.Context, patterns *PatternSet, config Config) *Worker {
	return &Worker{newDriver(c, nil, patterns, config)}
}

// Apply is [ApplyPatternsGreedily] with the worker's patterns.
func (w *Worker) Apply(op *ir.Op) (changed, converged bool) {
	converged = true
	for _, r := range op.Regions() {
		ch, co := w.driver.run(r)
		changed, converged = changed || ch, converged && co
		if w.driver.endless {
			break
		}
	}
	return changed, converged
}

// Endless tells whether the last Apply was given up because its patterns undo each
// other's work, or never end.
func (w *Worker) Endless() bool { return w.driver.endless }

// Parts lists the operations to which patterns can be applied one by one in the place of
// op: those in it, if it holds nothing but isolated operations that are not rewritten
// themselves, such as functions, or op itself. The patterns must neither look at nor
// change anything outside of the isolated operation in which they are applied.
func (s *PatternSet) Parts(op *ir.Op, c Config) []*ir.Op {
	if c.MaxRewrites > 0 || c.Strictness != AnyOp || len(s.any) > 0 {
		return []*ir.Op{op}
	}
	return ir.Divide(op, s.keeps)
}

// ApplyPatternsInParallel is [ApplyPatternsGreedily] to the parts of an operation (see
// [PatternSet.Parts]), on the given number of threads (0: as many as there are
// processors); the result is the same.
func ApplyPatternsInParallel(op *ir.Op, patterns *PatternSet, threads int, c Config) (changed, converged bool) {
	parts := patterns.Parts(op, c)
	var changes, limited atomic.Bool
	parallel.For(len(parts), threads, func() func(int) {
		w := NewWorker(op.Context(), patterns, c)
		return func(i int) {
			ch, co := w.Apply(parts[i])
			if ch {
				changes.Store(true)
			}
			if !co {
				limited.Store(true)
			}
		}
	})
	return changes.Load(), !limited.Load()
}

// keeps tells whether the driver would leave the symbol itself as it is, whatever
// happens inside of it.
func (s *PatternSet) keeps(op *ir.Op) bool {
	return op.Def().FoldOf(s.llvm) == nil && !interfaces.WouldBeTriviallyDead(op) && !s.knows(op.OpName())
}
