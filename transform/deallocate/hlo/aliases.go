package hlo

import "freehold/ir"

// aliases are classes of buffers that may be the same, as a union-find structure. Each
// class knows where in each block its buffers are used for the last time.
type aliases struct{ classes map[*ir.Value]*class }

type class struct {
	parent *class
	// last is the last use in a block: twice the position of an operation, plus 1 if it is
	// in the operation's regions. Most classes have uses in few blocks: those are in few,
	// and the others in last.
	last map[*ir.Block]uint32
	few  []lastUse
	// first is the place of the first buffer of the class.
	first place
}

type lastUse struct {
	block *ir.Block
	at    uint32
}

// fewBlocks is up to how many blocks looking through a list is faster than a map.
const fewBlocks = 4

func newAliases() *aliases { return &aliases{map[*ir.Value]*class{}} }

// class returns the class of a buffer.
func (a *aliases) class(v *ir.Value) *class {
	c := a.classes[v]
	if c == nil {
		c = &class{first: placeOf(v)}
		a.classes[v] = c
		home := v.ParentBlock()
		for u := v.FirstUse(); u != nil; u = u.Next() {
			nested := uint32(0)
			for o := u.Owner(); o != nil && o.Block() != nil; o = o.Parent() {
				c.use(o.Block(), 2*o.Mark()+nested)
				if o.Block() == home {
					break
				}
				nested = 1
			}
		}
	}
	for c.parent != nil {
		if c.parent.parent != nil {
			c.parent = c.parent.parent
		}
		c = c.parent
	}
	return c
}

func (c *class) use(b *ir.Block, at uint32) {
	for i := range c.few {
		if u := &c.few[i]; u.block == b {
			u.at = max(u.at, at)
			return
		}
	}
	switch {
	case len(c.few) < fewBlocks:
		c.few = append(c.few, lastUse{b, at})
	case c.last == nil:
		c.last = map[*ir.Block]uint32{b: at}
	default:
		c.last[b] = max(c.last[b], at)
	}
}

// lastIn returns the last use in a block, or 0.
func (c *class) lastIn(b *ir.Block) uint32 {
	for _, u := range c.few {
		if u.block == b {
			return u.at
		}
	}
	return c.last[b]
}

// union joins the classes of two buffers.
func (a *aliases) union(v, w *ir.Value) {
	c, d := a.class(v), a.class(w)
	if c == d {
		return
	}
	if len(c.last)+len(c.few) < len(d.last)+len(d.few) {
		c, d = d, c
	}
	for b, at := range d.last {
		c.use(b, at)
	}
	for _, u := range d.few {
		c.use(u.block, u.at)
	}
	c.first = min(c.first, d.first)
	d.parent, d.last, d.few = c, nil, nil
}

// usedAfter tells whether a buffer that may be the same as v is used after op in its
// block, or in op's regions.
func (a *aliases) usedAfter(v *ir.Value, op *ir.Op) bool {
	return a.class(v).lastIn(op.Block()) > 2*op.Mark()
}
