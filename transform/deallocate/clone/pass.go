package clone

import (
	"freehold/ir"
	"freehold/pass"
)

// deallocationPass is the options of buffer-deallocation, and what it counts.
type deallocationPass struct {
	Options
	clones, frees, moved pass.Counter
}

func (p *deallocationPass) declare(d *pass.Decl) {
	d.Uses(pass.Dominance)
	d.Bool(&p.Boundary, "function-boundaries", false, "Free what calls return, and return only what the caller may free").Extension()
	d.Counter(&p.clones, "num-clones", "copies that were made")
	d.Counter(&p.frees, "num-frees", "deallocations that were inserted")
	d.Counter(&p.moved, "num-moved", "deallocations that were moved")
}

// Pass is --buffer-deallocation.
var Pass = pass.New(pass.Info{
	Name: "buffer-deallocation", Title: "BufferDeallocation", On: pass.Function,
	Summary: "Free everything that functions allocate, with copies where control flow meets",
	Description: `Frees each allocation after its last use. Where it depends on control flow which buffer a value is, and these aren't all
allocated before, they are copied (` + "`bufferization.clone`" + `), and the copy is freed; ` + "`canonicalize`" + ` removes copies that aren't needed.
What is freed already isn't freed again. Run it after bufferization, which makes programs that don't write to a buffer that was
passed on, and after ` + "`buffer-hoisting`" + `, which saves copies. Unstructured control flow must not form loops. Functions must
not free what they are passed, as their callers do. Results of calls are freed only with ` + "`function-boundaries`" + `. ` + "`ownership-based-buffer-deallocation`" + ` needs no copies, but more code.`,
}, (*deallocationPass).declare, pass.OnModule(func(c *pass.Context, p *deallocationPass, fn *ir.Op) error {
	n, unknown, err := Deallocate(fn, pass.Dominance.Of(c, fn), p.Options)
	for _, d := range unknown {
		c.Emit(d)
	}
	if err != nil {
		return err
	}
	p.clones.Add(n.Clones)
	p.frees.Add(n.Frees)
	p.moved.Add(n.Moved)
	if n == (Counts{}) {
		c.Unchanged()
	}
	if n.Edges == 0 {
		c.Preserves(pass.Dominance)
	}
	return nil
}))

// Register adds the pass.
func Register(r *pass.Registry) {
	r.Register(Pass)
}
