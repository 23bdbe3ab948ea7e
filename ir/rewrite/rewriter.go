package rewrite

import "freehold/ir"

// Rewriter is a builder that tells the driver about changes.
type Rewriter struct {
	*ir.Builder
	observer observer
	tx       Transaction // nil if changes can't be undone
}

// observer is told about changes by the rewriter.
type observer interface {
	ir.Listener
	modified(op *ir.Op)
	// erased is called right before an operation is erased; what was nested in it is
	// already gone.
	erased(op *ir.Op)
}

// NewRewriter returns a rewriter that no driver watches.
func NewRewriter(c *ir.Context) *Rewriter { return &Rewriter{Builder: ir.NewBuilder(c)} }

// Replace replaces the uses of op's results by the values and erases op. It does nothing if op
// itself defines one of the values, as in graphs and in code that isn't reached.
func (r *Rewriter) Replace(op *ir.Op, values ...*ir.Value) {
	for _, v := range values {
		if v != nil && v.DefiningOp() == op {
			return
		}
	}
	if r.tx != nil {
		r.tx.Replace(op, values)
		return
	}
	for i := range op.NumResults() {
		r.ReplaceUses(op.Result(i), values[i])
	}
	r.Erase(op)
}

// ReplaceWithNew creates an operation before op, replaces op's results by its
// results and erases op.
func (r *Rewriter) ReplaceWithNew(op *ir.Op, s ir.OpState) *ir.Op {
	r.SetBefore(op)
	if s.Loc == nil || s.Loc == ir.Location(ir.Unknown) {
		s.Loc = op.Loc()
	}
	n := r.Create(s)
	r.Replace(op, n.Results().Values()...)
	return n
}

// Erase erases an operation whose results have no uses.
func (r *Rewriter) Erase(op *ir.Op) {
	if r.tx != nil {
		r.tx.Erase(op)
		return
	}
	if p := r.InsertionPoint(); p.Before == op && op != nil {
		r.SetAfter(op)
	}
	if r.observer == nil {
		op.Erase()
		return
	}
	r.eraseTree(op)
}

// eraseTree erases users before definitions, so that the observer always sees a
// consistent program: successors before their predecessors, and the operations of
// a block from last to first.
func (r *Rewriter) eraseTree(op *ir.Op) {
	regions := op.Regions()
	for i := len(regions) - 1; i >= 0; i-- {
		for !regions[i].Empty() {
			blocks := postOrder(regions[i])
			for _, b := range blocks {
				for o := b.Last(); o != nil; o = b.Last() {
					r.eraseTree(o)
				}
			}
			for _, b := range blocks {
				dropUses(b)
				b.Erase()
			}
		}
	}
	r.observer.erased(op)
	dropResultUses(op)
	r.Builder.Erase(op)
}

// dropUses makes what uses the block or its arguments use nothing.
func dropUses(b *ir.Block) {
	for _, a := range b.Args() {
		for u := a.FirstUse(); u != nil; u = a.FirstUse() {
			u.Set(nil)
		}
	}
	for u := b.FirstPred(); u != nil; u = b.FirstPred() {
		u.Drop()
	}
}

func dropResultUses(op *ir.Op) {
	for i := range op.NumResults() {
		for u := op.Result(i).FirstUse(); u != nil; u = op.Result(i).FirstUse() {
			u.Set(nil)
		}
	}
}

// Modify runs fn, which changes op in place (operands, attributes, successors,
// result types).
func (r *Rewriter) Modify(op *ir.Op, fn func()) {
	r.modifying(op)
	fn()
	if r.observer != nil {
		r.observer.modified(op)
	}
}

func (r *Rewriter) modifying(op *ir.Op) {
	if r.tx != nil {
		r.tx.Modifying(op)
	}
}

// Modified says that op was changed in place.
func (r *Rewriter) Modified(op *ir.Op) {
	if r.observer != nil {
		r.observer.modified(op)
	}
}

// ReplaceUses makes all uses of v uses of w.
func (r *Rewriter) ReplaceUses(v, w *ir.Value) {
	if r.tx != nil {
		r.tx.ReplaceUses(v, w)
		return
	}
	if r.observer == nil || v == w {
		v.ReplaceAllUsesWith(w)
		return
	}
	for u := v.FirstUse(); u != nil; u = v.FirstUse() {
		u.Set(w)
		r.observer.modified(u.Owner())
	}
}

// ReplaceUsesIf makes the chosen uses of v uses of w.
func (r *Rewriter) ReplaceUsesIf(v, w *ir.Value, choose func(*ir.Use) bool) {
	for u := v.FirstUse(); u != nil; {
		next := u.Next()
		if choose(u) {
			r.modifying(u.Owner())
			u.Set(w)
			r.Modified(u.Owner())
		}
		u = next
	}
}

// ReplaceUsesExcept makes the uses of v, except those of the operation user, uses
// of w.
func (r *Rewriter) ReplaceUsesExcept(v, w *ir.Value, user *ir.Op) {
	r.ReplaceUsesIf(v, w, func(u *ir.Use) bool { return u.Owner() != user })
}

// MoveBefore moves op before at.
func (r *Rewriter) MoveBefore(op, at *ir.Op) {
	r.moving(op)
	op.MoveBefore(at)
	r.inserted(op)
}

// MoveAfter moves op after at.
func (r *Rewriter) MoveAfter(op, at *ir.Op) {
	r.moving(op)
	op.MoveAfter(at)
	r.inserted(op)
}

func (r *Rewriter) moving(op *ir.Op) {
	if r.tx != nil {
		r.tx.Moving(op)
	}
}

// SplitBlock divides a block before the operation at (nil: at its end) in two, and
// returns both. The arguments and predecessors are those of the first. Either may be
// the old block: that is where more operations stay, so that splitting a block again
// and again takes n log n steps.
func (r *Rewriter) SplitBlock(b *ir.Block, at *ir.Op) (head, tail *ir.Block) {
	if r.observer == nil && fewerBefore(at) {
		head = b.SplitHead(at)
		if r.tx != nil {
			r.tx.HeadSplit(b, head)
		}
		return head, b
	}
	tail = ir.NewBlock()
	b.Region().InsertAfter(tail, b)
	if r.tx != nil {
		r.tx.BlockCreated(tail)
		r.tx.Splitting(b, tail)
	}
	for at != nil {
		next := at.Next()
		at.MoveToEnd(tail)
		r.inserted(at)
		at = next
	}
	return b, tail
}

// fewerBefore tells whether there are fewer operations before op in its block than from
// it on.
func fewerBefore(op *ir.Op) bool {
	if op == nil {
		return false
	}
	before := op.Prev()
	for before != nil && op != nil {
		before, op = before.Prev(), op.Next()
	}
	return op != nil
}

// CreateBlock puts a new block with arguments of the given types before the block at
// of the region (nil: at its end). Unlike MLIR's it leaves the insertion point.
func (r *Rewriter) CreateBlock(reg *ir.Region, at *ir.Block, argTypes ...ir.Type) *ir.Block {
	n := ir.NewBlock(argTypes...)
	reg.InsertBefore(n, at)
	if r.tx != nil {
		r.tx.BlockCreated(n)
	}
	return n
}

func (r *Rewriter) inserted(op *ir.Op) {
	if r.observer != nil {
		r.observer.OpInserted(op)
	}
}

// InlineBlockBefore moves the operations of a block before the operation at (nil:
// to the end of dest), replaces the block's arguments by the values and erases the
// block.
func (r *Rewriter) InlineBlockBefore(src, dest *ir.Block, at *ir.Op, values []*ir.Value) {
	for i, a := range src.Args() {
		r.ReplaceUses(a, values[i])
	}
	if r.tx != nil {
		r.tx.Merging(src)
	}
	for op := src.First(); op != nil; op = src.First() {
		op.Remove()
		dest.InsertBefore(op, at)
		r.inserted(op)
	}
	if p := r.InsertionPoint(); p.Block == src {
		p.Block = dest
		if p.Before == nil {
			p.Before = at
		}
		r.SetInsertionPoint(p)
	}
	if r.tx == nil {
		src.Erase()
		return
	}
	r.tx.EraseBlock(src)
}

// MergeBlocks moves the operations of a block to the end of dest, replaces the
// block's arguments by the values and erases the block.
func (r *Rewriter) MergeBlocks(src, dest *ir.Block, values []*ir.Value) {
	r.InlineBlockBefore(src, dest, nil, values)
}

// InlineRegionBefore moves the blocks of a region before the block at of dest
// (nil: to its end).
func (r *Rewriter) InlineRegionBefore(src, dest *ir.Region, at *ir.Block) {
	for b := src.Entry(); b != nil; b = src.Entry() {
		if r.tx != nil {
			r.tx.BlockMoving(b)
		}
		b.Remove()
		dest.InsertBefore(b, at)
	}
}

// EraseBlock erases a block with its operations, which nothing outside uses.
func (r *Rewriter) EraseBlock(b *ir.Block) {
	if r.tx != nil {
		r.tx.EraseBlock(b)
		return
	}
	for op := b.Last(); op != nil; op = b.Last() {
		dropResultUses(op)
		r.Erase(op)
	}
	b.Erase()
}

// postOrder returns the blocks that can be reached from a region's entry, each
// after its successors, except where there are cycles.
func postOrder(reg *ir.Region) []*ir.Block {
	entry := reg.Entry()
	if entry == nil {
		return nil
	}
	if entry.Next() == nil {
		return []*ir.Block{entry}
	}
	type frame struct {
		b    *ir.Block
		succ int
	}
	entry.SetMark(1)
	stack := []frame{{entry, 0}}
	out := make([]*ir.Block, 0, reg.NumBlocks())
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		last := f.b.Last()
		if last == nil || f.succ >= last.NumSuccessors() {
			out = append(out, f.b)
			stack = stack[:len(stack)-1]
			continue
		}
		s := last.Successor(f.succ)
		f.succ++
		if s != nil && s.Region() == reg && s.Mark() == 0 {
			s.SetMark(1)
			stack = append(stack, frame{s, 0})
		}
	}
	for _, b := range out {
		b.SetMark(0)
	}
	return out
}

// At makes the rewriter create operations before op, at its location.
func (r *Rewriter) At(op *ir.Op) *ir.Builder {
	r.SetBefore(op)
	r.Loc = op.Loc()
	return r.Builder
}
