package tosa

import (
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/pass"
)

// isFunction tells whether operations of the name are functions.
func isFunction(n *ir.OpName) bool { _, ok := iface.Function.OfName(n); return ok }

// LinalgPass is --tosa-to-linalg.
var LinalgPass = pass.New(pass.Info{
	Name: "tosa-to-linalg", Title: "TosaToLinalg",
	Summary: "Replace operations of tosa by linalg.generic and the like",
	Description: "Replaces elementwise operations, reductions, and operations that move elements, by operations of linalg on tensors. Operands are broadcast; " +
		"sizes that are known only at run time are compared there. Convolutions, pools and products of matrices are left to `tosa-to-linalg-named`, which runs before; " +
		"constants and `tosa.apply_scale` to `tosa-to-arith`; concatenation, padding, reshapes and slices to `tosa-to-tensor`; control flow and " +
		"`tosa.scatter` to `tosa-to-scf`. It is an error if another operation of tosa is left. Operands must have the same rank, or dimensions in front are added. Linear time.",
	CanSchedule: isFunction,
}, func(o *linalgOptions, d *pass.Decl) {
	d.Bool(&o.keep, "disable-tosa-decompositions", false, "Disable tosa decompositions pass")
	d.Bool(&o.aggressive, "aggressive-reduce-constant", false, "Always perform the reduce constant optimization")
}, pass.Prepared(func(ctx *ir.Context, _ *linalgOptions) func(*pass.Context, *ir.Op) error {
	patterns := rewrite.NewPatternSet(ctx, LinalgPatterns(ctx))
	return func(c *pass.Context, op *ir.Op) error { return ToLinalg(op, patterns, c.Emit) }
}))

// NamedPass is --tosa-to-linalg-named.
var NamedPass = pass.New(pass.Info{
	Name: "tosa-to-linalg-named", Title: "TosaToLinalgNamed",
	Summary: "Replace convolutions, pools and products of tosa by those of linalg",
	Description: "Replaces convolutions, pools, products of matrices and transpositions by the operations of linalg that have a name of their own. Sizes of filters and permutations " +
		"must be known, and of pools all but that of the batch. It is an error if one can't be replaced. Run it before `tosa-to-linalg`. Linear time.",
	CanSchedule: isFunction,
}, func(o *NamedOptions, d *pass.Decl) {
	d.Bool(&o.HWCF, "prefer-conv2d-kernel-layout-hwcf", false, "Prefer generating linalg.conv_2d_nhwc_hwcf over linalg.conv_2d_nhwc_fhwc")
}, pass.Prepared(func(ctx *ir.Context, o *NamedOptions) func(*pass.Context, *ir.Op) error {
	patterns := rewrite.NewPatternSet(ctx, NamedPatterns(*o))
	return func(c *pass.Context, op *ir.Op) error { return ToLinalgNamed(op, patterns, c.Emit) }
}))

// linalgOptions are options that say what the pipeline does around the pass.
type linalgOptions struct{ keep, aggressive bool }

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(LinalgPass, NamedPass)
}
