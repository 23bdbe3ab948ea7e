package ownership_test

import (
	"testing"

	"freehold/internal/golden"
)

// FuzzDeallocation looks for programs on which deallocation panics, or that it
// makes invalid.
func FuzzDeallocation(f *testing.F) {
	golden.Fuzz(f,
		"builtin.module(expand-realloc,ownership-based-buffer-deallocation)",
		"builtin.module(ownership-based-buffer-deallocation{private-function-dynamic-ownership=true},buffer-deallocation-simplification,bufferization-lower-deallocations)",
		"builtin.module(buffer-deallocation-simplification)",
		"builtin.module(bufferization-lower-deallocations)",
		"builtin.module(buffer-deallocation-pipeline)",
	)
}
