package ir

import (
	"sync"
	"sync/atomic"

	"freehold/internal/parallel"
)

// partSize is the number of operations, or blocks, of the parts in which a block, or
// region, is verified, if it has several.
const partSize = 256

// spread runs jobs 0 to n-1 on this goroutine and on idle processors. Each gets the
// verifier of its goroutine. It panics if a job did.
func (v *verifier) spread(n int, job func(w *verifier, i int)) {
	var next atomic.Int32
	work := func(w *verifier) {
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			job(w, i)
		}
	}
	var wg sync.WaitGroup
	var found sync.Mutex
	var more []*verifier
	var failed *parallel.Panic
	for extra := n - 1; extra > 0; extra-- {
		if v.idle.Add(-1) < 0 {
			v.idle.Add(1)
			break
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			w := &verifier{ctx: v.ctx, idle: v.idle}
			p := parallel.Attempt(func() { work(w) })
			found.Lock()
			defer found.Unlock()
			more = append(more, w)
			if p != nil {
				failed = p
			}
			v.idle.Add(1)
		}()
	}
	work(v)
	wg.Wait()
	if failed != nil {
		panic(failed)
	}
	for _, w := range more {
		v.symbolUsers = append(v.symbolUsers, w.symbolUsers...)
		v.far = append(v.far, w.far...)
		v.nested = append(v.nested, w.nested...)
	}
}

// first runs jobs like spread and returns what the first job that found an error
// returned. Jobs behind it may be left out.
func (v *verifier) first(n int, job func(w *verifier, i int) Diagnostics) Diagnostics {
	results := make([]Diagnostics, n)
	var failed atomic.Int32
	failed.Store(int32(n))
	v.spread(n, func(w *verifier, i int) {
		if i > int(failed.Load()) {
			return
		}
		if results[i] = job(w, i); results[i] == nil {
			return
		}
		for f := failed.Load(); i < int(f) && !failed.CompareAndSwap(f, int32(i)); {
			f = failed.Load()
		}
	})
	if f := int(failed.Load()); f < n {
		return results[f]
	}
	return nil
}

// nestedIsolated verifies isolated operations, whose blocks are ordered: numbering one
// while others look at it would be a race.
func (v *verifier) nestedIsolated(found []*Op) Diagnostics {
	results := make([]Diagnostics, len(found))
	v.spread(len(found), func(w *verifier, i int) { results[i] = w.isolated(found[i]) })
	var all Diagnostics
	for _, r := range results {
		all = append(all, r...)
	}
	return all
}

// partStarts returns where the parts of a list start, and then its end, nil.
func partStarts[T any](first *T, next func(*T) *T) []*T {
	starts := make([]*T, 0, 64)
	n := 0
	for x := first; x != nil; x = next(x) {
		if n%partSize == 0 {
			starts = append(starts, x)
		}
		n++
	}
	return append(starts, nil)
}

// blockOps verifies the operations of a block, which is ordered.
func (v *verifier) blockOps(b *Block) Diagnostics {
	if v.idle.Load() <= 0 || !b.hasAtLeast(2*partSize) {
		return v.ops(b.first, nil)
	}
	starts := partStarts(b.first, (*Op).Next)
	return v.first(len(starts)-1, func(w *verifier, i int) Diagnostics {
		return w.ops(starts[i], starts[i+1])
	})
}

// regionBlocks verifies the blocks of a region.
func (v *verifier) regionBlocks(r *Region) Diagnostics {
	if r.size < 2*partSize || v.idle.Load() <= 0 {
		return v.blocks(r.first, nil)
	}
	for b := r.first; b != nil; b = b.next {
		// Verifiers may compare places in other blocks.
		if !b.ordered {
			b.renumber()
		}
	}
	starts := partStarts(r.first, (*Block).Next)
	return v.first(len(starts)-1, func(w *verifier, i int) Diagnostics {
		return w.blocks(starts[i], starts[i+1])
	})
}

// blocks verifies the blocks of a region from first up to end.
func (v *verifier) blocks(first, end *Block) Diagnostics {
	var all Diagnostics
	for b := first; b != end; b = b.next {
		ds := v.block(b)
		if ds != nil && !v.all {
			return ds
		}
		all = append(all, ds...)
	}
	return all
}
