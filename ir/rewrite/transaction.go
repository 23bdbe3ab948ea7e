package rewrite

import "freehold/ir"

// Transaction makes the changes of a rewriter so that they can be undone, and may
// put off those that make operations disappear. Dialect conversion is one (package
// conversion). Patterns for it change the program by the methods of the rewriter
// alone, and call [Rewriter.Modify] rather than [Rewriter.Modified].
type Transaction interface {
	ir.Listener // is told what was created
	// Replace makes the values stand for op's results and op disappear.
	Replace(op *ir.Op, values []*ir.Value)
	// Erase makes op disappear.
	Erase(op *ir.Op)
	// ReplaceUses makes w stand for v, an argument of a block.
	ReplaceUses(v, w *ir.Value)
	// Modifying is called before op is changed in place.
	Modifying(op *ir.Op)
	// Moving is called before op is moved.
	Moving(op *ir.Op)
	// Splitting is called before the last operations of b are moved to added, a new
	// block.
	Splitting(b, added *ir.Block)
	// HeadSplit is called when the first operations of b were moved to the new block
	// head, with b's arguments and predecessors.
	HeadSplit(b, head *ir.Block)
	// Merging is called before all operations of src are moved to another block and src
	// is erased.
	Merging(src *ir.Block)
	// BlockCreated is called after a new block was put into a region.
	BlockCreated(b *ir.Block)
	// BlockMoving is called before a block is moved.
	BlockMoving(b *ir.Block)
	// EraseBlock makes a block and its operations disappear.
	EraseBlock(b *ir.Block)
}

// NewTransactionRewriter returns a rewriter whose changes the transaction makes. It
// takes over the builder.
func NewTransactionRewriter(b *ir.Builder, t Transaction) *Rewriter {
	b.Listener = t
	return &Rewriter{Builder: b, tx: t}
}

// Transaction returns what makes the changes of the rewriter, nil if it makes them
// itself.
func (r *Rewriter) Transaction() Transaction { return r.tx }
