package transform_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"freehold/driver"
	"freehold/exec/difftest"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/memory/rematerialize"
)

// Random networks in which tensors are computed again compute the same, need no more, and keep within the work that is allowed.
func TestRematerializedNetworks(t *testing.T) {
	again := 0
	for seed := range *programs * 4 {
		rnd := rand.New(rand.NewPCG(seed, 43))
		src := (&network{rnd: rnd}).write(6 + rnd.IntN(12))
		m, after := parse(t, src), parse(t, src)
		share := []float64{0.05, 0.5, 5}[rnd.IntN(3)]
		r, err := rematerialize.Run(after, rematerialize.Options{ExtraWork: share})
		if err == nil {
			err = ir.Verify(after)
		}
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, src)
		}
		if float64(r.Extra) > share*float64(r.Work) {
			t.Fatalf("seed %d: %d operations more than %d, with a share of %v\n%s", seed, r.Extra, r.Work, share, src)
		}
		for _, b := range r.Blocks {
			if again += b.Again; b.After >= b.Before {
				t.Fatalf("seed %d: %d became %d\n%s", seed, b.Before, b.After, src)
			}
		}
		if len(r.Blocks) == 0 {
			continue
		}
		for _, f := range difftest.Run(m, after, difftest.Options{Inputs: 2, Seed: seed}).Functions {
			if f.Skipped != nil || len(f.Mismatches)+len(f.Findings) > 0 {
				t.Fatalf("seed %d: %v %v %v\n%s\n%s", seed, f.Skipped, f.Mismatches, f.Findings, src, asm.Print(after, asm.PrintOptions{}))
			}
		}
	}
	if again == 0 {
		t.Error("nothing was computed again")
	}
}

// What is broadcast isn't kept while something else needs most.
func Example_rematerializeRun() {
	p, err := driver.Freehold().NewSession().Parse([]byte(`func.func @f(%x: f32, %i: index) -> f32 {
  %a = tensor.splat %x : tensor<64xf32>
  %p = tensor.extract %a[%i] : tensor<64xf32>
  %b = tensor.splat %p : tensor<128xf32>
  %q = tensor.extract %b[%i] : tensor<128xf32>
  %r = tensor.extract %a[%i] : tensor<64xf32>
  %s = arith.addf %q, %r : f32
  return %s : f32
}`), "f.mlir")
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := rematerialize.Run(p.Module, rematerialize.Options{ExtraWork: 0.1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range result.Blocks {
		fmt.Println(b.Before, "became", b.After, "by", result.Extra, "operations more")
	}
	// Output: 768 became 512 by 0 operations more
}
