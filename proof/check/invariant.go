package check

import "freehold/proof/kernel"

// clause is a disjunction of atoms of a loop, some of them negated.
type clause []clauseLit

type clauseLit struct {
	atom    int
	negated bool
}

// at returns the formula of a clause, given one for each atom.
func (a *analysis) at(c clause, of func(*atom) kernel.Lit, lp *loop) kernel.Lit {
	out := kernel.No
	for _, x := range c {
		l := of(&lp.atoms[x.atom])
		if x.negated {
			l = l.Not()
		}
		out = a.f.Or(out, l)
	}
	return out
}

func atHead(t *atom) kernel.Lit  { return t.head }
func atEntry(t *atom) kernel.Lit { return t.init }
func atNext(t *atom) kernel.Lit  { return t.next }

// findInvariants gives each loop the strongest invariant that is a conjunction of
// its candidates: it starts with all of them, and drops those that don't hold on
// entry, or after an iteration, until the rest is inductive. All loops are done
// together, since that of an inner loop may depend on that of an outer one. This is
// the algorithm of Houdini (Flanagan, Leino: "Houdini, an annotation assistant for
// ESC/Java", 2001). It returns false if the formulas are too large.
func (a *analysis) findInvariants(how thoroughness) bool {
	for i, lp := range a.loops {
		lp.number, lp.settled, lp.axioms = i, false, nil
		lp.invariant = a.candidates(lp, how)
	}
	// A loop depends on those before it, and on those inside it, which come later. One
	// that lost candidates makes those around it stale.
	stale := make([]bool, len(a.loops))
	next := 0
	for next < len(a.loops) {
		rest := next // after which loops are looked at anyway
		for i := next; i < len(a.loops); i++ {
			if i > rest && !stale[i] {
				continue
			}
			stale[i] = false
			dropped, ok := a.settle(a.loops[i])
			if !ok {
				return false
			}
			if dropped || !a.loops[i].settled {
				rest = len(a.loops)
			}
			a.loops[i].settled = true
			for p := a.loops[i].outer; dropped && p != nil; p = p.outer {
				stale[p.number] = true
			}
		}
		for next = 0; next < len(a.loops) && !stale[next]; next++ {
		}
	}
	return true
}

// settle drops candidates of a loop until the rest holds on entry and after each
// iteration. It tells whether there were such candidates.
func (a *analysis) settle(lp *loop) (dropped, ok bool) {
	for again := true; again; {
		again = false
		for _, step := range []struct {
			when kernel.Lit
			of   func(*atom) kernel.Lit
		}{{lp.entry, atEntry}, {lp.back, atNext}} {
			for {
				some, ok := a.drop(lp, step.when, step.of)
				if !ok {
					return false, false
				}
				if !some {
					break
				}
				dropped, again = true, true
				lp.axioms = nil
			}
		}
	}
	return dropped, true
}

// drop looks for a way in which some candidates don't hold, and drops those.
func (a *analysis) drop(lp *loop, when kernel.Lit, of func(*atom) kernel.Lit) (dropped, ok bool) {
	if len(lp.invariant) == 0 || when == kernel.No {
		return false, true
	}
	all := kernel.Yes
	then := make([]kernel.Lit, len(lp.invariant))
	for i, c := range lp.invariant {
		then[i] = a.at(c, of, lp)
		all = a.f.And(all, then[i])
	}
	m, ok := a.satisfy(then, when, all.Not())
	if m == nil {
		return false, ok
	}
	e := a.f.in(m)
	kept := lp.invariant[:0]
	for i, c := range lp.invariant {
		if e.holds(then[i]) {
			kept = append(kept, c)
		}
	}
	dropped = len(kept) < len(then)
	lp.invariant = kept
	return dropped, true
}

// satisfy returns a model of the goals, good for the mentioned formulas as well, in
// which the invariants of loops hold: where a loop is entered, its invariant holds at
// the head.
func (a *analysis) satisfy(mentioned []kernel.Lit, goals ...kernel.Lit) (model, bool) {
	return a.satisfyWith(map[*loop]bool{}, mentioned, goals...)
}

// satisfyWith is satisfy; it adds to seen the loops whose invariants it looked at.
func (a *analysis) satisfyWith(seen map[*loop]bool, mentioned []kernel.Lit, goals ...kernel.Lit) (model, bool) {
	return a.f.satisfy(func(variable int32) []kernel.Lit {
		lp := a.loopOf[variable]
		if lp == nil || seen[lp] {
			return nil
		}
		seen[lp] = true
		if lp.axioms == nil {
			lp.axioms = append([]kernel.Lit(nil), lp.naming...)
			for _, c := range lp.invariant {
				lp.axioms = append(lp.axioms, a.f.implies(lp.entry, a.at(c, atHead, lp)))
			}
		}
		return lp.axioms
	}, a.opts.MaxSolved, mentioned, goals...)
}

// maxCandidates limits the candidates of a loop.
const maxCandidates = 20000

// thoroughness is how many candidates for invariants are tried.
type thoroughness uint8

const (
	// likely candidates say how a boolean and the life of an object depend on where
	// one pointer points: "this boolean holds just if that buffer has to be freed".
	// There are (targets of pointers) * (booleans) of them.
	likely thoroughness = iota
	// all candidates are all clauses of two atoms, and those of three that are about
	// a pointer and two booleans, where a boolean may be a condition from before the loop.
	all
)

// candidates are the clauses that may be the invariant of a loop, while they are made.
type candidates struct {
	lp  *loop
	out []clause
	// lifeOf are the atoms for lives by objects, pointers those that say that a pointer points to an object, by objects.
	lifeOf   map[int]int
	pointers map[int][]int
	// booleans, targets and plain are the atoms for booleans, those for pointers, and all but the frozen ones.
	booleans, targets, plain []int
}

// candidates returns the clauses that may be the loop's invariant.
func (a *analysis) candidates(lp *loop, how thoroughness) []clause {
	c := &candidates{lp: lp, lifeOf: map[int]int{}, pointers: map[int][]int{}}
	c.single()
	c.lives()
	c.pointed()
	if how == all && c.conditions() && c.pairs() {
		c.triples()
	}
	return c.out
}

// two adds the clauses of two atoms.
func (c *candidates) two(x, y int) {
	for _, s := range []bool{false, true} {
		for _, t := range []bool{false, true} {
			c.out = append(c.out, clause{{x, s}, {y, t}})
		}
	}
}

// three adds the clauses that relate x and y where p holds, or, with otherwise, where it doesn't.
func (c *candidates) three(p, x, y int, otherwise bool) {
	for _, s := range []bool{false, true} {
		for _, t := range []bool{false, true} {
			c.out = append(c.out, clause{{p, !otherwise}, {x, s}, {y, t}})
		}
	}
}

// enough tells whether there are so many that no more are added.
func (c *candidates) enough() bool { return len(c.out) > maxCandidates }

// single adds each atom, and that it is what it is on entry; it sorts the atoms by what they are about.
func (c *candidates) single() {
	for i, t := range c.lp.atoms {
		switch t.kind {
		case frozen:
			continue // only for comparison with what was on entry
		case points:
			c.pointers[t.object] = append(c.pointers[t.object], i)
			c.targets = append(c.targets, i)
		case lives:
			c.lifeOf[t.object] = i
		default:
			c.booleans = append(c.booleans, i)
		}
		c.plain = append(c.plain, i)
		c.out = append(c.out, clause{{i, false}}, clause{{i, true}})
		if e := t.entry; e > 0 {
			c.out = append(c.out, clause{{i, false}, {e, true}}, clause{{i, true}, {e, false}})
		}
	}
}

// lives adds what booleans, and lives after the first iteration, say about lives.
func (c *candidates) lives() {
	for _, o := range sortedKeys(c.lifeOf) {
		// The object is not live unless something points to it.
		life := c.lifeOf[o]
		pointed := clause{{life, true}}
		for _, p := range c.pointers[o] {
			pointed = append(pointed, clauseLit{p, false})
		}
		c.out = append(c.out, pointed)
		for _, x := range c.booleans {
			c.two(x, life)
		}
		if f := c.lp.atoms[life].first; f > 0 {
			c.two(life, f)
			for _, p := range c.targets {
				c.three(p, life, f, false)
			}
		}
	}
}

// pointed adds what relates a pointer's target, the target's life and one boolean.
func (c *candidates) pointed() {
	for _, p := range c.targets {
		life, alive := c.lifeOf[c.lp.atoms[p].object]
		if alive {
			c.two(p, life)
		}
		if e := c.lp.atoms[p].exists; e > 0 {
			c.out = append(c.out, clause{{p, true}, {e, false}})
		}
		for _, x := range c.booleans {
			c.two(p, x)
			if alive {
				c.three(p, x, life, false)
			}
		}
	}
}

// conditions adds what conditions from before the loop say about the others, also where a pointer has a target. It returns false if
// there are enough.
func (c *candidates) conditions() bool {
	for _, l := range c.lp.conditions {
		for _, x := range c.plain {
			c.two(l, x)
			for _, p := range c.targets {
				if c.lp.atoms[x].kind != points {
					c.three(p, l, x, false)
				}
			}
		}
		if c.enough() {
			return false
		}
	}
	return true
}

// pairs adds all clauses of two atoms. It returns false if there are enough.
func (c *candidates) pairs() bool {
	for i, x := range c.plain {
		for _, y := range c.plain[i+1:] {
			c.two(x, y)
		}
		if c.enough() {
			return false
		}
	}
	return true
}

// triples adds what booleans are where a pointer has a target: as on entry, or as another boolean.
func (c *candidates) triples() {
	for _, p := range c.targets {
		for _, x := range c.plain {
			if e := c.lp.atoms[x].entry; e > 0 {
				c.three(p, x, e, false)
				c.three(p, x, e, true) // until the pointer moves on, what was on entry
			}
		}
		for k, x := range c.booleans {
			for _, y := range c.booleans[k+1:] {
				c.three(p, x, y, false)
			}
		}
		if c.enough() {
			return
		}
	}
}
