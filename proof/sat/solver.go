// Package sat decides whether a formula in clauses can be satisfied, by conflict-driven
// clause learning (Marques-Silva, Sakallah: "GRASP", 1999) with watched literals and
// activities of variables (Moskewicz and others: "Chaff", 2001). It is small: its formulas
// are those of package check, which are large now and then, but seldom hard; those that are can be given up ([Solver.SolveWithin]).
//
// A solver keeps no state outside of itself, and solves the same formula the same way
// each time.
package sat

import "math"

// A Solver holds one formula. Literals are numbers as in DIMACS: variable n, from 1 on, or
// -n for its negation.
type Solver struct {
	clauses []clause
	watches [][]watch // by literal
	values  []int8    // by literal: 1 true, -1 false, 0 unknown
	level   []int32   // by variable
	reason  []int32   // by variable: the clause that it follows from, or none
	phase   []bool    // by variable: what it was last
	trail   []lit
	limits  []int // where each level starts on the trail
	head    int   // of the part of the trail that wasn't propagated yet

	activity []float64
	step     float64
	heap     []int32 // of variables, the most active one first
	place    []int32 // of variables in the heap, -1 if they aren't there

	seen []bool
	// unsatisfiable tells that the empty clause follows.
	unsatisfiable bool
	// learned are the clauses that follow from those that were added, in the order in
	// which they were found, if Proof was asked for.
	learned [][]int
	log     bool
}

// lit is 2 * variable, plus one if it is negated.
type lit int32

func (l lit) not() lit        { return l ^ 1 }
func (l lit) variable() int32 { return int32(l >> 1) }

const none = -1

type clause struct{ lits []lit }

// watch is a clause that waits for a literal to become false; other is another literal of
// it, which may be true already.
type watch struct {
	clause int32
	other  lit
}

// New returns a solver for formulas about so many variables.
func New(variables int) *Solver {
	n := variables + 1
	s := &Solver{
		watches: make([][]watch, 2*n), values: make([]int8, 2*n), level: make([]int32, n), reason: make([]int32, n),
		phase: make([]bool, n), activity: make([]float64, n), step: 1, place: make([]int32, n), seen: make([]bool, n),
	}
	for v := 1; v < n; v++ {
		s.place[v] = int32(len(s.heap))
		s.heap = append(s.heap, int32(v))
	}
	return s
}

// LogProof makes the solver keep what it learns, for Proof. It must be called before
// clauses are added.
func (s *Solver) LogProof() { s.log = true }

// Proof returns, once Solve returned false, clauses that end with the empty one. Each
// follows from those that were added and those before it by unit propagation alone
// (Goldberg, Novikov: "Verification of proofs of unsatisfiability for CNF formulas",
// 2003).
func (s *Solver) Proof() [][]int { return s.learned }

func internal(n int) lit {
	if n < 0 {
		return lit(-2*n + 1)
	}
	return lit(2 * n)
}

func external(l lit) int {
	if l&1 != 0 {
		return -int(l.variable())
	}
	return int(l.variable())
}

// Add adds a clause: one of the literals must be true.
func (s *Solver) Add(literals ...int) {
	if s.unsatisfiable {
		return
	}
	lits := make([]lit, 0, len(literals))
	for _, n := range literals {
		l := internal(n)
		switch {
		case s.values[l] > 0 || contains(lits, l.not()):
			return
		case s.values[l] == 0 && !contains(lits, l):
			lits = append(lits, l)
		}
	}
	if !s.insert(lits) {
		s.refuted()
	}
}

func contains(lits []lit, l lit) bool {
	for _, m := range lits {
		if m == l {
			return true
		}
	}
	return false
}

// insert adds a clause of unknown literals at level 0. It returns false if the clause
// can't hold.
func (s *Solver) insert(lits []lit) bool {
	switch len(lits) {
	case 0:
		return false
	case 1:
		s.assign(lits[0], none)
		return s.propagate() == none
	}
	s.attach(lits)
	return true
}

func (s *Solver) attach(lits []lit) int32 {
	c := int32(len(s.clauses))
	s.clauses = append(s.clauses, clause{lits})
	s.watches[lits[0]] = append(s.watches[lits[0]], watch{c, lits[1]})
	s.watches[lits[1]] = append(s.watches[lits[1]], watch{c, lits[0]})
	return c
}

func (s *Solver) refuted() {
	s.unsatisfiable = true
	if s.log {
		s.learned = append(s.learned, nil)
	}
}

func (s *Solver) assign(l lit, reason int32) {
	v := l.variable()
	s.values[l], s.values[l.not()] = 1, -1
	s.level[v], s.reason[v], s.phase[v] = int32(len(s.limits)), reason, l&1 == 0
	s.trail = append(s.trail, l)
}

// propagate assigns what follows from the trail. It returns a clause that is false then,
// or none.
func (s *Solver) propagate() int32 {
	for s.head < len(s.trail) {
		falsified := s.trail[s.head].not()
		s.head++
		ws := s.watches[falsified]
		kept := ws[:0]
		for n, w := range ws {
			if s.values[w.other] > 0 {
				kept = append(kept, w)
				continue
			}
			lits := s.clauses[w.clause].lits
			if lits[0] == falsified {
				lits[0], lits[1] = lits[1], lits[0]
			}
			if s.values[lits[0]] > 0 {
				kept = append(kept, watch{w.clause, lits[0]})
				continue
			}
			moved := false
			for i := 2; i < len(lits); i++ {
				if s.values[lits[i]] >= 0 {
					lits[1], lits[i] = lits[i], lits[1]
					s.watches[lits[1]] = append(s.watches[lits[1]], watch{w.clause, lits[0]})
					moved = true
					break
				}
			}
			if moved {
				continue
			}
			kept = append(kept, w)
			if s.values[lits[0]] < 0 {
				kept = append(kept, ws[n+1:]...)
				s.watches[falsified] = kept
				return w.clause
			}
			s.assign(lits[0], w.clause)
		}
		s.watches[falsified] = kept
	}
	return none
}

// Solve tells whether the formula can be satisfied.
func (s *Solver) Solve() bool {
	satisfiable, _ := s.SolveWithin(math.MaxInt)
	return satisfiable
}

// SolveWithin is Solve for a limited number of conflicts; conflicts is how many there were. If these are more than the limit, it isn't known
// whether the formula can be satisfied.
func (s *Solver) SolveWithin(limit int) (satisfiable bool, conflicts int) {
	for restart := 1; !s.unsatisfiable; restart++ {
		for left := 100 * luby(restart); ; {
			c := s.propagate()
			if c == none {
				if left <= 0 {
					s.backtrack(0)
					break
				}
				if !s.decide() {
					return true, conflicts
				}
				continue
			}
			if len(s.limits) == 0 {
				s.refuted()
				return false, conflicts
			}
			s.learn(c)
			left--
			if conflicts++; conflicts > limit {
				return false, conflicts
			}
		}
	}
	return false, conflicts
}

// Value tells whether a variable is true, once Solve returned true.
func (s *Solver) Value(variable int) bool { return s.values[2*variable] > 0 }

// decide gives a variable a value. It returns false if all have one.
func (s *Solver) decide() bool {
	for len(s.heap) > 0 {
		v := s.pop()
		if s.values[2*v] != 0 {
			continue
		}
		s.limits = append(s.limits, len(s.trail))
		l := lit(2 * v)
		if !s.phase[v] {
			l = l.not()
		}
		s.assign(l, none)
		return true
	}
	return false
}

func (s *Solver) backtrack(level int) {
	if len(s.limits) <= level {
		return
	}
	start := s.limits[level]
	for i := len(s.trail) - 1; i >= start; i-- {
		l := s.trail[i]
		s.values[l], s.values[l.not()] = 0, 0
		if v := l.variable(); s.place[v] < 0 {
			s.push(v)
		}
	}
	s.trail, s.limits, s.head = s.trail[:start], s.limits[:level], start
}

// learn adds the clause that the conflict shows (the first unique implication point), and
// goes back to where it says something new.
func (s *Solver) learn(conflict int32) {
	out := []lit{0} // the first is the one that changes
	current := int32(len(s.limits))
	open := 0 // literals of this level that are still to be explained
	at := len(s.trail)
	c := conflict
	var p lit
	for first := true; first || open > 0; first = false {
		lits := s.clauses[c].lits
		if !first {
			lits = lits[1:] // but for p, which it implies
		}
		for _, l := range lits {
			v := l.variable()
			if s.seen[v] || s.level[v] == 0 {
				continue
			}
			s.seen[v] = true
			s.bump(v)
			if s.level[v] == current {
				open++
			} else {
				out = append(out, l)
			}
		}
		for at--; !s.seen[s.trail[at].variable()]; at-- {
		}
		p = s.trail[at]
		s.seen[p.variable()] = false
		open--
		c = s.reason[p.variable()]
	}
	out[0] = p.not()
	back := 0
	for i := 1; i < len(out); i++ {
		v := out[i].variable()
		s.seen[v] = false
		if l := int(s.level[v]); l > back {
			back = l
			out[1], out[i] = out[i], out[1]
		}
	}
	if s.log {
		ext := make([]int, len(out))
		for i, l := range out {
			ext[i] = external(l)
		}
		s.learned = append(s.learned, ext)
	}
	s.backtrack(back)
	reason := int32(none)
	if len(out) > 1 {
		reason = s.attach(out)
	}
	s.assign(out[0], reason)
	s.step /= 0.95
}

// luby is the restart sequence 1, 1, 2, 1, 1, 2, 4, ... (Luby, Sinclair, Zuckerman, 1993).
func luby(i int) int {
	for k := 1; ; k++ {
		switch n := 1<<k - 1; {
		case i == n:
			return 1 << (k - 1)
		case i < n:
			return luby(i - (1<<(k-1) - 1))
		}
	}
}

func (s *Solver) bump(v int32) {
	if s.activity[v] += s.step; s.activity[v] > 1e100 {
		for i := range s.activity {
			s.activity[i] *= 1e-100
		}
		s.step *= 1e-100
	}
	if s.place[v] >= 0 {
		s.up(s.place[v])
	}
}

// before tells whether variable a is decided before b: of equally active ones, the last,
// which formulas name before what they are parts of.
func (s *Solver) before(a, b int32) bool {
	return s.activity[a] > s.activity[b] || s.activity[a] == s.activity[b] && a > b
}

func (s *Solver) put(i, v int32) { s.heap[i], s.place[v] = v, i }

func (s *Solver) up(i int32) {
	v := s.heap[i]
	for i > 0 {
		parent := (i - 1) / 2
		if !s.before(v, s.heap[parent]) {
			break
		}
		s.put(i, s.heap[parent])
		i = parent
	}
	s.put(i, v)
}

func (s *Solver) down(i int32) {
	v := s.heap[i]
	for {
		child := 2*i + 1
		if int(child) >= len(s.heap) {
			break
		}
		if int(child+1) < len(s.heap) && s.before(s.heap[child+1], s.heap[child]) {
			child++
		}
		if !s.before(s.heap[child], v) {
			break
		}
		s.put(i, s.heap[child])
		i = child
	}
	s.put(i, v)
}

func (s *Solver) push(v int32) {
	s.heap = append(s.heap, v)
	s.place[v] = int32(len(s.heap) - 1)
	s.up(s.place[v])
}

func (s *Solver) pop() int32 {
	v := s.heap[0]
	last := s.heap[len(s.heap)-1]
	s.heap = s.heap[:len(s.heap)-1]
	s.place[v] = -1
	if len(s.heap) > 0 {
		s.put(0, last)
		s.down(0)
	}
	return v
}
