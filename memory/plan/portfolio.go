package plan

import (
	"math/rand/v2"
	"sync/atomic"
)

// lanes is the number of searches that take turns, or run at the same time. It doesn't
// depend on the number of threads, so that their results don't.
const lanes = 4

// lane is a search that starts again and again, with other orders; between its starts it
// remembers states that failed, and where.
type lane struct {
	*search
	rng   *rand.Rand
	tries int
}

// team is some lanes that look for a plan of the same capacity.
type team struct {
	s        *solver
	keys     [][]float64
	lanes    [lanes]*lane
	capacity int64
	budget   int64 // nodes of a try
}

func (s *solver) newTeam(keys [][]float64) *team { return &team{s: s, keys: keys} }

// aim starts looking for plans of a capacity.
func (t *team) aim(capacity int64) {
	t.capacity = capacity
	t.budget = max(1000, 3*int64(len(t.s.m.size)))
	for k, l := range t.lanes {
		if l != nil {
			l.reset(capacity)
			l.rng = rand.New(rand.NewPCG(uint64(k), 1))
			l.tries = 0
		}
	}
}

// round lets each lane try once, until one has a result; of several that have, the first
// counts.
func (t *team) round() (v verdict, found *lane) {
	var first atomic.Int64
	first.Store(lanes)
	var verdicts [lanes]verdict
	each(lanes, t.s.Threads, func(k int) {
		if first.Load() <= int64(k) {
			return
		}
		if t.lanes[k] == nil {
			t.lanes[k] = &lane{search: newSearch(t.s.m), rng: rand.New(rand.NewPCG(uint64(k), 1))}
			t.lanes[k].reset(t.capacity)
		}
		l := t.lanes[k]
		l.stop = func() bool { return first.Load() < int64(k) || t.s.ctx.Err() != nil }
		l.choose(k, t.keys)
		l.tries++
		if verdicts[k] = l.run(t.budget); verdicts[k] != gaveUp {
			lower(&first, int64(k))
		}
	})
	for k, v := range verdicts {
		if t.lanes[k] != nil {
			t.s.out.Nodes += t.lanes[k].nodes
		}
		if v != gaveUp {
			return v, t.lanes[k]
		}
	}
	t.budget += t.budget / 2
	return gaveUp, nil
}

// choose gives the lane the order for its next try. The first tries are by plain orders,
// a different one in each lane, later ones are shuffled, too.
func (l *lane) choose(k int, keys [][]float64) {
	l.key = keys[(k+l.tries)%len(keys)]
	if l.tries > 0 {
		l.key = noisy(l.rng, l.key)
	}
}

// search looks for plans between the lower bound and the best plan, mostly at the lower
// bound, since that is where the best plan often is; what it goes through without finding
// one raises the lower bound.
func (s *solver) search() {
	keys := keys(s.m)
	bottom, middle := s.newTeam(keys), s.newTeam(keys)
	bottom.aim(max(s.out.LowerBound, s.capacity))
	goOn := func() bool {
		return !s.done() && s.ctx.Err() == nil && (s.NodeLimit == 0 || s.out.Nodes < s.NodeLimit)
	}
	for closer := 1; goOn(); {
		if s.use(bottom) == doesNotFit {
			bottom.aim(s.out.LowerBound)
			continue
		}
		gap := s.out.Peak - 1 - s.out.LowerBound
		if s.capacity > 0 || gap <= 0 || !goOn() {
			continue
		}
		middle.aim(s.out.Peak - 1 - gap>>closer)
		switch s.use(middle) {
		case fits:
			closer = max(closer-1, 1)
		case doesNotFit:
			bottom.aim(s.out.LowerBound)
			closer = 1
		case gaveUp:
			if closer++; gap>>closer == 0 {
				closer = 1
			}
		}
	}
}

// use lets a team try, and takes what comes out.
func (s *solver) use(t *team) verdict {
	v, l := t.round()
	switch v {
	case fits:
		s.take(append([]int64(nil), l.offset...), s.m.peak(l.offset), "search")
	case doesNotFit:
		s.out.Searched = true
		s.out.LowerBound = s.out.Peak
		if l.deficit < s.out.Peak-t.capacity {
			s.out.LowerBound = t.capacity + l.deficit
		}
	}
	return v
}
