// Package debuginfo changes the locations of operations.
package debuginfo

import (
	"freehold/ir"
	"freehold/pass"
)

// Strip makes the locations of op, of everything nested in it and of block
// arguments unknown.
func Strip(op *ir.Op) {
	op.Walk(func(o *ir.Op) bool {
		o.SetLoc(ir.Unknown)
		for _, r := range o.Regions() {
			for b := range r.Blocks() {
				for _, a := range b.Args() {
					a.SetArgLoc(nil)
				}
			}
		}
		return true
	})
}

// Pass is --strip-debuginfo.
var Pass = pass.New(pass.Info{
	Name: "strip-debuginfo", Title: "StripDebugInfo",
	Summary: "Forget where operations come from",
	Description: `Replaces the locations of operations and block arguments by the unknown location. Run it before programs are
compared or published. Diagnostics of later passes can't point to the source any more. Linear time.`,
}, nil, pass.OnModule(func(_ *pass.Context, _ *pass.None, op *ir.Op) error {
	Strip(op)
	return nil
}))

// Register adds the pass.
func Register(r *pass.Registry) { r.Register(Pass) }
