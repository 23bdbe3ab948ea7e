package order_test

import (
	"flag"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"freehold/memory/order"
)

var (
	programs = flag.Int("programs", 300, "number of random graphs")
	large    = flag.Int("large", 2000, "number of steps of a large graph")
	limit    = flag.Duration("limit", 3*time.Second, "time for a large graph")
)

// random returns a graph of all kinds: buffers that are there from the start, kept, of no size or without users; steps that
// use nothing, need something beside, or can work in place.
func random(rng *rand.Rand, n int) *order.Graph {
	g := &order.Graph{Steps: make([]order.Step, n)}
	for k := range rng.IntN(3) {
		g.Buffers = append(g.Buffers, order.Buffer{Size: int64(1 + rng.IntN(9)), Maker: -1, Kept: k == 1})
	}
	for i := range n {
		s := &g.Steps[i]
		if i > 0 && rng.IntN(4) == 0 {
			s.After = append(s.After, rng.IntN(i))
		}
		if rng.IntN(5) == 0 {
			s.Extra = int64(rng.IntN(6))
		}
		var used []int
		for range rng.IntN(3) {
			if len(g.Buffers) > 0 {
				b := rng.IntN(len(g.Buffers))
				g.Buffers[b].Users = append(g.Buffers[b].Users, i)
				used = append(used, b)
			}
		}
		for range rng.IntN(3) {
			made := len(g.Buffers)
			g.Buffers = append(g.Buffers, order.Buffer{Size: int64(rng.IntN(12)), Maker: i, Kept: rng.IntN(8) == 0})
			for _, b := range used {
				if rng.IntN(2) == 0 {
					s.InPlace = append(s.InPlace, [2]int{made, b})
				}
			}
		}
	}
	return g
}

// least returns the smallest peak of all orders, by trying them.
func least(g *order.Graph) int64 {
	best := int64(math.MaxInt64)
	n := len(g.Steps)
	needs := make([][]int, n)
	for i, s := range g.Steps {
		needs[i] = s.After
	}
	for _, b := range g.Buffers {
		for _, u := range b.Users {
			if b.Maker >= 0 && b.Maker != u {
				needs[u] = append(slices.Clip(needs[u]), b.Maker)
			}
		}
	}
	var done []int
	var try func()
	try = func() {
		if len(done) == n {
			if peak, err := g.Peak(done); err == nil {
				best = min(best, peak)
			}
			return
		}
		for i := range n {
			if !slices.Contains(done, i) && !slices.ContainsFunc(needs[i], func(p int) bool { return !slices.Contains(done, p) }) {
				done = append(done, i)
				try()
				done = done[:len(done)-1]
			}
		}
	}
	try()
	return best
}

func TestOptimal(t *testing.T) {
	for seed := range uint64(*programs) {
		rng := rand.New(rand.NewPCG(seed, 0))
		g := random(rng, 1+rng.IntN(8))
		s, err := order.Solve(g, order.Options{})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		peak, err := g.Peak(s.Order)
		if want := least(g); err != nil || peak != s.Peak || s.Peak != want || !s.Optimal() {
			t.Fatalf("seed %d: peak %d (%d by itself, %v), bound %d; the least is %d\n%+v", seed, s.Peak, peak, err, s.Bound, want, g)
		}
	}
}

// A search that is cut off says nothing wrong: what it finds is an order, no worse than the one that was known, and no better than its bound.
func TestLimits(t *testing.T) {
	for seed := range uint64(*programs) {
		rng := rand.New(rand.NewPCG(seed, 1))
		g := random(rng, 6+rng.IntN(4))
		exact, err := order.Solve(g, order.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := order.Solve(g, order.Options{StepLimit: 1 + int64(rng.IntN(60))})
		if err != nil {
			t.Fatal(err)
		}
		if peak, err := g.Peak(s.Order); err != nil || peak != s.Peak || s.Peak > s.Before || s.Bound > exact.Peak || s.Peak < exact.Peak {
			t.Fatalf("seed %d: peak %d (%d by itself, %v), before %d, bound %d; the least is %d", seed, s.Peak, peak, err, s.Before, s.Bound, exact.Peak)
		}
	}
}

// wired returns a graph of operations that read up to three results of others, of different sizes.
func wired(rng *rand.Rand, n, near int) *order.Graph {
	g := &order.Graph{Steps: make([]order.Step, n)}
	for i := range n {
		g.Buffers = append(g.Buffers, order.Buffer{Size: int64(64 * (1 + rng.IntN(16))), Maker: i})
		if i == 0 {
			continue
		}
		for range 1 + rng.IntN(3) {
			b := max(i-1-rng.IntN(near), 0)
			g.Buffers[b].Users = append(g.Buffers[b].Users, i)
		}
	}
	return g
}

// Graphs of 30 steps, all of which matter, are solved and proved soon.
func TestBlocksOfThirty(t *testing.T) {
	for seed := range uint64(20) {
		g := wired(rand.New(rand.NewPCG(seed, 2)), 30, 8+int(seed))
		start := time.Now()
		s, err := order.Solve(g, order.Options{TimeLimit: 5 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("seed %d: %d to %d, bound %d, %v", seed, s.Before, s.Peak, s.Bound, time.Since(start))
		if !s.Optimal() {
			t.Errorf("seed %d: peak %d, bound %d after %v", seed, s.Peak, s.Bound, time.Since(start))
		}
	}
}

// Large graphs end in time, and get better.
func TestLarge(t *testing.T) {
	g := wired(rand.New(rand.NewPCG(1, 3)), *large, 300)
	start := time.Now()
	s, err := order.Solve(g, order.Options{TimeLimit: *limit})
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	t.Logf("%d to %d, bound %d, %v", s.Before, s.Peak, s.Bound, took)
	if s.Peak >= s.Before || took > 2**limit {
		t.Errorf("peak %d, before %d, after %v", s.Peak, s.Before, took)
	}
}
