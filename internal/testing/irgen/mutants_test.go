package irgen

import (
	"math/rand/v2"
	"testing"
)

// TestMutants checks that mutants depend on the choices alone, and that most of them differ
// from the program.
func TestMutants(t *testing.T) {
	const program = `#map = affine_map<(d0) -> (d0 mod 4)>
func.func @f(%a: tensor<4x?xf32>, %i: index) -> f32 {
  %c = arith.constant {a = dense<[1, 2]> : tensor<2xi8>} 0x10 : index // a comment
  %0 = affine.apply #map(%i)
  %1 = tensor.extract %a[%0, %c] : tensor<4x?xf32>
  return %1 : f32
}
`
	g := Mutants([]string{program})
	mutant := func(seed uint64) string {
		rnd := rand.New(rand.NewPCG(seed, 1))
		return g.Generate(func(n int) int { return rnd.IntN(n) }, 10)
	}
	seen := map[string]bool{}
	for seed := range uint64(500) {
		m := mutant(seed)
		if m != mutant(seed) {
			t.Fatalf("mutant %d is not always the same", seed)
		}
		seen[m] = true
	}
	if len(seen) < 350 {
		t.Errorf("there are only %d different mutants", len(seen))
	}
	if got := textOf(tokensOf(program)); got != program {
		t.Errorf("the tokens of the program are %q", got)
	}
}
