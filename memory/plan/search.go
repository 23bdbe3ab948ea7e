package plan

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// search looks for a plan within a capacity, and for a proof that there is none.
//
// It builds plans from the bottom up, and only such as nothing in them can sink: each
// buffer is at offset 0 or on top of another. Each point of time has a floor, below which
// nothing more is placed. A run is a longest range of points with the same floor; a valley
// is a run between higher ones. What can lie on the ground of a valley are the buffers
// that are alive within it only; where no such buffer is alive, the floor rises to that of
// the lower side. So choices are left at points of valleys, where one of some buffers lies
// on the ground, or none, and then the floor rises to where the next could be. What rises
// without a buffer is lost; where what isn't placed no longer fits between the floor and
// the capacity, the search goes back. It decides next where there is least choice and where
// it failed most, splits the problem where no buffer that isn't placed crosses, and
// remembers floors, with what is left, that have failed.
//
// From M. Moffitt, "MiniMalloc: A Lightweight Memory Allocator for Hardware-Accelerated
// Machine Learning" (ASPLOS 2023) are the sections of time with their floors and sums, the
// plans in which nothing sinks, and the splitting; from strip packing is to decide what
// lies on the ground of a valley; from constraint programming to go where the choice is
// least and failures are most, and to start again with other orders.
type search struct {
	*model
	capacity int64

	floor  []int64
	left   []int64 // sum of the sizes of buffers at the point that aren't placed
	count  []int32 // number of these
	across []int32 // number of those whose hull crosses from the point before
	placed []bool
	offset []int64
	trail  []floorChange

	starts     []spanStart // spans by their first point
	startsAt   []int32     // where those of each point begin
	candidates []int32     // how many buffers can lie on the ground at a point
	scores     *scoreTree
	weight     []float32 // of points, by how often they failed
	key        []float64 // buffers with higher ones are tried first
	smallest   int64     // size

	class      []int32   // equal for buffers that differ in nothing
	names      []hash128 // of buffers
	unplacedAt []hash128 // names of the buffers that aren't placed, by their first point
	failed     failedSet
	deficit    int64 // by how much the capacity has to be larger for any other outcome

	choice       []int32 // buffers that can be placed next, at all open decisions
	dirty        span    // where scores may be wrong
	nodes, limit int64
	stop         func() bool
}

type floorChange struct {
	point int32
	floor int64
}

type spanStart struct {
	buffer, hi int32
	first      bool // the first span of its buffer
}

// verdict is the outcome of a search.
type verdict int8

const (
	gaveUp verdict = iota
	fits
	doesNotFit
)

// never is a floor that isn't reached.
const never = math.MaxInt64

func newSearch(m *model) *search {
	n := len(m.size)
	s := &search{
		model: m, floor: make([]int64, m.points), left: make([]int64, m.points), count: make([]int32, m.points),
		across: make([]int32, m.points+1), placed: make([]bool, n), offset: make([]int64, n),
		startsAt: make([]int32, m.points+1), candidates: make([]int32, m.points+1),
		scores: newScoreTree(m.points), weight: make([]float32, m.points), key: make([]float64, n),
		smallest: slices.Min(m.size), names: make([]hash128, n), unplacedAt: make([]hash128, m.points), class: classes(m),
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range m.size {
		s.names[i] = hash128{rng.Uint64(), rng.Uint64()}
		for _, sp := range m.spans[i] {
			s.startsAt[sp.lo]++
		}
	}
	var sum int32
	for p, c := range s.startsAt {
		s.startsAt[p] = sum
		sum += c
	}
	s.starts = make([]spanStart, sum)
	next := slices.Clone(s.startsAt)
	for i := range m.size {
		for k, sp := range m.spans[i] {
			s.starts[next[sp.lo]] = spanStart{int32(i), sp.hi, k == 0}
			next[sp.lo]++
		}
	}
	return s
}

// reset forgets everything, for another capacity.
func (s *search) reset(capacity int64) {
	s.capacity, s.deficit = capacity, never
	s.failed = failedSet{}
	clear(s.weight)
}

// clear takes all buffers out.
func (s *search) clear() {
	clear(s.floor)
	clear(s.left)
	clear(s.count)
	clear(s.across)
	clear(s.placed)
	clear(s.unplacedAt)
	s.trail, s.choice = s.trail[:0], s.choice[:0]
	for i := range s.size {
		s.admit(int32(i), 1)
	}
}

// run searches until it has tried a number of placings, or stop says so; buffers with higher keys are tried first.
func (s *search) run(limit int64, key []float64, stop func() bool) verdict {
	s.nodes, s.limit, s.key, s.stop = 0, limit, key, stop
	s.clear()
	return s.part(0, int32(s.points), span{0, int32(s.points)})
}

func (s *search) result() (offsets []int64, deficit, nodes int64) {
	return s.offset, s.deficit, s.nodes
}

// admit counts a buffer among those that aren't placed (d is 1), or no longer (-1).
func (s *search) admit(i int32, d int32) {
	size := int64(d) * s.size[i]
	for _, sp := range s.spans[i] {
		for p := sp.lo; p < sp.hi; p++ {
			s.left[p] += size
			s.count[p] += d
		}
	}
	h := s.hull(i)
	for p := h.lo + 1; p < h.hi; p++ {
		s.across[p] += d
	}
	s.unplacedAt[h.lo] = s.unplacedAt[h.lo].xor(s.names[i])
}

func (s *search) place(i int32, at int64) {
	s.placed[i], s.offset[i] = true, at
	s.admit(i, -1)
	for _, sp := range s.spans[i] {
		for p := sp.lo; p < sp.hi; p++ {
			s.setFloor(p, at+s.size[i])
		}
	}
}

func (s *search) unplace(i int32) {
	s.placed[i] = false
	s.admit(i, 1)
}

func (s *search) setFloor(p int32, f int64) {
	s.trail = append(s.trail, floorChange{p, s.floor[p]})
	s.floor[p] = f
}

// undo restores floors.
func (s *search) undo(mark int) {
	for k := len(s.trail) - 1; k >= mark; k-- {
		c := s.trail[k]
		s.floor[c.point] = c.floor
	}
	s.trail = s.trail[:mark]
}

// raise lifts a floor where no buffer lies on it, if then there is still room for what
// isn't placed.
func (s *search) raise(p int32, f int64) bool {
	if f > s.capacity-s.left[p] {
		if f != never {
			s.deficit = min(s.deficit, f-(s.capacity-s.left[p]))
		}
		s.weight[p]++
		return false
	}
	s.setFloor(p, f)
	return true
}

// valley is a run that is lower than its sides, or has none.
type valley struct {
	lo, hi int32
	floor  int64
	next   int64 // the lowest place above the ground for a buffer that isn't within the valley
	closed bool  // it can't be decided yet what lies on the ground
}

// runAt returns the run around a point. Runs end where no buffer is left.
func (s *search) runAt(p, lo, hi int32) (a, b int32) {
	f := s.floor[p]
	a, b = p, p+1
	for a > lo && s.floor[a-1] == f && s.count[a-1] > 0 {
		a--
	}
	for b < hi && s.floor[b] == f && s.count[b] > 0 {
		b++
	}
	return a, b
}

// valleyOf returns the run from a to b as a valley, if it is one.
func (s *search) valleyOf(a, b, lo, hi int32) (valley, bool) {
	v := valley{lo: a, hi: b, floor: s.floor[a], next: never}
	if a > lo && s.count[a-1] > 0 {
		v.next = s.floor[a-1]
	}
	if b < hi && s.count[b] > 0 {
		v.next = min(v.next, s.floor[b])
	}
	return v, v.next > v.floor
}

// lies says whether a buffer that has a span within a valley can lie on its ground. If
// not, it adapts the valley's next place, or closes it.
func (s *search) lies(i int32, v *valley) bool {
	if len(s.spans[i]) > 1 {
		low, high := v.floor, v.floor
		for _, sp := range s.spans[i] {
			for _, f := range s.floor[sp.lo:sp.hi] {
				low, high = min(low, f), max(high, f)
			}
		}
		if high > v.floor {
			v.next = min(v.next, alignUp(high, s.align[i]))
			return false
		}
		if low < v.floor {
			// It may lie here, but others may have to be below it elsewhere.
			v.closed = true
			return false
		}
	}
	if s.aligned {
		if f := alignUp(v.floor, s.align[i]); f > v.floor {
			v.next = min(v.next, f)
			return false
		}
	}
	return true
}

// settle brings floors and scores up to date in the part from lo to hi, after floors or
// what isn't placed have changed in the range. It is false if something no longer fits.
// s.dirty becomes the range that was looked at.
func (s *search) settle(lo, hi int32, r span) bool {
	if s.gaps {
		r = span{lo, hi}
	}
	r.lo, r.hi = max(r.lo-1, lo), min(r.hi+1, hi)
	if s.count[r.lo] > 0 {
		r.lo, _ = s.runAt(r.lo, lo, hi)
	}
	from, to := r.lo, r.hi
	defer func() { s.dirty = span{from, to} }()
	for a := r.lo; a < to; {
		if s.count[a] == 0 {
			s.scores.set(a, noScore, hash128{})
			a++
			continue
		}
		_, b := s.runAt(a, a, hi)
		v, ok := s.valleyOf(a, b, lo, hi)
		raised := false
		if ok {
			s.countCandidates(&v)
			if !v.closed {
				for p := a; p < b; p++ {
					if s.candidates[p] == 0 {
						if !s.raise(p, v.next) {
							return false
						}
						raised = true
					}
				}
			}
		}
		if raised {
			// The run has become several, or one with a side of it.
			to = max(to, min(b+1, hi))
			if a > lo && s.count[a-1] > 0 {
				a, _ = s.runAt(a-1, lo, hi)
			}
			if s.gaps {
				a = lo // and what can lie elsewhere may have changed
			}
			from = min(from, a)
			continue
		}
		for p := a; p < b; p++ {
			score := float32(noScore)
			if ok && !v.closed {
				score = float32(s.candidates[p])
				if s.capacity-s.floor[p] > s.left[p] {
					score++
				}
				score /= 1 + s.weight[p]
			}
			s.scores.set(p, score, hashFloor(p, s.floor[p]).xor(s.unplacedAt[p]))
		}
		a = b
		to = max(to, a)
	}
	s.scores.update(from, to)
	return true
}

// countCandidates counts, for each point of a valley, the buffers that can lie on its
// ground there.
func (s *search) countCandidates(v *valley) {
	c := s.candidates[v.lo : v.hi+1]
	clear(c)
	for p := v.lo; p < v.hi; p++ {
		for _, st := range s.starts[s.startsAt[p]:s.startsAt[p+1]] {
			if st.hi <= v.hi && !s.placed[st.buffer] && s.lies(st.buffer, v) {
				c[p-v.lo]++
				c[st.hi-v.lo]--
			}
		}
	}
	var sum int32
	for k, d := range c {
		sum += d
		c[k] = sum
	}
}

// part searches for a plan of what is between two points, where no buffer that isn't
// placed crosses, after something has changed in a range. If there is none, everything is
// as before, but for scores in the range s.dirty. If it gives up, nothing is restored.
func (s *search) part(lo, hi int32, changed span) verdict {
	if s.nodes++; s.nodes > s.limit || s.nodes%64 == 0 && s.stop() {
		return gaveUp
	}
	for p := max(changed.lo, lo) + 1; p < min(changed.hi, hi); p++ {
		if s.across[p] == 0 {
			return s.split(lo, hi, changed)
		}
	}
	if s.count[lo] == 0 {
		return fits // of one point, and done
	}
	mark := len(s.trail)
	ok := s.settle(lo, hi, changed)
	own := s.dirty
	fail := func() verdict {
		s.undo(mark)
		s.dirty = own
		return doesNotFit
	}
	if !ok {
		return fail()
	}
	best := s.scores.best(lo, hi)
	if s.failed.has(best.state) {
		return fail()
	}
	p := best.point
	v, next, base := s.choices(p, lo, hi)
	end := len(s.choice)
	for k := base; k < end; k++ {
		s.choice = s.choice[:end]
		s.order(k, base)
		i := s.choice[k]
		if slices.ContainsFunc(s.choice[base:k], func(j int32) bool { return s.class[j] == s.class[i] }) {
			continue
		}
		m := len(s.trail)
		s.place(i, v.floor)
		if v := s.part(lo, hi, s.hull(i)); v != doesNotFit {
			return v
		}
		s.undo(m)
		s.unplace(i)
		s.settle(lo, hi, s.dirty.union(s.hull(i)))
	}
	s.choice = s.choice[:base]
	if s.raise(p, next) {
		if v := s.part(lo, hi, span{p, p + 1}); v != doesNotFit {
			return v
		}
		own = own.union(s.dirty)
	}
	s.failed.add(best.state)
	return fail()
}

// choices appends to s.choice, from base on, the buffers that can lie on the ground at a
// point of a valley, and returns where else the next could lie: on a side of the valley,
// or on a buffer that lies on the ground beside the point.
func (s *search) choices(p, lo, hi int32) (v valley, next int64, base int) {
	a, b := s.runAt(p, lo, hi)
	v, _ = s.valleyOf(a, b, lo, hi)
	base = len(s.choice)
	beside := int64(never)
	for q := a; q < b; q++ {
		for _, st := range s.starts[s.startsAt[q]:s.startsAt[q+1]] {
			i := st.buffer
			if st.hi > b || s.placed[i] || !s.lies(i, &v) {
				continue
			}
			if q <= p && p < st.hi {
				s.choice = append(s.choice, i)
				if len(s.spans[i]) > 1 {
					// What it would lie on may be elsewhere.
					beside = min(beside, v.floor+s.smallest)
				}
			} else {
				beside = min(beside, v.floor+s.size[i])
			}
		}
	}
	return v, min(v.next, beside), base
}

// order brings the choice to try next to place k: at first only that one, then all.
func (s *search) order(k, base int) {
	before := func(i, j int32) int { return cmp.Or(cmp.Compare(s.key[j], s.key[i]), cmp.Compare(i, j)) }
	switch rest := s.choice[k:]; k - base {
	case 0:
		best := 0
		for j := range rest {
			if before(rest[j], rest[best]) < 0 {
				best = j
			}
		}
		rest[0], rest[best] = rest[best], rest[0]
	case 1:
		slices.SortFunc(rest, before)
	}
}

// split searches the parts of a part one by one, those with the fewest buffers first.
func (s *search) split(lo, hi int32, changed span) verdict {
	type half struct {
		span
		buffers int
	}
	var parts []half
	for a, p := lo, lo+1; p <= hi; p++ {
		if p < hi && s.across[p] > 0 {
			continue
		}
		if s.count[a] > 0 {
			x := half{span{a, p}, 0}
			s.unplaced(x.span, func(int32) { x.buffers++ })
			parts = append(parts, x)
		}
		a = p
	}
	slices.SortStableFunc(parts, func(x, y half) int { return cmp.Compare(x.buffers, y.buffers) })
	mark := len(s.trail)
	var done []int32
	base := 0
	for k, x := range parts {
		base = len(done)
		if k < len(parts)-1 {
			s.unplaced(x.span, func(i int32) { done = append(done, i) })
		}
		if v := s.part(x.lo, x.hi, span{max(x.lo, changed.lo), min(x.hi, changed.hi)}); v == gaveUp {
			return v
		} else if v == doesNotFit {
			s.undo(mark)
			for _, i := range done[:base] {
				s.unplace(i)
			}
			s.dirty = s.dirty.union(changed)
			if k > 0 {
				s.dirty = span{lo, hi}
			}
			return doesNotFit
		}
	}
	return fits
}

// unplaced calls f with the buffers in a range that aren't placed.
func (s *search) unplaced(r span, f func(int32)) {
	for _, st := range s.starts[s.startsAt[r.lo]:s.startsAt[r.hi]] {
		if st.first && !s.placed[st.buffer] {
			f(st.buffer)
		}
	}
}
