package fuzz_test

import (
	"testing"

	"freehold/internal/testing/fuzz"
	"freehold/ir"
	"freehold/memory/footprint"
)

// FuzzPlanMemory looks for programs on which the planning of memory panics, that it makes invalid, or in which
// parts of an arena overlap afterwards while both are alive.
func FuzzPlanMemory(f *testing.F) {
	apart := &fuzz.Oracle{
		// What is in an arena before is as it is.
		Judges: func(before *ir.Op) bool { return len(footprint.Arenas(before)) == 0 },
		Check: func(after *ir.Op) error {
			for _, a := range footprint.Arenas(after) {
				if d := a.Check(); d != nil {
					return d
				}
			}
			return nil
		},
	}
	fuzz.CheckedPipelines(f, "../../../transform/memory/reuse/testdata/script/*.txtar", apart,
		"builtin.module(plan-memory)",
		"builtin.module(func.func(static-memory-planner-analysis{algorithm=best-fit}))",
		"builtin.module(plan-memory{arena=argument alignment=1})",
		"builtin.module(plan-memory{arena=global stack-below=64})",
		"builtin.module(plan-memory{memories=fast:256:1:1,slow:65536:0:4})",
		"builtin.module(plan-memory{arena=global memories=b:100:2,a:1000:0,c:256:1})",
	)
}

// FuzzReuse looks for programs on which passes that make buffers share memory panic, or that they make invalid.
func FuzzReuse(f *testing.F) {
	fuzz.Pipelines(f, "../../../transform/memory/reuse/testdata/script/*.txtar",
		"builtin.module(reuse-buffers)",
		"builtin.module(exchange-carried-buffers)",
		"builtin.module(elide-copies)",
		"builtin.module(views-for-moves)",
		"builtin.module(free-after-last-use)",
		"builtin.module(elide-copies,views-for-moves,reuse-buffers{static=false},free-after-last-use,plan-memory)",
	)
}

// FuzzScheduling looks for programs on which the pass that orders operations panics, or that it makes invalid.
func FuzzScheduling(f *testing.F) {
	fuzz.Pipelines(f, "../../../transform/memory/schedule/testdata/script/*.txtar",
		"builtin.module(schedule-for-memory{search-steps=2000})",
		"builtin.module(prepare-bufferization,schedule-for-memory{search-steps=100})",
	)
}

// FuzzRematerialization looks for programs on which the pass that computes tensors again panics, or that it makes invalid.
func FuzzRematerialization(f *testing.F) {
	fuzz.Pipelines(f, "../../../transform/memory/rematerialize/testdata/script/*.txtar",
		"builtin.module(rematerialize{extra-work=1000%})",
		"builtin.module(prepare-bufferization,rematerialize{limit=512})",
	)
}

// FuzzTiling looks for programs on which the pass that computes in tiles panics, or that it makes invalid.
func FuzzTiling(f *testing.F) {
	fuzz.Pipelines(f, "../../../transform/memory/tile/testdata/script/*.txtar",
		"builtin.module(tile-for-memory)",
		"builtin.module(prepare-bufferization,tile-for-memory{limit=512})",
	)
}

// FuzzBoundary looks for programs on which passes about the results of functions panic, or that they make invalid.
func FuzzBoundary(f *testing.F) {
	fuzz.Pipelines(f, "../../../transform/bufferize/boundary/testdata/script/*.txtar",
		"builtin.module(mark-buffer-identity,mark-borrowed-buffers)",
		"builtin.module(mark-buffer-identity,mark-borrowed-buffers{dynamic},mark-borrowed-buffers{remove})",
		"builtin.module(mark-buffer-identity,copy-returned-parts,mark-borrowed-buffers,complete-buffer-deallocation-pipeline)",
	)
}

// FuzzOneShotBufferize looks for programs on which bufferization panics, or that it
// makes invalid.
func FuzzOneShotBufferize(f *testing.F) {
	fuzz.Pipelines(f, "../../../transform/bufferize/oneshot/testdata/script/*.txtar",
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
	fuzz.Pipelines(f, "../../../transform/generic/licm/testdata/script/*.txtar", "builtin.module(loop-invariant-code-motion)", "builtin.module(loop-invariant-subset-hoisting)")
}

// FuzzNormalize looks for programs on which their normal form panics, or is invalid.
func FuzzNormalize(f *testing.F) {
	fuzz.Pipelines(f, "../../../transform/bufferize/normalize/testdata/script/*.txtar", "builtin.module(inline-private-functions,normalize-tensors)", "builtin.module(order-by-need)", "builtin.module(duplicate-cheap-tensors)")
}

// FuzzPlacement looks for programs on which the placement of allocations panics, or that it makes
// invalid.
func FuzzPlacement(f *testing.F) {
	fuzz.Pipelines(f, "../../../transform/memory/placement/testdata/script/*.txtar",
		"builtin.module(func.func(buffer-hoisting))",
		"builtin.module(func.func(buffer-loop-hoisting))",
		"builtin.module(func.func(promote-buffers-to-stack))",
	)
}

// FuzzCloning looks for programs on which deallocation with copies panics, or that it makes
// invalid.
func FuzzCloning(f *testing.F) {
	fuzz.Pipelines(f, "../../../transform/deallocate/clone/testdata/script/*.txtar",
		"builtin.module(func.func(buffer-deallocation,buffer-deallocation))",
		"builtin.module(func.func(buffer-deallocation{function-boundaries}))",
		"builtin.module(func.func(buffer-hoisting,buffer-deallocation))",
	)
}

// FuzzStructuredLowering looks for programs on which a lowering of structured operations
// panics, or that it makes invalid.
func FuzzStructuredLowering(f *testing.F) {
	fuzz.Pipelines(f, "../../../transform/generic/linalg/testdata/script/*.txtar",
		"builtin.module(linalg-generalize-named-ops)",
		"builtin.module(convert-linalg-to-loops)",
		"builtin.module(convert-linalg-to-parallel-loops)",
	)
}

// FuzzLowering looks for programs on which a lowering panics, or that it makes
// invalid.
func FuzzLowering(f *testing.F) {
	fuzz.Pipelines(f, "../../../transform/lower/core/testdata/script/*.txtar",
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
	fuzz.Pipelines(f, "../../../transform/generic/memref/testdata/script/*.txtar", "builtin.module(expand-strided-metadata)", "builtin.module(fold-memref-alias-ops)",
		"builtin.module(affine-fold-memref-alias-ops,bubble-down-memory-space-casts,reify-result-shapes)",
		"builtin.module(affine-raise-from-memref)", "builtin.module(flatten-memref)", "builtin.module(fold-tensor-subset-ops)",
		"builtin.module(resolve-ranked-shaped-type-result-dims)")
}

// FuzzDeallocation looks for programs on which deallocation panics, or that it
// makes invalid.
func FuzzDeallocation(f *testing.F) {
	fuzz.Pipelines(f, "../../../transform/deallocate/ownership/testdata/script/*.txtar",
		"builtin.module(expand-realloc,ownership-based-buffer-deallocation)",
		"builtin.module(ownership-based-buffer-deallocation{private-function-dynamic-ownership=true},buffer-deallocation-simplification,bufferization-lower-deallocations)",
		"builtin.module(buffer-deallocation-simplification)",
		"builtin.module(bufferization-lower-deallocations)",
		"builtin.module(buffer-deallocation-pipeline)",
	)
}

// FuzzStableHLO looks for programs on which the lowering of StableHLO panics, or that it makes invalid.
func FuzzStableHLO(f *testing.F) {
	fuzz.Pipelines(f, "../../../transform/lower/stablehlo/testdata/script/*.txtar",
		"builtin.module(stablehlo-to-linalg)",
		"builtin.module(chlo-to-stablehlo)",
		"builtin.module(chlo-to-stablehlo,stablehlo-to-linalg,canonicalize)",
	)
}
