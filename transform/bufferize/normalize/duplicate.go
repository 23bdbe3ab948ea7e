package normalize

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/linalg"
	"freehold/dialect/tensor"
	"freehold/ir"
	"freehold/ir/interfaces"
)

// DuplicateCheap makes tensors that are cheap by the [CostModel] again for each operation that may write into them, or that reads all of them, right
// before it: kept, such a tensor needs a buffer from its first use to its last one, and each write a copy of it. What is written over a constant with
// equal elements gets a filled tensor, or an empty one if what is there isn't read. It returns how many were made again, or moved to their use. Near-linear in the uses.
func DuplicateCheap(fn *ir.Op) int { return duplicateCheap(fn, nil) }

// duplicateCheap does it with what is known of where tensors were made before equal ones were merged.
func duplicateCheap(fn *ir.Op, from origins) (n int) {
	r := &duplicator{b: ir.NewBuilder(fn.Context()), from: from}
	buffers := hasBuffers(fn) // what is read of a buffer must be read before others write to it
	var work []*ir.Op
	fn.Walk(func(op *ir.Op) bool {
		if op.NumResults() == 1 && ir.IsTensor(op.Result(0).Type()) {
			work = append(work, op)
		}
		return !interfaces.Structured.Has(op) // bodies work on numbers
	})
	// What is made again needs what it is made of again, which comes before it.
	for _, op := range slices.Backward(work) {
		if op.Has(ir.TraitConstantLike) {
			r.constant(op)
		} else if c, ok := CostOf(op); ok && !(buffers && len(c.Sources) > 0) {
			r.remake(op, c)
		}
	}
	return r.n
}

// duplicator makes tensors again.
type duplicator struct {
	b    *ir.Builder
	from origins
	n    int
}

// remake gives each use of a cheap tensor one of its own, where it needs one; the other uses share what is left, right before the first of them.
func (r *duplicator) remake(op *ir.Op, c Cost) {
	v := op.Result(0)
	if len(c.Sources) > 0 && v.HasOneUse() || hasExclusiveUses(op) {
		return // it is where it should be
	}
	var first *ir.Op // of the uses that share what is there
	var owners []*owner
	of := map[any]*owner{}
	for u := v.FirstUse(); u != nil; u = u.Next() {
		at := place(u)
		if !r.needsOwn(u, at, op) || !isKept(c.Sources, at) {
			if at := op.Block().AncestorIn(u.Owner()); at == nil {
				first = op.Next() // in another block
			} else if first == nil || at.IsBefore(first) {
				first = at
			}
			continue
		}
		k := ownerOf(u)
		if of[k] == nil {
			of[k] = &owner{at: at}
			owners = append(owners, of[k])
		}
		of[k].add(u, at)
	}
	for i, o := range owners {
		if i == len(owners)-1 && first == nil {
			r.from.restore(o.uses[0], op)
			r.move(op, o.at)
			return
		}
		r.b.SetBefore(o.at)
		made := r.b.Clone(op, ir.NewMapping())
		r.from.restore(o.uses[0], made)
		for _, u := range o.uses {
			u.Set(made.Result(0))
		}
		r.n++
	}
	switch {
	case first != nil:
		r.move(op, first)
	case len(owners) > 0 || !op.HasUses():
		op.Erase()
	}
}

// owner is what gets a tensor of its own: some uses, before the first of which it is made.
type owner struct {
	uses []*ir.Use
	at   *ir.Op
}

func (o *owner) add(u *ir.Use, at *ir.Op) {
	o.uses = append(o.uses, u)
	if at.Block() == o.at.Block() && at.IsBefore(o.at) {
		o.at = at
	}
}

// ownerOf returns what a use has a tensor together with: what is written into has one for itself, a slice one with the insertion that puts back what is computed there, and
// other operations one for all of their operands.
func ownerOf(u *ir.Use) any {
	user := u.Owner()
	if interfaces.SubsetExtraction.Has(user) {
		for w := u.Value().FirstUse(); w != nil; w = w.Next() {
			if m, ok := interfaces.SubsetInsertion.Of(w.Owner()); ok && m.Destination(w.Owner()) == w && w.Owner().Block() == user.Block() && isComputedIn(m.Source(w.Owner()).Value(), user.Result(0)) {
				return w
			}
		}
	}
	if interfaces.IsInit(u) || interfaces.LoopLike.Has(user) {
		return u
	}
	return user
}

// isComputedIn tells whether a tensor is computed into another one of the same block, in one or several steps.
func isComputedIn(v, into *ir.Value) bool {
	for v != into {
		init := interfaces.TiedInit(v)
		if init == nil || init.Owner().Block() != into.ParentBlock() {
			return false
		}
		v = init.Value()
	}
	return true
}

// move puts a tensor right before an operation.
func (r *duplicator) move(op, at *ir.Op) {
	if op.Next() != at {
		op.MoveBefore(at)
		r.n++
	}
}

// place returns the operation before which a tensor for a use is made: its owner, or the terminator or mask that it is in, where nothing else may be.
func place(u *ir.Use) *ir.Op {
	at := u.Owner()
	for p := at.Parent(); p != nil && (interfaces.ParallelCombining.Has(p) || interfaces.IsMasking(p)); p = p.Parent() {
		at = p
	}
	return at
}

// needsOwn tells whether a use may write into a tensor, or reads all of its elements without going through them several times.
func (r *duplicator) needsOwn(u *ir.Use, at, op *ir.Op) bool {
	user := u.Owner()
	if inBody(user) {
		return false
	}
	switch {
	case interfaces.IsInit(u), interfaces.Call.Has(user), user.Has(ir.TraitTerminator), interfaces.LoopLike.Has(user), viewed(user) == u.Value():
		return true
	}
	return interfaces.Structured.Has(user) && at.Block() == op.Block()
}

// hasExclusiveUses tells whether each region of one operation, which is no loop, uses a tensor just once, and nothing else does: whichever is executed
// can have it.
func hasExclusiveUses(op *ir.Op) bool {
	var branch *ir.Op
	used := map[*ir.Region]bool{}
	for u := op.Result(0).FirstUse(); u != nil; u = u.Next() {
		p := u.Owner().Parent()
		r := u.Owner().Region()
		if branch != nil && p != branch || used[r] {
			return false
		}
		branch, used[r] = p, true
	}
	return branch != nil && branch.Block() == op.Block() && len(used) == branch.NumRegions() && interfaces.RegionBranch.Has(branch) && !interfaces.LoopLike.Has(branch)
}

// inBody tells whether an operation computes elements: what it reads is read again for each of them.
func inBody(op *ir.Op) bool {
	p := op.Parent()
	return p != nil && (interfaces.Structured.Has(p) || p.Is(tensor.Generate) || p.Is(tensor.Pad))
}

// isKept tells whether tensors are needed at an operation, or after it, anyway.
func isKept(sources []*ir.Value, at *ir.Op) bool {
	return !slices.ContainsFunc(sources, func(v *ir.Value) bool {
		if v.IsBlockArg() || v.DefiningOp().Has(ir.TraitConstantLike) {
			return false
		}
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if x := at.Block().AncestorIn(u.Owner()); x != nil && (x == at || at.IsBefore(x)) {
				return false
			}
		}
		return true
	})
}

// constant lets operations write into new tensors instead of copies of a constant with equal elements.
func (r *duplicator) constant(op *ir.Op) {
	elements, ok := ir.ConstantOf(op.Result(0)).(*ir.DenseElementsAttr)
	t, ranked := op.Result(0).Type().(*ir.RankedTensorType)
	if !ok || !ranked || !elements.Splat || !isNumber(t.Elem) {
		return
	}
	for _, u := range op.Result(0).Uses() {
		if !interfaces.IsInit(u) && !interfaces.LoopLike.Has(u.Owner()) || inBody(u.Owner()) {
			continue
		}
		r.b.SetBefore(place(u))
		r.b.Loc = op.Loc()
		v := tensor.NewEmptyOf(r.b, t, nil)
		if readsInit(u) {
			x := arith.NewConstant(r.b, elements.Elem(op.Context(), 0)).Result(0)
			v = linalg.NewFill(r.b, x, v).Result(0)
		}
		u.Set(v)
		r.n++
	}
	if !op.HasUses() {
		op.Erase()
	}
}

// isNumber tells whether arith has constants of a type.
func isNumber(t ir.Type) bool {
	switch t := t.(type) {
	case *ir.IntegerType:
		return t.Signedness == ir.Signless
	case *ir.FloatType, *ir.IndexType:
		return true
	}
	return false
}

// readsInit tells whether what is in a destination is read.
func readsInit(u *ir.Use) bool {
	o, ok := linalg.AsStructured(u.Owner())
	return !ok || !interfaces.IsInit(u) || o.ReadsInit(u)
}
