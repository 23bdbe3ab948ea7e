package reuse

import (
	"slices"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// ExchangeBuffers lets loops in a function whose iterations hand on new copies of the buffers that they were given, and free these, each of them once, in whatever order, hand on the buffers
// themselves: they change places as they do in a simulation that writes the next state over the last but one. As each is freed, they are different buffers. It returns how many copies are gone. Linear in the
// size of loops and the uses of what they carry.
func ExchangeBuffers(fn *ir.Op) (n int) {
	results := exchanged{}
	fn.Walk(func(op *ir.Op) bool {
		if x := results.exchangeIn(op); x != nil {
			n += x.rewrite()
			for _, c := range x.copies {
				results[op.Result(c.yielded.Index())] = x.alignment
			}
		}
		return true
	})
	return n
}

// exchanged are the results of loops in which buffers change places, with the alignment of these.
type exchanged map[*ir.Value]ir.Attribute

// exchange is a loop that hands on copies of the buffers that it carries.
type exchange struct {
	copies    []carriedCopy
	alignment ir.Attribute
}

// carriedCopy is a new buffer that a loop hands on, a copy of one that it was given.
type carriedCopy struct {
	yielded *ir.Use
	alloc   *ir.Op
	copy    *ir.Op
	of      *ir.Value // an argument of the loop's body
	free    []*ir.Op  // what frees that one: maybe what finds its base, and the free
}

// exchangeIn returns how buffers can change places in a loop; nil if they can't.
func (e exchanged) exchangeIn(loop *ir.Op) *exchange {
	m, ok := interfaces.LoopLike.Of(loop)
	if !ok || loop.NumRegions() != 1 || loop.RegionAt(0).NumBlocks() != 1 {
		return nil
	}
	start, n := m.Inits(loop)
	args, yielded := m.IterArgs(loop), m.Yielded(loop)
	if len(yielded) != n || len(args) != n || len(m.Results(loop)) != n {
		return nil
	}
	x := &exchange{}
	for i := range yielded {
		if c, ok := copiedToYield(&yielded[i], args); ok {
			x.copies = append(x.copies, c)
		}
	}
	// The same buffers are given and handed on.
	given, handed := map[*ir.Value]bool{}, map[*ir.Value]bool{}
	for _, c := range x.copies {
		given[args[c.yielded.Index()]], handed[c.of] = true, true
	}
	if len(handed) < len(x.copies) || len(x.copies) < 2 {
		return nil
	}
	x.alignment = x.copies[0].alloc.Attr(memref.AlignmentAttr)
	for i := range x.copies {
		c, init := &x.copies[i], loop.OperandUse(start+x.copies[i].yielded.Index())
		if !given[c.of] || !c.endsWithFree() || c.alloc.Attr(memref.AlignmentAttr) != x.alignment || !e.isHandedOver(init, x.alignment) {
			return nil
		}
	}
	return x
}

// copiedToYield returns what is handed on, if it is a new buffer, of which nothing is known but that one of some others of its type was copied to it.
func copiedToYield(u *ir.Use, of []*ir.Value) (c carriedCopy, ok bool) {
	alloc := u.Value().DefinedBy(memref.Alloc)
	if alloc == nil || alloc.Block() != u.Owner().Block() {
		return c, false
	}
	c = carriedCopy{yielded: u, alloc: alloc}
	for x := u.Value().FirstUse(); x != nil; x = x.Next() {
		m, isCopy := interfaces.Copy.Of(x.Owner())
		switch {
		case x == u:
		case c.copy == nil && isCopy && x.Owner().NumResults() == 0 && x.Owner().Block() == alloc.Block():
			from, to := m(x.Owner())
			if to != u.Value() || from.Type() != to.Type() || !slices.Contains(of, from) {
				return c, false
			}
			c.copy, c.of = x.Owner(), from
		default:
			return c, false
		}
	}
	return c, c.copy != nil
}

// endsWithFree tells whether a buffer is copied when nothing but the free uses it, or a part of it, any more, and finds that.
func (c *carriedCopy) endsWithFree() bool {
	ends := usesEnd(c.of, c.copy, func(u *ir.Use) bool {
		op := u.Owner()
		if op == c.copy {
			return true
		}
		if op.Block() != c.copy.Block() || !c.copy.IsBefore(op) || c.free != nil {
			return false
		}
		free := op
		if op.Is(memref.ExtractStridedMetadata) {
			for _, r := range op.Results().Values()[1:] {
				if r.HasUses() {
					return false
				}
			}
			if !op.Result(0).HasOneUse() {
				return false
			}
			free = op.Result(0).FirstUse().Owner()
		}
		if !free.Is(memref.Dealloc) || free.Block() != c.copy.Block() {
			return false
		}
		if c.free = []*ir.Op{free}; free != op {
			c.free = append(c.free, op)
		}
		return true
	})
	return ends && c.free != nil
}

// isHandedOver tells whether a loop is given a buffer of an alignment that is new, or what such a loop before it has handed on, and that nothing uses afterwards.
func (e exchanged) isHandedOver(u *ir.Use, alignment ir.Attribute) bool {
	v := u.Value()
	its, known := e[v]
	if alloc := v.DefinedBy(memref.Alloc); alloc != nil {
		its, known = alloc.Attr(memref.AlignmentAttr), true
	}
	return known && its == alignment && v.ParentBlock() == u.Owner().Block() && usesEnd(v, u.Owner(), func(x *ir.Use) bool { return x == u })
}

// usesEnd tells whether a buffer and its views are used before an operation of a block only, except by last, and by what gives it no other name.
func usesEnd(v *ir.Value, end *ir.Op, last func(u *ir.Use) bool) bool {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if last(u) {
			continue
		}
		op := u.Owner()
		if at := end.Block().AncestorIn(op); at == nil || !at.IsBefore(end) {
			return false
		}
		if interfaces.ViewLike.Has(op) {
			for _, r := range op.Results().Values() {
				if ir.IsMemRef(r.Type()) && !usesEnd(r, end, func(*ir.Use) bool { return false }) {
					return false
				}
			}
			continue
		}
		if !onlyAccesses(u) {
			return false
		}
	}
	return true
}

// onlyAccesses tells whether a use of a buffer reads or writes its elements, or asks for its sizes, and that is all.
func onlyAccesses(u *ir.Use) bool {
	op := u.Owner()
	switch {
	case op.Is(memref.Load), interfaces.IsDim(op):
		return true
	case op.Is(memref.Store):
		return u.Index() > 0 // the first operand is what is stored
	}
	return (interfaces.Structured.Has(op) || interfaces.Copy.Has(op)) && op.NumResults() == 0
}

// rewrite lets the loop hand on what it copied.
func (x *exchange) rewrite() int {
	for _, c := range x.copies {
		c.yielded.Set(c.of)
		c.copy.Erase()
		c.alloc.Erase()
		for _, op := range c.free {
			op.Erase()
		}
	}
	return len(x.copies)
}
