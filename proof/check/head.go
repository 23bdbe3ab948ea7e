package check

import (
	"slices"

	"freehold/proof/kernel"
)

// headKind is what is known about a value at the head of a loop.
type headKind uint8

const (
	invariant   headKind = iota // it is what it is on entry
	number                      // any number
	address                     // any number, or address
	condition                   // a boolean, of which the invariant may know something
	telling                     // a boolean that holds just if a pointer has moved on, or it held on entry
	following                   // a pointer that has moved on just if another one has
	moving                      // a pointer to an object of its own, or one of a few from before the loop
	anyOfBefore                 // a pointer to one of the objects that it may have got
)

// kindOf returns what is known about value k at the head of a loop of a shape, given what it is on entry.
func (s *shape) kindOf(k int, entry kernel.Value) headKind {
	switch g := &s.guess; {
	case entry.Kind == kernel.Number || entry.Kind == kernel.Integer:
		return number
	case entry.Kind == kernel.Derived:
		return address
	case !s.changed[k] || entry.Kind == kernel.Pointer && g.entry[k] && !g.varies(s, k):
		return invariant
	case entry.Kind == kernel.Boolean && g.tells[k] >= 0:
		return telling
	case entry.Kind == kernel.Boolean:
		return condition
	case g.follows[k] >= 0:
		return following
	case g.varies(s, k):
		return moving
	}
	return anyOfBefore
}

// loopHead is the state at the head of a loop while it is made.
type loopHead struct {
	*analysis
	lp *loop
	s  *shape
	in kernel.Edge // into the loop
	kernel.Edge
	// own are the loop's own objects by the arguments that name them; none without.
	own []int
	// by are the variables that tell which of the pointers from before the loop an argument is.
	by [][]kernel.Lit
	// frozen are the numbers of the atoms for what is the same in all iterations.
	frozen map[kernel.Lit]int
}

// openLoop makes the state at the head of a loop.
func (a *analysis) openLoop(fr *kernel.Frame, s *shape, in kernel.Edge) (*loop, kernel.Edge) {
	a.loopCount++
	lp := &loop{id: a.loopCount, entry: fr.Base, outer: a.within, before: int32(a.f.Len()), first: len(a.Objects)}
	a.loops = append(a.loops, lp)
	a.findPartners(s)
	h := &loopHead{analysis: a, lp: lp, s: s, in: in, Edge: kernel.Edge{Cond: kernel.Yes, St: in.St, Values: slices.Clone(in.Values)},
		own: slices.Repeat([]int{none}, len(in.Values)), by: make([][]kernel.Lit, len(in.Values)), frozen: map[kernel.Lit]int{}}
	kinds := make([]headKind, len(in.Values))
	for k, v := range in.Values {
		kinds[k] = s.kindOf(k, v)
		if h.open(k, kinds[k]); h.Values[k].Kind == kernel.Pointer {
			h.Values[k] = a.AnyShape(h.Values[k])
		}
	}
	for k, kind := range kinds {
		if kind == telling { // the pointers are known by now
			h.Values[k] = kernel.TruthOf(a.f.Or(h.moved(s.guess.tells[k]), in.Values[k].Truth))
		}
	}
	h.openLives()
	h.freeze()
	h.openMemory()
	for _, o := range h.own {
		if o != none {
			a.Objects[o].Born = h.St.Live
		}
	}
	return lp, h.Edge
}

// open makes value k, of a kind, unless that has to wait for others.
func (h *loopHead) open(k int, kind headKind) {
	switch kind {
	case number:
		h.Values[k] = h.Fresh(kernel.Number)
	case address:
		h.Values[k] = h.Fresh(kernel.Derived)
	case condition:
		x := h.variable()
		h.Values[k] = kernel.TruthOf(x)
		h.atom(atom{kind: holds, head: x, init: h.in.Values[k].Truth, argument: k})
	case following:
		h.follow(k, h.s.guess.follows[k])
	case moving:
		h.withOwn(k, h.move)
	case anyOfBefore:
		h.withOwn(k, h.choose)
	}
}

// variable returns a new variable of the head.
func (h *loopHead) variable() kernel.Lit {
	v := h.f.Variable()
	h.loopOf[v.Node()] = h.lp
	return v
}

func (h *loopHead) atom(t atom) { h.lp.atoms = append(h.lp.atoms, t) }

// points adds the atom that says that argument k points to an object, given its value at the head.
func (h *loopHead) points(k, o int, x kernel.Value) {
	h.atom(atom{kind: points, head: h.Guard(x, o), init: h.Guard(h.in.Values[k], o), argument: k, object: o})
}

// moved returns the condition that argument k points to its own object.
func (h *loopHead) moved(k int) kernel.Lit { return h.Guard(h.Values[k], h.own[k]) }

// follow makes pointer k point to the own object of pointer m just where that one does.
func (h *loopHead) follow(k, m int) {
	h.own[k] = h.own[m]
	x := h.in.Values[k]
	x.Tree = h.PointTo(h.own[m]).Tree
	h.Values[k] = h.Choose(h.moved(m), x, h.in.Values[k])
}

// withOwn makes pointer k, which may have an object of its own, by a function. That object lives where it points to it, unless it may
// have been freed.
func (h *loopHead) withOwn(k int, make func(k int) kernel.Value) {
	live := kernel.Yes
	if h.s.own[k] {
		h.own[k] = h.NewObject("", kernel.Object{Kind: kernel.Heap, Loop: h.lp.id})
		if !h.s.guess.live[k] {
			live = h.variable()
		}
	}
	h.Values[k] = make(k)
	if !h.s.own[k] {
		return
	}
	life := h.f.And(h.moved(k), live)
	h.St.Live = h.St.Live.Set(h.own[k], life)
	if !h.s.guess.live[k] {
		h.atom(atom{kind: lives, head: life, init: kernel.No, object: h.own[k]})
	}
}

// move returns a pointer that may have left those from before the loop for its own object.
func (h *loopHead) move(k int) kernel.Value {
	g := &h.s.guess
	moved := kernel.No
	if h.s.own[k] {
		moved = h.variable()
	}
	if m := g.partners[k].with; m != none {
		h.by[k] = h.by[m]
	} else {
		for range g.from[k][1:] {
			h.by[k] = append(h.by[k], h.variable())
		}
	}
	x := h.headOf(g, k, h.in.Values[k], h.by[k], moved, h.own[k])
	for _, t := range h.Targets(x) {
		if t.Object == h.own[k] || len(g.from[k]) > 1 || h.isOpen(t.Object) {
			h.points(k, t.Object, x)
		}
	}
	return x
}

// isOpen tells whether the loop changes the life of an object from before it by no rule, so that it depends on what points there.
func (h *loopHead) isOpen(o int) bool {
	_, guessed := h.s.guess.ends[o]
	return h.s.lives[o] && !guessed
}

// choose returns a pointer to any of the objects that it may have got, from before the loop or from earlier iterations. Of those, it
// points to none that an earlier argument names without that pointing there as well.
func (h *loopHead) choose(k int) kernel.Value {
	objects := sortedKeys(h.s.outer[k])
	for j := 0; j <= k; j++ {
		if h.s.own[k] && h.s.own[j] && h.s.changed[j] && h.s.guess.follows[j] < 0 {
			objects = append(objects, h.own[j])
		}
	}
	chosen := make([]kernel.Lit, len(objects))
	for i := range len(objects) - 1 {
		chosen[i] = h.variable()
	}
	v := h.in.Values[k]
	x := kernel.Value{Kind: kernel.Pointer, Window: v.Window, Part: v.Part, Shift: v.Shift}
	for i, o := range slices.Backward(objects) {
		leaf := h.PointTo(o).Tree
		if i == len(objects)-1 {
			x.Tree = leaf
		} else {
			x.Tree = h.Decide(chosen[i], leaf, x.Tree)
		}
	}
	for _, o := range objects {
		h.points(k, o, x)
		for j := range k {
			if o == h.own[j] {
				h.lp.naming = append(h.lp.naming, h.f.implies(h.Guard(x, o), h.moved(j)))
			}
		}
	}
	return x
}

// openLives makes the lives of objects from before the loop that it changes: by a rule, or any.
func (h *loopHead) openLives() {
	for _, o := range sortedKeys(h.s.lives) {
		if e, guessed := h.s.guess.ends[o]; guessed {
			h.St.Live = h.St.Live.Set(o, h.endOf(e, h.in, o, h.moved(e.pointer)))
			continue
		}
		x := h.variable()
		h.atom(atom{kind: lives, head: x, init: h.in.St.Live.Get(o), object: o})
		h.St.Live = h.St.Live.Set(o, x)
	}
}

// freeze adds atoms for what the others are on entry, which is the same in all iterations.
func (h *loopHead) freeze() {
	for i, t := range h.lp.atoms {
		if t.kind == points {
			n := h.freezeOne(h.in.St.Live.Get(t.object))
			h.lp.atoms[i].exists = n
			continue
		}
		n := h.freezeOne(t.init)
		h.lp.atoms[i].entry = n
		if l, ok := h.s.first[t.object]; ok && t.kind == lives {
			n := h.freezeOne(l)
			h.lp.atoms[i].first = n
		}
	}
}

// freezeOne returns the number of the atom for a formula from before the loop; 0 for a constant.
func (h *loopHead) freezeOne(l kernel.Lit) int {
	if l <= kernel.Yes {
		return 0
	}
	n, ok := h.frozen[l]
	if !ok {
		n = len(h.lp.atoms)
		h.frozen[l] = n
		h.atom(atom{kind: frozen, head: l, init: l, next: l})
	}
	return n
}

// openMemory forgets the elements that the loop may change, but for those that are values of the head.
func (h *loopHead) openMemory() {
	for _, c := range sortedKeys(h.s.cells) {
		var x *kernel.Value
		if h.s.cells[c] {
			v := h.Fresh(kernel.Derived)
			x = &v
		}
		h.St.Memory = h.St.Memory.Set(c, x)
	}
	for i, c := range h.s.kept {
		var x *kernel.Value
		if v := h.Values[len(h.Values)-len(h.s.kept)+i]; v.Kind == kernel.Boolean || v.Address() {
			x = &v
		}
		h.St.Memory = h.St.Memory.Set(c, x)
	}
}
