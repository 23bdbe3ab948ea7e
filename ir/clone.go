package ir

// Mapping maps values and blocks of one program to their copies.
type Mapping struct {
	values map[*Value]*Value
	blocks map[*Block]*Block
}

// NewMapping returns an empty mapping.
func NewMapping() *Mapping {
	return &Mapping{map[*Value]*Value{}, map[*Block]*Block{}}
}

// Map makes w the copy of v.
func (m *Mapping) Map(v, w *Value) { m.values[v] = w }

// MapBlock makes c the copy of b.
func (m *Mapping) MapBlock(b, c *Block) { m.blocks[b] = c }

// Value returns the copy of v, or v itself if it has none.
func (m *Mapping) Value(v *Value) *Value {
	if w, ok := m.values[v]; ok {
		return w
	}
	return v
}

// Lookup returns the copy of v and whether it has one.
func (m *Mapping) Lookup(v *Value) (*Value, bool) {
	w, ok := m.values[v]
	return w, ok
}

// Block returns the copy of b, or b itself if it has none.
func (m *Mapping) Block(b *Block) *Block {
	if c, ok := m.blocks[b]; ok {
		return c
	}
	return b
}

// Clone copies the operation with its regions, and puts the copy at the
// insertion point. Operands are mapped; results and what is nested are added to
// the mapping.
func (b *Builder) Clone(o *Op, m *Mapping) *Op {
	c := b.Insert(b.arena.clone(o, m, true))
	if b.Listener != nil && b.block != nil {
		for _, r := range c.Regions() {
			b.notifyInserted(r.first, nil)
		}
	}
	return c
}

// CloneWithoutRegions copies the operation with as many, but empty regions.
func (b *Builder) CloneWithoutRegions(o *Op, m *Mapping) *Op {
	return b.Insert(b.arena.clone(o, m, false))
}

// CloneDetached copies the operation without inserting it anywhere.
func CloneDetached(o *Op) *Op {
	var a Arena
	return a.clone(o, NewMapping(), true)
}

func (a *Arena) clone(o *Op, m *Mapping, regions bool) *Op {
	c := a.op()
	c.name, c.loc = o.name, o.loc
	c.setOperands(a.operands(len(o.Operands())))
	for i := range o.Operands() {
		u := &c.Operands()[i]
		u.owner, u.index = c, int32(i)
		u.link(m.Value(o.Operands()[i].value))
	}
	c.setResults(a.values(len(o.Results())))
	for i := range o.Results() {
		r := &c.Results()[i]
		r.typ = o.Results()[i].typ
		r.setResult(c, i)
		m.Map(&o.Results()[i], r)
	}
	if o.firstProp != nil {
		c.setProps(append([]Attribute(nil), o.Props()...))
	}
	if o.ext == nil {
		return c
	}
	x := c.extra()
	x.attrs = append([]NamedAttr(nil), o.ext.attrs...)
	x.propsOf = o.ext.propsOf
	if len(o.ext.succs) > 0 {
		x.succs = make([]BlockUse, len(o.ext.succs))
		for i := range o.ext.succs {
			u := &x.succs[i]
			u.owner, u.index = c, int32(i)
			u.link(m.Block(o.ext.succs[i].block))
		}
	}
	for i, r := range o.ext.regions {
		n := &Region{op: c, index: i}
		x.regions = append(x.regions, n)
		if regions {
			a.cloneRegion(r, n, nil, m)
		}
	}
	return c
}

// CloneRegion copies the blocks of src into dst before the block at (nil: at the
// end), and adds them to the mapping.
func (b *Builder) CloneRegion(src, dst *Region, at *Block, m *Mapping) {
	b.arena.cloneRegion(src, dst, at, m)
	if b.Listener != nil && src.first != nil {
		b.notifyInserted(m.Block(src.first), at)
	}
}

// notifyInserted tells the listener of what is in the blocks from first up to
// end.
func (b *Builder) notifyInserted(first, end *Block) {
	for ; first != end; first = first.next {
		for o := first.first; o != nil; o = o.next {
			o.WalkPostOrder(b.Listener.OpInserted)
		}
	}
}

func (a *Arena) cloneRegion(src, dst *Region, at *Block, m *Mapping) {
	var ops []*Op // the copies, in order
	for blk := src.first; blk != nil; blk = blk.next {
		n := &Block{}
		for _, arg := range blk.args {
			w := arg
			if _, done := m.values[arg]; !done {
				w = n.AddArg(arg.typ, arg.arg().loc)
				m.Map(arg, w)
			}
		}
		m.MapBlock(blk, n)
		dst.insert(n, at)
	}
	for blk := src.first; blk != nil; blk = blk.next {
		n := m.Block(blk)
		for o := blk.first; o != nil; o = o.next {
			c := a.clone(o, m, true)
			n.insert(c, nil)
			ops = append(ops, c)
		}
	}
	// Operands that are defined in a later block, or, in a graph region, later in
	// the same one, were not mapped yet when they were copied.
	for _, c := range ops {
		c.Walk(func(x *Op) bool {
			for i := range x.Operands() {
				if w, ok := m.values[x.Operands()[i].value]; ok && w != x.Operands()[i].value {
					x.Operands()[i].Set(w)
				}
			}
			return true
		})
	}
}
