package verify

import (
	"fmt"

	"freehold/proof/certificate"
	"freehold/proof/kernel"
)

// open makes the state at the head, after it has checked that it is that of the entry.
func (c *cut) open() {
	v := c.v
	c.head = kernel.Edge{Cond: kernel.Yes, St: c.in.St, Values: append([]kernel.Value(nil), c.in.Values...)}
	before := c.pointersBefore()
	for _, s := range c.c.Lives {
		c.object(s.Object)
	}
	if v.Err != nil {
		return
	}
	c.before, c.cells = len(v.Objects), v.Cells
	lives := map[int]kernel.Lit{} // of own objects
	for k := range c.in.Values {
		if !c.openValue(k, before[k], lives) {
			return
		}
	}
	for k, o := range c.own {
		c.head.St.Live = c.head.St.Live.Set(o, lives[k])
	}
	now := c.openConditions()
	for _, o := range c.own {
		v.Objects[o].Born = c.head.St.Live
	}
	c.openMemory()
	c.compare(c.in, &moment{values: c.in.Values, live: c.in.St.Live}, "on entry")
	for _, l := range c.naming {
		v.assume(c.fr, l)
	}
	for _, s := range c.c.Holds {
		v.assume(c.fr, c.condition(s, now))
	}
}

// pointersBefore returns, for each value, the pointers from before the loop that it may be.
func (c *cut) pointersBefore() map[int][]int32 {
	out := map[int][]int32{}
	for k := range c.in.Values {
		for _, t := range c.c.About(k).To {
			if tree, ok := c.tree(t); ok {
				out[k] = append(out[k], tree)
			}
		}
	}
	return out
}

// openValue makes value k of the head, which may be one of the pointers from before the loop, and adds the life of the object that it
// names. It returns false if the certificate says nothing that makes sense.
func (c *cut) openValue(k int, before []int32, lives map[int]kernel.Lit) bool {
	v, r, x, h := c.v, c.c.About(k), c.in.Values[k], &c.head.Values[k]
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
		if !c.openPointer(k, before, lives) {
			return false
		}
	}
	if h.Kind != kernel.Pointer {
		return true
	}
	if r.View {
		h.Window = kernel.AnyWindow
	}
	if r.Part {
		h.Part = kernel.Yes
	}
	if r.Shifted {
		h.Shift = kernel.AnyShift
	}
	return true
}

// openPointer makes value k a choice of pointers from before the loop, and of own objects.
func (c *cut) openPointer(k int, before []int32, lives map[int]kernel.Lit) bool {
	v, r, h := c.v, c.c.About(k), &c.head.Values[k]
	c.trees[k] = before
	var choices []int32
	for _, t := range r.To {
		j, own := certificate.Own(t)
		if !own {
			choices, before = append(choices, before[0]), before[1:]
			continue
		}
		if _, exists := c.own[j]; j == k && !exists {
			c.own[k] = v.NewObject(fmt.Sprintf("own%s@%d", c.name, k), kernel.Object{Kind: kernel.Heap, Op: c.op, Loop: c.number})
		}
		o, exists := c.own[j]
		if !exists {
			c.refuse("value %d is to point to what value %d doesn't name", k, j)
			return false
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
			c.naming = append(c.naming, v.F.And(v.PointsTo(*h, o), v.PointsTo(c.head.Values[j], o).Not()).Not())
		}
	}
	return true
}

// openConditions makes the lives of objects from before the loop, and the booleans and lives that are what a condition is. It returns
// the moment of being at the head. What a condition says of something that has its own condition only later is anything: it isn't
// what it was on entry.
func (c *cut) openConditions() *moment {
	now := &moment{values: c.head.Values}
	live := func(name string, l kernel.Lit) {
		o, _ := c.object(name)
		c.head.St.Live = c.head.St.Live.Set(o, l)
		now.live = c.head.St.Live
	}
	now.live = c.head.St.Live
	for _, s := range c.c.Lives {
		live(s.Object, c.v.F.Variable())
	}
	for k := range c.in.Values {
		if is := c.c.About(k).Is; is != "" {
			c.head.Values[k] = kernel.TruthOf(c.condition(is, now))
		}
	}
	for _, s := range c.c.Lives {
		if s.Is != "" {
			live(s.Object, c.condition(s.Is, now))
		}
	}
	return now
}

// openMemory forgets the contents of the buffers that the loop writes, but for the elements that are values of the head.
func (c *cut) openMemory() {
	v := c.v
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
}
