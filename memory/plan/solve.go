package plan

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Solver says which strategies Solve uses.
type Solver int

const (
	// Auto uses all: the heuristics, and then, unless one met the bound, the search.
	Auto Solver = iota
	// Heuristic uses all but the search.
	Heuristic
	// BestFit places buffers in the order of time as an allocator would, in n log n. What
	// follows tries it, too, so that there is a plan in any case.
	BestFit
	// FirstFit places buffers by size, lifetime and area, each as low as possible.
	FirstFit
	// Skyline places buffers from the bottom up, in orders as those of FirstFit.
	Skyline
	// Exact searches, after one skyline.
	Exact
)

var solverNames = []string{"auto", "heuristic", "best-fit", "first-fit", "skyline", "exact"}

// Solvers returns the names of the solvers.
func Solvers() []string { return slices.Clone(solverNames) }

// ParseSolver returns the solver with a name.
func ParseSolver(name string) (Solver, error) {
	k := slices.Index(solverNames, name)
	if k < 0 {
		return 0, fmt.Errorf("unknown solver %q", name)
	}
	return Solver(k), nil
}

func (s Solver) String() string {
	if s < 0 || int(s) >= len(solverNames) {
		return fmt.Sprintf("Solver(%d)", int(s))
	}
	return solverNames[s]
}

// Options are what Solve keeps to.
type Options struct {
	Solver Solver
	// TimeLimit is when everything stops, once there is a plan; 0 is never.
	TimeLimit time.Duration
	// NodeLimit is after how many placings the search stops, about; 0 is never.
	NodeLimit int64
	// Threads is how many strategies run at the same time; 0 is as many as there are
	// processors. The solution doesn't depend on it, unless the time limit does end the
	// search.
	Threads int
}

// Solution is a plan.
type Solution struct {
	// Offsets are those of the buffers, in the order of the problem.
	Offsets []int64
	// Peak is the largest end of a buffer.
	Peak int64
	// Bound is what no plan can be below, with its reason, which Verify checks.
	Bound Bound
	// LowerBound is what no plan can be below: Bound.Bytes, or more if Searched.
	LowerBound int64
	// Searched says that a search went through all plans below LowerBound.
	Searched bool
	// Strategy is what found the plan.
	Strategy string
	// Nodes is the number of placings that searches tried.
	Nodes int64
}

// Optimal says whether no plan has a smaller peak.
func (s *Solution) Optimal() bool { return s.Peak == s.LowerBound }

// CapacityError says that no plan within the capacity was found.
type CapacityError struct {
	Capacity int64
	// Best is the best plan that was found, with the bounds; its peak is above the capacity.
	Best *Solution
	text string
}

func (e *CapacityError) Error() string { return e.text }

// Impossible says whether it is proved that there is none.
func (e *CapacityError) Impossible() bool { return e.Best.LowerBound > e.Capacity }

// Solve looks for a plan with a small peak, or, if the problem has a capacity, for one
// within it. Errors are those of [Problem.Validate], a [*CapacityError], and that no plan
// was found with offsets that int64 can hold.
//
// The same problem and options give the same solution, unless the time limit ends the
// search. The heuristics take n log n for n intervals, or give up after a number of steps
// that is linear in n, or for small n at least some million. The search may take any time.
// If some of more than 64 buffers are pinned there is no search: first-fit only is tried, with orders that are
// shuffled until nothing better has come for long.
func Solve(ctx context.Context, p *Problem, o Options) (*Solution, error) {
	evs, err := p.validate()
	if err != nil {
		return nil, err
	}
	if o.Solver < 0 || int(o.Solver) >= len(solverNames) {
		return nil, fmt.Errorf("unknown solver %d", int(o.Solver))
	}
	if o.TimeLimit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, o.TimeLimit)
		defer cancel()
	}
	if o.Threads <= 0 {
		o.Threads = runtime.GOMAXPROCS(0)
	}
	s := &solver{
		Options: o, ctx: ctx, m: newModel(p, evs),
		out:      &Solution{Bound: lowerBound(p, evs), Strategy: "none needed"},
		capacity: p.Capacity,
	}
	s.out.LowerBound = s.out.Bound.Bytes
	if len(s.m.size) > 0 {
		first, rest := s.strategies()
		if o.Solver == Auto && len(s.m.size) >= manyBuffers {
			s.heuristics(first)
			s.lowerMany()
			first = nil
		}
		s.heuristics(append(first, rest...))
		if s.offsets == nil && s.m.aligned {
			s.heuristics([]strategy{s.byAlignment()})
		}
		if s.offsets != nil && !s.done() && (o.Solver == Auto || o.Solver == Exact) {
			switch {
			case s.m.pinned && !s.m.isSmallAndMixed():
				s.perturb()
			case s.m.extent() <= maxExtent && s.m.isCountable():
				s.search()
			}
		}
		if s.offsets == nil {
			return nil, fmt.Errorf("no plan with offsets below %d was found", int64(math.MaxInt64))
		}
	}
	s.finish(p)
	if p.Capacity > 0 && s.out.Peak > p.Capacity {
		return nil, s.capacityError(p)
	}
	return s.out, nil
}

// maxExtent is the extent of a problem above which there is no search.
const maxExtent = 1 << 28

// extent returns at how many points buffers are alive, all together.
func (m *model) extent() int {
	n := 0
	for i := range m.size {
		n += m.length(int32(i))
	}
	return n
}

// solver is the state of Solve.
type solver struct {
	Options
	ctx      context.Context
	m        *model
	capacity int64
	offsets  []int64 // of the model's buffers
	out      *Solution
}

// done says whether the plan is as good as it has to be, or that it is known that it can't
// become so.
func (s *solver) done() bool {
	return s.out.Peak <= max(s.out.LowerBound, s.capacity) || s.capacity > 0 && s.out.LowerBound > s.capacity
}

// take takes a plan that is better than what there is.
func (s *solver) take(offsets []int64, peak int64, strategy string) {
	s.offsets, s.out.Peak, s.out.Strategy = offsets, peak, strategy
}

// finish puts the plan into the solution.
func (s *solver) finish(p *Problem) {
	out := make([]int64, len(p.Buffers))
	for i := range p.Buffers {
		if b := &p.Buffers[i]; b.Pinned {
			out[i] = b.Offset
		}
	}
	for k, i := range s.m.index {
		out[i] = s.offsets[k]
	}
	s.out.Offsets = out
}

func (s *solver) capacityError(p *Problem) error {
	e := &CapacityError{Capacity: p.Capacity, Best: s.out}
	b := &s.out.Bound
	switch {
	case b.Bytes > p.Capacity && b.Pinned >= 0:
		e.text = fmt.Sprintf("the capacity %d can't be met: %s is pinned and ends at %d", p.Capacity, p.name(b.Pinned), b.Bytes)
	case b.Bytes > p.Capacity:
		e.text = fmt.Sprintf("the capacity %d can't be met: what is alive at time %d needs %d", p.Capacity, b.Time, b.Bytes)
	case e.Impossible():
		e.text = fmt.Sprintf("the capacity %d can't be met: no plan is below %d, as a search through all of them shows", p.Capacity, s.out.LowerBound)
	case s.Solver != Auto && s.Solver != Exact:
		e.text = fmt.Sprintf("the capacity %d was not met: the best plan that %s found needs %d, and there may be one that needs only %d", p.Capacity, s.Solver, s.out.Peak, s.out.LowerBound)
	case s.ctx.Err() == nil:
		e.text = fmt.Sprintf("the capacity %d was not met within the limits of the search: the best plan found needs %d, and there may be one that needs only %d", p.Capacity, s.out.Peak, s.out.LowerBound)
	default:
		e.text = fmt.Sprintf("the capacity %d was not met when the time ran out: the best plan found needs %d, and there may be one that needs only %d", p.Capacity, s.out.Peak, s.out.LowerBound)
	}
	return e
}

// strategy is a heuristic with an order. It returns nil if the peak is above the limit.
type strategy struct {
	name string
	run  func(limit int64, stop func() bool) []int64
}

// skylineSteps is how many steps a skyline may take, for each buffer and at least.
const (
	skylineSteps    = 64
	minSkylineSteps = 20_000_000
)

// maxPairs is the number of pairs of buffers up to which first-fit is used.
const maxPairs = 100_000_000

// heuristics runs the heuristics, several at a time, and takes the best plan, of equal
// ones the first.
func (s *solver) heuristics(all []strategy) {
	if s.offsets != nil && s.done() {
		return
	}
	type plan struct {
		offsets []int64
		peak    int64
	}
	plans := make([]plan, len(all))
	var best atomic.Int64 // peak
	best.Store(math.MaxInt64)
	if s.offsets != nil {
		best.Store(s.out.Peak)
	}
	var met atomic.Int64 // the first strategy that met the bound
	met.Store(int64(len(all)))
	each(len(all), s.Threads, func(k int) {
		stop := func() bool {
			return s.ctx.Err() != nil && best.Load() < math.MaxInt64 || int64(k) > met.Load()
		}
		if stop() {
			return
		}
		offsets := all[k].run(best.Load(), stop)
		if offsets == nil {
			return
		}
		peak := s.m.peak(offsets)
		plans[k] = plan{offsets, peak}
		lower(&best, peak)
		if peak <= max(s.out.LowerBound, s.capacity) {
			lower(&met, int64(k))
		}
	})
	for k, p := range plans {
		if p.offsets != nil && (s.offsets == nil || p.peak < s.out.Peak) {
			s.take(p.offsets, p.peak, all[k].name)
			if s.done() {
				return
			}
		}
	}
}

// lower makes a number smaller.
func lower(x *atomic.Int64, v int64) {
	for old := x.Load(); v < old && !x.CompareAndSwap(old, v); old = x.Load() {
	}
}

// each runs jobs 0 to n-1 on some threads, and begins them in this order.
func each(n, threads int, job func(int)) {
	if threads = min(threads, n); threads <= 1 {
		for k := range n {
			job(k)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range threads {
		wg.Go(func() {
			for k := int(next.Add(1)) - 1; k < n; k = int(next.Add(1)) - 1 {
				job(k)
			}
		})
	}
	wg.Wait()
}

// strategies returns the heuristics that the solver stands for: first what is fast or good with many buffers, then
// those that find good plans of most problems first.
func (s *solver) strategies() (first, out []strategy) {
	m := s.m
	has := func(k Solver) bool { return s.Solver == Auto || s.Solver == Heuristic || s.Solver == k }
	near := sync.OnceValue(func() *neighbours { return newNeighbours(m) })
	few := sync.OnceValue(func() bool { return near().pairs(maxPairs) < maxPairs })
	byFirstFit := func(k int) {
		out = append(out, strategy{"first-fit by " + keyNames[k], func(limit int64, stop func() bool) []int64 {
			if !few() && !(m.pinned && k == 0) {
				return nil
			}
			return firstFit(m, near(), orderBy(key(m, k)), limit, stop)
		}})
	}
	if !m.pinned {
		// This is fast, and then there is a plan when the time runs out.
		out = append(out, strategy{"best-fit", func(limit int64, _ func() bool) []int64 { return bestFit(m, limit) }})
		if s.Solver == Auto || s.Solver == Heuristic {
			out = append(out, strategy{"best-fit, repaired", func(_ int64, stop func() bool) []int64 {
				offsets := bestFit(m, math.MaxInt64)
				if offsets != nil {
					repair(m, near(), offsets, max(s.out.LowerBound, s.capacity), stop)
				}
				return offsets
			}})
		}
		first, out = out, nil
		for k := range keyNames {
			if k < sizeClass && has(Skyline) || s.Solver == Exact && k == 0 {
				steps := max(minSkylineSteps, skylineSteps*len(m.size))
				list := &out
				if k == 0 {
					list = &first
				}
				*list = append(*list, strategy{"skyline by " + keyNames[k], func(limit int64, stop func() bool) []int64 {
					return skyline(m, orderBy(key(m, k)), limit, steps, stop)
				}})
			}
		}
	}
	if has(FirstFit) || m.pinned {
		many := !m.pinned && len(m.size) >= manyBuffers
		if many {
			rest := out
			out = first
			byFirstFit(contended)
			byFirstFit(sizeClass)
			first, out = out, rest
		}
		for k := range keyNames {
			if k < sizeClass || !many {
				byFirstFit(k)
			}
		}
	}
	return first, out
}

// byAlignment places first what can be at the fewest places: with the largest alignments.
func (s *solver) byAlignment() strategy {
	return strategy{"first-fit by alignment", func(limit int64, stop func() bool) []int64 {
		key := make([]float64, len(s.m.align))
		for i, a := range s.m.align {
			key[i] = float64(a)
		}
		return firstFit(s.m, newNeighbours(s.m), orderBy(key), limit, stop)
	}}
}

// sizeClass is the key that orders by size classes and time, contended the one that also prefers what is alive when much is.
const (
	sizeClass = 5
	contended = 6
)

// contentionWeight is how many doublings of the size all of the peak weighs in the order of what is contended. Classes are of half a doubling.
const contentionWeight = 20

// keyNames are what [keys] are called.
var keyNames = [...]string{"area", "size by points", "lifetime", "points", "size", "size class and time", "size class, contention and time"}

// keys returns numbers by which searches order buffers: size times lifetime, size times
// number of points, lifetime, number of points, size.
func keys(m *model) [][]float64 {
	var out [][]float64
	for k := range sizeClass {
		out = append(out, key(m, k))
	}
	return out
}

// key returns one of the keys, or the binary logarithm of the size and then the first point: what is about as large is placed in the order of
// time, which for equal sizes is optimal. With contention, the classes are finer, and what is alive when most is counts as larger: where less is alive, gaps do no harm.
func key(m *model, k int) []float64 {
	out := make([]float64, len(m.size))
	var most []float64
	if k == contended {
		most = contention(m)
	}
	for i := range m.size {
		size := float64(m.size[i])
		switch k {
		case 0:
			out[i] = size * m.life[i]
		case 1:
			out[i] = size * float64(m.length(int32(i)))
		case 2:
			out[i] = m.life[i]
		case 3:
			out[i] = float64(m.length(int32(i)))
		case 4:
			out[i] = size
		case sizeClass:
			out[i] = float64(bits.Len64(uint64(m.size[i]))) + 1 - float64(m.hull(int32(i)).lo)/float64(m.points)
		case contended:
			out[i] = math.Floor(2*(math.Log2(size)+contentionWeight*(most[i]-1))) + 1 - float64(m.hull(int32(i)).lo)/float64(m.points)
		}
	}
	return out
}

// orderBy returns the buffers by falling keys.
func orderBy(key []float64) []int32 {
	out := make([]int32, len(key))
	for i := range out {
		out[i] = int32(i)
	}
	slices.SortFunc(out, func(x, y int32) int { return cmp.Or(cmp.Compare(key[y], key[x]), cmp.Compare(x, y)) })
	return out
}

func (m *model) peak(offsets []int64) int64 {
	var peak int64
	for i, o := range offsets {
		peak = max(peak, o+m.size[i])
	}
	return peak
}

// maxPerturbed is how often perturb tries without finding anything better.
const maxPerturbed = 1000

// perturb tries first-fit in orders that are slightly shuffled.
func (s *solver) perturb() {
	near := newNeighbours(s.m)
	all := keys(s.m)
	rng := rand.New(rand.NewPCG(3, 4))
	for tries := 0; tries < maxPerturbed && s.ctx.Err() == nil && !s.done() && (s.NodeLimit == 0 || s.out.Nodes < s.NodeLimit); tries++ {
		key := noisy(rng, all[rng.IntN(len(all))])
		s.out.Nodes += int64(len(key))
		if offsets := firstFit(s.m, near, orderBy(key), s.out.Peak-1, func() bool { return s.ctx.Err() != nil }); offsets != nil {
			s.take(offsets, s.m.peak(offsets), "first-fit by shuffled orders")
			tries = 0
		}
	}
}

// noisy returns the numbers, each multiplied by something around 1.
func noisy(rng *rand.Rand, key []float64) []float64 {
	out := make([]float64, len(key))
	for i, k := range key {
		out[i] = k * math.Exp(rng.NormFloat64()/2)
	}
	return out
}
