package ownership

import (
	"freehold/ir"
	"freehold/pass"
)

// The passes of buffer deallocation.
var (
	ExpandReallocPass = &pass.Pass{
		Name: "expand-realloc", Title: "ExpandRealloc",
		Summary:     "Expand memref.realloc operations into its components",
		Description: "Replaces `memref.realloc` by an allocation and a copy where the buffer has to grow, and by a view of the old buffer where it doesn't.",
		Options: []pass.Option{
			pass.Bool("emit-deallocs", true, "Emit deallocation operations for the original MemRef"),
		},
		Division: divided(func(c *pass.Context) func(*pass.Context, *ir.Op) (bool, error) {
			x := newExpander(c.Context(), c.Bool("emit-deallocs"))
			return func(_ *pass.Context, part *ir.Op) (bool, error) { return x.convert(part) }
		}),
	}
	InsertPass = &pass.Pass{
		Name: "ownership-based-buffer-deallocation", Title: "OwnershipBasedBufferDeallocation",
		Summary: "Adds all required dealloc operations for all allocations in the input program",
		Description: `Inserts a ` + "`bufferization.dealloc`" + ` at the end of each block, with the buffers that the
block may own, values that tell whether it does, and the buffers that are needed afterwards. Ownership is
passed along with buffers as values of type i1. Functions follow an ABI: the caller keeps the ownership of
arguments and gets that of results.`,
		Options: insertOptions,
		Division: &pass.Division{
			Parts: func(c *pass.Context, op *ir.Op) ([]*ir.Op, any) {
				if !insertion(c).local() {
					return []*ir.Op{op}, nil
				}
				return isolatedIn(op), &module{tables: ir.NewSymbolTables()}
			},
			Worker: func(c *pass.Context) func(*pass.Context, *ir.Op) error {
				o := insertion(c)
				d := newDeallocation(o, ir.NewBuilder(c.Context()), nil)
				return func(c *pass.Context, part *ir.Op) error {
					if !o.local() {
						return Run(part, o, c.Threads())
					}
					d.module = c.Shared().(*module)
					for _, fn := range functionsIn(part) {
						if err := d.run(fn); err != nil {
							return err
						}
					}
					return nil
				}
			},
		},
	}
	SimplifyPass = &pass.Pass{
		Name: "buffer-deallocation-simplification", Title: "BufferDeallocationSimplification",
		Summary:     "Optimizes `bufferization.dealloc` operation for more efficient codegen",
		Description: "Drops buffers from `bufferization.dealloc` whose origins show that they are never freed there, and splits off buffers that alias no other, so that no checks are needed at run time.",
		Options: []pass.Option{
			pass.Bool(preciseAliasing, false, "Use that an allocation is none of the buffers before it, and that the caller owns what a call returns. Not for dynamic ownership.").Extension(),
		},
		Division: &pass.Division{
			Parts: func(c *pass.Context, op *ir.Op) ([]*ir.Op, any) {
				return newSimplifier(c.Context(), c.Bool(preciseAliasing)).patterns.Parts(op, simplification), nil
			},
			Worker: func(c *pass.Context) func(*pass.Context, *ir.Op) error {
				s := newSimplifier(c.Context(), c.Bool(preciseAliasing))
				return ifChanged(func(_ *pass.Context, part *ir.Op) (bool, error) { return s.simplify(part) })
			},
		},
	}
	LowerPass = &pass.Pass{
		Name: "bufferization-lower-deallocations", Title: "LowerDeallocations",
		Summary: "Lowers `bufferization.dealloc` operations to `memref.dealloc` operations",
		Description: "Replaces `bufferization.dealloc` by `memref.dealloc` under conditions. Several buffers that may be the same are compared at run time by a function that is added to the module once. " +
			"Of those that are the same it frees the first, if that one's condition holds, as MLIR does; a buffer whose first name isn't owned leaks. With `any-condition` it is freed if the condition of one of its names holds.",
		Options: []pass.Option{pass.Bool(anyCondition, false, "Free a buffer if the condition of any of its names holds, not only of the first").Extension()},
		Division: &pass.Division{
			Parts: func(c *pass.Context, op *ir.Op) ([]*ir.Op, any) {
				return isolatedIn(op), newHelper(op, c.Bool(anyCondition))
			},
			Worker: func(c *pass.Context) func(*pass.Context, *ir.Op) error {
				l := newLowerer(c.Context())
				return ifChanged(func(c *pass.Context, part *ir.Op) (bool, error) { return l.lower(part, c.Shared().(*helper)) })
			},
			Finish: func(c *pass.Context, _ *ir.Op) []*ir.Op {
				if fn := c.Shared().(*helper).add(); fn != nil {
					return []*ir.Op{fn}
				}
				return nil
			},
		},
	}
)

// divided is the division of a pass into isolated operations; worker returns what works
// on one after another and tells whether it changed it.
func divided(worker func(*pass.Context) func(*pass.Context, *ir.Op) (bool, error)) *pass.Division {
	return &pass.Division{
		Parts:  func(_ *pass.Context, op *ir.Op) ([]*ir.Op, any) { return isolatedIn(op), nil },
		Worker: func(c *pass.Context) func(*pass.Context, *ir.Op) error { return ifChanged(worker(c)) },
	}
}

// ifChanged tells the runner what run, which tells whether it changed a part, left as it
// was.
func ifChanged(run func(*pass.Context, *ir.Op) (bool, error)) func(*pass.Context, *ir.Op) error {
	return func(c *pass.Context, part *ir.Op) error {
		changed, err := run(c, part)
		if !changed {
			c.Unchanged()
		}
		return err
	}
}

// insertion returns what the options of ownership-based-buffer-deallocation say.
func insertion(c *pass.Context) Options {
	return Options{
		PrivateFunctionDynamicOwnership:  c.Bool(dynamicOwnership),
		UnstructuredControlFlow:          c.Bool(unstructured),
		ReplaceDeallocs:                  c.Bool(replaceDeallocs),
		PrivateFunctionArgumentOwnership: c.Bool(argumentOwnership),
		ExclusiveOwnership:               c.Bool(exclusiveOwnership),
	}
}

// Names of the options of ownership-based-buffer-deallocation.
const (
	anyCondition       = "any-condition"
	dynamicOwnership   = "private-function-dynamic-ownership"
	unstructured       = "unstructured-control-flow"
	replaceDeallocs    = "replace-deallocs"
	argumentOwnership  = "private-function-argument-ownership"
	exclusiveOwnership = "exclusive-ownership"
	preciseAliasing    = "precise-aliasing" // of buffer-deallocation-simplification
)

var insertOptions = []pass.Option{
	pass.Bool(dynamicOwnership, false, "Allows to add additional arguments to private functions to dynamically pass ownership of memrefs to callees. This can enable earlier deallocations."),
	pass.Bool(unstructured, false, "Accept loops in the control-flow graph, reducible or not, and terminators with any number of successors; free buffers in new blocks on the edges.").Extension(),
	pass.Bool(replaceDeallocs, false, "Accept programs with deallocations, and place them anew.").Extension(),
	pass.Bool(argumentOwnership, false, "Pass private functions, with each buffer, whether they own it, so that they free what the caller doesn't need any more.").Extension(),
	pass.Bool(exclusiveOwnership, false, "Use that a buffer that a function owns is none of its caller's, and let what it returns take the ownership, so that these need not be compared at run time.").Extension(),
}

// Pipeline is --buffer-deallocation-pipeline: all that is needed after
// bufferization.
var Pipeline = &pass.Pipeline{
	Name:        "buffer-deallocation-pipeline",
	Summary:     "The default pipeline for automatically inserting deallocation operations after one-shot bufferization. Deallocation operations (except `memref.realloc`) may not be present already.",
	Description: "Expands reallocations, inserts deallocation by ownership, simplifies and lowers it.",
	Options:     insertOptions[:1],
	Build: func(r *pass.Registry, m *pass.OpPassManager, o *pass.Options) error {
		return r.AddAll(m, []pass.Step{
			{Name: "expand-realloc", Options: "emit-deallocs=false"},
			{Name: "canonicalize"},
			{Name: "ownership-based-buffer-deallocation", Options: o.Text()},
			{Name: "canonicalize"},
			{Name: "buffer-deallocation-simplification"},
			{Name: "bufferization-lower-deallocations"},
			{Name: "cse"},
			{Name: "canonicalize"},
		})
	},
}

// CompletePipeline is --complete-buffer-deallocation-pipeline: the pipeline above
// without its limits, and with frees after the last use.
var CompletePipeline = &pass.Pipeline{
	Name:        "complete-buffer-deallocation-pipeline",
	Summary:     "Buffer deallocation for any control flow, with frees after the last use",
	Description: "Like `buffer-deallocation-pipeline`, but accepts loops in the control-flow graph, terminators with several successors and programs with deallocations, lets private functions free arguments that their callers don't need any more, and frees each buffer after its last use. This pipeline is freehold's own.",
	Build: func(r *pass.Registry, m *pass.OpPassManager, _ *pass.Options) error {
		return r.AddAll(m, []pass.Step{
			{Name: "expand-realloc", Options: "emit-deallocs=false"},
			{Name: "canonicalize"},
			{Name: "ownership-based-buffer-deallocation", Options: unstructured + " " + replaceDeallocs + " " + argumentOwnership + " " + exclusiveOwnership},
			{Name: "canonicalize"},
			{Name: "buffer-deallocation-simplification", Options: preciseAliasing},
			{Name: "free-after-last-use"},
			{Name: "bufferization-lower-deallocations", Options: anyCondition},
			{Name: "cse"},
			{Name: "canonicalize"},
		})
	},
}

// Register adds the passes and the pipelines.
func Register(r *pass.Registry) {
	r.Register(ExpandReallocPass, InsertPass, SimplifyPass, LowerPass)
	r.RegisterPipelines(Pipeline, CompletePipeline)
	r.RegisterTrials(trials()...)
}

// trials are what random programs are sent through.
func trials() []pass.Trial {
	const (
		plain    = "buffer-deallocation-pipeline"
		complete = "complete-buffer-deallocation-pipeline"
		insert   = "ownership-based-buffer-deallocation"
		lower    = "bufferization-lower-deallocations"
	)
	var out []pass.Trial
	add := func(programs string, pipelines ...string) {
		for _, p := range pipelines {
			out = append(out, pass.Trial{Pipeline: "builtin.module(" + p + ")", Programs: []string{programs}, Frees: true})
		}
	}
	add("buffers", plain, plain+"{private-function-dynamic-ownership=true}", complete, complete+","+complete,
		insert+","+lower, insert+",convert-bufferization-to-memref",
		insert+",buffer-deallocation-simplification,"+lower, insert+",free-after-last-use,"+lower)
	add("blocks", complete, complete+","+complete,
		insert+"{"+unstructured+" "+argumentOwnership+" "+dynamicOwnership+"},buffer-deallocation-simplification,free-after-last-use,"+lower)
	// What places frees anew finds some, which it may refuse to remove.
	again := insert + "{" + unstructured + "}," + complete
	out = append(out, pass.Trial{Pipeline: "builtin.module(" + again + ")", Programs: []string{"buffers", "blocks"}, Frees: true, MayReject: true})
	rare := func(pipelines ...string) {
		for _, p := range pipelines {
			out = append(out, pass.Trial{Pipeline: "builtin.module(" + p + ")", Programs: []string{"rare"}, MayReject: true})
		}
	}
	rare(again, plain+"{private-function-dynamic-ownership=true}", complete, insert+","+lower, insert+"{"+argumentOwnership+"}")
	const boundary = "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops "
	for _, options := range []string{
		"function-boundary-type-conversion=identity-layout-map",
		"function-boundary-type-conversion=fully-dynamic-layout-map",
		"analysis-heuristic=top-down",
		"analysis-heuristic=bottom-up-from-terminators",
		"analysis-heuristic=fuzzer analysis-fuzzer-seed=7",
		"copy-before-write",
		"test-analysis-only",
	} {
		if options != "test-analysis-only" { // Ownership knows scf.execute_region only inlined.
			add("tensors", boundary+options+"},canonicalize,"+plain, boundary+options+"},canonicalize,"+complete)
		}
		out = append(out, pass.Trial{Pipeline: "builtin.module(" + boundary + options + "})", Programs: []string{"limits", "rare"}, MayReject: true})
	}
	return out
}
