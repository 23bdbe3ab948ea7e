package plan

import (
	"cmp"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"sync/atomic"
)

const (
	// ejectPlacings is how many placings an attempt to lower a plan may take at first: twice as many after one that didn't lower it, half as many after one that did. How many it takes varies by
	// more than a hundred for the same plan, so that a new attempt is better than going on. It is given up after attempts in a row that took mostEjectPlacings for each buffer.
	ejectPlacings, mostEjectPlacings = 4096, 1
	// ejectLanes is how many heights are tried at a time.
	ejectLanes = 2
)

// eject lowers the plan by chains of ejections, as long as that brings something.
//
// What ends above a height between the bound and the peak is taken out, and placed below it where that costs the least of what is there; that is taken out in turn, and costs more the next time, so that
// it isn't always the same that has to go. Where there is room a chain ends, and when nothing is out any more, there is a lower plan. Only what is near the peak moves, and what is in its way. Ejection chains are
// known from the travelling salesman problem and from packing (F. Glover 1996), prices that grow from guided local search (C. Voudouris, E. Tsang 1999).
func (s *solver) eject() {
	byStart := make([]int32, len(s.m.size)) // so that what is alive together is near each other in memory as well
	for i := range byStart {
		byStart[i] = int32(i)
	}
	slices.SortStableFunc(byStart, func(x, y int32) int { return cmp.Compare(s.m.spans[x][0].lo, s.m.spans[y][0].lo) })
	m := s.m.only(byStart)
	near := newNeighbours(m)
	var lanes [ejectLanes]*ejector
	for k := range lanes {
		lanes[k] = newEjector(m, near)
	}
	offsets := make([]int64, len(byStart))
	for k, i := range byStart {
		offsets[k] = s.offsets[i]
	}
	placings, idle := ejectPlacings, 0
	step := (s.out.Peak - s.out.LowerBound) / smallestSteps
	for step > s.out.LowerBound>>14 && !s.done() && s.ctx.Err() == nil && (s.NodeLimit == 0 || s.out.Nodes < s.NodeLimit) {
		best := s.lowerBy(lanes[:], offsets, step, placings)
		if best == nil {
			if idle += placings; idle > mostEjectPlacings*len(offsets) {
				return
			}
			step, placings = step-step/10, 2*placings
			continue
		}
		idle, placings = 0, max(placings/2, ejectPlacings)
		for k := range offsets {
			offsets[k] = best.at[k].offset
		}
		peak, out := m.peak(offsets), make([]int64, len(offsets))
		for k, i := range byStart {
			out[i] = offsets[k]
		}
		step = min(max(step, s.out.Peak-peak), (peak-s.out.LowerBound)*3/2/smallestSteps)
		s.take(out, peak, "ejection chains")
	}
}

// smallestSteps is in how many steps a plan would be brought down to the bound: small ones take far fewer placings together.
const smallestSteps = 16

// lowerBy tries to lower a plan by a step, and, at the same time, by half of that, and so on. It returns what lowered it the most, or nil.
func (s *solver) lowerBy(lanes []*ejector, offsets []int64, step int64, placings int) *ejector {
	var first atomic.Int64
	first.Store(int64(len(lanes)))
	each(len(lanes), s.Threads, func(k int) {
		height := max(s.out.Peak-max(step>>k, 1), s.out.LowerBound, s.capacity)
		stop := func() bool { return first.Load() < int64(k) || s.ctx.Err() != nil }
		if lanes[k].lower(offsets, height, placings, stop) {
			lower(&first, int64(k))
		}
	})
	for k, e := range lanes {
		// What was stopped doesn't count, as where that was depends on the threads.
		if s.out.Nodes += int64(e.placings); int64(k) == first.Load() {
			return e
		}
	}
	return nil
}

// ejector is the state of a chain of ejections.
type ejector struct {
	m    *model
	near *neighbours
	at   []placement
	// area is how hard a buffer is to place: the points at which it is alive times its size, of which more is harder than it is long.
	area     []float64
	out      []int32 // what isn't placed
	placings int
	seed     *rand.PCG
	rng      *rand.Rand
	found    []int32
	edges    []edge
	sorted   []edge
	bins     []bin
}

// placement is where a buffer is.
type placement struct {
	offset, end int64
	// price is what it costs to take it out: its area, times how often that happened.
	price  float64
	placed bool
	seen   int32 // in which placing
}

// edge is where the sum of the prices of what is in the way of a buffer changes, if its offset gets larger: behind a start, and at an end.
type edge struct {
	at     int64
	change float64
}

func newEjector(m *model, near *neighbours) *ejector {
	n := len(m.size)
	e := &ejector{m: m, near: near, at: make([]placement, n), area: make([]float64, n), seed: &rand.PCG{}}
	e.rng = rand.New(e.seed)
	for i := range e.area {
		e.area[i] = math.Pow(float64(m.size[i]), 1.3) * float64(m.length(int32(i)))
	}
	return e
}

// lower makes of a plan one that is below a height, in so many placings at most; false if it doesn't.
func (e *ejector) lower(offsets []int64, height int64, most int, stop func() bool) bool {
	e.out, e.placings = e.out[:0], 0
	e.seed.Seed(uint64(height), uint64(most))
	for i, o := range offsets {
		end := o + e.m.size[i]
		e.at[i] = placement{offset: o, end: end, price: e.area[i], placed: end <= height}
		if end > height {
			e.out = append(e.out, int32(i))
		}
	}
	for ; len(e.out) > 0; e.placings++ {
		if e.placings == most || e.placings%64 == 0 && stop() {
			return false
		}
		e.place(e.hardest(), height)
	}
	return true
}

// hardest takes what is hardest to place, or was put out most often, out of what isn't placed.
func (e *ejector) hardest() int32 {
	best := 0
	for k, i := range e.out {
		if e.at[i].price > e.at[e.out[best]].price {
			best = k
		}
	}
	i := e.out[best]
	e.out[best] = e.out[len(e.out)-1]
	e.out = e.out[:len(e.out)-1]
	return i
}

// place places a buffer below a height where it costs the least, and takes out what is there.
func (e *ejector) place(i int32, height int64) {
	e.found = e.found[:0]
	now := int32(e.placings + 1)
	for _, s := range e.m.spans[i] {
		e.near.visit(s, func(j int32) {
			if p := &e.at[j]; p.placed && p.seen != now {
				p.seen = now
				e.found = append(e.found, j)
			}
		})
	}
	offset := e.cheapest(e.m.size[i], e.m.align[i], height)
	end := offset + e.m.size[i]
	for _, j := range e.found {
		if p := &e.at[j]; p.offset < end && p.end > offset {
			p.placed = false
			p.price += e.area[j] * (0.5 + e.rng.Float64())
			e.out = append(e.out, j)
		}
	}
	p := &e.at[i]
	p.offset, p.end, p.placed = offset, end, true
}

// cheapest returns the lowest of the offsets where the prices of what is there sum up to the least: right on top of something, or right below.
//
// Edges are counted in bins, of which only those are sorted in which the sum can get as low as it is at the start of some bin.
func (e *ejector) cheapest(size, align, height int64) (best int64) {
	e.edges = e.edges[:0]
	highest, sum, total := height-size, 0.0, 0.0
	for _, j := range e.found {
		p := &e.at[j]
		total += p.price
		if below := p.offset - size; below < 0 {
			sum += p.price
		} else if below -= below % align; below <= highest {
			e.edges = append(e.edges, edge{below, p.price})
		}
		if end := alignUp(p.end, align); end <= highest {
			e.edges = append(e.edges, edge{end, -p.price})
		}
	}
	shift := max(0, bits.Len64(uint64(max(highest, 0)))-bits.Len(uint(len(e.edges)/edgesOfBin)))
	n := int(max(highest, 0)>>shift) + 1
	e.bins = slices.Grow(e.bins[:0], n)[:n]
	clear(e.bins)
	for i := range e.edges {
		x := &e.edges[i]
		b := &e.bins[x.at>>shift]
		b.edges++
		b.change += x.change
		b.fall += min(x.change, 0)
	}
	enough := sum
	for k, at := 0, sum; k < n; k++ {
		b := &e.bins[k]
		b.sum = at
		at += b.change
		enough = min(enough, at)
	}
	enough += total * 1e-12 // sums are rounded
	var sorted int32
	for k := range e.bins {
		b := &e.bins[k]
		if b.sorted = b.edges > 0 && b.sum+b.fall <= enough; b.sorted {
			b.to = sorted
			sorted += b.edges
		}
	}
	e.sorted = slices.Grow(e.sorted[:0], int(sorted))[:sorted]
	for _, x := range e.edges {
		if b := &e.bins[x.at>>shift]; b.sorted {
			e.sorted[b.to] = x
			b.to++
		}
	}
	least := sum
	for k := range e.bins {
		b := &e.bins[k]
		if !b.sorted {
			continue
		}
		edges, sum := e.sorted[b.to-b.edges:b.to], b.sum
		sortEdges(edges)
		for k := 0; k < len(edges); {
			at := edges[k].at
			for ; k < len(edges) && edges[k].at == at && edges[k].change < 0; k++ {
				sum += edges[k].change
			}
			if sum < least*(1-1e-9) {
				best, least = at, sum
			}
			for ; k < len(edges) && edges[k].at == at; k++ {
				sum += edges[k].change
			}
		}
	}
	return best
}

// edgesOfBin is how many edges a bin has on average, about.
const edgesOfBin = 1

// bin is some of the edges: those in a range of offsets.
type bin struct {
	// sum is that of the prices where the bin starts, change by how much it gets larger, and fall by how much it gets smaller at most within.
	sum, change, fall float64
	edges             int32
	to                int32 // where its edges end, among the sorted ones
	sorted            bool
}

// sortEdges sorts a few edges.
func sortEdges(edges []edge) {
	if len(edges) > 32 {
		slices.SortFunc(edges, func(x, y edge) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.change, y.change)) })
		return
	}
	for k := 1; k < len(edges); k++ {
		x, j := edges[k], k
		for ; j > 0 && (edges[j-1].at > x.at || edges[j-1].at == x.at && edges[j-1].change > x.change); j-- {
			edges[j] = edges[j-1]
		}
		edges[j] = x
	}
}
