package verify

import (
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
	in     kernel.Edge // into the loop
	head   kernel.Edge
	// before is the number of the objects and elements that there are before the loop.
	before, cells int
	// kept are the elements whose contents are the last values of the head.
	kept []int
	// own are the loop's own objects, by the number of the value that names them; trees are
	// the pointers that each value may be, and where the choice between them is a variable.
	own map[int]int
	// naming holds at the head: own objects go by the first value that points to them.
	naming []kernel.Lit
	trees  map[int][]int32
	// frozen are the conditions from before the loop that the certificate speaks of.
	frozen map[string]kernel.Lit
}

// moment is the state that a condition of a loop is about: at the head, when the loop is
// entered, or when control goes back to the head.
type moment struct {
	values []kernel.Value
	live   kernel.Table[kernel.Lit]
	// names returns the condition that value k points to an object that value j is the first
	// to point to; nil at the head and on entry.
	names func(k, j int) kernel.Lit
	// lives returns the condition that own object j lives.
	lives func(j int) kernel.Lit
}

// loop executes a loop of a graph from the edge into it.
func (v *verifier) loop(w *kernel.Walk, it certificate.Item, in kernel.Edge) {
	fr := w.Fr
	name, l := "", &certificate.Loop{}
	if len(v.c.Loops) > 0 {
		if name = w.Name(it); v.c.Loops[name] != nil {
			l = v.c.Loops[name]
		}
	}
	if l.Unroll {
		w.Unroll(it, in)
		return
	}
	base, around := fr.Base, v.within
	fr.Base = v.F.And(base, in.Cond)
	v.loops++
	c := &cut{v: v, fr: fr, op: w.Op, name: name, number: v.loops, c: l, in: in, own: map[int]int{}, trees: map[int][]int32{}, frozen: map[string]kernel.Lit{}}
	fr.Cond = kernel.Yes
	for _, e := range l.Keeps {
		c.keep(e)
	}
	c.in = c.withContents(in)
	c.open()
	if v.Err != nil {
		return
	}
	head := c.head
	head.Values = head.Values[:len(in.Values)]
	v.within = c.before
	back, exits := w.Iteration(it, head)
	v.within = around
	if next, again := v.Merge(back); again && v.Err == nil {
		fr.Cond = next.Cond
		c.close(c.withContents(next))
	}
	for i := range exits {
		exits[i].Cond = v.F.And(in.Cond, exits[i].Cond)
	}
	w.Push(exits)
	fr.Base = base
}

// keep makes what an element holds a value of the head.
func (c *cut) keep(e certificate.Element) {
	o, _ := c.object(e.Object)
	if x := c.v.Objects[o]; e.Number >= x.Size {
		c.refuse("%s has no contents %d that are followed", e.Object, e.Number)
	} else {
		c.kept = append(c.kept, x.Cells+e.Number)
	}
}

// withContents returns an edge to the head that has what the elements hold among its values.
// Only booleans are known there.
func (c *cut) withContents(e kernel.Edge) kernel.Edge {
	e.Values = append([]kernel.Value(nil), e.Values...)
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
	return e
}

// called returns what messages call the loop.
func (c *cut) called() string { return strings.TrimRight("loop "+c.name, " ") + ": " }

func (c *cut) refuse(format string, args ...any) {
	c.v.Refuse(c.op, c.called()+format, args...)
}

// made tells whether the loop made the object.
func (c *cut) made(o int) bool { return o >= c.before && c.v.Objects[o].Kind == kernel.Heap }

// compare checks that the state of an edge to the head is one that the head allows.
func (c *cut) compare(e kernel.Edge, now *moment, when string) {
	v := c.v
	for k, x := range e.Values {
		r, h := c.c.About(k), c.head.Values[k]
		bad := kernel.Yes
		switch {
		case h.Kind == kernel.Derived, h.Kind == kernel.Number && !x.Address():
			bad = kernel.No
		case h.Kind != x.Kind:
		case h.Kind == kernel.Boolean && r.Free:
			bad = kernel.No
		case h.Kind == kernel.Boolean && r.Is != "":
			bad = v.F.Iff(x.Truth, c.condition(r.Is, now)).Not()
		case h.Kind == kernel.Boolean:
			bad = v.F.Iff(x.Truth, h.Truth).Not()
		case h.Kind == kernel.Pointer && (x.Window == h.Window || h.Window == kernel.AnyWindow) && (x.Shift == h.Shift || h.Shift == kernel.AnyShift):
			trees := c.trees[k]
			if len(r.To) == 0 {
				trees = []int32{h.Tree}
			}
			bad = v.F.Or(c.elsewhere(x, k, trees), v.F.And(x.Part, h.Part.Not()))
		}
		c.require(bad, "value %d %s", k, when)
	}
	said := map[int]bool{}
	for _, s := range c.c.Lives {
		o, _ := c.object(s.Object)
		said[o] = true
		if s.Is != "" {
			c.require(v.F.Iff(e.St.Live.Get(o), c.condition(s.Is, now)).Not(), "the life of %s %s", s.Object, when)
		}
	}
	c.head.St.Live.Compare(e.St.Live, func(o int, x, y kernel.Lit) {
		if o < c.before && !said[o] {
			c.require(v.F.Iff(x, y).Not(), "the life of object %d %s", o, when)
		}
	})
	c.head.St.Memory.Compare(e.St.Memory, func(i int, x, y *kernel.Value) {
		if i < c.cells && !slices.Contains(c.kept, i) && (x != nil && x.Kind != kernel.Derived && (y == nil || *x != *y) || x == nil && y != nil && y.Address()) {
			c.refuse("the contents of a buffer %s", when)
		}
	})
	for i, s := range c.c.Holds {
		c.require(c.condition(s, now).Not(), "condition %d %s", i, when)
	}
}

// require checks that bad doesn't hold where the edge is.
func (c *cut) require(bad kernel.Lit, format string, args ...any) {
	c.v.require(c.fr, c.op, bad, c.called()+format, args...)
}

// elsewhere returns the condition that a pointer is none of the trees, and, if value k may
// point to what the loop made, doesn't point to that.
func (c *cut) elsewhere(x kernel.Value, k int, trees []int32) kernel.Lit {
	_, own := c.own[k]
	for _, t := range c.c.About(k).To {
		own = own || t[0] == 'o'
	}
	out := c.v.Where(x.Tree, func(n int32) (bool, bool) {
		for _, t := range trees {
			if n == t {
				return true, false
			}
		}
		leaf := c.v.Choices[n]
		return leaf.Leaf, leaf.Leaf && !(own && c.made(leaf.Object))
	})
	for _, n := range trees {
		for _, t := range c.v.Targets(kernel.Value{Kind: kernel.Pointer, Tree: n}) {
			if out != kernel.No {
				out = c.v.F.And(out, c.v.F.And(t.Guard, c.v.PointsTo(x, t.Object)).Not())
			}
		}
	}
	return out
}
