package order

import (
	"cmp"
	"slices"
	"time"
)

// Options are what [Solve] keeps to.
type Options struct {
	// Start is an order that is known. What is found is never worse, and is this one unless it is better. Nil is that of the graph.
	Start []int
	// TimeLimit is when everything stops; 0 is never.
	TimeLimit time.Duration
	// StepLimit is after how many items that were tried everything stops, about; 0 is never.
	StepLimit int64
}

// Solution is an order.
type Solution struct {
	// Order has the steps in the order in which they are done.
	Order []int
	// Peak is what is alive at a time at most, Before what it was in the order that was known.
	Peak, Before int64
	// Bound is what no order is below.
	Bound int64
}

// Optimal tells whether no order has a smaller peak.
func (s *Solution) Optimal() bool { return s.Peak == s.Bound }

// budget is how much may still be tried.
type budget struct {
	left     int64
	deadline time.Time
	count    int64
	over     bool
}

// spend takes one step from the budget, unless it is used up.
func (b *budget) spend() bool {
	if b.over {
		return false
	}
	b.count++
	if b.left > 0 && b.count > b.left || b.count%256 == 0 && !b.deadline.IsZero() && time.Now().After(b.deadline) {
		b.over = true
	}
	return !b.over
}

// share returns a budget of a part of what is left, which spends from nothing else; [budget.charge] takes it off again.
func (b *budget) share(steps int64) *budget {
	return &budget{left: min(steps, max(b.left-b.count, 1)), deadline: b.deadline, over: b.over}
}

// charge takes what another budget has spent off.
func (b *budget) charge(other *budget) {
	b.count += other.count
	b.over = b.over || b.left > 0 && b.count > b.left || !b.deadline.IsZero() && time.Now().After(b.deadline)
}

// unlimited stands for no limit of steps.
const unlimited = int64(1) << 62

// Solve looks for an order with a small peak. It fails if the graph isn't valid, or the start isn't an order of it.
func Solve(g *Graph, o Options) (*Solution, error) {
	l, err := g.valid()
	if err != nil {
		return nil, err
	}
	start := o.Start
	if start == nil {
		for i := range g.Steps {
			start = append(start, i)
		}
	}
	before, err := l.peak(g, start)
	if err != nil {
		return nil, err
	}
	s := &solver{graph: g, links: l, budget: &budget{left: cmp.Or(o.StepLimit, unlimited)}}
	if o.TimeLimit > 0 {
		s.budget.deadline = time.Now().Add(o.TimeLimit)
	}
	s.reduced = reduce(g, s.links)
	out := &Solution{Order: start, Peak: before, Before: before, Bound: before}
	if len(s.items) == 0 {
		return out, nil
	}
	items, bound := s.solve(s.itemsOf(start))
	out.Bound = bound
	order := s.stepsOf(items, start)
	if peak, err := l.peak(g, order); err != nil {
		return nil, err
	} else if peak < before {
		out.Order, out.Peak = order, peak
	}
	out.Bound = min(out.Bound, out.Peak)
	return out, nil
}

// solver works on a graph.
type solver struct {
	*reduced
	graph  *Graph
	links  *links
	budget *budget
}

// itemsOf returns the order of items of an order of steps: an item stands where its last step does.
func (s *solver) itemsOf(order []int) []int32 {
	place := make([]int, len(order))
	for i, k := range order {
		place[k] = i
	}
	out := make([]int32, len(s.items))
	for i := range out {
		out[i] = int32(i)
	}
	last := func(i int32) int { steps := s.items[i].steps; return place[steps[len(steps)-1]] }
	slices.SortFunc(out, func(i, j int32) int { return cmp.Compare(last(i), last(j)) })
	return out
}

// segment is a row of items between two places where all orders meet.
type segment struct {
	list []int32
	*reduced
	own   int64 // bound
	order []int32
	peak  int64
}

// solve returns an order of the items, and what no order is below.
func (s *solver) solve(start []int32) ([]int32, int64) {
	bound := s.start
	segments := s.segments(start)
	byBound := make([]*segment, len(segments))
	for i := range segments {
		byBound[i] = &segments[i]
	}
	slices.SortStableFunc(byBound, func(x, y *segment) int { return cmp.Compare(y.own, x.own) })
	for _, x := range byBound {
		bound = max(bound, x.improve(bound, s.budget))
	}
	var out []int32
	for i := range segments {
		for _, k := range segments[i].order {
			out = append(out, segments[i].list[k])
		}
	}
	return out, bound
}

// segments cuts the items, each part in the order of start.
func (s *solver) segments(start []int32) (out []segment) {
	done := make([]bool, len(s.items))
	live := s.start
	place := make([]int, len(start))
	for i, k := range start {
		place[k] = i
	}
	from := 0
	is := func(i int32) bool { return done[i] }
	for _, cut := range append(s.cuts(), len(s.items)-1) {
		if cut < from {
			continue
		}
		var x segment
		for i := from; i <= cut; i++ {
			x.list = append(x.list, int32(i))
		}
		x.reduced = s.part(x.list, int32(from), is, live)
		x.own = x.bound()
		x.order = make([]int32, len(x.list))
		for i := range x.order {
			x.order[i] = int32(i)
		}
		slices.SortFunc(x.order, func(i, j int32) int { return cmp.Compare(place[x.list[i]], place[x.list[j]]) })
		_, x.peak = x.profile(x.order)
		for _, i := range x.list {
			_, live = s.do(i, live, is)
			done[i] = true
		}
		out, from = append(out, x), cut+1
	}
	return out
}

// widths are those of the beam searches.
var widths = []int{1, 4, 16, 64, 256, 1024}

// improve looks for a better order of a segment, which need not be better than a bound of the whole, and returns a bound of the whole.
func (x *segment) improve(bound int64, b *budget) int64 {
	bound = max(bound, x.own)
	if x.peak <= bound {
		return bound
	}
	take := func(order []int32, peak int64) {
		if order != nil && peak < x.peak {
			x.order, x.peak = order, peak
		}
	}
	exact := len(x.list) <= mostForSearch
	for i, width := range widths {
		if x.peak <= bound || b.over {
			return bound
		}
		take(x.beam(width, bound, x.peak, b))
		if exact && x.peak > bound && i < 4 {
			// What is left over after a while is better spent on a broader view.
			part := b.share(20000 << (3 * i))
			found := x.optimum(bound, x.peak, part)
			b.charge(part)
			take(found.order, found.peak)
			bound = max(bound, min(found.bound, x.peak))
		}
		x.windows(bound, b)
	}
	return bound
}
