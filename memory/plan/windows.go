package plan

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// maxWindows is the number of buffers up to which their windows are searched.
const maxWindows = 64

// decisionNodes is how many placings a decision counts for, which takes as much longer.
const decisionNodes = 16

// windows looks for a plan within a capacity of few buffers of any kind: with different alignments, pinned, with gaps.
//
// Each buffer has a window, the lowest and the highest place that it may have. Of two that are alive together one is below the other; a pair of which only one
// order fits into the windows is decided, and then the windows get smaller: to what alignment and pinned buffers leave. So do they by what is alive together: a
// buffer below which, or above which, the others of a clique no longer fit isn't the lowest, or the highest, of it. If all are at the lowest places of their windows
// and don't overlap, that is a plan; else the search decides a pair that overlaps, where there is least room and where it failed most.
//
// This is scheduling of jobs on machines, with offsets as times and cliques as machines; the rules are from there (J. Carlier, E. Pinson 1989; P. Baptiste, C. Le Pape, W.
// Nuijten, "Constraint-Based Scheduling", 2001).
type windows struct {
	*model
	conflict  []uint64
	pins      [][]block // pinned buffers in the way of each, by offset
	cliques   []uint64
	grain     int64     // of which all that peaks can be is a multiple
	rounded   [][]int64 // sizes rounded up to each alignment, of those that have a multiple of it; 0 for others
	capacity  int64
	key       []float64
	weight    []float64
	offset    []int64
	depth     []windowState
	members   [maxWindows]int // scratch
	orders    orders          // scratch
	uneven    []bool          // cliques of which orders lose more or less: with different alignments, or something pinned
	pending   []bool          // those whose orders have to be looked at
	dirty     uint64          // buffers that have changed
	nodes     int64
	decisions int64
	limit     int64
	stop      func() bool
}

// windowState is what is decided: what each buffer is below of, and between which places it is.
type windowState struct {
	above     []uint64
	low, high []int64
	// patience is how many pairs of each clique have to be decided before its orders are looked at again.
	patience []int32
}

// block is memory that is taken.
type block struct{ offset, end int64 }

func newWindows(m *model) *windows {
	n := len(m.size)
	s := &windows{model: m, conflict: make([]uint64, n), pins: make([][]block, n), offset: make([]int64, n), weight: make([]float64, n)}
	at := make([]uint64, m.points)
	for i := range n {
		for _, sp := range m.spans[i] {
			for p := sp.lo; p < sp.hi; p++ {
				at[p] |= 1 << i
			}
		}
		s.grain = gcd(gcd(s.grain, m.size[i]), m.align[i])
		if m.pin[i] >= 0 {
			s.grain = gcd(s.grain, m.pin[i])
		}
	}
	for _, set := range at {
		for w := set; w != 0; w &= w - 1 {
			s.conflict[bits.TrailingZeros64(w)] |= set
		}
	}
	for i := range n {
		s.conflict[i] &^= 1 << i
	}
	s.cliques, s.rounded = cliquesOf(s.conflict, at), m.roundedSizes()
	s.pending, s.uneven = make([]bool, len(s.cliques)), make([]bool, len(s.cliques))
	for k, c := range s.cliques {
		first := bits.TrailingZeros64(c)
		for w := c; w != 0; w &= w - 1 {
			i := bits.TrailingZeros64(w)
			s.uneven[k] = s.uneven[k] || m.align[i] != m.align[first] || m.pin[i] >= 0
		}
	}
	for i := range n {
		for w := s.conflict[i]; w != 0; w &= w - 1 {
			if j := bits.TrailingZeros64(w); m.pin[j] >= 0 {
				s.pins[i] = append(s.pins[i], block{m.pin[j], m.pin[j] + m.size[j]})
			}
		}
		slices.SortFunc(s.pins[i], func(x, y block) int { return cmp.Compare(x.offset, y.offset) })
	}
	return s
}

// roundedSizes returns, for each alignment, the sizes of the buffers whose alignments are multiples of it, rounded up to it.
func (m *model) roundedSizes() (out [][]int64) {
	var seen []int64
	for _, a := range m.align {
		if a == 1 || slices.Contains(seen, a) {
			continue
		}
		seen = append(seen, a)
		sizes := make([]int64, len(m.size))
		for i := range sizes {
			if m.align[i]%a == 0 {
				sizes[i] = alignUp(m.size[i], a)
			}
		}
		out = append(out, sizes)
	}
	return out
}

// gcd returns the greatest common divisor; that of 0 and n is n.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

func (s *windows) reset(capacity int64) {
	s.capacity = capacity
	clear(s.weight)
}

func (s *windows) result() (offsets []int64, deficit, nodes int64) {
	return s.offset, s.grain - s.capacity%s.grain, s.nodes
}

// run searches until it has tried a number of decisions, or stop says so; of pairs with as much room, those with higher keys are decided first.
func (s *windows) run(limit int64, key []float64, stop func() bool) verdict {
	s.nodes, s.limit, s.stop = 0, limit, stop
	most := slices.Max(key)
	s.key = make([]float64, len(key))
	for i, k := range key {
		s.key[i] = 1 + k/most
	}
	x := s.state(0)
	clear(x.patience)
	for i := range s.size {
		x.above[i], x.low[i], x.high[i] = 0, 0, s.capacity-s.size[i]
		if s.pin[i] >= 0 {
			x.low[i], x.high[i] = s.pin[i], min(s.pin[i], x.high[i])
		} else if !s.settle(x, i) {
			return doesNotFit
		}
		if x.low[i] > x.high[i] {
			return doesNotFit
		}
	}
	return s.decide(0, ^uint64(0)>>(64-len(s.size)))
}

// state returns the state at a depth.
func (s *windows) state(depth int) *windowState {
	n := len(s.size)
	for len(s.depth) <= depth {
		s.depth = append(s.depth, windowState{make([]uint64, n), make([]int64, n), make([]int64, n), make([]int32, len(s.cliques))})
	}
	return &s.depth[depth]
}

// settle moves the ends of a window to the next places that a buffer may have; it is false if there are none.
func (s *windows) settle(x *windowState, i int) bool {
	if s.pin[i] < 0 {
		x.low[i] = lowestFrom(x.low[i], s.size[i], s.align[i], s.pins[i])
		x.high[i] = highestTo(x.high[i], s.size[i], s.align[i], s.pins[i])
	}
	s.dirty |= 1 << i
	if x.low[i] > x.high[i] {
		s.weight[i]++
		return false
	}
	return true
}

// lowestFrom returns the lowest place for a buffer that isn't below a number.
func lowestFrom(from, size, align int64, pins []block) int64 {
	from = alignUp(from, align)
	for _, b := range pins {
		if b.end > from && b.offset < from+size {
			from = alignUp(b.end, align)
		}
	}
	return from
}

// highestTo returns the highest place for a buffer that isn't above a number; below zero if there is none.
func highestTo(to, size, align int64, pins []block) int64 {
	down := func(x int64) int64 {
		if x < 0 {
			return -1
		}
		return x - x%align
	}
	to = down(to)
	for k := len(pins) - 1; k >= 0; k-- {
		if b := pins[k]; b.end > to && b.offset < to+size {
			to = down(b.offset - size)
		}
	}
	return to
}

// decide decides what is left to decide, one pair after another one, after something about some buffers has changed.
func (s *windows) decide(depth int, dirty uint64) verdict {
	s.decisions++
	if s.nodes += decisionNodes; s.nodes > s.limit || s.decisions%16 == 0 && s.stop() {
		return gaveUp
	}
	x := s.state(depth)
	if !s.propagate(x, dirty) {
		return doesNotFit
	}
	i, j := s.pair(x)
	if i < 0 {
		copy(s.offset, x.low)
		return fits
	}
	if x.high[j]-x.low[i]-s.size[i] < x.high[i]-x.low[j]-s.size[j] {
		i, j = j, i
	}
	for range 2 {
		next := s.state(depth + 1)
		x = s.state(depth)
		copy(next.above, x.above)
		copy(next.low, x.low)
		copy(next.high, x.high)
		copy(next.patience, x.patience)
		next.above[i] |= 1 << j
		if v := s.decide(depth+1, 1<<i|1<<j); v != doesNotFit {
			return v
		}
		i, j = j, i
	}
	return doesNotFit
}

// pair returns two buffers that overlap at their lowest places, those with the least room to decide; -1 if there are none.
func (s *windows) pair(x *windowState) (first, second int) {
	first, best := -1, 0.0
	for i := range s.size {
		for w := s.conflict[i] >> (i + 1) << (i + 1); w != 0; w &= w - 1 {
			j := bits.TrailingZeros64(w)
			if x.low[i]+s.size[i] <= x.low[j] || x.low[j]+s.size[j] <= x.low[i] {
				continue
			}
			one, other := float64(x.high[j]-x.low[i]-s.size[i]), float64(x.high[i]-x.low[j]-s.size[j])
			room := (1 + min(one, other) + max(one, other)/4) / ((1 + s.weight[i] + s.weight[j]) * s.key[i] * s.key[j])
			if first < 0 || room < best {
				first, second, best = i, j, room
			}
		}
	}
	return first, second
}

// propagate makes windows smaller by all rules, from buffers whose windows or pairs have changed on, until nothing changes; it is false if one has no place left.
func (s *windows) propagate(x *windowState, dirty uint64) bool {
	s.dirty = dirty
	clear(s.pending)
	for {
		if !s.propagatePairs(x) {
			return false
		}
		k := slices.Index(s.pending, true)
		if k < 0 {
			return true
		}
		s.pending[k] = false
		if !s.inOrder(x, k) {
			return false
		}
	}
}

// propagatePairs is propagate with the rules that are fast.
func (s *windows) propagatePairs(x *windowState) bool {
	all := uint64(0)
	for s.dirty != 0 {
		touched := uint64(0)
		for s.dirty != 0 {
			i := bits.TrailingZeros64(s.dirty)
			s.dirty &^= 1 << i
			touched |= 1 << i
			if !s.pairsOf(x, i) {
				return false
			}
		}
		all |= touched
		for _, c := range s.cliques {
			if c&touched != 0 && !s.together(x, c) {
				return false
			}
		}
	}
	for k, c := range s.cliques {
		s.pending[k] = s.uneven[k] && (s.pending[k] || c&all != 0)
	}
	for _, sizes := range s.rounded {
		for _, c := range s.cliques {
			if c&all != 0 && !s.fitBetween(x, s.byEnd(x, c), sizes) {
				return false
			}
		}
	}
	return true
}

// pairsOf decides pairs with a buffer of which only one order fits, and makes windows of those that are decided smaller.
func (s *windows) pairsOf(x *windowState, i int) bool {
	for w := s.conflict[i]; w != 0; w &= w - 1 {
		j := bits.TrailingZeros64(w)
		below, above := x.above[i]>>j&1 == 1, x.above[j]>>i&1 == 1
		if !below && !above {
			canBelow, canAbove := x.low[i]+s.size[i] <= x.high[j], x.low[j]+s.size[j] <= x.high[i]
			switch {
			case !canBelow && !canAbove:
				s.weight[i]++
				s.weight[j]++
				return false
			case canBelow && canAbove:
				continue
			case canBelow:
				below = true
				x.above[i] |= 1 << j
			default:
				x.above[j] |= 1 << i
			}
		}
		lower, upper := i, j
		if !below {
			lower, upper = j, i
		}
		if !s.raise(x, upper, x.low[lower]+s.size[lower]) || !s.sink(x, lower, x.high[upper]-s.size[lower]) {
			return false
		}
	}
	return true
}

// raise makes a window begin at a place, or above it; it is false if nothing is left of it.
func (s *windows) raise(x *windowState, i int, to int64) bool {
	if to <= x.low[i] {
		return true
	}
	x.low[i] = to
	return s.settle(x, i)
}

// sink makes a window end at a place, or below it; it is false if nothing is left of it.
func (s *windows) sink(x *windowState, i int, to int64) bool {
	if to >= x.high[i] {
		return true
	}
	x.high[i] = to
	return s.settle(x, i)
}

// byEnd returns the members of a clique in the order of where their windows end.
func (s *windows) byEnd(x *windowState, clique uint64) []int {
	list := s.members[:0]
	for w := clique; w != 0; w &= w - 1 {
		i := bits.TrailingZeros64(w)
		end := x.high[i] + s.size[i]
		k := len(list)
		list = append(list, i)
		for ; k > 0 && x.high[list[k-1]]+s.size[list[k-1]] > end; k-- {
			list[k] = list[k-1]
		}
		list[k] = i
	}
	return list
}

// together makes windows of what is alive together smaller. It is false if buffers whose windows are between two places don't fit there.
func (s *windows) together(x *windowState, clique uint64) bool {
	list := s.byEnd(x, clique)
	if len(list) < 2 {
		return true
	}
	if !s.fitBetween(x, list, s.size) {
		return false
	}
	var sum int64
	var first, bottom, last, top two
	for _, i := range list {
		sum += s.size[i]
		first.add(-x.low[i]-s.size[i], i)
		bottom.add(-x.low[i], i)
		last.add(x.high[i], i)
		top.add(x.high[i]+s.size[i], i)
	}
	for _, i := range list {
		// If it isn't the lowest, or the highest, it is above, or below, another one.
		if x.low[i]+sum > top.without(i) && !s.raise(x, i, -first.without(i)) {
			return false
		}
		if x.high[i]+s.size[i]-sum < -bottom.without(i) && !s.sink(x, i, last.without(i)-s.size[i]) {
			return false
		}
	}
	return true
}

// two is the largest number of some, with whose it is, and the one after that.
type two struct {
	most, next int64
	of         int
	some       bool
}

func (t *two) add(n int64, of int) {
	switch {
	case !t.some:
		*t = two{n, math.MinInt64, of, true}
	case n > t.most:
		t.most, t.next, t.of = n, t.most, of
	default:
		t.next = max(t.next, n)
	}
}

// without returns the largest number but that of one.
func (t *two) without(of int) int64 {
	if t.of == of {
		return t.next
	}
	return t.most
}

// fitBetween tells whether, for each two places, the buffers of a clique that are between them fit there, with sizes that may be rounded up, but for the topmost. Those without
// a size don't count. They are in the order of where their windows end.
func (s *windows) fitBetween(x *windowState, list []int, sizes []int64) bool {
	for _, from := range list {
		if sizes[from] == 0 {
			continue
		}
		low := x.low[from]
		var sum, saved int64
		for _, i := range list {
			if x.low[i] < low || sizes[i] == 0 {
				continue
			}
			saved = max(saved, sizes[i]-s.size[i])
			if sum += sizes[i]; low+sum-saved > x.high[i]+s.size[i] {
				s.weight[i]++
				s.weight[from]++
				return false
			}
		}
	}
	return true
}
