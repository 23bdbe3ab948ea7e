package irgen_test

import (
	"testing"

	"pgregory.net/rapid"

	"freehold/exec/interp"
	"freehold/internal/testing/irgen"
)

// How affine operations, and then structured ones, are lowered.
var affineLowerings = []string{
	"lower-affine",
	"func.func(lower-affine,convert-scf-to-cf)",
	"canonicalize,lower-affine,convert-scf-to-cf,canonicalize",
}

// A program of affine operations computes the same after it was lowered.
func TestAffinePrograms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := irgen.Affine(chooser(t), 25)
		save(t, "affine", src)
		pipeline := "builtin.module(" + rapid.SampledFrom(affineLowerings).Draw(t, "lowering") + ")"
		want := execute(t, load(t, src), 1)
		noFindings(t, want, true, src)
		after := transformed(t, src, pipeline)
		got := execute(t, after, 1)
		noFindings(t, got, true, pipeline, src, print(after))
		if !interp.Equal(want.Values, got.Values) || !interp.Equal(want.Buffers, got.Buffers) {
			t.Fatalf("%s\ncomputes something else\n%s\n%s", pipeline, src, print(after))
		}
	})
}

// A program computes the same when its control flow consists of branches.
func TestControlFlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := irgen.Buffers(chooser(t), irgen.BufferKnobs{Size: 25})
		save(t, "branches", src)
		pipeline := "builtin.module(" + rapid.SampledFrom([]string{"", "canonicalize,", deallocations[0] + ","}).Draw(t, "before") + "convert-scf-to-cf)"
		want := execute(t, load(t, src), 1)
		after := transformed(t, src, pipeline)
		got := execute(t, after, 1)
		if !interp.Equal(want.Values, got.Values) || !interp.Equal(want.Buffers, got.Buffers) {
			t.Fatalf("%s\ncomputes something else\n%s\n%s", pipeline, src, print(after))
		}
	})
}
