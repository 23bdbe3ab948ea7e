package plan

import (
	"math/rand/v2"
	"sync/atomic"
)

// lanes is the number of searches that take turns, or run at the same time. It doesn't
// depend on the number of threads, so that their results don't.
const lanes = 4

// seeker looks for a plan within a capacity, and for a proof that there is none. What it remembers between runs stays true until it is
// reset for another capacity.
type seeker interface {
	reset(capacity int64)
	run(limit int64, key []float64, stop func() bool) verdict
	// result returns the offsets, if there is a plan; by how much the capacity has to be larger for another outcome; and the placings of the last run.
	result() (offsets []int64, deficit, nodes int64)
}

// lane is a search that starts again and again, with other orders; between its starts it
// remembers states that failed, and where.
type lane struct {
	seeker
	rng   *rand.Rand
	tries int
}

// team is some lanes that look for a plan of the same capacity.
type team struct {
	s        *solver
	seeker   func() seeker // makes one
	width    int           // how many lanes there are
	first    int64         // nodes of the first try
	keys     [][]float64
	lanes    [lanes]*lane
	capacity int64
	budget   int64 // nodes of a try
}

func (s *solver) newTeam(keys [][]float64, width int, first int64, make func() seeker) *team {
	return &team{s: s, seeker: make, width: width, first: first, keys: keys}
}

// aim starts looking for plans of a capacity.
func (t *team) aim(capacity int64) {
	t.capacity = capacity
	t.budget = t.first
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
	each(t.width, t.s.Threads, func(k int) {
		if first.Load() <= int64(k) {
			return
		}
		if t.lanes[k] == nil {
			t.lanes[k] = &lane{seeker: t.seeker(), rng: rand.New(rand.NewPCG(uint64(k), 1))}
			t.lanes[k].reset(t.capacity)
		}
		l := t.lanes[k]
		key := l.choose(k, t.keys)
		l.tries++
		if verdicts[k] = l.run(t.budget, key, func() bool { return first.Load() < int64(k) || t.s.ctx.Err() != nil }); verdicts[k] != gaveUp {
			lower(&first, int64(k))
		}
	})
	for k, v := range verdicts {
		if t.lanes[k] != nil {
			_, _, nodes := t.lanes[k].result()
			t.s.out.Nodes += nodes
		}
		if v != gaveUp {
			return v, t.lanes[k]
		}
	}
	t.budget += t.budget / 2
	return gaveUp, nil
}

// choose returns the order for the lane's next try. The first tries are by plain orders,
// a different one in each lane, later ones are shuffled, too.
func (l *lane) choose(k int, keys [][]float64) []float64 {
	key := keys[(k+l.tries)%len(keys)]
	if l.tries > 0 {
		key = noisy(l.rng, key)
	}
	return key
}

// search looks for plans between the lower bound and the best plan, mostly at the lower
// bound, since that is where the best plan often is; what it goes through without finding
// one raises the lower bound.
func (s *solver) search() {
	keys := keys(s.m)
	seekers, width, first := func() seeker { return newSearch(s.m) }, lanes, max(1000, 3*int64(len(s.m.size)))
	if s.m.isSmallAndMixed() {
		seekers, width, first = func() seeker { return newWindows(s.m) }, 2, 1000*decisionNodes
		s.stack()
	}
	bottom, middle := s.newTeam(keys, width, first, seekers), s.newTeam(keys, width, first, seekers)
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

// stack raises the lower bound to what is in each other's way all needs in the best order.
func (s *solver) stack() {
	tries := int64(maxStacks)
	if s.NodeLimit > 0 {
		tries = min(tries, s.NodeLimit/4)
	}
	left := tries
	b := newWindows(s.m).stackBound(s.out.LowerBound, &left, func() bool { return s.ctx.Err() != nil })
	s.out.Nodes += tries - max(left, 0)
	if b > s.out.LowerBound {
		s.out.LowerBound, s.out.Searched = min(b, s.out.Peak), true
	}
}

// use lets a team try, and takes what comes out.
func (s *solver) use(t *team) verdict {
	v, l := t.round()
	switch v {
	case fits:
		offsets, _, _ := l.result()
		s.take(append([]int64(nil), offsets...), s.m.peak(offsets), "search")
	case doesNotFit:
		s.out.Searched = true
		s.out.LowerBound = s.out.Peak
		if _, deficit, _ := l.result(); deficit < s.out.Peak-t.capacity {
			s.out.LowerBound = t.capacity + deficit
		}
	}
	return v
}
