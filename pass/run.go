package pass

import (
	"errors"
	"runtime"
	"sync"
	"sync/atomic"

	"freehold/ir"
)

// Runner executes pass managers. The zero value runs passes in parallel without
// verifying or reporting anything but the errors it returns.
type Runner struct {
	// Threads is the number of operations that passes may run on at a time; 0 stands
	// for as many as there are processors.
	Threads int
	// LLVM is the version of LLVM whose programs passes take where that of the definitions
	// refuses them; 0 stands for the latter.
	LLVM int
	// VerifyEach runs the verifier after each pass.
	VerifyEach bool
	// Recycle uses the memory of operations again that passes on functions have erased, when
	// the function has gone through neighbouring passes, as long as nothing is reported.
	// Nothing but the passes may remember operations of functions then.
	Recycle bool
	// Sink gets all diagnostics, errors included, in program order. May be nil.
	Sink func(*ir.Diagnostic)
	// Annotate may add notes to a diagnostic when it is made, while the program is in
	// the state that it speaks of. It is called by concurrent runs. May be nil.
	Annotate func(*ir.Diagnostic)
	// Text gets the printed IR and the output of analysis passes, in program order.
	// May be nil.
	Text func([]byte)
	// Print prints an operation; IR printing and reproducers need it.
	Print func(op *ir.Op) []byte
	// IR says when to print the program around passes. May be nil.
	IR *IRPrinting
	// Started is told when a pass starts on an operation. It is called by concurrent
	// runs. May be nil.
	Started func(i *Instance, op *ir.Op)
	// Timing collects times. May be nil.
	Timing *Timer
	// Reproducer writes programs that make failing passes fail again. May be nil.
	Reproducer *Reproducer
}

// runState is one execution of a manager.
type runState struct {
	*Runner
	root    *ir.Op
	ctx     *ir.Context
	mu      sync.Mutex
	works   map[*Instance]*work
	idle    []*thread
	numbers map[*Instance]int // read only when passes run
	facts   facts
	// reported is set once passes on functions have reported something.
	reported atomic.Bool
}

// Run executes the manager on an operation. The error is [ir.Diagnostics] with
// the errors of all operations on which a pass failed, in program order, or, if a pass or
// the verifier panicked, these and each *[ir.CrashError], joined. Later passes don't run on an
// operation on which one failed, nor on those around it.
func (r *Runner) Run(m *OpPassManager, op *ir.Op) error {
	s := &runState{Runner: r, root: op, ctx: op.Context(), works: map[*Instance]*work{}, numbers: map[*Instance]int{}}
	m.finalize()
	log := &eventLog{runner: r, direct: true}
	ok := true
	if m.anchor != AnyOp && m.anchor != op.Name() {
		s.report(log, ir.Errorf(op.Loc(), "can't run '%s' pass manager on '%s' op", m.anchor, op.Name()))
		ok = false
	} else if err := m.schedulable(s.ctx); err != nil {
		s.report(log, err)
		ok = false
	} else {
		s.prepare(m)
		s.number(m)
		if rep := r.Reproducer; rep != nil && !rep.Local {
			rep.snapshot(s, m.reproString())
		}
		ok = s.manager(m, op, log, r.Timing)
	}
	if ok {
		return nil
	}
	if r.Reproducer != nil {
		r.Reproducer.finish(s, log)
	}
	return log.err()
}

// prepare starts the work of all instances for which it hasn't.
func (s *runState) prepare(m *OpPassManager) {
	m.each(func(i *Instance) {
		if s.work(i) != nil {
			return
		}
		var w work
		if err := i.decl.check(); err != nil {
			w.run = func(*Context, *ir.Op) error { return err }
		} else {
			w = i.start(s.ctx)
		}
		s.mu.Lock()
		s.works[i] = &w
		s.mu.Unlock()
	})
}

func (s *runState) work(i *Instance) *work {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.works[i]
}

// manager runs the items of m on op and returns whether all succeeded.
func (s *runState) manager(m *OpPassManager, op *ir.Op, log *eventLog, t *Timer) bool {
	for items := m.items; len(items) > 0; {
		it, n, ok := items[0], 1, false
		if it.inst == nil {
			ok = s.nested(it.nested, op, log, t)
		} else if err := protect(it.inst, op, func() error {
			if c := s.chain(items, op); c != nil && len(c.stages) > 1 {
				n, ok = len(c.stages), c.run(log, t)
			} else {
				ok = s.pass(it.inst, c, op, log, t)
			}
			return nil
		}); err != nil {
			ok = false
			s.report(log, err)
			if s.Reproducer != nil {
				s.Reproducer.failed(it.inst, op)
			}
		}
		if !ok {
			return false
		}
		items = items[n:]
	}
	return true
}

// unfit returns why a pass can't run on op, or "".
func unfit(i *Instance, op *ir.Op) string {
	switch {
	case !op.Registered():
		return "trying to schedule a pass on an unregistered operation"
	case !op.Has(ir.TraitIsolatedFromAbove):
		return "trying to schedule a pass on an operation not marked as 'IsolatedFromAbove'"
	case !i.Pass.canSchedule(op.OpName()):
		return "trying to schedule a pass on an unsupported operation"
	}
	return ""
}

// pass runs one pass on op: a chain of its own, if it works on parts.
func (s *runState) pass(i *Instance, chain *chain, op *ir.Op, log *eventLog, t *Timer) bool {
	if bad := unfit(i, op); bad != "" {
		s.report(log, op.Errorf("%s", bad))
		return false
	}
	var before uint64
	if s.IR != nil {
		before = s.IR.before(s, i, op, log)
	}
	if s.Reproducer != nil && s.Reproducer.Local {
		s.Reproducer.snapshot(s, nestedPipeline(i, op, s.root))
	}
	var ok bool
	if chain != nil {
		ok = chain.run(log, t)
	} else {
		ok = s.undivided(i, op, log, t)
	}
	if s.IR != nil {
		s.IR.after(s, i, op, log, before, !ok)
	}
	return ok
}

// undivided runs a pass that works on op as a whole.
func (s *runState) undivided(i *Instance, op *ir.Op, log *eventLog, t *Timer) bool {
	if s.Started != nil {
		s.Started(i, op)
	}
	start := t.start()
	c := &Context{state: s, op: op, events: log}
	err := protect(i, op, func() error { return s.work(i).run(c, op) })
	c.done(i, err == nil)
	t.stop(i.Pass.title(), start)
	if err == nil && s.VerifyEach && !c.unchanged {
		start = t.start()
		err = verified(op, func() error { return ir.Verify(op) })
		t.stop(verifierTitle, start)
	}
	if err == nil {
		return true
	}
	s.report(log, err)
	if s.Reproducer != nil {
		s.Reproducer.failed(i, op)
	}
	return false
}

// verifierTitle is what reports of times call the verifier.
const verifierTitle = "(V) Verifier"

// threads returns how many threads n jobs are divided among.
func (s *runState) threads(n int) int {
	threads := s.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	return min(threads, n)
}

// protect runs a pass on an operation and turns a panic into an error.
func protect(i *Instance, op *ir.Op, run func() error) error {
	return ir.Guard("pass '"+i.Pass.Name+"'", op.Loc(), run)
}

// verified runs the verifier on an operation, likewise.
func verified(op *ir.Op, run func() error) error { return ir.Guard("the verifier", op.Loc(), run) }

// nested runs managers on the operations one level below op, in parallel where
// there are several. All of them run even if one fails, so that the outcome is
// the same whatever the number of threads.
func (s *runState) nested(ms []*OpPassManager, op *ir.Op, log *eventLog, t *Timer) bool {
	type job struct {
		op *ir.Op
		m  *OpPassManager
	}
	var jobs []job
	for _, r := range op.Regions() {
		for b := range r.Blocks() {
			for o := range b.Ops() {
				for _, m := range ms {
					if m.serves(o.OpName()) {
						jobs = append(jobs, job{o, m})
						break
					}
				}
			}
		}
	}
	if len(jobs) == 0 {
		return true
	}
	defer s.lookAround(ms, op)()
	threads := s.threads(len(jobs))
	sub := t.child("'" + ms[0].anchor + "' Pipeline")
	start := sub.start()
	defer sub.finish(start, threads)
	if threads <= 1 || s.Reproducer != nil && s.Reproducer.Local {
		ok := true
		for _, j := range jobs {
			ok = s.manager(j.m, j.op, log, sub) && ok
		}
		return ok
	}
	logs := make([]eventLog, len(jobs))
	var next atomic.Int64
	var failed atomic.Bool
	var wg sync.WaitGroup
	for range threads {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				k := int(next.Add(1)) - 1
				if k >= len(jobs) {
					return
				}
				if !s.manager(jobs[k].m, jobs[k].op, &logs[k], sub) {
					failed.Store(true)
				}
			}
		}()
	}
	wg.Wait()
	for k := range logs {
		log.appendLog(&logs[k])
	}
	return !failed.Load()
}

// annotate calls the Annotate function, if there is one.
func (r *Runner) annotate(d *ir.Diagnostic) {
	if r.Annotate != nil {
		r.Annotate(d)
	}
}

// report logs an error as diagnostics.
func (s *runState) report(log *eventLog, err error) {
	switch e := err.(type) {
	case *ir.CrashError:
		log.add(event{diag: e.Diagnostic(), crash: e})
	case *ir.Diagnostic:
		s.annotate(e)
		log.diagnostic(e)
	case ir.Diagnostics:
		for _, d := range e {
			s.annotate(d)
			log.diagnostic(d)
		}
	default:
		if many, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range many.Unwrap() {
				s.report(log, e)
			}
			return
		}
		var ds ir.Diagnostics
		if errors.As(err, &ds) {
			s.report(log, ds)
			return
		}
		log.diagnostic(&ir.Diagnostic{Loc: s.root.Loc(), Message: err.Error()})
	}
}

// eventLog takes diagnostics and text; it either hands them on at once or keeps
// them until they are appended to another log.
type eventLog struct {
	runner *Runner
	direct bool
	events []event
	errs   []error // diagnostics and crashes
}

type event struct {
	diag  *ir.Diagnostic
	crash *ir.CrashError // what the diagnostic is about; nil for most
	text  []byte
}

func (l *eventLog) diagnostic(d *ir.Diagnostic) { l.add(event{diag: d}) }

func (l *eventLog) text(b []byte) { l.add(event{text: b}) }

func (l *eventLog) add(e event) {
	if !l.direct {
		l.events = append(l.events, e)
		return
	}
	switch {
	case e.diag == nil:
		if l.runner.Text != nil {
			l.runner.Text(e.text)
		}
	default:
		switch {
		case e.crash != nil:
			l.errs = append(l.errs, e.crash)
		case e.diag.Severity == ir.Error:
			l.errs = append(l.errs, e.diag)
		}
		if l.runner.Sink != nil {
			l.runner.Sink(e.diag)
		}
	}
}

// err returns the errors as [Runner.Run] does.
func (l *eventLog) err() error {
	ds := make(ir.Diagnostics, len(l.errs))
	for i, err := range l.errs {
		d, ok := err.(*ir.Diagnostic)
		if !ok {
			return errors.Join(l.errs...)
		}
		ds[i] = d
	}
	return ds
}

func (l *eventLog) appendLog(from *eventLog) {
	for _, e := range from.events {
		l.add(e)
	}
}
