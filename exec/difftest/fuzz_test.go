package difftest_test

import (
	"math"
	"slices"
	"testing"

	"freehold/dialect"
	"freehold/exec/difftest"
	"freehold/exec/interp"
	"freehold/internal/testing/fuzz"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/ir/interfaces"
	"freehold/pass"
	"freehold/transform"
)

// FuzzPipelines looks for valid programs that compute something else after passes, or do
// something wrong with memory, and for those on which the comparison panics. (The
// generators of package irgen make programs that do more; this target has what they
// lack.)
func FuzzPipelines(f *testing.F) {
	fuzz.AddPrograms(f, 1<<12, "../../transform/*/*/testdata/script/*.txtar")
	var registry pass.Registry
	transform.Register(&registry)
	const bufferizing = "builtin.module(one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},canonicalize,complete-buffer-deallocation-pipeline)"
	pipelines := []string{bufferizing,
		"builtin.module(canonicalize,cse,loop-invariant-code-motion)",
		"builtin.module(convert-linalg-to-loops,lower-affine)",
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 20000 {
			return
		}
		ctx := ir.NewContext(dialect.All()...)
		before, err := asm.Parse(ctx, src, "fuzz.mlir", asm.ParseOptions{})
		if err != nil || ir.Verify(before) != nil {
			return
		}
		for _, p := range pipelines {
			if p == bufferizing && sharesBuffers(before) {
				continue
			}
			manager, err := registry.ParsePipeline(p)
			if err != nil {
				t.Fatal(err)
			}
			after := ir.CloneDetached(before)
			if (&pass.Runner{}).Run(manager, after) != nil {
				continue // rejected
			}
			r := difftest.Run(before, after, difftest.Options{Inputs: 2, MaxSteps: 1 << 14, MaxBytes: 1 << 22,
				// As in MLIR, sums that are lowered start with 0, and not -0.
				Tolerance: interp.Tolerance{Absolute: math.SmallestNonzeroFloat64}})
			for _, fn := range r.Functions {
				for _, m := range fn.Mismatches {
					t.Errorf("%s: @%s, input %d: %s: %s", p, fn.Name, m.Input, m.What, m.Difference)
				}
				for _, m := range fn.Findings {
					t.Errorf("%s: @%s, input %d: %v", p, fn.Name, m.Input, m.Diagnostic)
				}
			}
		}
	})
}

// sharesBuffers tells whether a program gives away the buffers of tensors, to operations
// on memrefs, or to functions that are only declared, or says itself what is done in
// place. What becomes of buffers is up to the program then.
func sharesBuffers(m *ir.Op) bool {
	found := false
	m.Walk(func(op *ir.Op) bool {
		if fn, ok := interfaces.Function.Of(op); ok {
			found = found || op.BodyBlock(0) == nil || slices.ContainsFunc(fn.Type(op).Inputs, ir.IsMemRef)
		}
		found = found || op.Attr("__inplace_operands_attr__") != nil || slices.ContainsFunc(op.Results().Types(), ir.IsMemRef)
		return !found
	})
	return found
}
