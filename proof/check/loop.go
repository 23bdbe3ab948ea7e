package check

import (
	"slices"

	"freehold/proof/kernel"
)

// loop is a loop that is cut at its head: the analysis follows one iteration, from
// a state in which everything that the loop changes is unknown, but for its
// invariant, which is found later (see invariant.go).
type loop struct {
	id int // among all that were cut, which is that of the objects from its earlier iterations
	// entry is the condition of entering the loop; back is that of going on to a next
	// iteration after the one that is followed.
	entry, back kernel.Lit
	atoms       []atom
	// naming holds at the head: objects from earlier iterations go by the name of the
	// first pointer to them.
	naming []kernel.Lit
	// invariant are formulas that hold at the head on every iteration.
	invariant []clause
	// axioms are the naming and the invariant as formulas; nil if they have to be made
	// anew.
	axioms []kernel.Lit
	// outer is the loop around this one, if it is cut as well.
	outer *loop
	// before is the number of the first node of the formulas that is of the loop; first that of
	// the first object.
	before int32
	first  int
	// conditions are the atoms for conditions from before the loop that what it changes
	// depends on.
	conditions []int
	// number is the position in the order in which loops are entered, settled that the
	// invariant was found.
	number  int
	settled bool
}

// atom is a proposition about the state at the head of a loop: what it is in the
// iteration that is followed, on entry, and in the next iteration.
type atom struct {
	kind             atomKind
	head, init, next kernel.Lit
	argument, object int
	// entry is the number of the atom that says what this one is on entry, in all
	// iterations; 0 if there is none.
	entry int
	// exists is the number of the atom that says that the object that the pointer
	// points to was live on entry; 0 if there is none.
	exists int
	// first is, for a life, the number of the atom that says what it is after the first
	// iteration, as far as that depends on what was before the loop; 0 if there is none.
	first int
}

// atomKind is what an atom says.
type atomKind uint8

const (
	holds  atomKind = iota // that the argument, a boolean, is true
	points                 // that the argument points to the object
	lives                  // that the object is live
	frozen                 // something that is the same in all iterations
)

// shape is what a loop changes.
type shape struct {
	// changed are the arguments of the head that differ from iteration to iteration.
	changed []bool
	// outer are the objects from before the loop that each pointer may point to; own
	// tells that it may point to objects that the loop allocated.
	outer []map[int]bool
	own   []bool
	// lives are the objects from before the loop that it frees (or allocates).
	lives map[int]bool
	// first is what lives are after an iteration in which they had not changed yet, if
	// that depends on nothing but variables from before the loop, which are those of
	// nodes below before.
	first  map[int]kernel.Lit
	before int32
	// cells are the elements that the loop may change; true for those that may hold
	// addresses.
	cells map[int]bool
	// kept are elements that hold booleans and that the loop changes: what they hold are values
	// of the head, too, after its arguments.
	kept []int
	// guess is how pointers, booleans and lives hang together, as far as that holds.
	guess guess
}

// cut follows one iteration of a loop, again and again until it is known what the
// loop changes.
func (w *walk) cut(c component, in kernel.Edge) {
	a, fr := w.a, w.fr
	base, unroll := fr.Base, fr.Unroll
	fr.Base, fr.Unroll = a.f.And(base, in.Cond), false
	n := len(in.Values)
	entry := slices.Clip(in.Values)
	in.Values = slices.Clone(in.Values)
	at := loopSite{fr.Number, w.g, c.node}
	s := a.shapeOf(at, in.Values, in.St)
	for {
		kept := s.kept[len(in.Values)-n:]
		entry = append(entry, a.contents(in.St, kept)...)
		in.Values = append(in.Values, a.contents(in.St, kept)...)
		before, now := a.found, a.notes.time()
		first, firstCell := len(a.Objects), a.Cells
		lp, head := a.openLoop(fr, s, in)
		outer := a.within
		a.within = lp
		back, exits := w.iteration(c, kernel.Edge{Cond: head.Cond, St: head.St, Values: head.Values[:n]})
		a.within = outer
		var next kernel.Edge
		again := false
		if next, again = a.Merge(back); again {
			next.Values = append(slices.Clip(next.Values), a.contents(next.St, s.kept)...)
		}
		if again && !a.exhausted() && a.widen(s, in, head, next, first, firstCell) {
			a.found = before
			continue
		}
		if again {
			a.closeLoop(fr, lp, s, in, next)
		}
		a.notes.loop(w, c, notedLoop{fr: fr, now: now, lp: lp, s: s, entry: entry, in: in, first: first})
		for i := range exits {
			exits[i].Cond = a.f.And(in.Cond, exits[i].Cond)
		}
		w.hand(exits)
		break
	}
	a.shapes[at] = s
	fr.Base, fr.Unroll = base, unroll
}

// loopSite is a loop in a frame.
type loopSite struct {
	frame int
	flow  *flow
	head  int
}

// shapeOf returns the shape with which to follow a loop first: what is known from the
// last time, when a loop around this one knew less. Objects have other numbers by
// now. Without it, the time would be exponential in the depth of loops.
func (a *analysis) shapeOf(at loopSite, entry []kernel.Value, st kernel.State) *shape {
	n := len(entry)
	s := &shape{lives: map[int]bool{}, first: map[int]kernel.Lit{}, before: int32(a.f.Len()), cells: map[int]bool{}}
	if last := a.shapes[at]; last != nil {
		s.changed, s.own, s.guess = last.changed, last.own, last.guess
		for _, c := range last.kept {
			s.kept = append(s.kept, a.sameElement(c))
		}
		entry = append(slices.Clip(entry), a.contents(st, s.kept)...)
		n = len(entry)
	} else {
		s.changed, s.own, s.guess = make([]bool, n), make([]bool, n), newGuess(n)
	}
	s.outer, s.guess.old, s.guess.from = make([]map[int]bool, n), int32(len(a.Choices)), make([][]int32, n)
	for k, v := range entry {
		s.guess.from[k] = []int32{v.Tree}
		s.outer[k] = map[int]bool{}
		for _, t := range a.Targets(v) {
			s.outer[k][t.Object] = true
		}
	}
	a.predictEnds(s, entry, st.Live)
	return s
}

// maxKeptCells limits the elements that are values of a loop's head.
const maxKeptCells = 64

// keep makes what an element holds a value of the head.
func (s *shape) keep(cell int) {
	one := newGuess(1)
	s.kept, s.changed, s.own, s.outer = append(s.kept, cell), append(s.changed, true), append(s.own, false), append(s.outer, map[int]bool{})
	s.guess.entry, s.guess.live, s.guess.from = append(s.guess.entry, one.entry...), append(s.guess.live, one.live...), append(s.guess.from, []int32{0})
	s.guess.follows, s.guess.tells = append(s.guess.follows, one.follows...), append(s.guess.tells, one.tells...)
}

// contents returns what elements hold.
func (a *analysis) contents(st kernel.State, cells []int) (out []kernel.Value) {
	for _, c := range cells {
		if x := st.Memory.Get(c); x != nil {
			out = append(out, *x)
		} else {
			out = append(out, a.Fresh(kernel.Number))
		}
	}
	return out
}

// sameElement returns the element of the newest object that is made where that of the given
// element is.
func (a *analysis) sameElement(cell int) int {
	o := a.objectOf(cell)
	for i := len(a.Objects) - 1; i > o; i-- {
		if x := a.Objects[i]; x.Op == a.Objects[o].Op && x.Frame == a.Objects[o].Frame && x.Size == a.Objects[o].Size {
			return x.Cells + cell - a.Objects[o].Cells
		}
	}
	return cell
}

// objectOf returns the object of an element.
func (a *analysis) objectOf(cell int) int {
	return slices.IndexFunc(a.Objects, func(x *kernel.Object) bool { return cell >= x.Cells && cell < x.Cells+x.Size })
}

func sortedKeys[T any](m map[int]T) []int {
	out := make([]int, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// made tells whether the loop itself allocated or reserved the object; first is the number
// of the first object that was new when the iteration started.
func (a *analysis) made(o, first int) bool { return o >= first && a.Objects[o].Kind.Owned() }
