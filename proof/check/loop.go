package check

import (
	"slices"

	"freehold/ir"
)

// loop is a loop that is cut at its head: the analysis follows one iteration, from
// a state in which everything that the loop changes is unknown, but for its
// invariant, which is found later (see invariant.go).
type loop struct {
	// entry is the condition of entering the loop; back is that of going on to a next
	// iteration after the one that is followed.
	entry, back lit
	atoms       []atom
	// naming holds at the head: objects from earlier iterations go by the name of the
	// first pointer to them.
	naming []lit
	// invariant are formulas that hold at the head on every iteration.
	invariant []clause
	// axioms are the naming and the invariant as formulas; nil if they have to be made
	// anew.
	axioms []lit
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
	head, init, next lit
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
	first  map[int]lit
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
func (w *walk) cut(c component, in edge) {
	a, fr := w.a, w.fr
	base, unroll := fr.base, fr.unroll
	fr.base, fr.unroll = a.f.and(base, in.cond), false
	n := len(in.values)
	entry := slices.Clip(in.values)
	in.values = slices.Clone(in.values)
	at := loopSite{fr.id, w.g, c.node}
	s := a.shapeOf(at, in.values, in.st)
	for {
		kept := s.kept[len(in.values)-n:]
		entry = append(entry, a.contents(in.st, kept)...)
		in.values = append(in.values, a.contents(in.st, kept)...)
		before := a.found
		first, firstCell := len(a.objects), a.cells
		lp, head := a.openLoop(fr, s, in)
		outer := a.within
		a.within = lp
		back, exits := w.iteration(c, edge{cond: head.cond, st: head.st, values: head.values[:n]})
		a.within = outer
		var next edge
		again := false
		live := back[:0]
		for _, e := range back {
			if e.cond != no {
				live = append(live, e)
			}
		}
		if len(live) > 0 {
			next, again = a.merge(live), true
			next.values = append(slices.Clip(next.values), a.contents(next.st, s.kept)...)
		}
		if again && !a.exhausted() && a.widen(s, in, head, next, first, firstCell) {
			a.found = before
			continue
		}
		if again {
			a.closeLoop(fr, lp, s, in, next, first)
		}
		a.notes.loop(w, c, notedLoop{fr: fr, lp: lp, s: s, entry: entry, in: in, first: first})
		for i := range exits {
			exits[i].cond = a.f.and(in.cond, exits[i].cond)
		}
		w.hand(exits)
		break
	}
	a.shapes[at] = s
	fr.base, fr.unroll = base, unroll
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
func (a *analysis) shapeOf(at loopSite, entry []value, st state) *shape {
	n := len(entry)
	s := &shape{lives: map[int]bool{}, first: map[int]lit{}, before: int32(len(a.f.nodes)), cells: map[int]bool{}}
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
	s.outer, s.guess.old, s.guess.from = make([]map[int]bool, n), int32(len(a.decisions)), make([][]int32, n)
	for k, v := range entry {
		s.guess.from[k] = []int32{v.choice}
		s.outer[k] = map[int]bool{}
		for _, t := range v.targets {
			s.outer[k][t.object] = true
		}
	}
	a.predictEnds(s, entry, st.live)
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
func (a *analysis) contents(st state, cells []int) (out []value) {
	for _, c := range cells {
		if x := st.memory.get(c); x != nil {
			out = append(out, *x)
		} else {
			out = append(out, a.unknown())
		}
	}
	return out
}

// sameElement returns the element of the newest object that is made where that of the given
// element is.
func (a *analysis) sameElement(cell int) int {
	o := a.objectOf(cell)
	for i := len(a.objects) - 1; i > o; i-- {
		if x := a.objects[i]; x.op == a.objects[o].op && x.frame == a.objects[o].frame && x.size == a.objects[o].size {
			return x.cells + cell - a.objects[o].cells
		}
	}
	return cell
}

// objectOf returns the object of an element.
func (a *analysis) objectOf(cell int) int {
	return slices.IndexFunc(a.objects, func(x *object) bool { return cell >= x.cells && cell < x.cells+x.size })
}

// variableOf returns a new variable of a loop's head.
func (a *analysis) variableOf(lp *loop) lit {
	v := a.f.variable()
	a.loopOf[v.node()] = lp
	return v
}

// openLoop makes the state at the head of a loop.
func (a *analysis) openLoop(fr *frame, s *shape, in edge) (*loop, edge) {
	lp := &loop{entry: fr.base, outer: a.within, before: int32(len(a.f.nodes)), first: len(a.objects)}
	a.loops = append(a.loops, lp)
	head := edge{cond: yes, st: in.st, values: slices.Clone(in.values)}
	lifeOf := make([]lit, len(in.values)) // of the loop's own object that an argument names
	own := slices.Repeat([]int{-1}, len(in.values))
	by := make([][]lit, len(in.values)) // which of the pointers from before the loop an argument is
	a.findPartners(s)
	for k, v := range in.values {
		switch {
		case v.kind == opaque || v.kind == integer:
			head.values[k] = a.unknown()
		case v.kind == derived:
			head.values[k] = a.derivedValue()
		case !s.changed[k] || v.kind == pointer && s.guess.entry[k] && !s.guess.varies(s, k):
		case v.kind == boolean:
			if s.guess.tells[k] >= 0 {
				continue // when the pointers are known
			}
			x := a.variableOf(lp)
			head.values[k] = truthOf(x)
			lp.atoms = append(lp.atoms, atom{kind: holds, head: x, init: v.truth, argument: k})
		case s.guess.follows[k] >= 0:
			m := s.guess.follows[k]
			own[k] = own[m]
			head.values[k] = a.choose(head.values[m].guardOf(own[m]), value{kind: pointer, targets: []target{{own[m], yes}}, choice: a.pointTo(own[m]).choice,
				window: v.window, part: v.part, shift: v.shift}, v)
		default:
			if s.own[k] {
				own[k] = a.newObject(object{kind: heap, carried: true, of: lp})
				lifeOf[k] = yes
				if !s.guess.live[k] {
					lifeOf[k] = a.variableOf(lp)
				}
			}
			if s.guess.varies(s, k) {
				moved := no
				if s.own[k] {
					moved = a.variableOf(lp)
				}
				if m := s.guess.partners[k].with; m != none {
					by[k] = by[m]
				} else {
					for range s.guess.from[k][1:] {
						by[k] = append(by[k], a.variableOf(lp))
					}
				}
				x := a.headOf(&s.guess, k, v, by[k], moved, own[k])
				head.values[k] = x
				for _, t := range x.targets {
					if t.object == own[k] || len(s.guess.from[k]) > 1 {
						lp.atoms = append(lp.atoms, atom{kind: points, head: t.guard, init: v.guardOf(t.object), argument: k, object: t.object})
					}
				}
				if s.own[k] {
					a.bear(lp, s, &head, k, own[k], lifeOf[k])
				}
				continue
			}
			x := value{kind: pointer, window: v.window, part: v.part, shift: v.shift}
			var objects []int
			for o := range s.outer[k] {
				objects = append(objects, o)
			}
			slices.Sort(objects)
			for j := 0; j <= k; j++ {
				if s.own[k] && s.own[j] && s.changed[j] && s.guess.follows[j] < 0 {
					objects = append(objects, own[j])
				}
			}
			rest := yes
			chosen := make([]lit, len(objects))
			for i, o := range objects {
				g := rest
				if i < len(objects)-1 {
					p := a.variableOf(lp)
					chosen[i] = p
					g, rest = a.f.and(rest, p), a.f.and(rest, p.not())
				}
				x.targets = append(x.targets, target{o, g})
				lp.atoms = append(lp.atoms, atom{kind: points, head: g, init: v.guardOf(o), argument: k, object: o})
				for j := range k {
					if o == own[j] {
						lp.naming = append(lp.naming, a.f.implies(g, head.values[j].guardOf(o)))
					}
				}
			}
			for i := len(objects) - 1; i >= 0; i-- {
				leaf := a.tree(decision{leaf: true, object: objects[i]})
				if i == len(objects)-1 {
					x.choice = leaf
				} else {
					x.choice = a.decide(chosen[i], leaf, x.choice)
				}
			}
			head.values[k] = x
			if s.own[k] {
				a.bear(lp, s, &head, k, own[k], lifeOf[k])
			}
		}
	}
	moved := func(k int) lit { return head.values[k].guardOf(own[k]) }
	for k, j := range s.guess.tells {
		if j >= 0 {
			head.values[k] = truthOf(a.f.or(moved(j), in.values[k].truth))
		}
	}
	for _, o := range sortedKeys(s.lives) {
		if e, guessed := s.guess.ends[o]; guessed {
			head.st.live = head.st.live.set(o, a.endOf(e, in, o, moved(e.pointer)))
			continue
		}
		x := a.variableOf(lp)
		lp.atoms = append(lp.atoms, atom{kind: lives, head: x, init: in.st.live.get(o), object: o})
		head.st.live = head.st.live.set(o, x)
	}
	numbers := map[lit]int{}
	freeze := func(l lit) int {
		if l <= yes {
			return 0
		}
		n, ok := numbers[l]
		if !ok {
			n = len(lp.atoms)
			numbers[l] = n
			lp.atoms = append(lp.atoms, atom{kind: frozen, head: l, init: l, next: l})
		}
		return n
	}
	for i, t := range lp.atoms {
		if t.kind == points {
			n := freeze(in.st.live.get(t.object))
			lp.atoms[i].exists = n
			continue
		}
		n := freeze(t.init)
		lp.atoms[i].entry = n
		if l, ok := s.first[t.object]; ok && t.kind == lives {
			n := freeze(l)
			lp.atoms[i].first = n
		}
	}
	for _, c := range sortedKeys(s.cells) {
		var x *value
		if s.cells[c] {
			v := a.derivedValue()
			x = &v
		}
		head.st.memory = head.st.memory.set(c, x)
	}
	for i, c := range s.kept {
		var x *value
		if v := head.values[len(head.values)-len(s.kept)+i]; v.kind == boolean || v.address() {
			x = &v
		}
		head.st.memory = head.st.memory.set(c, x)
	}
	for _, o := range own {
		if o >= 0 {
			a.objects[o].born = head.st.live
		}
	}
	return lp, head
}

// bear makes the loop's own object of argument k live where the argument points to
// it and alive holds.
func (a *analysis) bear(lp *loop, s *shape, head *edge, k, o int, alive lit) {
	life := a.f.and(head.values[k].guardOf(o), alive)
	head.st.live = head.st.live.set(o, life)
	if !s.guess.live[k] {
		lp.atoms = append(lp.atoms, atom{kind: lives, head: life, init: no, object: o})
	}
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
func (a *analysis) made(o, first int) bool { return o >= first && a.objects[o].kind.owned() }

// widen adds to the shape what the iteration changes. It returns false if that was
// all there already. Objects from first on, and elements from firstCell on, are new.
func (a *analysis) widen(s *shape, in, head, next edge, first, firstCell int) bool {
	grew := false
	moved := slices.Contains(s.own, true)
	mark := func(b *bool) {
		if !*b {
			*b, grew = true, true
		}
	}
	for k, v := range next.values {
		init, h := in.values[k], head.values[k]
		switch {
		case h.kind == derived, h.kind == opaque && !v.address(), !s.changed[k] && sameValue(h, v):
			continue
		case h.kind != v.kind:
			// Something that isn't followed, but whether it carries addresses.
			if in.values[k] = a.unknown(); h.address() || v.address() {
				in.values[k] = a.derivedValue()
			}
			grew = true
			continue
		}
		mark(&s.changed[k])
		if v.window != init.window && init.window != anyWindow {
			in.values[k].window, grew = anyWindow, true
		}
		if v.part != init.part && init.part != yes {
			in.values[k].part, grew = yes, true
		}
		if h.kind != pointer {
			continue
		}
		if v.shift != h.shift && init.shift != anyShift {
			in.values[k].shift, grew = anyShift, true
		}
		if a.leader(s, in, next, k, first) {
			mark(&s.own[k])
			continue
		}
		if s.guess.entry[k] {
			own, more, ok := a.ownPart(&s.guess, k, v, first)
			if ok && len(s.guess.from[k])+len(more) <= maxFrom {
				if own != no {
					mark(&s.own[k])
				}
				s.guess.from[k] = append(s.guess.from[k], more...)
				grew = grew || len(more) > 0
				continue
			}
			s.guess.entry[k], grew = false, true
		}
		for _, t := range v.targets {
			switch {
			case a.made(t.object, first):
				mark(&s.own[k])
			case !s.outer[k][t.object]:
				s.outer[k][t.object], grew = true, true
			}
		}
	}
	mergePersistent(head.st.live, next.st.live, func(o int, x, y lit) lit {
		if !a.made(o, first) && !s.lives[o] && !a.sameAfter(next, x, y) {
			s.lives[o], grew = true, true
			if a.f.older(y, s.before) {
				s.first[o] = y
			}
			s.guess.end(o, in, moved)
		}
		return x
	})
	mergePersistent(head.st.memory, next.st.memory, func(c int, x, y *value) *value {
		if c >= firstCell || slices.Contains(s.kept, c) {
			return x // of a buffer that the iteration made, or a value of the head
		}
		carries, known := s.cells[c]
		differ := x == nil || y == nil || !sameValue(*x, *y)
		address := x != nil && x.address() || y != nil && y.address()
		switch {
		case !differ || x == nil && !address:
		case !known && x != nil && x.kind == boolean && y != nil && y.kind == boolean && len(s.kept) < maxKeptCells:
			s.keep(c)
			grew = true
		case !known && x != nil || !carries && address:
			s.cells[c], grew = address, true
		}
		return x
	})
	return a.reviseGuess(s, in, next, first) || grew
}

// closeLoop gives the atoms their values in the next iteration, and checks that
// what the iteration allocated is freed or passed on.
func (a *analysis) closeLoop(fr *frame, lp *loop, s *shape, in, next edge, first int) {
	lp.back = a.f.and(fr.base, next.cond)
	// own[k] is the condition that argument k points to an object of the loop, and
	// that no argument before points to the same.
	n := len(next.values)
	ownPart := make([][]target, n)
	isOwn := make([]lit, n)
	for k, v := range next.values {
		if !s.changed[k] || v.kind != pointer {
			continue
		}
		isOwn[k] = no
		for _, t := range v.targets {
			if a.made(t.object, first) && a.holdsAddresses(next.st, v) {
				a.cannotJudge(opOf(a.objects[t.object], fr.fn), "a loop carries a buffer with addresses")
				a.allLost = true
			}
			if x := a.objects[t.object]; x.kind == stack && a.made(t.object, first) {
				// Its scope may have ended, and its memory may be that of the next one.
				a.cannotJudge(opOf(x, fr.fn), "a loop carries a buffer on the stack that it reserves")
			}
			if a.made(t.object, first) {
				ownPart[k] = append(ownPart[k], t)
				isOwn[k] = a.f.or(isOwn[k], t.guard)
			}
		}
	}
	// named[k][j] is the condition that argument k points to the object that argument
	// j is the first to point to.
	named := func(k, j int) lit {
		c := isOwn[k]
		for i := 0; i < j; i++ {
			c = a.f.and(c, a.equalTargets(ownPart[k], ownPart[i]).not())
		}
		if j < k {
			c = a.f.and(c, a.equalTargets(ownPart[k], ownPart[j]))
		}
		return c
	}
	nameOf := map[int]int{} // argument by its own object
	for i := range lp.atoms {
		if t := &lp.atoms[i]; t.kind == points && t.object >= first && a.objects[t.object].carried {
			if _, ok := nameOf[t.object]; !ok {
				nameOf[t.object] = t.argument
			}
		}
	}
	for i := range lp.atoms {
		t := &lp.atoms[i]
		switch t.kind {
		case holds:
			t.next = next.values[t.argument].truth
		case points:
			if j, carried := nameOf[t.object]; carried {
				t.next = named(t.argument, j)
			} else {
				t.next = next.values[t.argument].guardOf(t.object)
			}
		case lives:
			j, carried := nameOf[t.object]
			if !carried {
				t.next = next.st.live.get(t.object)
				break
			}
			life := no
			for _, x := range ownPart[j] {
				life = a.f.or(life, a.f.and(x.guard, next.st.live.get(x.object)))
			}
			t.next = a.f.and(named(j, j), life)
		}
	}
	var roots []lit
	for _, t := range lp.atoms {
		if t.kind == holds || t.kind == lives {
			roots = append(roots, t.init, t.next)
		}
	}
	for _, l := range a.f.support(roots, lp.before, maxConditions) {
		lp.conditions = append(lp.conditions, len(lp.atoms))
		lp.atoms = append(lp.atoms, atom{kind: frozen, head: l, init: l, next: l})
	}
	outer := fr.cond
	fr.cond = next.cond
	for o := first; o < len(a.objects); o++ {
		x := a.objects[o]
		if x.kind != heap || a.isLost(o) {
			continue
		}
		lost := next.st.live.get(o)
		for k := range next.values {
			// What the loop goes on with as a number names no object.
			if lost != no && in.values[k].kind == pointer {
				lost = a.f.and(lost, next.values[k].guardOf(o).not())
			}
		}
		if lost != no {
			a.violate(fr, Leak, opOf(x, fr.fn), o, lost, "at the end of an iteration")
		}
	}
	fr.cond = outer
}

// maxConditions limits the conditions from before a loop that invariants speak of.
const maxConditions = 12

// opOf returns the operation that allocates an object, or another one to speak of.
func opOf(x *object, other *ir.Op) *ir.Op {
	if x.op != nil {
		return x.op
	}
	return other
}
