package verify

import (
	"fmt"
	"slices"
	"strings"

	"freehold/ir"
	"freehold/proof/certificate"
	"freehold/proof/kernel"
)

// cut is a loop of which one iteration is executed: from a head at which everything that the
// loop changes is what the certificate says.
type cut struct {
	v    *verifier
	fr   *kernel.Frame
	op   *ir.Op // to speak of
	name string
	// number is the loop's, of those that were executed.
	number int
	c      *certificate.Loop
	// rules are what is said about the values of the head: those that control passes, then what the elements kept hold, which are known to be
	// booleans only, and then the lives of objects from before the loop.
	rules []*certificate.Carried
	kept  []int
	lives []int
	// in is the edge into the loop, and head what goes on from there.
	in, head moment
	// before is the number of the objects and elements that there are before the loop.
	before, cells int
	// own are the loop's own objects, by the number of the value that names them; trees are the pointers that each value may be at
	// the head, and naming is what holds of own objects there.
	own    map[int]int
	trees  map[int][]int32
	naming []kernel.Lit
	// frozen are the conditions from before the loop that the certificate speaks of.
	frozen map[string]kernel.Lit
}

// moment is what a condition of a loop is about: the state at the head, or that of an edge to it, by which the loop's own objects may have
// other names.
type moment struct {
	kernel.Edge
	names map[int]int
}

// object returns what an object is at a moment.
func (m *moment) object(o int) int {
	if now, ok := m.names[o]; ok {
		return now
	}
	return o
}

// loop executes a loop of a graph from the edge into it.
func (w *walk) loop(it certificate.Item, in kernel.Edge) {
	v, fr := w.verifier, w.fr
	name, l := "", &certificate.Loop{}
	if len(v.c.Loops) > 0 {
		if name = w.place(it); v.c.Loops[name] != nil {
			l = v.c.Loops[name]
		}
	}
	if l.Unroll {
		w.unroll(it, in)
		return
	}
	base, around := fr.Base, v.within
	fr.Base, fr.Cond = v.F.And(base, in.Cond), kernel.Yes
	v.loops++
	c := &cut{v: v, fr: fr, op: w.op, name: name, number: v.loops, c: l, own: map[int]int{}, trees: map[int][]int32{}, frozen: map[string]kernel.Lit{}}
	c.open(in)
	if v.Err != nil {
		return
	}
	head := c.head.Edge
	head.Values = head.Values[:len(in.Values)]
	v.within = c.before
	back, exits := w.iteration(it, head)
	v.within = around
	if next, again := v.Merge(back); again && v.Err == nil {
		fr.Cond = next.Cond
		c.close(next)
	}
	for i := range exits {
		exits[i].Cond = v.F.And(in.Cond, exits[i].Cond)
	}
	w.push(exits)
	fr.Base = base
}

// listRules finds out which values the head has beside the n that control passes, and what is said about each.
func (c *cut) listRules(n int) {
	for _, e := range c.c.Keeps {
		o, _ := c.object(e.Object)
		if x := c.v.Objects[o]; e.Number >= x.Size {
			c.refuse("%s has no contents %d that are followed", e.Object, e.Number)
		} else {
			c.kept = append(c.kept, x.Cells+e.Number)
		}
	}
	for k := range n + len(c.kept) {
		c.rules = append(c.rules, c.c.About(k))
	}
	for _, s := range c.c.Lives {
		o, _ := c.object(s.Object)
		c.lives = append(c.lives, o)
		c.rules = append(c.rules, &certificate.Carried{Free: s.Is == "", Is: s.Is})
	}
}

// at returns the moment of an edge to the head, with all the values that the head has.
func (c *cut) at(e kernel.Edge) moment {
	e.Values = slices.Clone(e.Values)
	for _, i := range c.kept {
		switch x := e.St.Memory.Get(i); {
		case x != nil && x.Kind == kernel.Boolean:
			e.Values = append(e.Values, *x)
		case x != nil && x.Address():
			e.Values = append(e.Values, c.v.Fresh(kernel.Derived))
		default:
			e.Values = append(e.Values, c.v.Fresh(kernel.Number))
		}
	}
	for _, o := range c.lives {
		e.Values = append(e.Values, kernel.TruthOf(e.St.Live.Get(o)))
	}
	return moment{Edge: e}
}

// called returns what messages call the loop.
func (c *cut) called() string { return strings.TrimRight("loop "+c.name, " ") + ": " }

func (c *cut) refuse(format string, args ...any) {
	c.v.Refuse(c.op, c.called()+format, args...)
}

// require checks that bad doesn't hold where the edge is.
func (c *cut) require(bad kernel.Lit, format string, args ...any) {
	c.v.require(c.fr, c.op, bad, c.called()+format, args...)
}

// made tells whether the loop made the object.
func (c *cut) made(o int) bool { return o >= c.before && c.v.Objects[o].Kind == kernel.Heap }

// compare checks that the state of an edge to the head is one that the head allows.
func (c *cut) compare(now *moment, when string) {
	v := c.v
	for k, x := range now.Values {
		c.require(c.differs(k, x, now), "%s %s", c.what(k), when)
	}
	c.head.St.Live.Compare(now.St.Live, func(o int, x, y kernel.Lit) {
		if o < c.before && !slices.Contains(c.lives, o) {
			c.require(v.F.Iff(x, y).Not(), "the life of object %d %s", o, when)
		}
	})
	c.head.St.Memory.Compare(now.St.Memory, func(i int, x, y *kernel.Value) {
		if i < c.cells && !slices.Contains(c.kept, i) && (x != nil && x.Kind != kernel.Derived && (y == nil || *x != *y) || x == nil && y != nil && y.Address()) {
			c.refuse("the contents of a buffer %s", when)
		}
	})
	for i, s := range c.c.Holds {
		c.require(c.condition(s, now).Not(), "condition %d %s", i, when)
	}
}

// what returns what messages call value k of the head.
func (c *cut) what(k int) string {
	if i := k - len(c.rules) + len(c.lives); i >= 0 {
		return "the life of " + c.c.Lives[i].Object
	}
	return fmt.Sprint("value ", k)
}

// differs returns the condition that the head doesn't allow value k to be x.
func (c *cut) differs(k int, x kernel.Value, now *moment) kernel.Lit {
	r, h := c.rules[k], c.head.Values[k]
	switch {
	case h.Kind == kernel.Derived, h.Kind == kernel.Number && !x.Address():
		return kernel.No
	case h.Kind != x.Kind:
	case h.Kind == kernel.Boolean && r.Free:
		return kernel.No
	case h.Kind == kernel.Boolean && r.Is != "":
		return c.v.F.Iff(x.Truth, c.condition(r.Is, now)).Not()
	case h.Kind == kernel.Boolean:
		return c.v.F.Iff(x.Truth, h.Truth).Not()
	case h.Kind == kernel.Pointer && (x.Window == h.Window || h.Window == nil) && (x.Shift == h.Shift || h.Shift == kernel.AnyShift):
		return c.v.F.Or(c.elsewhere(k, x, now), c.v.F.And(x.Part, h.Part.Not()))
	}
	return kernel.Yes
}

// elsewhere returns the condition that a pointer is none that value k may be.
func (c *cut) elsewhere(k int, x kernel.Value, now *moment) kernel.Lit {
	v, trees := c.v, slices.Clone(c.trees[k])
	if len(trees) == 0 {
		trees = []int32{c.head.Values[k].Tree}
	}
	for i, n := range trees {
		if at := v.Choices[n]; at.Leaf {
			trees[i] = v.PointTo(now.object(at.Object)).Tree // as own objects are called now
		}
	}
	out := v.Where(x.Tree, func(n int32) (done, hit bool) {
		known := slices.Contains(trees, n)
		return known, !known && v.Choices[n].Leaf
	})
	for _, n := range trees {
		for _, t := range v.Targets(kernel.Value{Kind: kernel.Pointer, Tree: n}) {
			if out != kernel.No {
				out = v.F.And(out, v.F.And(t.Guard, v.PointsTo(x, t.Object)).Not())
			}
		}
	}
	return out
}

// close checks that the head allows the state in which control goes back to it, in which what the loop made has the names of its own
// objects, and that nothing gets lost.
func (c *cut) close(next kernel.Edge) {
	v, now := c.v, c.at(next)
	passed := slices.Clone(now.Values)
	for k, x := range passed {
		if c.head.Values[k].Kind != kernel.Pointer { // as a number, it names no object
			passed[k] = kernel.Value{}
			continue
		}
		c.checkPassed(k, x, next.St)
	}
	first := len(v.Objects)
	c.fr.St = next.St
	named := v.Rename(c.fr, passed, kernel.Renaming{Some: c.made, Op: c.op, Shared: func(_, _ int, same kernel.Lit) kernel.Lit { return same }})
	now.St, now.names = c.fr.St, map[int]int{}
	for k, x := range passed {
		if x.Kind == kernel.Pointer {
			now.Values[k] = x
		}
	}
	for k := range now.Values {
		o, ok := c.own[k]
		if !ok {
			continue
		}
		n, ok := named[k]
		if !ok {
			n = v.NewObject("", kernel.Object{Kind: kernel.Heap}) // nothing that lives
		}
		if now.names[o] = n; !c.rules[k].Free {
			c.require(v.F.And(v.PointsTo(now.Values[k], n), now.St.Live.Get(n).Not()), "what value %d names lives", k)
		}
	}
	c.compare(&now, "after an iteration")
	for o := c.before; o < first; o++ {
		if c.made(o) {
			c.require(now.St.Live.Get(o), "an object is lost")
		}
	}
}

// checkPassed checks that value k passes on nothing that can't get another name.
func (c *cut) checkPassed(k int, x kernel.Value, st kernel.State) {
	for _, t := range c.v.Targets(x) {
		switch {
		case t.Object >= c.before && c.v.Objects[t.Object].Kind == kernel.Stack:
			c.refuse("it carries a buffer on the stack that it reserves")
		case c.made(t.Object) && c.v.HoldsAddresses(st, x):
			c.refuse("it carries a buffer with addresses")
		}
	}
}
