package irgen_test

import (
	"testing"

	"pgregory.net/rapid"

	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
)

// Passes that lower or rearrange programs, on tensors and on buffers.
var (
	tensorLowerings = []string{
		"linalg-generalize-named-ops",
		"loop-invariant-subset-hoisting",
		"eliminate-empty-tensors",
		"empty-tensor-to-alloc-tensor",
		"test-tensor-copy-insertion{bufferize-function-boundaries allow-return-allocs-from-loops}",
	}
	bufferLowerings = []string{
		"linalg-generalize-named-ops",
		"convert-linalg-to-loops",
		"convert-linalg-to-parallel-loops",
		"expand-strided-metadata",
		"expand-strided-metadata,convert-linalg-to-loops",
		"linalg-generalize-named-ops,convert-linalg-to-loops,canonicalize,cse",
	}
)

// A program computes the same, bit for bit, after it was lowered on tensors and on
// buffers.
func TestLowerings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := irgen.Tensors(chooser(t), 30)
		save(t, "lowerings", src)
		pipeline := "builtin.module(" + rapid.SampledFrom(tensorLowerings).Draw(t, "tensors") +
			",one-shot-bufferize{" + rapid.SampledFrom(bufferizations).Draw(t, "bufferization") + "}," +
			rapid.SampledFrom(bufferLowerings).Draw(t, "buffers") + ")"
		want := execute(t, load(t, src), 1)
		noFindings(t, want, true, src)
		after := transformed(t, src, pipeline)
		got := execute(t, after, 1)
		noFindings(t, got, false, pipeline, src, print(after))
		if !interp.Equal(want.Values, got.Values) {
			t.Fatalf("%s\ncomputes something else\n%s\n%s", pipeline, src, print(after))
		}
	})
}
