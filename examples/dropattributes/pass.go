// Package dropattributes is a family of passes with one pass, which docs/adding-a-pass.md
// explains.
package dropattributes

import (
	"errors"

	"freehold/ir"
	"freehold/pass"
)

// Options say which attributes are dropped.
type Options struct {
	// Name is the name of the attributes.
	Name string
}

// Run drops the attributes of a name from op and everything in it, and returns how many
// there were. Linear time.
func Run(op *ir.Op, o Options) int {
	dropped := 0
	op.Walk(func(op *ir.Op) bool {
		if op.DiscardableAttr(o.Name) != nil {
			op.SetDiscardableAttr(o.Name, nil)
			dropped++
		}
		return true
	})
	return dropped
}

// place is what the pass has at one place of a pipeline.
type place struct {
	Options
	dropped pass.Counter
}

func (p *place) declare(d *pass.Decl) {
	d.String(&p.Name, "name", "", "The name of the attributes to drop")
	d.Counter(&p.dropped, "dropped", "Number of attributes that were dropped")
	d.Check(func() error {
		if p.Name == "" {
			return errors.New("drop-attributes needs the name of an attribute")
		}
		return nil
	})
}

// Pass is --drop-attributes.
var Pass = pass.New(pass.Info{
	Name: "drop-attributes", Title: "DropAttributes",
	Summary: "Remove the attributes of a name",
	Description: `Removes attributes that are no part of the definition of their operation. Run it before programs are compared
that other tools have annotated. Linear time.`,
}, (*place).declare, pass.OnFunction(func(c *pass.Context, p *place, fn *ir.Op) error {
	dropped := Run(fn, p.Options)
	if dropped == 0 {
		c.Unchanged()
	}
	p.dropped.Add(dropped)
	c.Preserves(pass.Dominance)
	return nil
}))

// Register adds the pass.
func Register(r *pass.Registry) { r.Register(Pass) }
