package asm

import (
	"io"
	"runtime"
	"sync"

	"freehold/internal/parallel"
	"freehold/ir"
)

// Weights, in operations, by which the text is split.
const (
	// heavyOp is the weight of an operation from which on its regions are split.
	heavyOp = 1024
	// jobWeight is what one job prints.
	jobWeight = 256
	// smallJob is the weight below which operations are printed at once.
	smallJob = 128
)

// longPart is the length, in bytes, from which on what lies between jobs is a part.
const longPart = 1 << 15

// maxWaiting is how many parts may wait for their turn: each job has two.
const maxWaiting = 4 * jobQueue

// jobQueue is how many jobs may wait for a worker.
const jobQueue = 32

// splitter cuts a long text into parts that are printed in parallel: runs of
// operations of one block. The outermost printer writes what is between them.
type splitter struct {
	threads int
	parts   []*part // in the order of the text
	jobs    chan *part
	added   int // number of jobs so far
	workers sync.WaitGroup
	// self prints jobs for the outermost printer's goroutine.
	self *Printer
	// out gets parts as soon as those before them are there; nil if the text is kept.
	out     io.Writer
	written int
	err     error
	// buffers holds those of parts that were written.
	buffers sync.Pool
}

// part is a piece of the text with the aliases in it.
type part struct {
	text    []byte
	aliases *aliasTable
	ready   chan struct{} // closed when the text is there; nil from the start
	failed  *parallel.Panic
	// What a job prints, in this context.
	print func(q *Printer)
	printerContext
}

// newSplitter returns nil if there is only one thread.
func newSplitter(threads int) *splitter {
	if threads <= 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	if threads == 1 {
		return nil
	}
	return &splitter{threads: threads}
}

// weightOf estimates the length of an operation by the operations directly in its
// regions. Constant time.
func weightOf(op *ir.Op) int {
	n := 1
	for _, r := range op.Regions() {
		for b := r.Entry(); b != nil; b = b.Next() {
			for x := b.First(); x != nil; x = x.Next() {
				if n++; n >= heavyOp {
					return n
				}
			}
		}
	}
	return n
}

// weightOfBlock estimates the length of a block. Constant time.
func weightOfBlock(b *ir.Block) int {
	n := 1
	for x := b.First(); x != nil && n < heavyOp; x = x.Next() {
		n += weightOf(x)
	}
	return n
}

// splitOps prints the operations from first up to end: short runs at once, long
// ones as jobs. The inside of heavy operations is split in turn.
func (p *Printer) splitOps(first, end *ir.Op) {
	splitRun(p, first, end, (*ir.Op).Next, weightOf, (*Printer).op, (*Printer).ops)
}

// splitBlocks prints blocks that follow the entry block, likewise.
func (p *Printer) splitBlocks(first *ir.Block) {
	splitRun(p, first, nil, (*ir.Block).Next, weightOfBlock, (*Printer).labelledBlock, (*Printer).labelledBlocks)
}

// splitRun prints the elements of a list from first up to end: heavy ones by
// themselves, those between them as runs.
func splitRun[T comparable](p *Printer, first, end T, next func(T) T, weigh func(T) int, one func(*Printer, T), run func(p *Printer, first, end T)) {
	weight := 0
	flush := func(to T) {
		from := first
		if weight >= smallJob {
			p.addJob(func(q *Printer) { run(q, from, to) })
		} else {
			run(p, from, to)
			p.cut()
		}
		first, weight = to, 0
	}
	for x := first; x != end; x = next(x) {
		w := weigh(x)
		if w >= heavyOp {
			flush(x)
			one(p, x)
			first = next(x)
			continue
		}
		if weight += w; weight >= jobWeight {
			flush(next(x))
		}
	}
	flush(end)
}

// addJob makes a part of what print prints.
func (p *Printer) addJob(print func(q *Printer)) {
	s := p.split
	if s.jobs == nil {
		s.jobs = make(chan *part, jobQueue)
		s.self = p.worker()
		for range s.threads - 1 {
			s.workers.Add(1)
			q := p.worker()
			go func() {
				defer s.workers.Done()
				for x := range s.jobs {
					s.run(q, x)
				}
			}()
		}
	}
	p.closePart()
	x := &part{ready: make(chan struct{}), print: print, printerContext: p.printerContext}
	s.parts = append(s.parts, x)
	s.added++
	select {
	case s.jobs <- x:
	default:
		s.run(s.self, x)
	}
	s.flush(maxWaiting)
}

// cut makes a part of what the outermost printer wrote, if that is long.
func (p *Printer) cut() {
	if len(p.w.Buf) >= longPart {
		p.closePart()
		p.split.flush(maxWaiting)
	}
}

// closePart makes a part of what the outermost printer wrote since the one before.
func (p *Printer) closePart() {
	s := p.split
	x := &part{text: p.w.Buf, aliases: p.aliases}
	if s.out != nil {
		p.w.Buf = s.buffer()
	} else {
		x.text = append([]byte(nil), p.w.Buf...)
		p.w.Buf = p.w.Buf[:0]
	}
	if p.aliases != nil {
		p.aliases = newAliasTable(p.w, p.opts.PrettyDebugInfo)
	}
	s.parts = append(s.parts, x)
}

// worker returns a printer for jobs.
func (p *Printer) worker() *Printer {
	w := *p.w
	w.Buf, w.Alias = nil, nil
	q := &Printer{w: &w, opts: p.opts, usedResources: p.usedResources}
	if p.aliases != nil {
		q.aliases = newAliasTable(q.w, p.opts.PrettyDebugInfo)
	}
	return q
}

// numJobs returns the number of jobs so far.
func (s *splitter) numJobs() int {
	if s == nil {
		return 0
	}
	return s.added
}

// buffer returns an empty buffer for a part that will be written.
func (s *splitter) buffer() []byte {
	if b, ok := s.buffers.Get().(*[]byte); ok {
		return (*b)[:0]
	}
	return make([]byte, 0, 1<<14)
}

// run prints a job with a worker's printer.
func (s *splitter) run(q *Printer, x *part) {
	defer close(x.ready)
	x.failed = parallel.Attempt(func() {
		q.printerContext = x.printerContext
		if q.aliases != nil {
			q.aliases = newAliasTable(q.w, q.opts.PrettyDebugInfo)
		}
		if s.out != nil {
			q.w.Buf = s.buffer()
		} else {
			// Parts are about as long as the one before.
			q.w.Buf = make([]byte, 0, max(1<<13, len(q.w.Buf)+len(q.w.Buf)/4))
		}
		x.print(q)
		x.text, x.aliases = q.w.Buf, q.aliases
	})
	x.printerContext, x.print = printerContext{}, nil
}

// finish waits for all jobs, working on them as well.
func (s *splitter) finish() {
	if s.jobs != nil {
		close(s.jobs)
		for x := range s.jobs {
			s.run(s.self, x)
			s.flush(maxWaiting)
		}
		s.workers.Wait()
	}
	for _, x := range s.parts {
		if x != nil && x.failed != nil {
			panic(x.failed)
		}
	}
	s.flush(0)
}

// flush writes the parts whose turn it is, if the text is not kept. It waits for
// parts as long as there are more than limit.
func (s *splitter) flush(limit int) {
	if s.out == nil {
		return
	}
	for ; s.written < len(s.parts); s.written++ {
		x := s.parts[s.written]
		if x.ready != nil {
			if len(s.parts)-s.written <= limit {
				select {
				case <-x.ready:
				default:
					return
				}
			}
			<-x.ready
		}
		if x.failed != nil {
			return
		}
		if s.err == nil {
			_, s.err = s.out.Write(x.text)
		}
		text := x.text
		s.buffers.Put(&text)
		s.parts[s.written] = nil
	}
}
