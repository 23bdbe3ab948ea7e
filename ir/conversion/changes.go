package conversion

import "freehold/ir"

// change is something that was done to the program. Changes are undone in reverse
// order, so that each finds the program as it left it.
type change interface{ undo(s *state) }

// created: an operation was created.
type created struct{ op *ir.Op }

func (c created) undo(*state) {
	for i := range c.op.NumResults() {
		dropUses(c.op.Result(i))
	}
	c.op.Erase()
}

func dropUses(v *ir.Value) {
	for u := v.FirstUse(); u != nil; u = v.FirstUse() {
		u.Set(nil)
	}
}

// moved: an operation was moved away from block, where it stood before next.
type moved struct {
	op    *ir.Op
	block *ir.Block
	next  *ir.Op
}

func (c *moved) undo(*state) {
	c.op.Remove()
	c.block.InsertBefore(c.op, c.next)
}

// modified: an operation was changed in place; the rest is what it was like.
type modified struct {
	op         *ir.Op
	loc        ir.Location
	operands   []*ir.Value
	props      []ir.Attribute
	attrs      []ir.NamedAttr
	types      []ir.Type
	successors []*ir.Block
}

func snapshot(op *ir.Op) *modified {
	m := &modified{}
	m.take(op)
	return m
}

// take makes c what the operation is like, and reuses its slices.
func (c *modified) take(op *ir.Op) {
	c.op, c.loc = op, op.Loc()
	c.operands, c.types, c.successors = c.operands[:0], c.types[:0], c.successors[:0]
	for i := range op.NumOperands() {
		c.operands = append(c.operands, op.Operand(i))
	}
	for i := range op.NumResults() {
		c.types = append(c.types, op.Result(i).Type())
	}
	for i := range op.NumSuccessors() {
		c.successors = append(c.successors, op.Successor(i))
	}
	c.props = append(c.props[:0], op.Props()...)
	c.attrs = append(c.attrs[:0], op.DiscardableAttrs()...)
}

func (c *modified) undo(*state) {
	op := c.op
	op.SetLoc(c.loc)
	op.SetOperands(c.operands)
	for i := range op.Props() {
		var a ir.Attribute
		if i < len(c.props) {
			a = c.props[i]
		}
		op.SetProp(i, a)
	}
	for _, a := range append([]ir.NamedAttr(nil), op.DiscardableAttrs()...) {
		op.SetDiscardableAttr(a.Name, nil)
	}
	for _, a := range c.attrs {
		op.SetDiscardableAttr(a.Name, a.Value)
	}
	for i, t := range c.types {
		op.Result(i).SetType(t)
	}
	for i, b := range c.successors {
		op.SetSuccessor(i, b)
	}
}

// erased: an operation and what was in it were marked to be erased in the end.
type erased struct {
	op    *ir.Op
	mark  uint32
	types *TypeConverter // of the pattern that erased it, or nil
}

func (c *erased) undo(s *state) {
	c.op.Walk(func(o *ir.Op) bool {
		if o.Mark() != c.mark {
			return false
		}
		o.SetMark(0)
		return true
	})
}

// mapped: a value got a replacement, in place of an earlier one, if any.
type mapped struct {
	value, old *ir.Value
	types      *TypeConverter // of the pattern that replaced it, or nil
	// lookup is set if the replacement is just for operands of patterns to find, so that
	// the value keeps its uses.
	lookup bool
}

func (c *mapped) undo(s *state) {
	delete(s.many, c.value)
	if c.old != nil {
		s.one[c.value] = c.old
	} else {
		delete(s.one, c.value)
	}
}

// castCreated: a materialization was put into the program.
type castCreated struct{ op *ir.Op }

func (c *castCreated) undo(s *state) {
	s.casts = s.casts[:len(s.casts)-1]
	created{c.op}.undo(s)
}

// typed: the arguments of a region's blocks got a type converter in place of an
// earlier one, if any.
type typed struct {
	region *ir.Region
	old    *TypeConverter
}

func (c typed) undo(s *state) {
	if c.old == nil {
		delete(s.regions, c.region)
	} else {
		s.regions[c.region] = c.old
	}
}

// rewired: an operand was changed in the end.
type rewired struct {
	use *ir.Use
	old *ir.Value
}

func (c *rewired) undo(*state) { c.use.Set(c.old) }

// split: the last operations of block were moved to added.
type split struct{ block, added *ir.Block }

func (c *split) undo(*state) { c.block.TakeOps(c.added, c.added.First()) }

// headSplit: the first operations of block, its arguments and predecessors were moved to
// head.
type headSplit struct{ block, head *ir.Block }

func (c *headSplit) undo(*state) { c.block.JoinHead(c.head) }

// merged: the operations from first to last were moved away from a block.
type merged struct {
	block       *ir.Block
	first, last *ir.Op
}

func (c *merged) undo(*state) {
	for op := c.first; op != nil; {
		next := op.Next()
		op.MoveToEnd(c.block)
		if op == c.last {
			return
		}
		op = next
	}
}

// blockCreated: a block was added to a region.
type blockCreated struct{ block *ir.Block }

func (c blockCreated) undo(*state) { c.block.Remove() }

// blockMoved: a block was moved, or removed, from its place in a region.
type blockMoved struct {
	block, next *ir.Block
	region      *ir.Region
	removed     bool
}

func (c *blockMoved) undo(s *state) {
	if c.removed {
		s.removed = s.removed[:len(s.removed)-1]
	} else {
		c.block.Remove()
	}
	if c.region != nil {
		c.region.InsertBefore(c.block, c.next)
	}
}

// redirected: branches to from were made to go to to.
type redirected struct {
	branches []branch
	from     *ir.Block
}

type branch struct {
	op    *ir.Op
	index int
}

func (c *redirected) undo(*state) {
	for _, b := range c.branches {
		b.op.SetSuccessor(b.index, c.from)
	}
}
