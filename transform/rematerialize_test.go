package transform_test

import (
	"math/rand/v2"
	"testing"

	"freehold/exec/difftest"
	"freehold/ir"
	"freehold/ir/asm"
	"freehold/transform/memory/rematerialize"
	"freehold/transform/memory/tile"
)

// Random networks in which tensors are computed again compute the same, need no more, and keep within the work that is allowed.
func TestRematerializedNetworks(t *testing.T) {
	again := 0
	for seed := range *programs * 4 {
		rnd := rand.New(rand.NewPCG(seed, 43))
		src := (&network{rnd: rnd}).write(6 + rnd.IntN(12))
		m, after := parse(t, src), parse(t, src)
		share := []float64{0.05, 0.5, 5}[rnd.IntN(3)]
		r, err := rematerialize.Run(after, rematerialize.Options{ExtraWork: share, Tiled: seed%2 == 0})
		if err == nil && seed%4 == 0 {
			_, err = tile.Run(after, tile.Options{})
		}
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
