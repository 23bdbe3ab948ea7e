package oneshot

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
	_, err = insertCopies(module, p, newTyper(module.Context(), o, p))
	return err
}

// TestCopiesPass is --test-tensor-copy-insertion.
var TestCopiesPass = pass.New(pass.Info{
	Name: "test-tensor-copy-insertion", Title: "(anonymous namespace)::TestTensorCopyInsertionPass",
	Summary:     "Show the copies that bufferization would make, as operations on tensors (for tests)",
	Description: "Inserts a `bufferization.alloc_tensor` with a `copy` wherever `one-shot-bufferize` would copy a buffer, and leaves the rest of the program as it is.",
	On:          pass.Module,
}, (*Options).declareShared, pass.OnModule(func(_ *pass.Context, o *Options, op *ir.Op) error { return InsertCopies(op, o) }))
