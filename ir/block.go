package ir

import (
	"iter"
	"math"
)

// Block is a list of operations with arguments, the last of which is usually a
// terminator.
type Block struct {
	region      *Region
	prev, next  *Block
	args        []*Value
	first, last *Op
	preds       *BlockUse
	slot        slot // see Numbering
	ordered     bool // the operations' order numbers are valid
	mark        uint32
}

// BlockUse is a successor of a terminator: one use of a block.
type BlockUse struct {
	block      *Block
	owner      *Op
	next, prev *BlockUse
	index      int32
}

// Owner returns the terminator.
func (u *BlockUse) Owner() *Op { return u.owner }

// Index returns the number of the successor.
func (u *BlockUse) Index() int { return int(u.index) }

func (u *BlockUse) link(b *Block) {
	u.block = b
	u.prev, u.next = nil, b.preds
	if b.preds != nil {
		b.preds.prev = u
	}
	b.preds = u
}

func (u *BlockUse) unlink() {
	if u.block == nil {
		return
	}
	if u.prev != nil {
		u.prev.next = u.next
	} else {
		u.block.preds = u.next
	}
	if u.next != nil {
		u.next.prev = u.prev
	}
	u.block, u.prev, u.next = nil, nil, nil
}

// NewBlock returns a detached block with arguments of the given types.
func NewBlock(argTypes ...Type) *Block {
	b := &Block{}
	for _, t := range argTypes {
		b.AddArg(t, nil)
	}
	return b
}

// Mark returns a number that the transformation which is running keeps with the block,
// under the rules of [Op.Mark].
func (b *Block) Mark() uint32 { return b.mark }

// SetMark sets what [Block.Mark] returns.
func (b *Block) SetMark(m uint32) { b.mark = m }

// Region returns the region that holds the block, or nil.
func (b *Block) Region() *Region { return b.region }

// ParentOp returns the operation whose region holds the block, or nil.
func (b *Block) ParentOp() *Op {
	if b.region == nil {
		return nil
	}
	return b.region.op
}

// Next returns the following block of the region, or nil.
func (b *Block) Next() *Block { return b.next }

// Prev returns the preceding block of the region, or nil.
func (b *Block) Prev() *Block { return b.prev }

// IsEntry tells whether the block is the first of its region.
func (b *Block) IsEntry() bool { return b.region != nil && b.region.first == b }

// NumArgs returns the number of arguments.
func (b *Block) NumArgs() int { return len(b.args) }

// Arg returns argument i.
func (b *Block) Arg(i int) *Value { return b.args[i] }

// Args returns the arguments. The slice must not be changed.
func (b *Block) Args() []*Value { return b.args }

// AddArg appends an argument. loc may be nil.
func (b *Block) AddArg(t Type, loc Location) *Value { return b.InsertArg(len(b.args), t, loc) }

// InsertArg inserts an argument before argument i. loc may be nil.
func (b *Block) InsertArg(i int, t Type, loc Location) *Value {
	a := &blockArg{loc: loc}
	v := &a.Value
	v.typ = t
	b.args = append(b.args, nil)
	copy(b.args[i+1:], b.args[i:])
	b.args[i] = v
	for ; i < len(b.args); i++ {
		b.args[i].setArg(b, i)
	}
	b.changed()
	return v
}

// changed makes the verifier look closely again at the operation whose region holds the
// block. Whatever changes the number or types of arguments, or makes the block empty,
// calls it.
func (b *Block) changed() {
	if b.region != nil {
		b.region.changed()
	}
}

// EraseArg removes argument i, which must have no uses.
func (b *Block) EraseArg(i int) {
	b.args = append(b.args[:i], b.args[i+1:]...)
	b.changed()
	for ; i < len(b.args); i++ {
		b.args[i].setArg(b, i)
	}
}

// EraseArgs removes the arguments for which drop is set, which must have no uses.
func (b *Block) EraseArgs(drop func(i int) bool) {
	kept := b.args[:0]
	for i, a := range b.args {
		if !drop(i) {
			a.setArg(b, len(kept))
			kept = append(kept, a)
		}
	}
	b.args = kept
	b.changed()
}

// First returns the first operation, or nil.
func (b *Block) First() *Op { return b.first }

// Last returns the last operation, or nil.
func (b *Block) Last() *Op { return b.last }

// Empty tells whether the block has no operations.
func (b *Block) Empty() bool { return b.first == nil }

// Terminator returns the last operation if it is a terminator (or unregistered,
// and so might be one), or nil.
func (b *Block) Terminator() *Op {
	if b.last != nil && (b.last.Has(TraitTerminator) || !b.last.Registered()) {
		return b.last
	}
	return nil
}

// Ops iterates over the operations. The current operation may be erased or moved.
func (b *Block) Ops() iter.Seq[*Op] {
	return func(yield func(*Op) bool) {
		for o := b.first; o != nil; {
			next := o.next
			if !yield(o) {
				return
			}
			o = next
		}
	}
}

// Append adds a detached operation at the end.
func (b *Block) Append(o *Op) { b.insert(o, nil) }

// AppendAll moves all operations of another block to the end of this one. O(their
// number).
func (b *Block) AppendAll(from *Block) {
	if from.first == nil {
		return
	}
	for o := from.first; o != nil; o = o.next {
		o.block = b
	}
	if from.first.prev = b.last; b.last != nil {
		b.last.next = from.first
	} else {
		b.first = from.first
	}
	b.last, b.ordered = from.last, false
	from.first, from.last = nil, nil
	from.changed()
}

// InsertBefore adds a detached operation before at, or at the end if at is nil.
func (b *Block) InsertBefore(o, at *Op) { b.insert(o, at) }

// Places in the order of a block have gaps between them, so that an operation can be inserted without numbering the others again. Those that are appended, or put before all others, are
// orderStride apart, beginning at firstOrder, which leaves room on both sides; those that are numbered again as far as half of all numbers allows, and at most widestStride.
const (
	firstOrder   = 1 << 30
	orderStride  = 64
	widestStride = 1 << 16
)

func (b *Block) insert(o, at *Op) {
	o.block = b
	if at == nil {
		o.prev = b.last
		if b.last != nil {
			b.last.next = o
		} else {
			b.first = o
		}
		b.last = o
		if b.ordered {
			if o.prev == nil {
				o.order = firstOrder
			} else if o.order = o.prev.order + orderStride; o.order < o.prev.order {
				b.ordered = false
			}
		}
		return
	}
	o.prev, o.next = at.prev, at
	if at.prev != nil {
		at.prev.next = o
	} else {
		b.first = o
	}
	at.prev = o
	switch {
	case !b.ordered:
	case o.prev == nil:
		o.order = at.order - orderStride
		b.ordered = o.order < at.order
	default:
		lo := o.prev.order
		// Operations are mostly inserted one after the other before the same one: most of the gap stays there.
		if o.order = lo + max(1, (at.order-lo)/4); o.order == at.order {
			b.ordered = false
		}
	}
}

// hasAtLeast tells whether the block has n operations. It takes time in n.
func (b *Block) hasAtLeast(n int) bool {
	for o := b.first; o != nil && n > 0; o = o.next {
		n--
	}
	return n <= 0
}

func (b *Block) renumber() {
	count := uint32(1)
	for o := b.first; o != nil; o = o.next {
		count++
	}
	stride := min(max(math.MaxInt32/count, 8), widestStride)
	n := uint32(firstOrder)
	for o := b.first; o != nil; o = o.next {
		o.order = n
		n += stride
	}
	b.ordered = true
}

// FirstPred returns the first use of the block by a terminator, or nil; follow
// [BlockUse.NextPred].
func (b *Block) FirstPred() *BlockUse { return b.preds }

// NextPred returns the next use of the same block, or nil.
func (u *BlockUse) NextPred() *BlockUse { return u.next }

// HasNoPreds tells whether no terminator branches to the block.
func (b *Block) HasNoPreds() bool { return b.preds == nil }

// Preds returns the blocks that branch to this one, once per branch.
func (b *Block) Preds() []*Block {
	var out []*Block
	for u := b.preds; u != nil; u = u.next {
		out = append(out, u.owner.block)
	}
	return out
}

// SinglePred returns the block that is the only predecessor and branches here
// once, or nil.
func (b *Block) SinglePred() *Block {
	if b.preds == nil || b.preds.next != nil {
		return nil
	}
	return b.preds.owner.block
}

// Succs returns the successors of the block's last operation.
func (b *Block) Succs() []*Block {
	if b.last == nil {
		return nil
	}
	out := make([]*Block, b.last.NumSuccessors())
	for i := range out {
		out[i] = b.last.Successor(i)
	}
	return out
}

// ReplaceAllUsesWith makes every branch to b a branch to to.
func (b *Block) ReplaceAllUsesWith(to *Block) {
	for b.preds != nil && b != to {
		u := b.preds
		u.unlink()
		u.link(to)
	}
}

// Erase removes the block and its operations. Nothing outside may use them.
func (b *Block) Erase() {
	b.Remove()
	for o := b.first; o != nil; o = o.next {
		o.DropReferences()
	}
	b.first, b.last = nil, nil
}

// Remove takes the block out of its region.
func (b *Block) Remove() {
	r := b.region
	if r == nil {
		return
	}
	if b.prev != nil {
		b.prev.next = b.next
	} else {
		r.first = b.next
	}
	if b.next != nil {
		b.next.prev = b.prev
	} else {
		r.last = b.prev
	}
	b.region, b.prev, b.next = nil, nil, nil
	r.size--
	r.changed()
}

// Split moves the operations from at on to a new block after this one, and
// returns it. at may be nil, for an empty new block.
func (b *Block) Split(at *Op) *Block {
	n := &Block{}
	if b.region != nil {
		b.region.insert(n, b.next)
	}
	n.TakeOps(b, at)
	return n
}

// SplitHead is [Block.Split] with the roles exchanged: the operations before at, with
// the arguments and the predecessors, move to a new block before this one, which it
// returns. O(what moves).
func (b *Block) SplitHead(at *Op) *Block {
	n := &Block{}
	b.region.insert(n, b)
	n.takeEntry(b)
	if b.first == at {
		return n
	}
	n.first, n.last, n.ordered = b.first, b.last, b.ordered
	for o := b.first; o != at; o = o.next {
		o.block = n
	}
	if b.first = at; at == nil {
		b.last = nil
		return n
	}
	n.last = at.prev
	n.last.next, at.prev = nil, nil
	return n
}

// JoinHead undoes [Block.SplitHead], which returned head.
func (b *Block) JoinHead(head *Block) {
	head.Remove()
	b.takeEntry(head)
	if head.first == nil {
		return
	}
	for o := head.first; o != nil; o = o.next {
		o.block = b
	}
	if head.last.next = b.first; b.first != nil {
		b.first.prev = head.last
	} else {
		b.last = head.last
	}
	b.first, b.ordered = head.first, false
	head.first, head.last = nil, nil
}

// takeEntry makes the arguments and the predecessors of another block those of b, which
// has none.
func (b *Block) takeEntry(from *Block) {
	b.args, b.preds = from.args, from.preds
	from.args, from.preds = nil, nil
	b.changed()
	from.changed()
	for _, a := range b.args {
		a.setArg(b, a.Index())
	}
	for u := b.preds; u != nil; u = u.next {
		u.block = b
	}
}

// TakeOps moves the operations of src from at on (nil: none) to the end of b.
func (b *Block) TakeOps(src *Block, at *Op) {
	for at != nil {
		next := at.next
		at.Remove()
		b.insert(at, nil)
		at = next
	}
}

// Region is a list of blocks that belongs to an operation. The first block is
// the entry.
type Region struct {
	op          *Op
	first, last *Block
	size        int
	index       int
}

// Op returns the operation that the region belongs to.
func (r *Region) Op() *Op { return r.op }

// Index returns the region's number in its operation.
func (r *Region) Index() int { return r.index }

// Empty tells whether the region has no blocks.
func (r *Region) Empty() bool { return r.first == nil }

// NumBlocks returns the number of blocks.
func (r *Region) NumBlocks() int { return r.size }

// Entry returns the first block, or nil.
func (r *Region) Entry() *Block { return r.first }

// Last returns the last block, or nil.
func (r *Region) Last() *Block { return r.last }

// Blocks iterates over the blocks. The current block may be erased or moved.
func (r *Region) Blocks() iter.Seq[*Block] {
	return func(yield func(*Block) bool) {
		for b := r.first; b != nil; {
			next := b.next
			if !yield(b) {
				return
			}
			b = next
		}
	}
}

// Append adds a detached block at the end.
func (r *Region) Append(b *Block) { r.insert(b, nil) }

// InsertBefore adds a detached block before at, or at the end if at is nil.
func (r *Region) InsertBefore(b, at *Block) { r.insert(b, at) }

// InsertAfter adds a detached block after at.
func (r *Region) InsertAfter(b, at *Block) { r.insert(b, at.next) }

// AddBlock appends a new block with arguments of the given types.
func (r *Region) AddBlock(argTypes ...Type) *Block {
	b := NewBlock(argTypes...)
	r.insert(b, nil)
	return b
}

func (r *Region) insert(b, at *Block) {
	b.region = r
	b.next = at
	if at == nil {
		b.prev = r.last
		r.last = b
	} else {
		b.prev = at.prev
		at.prev = b
	}
	if b.prev != nil {
		b.prev.next = b
	} else {
		r.first = b
	}
	r.size++
	r.changed()
}

// changed makes the verifier look closely again at the operation that the region belongs
// to. Whatever changes the number of blocks calls it.
func (r *Region) changed() {
	if r.op != nil {
		r.op.changed()
	}
}

// TakeBody moves all blocks of src to the end of r.
func (r *Region) TakeBody(src *Region) {
	for b := src.first; b != nil; b = src.first {
		b.Remove()
		r.insert(b, nil)
	}
}

// IsAncestorOf tells whether x is this region or nested in it.
func (r *Region) IsAncestorOf(x *Region) bool {
	for x != nil {
		if x == r {
			return true
		}
		if x.op == nil {
			return false
		}
		x = x.op.Region()
	}
	return false
}

// IsProperAncestorOf tells whether x is nested in this region.
func (r *Region) IsProperAncestorOf(x *Region) bool { return x != r && r.IsAncestorOf(x) }

// AncestorIn returns the operation of this region's blocks that is o or holds
// it, or nil.
func (r *Region) AncestorIn(o *Op) *Op {
	for o != nil && o.Region() != r {
		o = o.Parent()
	}
	return o
}

// AncestorIn returns the operation of this block that is o or holds it, or nil.
func (b *Block) AncestorIn(o *Op) *Op {
	for o != nil && o.block != b {
		o = o.Parent()
	}
	return o
}

// Drop makes the terminator branch nowhere.
func (u *BlockUse) Drop() { u.unlink() }
