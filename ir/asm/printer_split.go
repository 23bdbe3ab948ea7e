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
	// What a job prints: the operations from first up to end, in this context.
	first, end *ir.Op
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

// splitOps prints the operations from first up to end: short runs at once, long
// ones as jobs. The inside of heavy operations is split in turn.
func (p *Printer) splitOps(first, end *ir.Op) {
	weight := 0
	flush := func(to *ir.Op) {
		if weight >= smallJob {
			p.addJob(first, to)
		} else {
			p.ops(first, to)
		}
		first, weight = to, 0
	}
	for op := first; op != end; op = op.Next() {
		w := weightOf(op)
		if w >= heavyOp {
			flush(op)
			p.op(op)
			first = op.Next()
			continue
		}
		if weight += w; weight >= jobWeight {
			flush(op.Next())
		}
	}
	flush(end)
}

// addJob makes a part of the operations from first up to end.
func (p *Printer) addJob(first, end *ir.Op) {
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
	x := &part{ready: make(chan struct{}), first: first, end: end, printerContext: p.printerContext}
	s.parts = append(s.parts, x)
	select {
	case s.jobs <- x:
	default:
		s.run(s.self, x)
	}
	s.flush(maxWaiting)
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

// size returns the number of parts so far.
func (s *splitter) size() int {
	if s == nil {
		return 0
	}
	return len(s.parts)
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
			q.w.Buf = q.w.Buf[:0]
		}
		q.ops(x.first, x.end)
		x.text, x.aliases = q.w.Buf, q.aliases
		if s.out == nil {
			x.text = append([]byte(nil), x.text...)
		}
	})
	x.printerContext, x.first, x.end = printerContext{}, nil, nil
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
