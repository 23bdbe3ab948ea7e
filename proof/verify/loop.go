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
	in     kernel.Edge // into the loop
	head   kernel.Edge
	// before is the number of the objects and elements that there are before the loop.
	before, cells int
	// kept are the elements whose contents are the last values of the head.
	kept []int
	// own are the loop's own objects, by the number of the value that names them; trees are
	// the pointers that each value may be, and where the choice between them is a variable.
	own   map[int]int
	trees map[int][]int32
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

// open makes the state at the head, after it has checked that it is that of the entry.
func (c *cut) open() {
	v := c.v
	c.head = kernel.Edge{Cond: kernel.Yes, St: c.in.St, Values: append([]kernel.Value(nil), c.in.Values...)}
	named := map[int][]int32{} // what values may point to, other than own objects
	for k := range c.in.Values {
		for _, t := range c.c.About(k).To {
			if tree, ok := c.tree(t); ok {
				named[k] = append(named[k], tree)
			}
		}
	}
	for _, s := range c.c.Lives {
		c.object(s.Object)
	}
	if v.Err != nil {
		return
	}
	c.before, c.cells = len(v.Objects), v.Cells
	lives := map[int]kernel.Lit{}
	var naming []kernel.Lit
	for k, x := range c.in.Values {
		r := c.c.About(k)
		h := &c.head.Values[k]
		switch {
		case r.Number && x.Kind != kernel.Pointer:
			*h = v.Fresh(kernel.Number)
		case r.Address, x.Kind == kernel.Derived:
			*h = v.Fresh(kernel.Derived)
		case x.Kind == kernel.Number || x.Kind == kernel.Integer:
			*h = v.Fresh(kernel.Number)
		case x.Kind == kernel.Boolean && (r.Free || r.Is != ""):
			*h = v.Fresh(kernel.Boolean)
		case x.Kind == kernel.Pointer && len(r.To) > 0:
			c.trees[k] = named[k]
			var choices []int32
			for _, t := range r.To {
				j, own := certificate.Own(t)
				if !own {
					choices = append(choices, named[k][0])
					named[k] = named[k][1:]
					continue
				}
				if _, exists := c.own[j]; j == k && !exists {
					c.own[k] = v.NewObject(fmt.Sprintf("own%s@%d", c.name, k), kernel.Object{Kind: kernel.Heap, Op: c.op, Loop: c.number})
				}
				o, exists := c.own[j]
				if !exists {
					c.refuse("value %d is to point to what value %d doesn't name", k, j)
					return
				}
				choices = append(choices, v.Tree(kernel.Choice{Leaf: true, Object: o}))
			}
			h.Tree = choices[len(choices)-1]
			for i := len(choices) - 2; i >= 0; i-- {
				h.Tree = v.Decide(v.F.Variable(), choices[i], h.Tree)
			}
			if o, ok := c.own[k]; ok {
				if lives[k] = kernel.Yes; r.Free {
					lives[k] = v.F.Variable()
				}
				lives[k] = v.F.And(v.PointsTo(*h, o), lives[k])
			}
			for j := range k {
				if o, ok := c.own[j]; ok {
					naming = append(naming, v.F.And(v.PointsTo(*h, o), v.PointsTo(c.head.Values[j], o).Not()).Not())
				}
			}
		}
		if h.Kind == kernel.Pointer {
			if r.View {
				h.Window = kernel.AnyWindow
			}
			if r.Part {
				h.Part = kernel.Yes
			}
			if r.Shifted {
				h.Shift = kernel.AnyShift
			}
		}
	}
	for k, o := range c.own {
		c.head.St.Live = c.head.St.Live.Set(o, lives[k])
	}
	for _, s := range c.c.Lives {
		if s.Is == "" {
			o, _ := c.object(s.Object)
			c.head.St.Live = c.head.St.Live.Set(o, v.F.Variable())
		}
	}
	now := &moment{values: c.head.Values, live: c.head.St.Live}
	for k := range c.in.Values {
		if is := c.c.About(k).Is; is != "" {
			c.head.Values[k] = kernel.TruthOf(c.condition(is, now))
		}
	}
	for _, s := range c.c.Lives {
		if s.Is != "" {
			o, _ := c.object(s.Object)
			c.head.St.Live = c.head.St.Live.Set(o, c.condition(s.Is, now))
		}
	}
	now.live = c.head.St.Live
	for _, o := range c.own {
		v.Objects[o].Born = c.head.St.Live
	}
	for _, s := range c.c.Cells {
		o, _ := c.object(s.Object)
		for i := range v.Objects[o].Size {
			var x *kernel.Value
			if s.Address {
				y := v.Fresh(kernel.Derived)
				x = &y
			}
			c.head.St.Memory = c.head.St.Memory.Set(v.Objects[o].Cells+i, x)
		}
	}
	for i, cell := range c.kept {
		var x *kernel.Value
		if h := c.head.Values[len(c.head.Values)-len(c.kept)+i]; h.Kind != kernel.Number {
			x = &h
		}
		c.head.St.Memory = c.head.St.Memory.Set(cell, x)
	}
	c.compare(c.in, &moment{values: c.in.Values, live: c.in.St.Live}, "on entry")
	for _, l := range naming {
		v.assume(c.fr, l)
	}
	for _, s := range c.c.Holds {
		v.assume(c.fr, c.condition(s, now))
	}
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

// close checks that the head allows the state in which control goes back to it, and that
// nothing gets lost.
func (c *cut) close(next kernel.Edge) {
	v := c.v
	// points[k] are the objects made by the loop that value k points to, by[o] the values that point to object o, in order.
	points, by := make([][]kernel.Target, len(next.Values)), map[int][]int{}
	for k, x := range next.Values {
		if c.head.Values[k].Kind != kernel.Pointer {
			continue // as a number, it names no object
		}
		for _, t := range v.Targets(x) {
			if c.made(t.Object) {
				points[k] = append(points[k], t)
				by[t.Object] = append(by[t.Object], k)
				if len(c.trees[k]) < len(c.c.About(k).To) && v.HoldsAddresses(next.St, x) {
					c.refuse("it carries a buffer with addresses")
				}
			}
			if t.Object >= c.before && v.Objects[t.Object].Kind == kernel.Stack {
				c.refuse("it carries a buffer on the stack that it reserves")
			}
		}
	}
	// sharing are the values up to j that point to an object of value k, in order: with others it has nothing in common.
	sharing := func(k, j int) (out []int) {
		for _, t := range points[k] {
			for _, i := range by[t.Object] {
				if i > j {
					break
				}
				out = append(out, i)
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	same := func(i, j int) kernel.Lit {
		out := kernel.No
		for _, s := range points[i] {
			for _, t := range points[j] {
				if s.Object == t.Object {
					out = v.F.Or(out, v.F.And(s.Guard, t.Guard))
				}
			}
		}
		return out
	}
	now := &moment{values: next.Values, live: next.St.Live}
	now.names = func(k, j int) kernel.Lit {
		out := kernel.No
		for _, t := range points[k] {
			out = v.F.Or(out, t.Guard)
		}
		for _, i := range sharing(k, j-1) {
			out = v.F.And(out, same(k, i).Not())
		}
		if j < k {
			out = v.F.And(out, same(k, j))
		}
		return out
	}
	now.lives = func(j int) kernel.Lit {
		out := kernel.No
		for _, t := range points[j] {
			out = v.F.Or(out, v.F.And(t.Guard, next.St.Live.Get(t.Object)))
		}
		return v.F.And(now.names(j, j), out)
	}
	for k := range next.Values {
		r := c.c.About(k)
		if len(r.To) > 0 {
			for _, j := range sharing(k, k) {
				if !slices.Contains(r.To, fmt.Sprint("own:", j)) {
					c.require(now.names(k, j), "value %d points to what value %d names", k, j)
				}
			}
		}
		if _, ok := c.own[k]; ok && !r.Free {
			c.require(v.F.And(now.names(k, k), now.lives(k).Not()), "what value %d names lives", k)
		}
	}
	c.compare(next, now, "after an iteration")
	for o := c.before; o < len(v.Objects); o++ {
		if !c.made(o) {
			continue
		}
		lost := next.St.Live.Get(o)
		for _, k := range by[o] {
			if lost != kernel.No {
				lost = v.F.And(lost, v.PointsTo(next.Values[k], o).Not())
			}
		}
		c.require(lost, "an object is lost")
	}
}

// object returns the object of a name.
func (c *cut) object(name string) (int, bool) {
	if o, ok := c.v.Named[name]; ok {
		return o, true
	}
	if global, ok := strings.CutPrefix(name, "global:"); ok {
		return c.v.Global(c.op, global), true
	}
	if name == "null" {
		return c.v.Nothing(), true
	}
	c.refuse("there is no object %s", name)
	return c.v.NewObject("", kernel.Object{Kind: kernel.Heap}), false
}

// tree returns a pointer of the certificate; nothing for an own object.
func (c *cut) tree(text string) (int32, bool) {
	x := certificate.ParsePointer(text)
	if x == nil {
		c.refuse("%q is no pointer", text)
		return 0, false
	}
	if _, own := certificate.Own(text); own {
		return 0, false
	}
	return c.pointer(x).Tree, true
}

func (c *cut) pointer(x *certificate.Pointer) kernel.Value {
	v := c.v
	if x.If != nil {
		return v.Choose(c.truth(x.If, &moment{values: c.in.Values, live: c.in.St.Live}), c.pointer(x.Then), c.pointer(x.Else))
	}
	var k int
	p, ok := v.ValueNamed(c.fr, x.Name)
	if n, _ := fmt.Sscanf(x.Name, "entry:%d", &k); n == 1 && k >= 0 && k < len(c.in.Values) {
		p, ok = c.in.Values[k], true
	}
	if !ok || p.Kind != kernel.Pointer {
		o, _ := c.object(x.Name)
		p = v.PointTo(o)
	}
	for _, step := range x.Path {
		at := v.Choices[p.Tree]
		if at.Leaf {
			c.refuse("there is no pointer %s?%s", x.Name, x.Path)
		} else if p.Tree = at.Els; step == 't' {
			p.Tree = at.Then
		}
	}
	return kernel.Value{Kind: kernel.Pointer, Tree: p.Tree}
}
