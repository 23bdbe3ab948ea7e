package tile

import (
	"slices"
)

// group is a group of operations, each of which computes some rows in each step.
type group struct {
	b      *block
	places []int // of the operations, in order
	member []*member
	grown  *growth
	last   int
	rows   int64 // of the last operation, in a step
	// lead is how many steps there are before the first one that computes rows of the last operation: others begin there, so that they needn't compute all
	// rows for its first one at once.
	lead  int
	steps []step
	// single is the same group with a row in a step, for the rows that are left if it isn't known how many there are.
	single *group
}

// step is what is computed at a time, by the place of the operation in the group.
type step []part

// part is what an operation does in a step.
type part struct {
	// rows are computed, window are there for what reads them: these, and those that are kept from the step before.
	rows, window span
	// kept are the rows that a later step needs once more.
	kept span
}

// groupOf returns the group of a choice with so many rows of the last operation in a step, and so many steps ahead of the first; false if it doesn't come
// about, or in too many steps.
func (b *block) groupOf(c *choice, rows int64, lead int) (*group, bool) {
	grown := b.grow(c.start, rows)
	for at := c.last; at >= c.first; at-- {
		if !grown.take(at) {
			return nil, false
		}
	}
	grown.peak(c.first) // which says what is kept in place
	g := &group{b: b, grown: grown, member: grown.members, last: c.last, rows: rows, lead: lead}
	for _, m := range slices.Backward(grown.order) {
		g.places = append(g.places, m.at)
	}
	if n := grown.members[c.last].size; (n+rows-1)/rows > mostSteps {
		return nil, false
	}
	g.simulate()
	if g.checkOverlays(); !g.isUncounted() {
		return g, true
	}
	if rows > 1 {
		var ok bool
		if g.single, ok = b.groupOf(c, 1, lead); !ok {
			return nil, false
		}
	}
	return g, g.isUniform()
}

// isUncounted tells whether only an execution knows how many rows there are.
func (g *group) isUncounted() bool { return g.member[g.last].uncounted }

// isUniform tells whether each step computes the rows with the same numbers of all operations, and keeps none: then there may be any number of steps.
func (g *group) isUniform() bool {
	for i, s := range g.steps {
		for _, p := range s {
			if rows := (span{int64(i) * g.rows, int64(i+1) * g.rows}); p.rows != rows || p.window != rows || !p.kept.empty() {
				return false
			}
		}
	}
	return true
}

// mostSteps bounds how many steps are looked at.
const mostSteps = 1 << 12

// simulate finds out what each step does. Linear in the number of steps and the size of the group.
func (g *group) simulate() {
	var gapless map[int]bool
	for {
		again := g.forward(gapless)
		if len(again) == len(gapless) {
			break
		}
		gapless = again
	}
	g.keep()
}

// forward goes through the steps. Operations may leave out rows that nobody needs, unless they are in the set; it returns those that must not
// leave out any, since rows that are kept must be next to those that come.
func (g *group) forward(gapless map[int]bool) map[int]bool {
	again := map[int]bool{}
	for at := range gapless {
		again[at] = true
	}
	done := make([]int64, len(g.places))
	n := g.member[g.last].size
	g.steps = make([]step, int((n+g.rows-1)/g.rows)+g.lead)
	for i := range g.steps {
		s := make(step, len(g.places))
		wanted, ahead := make([]span, len(g.places)), make([]int64, len(g.places))
		from := int64(i-g.lead) * g.rows
		wanted[len(wanted)-1] = span{from, from + g.rows}.within(n)
		ahead[len(wanted)-1] = from + g.rows
		for at, more := range g.grown.others {
			k, _ := slices.BinarySearch(g.places, at)
			ahead[k] = floorDiv((from+g.rows)*g.member[at].size, n) + more
		}
		for k := len(g.places) - 1; k >= 0; k-- {
			m := g.member[g.places[k]]
			rows := wanted[k]
			if m.once {
				rows = m.next(wanted[k], min(ahead[k], m.size), done[k], i == len(g.steps)-1, gapless[g.places[k]])
				if !wanted[k].empty() && wanted[k].lo < done[k] && !m.output {
					again[g.places[k]] = true
				}
				done[k] = max(done[k], rows.hi)
			}
			s[k] = part{rows: rows, window: wanted[k].hull(rows)}
			for _, r := range m.reads {
				p := g.index(r)
				if p < 0 {
					continue
				}
				ahead[p] = max(ahead[p], r.of(span{ahead[k] - 1, ahead[k]}).hi)
				if !rows.empty() {
					wanted[p] = wanted[p].hull(r.of(rows).within(g.member[g.places[p]].size))
				}
			}
		}
		g.steps[i] = s
	}
	return again
}

// next returns the rows that an operation computes which computes each row once: those that are wanted now, and those that it has to be ahead.
func (m *member) next(wanted span, ahead, done int64, last, gapless bool) span {
	rows := span{done, max(done, wanted.hi, ahead)}
	if m.output && last {
		rows.hi = m.size
	}
	if !m.output && !gapless && !wanted.empty() {
		rows.lo = min(max(done, wanted.lo), rows.hi)
	}
	return rows
}

// index returns the place in the group of the operation whose rows are read; -1 if it isn't in the group.
func (g *group) index(r read) int {
	at := r.maker
	if at < 0 || g.member[at] == nil {
		return -1
	}
	k, _ := slices.BinarySearch(g.places, at)
	return k
}

// keep finds out what steps keep for later ones.
func (g *group) keep() {
	for k, at := range g.places {
		m := g.member[at]
		if !m.once || m.output {
			continue
		}
		var done []int64 // after each step
		d := int64(0)
		for i := range g.steps {
			if r := g.steps[i][k].rows; !r.empty() {
				d = r.hi
			}
			done = append(done, d)
		}
		lo := d
		for i := len(g.steps) - 1; i >= 0; i-- {
			p := &g.steps[i][k]
			p.kept = span{min(lo, done[i]), done[i]}
			if !p.window.empty() {
				lo = min(lo, p.window.lo)
			}
			// What is kept from before is a part of the window, also in steps that don't read it.
			if from := min(lo, done[i]); i > 0 && from < done[i-1] {
				p.window = span{from, done[i]}
			} else if !p.rows.empty() {
				p.window = p.window.hull(p.rows)
			}
		}
	}
}

// before returns what is kept of an operation from the step before.
func (g *group) before(i, k int) span {
	if i == 0 {
		return span{}
	}
	return g.steps[i-1][k].kept
}

// repetition are steps that do the same, with rows further on, as those a period before: so many times as many as a period has, from one of them on.
type repetition struct{ from, period, times int }

// fewestTimes is how often steps have to be repeated to become a loop; mostPeriods bounds of how many steps a period may be.
const fewestTimes, mostPeriods = 3, 64

// mostWritten is how many steps may be written one after the other, rather than in a loop with a period of several steps: a loop keeps rows for its next iteration in buffers
// of their own, where steps hand on what they have.
const mostWritten = 1024

// repeats returns the repetition that leaves the fewest steps to be written, of several that with the shortest period, which is one step unless these were many; none if there
// is nothing to be repeated.
func (g *group) repeats() (best repetition) {
	left := len(g.steps)
	for period := 1; period <= min(mostPeriods, len(g.steps)/fewestTimes) && period < left; period++ {
		if period > 1 && left <= mostWritten {
			break
		}
		r := g.repeatsAfter(period)
		if n := len(g.steps) - (r.times-1)*period; r.times >= fewestTimes && n < left {
			best, left = r, n
		}
	}
	return best
}

// repeatsAfter returns the longest repetition with a period. Linear in the number of steps and the size of the group.
func (g *group) repeatsAfter(period int) (best repetition) {
	for i := 0; i < len(g.steps); {
		j := i + period // behind those that are repeated
		for j < len(g.steps) && g.alike(j-period, j) && (j-2*period < i || g.shifts(j, period)) {
			j++
		}
		if times := (j - i) / period; times > best.times {
			best = repetition{i, period, times}
		}
		i = max(j-2*period+1, i+1)
	}
	return best
}

// alike tells whether two steps do the same, but for where.
func (g *group) alike(i, j int) bool {
	for k := range g.places {
		x, y := g.steps[i][k], g.steps[j][k]
		if x.rows.size() != y.rows.size() || x.window.size() != y.window.size() || x.kept.size() != y.kept.size() || g.before(i, k).size() != g.before(j, k).size() ||
			!x.rows.empty() && x.rows.lo-x.window.lo != y.rows.lo-y.window.lo || !x.kept.empty() && x.kept.lo-x.window.lo != y.kept.lo-y.window.lo {
			return false
		}
		if x.rows.empty() {
			continue
		}
		for _, r := range g.member[g.places[k]].reads {
			if !g.readsAlike(r, i, j, x.rows, y.rows) {
				return false
			}
		}
	}
	return true
}

// readsAlike tells whether two steps read as many rows, at the same place of what the steps have of them.
func (g *group) readsAlike(r read, i, j int, x, y span) bool {
	a, b := r.of(x), r.of(y)
	in, out := a.within(r.size), b.within(r.size)
	if in.size() != out.size() || in.lo-a.lo != out.lo-b.lo || a.size() != b.size() || r.div > 1 && r.scale*x.lo-r.div*a.lo != r.scale*y.lo-r.div*b.lo {
		return false
	}
	if p := g.index(r); p >= 0 && !g.member[g.places[p]].output {
		return in.empty() || in.lo-g.steps[i][p].window.lo == out.lo-g.steps[j][p].window.lo
	}
	return true
}

// shifts tells whether a step is as far from the one a period before as that is from the one a period before it.
func (g *group) shifts(j, period int) bool {
	for k := range g.places {
		x, y, z := g.steps[j-2*period][k], g.steps[j-period][k], g.steps[j][k]
		if y.rows.lo-x.rows.lo != z.rows.lo-y.rows.lo || y.window.lo-x.window.lo != z.window.lo-y.window.lo {
			return false
		}
		for _, r := range g.member[g.places[k]].reads {
			if a, b, c := r.of(x.rows).lo, r.of(y.rows).lo, r.of(z.rows).lo; b-a != c-b {
				return false
			}
		}
	}
	return true
}

// peak returns what is alive at most in the steps, if the operations from a place on are computed in them: as [growth.peak] does, but for each step.
func (g *group) peak(from int) (most int64) {
	grown := g.grown
	held := grown.whole(from)
	place := map[*member]int{}
	for k, at := range g.places {
		place[g.member[at]] = k
	}
	for i := range g.steps {
		var kept int64
		for k, at := range g.places {
			m, p := g.member[at], g.steps[i][k]
			rows := max(g.before(i, k).size(), p.kept.size())
			if m.inPlace && rows > 0 {
				rows = max(rows, p.window.size())
			}
			kept += aligned(rows * m.bytes)
		}
		in, _ := grown.walk(func(m *member) int64 { return g.steps[i][place[m]].window.size() })
		most = max(most, held+kept+in)
	}
	return max(most, grown.behind(from))
}
