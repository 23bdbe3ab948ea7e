package pass

import "freehold/ir"

// Names of the operations that passes run on.
const (
	// Function is that of functions, whatever dialects a tool has.
	Function = "func.func"
	// Module is that of whole programs.
	Module = ir.ModuleName
)

// Info describes a pass or pipeline to its users.
type Info struct {
	// Name is what users write: "one-shot-bufferize".
	Name string
	// Title is what reports call a pass: "OneShotBufferize". The default is Name.
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
	// Needs tells what the pass misses in a context, such as models that its family attaches to operations of
	// others ([ir.Context.Attach]): it isn't run there. May be nil.
	Needs func(*ir.Context) error
}

func (p *Info) title() string {
	if p.Title != "" {
		return p.Title
	}
	return p.Name
}

// canSchedule tells whether the pass runs on operations of that name.
func (p *Info) canSchedule(n *ir.OpName) bool {
	return (p.On == "" || p.On == n.String()) && (p.CanSchedule == nil || p.CanSchedule(n))
}

// Pass is a transformation or analysis that can be scheduled by name. It is never
// changed.
type Pass struct {
	Info
	make func(*Registry) *Instance
}

// Typed is a pass whose options are fields of an O.
type Typed[O any] struct {
	*Pass
	make func(*Registry) (*Instance, *O)
}

// None is the options of a pass that has none.
type None struct{}

// New returns a pass. declare declares the options and statistics of the pass, each bound
// to a field of o, which also may hold what else the body wants to know; it may be nil. A
// set of options belongs to one place of a pipeline.
func New[O any](info Info, declare func(o *O, d *Decl), body Body[O]) Typed[O] {
	t := Typed[O]{Pass: &Pass{Info: info}}
	t.make = func(r *Registry) (*Instance, *O) {
		o, d := declared(r, declare)
		i := &Instance{Pass: t.Pass, decl: d, options: o, start: func(c *ir.Context) work { return body.start(c, o) }}
		i.clone = func() *Instance {
			n, to := t.make(d.registry)
			*to = *o
			n.decl.copied(d)
			return n
		}
		return i, o
	}
	t.Pass.make = func(r *Registry) *Instance {
		i, _ := t.make(r)
		return i
	}
	return t
}

// declared returns options with their defaults.
func declared[O any](r *Registry, declare func(*O, *Decl)) (*O, *Decl) {
	o, d := new(O), &Decl{registry: r}
	if declare != nil {
		declare(o, d)
	}
	return o, d
}

// Defaults returns the options' defaults, for programs that call a transformation
// without a pass.
func Defaults[O any](declare func(*O, *Decl)) *O {
	o, _ := declared(nil, declare)
	return o
}

// Instance returns the pass with default options, for one place of a pipeline.
func (p *Pass) Instance() *Instance { return p.make(nil) }

// With returns the pass with the options that set makes of the default ones.
func (t Typed[O]) With(set func(o *O)) *Instance {
	i, o := t.make(nil)
	set(o)
	return i
}

// OptionsOf returns the options of a place of a pipeline, which may be changed before it
// runs; nil if another pass is there.
func (t Typed[O]) OptionsOf(i *Instance) *O {
	o, _ := i.options.(*O)
	if i.Pass != t.Pass {
		return nil
	}
	return o
}

// Options returns the options that the pass takes, in order of their names.
func (p *Pass) Options() []*Option { return p.make(nil).decl.sorted() }

// Statistics returns the counters that the pass keeps.
func (p *Pass) Statistics() []Statistic {
	var list []Statistic
	for _, s := range p.make(nil).decl.counters {
		list = append(list, s.Statistic)
	}
	return list
}

func (p *Pass) register(r *Registry) { r.passes[p.Name] = p }

// Failed is what a pass returns that failed and has reported why.
var Failed error = ir.Diagnostics(nil)

// Instance is a pass with options, at one place of a pipeline.
type Instance struct {
	Pass    *Pass
	decl    *Decl
	options any // an *O
	start   func(*ir.Context) work
	clone   func() *Instance
}

// Context is what a pass gets for one run on one operation.
type Context struct {
	state  *runState
	op     *ir.Op
	events *eventLog
	// unchanged is set if the operation needn't be verified, nor analyzed again.
	unchanged bool
	preserved []AnyAnalysis
}

// Context returns the context of the program.
func (c *Context) Context() *ir.Context { return c.state.ctx }

// Unchanged says that the pass leaves its operation, or the part of it that it was
// given, as it was, so that there is nothing new to verify or to analyze.
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

// LLVM returns the version of LLVM whose programs the pass should take where that of the
// definitions refuses them; 0 stands for the latter.
func (c *Context) LLVM() int { return c.state.LLVM }

// Run executes a pipeline on the pass's operation or one nested in it, as part of
// this pass. An error was reported; return [Failed].
func (c *Context) Run(m *OpPassManager, op *ir.Op) error {
	m.finalize()
	c.state.prepare(m)
	if !c.state.manager(m, op, c.events, nil) {
		return Failed
	}
	return nil
}
