package linalg_test

import (
	"testing"

	"freehold/internal/golden"
)

// FuzzLowering looks for programs on which a lowering of structured operations
// panics, or that it makes invalid.
func FuzzLowering(f *testing.F) {
	golden.Fuzz(f,
		"builtin.module(linalg-generalize-named-ops)",
		"builtin.module(convert-linalg-to-loops)",
		"builtin.module(convert-linalg-to-parallel-loops)",
	)
}
