package check

import (
	"freehold/ir"
	"freehold/proof/kernel"
)

// backEdge is the state in which control goes back to the head of a loop, while it is related to that at the head.
type backEdge struct {
	*analysis
	fr *kernel.Frame
	lp *loop
	s  *shape
	kernel.Edge
	// own are, of each pointer, the objects of the iteration that it points to, and isOwn the condition that it points to one.
	own   [][]kernel.Target
	isOwn []kernel.Lit
	// names are the arguments by the loop's own objects that they name.
	names map[int]int
}

// closeLoop gives the atoms their values in the next iteration, and checks that what the iteration allocated is freed or passed on.
func (a *analysis) closeLoop(fr *kernel.Frame, lp *loop, s *shape, in, next kernel.Edge) {
	b := &backEdge{analysis: a, fr: fr, lp: lp, s: s, Edge: next, own: make([][]kernel.Target, len(next.Values)), isOwn: make([]kernel.Lit, len(next.Values)), names: map[int]int{}}
	lp.back = a.f.And(fr.Base, next.Cond)
	for k, v := range next.Values {
		if s.changed[k] && v.Kind == kernel.Pointer {
			b.passOn(k)
		}
	}
	for _, t := range lp.atoms {
		if _, named := b.names[t.object]; t.kind == points && t.object >= lp.first && a.Objects[t.object].Loop != 0 && !named {
			b.names[t.object] = t.argument
		}
	}
	for i := range lp.atoms {
		b.closeAtom(&lp.atoms[i])
	}
	b.addConditions()
	outer := fr.Cond
	fr.Cond = next.Cond
	b.checkLost(in)
	fr.Cond = outer
}

// passOn finds out which objects of the iteration pointer k passes on to the next one.
func (b *backEdge) passOn(k int) {
	v := b.Values[k]
	for _, t := range b.Targets(v) {
		if !b.made(t.Object, b.lp.first) {
			continue
		}
		x := b.Objects[t.Object]
		if b.HoldsAddresses(b.St, v) {
			b.cannotJudge(opOf(x, b.fr.Fn), "a loop carries a buffer with addresses")
			b.allLost = true
		}
		if x.Kind == kernel.Stack {
			// Its scope may have ended, and its memory may be that of the next one.
			b.cannotJudge(opOf(x, b.fr.Fn), "a loop carries a buffer on the stack that it reserves")
		}
		b.own[k] = append(b.own[k], t)
		b.isOwn[k] = b.f.Or(b.isOwn[k], t.Guard)
	}
}

// named returns the condition that argument k points to the object that argument j is the first to point to.
func (b *backEdge) named(k, j int) kernel.Lit {
	c := b.isOwn[k]
	for i := range j {
		c = b.f.And(c, b.equalTargets(b.own[k], b.own[i]).Not())
	}
	if j < k {
		c = b.f.And(c, b.equalTargets(b.own[k], b.own[j]))
	}
	return c
}

// closeAtom gives an atom its value in the next iteration.
func (b *backEdge) closeAtom(t *atom) {
	j, own := b.names[t.object]
	switch {
	case t.kind == holds:
		t.next = b.Values[t.argument].Truth
	case t.kind == points && own:
		t.next = b.named(t.argument, j)
	case t.kind == points:
		t.next = b.Guard(b.Values[t.argument], t.object)
	case t.kind == lives && own:
		life := kernel.No
		for _, x := range b.own[j] {
			life = b.f.Or(life, b.f.And(x.Guard, b.St.Live.Get(x.Object)))
		}
		t.next = b.f.And(b.named(j, j), life)
	case t.kind == lives:
		t.next = b.St.Live.Get(t.object)
	}
}

// maxConditions limits the conditions from before a loop that invariants speak of.
const maxConditions = 12

// addConditions adds atoms for the conditions from before the loop that what it changes depends on.
func (b *backEdge) addConditions() {
	var roots []kernel.Lit
	for _, t := range b.lp.atoms {
		if t.kind == holds || t.kind == lives {
			roots = append(roots, t.init, t.next)
		}
	}
	for _, l := range b.f.support(roots, b.lp.before, maxConditions) {
		b.lp.conditions = append(b.lp.conditions, len(b.lp.atoms))
		b.lp.atoms = append(b.lp.atoms, atom{kind: frozen, head: l, init: l, next: l})
	}
}

// checkLost checks that no allocation of the iteration lives that no pointer passes on. What the loop goes on with as a number, given
// what enters it, names no object.
func (b *backEdge) checkLost(in kernel.Edge) {
	for o := b.lp.first; o < len(b.Objects); o++ {
		x := b.Objects[o]
		if x.Kind != kernel.Heap || b.isLost(o) {
			continue
		}
		lost := b.St.Live.Get(o)
		for k, v := range b.Values {
			if lost != kernel.No && in.Values[k].Kind == kernel.Pointer {
				lost = b.f.And(lost, b.Guard(v, o).Not())
			}
		}
		if lost != kernel.No {
			b.violate(b.fr, Leak, opOf(x, b.fr.Fn), o, lost, "at the end of an iteration")
		}
	}
}

// opOf returns the operation that allocates an object, or another one to speak of.
func opOf(x *kernel.Object, other *ir.Op) *ir.Op {
	if x.Op != nil {
		return x.Op
	}
	return other
}
