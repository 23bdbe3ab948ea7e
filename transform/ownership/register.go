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
		Run: func(c *pass.Context, op *ir.Op) error { return ExpandRealloc(op, c.Bool("emit-deallocs")) },
	}
	InsertPass = &pass.Pass{
		Name: "ownership-based-buffer-deallocation", Title: "OwnershipBasedBufferDeallocation",
		Summary: "Adds all required dealloc operations for all allocations in the input program",
		Description: `Inserts a ` + "`bufferization.dealloc`" + ` at the end of each block, with the buffers that the
block may own, values that tell whether it does, and the buffers that are needed afterwards. Ownership is
passed along with buffers as values of type i1. Functions follow an ABI: the caller keeps the ownership of
arguments and gets that of results.`,
		Options: []pass.Option{
			pass.Bool("private-function-dynamic-ownership", false, "Allows to add additional arguments to private functions to dynamically pass ownership of memrefs to callees. This can enable earlier deallocations."),
		},
		Run: func(c *pass.Context, op *ir.Op) error {
			return RunAll(op, Options{PrivateFunctionDynamicOwnership: c.Bool("private-function-dynamic-ownership")}, c.Threads())
		},
	}
	SimplifyPass = &pass.Pass{
		Name: "buffer-deallocation-simplification", Title: "BufferDeallocationSimplification",
		Summary:     "Optimizes `bufferization.dealloc` operation for more efficient codegen",
		Description: "Drops buffers from `bufferization.dealloc` whose origins show that they are never freed there, and splits off buffers that alias no other, so that no checks are needed at run time.",
		Run:         func(c *pass.Context, op *ir.Op) error { return Simplify(op, c.Threads()) },
	}
	LowerPass = &pass.Pass{
		Name: "bufferization-lower-deallocations", Title: "LowerDeallocations",
		Summary:     "Lowers `bufferization.dealloc` operations to `memref.dealloc` operations",
		Description: "Replaces `bufferization.dealloc` by `memref.dealloc` under conditions. Several buffers that may be the same are compared at run time by a function that is added to the module once.",
		Run:         func(c *pass.Context, op *ir.Op) error { return Lower(op, c.Threads()) },
	}
)

// Pipeline is --buffer-deallocation-pipeline: all that is needed after
// bufferization.
var Pipeline = &pass.Pipeline{
	Name:        "buffer-deallocation-pipeline",
	Summary:     "The default pipeline for automatically inserting deallocation operations after one-shot bufferization. Deallocation operations (except `memref.realloc`) may not be present already.",
	Description: "Expands reallocations, inserts deallocation by ownership, simplifies and lowers it.",
	Options: []pass.Option{
		pass.Bool("private-function-dynamic-ownership", false, "Allows to add additional arguments to private functions to dynamically pass ownership of memrefs to callees. This can enable earlier deallocations."),
	},
	Build: func(r *pass.Registry, m *pass.OpPassManager, o *pass.Options) error {
		dynamic := "false"
		if o.Bool("private-function-dynamic-ownership") {
			dynamic = "true"
		}
		for _, p := range [][2]string{
			{"expand-realloc", "emit-deallocs=false"},
			{"canonicalize", ""},
			{"ownership-based-buffer-deallocation", "private-function-dynamic-ownership=" + dynamic},
			{"canonicalize", ""},
			{"buffer-deallocation-simplification", ""},
			{"bufferization-lower-deallocations", ""},
			{"cse", ""},
			{"canonicalize", ""},
		} {
			if err := r.Add(m, p[0], p[1]); err != nil {
				return err
			}
		}
		return nil
	},
}

// Register adds the passes and the pipeline buffer-deallocation-pipeline.
func Register(r *pass.Registry) {
	r.Register(ExpandReallocPass, InsertPass, SimplifyPass, LowerPass)
	r.RegisterPipelines(Pipeline)
}
