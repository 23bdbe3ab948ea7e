package reuse

import (
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
)

// blockUses tells which operation of a block is the last one that uses a buffer, for many questions about the same block. Operations that only free
// don't count, and the table stays true when buffers are merged.
type blockUses struct {
	buffers *analysis.Buffers
	which   func(x *ir.Op, operand int) bool
	block   *ir.Block
	last    *analysis.LastUses // of block
}

// newBlockUses returns a table of uses by the operands that which tells, or by all if it is nil.
func newBlockUses(b *analysis.Buffers, which func(x *ir.Op, operand int) bool) *blockUses {
	return &blockUses{buffers: b, which: which}
}

// in returns the last uses in a block. It takes time linear in the block if the last question was about another one.
func (u *blockUses) in(b *ir.Block) *analysis.LastUses {
	if u.block == b {
		return u.last
	}
	u.block, u.last = b, u.buffers.NewLastUses()
	for op := range b.Ops() {
		if isUse(op) {
			u.last.Add(op, u.which)
		}
	}
	return u.last
}

// merge notes that change puts another buffer in the place of an allocation, and erases nothing but that and frees. Linear in what uses the allocation.
func (u *blockUses) merge(alloc, into *ir.Value, change func()) {
	var users []*ir.Op
	u.buffers.Uses(alloc, func(use *ir.Use) {
		if op := u.block.AncestorIn(use.Owner()); op != nil {
			users = append(users, op)
		}
	})
	u.buffers.Merge(alloc, into)
	change()
	for _, op := range users {
		if op.Block() != nil && isUse(op) {
			u.last.Add(op, u.which)
		}
	}
}

// isUse tells whether an operation is a use. The allocation of which a buffer is a part is asked for only to free it; what else uses it counts by itself.
func isUse(op *ir.Op) bool { return !op.Is(memref.ExtractStridedMetadata) && !onlyFrees(op) }
