package convert

import (
	"freehold/dialect/bufferization"
	"freehold/ir"
	"freehold/pass"
	"freehold/transform/bufferize/oneshot"
)

// partialOptions are the options of the passes that bufferize a dialect.
type partialOptions struct{ alignment uint32 }

func (o *partialOptions) declare(d *pass.Decl) {
	d.Uint(&o.alignment, "alignment", 0, "The alignment of the buffers of constants in bytes; 0 for none")
}

// Partial bufferizes the operations of a dialect in op, and those of the dialect
// bufferization, without analysis: a buffer is copied before it is written to. Linear time.
func Partial(op *ir.Op, dialect string, alignment uint32) error {
	o := oneshot.DefaultOptions()
	o.AllowUnknownOps, o.CopyBeforeWrite = true, true
	o.UnknownType = oneshot.IdentityLayout
	o.LLVM = 16 // which has these passes
	o.Dialects = []string{dialect, "bufferization"}
	// What stands between tensors and buffers needs no copy: other passes made it.
	o.Filter = func(op *ir.Op) bool { return !op.Is(bufferization.ToMemref) }
	o.BufferAlignment = alignment
	return oneshot.Run(op, o)
}

// usualAlignment is that of buffers where there is no option for it.
const usualAlignment = 64

func partial(dialect, title, on string) pass.Typed[pass.None] {
	return pass.New(pass.Info{
		Name: dialect + "-bufferize", Title: title, On: on,
		Summary:     "Bufferize the operations of " + dialect + ", one by one",
		Description: "Replaces the operations of the dialect `" + dialect + "` on tensors by operations on buffers" + partialText,
	}, nil, pass.OnModule(func(_ *pass.Context, _ *pass.None, op *ir.Op) error { return Partial(op, dialect, usualAlignment) }))
}

const partialText = ", and leaves others as they are, between conversions from and to tensors. " +
	"Nothing is analyzed: what is written to is copied before. `one-shot-bufferize` does better; this pass is one of those that are run for one dialect after another, with " +
	"`func-bufferize`, and `finalizing-bufferize` at the end. Linear time."

// The passes.
var (
	// ArithPass is --arith-bufferize.
	ArithPass = pass.New(pass.Info{
		Name: "arith-bufferize", Title: "ArithBufferize",
		Summary:     "Bufferize the operations of arith, one by one",
		Description: "Replaces constants that are tensors by global buffers, and other operations of the dialect `arith` on tensors by operations on buffers" + partialText,
		On:          pass.Module,
	}, (*partialOptions).declare, pass.OnModule(func(_ *pass.Context, o *partialOptions, op *ir.Op) error { return Partial(op, "arith", o.alignment) }))
	// BufferizationPass is --bufferization-bufferize.
	BufferizationPass = partial("bufferization", "BufferizationBufferize", "")
	// LinalgPass is --linalg-bufferize.
	LinalgPass = partial("linalg", "LinalgBufferize", "")
	// ShapePass is --shape-bufferize.
	ShapePass = partial("shape", "ShapeBufferize", "")
	// TensorPass is --tensor-bufferize.
	TensorPass = partial("tensor", "TensorBufferize", "")
	// VectorPass is --vector-bufferize.
	VectorPass = partial("vector", "VectorBufferize", "")
	// FuncPass is --func-bufferize.
	FuncPass = pass.New(pass.Info{
		Name: "func-bufferize", Title: "FuncBufferize",
		Summary: "Bufferize functions, calls, returns and branches",
		Description: "Lets functions take and return buffers instead of tensors, with the identity layout, and branches pass them on. In the body, buffers are converted to " +
			"tensors where these are used, until other passes and `finalizing-bufferize` make that unnecessary. Linear time.",
		On: pass.Module,
	}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error { return BufferizeFunctions(op, c.Emit) }))
	// SCFPass is --scf-bufferize.
	SCFPass = pass.New(pass.Info{
		Name: "scf-bufferize", Title: "SCFBufferize",
		Summary: "Bufferize loops and conditionals of scf",
		Description: "Lets `scf.for`, `scf.while` and `scf.if` carry buffers instead of tensors, with conversions from and to tensors around and in them. " +
			"A loop may carry another buffer in each iteration. Linear time.",
	}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error { return BufferizeControlFlow(op, c.Emit) }))
	// FinalizingPass is --finalizing-bufferize.
	FinalizingPass = pass.New(pass.Info{
		Name: "finalizing-bufferize", Title: "FinalizingBufferize",
		Summary: "Remove the conversions between tensors and buffers",
		Description: "Ends the bufferization of one dialect after another: replaces `bufferization.to_tensor` and `bufferization.to_memref` by what they convert. It is an error if " +
			"another operation still has a tensor. Linear time.",
		On: pass.Function,
	}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, op *ir.Op) error { return Finalize(op, c.Emit) }))
)

// Register adds the passes.
func Register(r *pass.Registry) {
	r.Register(ArithPass, BufferizationPass, FuncPass, LinalgPass, SCFPass, ShapePass, TensorPass, VectorPass, FinalizingPass)
}
