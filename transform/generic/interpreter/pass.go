package interpreter

import (
	"freehold/ir"
	"freehold/pass"
)

// place is the options of the pass, with what knows passes.
type place struct {
	Options
	expensive bool // the checks that it says to leave out are made, and cheap
	registry  func() *pass.Registry
}

func (p *place) declare(d *pass.Decl) {
	d.Strings(&p.TrailingArgs, "debug-bind-trailing-args", "What further arguments of the script stand for: the operations of these names, separated by `;`")
	d.String(&p.RootTag, "debug-payload-root-tag", "", "Work on the operation with this `transform.target_tag`, not the module")
	d.Bool(&p.expensive, "disable-expensive-checks", false, "Accepted, and without effect: no check is expensive")
	d.String(&p.EntryPoint, "entry-point", "__transform_main", "The name of the script, a `transform.named_sequence`")
	p.registry = d.Registry
}

// Pass is --transform-interpreter.
var Pass = pass.New(pass.Info{
	Name: "transform-interpreter", Title: "InterpreterPass",
	Summary: "Execute a script of the transform dialect",
	Description: "Executes a `transform.named_sequence` of the module: `transform.structured.match` finds operations, `transform.apply_registered_pass` runs passes on them, and the " +
		"operations `transform.bufferization.*` bufferize them. `transform.structured.bufferize_to_allocation` bufferizes single operations, to new buffers, and `transform.memref.multibuffer` gives the iterations of a loop buffers of their own; `transform.select` and `transform.get_defining_op` find among what these made. A script that uses a handle to operations that it has consumed fails. The script stays in the program.",
}, (*place).declare, pass.OnModule(func(c *pass.Context, p *place, op *ir.Op) error {
	o := p.Options
	o.RunPass = func(name, options string, target *ir.Op) error {
		element := name
		if options != "" {
			element += "{" + options + "}"
		}
		m, err := p.registry().ParsePipeline(target.Name() + "(" + element + ")")
		if err != nil {
			return op.PlainErrorf("failed to add pass or pass pipeline to pipeline: %s", name)
		}
		return c.Run(m, target)
	}
	return Run(op, o)
}))

// Register adds the pass.
func Register(r *pass.Registry) { r.Register(Pass) }
