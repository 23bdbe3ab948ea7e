package irgen_test

import (
	"testing"

	"pgregory.net/rapid"

	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
)

// A program that allocates computes the same when deallocation frees its buffers,
// and it then frees every buffer once.
func TestBufferPrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := irgen.Buffers(chooser(t), irgen.BufferKnobs{Size: 25})
		save(t, "buffers", src)
		pipeline := "builtin.module(" + rapid.SampledFrom(deallocations).Draw(t, "deallocation") + ")"
		want := execute(t, load(t, src), 1)
		noFindings(t, want, false, src)
		after := transformed(t, src, pipeline)
		got := execute(t, after, 1)
		noFindings(t, got, true, pipeline, src, print(after))
		if !interp.Equal(want.Values, got.Values) || !interp.Equal(want.Buffers, got.Buffers) {
			t.Fatalf("%s\ncomputes something else\n%s\n%s", pipeline, src, print(after))
		}
	})
}

// Nor do loops of blocks and switches stop the pipeline without the limits of
// MLIR's. It places deallocations anew when it runs again.
func TestBufferProgramsWithoutLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := irgen.Buffers(chooser(t), irgen.BufferKnobs{Size: 25, Loops: true, Switches: true})
		save(t, "buffers", src)
		want := execute(t, load(t, src), 1)
		noFindings(t, want, false, src)
		const once = "complete-buffer-deallocation-pipeline"
		for _, pipeline := range []string{once, once + "," + once,
			"ownership-based-buffer-deallocation{unstructured-control-flow private-function-argument-ownership private-function-dynamic-ownership},buffer-deallocation-simplification,free-after-last-use,bufferization-lower-deallocations"} {
			pipeline = "builtin.module(" + pipeline + ")"
			after := transformed(t, src, pipeline)
			got := execute(t, after, 1)
			noFindings(t, got, true, pipeline, src, print(after))
			if !interp.Equal(want.Values, got.Values) || !interp.Equal(want.Buffers, got.Buffers) {
				t.Fatalf("%s\ncomputes something else\n%s\n%s", pipeline, src, print(after))
			}
		}
	})
}
