package analysis

import (
	"math/rand"
	"slices"
	"testing"
)

// What control may get to is what a path leads to, in spans that don't touch.
func TestReachable(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	for range 300 {
		r := randomRegion(rng, 2+rng.Intn(9))
		l := NewLifetimes(r.Op())
		i := 0
		for from := range r.Blocks() {
			s := spanner{l: l}
			for to := range r.Blocks() {
				if reach(from, to, nil) {
					s.add(l.blockStart(to), l.blockEnd(to))
				}
			}
			if got, want := l.reachIn(r).from(from), s.merged(); !slices.Equal(got, want) {
				t.Fatalf("from the end of block %d control gets to %v, not %v", i, got, want)
			}
			i++
		}
	}
}
