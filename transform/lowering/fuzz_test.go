package lowering_test

import (
	"testing"

	"freehold/internal/golden"
)

// FuzzLowering looks for programs on which a lowering panics, or that it makes
// invalid.
func FuzzLowering(f *testing.F) {
	golden.Fuzz(f,
		"builtin.module(lower-affine)",
		"builtin.module(func.func(lower-affine))",
		"builtin.module(convert-bufferization-to-memref)",
		"builtin.module(func.func(convert-bufferization-to-memref))",
		"builtin.module(reconcile-unrealized-casts)",
	)
}
