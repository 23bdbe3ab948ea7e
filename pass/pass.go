package pass

import "freehold/ir"

// Pass is a transformation or analysis that can be scheduled by name. Passes are
// values that are not changed once they are registered.
type Pass struct {
	// Name is what users write: "one-shot-bufferize".
	Name string
	// Title is what reports call the pass: "OneShotBufferize". The default is Name.
	Title string
	// Summary says in one line what the pass does; Description tells the rest, in
	// Markdown. Both go to the help text and the pass reference.
	Summary     string
	Description string
	// On names the operations the pass runs on, such as "func.func" or
	// "builtin.module"; empty for any operation that is isolated from above.
	On string
	// CanSchedule further restricts the operations that the pass runs on, for
	// example to function-like ones. May be nil.
	CanSchedule func(*ir.OpName) bool
	// Options are the options that the pass takes.
	Options []Option
	// Statistics are the counters that the pass keeps.
	Statistics []Statistic
	// Prepare computes what all runs of one instance in a pipeline can share, such as
	// a set of patterns; runs get it from [Context.Prepared]. May be nil.
	Prepare func(c *ir.Context, o *Options) (any, error)
	// Run does the work on one operation, and touches nothing outside of it. An
	// [ir.Diagnostic] or [ir.Diagnostics] is reported as it is; empty Diagnostics
	// mean that the pass failed without a message of its own. Passes with a Division
	// have none.
	Run func(c *Context, op *ir.Op) error
	// Division, if not nil, does the work on parts of the operation instead.
	Division *Division
}

func (p *Pass) title() string {
	if p.Title != "" {
		return p.Title
	}
	return p.Name
}

// canSchedule tells whether the pass runs on operations of that name.
func (p *Pass) canSchedule(n *ir.OpName) bool {
	return (p.On == "" || p.On == n.String()) && (p.CanSchedule == nil || p.CanSchedule(n))
}

// Statistic declares a counter of a pass.
type Statistic struct{ Name, Help string }

// Failed is what a pass returns that failed and has reported why.
var Failed error = ir.Diagnostics(nil)

// Instance is a pass with options, at one place of a pipeline.
type Instance struct {
	Pass    *Pass
	Options *Options
	// Counts are the values of the pass's statistics after a run, summed over all
	// operations.
	counts []counter
}

// New returns an instance with default options.
func New(p *Pass) *Instance { return &Instance{Pass: p, Options: NewOptions(p.Options)} }

// Context is what a pass gets for one run on one operation.
type Context struct {
	*Options
	inst     *Instance
	state    *runState
	events   *eventLog
	prepared any
	shared   any
	// unchanged is set if the operation needn't be verified.
	unchanged bool
}

// Context returns the context of the program.
func (c *Context) Context() *ir.Context { return c.state.ctx }

// Prepared returns what the pass's Prepare function computed, or nil.
func (c *Context) Prepared() any { return c.prepared }

// Shared returns what the Parts function of a [Division] returned as shared.
func (c *Context) Shared() any { return c.shared }

// Unchanged says that the pass leaves its operation, or the part of it that it was
// given, as it was, so that there is nothing new to verify.
func (c *Context) Unchanged() { c.unchanged = true }

// Emit reports a diagnostic, such as a warning or remark, without failing. The
// pass fails by returning an error.
func (c *Context) Emit(d *ir.Diagnostic) {
	c.state.annotate(d)
	c.events.diagnostic(d)
}

// Print writes text that is the result of an analysis pass to the error stream,
// in order with the diagnostics.
func (c *Context) Print(text []byte) { c.events.text(text) }

// Threads returns the number of threads that the pass may use; 0 stands for as many
// as there are processors.
func (c *Context) Threads() int { return c.state.Threads }

// Count adds to a statistic that the pass declares. It may be called by
// concurrent runs.
func (c *Context) Count(statistic string, n int64) {
	for i := range c.inst.Pass.Statistics {
		if c.inst.Pass.Statistics[i].Name == statistic {
			c.inst.counts[i].Add(n)
			return
		}
	}
	panic("pass: " + c.inst.Pass.Name + " has no statistic " + statistic)
}

// Run executes a pipeline on the pass's operation or one nested in it, as part of
// this pass. An error was reported; return [Failed].
func (c *Context) Run(m *OpPassManager, op *ir.Op) error {
	m.finalize()
	r := c.state
	if err := r.prepare(m); err != nil {
		r.report(c.events, err)
		return Failed
	}
	if !r.manager(m, op, c.events, nil) {
		return Failed
	}
	return nil
}
