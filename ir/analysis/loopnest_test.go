package analysis

import (
	"math/rand"
	"testing"

	"freehold/ir"
)

// TestLoopNest compares with what it is for: a block that dominates another one in the same loop is executed before it
// each time; one outside of the loop isn't.
func TestLoopNest(t *testing.T) {
	inLoops := 0
	for seed := range int64(3000) {
		rng := rand.New(rand.NewSource(seed))
		r := randomRegion(rng, 2+rng.Intn(9))
		nest, tree := NewLoopNest(r), ir.NewDomTree(r)
		loop := false
		for b := range r.Blocks() {
			loop = loop || tree.IsReachable(b) && reach(b, b, nil)
		}
		if HasLoop(r) != loop {
			t.Fatalf("seed %d: HasLoop is %v", seed, !loop)
		}
		for b := range r.Blocks() {
			if b.Mark() != 0 {
				t.Fatalf("seed %d: a mark is left", seed)
			}
		}
		for a := range r.Blocks() {
			for b := range r.Blocks() {
				if a == b || !tree.IsReachable(b) || !tree.Dominates(a, b) {
					continue
				}
				again := reach(b, b, a)
				if nest.SameLoop(a, b) && again {
					t.Fatalf("seed %d: control comes back to a block without a dominator in the same loop", seed)
				}
				if reach(b, b, nil) && !reach(a, a, nil) && nest.SameLoop(a, b) {
					t.Fatalf("seed %d: a block in a loop is in the same as one in none", seed)
				}
				if reach(b, b, nil) {
					inLoops++
				}
			}
		}
	}
	if inLoops < 1000 {
		t.Errorf("only %d pairs with loops", inLoops)
	}
}
