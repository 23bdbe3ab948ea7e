package tosa

import (
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/conversion"
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

// The passes that replace what isn't computed on elements.
var (
	// TensorPass is --tosa-to-tensor.
	TensorPass = pass.New(pass.Info{
		Name: "tosa-to-tensor", Title: "TosaToTensor",
		Summary: "Replace operations of tosa that only move elements by those of tensor",
		Description: "Replaces `tosa.concat`, `tosa.pad`, `tosa.reshape` and `tosa.slice`. A reshape becomes a collapse to the dimensions that both shapes have in common, and an expansion. " +
			"It is an error if one can't be replaced. Linear time.",
	}, nil, conversion.Body(TensorPatterns, ToTensor))
	// ArithPass is --tosa-to-arith.
	ArithPass = pass.New(pass.Info{
		Name: "tosa-to-arith", Title: "TosaToArith",
		Summary:     "Replace constants of tosa by those of arith",
		Description: "Replaces `tosa.const` by `arith.constant` and, if asked for, `tosa.apply_scale`, a multiplication and division by a power of two with rounding, by integer arithmetic. Linear time.",
	}, func(o *ArithOptions, d *pass.Decl) {
		d.Bool(&o.ApplyScale, "include-apply-rescale", false, "Whether to include the lowering for tosa.apply_rescale to arith")
		d.Bool(&o.Use32Bit, "use-32-bit", false, "Whether to prioritze lowering to 32-bit operations")
	}, pass.Prepared(func(ctx *ir.Context, o *ArithOptions) func(*pass.Context, *ir.Op) error {
		patterns := rewrite.NewPatternSet(ctx, ArithPatterns(*o))
		return func(c *pass.Context, op *ir.Op) error { return ToArith(op, *o, patterns, c.Emit) }
	}))
	// ControlPass is --tosa-to-scf.
	ControlPass = pass.New(pass.Info{
		Name: "tosa-to-scf", Title: "TosaToSCF",
		Summary:     "Replace control flow of tosa by that of scf",
		Description: "Replaces `tosa.cond_if`, `tosa.while_loop`, and `tosa.scatter`, which becomes loops that insert rows. Linear time.",
	}, nil, conversion.Body(ControlPatterns, ToSCF))
)

// linalgOptions are options that say what the pipeline does around the pass.
type linalgOptions struct{ keep, aggressive bool }

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(LinalgPass, NamedPass, TensorPass, ArithPass, ControlPass, LowerPass)
}
