package pass

import (
	"errors"
	"math"
	"slices"
	"sort"
	"sync"
	"sync/atomic"

	"freehold/internal/parallel"
	"freehold/ir"
)

// thread is what one goroutine of a runner works with.
type thread struct {
	workers map[*Instance]worker
	arena   ir.Arena
	log     eventLog // scratch
	// verifier verifies parts. It is made when it is needed.
	verifier *ir.PartVerifier
}

// acquire returns a thread that no other goroutine uses.
func (s *runState) acquire() *thread {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.idle); n > 0 {
		th := s.idle[n-1]
		s.idle = s.idle[:n-1]
		return th
	}
	return &thread{workers: map[*Instance]worker{}, arena: ir.Arena{Recycles: s.Recycle}, log: eventLog{runner: s.Runner}}
}

func (s *runState) release(threads ...*thread) {
	s.mu.Lock()
	s.idle = append(s.idle, threads...)
	s.mu.Unlock()
}

// chain is a run of neighbouring passes on the same parts of an operation.
type chain struct {
	*runState
	op     *ir.Op
	parts  []*ir.Op
	whole  bool // the only part is op itself
	stages []stage
	// failed is the number of the first stage known to fail on some part. Later stages
	// are of no interest any more.
	failed atomic.Int64
	mu     sync.Mutex
	events []chainEvents
	// users are the operations of each part that refer to symbols around it, and
	// verified tells that they are known.
	users    [][]*ir.Op
	verified []bool
	timer    *Timer
}

// stage is one pass of a chain.
type stage struct {
	inst    *Instance
	work    *work
	shared  any
	started atomic.Bool
}

// chainEvents is what a stage reported about a part.
type chainEvents struct {
	stage, part int
	events      []event
	failed      bool // the pass itself failed
}

// chain returns the passes at the start of items that work on the same parts of op, or
// nil if the first isn't one that works on parts.
func (s *runState) chain(items []item, op *ir.Op) *chain {
	c := &chain{runState: s, op: op}
	for _, it := range items {
		if it.inst == nil || unfit(it.inst, op) != "" {
			break
		}
		w := s.work(it.inst)
		if w.run != nil {
			break
		}
		// What is printed or saved around a pass is the whole program.
		if len(c.stages) > 0 && (s.IR != nil || s.Reproducer != nil && s.Reproducer.Local) {
			break
		}
		parts := w.parts(op)
		if len(c.stages) == 0 {
			c.parts = parts
		} else if !slices.Equal(parts, c.parts) {
			break
		}
		c.stages = append(c.stages, stage{inst: it.inst, work: w, shared: w.begin(&Context{state: s, op: op}, op)})
	}
	if len(c.stages) == 0 {
		return nil
	}
	c.whole = len(c.parts) == 1 && c.parts[0] == op
	c.failed.Store(int64(len(c.stages)))
	return c
}

// run executes the chain and returns whether all stages succeeded.
func (c *chain) run(log *eventLog, t *Timer) bool {
	threads := c.threads(len(c.parts))
	c.timer = t
	if t != nil && threads > 1 {
		c.timer = NewTimer()
		for i := range c.stages {
			c.timer.child(c.stages[i].inst.Pass.title())
		}
	}
	start := c.timer.start()
	c.users, c.verified = make([][]*ir.Op, len(c.parts)), make([]bool, len(c.parts))
	var used []*thread
	var mu sync.Mutex
	parallel.For(len(c.parts), threads, func() func(int) {
		th := c.acquire()
		mu.Lock()
		used = append(used, th)
		mu.Unlock()
		return func(i int) { c.part(th, i, 0) }
	})
	c.release(used...)
	if c.succeeded() {
		c.finish()
	}
	c.facts.passed(c.op, c.numbers[c.stages[len(c.stages)-1].inst])
	if c.timer != t {
		c.timer.finish(start, threads)
		t.add(c.timer)
	}
	c.report(log)
	if c.succeeded() && c.VerifyEach && !c.whole {
		start := t.start()
		err := verified(c.op, c.verifyAround)
		t.stop(verifierTitle, start)
		if err != nil {
			c.runState.report(log, err)
			if c.Reproducer != nil {
				c.Reproducer.failed(c.stages[len(c.stages)-1].inst, c.op)
			}
			return false
		}
	}
	return c.succeeded()
}

func (c *chain) succeeded() bool { return int(c.failed.Load()) == len(c.stages) }

// part sends a part through the stages from number first on, as far as no stage is known
// to fail.
func (c *chain) part(th *thread, i, first int) {
	for k := first; k < len(c.stages) && k <= int(c.failed.Load()); k++ {
		err, failed := c.stage(th, k, i)
		if err == nil && len(th.log.events) == 0 {
			continue
		}
		c.reported.Store(true)
		e := chainEvents{stage: k, part: i, failed: failed}
		if err != nil {
			var crash *ir.CrashError
			if errors.As(err, &crash) { // what it works with may be in no good state
				delete(th.workers, c.stages[k].inst)
				th.verifier = nil
			}
			c.runState.report(&th.log, err)
			for n := c.failed.Load(); int64(k) < n && !c.failed.CompareAndSwap(n, int64(k)); n = c.failed.Load() {
			}
		}
		e.events, th.log.events = th.log.events, nil
		c.mu.Lock()
		c.events = append(c.events, e)
		c.mu.Unlock()
	}
	if c.reported.Load() {
		th.arena.Forget() // what is reported may name operations
	} else if th.arena.Recycle() {
		c.facts.changed(c.parts[i], nil)
	}
}

// stage runs one stage on a part and verifies what it changed. Besides the error it
// tells whether it is the pass that failed.
func (c *chain) stage(th *thread, k, i int) (err error, failed bool) {
	st, part := &c.stages[k], c.parts[i]
	if c.Started != nil && st.started.CompareAndSwap(false, true) {
		c.Started(st.inst, c.op)
	}
	ctx := Context{state: c.runState, op: part, events: &th.log}
	start := c.timer.start()
	err = protect(st.inst, part, func() error {
		run := th.workers[st.inst]
		if run == nil {
			run = st.work.worker(&th.arena)
			th.workers[st.inst] = run
		}
		return run(&ctx, st.shared, part)
	})
	c.timer.stop(st.inst.Pass.title(), start)
	ctx.done(st.inst, err == nil)
	if err != nil {
		return err, true
	}
	if c.VerifyEach && !ctx.unchanged {
		err = c.verify(th, i)
	}
	return err, false
}

// verify verifies a part.
func (c *chain) verify(th *thread, i int) (err error) {
	start := c.timer.start()
	if c.whole {
		err = verified(c.op, func() error { return ir.Verify(c.op) })
	} else {
		if th.verifier == nil {
			th.verifier = ir.NewPartVerifier(c.ctx)
		}
		err = verified(c.parts[i], func() (err error) {
			// If there are few parts, there are threads to spare.
			c.users[i], err = th.verifier.Verify(c.parts[i], max(1, c.threads(math.MaxInt)/len(c.parts)))
			return err
		})
		c.verified[i] = true
	}
	c.timer.stop(verifierTitle, start)
	return err
}

// verifyAround verifies what the verification of parts leaves: what refers from one to
// another, and what is around them. Nothing is to be done if no part was changed.
func (c *chain) verifyAround() error {
	if !slices.Contains(c.verified, true) {
		return nil
	}
	parts := make(map[*ir.Op][]*ir.Op, len(c.parts))
	for i, p := range c.parts {
		if !c.verified[i] {
			c.users[i] = ir.SymbolUsers(p)
		}
		parts[p] = c.users[i]
	}
	return ir.VerifyAround(c.op, parts)
}

// finish ends the work of the stages on the operation, and sends the parts that they add
// through the stages after them.
func (c *chain) finish() {
	th := c.acquire()
	defer c.release(th)
	for k := range c.stages {
		st := &c.stages[k]
		if st.work.end == nil {
			continue
		}
		ctx := Context{state: c.runState, op: c.op, events: &th.log}
		var added []*ir.Op
		if err := protect(st.inst, c.op, func() error {
			added = st.work.end(&ctx, c.op, st.shared)
			return nil
		}); err != nil {
			c.fail(th, k, len(c.parts), err)
			return
		}
		if len(added) > 0 {
			c.facts.added(c.op)
		}
		for _, p := range added {
			i := len(c.parts)
			c.parts, c.users, c.verified = append(c.parts, p), append(c.users, nil), append(c.verified, false)
			if c.VerifyEach {
				if err := c.verify(th, i); err != nil {
					c.fail(th, k, i, err)
					return
				}
			}
			c.part(th, i, k+1)
		}
	}
}

// fail takes the error of a stage that ends, on a part that it added.
func (c *chain) fail(th *thread, k, part int, err error) {
	c.runState.report(&th.log, err)
	c.failed.Store(int64(k))
	c.events = append(c.events, chainEvents{stage: k, part: part, events: th.log.events})
	th.log.events = nil
}

// report hands on what the stages reported: in the order of stages, and for one stage
// in that of parts, as if each had been run on all parts before the next. If a pass
// fails, its error is that of the first part.
func (c *chain) report(log *eventLog) {
	sort.Slice(c.events, func(i, j int) bool {
		a, b := &c.events[i], &c.events[j]
		return a.stage < b.stage || a.stage == b.stage && a.part < b.part
	})
	failed := int(c.failed.Load())
	for i := range c.events {
		e := &c.events[i]
		if e.stage > failed {
			break
		}
		log.appendLog(&eventLog{events: e.events})
		if e.failed && e.stage == failed {
			break
		}
	}
	if failed < len(c.stages) && c.Reproducer != nil {
		c.Reproducer.failed(c.stages[failed].inst, c.op)
	}
}

// add adds the times of another timer's children to those of t.
func (t *Timer) add(from *Timer) {
	for _, f := range from.children {
		c := t.child(f.name)
		c.mu.Lock()
		c.user += f.user
		c.wall += f.wall
		c.mu.Unlock()
	}
}
