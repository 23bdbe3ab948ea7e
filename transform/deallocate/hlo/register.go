package hlo

import (
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/pass"
)

// The passes of MLIR-HLO's deallocation.
var (
	SplitPass = pass.New(pass.Info{
		Name: "hlo-split-alloc-tensors", On: pass.Function, Needs: attached,
		Summary:     "Give each use of a bufferization.alloc_tensor an allocation of its own",
		Description: "Copies each `bufferization.alloc_tensor` to before each of its uses, so that bufferization doesn't use one buffer for several things.",
	}, nil, inTurn(splitAllocTensors))
	DeallocatePass = pass.New(pass.Info{
		Name: "hlo-deallocate", On: pass.Module, Needs: attached,
		Summary:     "Hand owners along with buffers, and free what a block owns at its end",
		Description: "Inserts `deallocation.own` after each allocation, hands owners through loops, branches and calls beside the buffers, and makes each block end with the `deallocation.retain` of what it owns. Functions return an owner for each buffer that they return: null for what is their caller's.",
	}, (*DeallocateOptions).declare, pass.OnModule(func(_ *pass.Context, o *DeallocateOptions, op *ir.Op) error { return Deallocate(op, *o) }))
	SimplifyPass = pass.New(pass.Info{
		Name: "hlo-deallocation-simplification", On: pass.Function, Needs: attached,
		Summary:     "Drop owners that are known to be null, and free by name what is known to be owned",
		Description: "Replaces `deallocation.retain` by null, by `memref.dealloc` or by its owner where it is known which owners are null, and which buffer they own.",
	}, nil, inTurn(simplify))
	ReusePass = pass.New(pass.Info{
		Name: "hlo-buffer-reuse", On: pass.Function, Needs: attached,
		Summary:     "Allocate less: elide copies, reuse buffers, hoist and swap them around loops, use the stack",
		Description: "Works on programs with owners, as `hlo-deallocate` and `hlo-deallocation-simplification` leave them, and on buffers of static shapes: computes in the target of a copy whose source is freed; then, until nothing changes, lets an allocation use the buffer that was freed before it, moves allocations out of loops and branches, lets loops swap buffers between iterations, and frees the operands of loops instead of their results; and then uses the stack for small buffers.",
	}, declareReuse, pass.OnFunctions(func(c *ir.Context, o *ReuseOptions) pass.Functions[pass.None] {
		none := rewrite.NewPatternSet(c, nil)
		return pass.Functions[pass.None]{Worker: func(a *ir.Arena) func(*pass.Context, pass.None, *ir.Op) error {
			r := &reuser{ReuseOptions: o, b: ir.NewBuilderIn(c, a), cleanUp: rewrite.NewWorker(c, none, rewrite.Config{Simplify: rewrite.SimplifyNormal, Arena: a})}
			return func(_ *pass.Context, _ pass.None, fn *ir.Op) error {
				r.run(fn)
				return nil
			}
		}}
	}))
	ToSCFPass = pass.New(pass.Info{
		Name: "hlo-deallocation-to-scf", On: pass.Function, Needs: attached,
		Summary:     "Lower each retain of one buffer or one owner to comparisons",
		Description: "Replaces each `deallocation.retain` of one buffer, or of one owner, by `scf.if` operations that compare addresses. The others stay: their code would be as large as the product of the two numbers.",
	}, nil, pass.OnFunctions(func(c *ir.Context, _ *pass.None) pass.Functions[pass.None] {
		patterns := rewrite.NewPatternSet(c, toSCF)
		return pass.Functions[pass.None]{
			Parts: func(op *ir.Op) []*ir.Op { return patterns.Parts(op, rewrite.Config{}) },
			Worker: func(a *ir.Arena) func(*pass.Context, pass.None, *ir.Op) error {
				w := rewrite.NewWorker(c, patterns, rewrite.Config{Arena: a})
				return func(c *pass.Context, _ pass.None, part *ir.Op) error {
					if changed, _ := w.Apply(part); !changed {
						c.Unchanged()
					}
					return nil
				}
			},
		}
	}))
	AnnotatePass = pass.New(pass.Info{
		Name: "hlo-deallocation-annotation", On: pass.Module, Needs: attached,
		Summary:     "Write down which memory may back each value",
		Description: "Adds the attributes `deallocation.result_backing_memory` and `deallocation.region_args_backing_memory`: the names of the arguments and allocations whose memory may back each result, and each argument of a region.",
	}, nil, pass.OnModule(func(_ *pass.Context, _ *pass.None, op *ir.Op) error {
		Annotate(op)
		return nil
	}))
	XLAPass = pass.New(pass.Info{
		Name: "hlo-xla-buffer-arg-rewrite", On: pass.Function,
		Summary:     "Mark arguments that are results as restrict",
		Description: "Marks those arguments of functions with `xla_framework.result_mapping` as `deallocation.restrict` that are results, and whose buffer is no input's.",
	}, nil, pass.OnModule(func(_ *pass.Context, _ *pass.None, op *ir.Op) error { return RewriteXLABufferArgs(op) }))
	ToLLVMPass = toLLVM("hlo-convert-deallocation-ops-to-llvm")
	// ToLLVMAlias is the same by the name that the document uses.
	ToLLVMAlias = toLLVM("convert-deallocation-ops-to-llvm")
)

// toLLVM returns the pass that lowers the dialect to LLVM's.
func toLLVM(name string) pass.Typed[pass.None] {
	return pass.New(pass.Info{
		Name:        name,
		Summary:     "Lower owners to pointers, and what is left of retain to calls of a library",
		Description: "Makes pointers of owners, calls of `@free`, and calls of `@retainBuffers` with arrays of pointers on the stack. The functions are declared in the module.",
	}, nil, pass.OnModule(func(_ *pass.Context, _ *pass.None, op *ir.Op) error { return ToLLVM(op) }))
}

// inTurn is the body of a pass whose transformation works on one function after another,
// and tells whether it changed it.
func inTurn(run func(b *ir.Builder, fn *ir.Op) bool) pass.Body[pass.None] {
	return pass.OnFunctions(func(c *ir.Context, _ *pass.None) pass.Functions[pass.None] {
		return pass.Functions[pass.None]{Worker: func(a *ir.Arena) func(*pass.Context, pass.None, *ir.Op) error {
			b := ir.NewBuilderIn(c, a)
			return func(c *pass.Context, _ pass.None, fn *ir.Op) error {
				if !run(b, fn) {
					c.Unchanged()
				}
				return nil
			}
		}}
	})
}

// declare declares the options of hlo-deallocate.
func (o *DeallocateOptions) declare(d *pass.Decl) {
	d.Bool(&o.ReplaceDeallocs, "replace-deallocs", false, "Accept programs that free buffers where no owner can be handed to, such as in a scf.if without else, and place what they free anew").Extension()
}

// pipelineOptions are those of the passes that the pipeline is made of.
type pipelineOptions struct {
	DeallocateOptions
	ReuseOptions
}

func (o *pipelineOptions) declare(d *pass.Decl) {
	o.DeallocateOptions.declare(d)
	declareReuse(&o.ReuseOptions, d)
}

// declareReuse declares the options of hlo-buffer-reuse.
func declareReuse(o *ReuseOptions, d *pass.Decl) {
	d.Bool(&o.CopyElision, "copy-elision", true, "Compute in the target of a copy whose source is freed").Extension()
	d.Bool(&o.Reuse, "reuse", true, "Let allocations use buffers that were freed before").Extension()
	d.Bool(&o.Hoisting, "hoisting", true, "Move allocations around operations with regions").Extension()
	d.Bool(&o.DoubleBuffering, "double-buffering", true, "Let loops hand freed buffers to their next iteration").Extension()
	d.Bool(&o.DoubleBufferingBefore, "double-buffering-before", true, "Do that also for the first region of scf.while").Extension()
	d.Bool(&o.LoopSimplification, "loop-simplification", true, "Free the operands of loops that only permute them, instead of the results").Extension()
	d.Bool(&o.Promotion, "promotion", true, "Use the stack for buffers of up to 4096 elements a block").Extension()
	d.Counter(&o.Copies, "copies-elided", "Number of copies elided")
	d.Counter(&o.Reused, "buffers-reused", "Number of allocations that use a buffer freed before")
	d.Counter(&o.Hoisted, "buffers-hoisted", "Number of allocations moved around an operation")
	d.Counter(&o.Swapped, "buffers-swapped", "Number of allocations replaced by double buffering")
	d.Counter(&o.LoopDeallocs, "loop-deallocs", "Number of deallocations of loop results that became those of operands")
	d.Counter(&o.Promoted, "buffers-promoted", "Number of allocations moved to the stack")
	d.Counter(&o.Dropped, "buffers-dropped", "Number of allocations that were freed at once")
}

// Pipeline is --hlo-deallocation-pipeline: the passes that the document recommends after
// bufferization.
var Pipeline = pass.NewPipeline(pass.Info{
	Name:        "hlo-deallocation-pipeline",
	Summary:     "MLIR-HLO's deallocation and reuse of buffers",
	Description: "Inserts owners, simplifies, reuses buffers, and lowers what is left of the owners to comparisons.",
}, (*pipelineOptions).declare, func(m *pass.OpPassManager, o *pipelineOptions) {
	m.AddNested(DeallocatePass.With(func(d *DeallocateOptions) { *d = o.DeallocateOptions }))
	m.AddNested(SimplifyPass.Instance())
	m.AddNested(ReusePass.With(func(r *ReuseOptions) { r.choose(&o.ReuseOptions) }))
	m.AddNested(SimplifyPass.Instance())
	m.AddNested(ToSCFPass.Instance())
})

// Register adds the passes and the pipeline.
func Register(r *pass.Registry) {
	r.Register(SplitPass, DeallocatePass, SimplifyPass, ReusePass, ToSCFPass, AnnotatePass, XLAPass, ToLLVMPass, ToLLVMAlias, Pipeline)
}
