package bufferize_test

import (
	"testing"

	"freehold/internal/golden"
)

// FuzzOneShotBufferize looks for programs on which bufferization panics, or that it
// makes invalid.
func FuzzOneShotBufferize(f *testing.F) {
	golden.Fuzz(f,
		"builtin.module(one-shot-bufferize)",
		"builtin.module(one-shot-bufferize{allow-unknown-ops})",
		"builtin.module(one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops})",
		"builtin.module(one-shot-bufferize{bufferize-function-boundaries copy-before-write allow-return-allocs-from-loops})",
		"builtin.module(one-shot-bufferize{bufferize-function-boundaries test-analysis-only print-conflicts dump-alias-sets})",
		"builtin.module(eliminate-empty-tensors,empty-tensor-to-alloc-tensor)",
		"builtin.module(test-tensor-copy-insertion)",
	)
}
