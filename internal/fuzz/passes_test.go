package fuzz_test

import (
	"testing"

	"freehold/internal/fuzz"
)

// FuzzOneShotBufferize looks for programs on which bufferization panics, or that it
// makes invalid.
func FuzzOneShotBufferize(f *testing.F) {
	fuzz.Pipelines(f, "../../transform/bufferize/testdata/script/*.txtar",
		"builtin.module(one-shot-bufferize)",
		"builtin.module(one-shot-bufferize{allow-unknown-ops})",
		"builtin.module(one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops})",
		"builtin.module(one-shot-bufferize{bufferize-function-boundaries copy-before-write allow-return-allocs-from-loops})",
		"builtin.module(one-shot-bufferize{bufferize-function-boundaries test-analysis-only print-conflicts dump-alias-sets})",
		"builtin.module(eliminate-empty-tensors,empty-tensor-to-alloc-tensor)",
		"builtin.module(test-tensor-copy-insertion)",
	)
}

// FuzzHoisting looks for programs on which hoisting from loops panics, or that it
// makes invalid.
func FuzzHoisting(f *testing.F) {
	fuzz.Pipelines(f, "../../transform/licm/testdata/script/*.txtar", "builtin.module(loop-invariant-code-motion)", "builtin.module(loop-invariant-subset-hoisting)")
}

// FuzzPlacement looks for programs on which the placement of allocations panics, or that it makes
// invalid.
func FuzzPlacement(f *testing.F) {
	fuzz.Pipelines(f, "../../transform/placement/testdata/script/*.txtar",
		"builtin.module(func.func(buffer-hoisting))",
		"builtin.module(func.func(buffer-loop-hoisting))",
		"builtin.module(func.func(promote-buffers-to-stack))",
	)
}

// FuzzCloning looks for programs on which deallocation with copies panics, or that it makes
// invalid.
func FuzzCloning(f *testing.F) {
	fuzz.Pipelines(f, "../../transform/cloning/testdata/script/*.txtar",
		"builtin.module(func.func(buffer-deallocation,buffer-deallocation))",
		"builtin.module(func.func(buffer-deallocation{function-boundaries}))",
		"builtin.module(func.func(buffer-hoisting,buffer-deallocation))",
	)
}

// FuzzStructuredLowering looks for programs on which a lowering of structured operations
// panics, or that it makes invalid.
func FuzzStructuredLowering(f *testing.F) {
	fuzz.Pipelines(f, "../../transform/linalg/testdata/script/*.txtar",
		"builtin.module(linalg-generalize-named-ops)",
		"builtin.module(convert-linalg-to-loops)",
		"builtin.module(convert-linalg-to-parallel-loops)",
	)
}

// FuzzLowering looks for programs on which a lowering panics, or that it makes
// invalid.
func FuzzLowering(f *testing.F) {
	fuzz.Pipelines(f, "../../transform/lowering/testdata/script/*.txtar",
		"builtin.module(lower-affine)",
		"builtin.module(func.func(lower-affine))",
		"builtin.module(arith-expand{include-bf16},memref-expand)",
		"builtin.module(convert-bufferization-to-memref)",
		"builtin.module(func.func(convert-bufferization-to-memref))",
		"builtin.module(reconcile-unrealized-casts)",
	)
}

// FuzzViews looks for programs on which the expansion of views panics, or that it
// makes invalid.
func FuzzViews(f *testing.F) {
	fuzz.Pipelines(f, "../../transform/memref/testdata/script/*.txtar", "builtin.module(expand-strided-metadata)", "builtin.module(fold-memref-alias-ops)",
		"builtin.module(resolve-ranked-shaped-type-result-dims)")
}

// FuzzDeallocation looks for programs on which deallocation panics, or that it
// makes invalid.
func FuzzDeallocation(f *testing.F) {
	fuzz.Pipelines(f, "../../transform/ownership/testdata/script/*.txtar",
		"builtin.module(expand-realloc,ownership-based-buffer-deallocation)",
		"builtin.module(ownership-based-buffer-deallocation{private-function-dynamic-ownership=true},buffer-deallocation-simplification,bufferization-lower-deallocations)",
		"builtin.module(buffer-deallocation-simplification)",
		"builtin.module(bufferization-lower-deallocations)",
		"builtin.module(buffer-deallocation-pipeline)",
	)
}
