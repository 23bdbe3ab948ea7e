package memref_test

import (
	"testing"

	"freehold/internal/golden"
)

// FuzzViews looks for programs on which the expansion of views panics, or that it
// makes invalid.
func FuzzViews(f *testing.F) {
	golden.Fuzz(f, "builtin.module(expand-strided-metadata)")
}
