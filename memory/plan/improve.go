package plan

import (
	"math"
	"math/rand/v2"
)

const (
	// manyBuffers is from how many buffers on orders are improved before a search.
	manyBuffers = 2000
	// maxUnimproved is after how many rounds that haven't brought anything better it is given up.
	maxUnimproved = 6
)

// lowerMany lowers a plan of many buffers, if not too many of them are alive at a time.
func (s *solver) lowerMany() {
	if s.m.pinned || s.offsets == nil || s.done() {
		return
	}
	if near := newNeighbours(s.m); near.pairs(maxPairs) < maxPairs {
		s.eject()
		s.improve(near)
	}
}

// improve makes plans by first-fit, again and again, each in the order of the one before, but for what ended near the peak, which comes earlier. A lane starts with the
// size classes and contention, another one with the size classes alone.
//
// This is squeaky wheel optimization (D. Joslin, D. Clements 1999). It takes what doesn't fit where it had to be, in orders that are good for the rest.
func (s *solver) improve(near *neighbours) {
	const width = 2
	type wheel struct {
		key     []float64
		offsets []int64
		rng     *rand.Rand
	}
	var wheels [width]wheel
	for k := range wheels {
		wheels[k] = wheel{key: key(s.m, []int{contended, sizeClass}[k]), rng: rand.New(rand.NewPCG(uint64(k), 5))}
	}
	stop := func() bool { return s.ctx.Err() != nil }
	for tries := 0; tries < maxUnimproved && !stop() && !s.done() && (s.NodeLimit == 0 || s.out.Nodes < s.NodeLimit); tries++ {
		each(width, s.Threads, func(k int) {
			w := &wheels[k]
			if w.offsets = firstFit(s.m, near, orderBy(w.key), math.MaxInt64, stop); w.offsets == nil {
				return
			}
			peak := s.m.peak(w.offsets)
			from := s.out.LowerBound + (peak-s.out.LowerBound)/4
			for i, o := range w.offsets {
				if o+s.m.size[i] > from {
					w.key[i] += 1 + 2*w.rng.Float64()
				}
			}
		})
		for _, w := range wheels {
			s.out.Nodes += int64(len(w.offsets))
			if w.offsets == nil {
				continue
			}
			if peak := s.m.peak(w.offsets); peak < s.out.Peak {
				s.take(w.offsets, peak, "first-fit by improved orders")
				tries = -1
			}
		}
	}
}
