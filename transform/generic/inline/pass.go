package inline

import (
	"freehold/ir"
	"freehold/pass"
)

// passOptions are the options of the pass.
type passOptions struct {
	Options
	defaultPipeline string
	pipelines       []*pass.OpPassManager
	decl            *pass.Decl // knows the passes in the default pipeline
}

func (o *passOptions) declare(d *pass.Decl) {
	o.decl = d
	d.String(&o.defaultPipeline, "default-pipeline", "canonicalize", "Passes that simplify a function before its calls are looked at, unless `op-pipelines` has others for its kind")
	d.Managers(&o.pipelines, "op-pipelines", "Passes that simplify functions of some kinds, as in `func.func(canonicalize,cse)`")
	d.Uint(&o.MaxIterations, "max-iterations", 4, "How often to look at functions that call each other, as long as calls are replaced")
	d.Uint(&o.Threshold, "inlining-threshold", NoThreshold, "The number of operations of a callee, in percent of its caller's, above which the call stays")
}

// Pass is --inline.
var Pass = pass.New(pass.Info{
	Name: "inline", Title: "Inliner",
	Summary: "Replace calls by what the called functions do",
	Description: `Replaces calls of functions with a body, that are not recursive, by the body, callees before
callers, and simplifies each function by a pipeline before its calls are looked at. Functions that become
unused, and that nothing outside can refer to, are erased. A ` + "`default-pipeline`" + ` that can't be
parsed is reported, and what precedes the error is run. Programs may get much larger, unless ` + "`inlining-threshold`" + ` is
given: a chain of functions that call the next one twice doubles at each step.`,
}, (*passOptions).declare, pass.OnModule(func(c *pass.Context, o *passOptions, op *ir.Op) error {
	if !op.Has(ir.TraitSymbolTable) {
		return op.Errorf(" was scheduled to run under the inliner, but does not define a symbol table")
	}
	options := o.Options
	options.Optimize = newPipelines(c, o).run
	return Run(op, options)
}))

// pipelines are what simplifies functions in one run of the pass.
type pipelines struct {
	context *pass.Context
	options *passOptions
	byName  map[string]*pass.OpPassManager // by the name of the operation
}

func newPipelines(c *pass.Context, o *passOptions) *pipelines {
	p := &pipelines{c, o, map[string]*pass.OpPassManager{}}
	for _, m := range o.pipelines {
		if p.byName[m.Anchor()] == nil && m.Len() > 0 {
			p.byName[m.Anchor()] = m.Clone()
		}
	}
	return p
}

// run simplifies a function.
func (p *pipelines) run(f *ir.Op) error {
	m := p.byName[f.Name()]
	if m == nil {
		m = pass.NewManager(f.Name())
		if err := p.options.decl.Registry().ParsePasses(m, p.options.defaultPipeline); err != nil {
			p.context.Print([]byte(err.Error() + "\n"))
		}
		p.byName[f.Name()] = m
	}
	if m.Len() == 0 {
		return nil
	}
	return p.context.Run(m, f)
}

// Register adds the pass.
func Register(r *pass.Registry) { r.Register(Pass) }
