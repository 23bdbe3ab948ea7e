package licm_test

import (
	"testing"

	"freehold/internal/golden"
)

// FuzzHoisting looks for programs on which hoisting from loops panics, or that it
// makes invalid.
func FuzzHoisting(f *testing.F) {
	golden.Fuzz(f, "builtin.module(loop-invariant-code-motion)", "builtin.module(loop-invariant-subset-hoisting)")
}
