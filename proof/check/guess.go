package check

import (
	"slices"

	"freehold/proof/kernel"
)

// guess is how the pointers, booleans and lives of a loop hang together in the way
// that deallocation makes: a pointer is what it was on entry until an iteration
// passes on a buffer of its own, a boolean tells which, and so do the lives of the
// buffers of the entry. It is part of the loop's shape: an iteration is followed
// from a head in which it holds, and what doesn't hold after the iteration is
// dropped. So a chain of loops has formulas about one variable for each loop, where
// otherwise every object that a loop may have got would need some, and clauses of
// the invariant that relate them.
type guess struct {
	// entry tells of a pointer that, where it doesn't point to an object of its own, it
	// is one of from, the pointers that it may be otherwise: all are from before the
	// loop, the first is that of the entry. No pointer before it points to the object of
	// its own.
	entry []bool
	from  [][]int32 // trees
	// partners are, for pointers that are one of several of from, those that they go with when an
	// iteration is followed; parted the pairs that don't go together.
	partners []partner
	parted   map[[2]int]bool
	// old is the number of trees from before the loop.
	old int32
	// follows is, for a pointer, an earlier one to whose own object it points just where that
	// one does, while otherwise it is what it was on entry: so owners follow their buffers;
	// undecided, or none.
	follows []int
	// live tells of a pointer that its own object is live where it points to it.
	live []bool
	// tells is, for a boolean, the pointer that points to its own object just if the
	// boolean holds, if the boolean didn't hold on entry; undecided, or none.
	tells []int
	// refuted are the pairs of a boolean and a pointer that it doesn't tell about.
	refuted map[[2]int]bool
	// ends says when objects from before the loop end whose lives change; that of the
	// others is anything.
	ends map[int]end
	// predicted are the objects with a rule that held for others, when the loop was
	// followed the last time.
	predicted map[int]bool
	// untried are the objects with a rule that the iteration didn't start with.
	untried map[int]bool
}

// end says when an object ends that a pointer pointed to on entry: when the pointer
// moves on to its own object, if the boolean, unless it is none, held on entry.
type end struct{ pointer, boolean int }

const (
	none      = -1
	undecided = -2
)

func newGuess(arguments int) guess {
	g := guess{refuted: map[[2]int]bool{}, parted: map[[2]int]bool{}}
	for range arguments {
		g.entry, g.live = append(g.entry, true), append(g.live, true)
		g.follows, g.tells = append(g.follows, undecided), append(g.tells, undecided)
	}
	return g
}

// maxFrom limits the pointers from before a loop that an argument may be.
const maxFrom = 8

// varies tells whether argument k is a pointer that is something else than on entry,
// but one of from, or to its own object.
func (g *guess) varies(s *shape, k int) bool {
	return g.entry[k] && (s.own[k] || len(g.from[k]) > 1)
}

// moves tells whether argument k is a pointer that leaves what it points to on entry
// for objects of its own.
func (g *guess) moves(s *shape, k int) bool { return g.entry[k] && s.own[k] }

// named returns the pointer that names the own object of argument k: the argument itself, or the
// one that it follows.
func (g *guess) named(k int) int {
	if m := g.follows[k]; m >= 0 {
		return m
	}
	return k
}

// mayFollow tells whether argument k follows argument m, as far as the iteration shows that
// ends with next.
func (a *analysis) mayFollow(s *shape, in, next kernel.Edge, k, m, first int) bool {
	v, w := next.Values[k], next.Values[m]
	if !s.guess.moves(s, m) || s.guess.follows[m] >= 0 || v.Kind != kernel.Pointer || w.Kind != kernel.Pointer {
		return false
	}
	moved, _, ok := a.ownPart(&s.guess, m, w, first)
	if !ok {
		return false
	}
	fits := func(o int) bool {
		if a.made(o, first) {
			return a.sameAfter(next, a.Guard(v, o), a.Guard(w, o))
		}
		return a.sameAfter(next, a.Guard(v, o), a.f.And(moved.Not(), a.Guard(in.Values[k], o)))
	}
	for _, t := range slices.Concat(a.Targets(v), a.Targets(in.Values[k])) {
		if !fits(t.Object) {
			return false
		}
	}
	for _, t := range a.Targets(w) {
		if a.made(t.Object, first) && !fits(t.Object) {
			return false
		}
	}
	return true
}

// sameAfter tells whether two formulas are seen to be the same at the end of an iteration.
func (a *analysis) sameAfter(next kernel.Edge, x, y kernel.Lit) bool {
	return x == y || a.f.impossible(a.f.And(next.Cond, a.f.xor(x, y)))
}

// leader looks for an earlier argument that argument k follows; it tells whether there is one.
func (a *analysis) leader(s *shape, in, next kernel.Edge, k, first int) bool {
	g := &s.guess
	if g.follows[k] != undecided {
		return g.follows[k] >= 0
	}
	own := false
	for _, t := range a.Targets(next.Values[k]) {
		own = own || a.made(t.Object, first)
	}
	for m := 0; m < k && own; m++ {
		if a.mayFollow(s, in, next, k, m, first) {
			g.follows[k] = m
			return true
		}
	}
	if own {
		g.follows[k] = none
	}
	return false
}

// ownPart returns the condition that v, what argument k is in the next iteration,
// points to an object of the loop. Where it doesn't, it is one of the pointers from
// before the loop; more are those that from doesn't list. ok is false if it may be
// something else. It takes time linear in the decisions of the iteration.
func (a *analysis) ownPart(g *guess, k int, v kernel.Value, first int) (own kernel.Lit, more []int32, ok bool) {
	ok = true
	own = kernel.OverTree(a.Machine, v.Tree, func(n int32, d kernel.Choice) (kernel.Lit, bool) {
		switch {
		case !ok:
			return kernel.No, true
		case n < g.old || n == g.from[k][0]:
			if !slices.Contains(g.from[k], n) {
				more = append(more, n)
			}
			return kernel.No, true
		case !d.Leaf:
			return kernel.No, false
		}
		ok = a.made(d.Object, first)
		return kernel.LitOf(ok), true
	}, a.f.Choose)
	return own, more, ok
}

// pointer returns the value of a tree.
func (a *analysis) pointer(tree int32) kernel.Value {
	return kernel.OverTree(a.Machine, tree, func(_ int32, d kernel.Choice) (kernel.Value, bool) {
		if !d.Leaf {
			return kernel.Value{}, false
		}
		return a.PointTo(d.Object), true
	}, a.Choose)
}

// headOf returns what an argument that varies is at the head of a loop, given the
// variables that tell which pointer from before it is, and whether it points to its own object.
func (a *analysis) headOf(g *guess, k int, v kernel.Value, by []kernel.Lit, moved kernel.Lit, own int) kernel.Value {
	x := v
	for i, t := range g.from[k][1:] {
		x = a.Choose(by[i], a.pointer(t), x)
	}
	if moved != kernel.No {
		x = a.Choose(moved, a.PointTo(own), x)
	}
	x.Window, x.Part, x.Shift = v.Window, v.Part, v.Shift
	return x
}

// endOf returns the life of an object by a rule, given the condition that the
// pointer of the rule has moved on.
func (a *analysis) endOf(e end, in kernel.Edge, o int, moved kernel.Lit) kernel.Lit {
	gone := a.f.And(moved, a.Guard(in.Values[e.pointer], o))
	if e.boolean != none {
		gone = a.f.And(gone, in.Values[e.boolean].Truth)
	}
	return a.f.And(in.St.Live.Get(o), gone.Not())
}

// reviseGuess drops what the iteration refutes, and guesses again where there are
// other possibilities. It tells whether there was something to drop or to add.
// There are at most (booleans + objects) * pointers * booleans possibilities.
func (a *analysis) reviseGuess(s *shape, in, next kernel.Edge, first int) bool {
	g := &s.guess
	changed := false
	never := func(l kernel.Lit) bool { return a.f.impossible(a.f.And(next.Cond, l)) }
	same := func(x, y kernel.Lit) bool { return a.sameAfter(next, x, y) }
	owns := make([][]kernel.Target, len(next.Values))
	for k, v := range next.Values {
		if !s.own[k] || v.Kind != kernel.Pointer {
			continue
		}
		for _, t := range a.Targets(v) {
			if !a.made(t.Object, first) {
				continue
			}
			owns[k] = append(owns[k], t)
			if g.live[k] && !never(a.f.And(t.Guard, next.St.Live.Get(t.Object).Not())) {
				g.live[k], changed = false, true
			}
		}
		if m := g.follows[k]; m >= 0 {
			if !a.mayFollow(s, in, next, k, m, first) {
				g.follows[k], g.entry[k], changed = none, false, true
			}
			continue
		}
		for j := 0; j < k && g.entry[k]; j++ {
			if !never(a.equalTargets(owns[k], owns[j])) {
				g.entry[k], changed = false, true
			}
		}
	}
	moved := make([]kernel.Lit, len(next.Values))
	for k, v := range next.Values {
		if m := g.follows[k]; m >= 0 {
			moved[k] = moved[m]
		} else if g.moves(s, k) {
			moved[k], _, _ = a.ownPart(g, k, v, first)
		}
	}
	for k, p := range g.partners {
		if p.with != none && p.of == len(g.from[k]) && p.of == len(g.from[p.with]) && g.entry[k] && g.entry[p.with] && !a.goTogether(g, k, next) {
			g.parted[[2]int{k, p.with}], changed = true, true
		}
	}
	told := map[int]bool{}
	for k, v := range next.Values {
		if !s.changed[k] || v.Kind != kernel.Boolean || in.Values[k].Kind != kernel.Boolean || g.tells[k] == none {
			continue
		}
		fits := func(j int) bool {
			if !g.refuted[[2]int{k, j}] && g.moves(s, j) && same(v.Truth, a.f.Or(moved[j], in.Values[k].Truth)) {
				return true
			}
			g.refuted[[2]int{k, j}] = true
			return false
		}
		if j := g.tells[k]; j < 0 || !fits(j) {
			g.tells[k], changed = none, true
			for j := range next.Values {
				// Each boolean tells about another pointer, if that is possible.
				if (g.tells[k] == none || told[g.tells[k]] && !told[j]) && fits(j) {
					g.tells[k] = j
				}
			}
		}
		told[g.tells[k]] = true
	}
	for _, o := range sortedKeys(g.ends) {
		if g.untried[o] {
			continue // it says nothing about what happens in a later iteration
		}
		e := g.ends[o]
		more := e.pointer < len(in.Values)
		for more && !(g.moves(s, e.pointer) && same(next.St.Live.Get(o), a.endOf(e, in, o, moved[e.pointer]))) {
			e, more = g.after(e, in)
			changed = true
		}
		switch {
		case more && e == g.ends[o]:
		case g.predicted[o]:
			// Perhaps it doesn't end at all.
			delete(g.predicted, o)
			delete(s.lives, o)
			delete(g.ends, o)
		case more:
			g.ends[o] = e
		default:
			delete(g.ends, o)
		}
	}
	clear(g.untried)
	return changed
}

// end gives an object that an iteration ends a first rule. Unless the iteration that was followed may be
// the first one only, in which no pointer has moved, it doesn't tell whether that is right.
func (g *guess) end(a *analysis, o int, in kernel.Edge, moved bool) {
	e := end{0, none}
	for k, v := range in.Values {
		if moved && v.Kind == kernel.Pointer && a.Guard(v, o) != kernel.No {
			e.pointer = k
			break
		}
	}
	if g.ends[o] = e; moved {
		g.untried[o] = true
	}
}

// predictEnds replaces the rules of the objects that a loop got the last time by the
// same rules for those that it gets now.
func (a *analysis) predictEnds(s *shape, entry []kernel.Value, live kernel.Table[kernel.Lit]) {
	last := s.guess.ends
	s.guess.ends, s.guess.predicted, s.guess.untried = map[int]end{}, map[int]bool{}, map[int]bool{}
	for _, o := range sortedKeys(last) {
		e := last[o]
		for _, t := range a.Targets(entry[e.pointer]) {
			if _, known := s.guess.ends[t.Object]; !known && a.Objects[t.Object].Kind == kernel.Heap && live.Get(t.Object) != kernel.No {
				s.guess.ends[t.Object], s.lives[t.Object], s.guess.predicted[t.Object] = e, true, true
			}
		}
	}
}

// after returns the next possibility of a rule for the end of an object.
func (g *guess) after(e end, in kernel.Edge) (end, bool) {
	for {
		if e.boolean++; e.boolean >= len(in.Values) {
			e = end{e.pointer + 1, none}
		}
		switch {
		case e.pointer >= len(in.Values):
			return e, false
		case e.boolean == none || in.Values[e.boolean].Kind == kernel.Boolean:
			return e, true
		}
	}
}
