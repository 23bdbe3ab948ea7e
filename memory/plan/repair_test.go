package plan

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A repaired plan is one, and lower than what it was made of, also where buffers have gaps and
// alignments.
func TestRepair(t *testing.T) {
	for seed := range uint64(6) {
		p := random(3000, 100, seed)
		rng := rand.New(rand.NewPCG(seed, 5))
		for i := range p.Buffers {
			b := &p.Buffers[i]
			if seed%2 == 1 && rng.IntN(4) == 0 {
				b.Live = append(b.Live, Interval{b.Live[0].Upper + 3, b.Live[0].Upper + 9})
			}
			if seed%3 == 2 {
				b.Alignment = 1 << rng.IntN(9)
			}
		}
		evs, err := p.validate()
		if err != nil {
			t.Fatal(err)
		}
		s := &solver{m: newModel(p, evs), out: &Solution{Bound: lowerBound(p, evs)}}
		s.out.LowerBound = s.out.Bound.Bytes
		s.offsets = bestFit(s.m, math.MaxInt64)
		before := s.m.peak(s.offsets)
		repair(s.m, newNeighbours(s.m), s.offsets, s.out.LowerBound, func() bool { return false })
		s.out.Peak = s.m.peak(s.offsets)
		s.finish(p)
		if err := Verify(p, s.out); err != nil {
			t.Errorf("seed %d: %v", seed, err)
		}
		if 2*(s.out.Peak-s.out.LowerBound) > before-s.out.LowerBound {
			t.Errorf("seed %d: the peak was %d, is %d, and can't be below %d", seed, before, s.out.Peak, s.out.LowerBound)
		}
	}
}
