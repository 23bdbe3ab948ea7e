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

// candidates returns the clauses that may be the loop's invariant.
func (a *analysis) candidates(lp *loop, how thoroughness) []clause {
	var out []clause
	signs := []bool{false, true}
	two := func(x, y int) {
		for _, s := range signs {
			for _, t := range signs {
				out = append(out, clause{{x, s}, {y, t}})
			}
		}
	}
	// three relates x and y where p holds, or, with otherwise, where it doesn't.
	three := func(p, x, y int, otherwise bool) {
		for _, s := range signs {
			for _, t := range signs {
				out = append(out, clause{{p, !otherwise}, {x, s}, {y, t}})
			}
		}
	}
	lifeOf := map[int]int{}
	pointers := map[int][]int{}
	var booleans, targets, plain []int
	for i, t := range lp.atoms {
		switch t.kind {
		case frozen:
			continue // only for comparison with what was on entry
		case points:
			pointers[t.object] = append(pointers[t.object], i)
			targets = append(targets, i)
		case lives:
			lifeOf[t.object] = i
		default:
			booleans = append(booleans, i)
		}
		plain = append(plain, i)
		for _, s := range signs {
			out = append(out, clause{{i, s}})
		}
		if e := t.entry; e > 0 {
			out = append(out, clause{{i, false}, {e, true}}, clause{{i, true}, {e, false}})
		}
	}
	for _, o := range sortedKeys(lifeOf) {
		// The object is not live unless something points to it.
		life := lifeOf[o]
		c := clause{{life, true}}
		for _, p := range pointers[o] {
			c = append(c, clauseLit{p, false})
		}
		out = append(out, c)
		for _, x := range booleans {
			two(x, life)
		}
		if f := lp.atoms[life].first; f > 0 {
			two(life, f)
			for _, p := range targets {
				three(p, life, f, false)
			}
		}
	}
	for _, p := range targets {
		life, alive := lifeOf[lp.atoms[p].object]
		if alive {
			two(p, life)
		}
		if e := lp.atoms[p].exists; e > 0 {
			out = append(out, clause{{p, true}, {e, false}})
		}
		for _, x := range booleans {
			two(p, x)
			if alive {
				three(p, x, life, false)
			}
		}
	}
	if how == likely {
		return out
	}
	for _, c := range lp.conditions {
		for _, x := range plain {
			two(c, x)
			if k := lp.atoms[x].kind; k != points {
				for _, p := range targets {
					three(p, c, x, false)
				}
			}
		}
		if len(out) > maxCandidates {
			return out
		}
	}
	for i, x := range plain {
		for _, y := range plain[i+1:] {
			two(x, y)
		}
		if len(out) > maxCandidates {
			return out
		}
	}
	for _, p := range targets {
		for _, x := range plain {
			if e := lp.atoms[x].entry; e > 0 {
				three(p, x, e, false)
				three(p, x, e, true) // until the pointer moves on, what was on entry
			}
		}
		for k, x := range booleans {
			for _, y := range booleans[k+1:] {
				three(p, x, y, false)
			}
		}
		if len(out) > maxCandidates {
			return out
		}
	}
	return out
}
