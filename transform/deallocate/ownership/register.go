package ownership

import (
	"freehold/ir"
	"freehold/pass"
	"freehold/transform/generic/canonicalize"
	"freehold/transform/generic/cse"
	"freehold/transform/memory/reuse"
)

// The passes of buffer deallocation.
var (
	ExpandReallocPass = pass.New(pass.Info{
		Name: "expand-realloc", Title: "ExpandRealloc",
		Summary:     "Spell out memref.realloc as a comparison, an allocation and a copy",
		Description: "Replaces `memref.realloc` by an allocation and a copy where the buffer has to grow, and by a view of the old buffer where it doesn't. What frees the result frees the whole buffer then, by its base. Run it before deallocation is inserted, which knows no `memref.realloc`. Linear time.",
	}, (*reallocOptions).declare, onFunctions(func(c *ir.Context, a *ir.Arena, o *reallocOptions) func(*ir.Op) (bool, error) {
		return newExpander(c, a, o).function
	}))
	InsertPass = pass.New(pass.Info{
		Name: "ownership-based-buffer-deallocation", Title: "OwnershipBasedBufferDeallocation",
		Summary: "Free everything that the program allocates",
		Description: `Inserts a ` + "`bufferization.dealloc`" + ` at the end of each block, with the buffers that the
block may own, values that tell whether it does, and the buffers that are needed afterwards. Ownership is
passed along with buffers as values of type i1. Functions follow an ABI: the caller keeps the ownership of
arguments and gets that of results. Run it after bufferization, and then ` + "`buffer-deallocation-simplification`" + ` and
` + "`bufferization-lower-deallocations`" + `, or the pipelines that have all three. A deallocation lists all buffers that are live in
its block.`,
	}, (*Options).Declare, pass.OnFunctions(insertion))
	SimplifyPass = pass.New(pass.Info{
		Name: "buffer-deallocation-simplification", Title: "BufferDeallocationSimplification",
		Summary:     "Decide now what deallocations would have to find out at run time",
		Description: "Drops buffers from `bufferization.dealloc` whose origins show that they are never freed there, and splits off buffers that alias no other, so that no checks are needed at run time. Without this pass the program is right, but larger and slower. It takes time in the product of the numbers of buffers and of retained buffers of a deallocation.",
	}, (*simplifyOptions).declare, pass.OnFunctions(func(c *ir.Context, o *simplifyOptions) pass.Functions[pass.None] {
		if o.precise {
			return whole(simplifyPrecisely)
		}
		f := inTurn(func(a *ir.Arena) func(*ir.Op) (bool, error) { return newSimplifier(c, a, false).simplify })
		f.Parts = func(op *ir.Op) []*ir.Op { return newSimplifier(c, nil, false).patterns.Parts(op, simplification) }
		return f
	}))
	LowerPass = pass.New(pass.Info{
		Name: "bufferization-lower-deallocations", Title: "LowerDeallocations",
		Summary: "Turn bufferization.dealloc into memref.dealloc under conditions",
		Description: "Replaces `bufferization.dealloc` by `memref.dealloc` under conditions. Several buffers that may be the same are compared at run time by a function that is added to the module once. " +
			"Of those that are the same it frees the first, if that one's condition holds, as MLIR does; a buffer whose first name isn't owned leaks. With `any-condition` it is freed if the condition of one of its names holds.",
	}, (*lowerOptions).declare, pass.OnFunctions(func(c *ir.Context, o *lowerOptions) pass.Functions[*helper] {
		return pass.Functions[*helper]{
			Begin: func(_ *pass.Context, op *ir.Op) *helper { return newHelper(op, o.anyCondition) },
			Worker: func(a *ir.Arena) func(*pass.Context, *helper, *ir.Op) error {
				l := newLowerer(c, a)
				return func(c *pass.Context, h *helper, part *ir.Op) error {
					changed, err := l.lower(part, h)
					if !changed {
						c.Unchanged()
					}
					return err
				}
			},
			End: func(_ *pass.Context, h *helper, _ *ir.Op) []*ir.Op {
				if fn := h.add(); fn != nil {
					return []*ir.Op{fn}
				}
				return nil
			},
		}
	}))
	RaisePass = pass.New(pass.Info{
		Name: "raise-deallocations", Title: "RaiseDeallocations",
		Summary: "Make bufferization.dealloc of calls of the function that it was lowered to",
		Description: `Replaces the calls of functions that ` + "`bufferization-lower-deallocations`" + ` adds, and what stores addresses and conditions for them and frees what they say, by
` + "`bufferization.dealloc`" + `, so that deallocation can be inserted again: an address that is stored would seem to be kept. Calls with which something else is done are left. It takes time in the size of the program.`,
		On: pass.Module,
	}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, module *ir.Op) error {
		if !RaiseDeallocs(module) {
			c.Unchanged()
		}
		return nil
	}))
	ConditionsPass = pass.New(pass.Info{
		Name: "fold-passed-conditions", Title: "FoldPassedConditions",
		Summary: "Pass no truth values that are constant, there twice, or needed by nothing",
		Description: `Leaves out truth values that blocks, regions and private functions are passed and that are the same constant on all ways, always those of another one beside them, or needed by nothing but
the next that gets them, also where they go round in loops, or that follow where they are used from the conditions of the choices around, and canonicalizes the functions that this changes. Who owns a buffer is such a value: what a program has passed on to free its buffers
is there twice, or for nothing, once deallocation is inserted again. It takes time in the size of the program, times a logarithm, apart from the canonicalization.`,
		On: pass.Module,
	}, nil, pass.OnModule(func(c *pass.Context, _ *pass.None, module *ir.Op) error {
		if !FoldPassedConditions(module) {
			c.Unchanged()
		}
		return nil
	}))
)

// reallocOptions are the options of expand-realloc.
type reallocOptions struct{ emitDeallocs, foldSizes, copyArguments bool }

func (o *reallocOptions) declare(d *pass.Decl) {
	d.Bool(&o.emitDeallocs, "emit-deallocs", true, "Free the old buffer after the copy; if not, a later pass has to")
	d.Bool(&o.foldSizes, "fold-sizes", false, "Compare constant sizes now, so that it is known which buffer the result is").Extension()
	d.Bool(&o.copyArguments, "copy-arguments", false, "Copy arguments of functions also where they don't grow, so that the result is always a new buffer: they belong to callers, who may not use them any more").Extension()
}

// Declare declares the options of ownership-based-buffer-deallocation.
func (o *Options) Declare(d *pass.Decl) {
	o.declareUpstream(d)
	d.Bool(&o.UnstructuredControlFlow, "unstructured-control-flow", false, "Accept loops in the control-flow graph, reducible or not, and terminators with any number of successors; free buffers in new blocks on the edges.").Extension()
	d.Bool(&o.ReplaceDeallocs, "replace-deallocs", false, "Accept programs with deallocations, and place them anew.").Extension()
	d.Bool(&o.PrivateFunctionArgumentOwnership, "private-function-argument-ownership", false, "Pass private functions, with each buffer that some call gives them, whether they own it, so that they free what the caller doesn't need any more.").Extension()
	d.Bool(&o.LoopArgumentOwnership, "loop-argument-ownership", false, "Let loops own the buffers that they start from, if nothing else needs these any more, so that they free them like those of later iterations.").Extension()
	d.Bool(&o.BranchOwnership, "branch-ownership", false, "Let each branch of control flow own the buffers that it may pass on, if nothing else needs these any more, so that it frees them if it doesn't.").Extension()
	d.Bool(&o.UndeclaredEffects, "undeclared-effects", false, "Accept operations of which mlir-opt doesn't know what they do with memory, but which allocate and free nothing, such as memref.dma_start.").Extension()
	d.Bool(&o.ExclusiveOwnership, "exclusive-ownership", false, "Use that a buffer that a function owns is none of its caller's, and let what it returns take the ownership, so that these need not be compared at run time.").Extension()
}

// declareUpstream declares what mlir-opt has, too.
func (o *Options) declareUpstream(d *pass.Decl) {
	d.Bool(&o.PrivateFunctionDynamicOwnership, "private-function-dynamic-ownership", false, "Let private functions return, with each buffer, whether the caller has to free it, so that they needn't copy what they don't own")
}

// simplifyOptions are the options of buffer-deallocation-simplification.
type simplifyOptions struct{ precise bool }

func (o *simplifyOptions) declare(d *pass.Decl) {
	d.Bool(&o.precise, "precise-aliasing", false, "Use that an allocation is none of the buffers before it, that the caller owns what a call returns, and what is certain of ownership that loops carry. Not for dynamic ownership.").Extension()
}

// lowerOptions are the options of bufferization-lower-deallocations.
type lowerOptions struct{ anyCondition bool }

func (o *lowerOptions) declare(d *pass.Decl) {
	d.Bool(&o.anyCondition, "any-condition", false, "Free a buffer if the condition of any of its names holds, not only of the first").Extension()
}

// onFunctions is the body of a pass on functions; start returns what works on one after
// another, and tells whether it changed it.
func onFunctions[O any](start func(*ir.Context, *ir.Arena, *O) func(*ir.Op) (bool, error)) pass.Body[O] {
	return pass.OnFunctions(func(c *ir.Context, o *O) pass.Functions[pass.None] {
		return inTurn(func(a *ir.Arena) func(*ir.Op) (bool, error) { return start(c, a, o) })
	})
}

// whole is how a pass is run that looks at all functions of the operation around them.
func whole(run func(op *ir.Op, threads int) (changed bool, err error)) pass.Functions[pass.None] {
	return pass.Functions[pass.None]{
		Parts: func(op *ir.Op) []*ir.Op { return []*ir.Op{op} },
		Worker: func(*ir.Arena) func(*pass.Context, pass.None, *ir.Op) error {
			return func(c *pass.Context, _ pass.None, op *ir.Op) error {
				changed, err := run(op, c.Threads())
				if !changed {
					c.Unchanged()
				}
				return err
			}
		},
	}
}

func inTurn(worker func(*ir.Arena) func(*ir.Op) (bool, error)) pass.Functions[pass.None] {
	return pass.Functions[pass.None]{Worker: func(a *ir.Arena) func(*pass.Context, pass.None, *ir.Op) error {
		run := worker(a)
		return func(c *pass.Context, _ pass.None, fn *ir.Op) error {
			changed, err := run(fn)
			if !changed {
				c.Unchanged()
			}
			return err
		}
	}}
}

// insertion is how deallocation is inserted into functions.
func insertion(c *ir.Context, o *Options) pass.Functions[*module] {
	if !o.local() {
		return pass.Functions[*module]{
			Parts: func(op *ir.Op) []*ir.Op { return []*ir.Op{op} },
			Worker: func(*ir.Arena) func(*pass.Context, *module, *ir.Op) error {
				return func(c *pass.Context, _ *module, op *ir.Op) error {
					mine := *o
					mine.LLVM = max(o.LLVM, uint32(c.LLVM()))
					return Run(op, mine, c.Threads())
				}
			},
		}
	}
	return pass.Functions[*module]{
		Begin: func(*pass.Context, *ir.Op) *module { return &module{tables: ir.NewSymbolTables()} },
		Worker: func(a *ir.Arena) func(*pass.Context, *module, *ir.Op) error {
			d := newDeallocation(*o, ir.NewBuilderIn(c, a), nil)
			return func(c *pass.Context, m *module, part *ir.Op) error {
				d.module = m
				d.opts.LLVM = max(o.LLVM, uint32(c.LLVM()))
				for _, fn := range functionsIn(part) {
					if err := d.run(fn); err != nil {
						return err
					}
				}
				return nil
			}
		},
	}
}

// Pipeline is --buffer-deallocation-pipeline: all that is needed after
// bufferization.
var Pipeline = pass.NewPipeline(pass.Info{
	Name:        "buffer-deallocation-pipeline",
	Summary:     "Free all buffers after bufferization, in the way of mlir-opt",
	Description: "Expands reallocations, inserts deallocation by ownership, simplifies and lowers it. The program may not free buffers itself, but for `memref.realloc`, and its control flow must be structured or free of loops. See `complete-buffer-deallocation-pipeline` for other programs.",
}, (*Options).declareUpstream, func(m *pass.OpPassManager, o *Options) {
	m.AddNested(
		ExpandReallocPass.With(func(o *reallocOptions) { o.emitDeallocs = false }),
		canonicalize.Pass.Instance(),
		InsertPass.With(func(p *Options) { *p = *o }),
		canonicalize.Pass.Instance(),
		SimplifyPass.Instance(),
		LowerPass.Instance(),
		cse.Pass.Instance(),
		canonicalize.Pass.Instance(),
	)
})

// CompletePipeline is --complete-buffer-deallocation-pipeline: the pipeline above
// without its limits, and with frees after the last use.
var CompletePipeline = pass.NewPipeline(pass.Info{
	Name:        "complete-buffer-deallocation-pipeline",
	Summary:     "Free all buffers, each after its last use, whatever the control flow",
	Description: "Like `buffer-deallocation-pipeline`, but accepts loops in the control-flow graph, terminators with several successors and programs with deallocations, lets private functions, loops and branches free what they are given and their callers don't need any more, and frees each buffer after its last use. This pipeline is freehold's own.",
}, nil, func(m *pass.OpPassManager, _ *pass.None) {
	m.AddNested(
		ExpandReallocPass.With(func(o *reallocOptions) { o.emitDeallocs = false }),
		canonicalize.Pass.Instance(),
		InsertPass.With(func(o *Options) {
			o.UnstructuredControlFlow, o.ReplaceDeallocs = true, true
			o.PrivateFunctionArgumentOwnership, o.LoopArgumentOwnership, o.BranchOwnership, o.ExclusiveOwnership, o.UndeclaredEffects = true, true, true, true, true
		}),
		canonicalize.Pass.Instance(),
		SimplifyPass.With(func(o *simplifyOptions) { o.precise = true }),
		reuse.LastUsePass.Instance(),
		LowerPass.With(func(o *lowerOptions) { o.anyCondition = true }),
		cse.Pass.Instance(),
		canonicalize.Pass.Instance(),
	)
})

// Register adds the passes and the pipelines.
func Register(r *pass.Registry) {
	r.Register(ExpandReallocPass, InsertPass, SimplifyPass, LowerPass, RaisePass, ConditionsPass, Pipeline, CompletePipeline)
}
