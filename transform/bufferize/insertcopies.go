package bufferize

import (
	"freehold/ir"
	"freehold/pass"
)

// InsertCopies analyzes a module as [Run] does and makes the copies that the
// decisions demand explicit, on tensors.
func InsertCopies(module *ir.Op, o *Options) error {
	p, err := Analyze(module, o)
	if err != nil {
		return err
	}
	return insertCopies(module, p, newTyper(module.Context(), o, p))
}

// TestCopiesPass is --test-tensor-copy-insertion.
var TestCopiesPass = &pass.Pass{
	Name: "test-tensor-copy-insertion", Title: "(anonymous namespace)::TestTensorCopyInsertionPass",
	Summary:     "Module pass to test Tensor Copy Insertion",
	Description: "Shows, as operations on tensors, the copies that One-Shot Bufferize would make.",
	On:          "builtin.module",
	Options: []pass.Option{
		pass.Bool("allow-return-allocs-from-loops", false, "Allows returning/yielding new allocations from a loop."),
		pass.Bool("bufferize-function-boundaries", false, "Bufferize function boundaries."),
		pass.Bool("must-infer-memory-space", false, "The memory space of an memref types must always be inferred. If unset, a default memory space of 0 is used otherwise."),
	},
	Run: func(c *pass.Context, op *ir.Op) error {
		o := DefaultOptions()
		o.AllowReturnAllocsFromLoops = c.Bool("allow-return-allocs-from-loops")
		o.BufferizeFunctionBoundaries = c.Bool("bufferize-function-boundaries")
		o.MustInferMemorySpace = c.Bool("must-infer-memory-space")
		return InsertCopies(op, o)
	},
}
