package plan

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

var (
	instances = flag.Int("instances", 4, "number of random instances of each kind")
	buffers   = flag.Int("buffers", 24, "the most buffers of an instance")
	small     = flag.Int("small", 100, "number of small instances of each kind, for which all orders are tried")
	patience  = flag.Duration("patience", 3*time.Second, "time for each")
)

// kinds are those of random instances: with one alignment for all, or several (powers of two, and others), with some buffers pinned or with gaps, all of
// that, and all alive at once.
var kinds = []string{"plain", "aligned", "mixed", "odd", "pinned", "gaps", "all", "odd all", "at once"}

// instance returns a random instance of a kind with n buffers. Pinned ones are where a plan without pins has them, so that
// they aren't in each other's way.
func instance(kind string, n int, rng *rand.Rand) *Problem {
	p := &Problem{}
	all := strings.HasSuffix(kind, "all")
	end := int64(8 + rng.IntN(2*n))
	for i := range n {
		b := Buffer{ID: fmt.Sprint(i), Size: int64(1 + rng.IntN(100))}
		if rng.IntN(3) == 0 {
			b.Size *= 8
		}
		lower := rng.Int64N(end)
		upper := min(lower+1+rng.Int64N(end/2), end)
		b.Live = []Interval{{lower, upper}}
		if (all || kind == "gaps") && upper-lower > 2 && rng.IntN(2) == 0 {
			from := lower + 1 + rng.Int64N(upper-lower-2)
			b.Live = []Interval{{lower, from}, {from + 1 + rng.Int64N(upper-from-1), upper}}
		}
		switch {
		case kind == "at once":
			b.Alignment, b.Live = []int64{1, 64}[rng.IntN(2)], []Interval{{0, 1}}
		case strings.HasPrefix(kind, "odd"):
			b.Alignment = []int64{1, 4, 48, 64}[rng.IntN(4)]
		case kind == "aligned":
			b.Alignment = 16
		case all || kind == "mixed":
			b.Alignment = 1 << rng.IntN(7)
		}
		p.Buffers = append(p.Buffers, b)
	}
	if all || kind == "pinned" {
		s, err := Solve(context.Background(), p, Options{Solver: BestFit})
		if err != nil {
			panic(err)
		}
		for range 1 + n/8 {
			i := rng.IntN(n)
			p.Buffers[i].Pinned, p.Buffers[i].Offset = true, s.Offsets[i]
		}
	}
	return p
}

// Small instances of all kinds are solved as trying all orders does.
func TestKindsExactly(t *testing.T) {
	for _, kind := range kinds {
		for k := range uint64(*small) {
			rng := rand.New(rand.NewPCG(k, 8))
			p := instance(kind, 2+rng.IntN(6), rng)
			s, err := Solve(context.Background(), p, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if err := Verify(p, s); err != nil {
				t.Fatalf("%s %d: %v", kind, k, err)
			}
			if want := bruteForce(p); s.Peak != want || !s.Optimal() {
				t.Errorf("%s %d: peak %d, bound %d; the smallest is %d", kind, k, s.Peak, s.LowerBound, want)
			}
		}
	}
}

// Most instances of any kind are solved, and proved, in time.
func TestKinds(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			solved := 0
			for k := range uint64(*instances) {
				rng := rand.New(rand.NewPCG(k, 9))
				n := *buffers/2 + rng.IntN(*buffers-*buffers/2+1)
				p := instance(kind, n, rng)
				start := time.Now()
				s, err := Solve(context.Background(), p, Options{TimeLimit: *patience})
				if err != nil {
					t.Fatal(err)
				}
				if err := checkPlan(p, s); err != nil {
					t.Fatalf("%d: %v", k, err)
				}
				if s.Optimal() {
					solved++
				} else {
					t.Logf("%d: %d buffers, peak %d, bound %d (%d) after %v", k, n, s.Peak, s.LowerBound, s.Bound.Bytes, time.Since(start))
				}
			}
			t.Logf("%d of %d", solved, *instances)
			if 100*solved < 75**instances {
				t.Errorf("only %d of %d are proved", solved, *instances)
			}
		})
	}
}
