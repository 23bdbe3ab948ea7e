package verify

import (
	"fmt"
	"slices"

	"freehold/proof/certificate"
	"freehold/proof/kernel"
)

// open makes the state at the head, after it has checked that it is that of the entry.
func (c *cut) open(in kernel.Edge) {
	v := c.v
	c.before, c.cells = len(v.Objects), v.Cells
	c.listRules(len(in.Values))
	c.in = c.at(in)
	c.head = c.in
	c.head.Cond, c.head.Values = kernel.Yes, slices.Clone(c.in.Values)
	for k := range c.in.Values {
		if v.Err == nil {
			c.openValue(k)
		}
	}
	if v.Err != nil {
		return
	}
	c.forget()
	for k := range c.in.Values {
		c.restore(k)
	}
	for k, r := range c.rules {
		if r.Is != "" && c.in.Values[k].Kind == kernel.Boolean {
			// What it says of something that has its own condition only later is anything.
			c.head.Values[k] = kernel.TruthOf(c.condition(r.Is, &c.head))
			c.restore(k)
		}
	}
	for _, o := range c.own {
		v.Objects[o].Born = c.head.St.Live
	}
	c.compare(&c.in, "on entry")
	for _, l := range c.naming {
		v.assume(c.fr, l)
	}
	for _, s := range c.c.Holds {
		v.assume(c.fr, c.condition(s, &c.head))
	}
}

// openValue makes value k of the head.
func (c *cut) openValue(k int) {
	v, r, x, h := c.v, c.rules[k], c.in.Values[k], &c.head.Values[k]
	switch {
	case r.Address, x.Kind == kernel.Derived && !r.Number:
		*h = v.Fresh(kernel.Derived)
	case x.Kind == kernel.Number || x.Kind == kernel.Integer || r.Number && x.Kind != kernel.Pointer:
		*h = v.Fresh(kernel.Number)
	case x.Kind == kernel.Boolean && (r.Free || r.Is != ""):
		*h = v.Fresh(kernel.Boolean)
	case x.Kind == kernel.Pointer && len(r.To) > 0:
		c.openPointer(k)
	}
	if h.Kind != kernel.Pointer {
		return
	}
	if *h = v.AnyShape(*h); r.View {
		h.Window = nil
	}
	if r.Part {
		h.Part = kernel.Yes
	}
	if r.Shifted {
		h.Shift = kernel.AnyShift
	}
}

// openPointer makes value k a choice of pointers from before the loop, and of own objects, which go by the first value that points to them.
func (c *cut) openPointer(k int) {
	v, r, h := c.v, c.rules[k], &c.head.Values[k]
	for _, t := range r.To {
		j, own := certificate.Own(t)
		if !own {
			c.trees[k] = append(c.trees[k], c.pointer(t).Tree)
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
		c.trees[k] = append(c.trees[k], v.PointTo(o).Tree)
	}
	h.Tree = c.trees[k][len(r.To)-1]
	for _, n := range slices.Backward(c.trees[k][:len(r.To)-1]) {
		h.Tree = v.Decide(v.F.Variable(), n, h.Tree)
	}
	if o, ok := c.own[k]; ok {
		live := kernel.Yes
		if r.Free {
			live = v.F.Variable()
		}
		c.head.St.Live = c.head.St.Live.Set(o, v.F.And(v.PointsTo(*h, o), live))
	}
	for j := range k {
		if o, ok := c.own[j]; ok {
			c.naming = append(c.naming, v.F.And(v.PointsTo(*h, o), v.PointsTo(c.head.Values[j], o).Not()).Not())
		}
	}
}

// restore gives value k of the head, if it is the life of an object, or what an element holds, its place in the state.
func (c *cut) restore(k int) {
	h, st, first := c.head.Values[k], &c.head.St, len(c.rules)-len(c.lives)
	switch i := k - first + len(c.kept); {
	case k >= first:
		st.Live = st.Live.Set(c.lives[k-first], h.Truth)
	case i >= 0 && h.Kind == kernel.Number:
		st.Memory = st.Memory.Set(c.kept[i], nil)
	case i >= 0:
		st.Memory = st.Memory.Set(c.kept[i], &h)
	}
}

// forget forgets the contents of the buffers that the loop writes.
func (c *cut) forget() {
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
}
