package rematerialize

import (
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/transform/memory/work"
)

// change is a tensor that is computed again for later uses.
type change struct {
	of candidate
	// ops are the operations that are executed again, in order, before at; uses are what gets what they compute.
	ops  []*ir.Op
	at   *ir.Op
	uses []*ir.Use
	// from is the tensor, work what it takes, and operations how many operations that are, but for destinations.
	from       *ir.Value
	work       int64
	operations int
	made       []*ir.Op
}

// mostOperations bounds how many operations it may take to compute a tensor again.
const mostOperations = 40

// changeOf returns how to compute a tensor again; nil if that can't be done.
func (r *remaker) changeOf(x candidate) *change {
	maker := r.graph.Ops[r.graph.Buffers[x.buffer].Maker]
	c := &change{of: x, at: r.graph.Ops[x.next], from: r.graph.Tensors[x.buffer]}
	if !r.collect(c, maker) {
		return nil
	}
	for u := c.from.FirstUse(); u != nil; u = u.Next() {
		user := r.graph.Block.AncestorIn(u.Owner())
		if user == nil {
			return nil
		}
		if user == c.at || c.at.IsBefore(user) {
			c.uses = append(c.uses, u)
		}
	}
	if len(c.uses) == 0 { // it is used by a view that was made before
		return nil
	}
	for _, op := range c.ops {
		if !isPlace(op) {
			c.operations++
		}
		c.work += work.Of(op) * r.times
	}
	return c
}

// collect adds an operation and what it takes to have its operands; false if that is too much, or not allowed.
func (r *remaker) collect(c *change, op *ir.Op) bool {
	for _, x := range c.ops {
		if x == op {
			return true
		}
	}
	if !isRepeatable(op) || len(c.ops) > mostOperations {
		return false
	}
	ok := true
	op.Walk(func(x *ir.Op) bool {
		for _, v := range x.Operands().Values() {
			if def := v.DefiningOp(); ok && def != nil && def.Block() == r.graph.Block && (isPlace(def) || ir.IsTensor(v.Type()) && !r.isAlive(v, c.at)) {
				ok = r.collect(c, def)
			}
		}
		return ok
	})
	c.ops = append(c.ops, op)
	return ok
}

// isPlace tells whether an operation makes what others write into.
func isPlace(op *ir.Op) bool {
	return op.Is(tensor.Empty) || op.Is(linalg.Fill) && op.NumResults() == 1 && linalg.FillOp{Op: op}.Output().DefinedBy(tensor.Empty) != nil
}

// isAlive tells whether a tensor is a constant, or used at an operation or behind it.
func (r *remaker) isAlive(v *ir.Value, at *ir.Op) bool {
	if v.DefiningOp().Has(ir.TraitConstantLike) {
		return true
	}
	for u := v.FirstUse(); u != nil; u = u.Next() {
		user := r.graph.Block.AncestorIn(u.Owner())
		if user == nil || user == at || at.IsBefore(user) {
			return true
		}
	}
	return false
}

// isRepeatable tells whether an operation computes the same each time it is executed, and does nothing else.
func isRepeatable(op *ir.Op) bool {
	if op.NumResults() != 1 || !ir.IsTensor(op.Result(0).Type()) || !interfaces.IsMemoryEffectFree(op) || op.Name() == random || interfaces.Call.Has(op) {
		return false
	}
	for _, v := range op.Operands().Values() {
		if interfaces.IsBufferLike(v.Type()) {
			return false
		}
	}
	return interfaces.Structured.Has(op) || op.Is(tensor.Empty) || op.Is(tensor.Splat) || op.Is(tensor.Generate) || op.Is(tensor.Pad) || op.Is(tensor.Concat) ||
		interfaces.SubsetExtraction.Has(op) || op.Is(tensor.InsertSlice) || interfaces.IsCast(op) || op.Attr(interfaces.ReassociationAttr) != nil
}

// apply makes a change.
func (r *remaker) apply(c *change) error {
	b, m := ir.NewBuilder(c.at.Context()), ir.NewMapping()
	b.SetBefore(c.at)
	for _, op := range c.ops {
		c.made = append(c.made, b.Clone(op, m))
	}
	v := m.Value(c.from)
	for _, u := range c.uses {
		u.Set(v)
	}
	r.done = append(r.done, c)
	r.left -= c.work
	return r.renew()
}

// undo takes the last change back. The graph has to be made anew.
func (r *remaker) undo() {
	c := r.done[len(r.done)-1]
	r.done = r.done[:len(r.done)-1]
	r.left += c.work
	for _, u := range c.uses {
		u.Set(c.from)
	}
	for i := len(c.made) - 1; i >= 0; i-- {
		c.made[i].Erase()
	}
	c.made = nil
}

// random is the operation on tensors that draws random numbers.
const random = "linalg.fill_rng_2d"
