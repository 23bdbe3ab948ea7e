package irgen_test

import (
	"math/rand/v2"
	"testing"

	"freehold/internal/testing/irgen"
	"freehold/ir"
)

// All programs of views are valid: among so many there are expansions of a buffer whose layout is the identity, though
// it has one.
func TestViewsAreValid(t *testing.T) {
	for seed := range uint64(2000) {
		src := irgen.Views(rand.New(rand.NewPCG(seed, 1)).IntN, 25)
		if err := ir.Verify(load(t, src)); err != nil {
			t.Fatalf("%d: %v\n%s", seed, err, src)
		}
	}
}
