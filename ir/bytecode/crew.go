package bytecode

import (
	"slices"
	"sync"
	"sync/atomic"

	"freehold/internal/parallel"
	"freehold/ir"
)

// Sizes, in bytes, by which reading is split.
const (
	minSplit  = 1 << 16 // shorter trees are read by one goroutine
	batchSize = 1 << 14 // what a job reads, at least
)

// crew reads the regions of a file that are isolated from above with several goroutines. Such
// are sections of their own, and use nothing of what is around them but tables of the file. It
// reads only what a single goroutine would read just so: if anything is wrong, or depends on the
// order in which the file is read, it gives up, and the file has to be read again by one that finds
// out what it is.
type crew struct {
	gaveUp atomic.Bool

	mu   sync.Mutex
	more sync.Cond   // there is a job, or none will come
	jobs [][]section // that nobody has taken
	busy int         // number of jobs at work
	// outdated holds what each job has found, in the order in which jobs were taken: what is in
	// operations of a job comes behind it.
	outdated [][]outdated
}

// section is the section with the regions of an operation that stands in so many other regions.
type section struct {
	op    *ir.Op
	c     cursor
	depth int
}

// readTreeAhead reads all operations into a block, with several goroutines. It returns false,
// and leaves anything in the block, if that can't be done.
func (f *file) readTreeAhead(top *ir.Block, threads int) bool {
	c := *f.sections[irSection]
	w := &crew{busy: 1, outdated: make([][]outdated, 1)}
	w.more.L = &w.mu
	parallel.For(threads, threads, func() func(int) {
		return func(i int) {
			t := newTreeReader(f)
			t.crew, t.ahead = w, true
			if i == 0 {
				w.do(t, 0, func() bool {
					t.room = c.left()
					t.top(&c, top)
					return c.ok()
				})
			}
			for {
				job, number := w.take()
				if job == nil {
					return
				}
				w.do(t, number, func() bool { return t.job(job) })
			}
		}
	})
	if w.gaveUp.Load() {
		return false
	}
	t := newTreeReader(f)
	for _, list := range slices.Backward(w.outdated) {
		t.outdated = append(t.outdated, list...)
	}
	return t.upgrade() == nil
}

// do does a job, which returns whether all is well.
func (w *crew) do(t *treeReader, number int, job func() bool) {
	good := false
	if parallel.Attempt(func() { good = job() && t.order() == nil }) != nil || !good {
		w.gaveUp.Store(true)
	}
	w.publish(t)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.outdated[number], t.outdated = t.outdated, nil
	if w.busy--; w.busy == 0 {
		w.more.Broadcast()
	}
}

// job reads sections; it returns false if that can't be done.
func (t *treeReader) job(sections []section) bool {
	for i := range sections {
		s := &sections[i]
		t.values, t.firstValue, t.pending, t.blocks = t.values[:0], 0, 0, t.blocks[:0]
		t.room, t.depth = s.c.left(), s.depth+1
		if t.section(&s.c, s.op); !s.c.ok() || t.crew.gaveUp.Load() {
			return false
		}
	}
	return true
}

// add leaves a section, to whose end a reader came at c, to the crew.
func (w *crew) add(t *treeReader, c *cursor, s section) {
	// So the file can't claim more room than it would have for a single goroutine.
	t.claim(c, c.pos, uint64(s.c.left()), "bytes")
	t.batch = append(t.batch, s)
	if t.batched += s.c.left(); t.batched >= batchSize {
		w.publish(t)
	}
}

// publish makes a job of what a reader left to the crew.
func (w *crew) publish(t *treeReader) {
	if len(t.batch) == 0 {
		return
	}
	w.mu.Lock()
	w.jobs = append(w.jobs, t.batch)
	w.mu.Unlock()
	w.more.Signal()
	t.batch, t.batched = nil, 0
}

// take returns a job with its number, or nil if none will come.
func (w *crew) take() (job []section, number int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.jobs) == 0 {
		if w.busy == 0 {
			return nil, 0
		}
		w.more.Wait()
	}
	job, w.jobs = w.jobs[0], w.jobs[1:]
	w.busy++
	w.outdated = append(w.outdated, nil)
	return job, len(w.outdated) - 1
}
