package irgen_test

import (
	"testing"

	"pgregory.net/rapid"

	"freehold/internal/irgen"
	"freehold/interp"
)

// A program that allocates computes the same when deallocation frees its buffers,
// and it then frees every buffer once.
func TestBufferPrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := irgen.Buffers(chooser(t), 25)
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
