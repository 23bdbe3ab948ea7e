package tosa

import (
	"freehold/ir"
	"freehold/ir/conversion"
	"freehold/ir/interfaces"
	"freehold/ir/rewrite"
	"freehold/pass"
	"freehold/transform/generic/canonicalize"
)

// isFunction tells whether operations of the name are functions.
func isFunction(n *ir.OpName) bool { _, ok := interfaces.Function.OfName(n); return ok }

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
	d.Bool(&o.keep, "disable-tosa-decompositions", false, "Taken as mlir-opt takes it, and without effect: this pass decomposes nothing, tosa-optional-decompositions does")
	d.Bool(&o.aggressive, "aggressive-reduce-constant", false, "Taken as mlir-opt takes it, and without effect: the option of tosa-layerwise-constant-fold is the one that computes reductions of constants")
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
	d.Bool(&o.HWCF, "prefer-conv2d-kernel-layout-hwcf", false, "Transpose the filters of convolutions, so that the channels of the output come last in them, for code generators that load these together; else filters stay as tosa has them")
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
		d.Bool(&o.ApplyScale, "include-apply-rescale", false, "Also replace tosa.apply_scale, by integer arithmetic; without it, another pass can choose instructions for it")
		d.Bool(&o.Use32Bit, "use-32-bit", false, "Compute tosa.apply_scale of i32 with two halves of the product, for processors without registers of 64 bits; it takes more operations")
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

// DecompositionsPass is --tosa-optional-decompositions.
var DecompositionsPass = pass.New(pass.Info{
	Name: "tosa-optional-decompositions", Title: "TosaOptionalDecompositions", On: pass.Function,
	Summary: "Replace convolutions of tosa by simpler operations of tosa",
	Description: "Replaces `tosa.transpose_conv2d` by a convolution, around which elements are moved if there are strides; convolutions with windows of one element by " +
		"`tosa.fully_connected`, and depthwise ones by `tosa.mul`. Sizes must be known; one of an image may be unknown where the windows have one element. Folds operations. Linear time.",
}, nil, rewrite.GreedyBody(func(*ir.Context) []rewrite.Pattern { return DecompositionPatterns() }))

// InferShapesPass is --tosa-infer-shapes.
var InferShapesPass = pass.New(pass.Info{
	Name: "tosa-infer-shapes", Title: "TosaInferShapes", On: pass.Function,
	Summary: "Compute shapes of results of tosa from those of operands",
	Description: "Gives results of operations of tosa the types that follow from those of operands, in branches and loops, too. Other operations that use such a result get the type as it was, by a " +
		"`tensor.cast`. A type that contradicts what follows stays. Near-linear time.",
}, nil, pass.OnFunction(func(c *pass.Context, _ *pass.None, op *ir.Op) error {
	if !InferShapes(op) {
		c.Unchanged()
	}
	return nil
}))

// BroadcastablePass is --tosa-make-broadcastable.
var BroadcastablePass = pass.New(pass.Info{
	Name: "tosa-make-broadcastable", Title: "TosaMakeBroadcastable", On: pass.Function,
	Summary:     "Give operands of tosa the same rank",
	Description: "Reshapes operands of elementwise operations that have fewer dimensions than the others: they get dimensions of size 1 in front. Folds operations. Linear time.",
}, nil, rewrite.GreedyBody(func(*ir.Context) []rewrite.Pattern { return BroadcastablePatterns() }))

// FoldPass is --tosa-layerwise-constant-fold.
var FoldPass = pass.New(pass.Info{
	Name: "tosa-layerwise-constant-fold", Title: "TosaLayerwiseConstantFoldPass", On: pass.Function,
	Summary: "Compute operations of tosa on constants",
	Description: "Computes reciprocals and transpositions of constants, and reductions of constant integers, and applies the canonicalization patterns of tosa. A constant that other operations " +
		"use, too, stays, and what is computed of it, unless all its elements are the same. It takes time in the sizes of constants.",
}, func(o *FoldOptions, d *pass.Decl) {
	d.Bool(&o.Aggressive, "aggressive-reduce-constant", false, "Also compute reductions of constants that are used elsewhere: there are more constants then, and less work at run time")
}, rewrite.GreedyBodyWith(func(c *ir.Context, o *FoldOptions) []rewrite.Pattern { return FoldPatterns(c, *o) }))

// ValidatePass is --tosa-validate.
var ValidatePass = pass.New(pass.Info{
	Name: "tosa-validate", Title: "TosaValidation", On: pass.Module,
	Summary: "Check that a device for TOSA has what a program needs",
	Description: "Checks the types of a program against a profile of TOSA, the parameters of its operations against a level, and that variables are declared as they are used. It changes nothing; " +
		"what doesn't hold is an error. Linear time.",
}, func(o *ValidateOptions, d *pass.Decl) {
	pass.Enum(d, &o.Profile, "profile", AnyProfile, "The part of TOSA that the device has; it limits the types of elements",
		pass.Choice[Profile]{Name: "bi", Value: BaseInference, Help: "the profile for inference with integers"},
		pass.Choice[Profile]{Name: "mi", Value: MainInference, Help: "the main profile for inference"},
		pass.Choice[Profile]{Name: "mt", Value: MainTraining, Help: "the main profile for training"},
		pass.Choice[Profile]{Name: "undefined", Value: AnyProfile, Help: "no profile"})
	d.Bool(&o.anyTypes, "allow-invalid-op-datatype-combinations", false, "Accepted, and without effect: types are checked one by one, and not which of them an operation may have together")
	d.Bool(&o.Strict, "strict-op-spec-alignment", false, "Verify that operands are constant where the specification wants that")
	pass.Enum(d, &o.Level, "level", EightK, "How large the parameters of operations may be, such as ranks, strides and windows",
		pass.Choice[Level]{Name: "8k", Value: EightK, Help: "what suffices for frames of up to 8K"},
		pass.Choice[Level]{Name: "none", Value: NoLevel, Help: "anything that the types of numbers allow"})
}, pass.OnModule(func(c *pass.Context, o *ValidateOptions, op *ir.Op) error {
	c.Unchanged()
	if !Validate(op, *o, c.Emit) {
		return pass.Failed
	}
	return nil
}))

// Pipeline is --tosa-to-linalg-pipeline.
var Pipeline = pass.NewPipeline(pass.Info{
	Name:    "tosa-to-linalg-pipeline",
	Summary: "Replace operations of tosa by those of linalg, as mlir-opt does by default",
	Description: "Runs `tosa-optional-decompositions`, `canonicalize`, `tosa-infer-shapes`, `tosa-make-broadcastable`, `tosa-to-linalg-named`, `canonicalize`, `tosa-layerwise-constant-fold`, " +
		"`tosa-make-broadcastable`, `tosa-validate` and `tosa-to-linalg`. Programs are validated for the profile of integers: one with floating-point numbers is refused, as mlir-opt-19 refuses it. " +
		"`lower-tosa` refuses none, and leaves nothing to `tosa-to-tensor` and `tosa-to-arith`.",
}, nil, func(m *pass.OpPassManager, _ *pass.None) {
	for _, p := range []*pass.Instance{DecompositionsPass.Instance(), canonicalize.Pass.Instance(), InferShapesPass.Instance(), BroadcastablePass.Instance(),
		NamedPass.Instance(), canonicalize.Pass.Instance(), FoldPass.Instance(), BroadcastablePass.Instance()} {
		m.Nest(pass.Function).AddNested(p)
	}
	m.AddNested(ValidatePass.With(func(o *ValidateOptions) { o.Profile, o.Strict = BaseInference, true }))
	m.Nest(pass.Function).AddNested(LinalgPass.Instance())
})

// linalgOptions are options that say what the pipeline does around the pass.
type linalgOptions struct{ keep, aggressive bool }

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(LinalgPass, NamedPass, TensorPass, ArithPass, ControlPass, LowerPass,
		DecompositionsPass, InferShapesPass, BroadcastablePass, FoldPass, ValidatePass, Pipeline)
}
