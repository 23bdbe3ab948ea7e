package stablehlo

import (
	"freehold/ir"
	"freehold/pass"
)

func (o *Options) declare(d *pass.Decl) {
	d.Bool(&o.WholePadding, "whole-padding", false, "Store padding with all of a tensor, for passes that make tiles of what is read of it, and not with a strip of it at a time")
}

// LowerPass is --stablehlo-to-linalg.
var LowerPass = pass.New(pass.Info{
	Name: "stablehlo-to-linalg", Title: "StablehloToLinalg", On: pass.Module,
	Summary: "Replace all operations of stablehlo and chlo",
	Description: "Replaces operations of stablehlo, and of chlo, by those of linalg, tensor, scf and arith that bufferize in place: an update of a slice is an insertion, " +
		"loops carry tensors on, scatters, sorts and reductions have bodies of single elements. Sizes may be known only at run time. Integers become signless, and quantized numbers the " +
		"integers that store them. Checks (`check.expect_eq` and its kind as custom calls) become operations of check. Collective operations are those of one process. " +
		"It is an error, with the reason, if an operation can't be replaced. Linear time, but for algorithms that are written out, such as Fourier transforms.",
}, (*Options).declare, pass.OnModule(func(c *pass.Context, o *Options, op *ir.Op) error {
	changed, err := LowerWith(op, *o)
	if !changed {
		c.Unchanged()
	}
	return err
}))

// ClientPass is --chlo-to-stablehlo.
var ClientPass = pass.New(pass.Info{
	Name: "chlo-to-stablehlo", Title: "ChloToStablehlo", On: pass.Module,
	Summary: "Replace operations of chlo by those of stablehlo",
	Description: "Replaces functions of numbers, such as `chlo.lgamma`, by formulas of operations of stablehlo, operations that broadcast by a broadcast and the operation on operands of the same shape, " +
		"and `chlo.top_k` by a sort. Portable artifacts need it, as they have no operations of chlo; `stablehlo-to-linalg` does without it, and makes one loop nest of a formula. " +
		"It is an error if an operation isn't defined for its numbers. Linear time.",
}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error {
	changed, err := ToStableHLO(op)
	if !changed {
		c.Unchanged()
	}
	return err
}))

// Register adds the passes.
func Register(r *pass.Registry) { r.Register(LowerPass, ClientPass) }
