package plan

import (
	"context"
	"flag"
	"math"
	"math/rand/v2"
	"testing"
	"time"
)

var (
	largeBuffers  = flag.Int("large", 2500, "about how many buffers large instances have")
	largePatience = flag.Duration("large-patience", 0, "time for each large instance; 0 is without limit")
)

// large returns a problem of a kind with about n buffers.
func large(kind string, n int) *Problem {
	rng := rand.New(rand.NewPCG(uint64(n), 7))
	p := &Problem{}
	add := func(lower, upper int64, size float64) {
		p.Buffers = append(p.Buffers, Buffer{Size: 64 * (1 + int64(size)), Live: []Interval{{lower, upper}}})
	}
	switch kind {
	case "short":
		return random(n, 100, 1)
	case "long":
		return random(n, 10_000, 1)
	case "training":
		// Forward with what is kept for the way back, and something that isn't; on the way back gradients, and what takes a few steps.
		layers := n / 8
		for k := range layers {
			forward, back := int64(4*k), int64(4*(2*layers-k))
			size := math.Exp(9 - 5*math.Abs(math.Sin(float64(k)/40)) + rng.NormFloat64())
			add(forward, back+2, size)
			if k%3 == 0 {
				add(forward+1, back+1+rng.Int64N(4), size*rng.Float64())
			}
			for range 3 {
				at := rng.Int64N(4)
				add(forward+at, forward+at+1+rng.Int64N(6), size*math.Exp(rng.NormFloat64()))
				at = rng.Int64N(4)
				add(back+at, back+at+1+rng.Int64N(9), size*math.Exp(rng.NormFloat64()))
			}
			if k%2 == 0 {
				add(back, back+40+rng.Int64N(400), size/4)
			}
		}
	case "mixed lives":
		for range n {
			at := rng.Int64N(int64(n) / 4)
			add(at, at+1+int64(math.Exp(rng.ExpFloat64()*2)), math.Exp(rng.NormFloat64()*2+4))
		}
	}
	return p
}

// Plans of many buffers are near the bound; with many alive at a time, improving orders brings them nearer.
func TestLarge(t *testing.T) {
	for _, x := range []struct {
		kind string
		most float64
	}{{"short", 0.1}, {"long", 2.5}, {"training", 0.5}, {"mixed lives", 0.1}} {
		t.Run(x.kind, func(t *testing.T) {
			p := large(x.kind, *largeBuffers)
			start := time.Now()
			o := Options{TimeLimit: *largePatience}
			if o.TimeLimit == 0 {
				o.NodeLimit = 5 * int64(*largeBuffers)
			}
			s, err := Solve(context.Background(), p, o)
			if err != nil {
				t.Fatal(err)
			}
			if err := Verify(p, s); err != nil {
				t.Fatal(err)
			}
			above := 100 * (float64(s.Peak)/float64(s.LowerBound) - 1)
			t.Logf("%d buffers: %.3f %% above the bound by %s after %v", len(p.Buffers), above, s.Strategy, time.Since(start))
			if above > x.most {
				t.Errorf("%.3f %% above the bound, want %.3f %%", above, x.most)
			}
		})
	}
}

// Orders that are improved, and chains of ejections, make plans lower, which are the same with any number of threads.
func TestImprove(t *testing.T) {
	for _, x := range []struct {
		name    string
		improve func(*solver)
		buffers int
	}{{"orders", func(s *solver) { s.improve(newNeighbours(s.m)) }, 2500}, {"ejections", (*solver).eject, 800}} {
		t.Run(x.name, func(t *testing.T) {
			p := large("long", x.buffers)
			var peaks []int64
			for _, threads := range []int{1, 2} {
				evs, err := p.validate()
				if err != nil {
					t.Fatal(err)
				}
				s := &solver{Options: Options{Threads: threads, NodeLimit: 20_000}, ctx: context.Background(), m: newModel(p, evs), out: &Solution{Bound: lowerBound(p, evs)}}
				s.out.LowerBound = s.out.Bound.Bytes
				before := bestFit(s.m, math.MaxInt64)
				s.take(before, s.m.peak(before), "best-fit")
				x.improve(s)
				s.finish(p)
				if err := Verify(p, s.out); err != nil {
					t.Fatal(err)
				}
				if peak := s.m.peak(before); s.out.Peak >= peak {
					t.Errorf("peak %d, by best-fit %d", s.out.Peak, peak)
				}
				peaks = append(peaks, s.out.Peak)
			}
			if peaks[0] != peaks[1] {
				t.Errorf("peaks %d with one and two threads", peaks)
			}
		})
	}
}

// Buffers with alignments and gaps are ejected as others are.
func TestEjectMixed(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := &Problem{}
	for range 600 {
		at := rng.Int64N(300)
		b := Buffer{Size: 1 + rng.Int64N(900), Live: []Interval{{at, at + 1 + rng.Int64N(60)}}}
		if rng.IntN(2) == 0 {
			b.Alignment = int64(1) << rng.IntN(9)
		}
		if rng.IntN(3) == 0 {
			end := b.Live[0].Upper
			b.Live = append(b.Live, Interval{end + 1 + rng.Int64N(20), end + 30 + rng.Int64N(20)})
		}
		p.Buffers = append(p.Buffers, b)
	}
	evs, err := p.validate()
	if err != nil {
		t.Fatal(err)
	}
	s := &solver{Options: Options{Threads: 2, NodeLimit: 100_000}, ctx: context.Background(), m: newModel(p, evs), out: &Solution{Bound: lowerBound(p, evs)}}
	s.out.LowerBound = s.out.Bound.Bytes
	before := bestFit(s.m, math.MaxInt64)
	s.take(before, s.m.peak(before), "best-fit")
	s.eject()
	s.finish(p)
	if err := Verify(p, s.out); err != nil {
		t.Fatal(err)
	}
	if s.out.Strategy != "ejection chains" {
		t.Error("nothing was lowered")
	}
}
