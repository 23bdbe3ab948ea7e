package inline

import (
	"freehold/ir"
	"freehold/pass"
)

// NewPass returns --inline. The passes of the pipelines in its options are those of r.
func NewPass(r *pass.Registry) *pass.Pass {
	return &pass.Pass{
		Name: "inline", Title: "Inliner",
		Summary: "Inline function calls",
		Description: `Replaces calls of functions with a body, that are not recursive, by the body, callees before
callers, and simplifies each function by a pipeline before its calls are looked at. Functions that become
unused, and that nothing outside can refer to, are erased. A ` + "`default-pipeline`" + ` that can't be
parsed is reported, and what precedes the error is run.`,
		Options: []pass.Option{
			pass.String("default-pipeline", "canonicalize", "The optimizer pipeline used for callables that do not have a dedicated optimizer pipeline in opPipelineList"),
			pass.Managers(r, "op-pipelines", "Callable operation specific optimizer pipelines (in the form of `dialect.op(pipeline)`)"),
			pass.Uint("max-iterations", 4, "Maximum number of iterations when inlining within an SCC"),
			pass.Uint("inlining-threshold", NoThreshold, "If the ratio between the number of the operations in the callee and the number of the operations in the caller exceeds this value (in percentage), then the callee is not inlined even if it is legal to inline it"),
		},
		Run: func(c *pass.Context, op *ir.Op) error {
			if !op.Has(ir.TraitSymbolTable) {
				return op.Errorf(" was scheduled to run under the inliner, but does not define a symbol table")
			}
			p := newPipelines(r, c)
			return Run(op, Options{
				MaxIterations: int(c.Int("max-iterations")),
				Threshold:     int(c.Int("inlining-threshold")),
				Optimize:      p.run,
			})
		},
	}
}

// pipelines are what simplifies functions in one run of the pass.
type pipelines struct {
	context  *pass.Context
	registry *pass.Registry
	byName   map[string]*pass.OpPassManager // by the name of the operation
}

func newPipelines(r *pass.Registry, c *pass.Context) *pipelines {
	p := &pipelines{c, r, map[string]*pass.OpPassManager{}}
	for _, m := range c.Managers("op-pipelines") {
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
		if err := p.registry.ParsePasses(m, p.context.String("default-pipeline")); err != nil {
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
func Register(r *pass.Registry) { r.Register(NewPass(r)) }
