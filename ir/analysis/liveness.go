package analysis

import (
	"sort"

	"freehold/ir"
)

// Liveness knows which values are live at the start and end of each block: those
// that are defined elsewhere before, and used there or later. A value that is used
// in a nested region is used by the operation that holds the region, and is live at
// the start of the region's blocks that lead to the use. It is computed in time
// linear in the size of the program and the result. It doesn't see later changes.
type Liveness struct {
	number ir.Numbering // of values that are used in other blocks
	blocks ir.Numbering
	lists  []blockLiveness // by block
}

type blockLiveness struct {
	in, out []*ir.Value // in order of their numbers
}

// NewLiveness computes liveness for all blocks in op's regions.
func NewLiveness(op *ir.Op) *Liveness {
	l := &Liveness{}
	var blocks []*ir.Block
	var collect func(o *ir.Op)
	collect = func(o *ir.Op) {
		for _, r := range o.Regions() {
			for b := range r.Blocks() {
				blocks = append(blocks, b)
				for x := range b.Ops() {
					collect(x)
				}
			}
		}
	}
	collect(op)
	l.lists = make([]blockLiveness, len(blocks))
	l.blocks.Reserve(len(blocks))
	for _, b := range blocks {
		l.blocks.AddBlock(b)
	}
	var work []*ir.Block
	for _, b := range blocks {
		for _, a := range b.Args() {
			work = l.spread(a, work)
		}
		for o := range b.Ops() {
			for i := range o.NumResults() {
				work = l.spread(o.Result(i), work)
			}
		}
	}
	return l
}

// spread follows a value from its uses back to its definition.
func (l *Liveness) spread(v *ir.Value, work []*ir.Block) []*ir.Block {
	def := v.ParentBlock()
	work = work[:0]
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if b := u.Owner().Block(); b != def {
			work = append(work, b)
		}
	}
	if len(work) == 0 {
		return work
	}
	l.number.AddValue(v)
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if b == def || b == nil {
			continue
		}
		s := l.of(b)
		if s == nil || endsWith(s.in, v) {
			continue
		}
		s.in = append(s.in, v)
		if b.IsEntry() && b.Region() != def.Region() {
			if p := b.ParentOp(); p != nil {
				work = append(work, p.Block())
			}
		}
		for u := b.FirstPred(); u != nil; u = u.NextPred() {
			p := u.Owner().Block()
			if s := l.of(p); s != nil && !endsWith(s.out, v) {
				s.out = append(s.out, v)
			}
			work = append(work, p)
		}
	}
	return work
}

// of returns what is known of a block, or nil.
func (l *Liveness) of(b *ir.Block) *blockLiveness {
	if b == nil {
		return nil
	}
	if i := l.blocks.Block(b); i >= 0 {
		return &l.lists[i]
	}
	return nil
}

func endsWith(list []*ir.Value, v *ir.Value) bool {
	return len(list) > 0 && list[len(list)-1] == v
}

// LiveIn returns the values that are live at the start of the block and not its
// arguments, in program order of their definitions. The slice must not be changed.
func (l *Liveness) LiveIn(b *ir.Block) []*ir.Value {
	if s := l.of(b); s != nil {
		return s.in
	}
	return nil
}

// LiveOut returns the values that are live at the end of the block, in program
// order of their definitions. The slice must not be changed.
func (l *Liveness) LiveOut(b *ir.Block) []*ir.Value {
	if s := l.of(b); s != nil {
		return s.out
	}
	return nil
}

// IsLiveIn tells whether the value is in [Liveness.LiveIn]. Logarithmic time.
func (l *Liveness) IsLiveIn(v *ir.Value, b *ir.Block) bool { return l.contains(l.LiveIn(b), v) }

// IsLiveOut tells whether the value is in [Liveness.LiveOut]. Logarithmic time.
func (l *Liveness) IsLiveOut(v *ir.Value, b *ir.Block) bool { return l.contains(l.LiveOut(b), v) }

func (l *Liveness) contains(list []*ir.Value, v *ir.Value) bool {
	n := l.number.Value(v)
	if n < 0 {
		return false
	}
	i := sort.Search(len(list), func(i int) bool { return l.number.Value(list[i]) >= n })
	return i < len(list) && list[i] == v
}

// LastUse returns the last operation of the block that uses the value, itself or
// in its regions; nil if there is none. Linear in the number of uses.
func LastUse(v *ir.Value, b *ir.Block) *ir.Op {
	var last *ir.Op
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if op := b.AncestorIn(u.Owner()); op != nil && (last == nil || last.IsBefore(op)) {
			last = op
		}
	}
	return last
}

// IsDeadAfter tells whether nothing uses the value after op in op's block, and it
// is not live at the end of the block.
func (l *Liveness) IsDeadAfter(v *ir.Value, op *ir.Op) bool {
	if l.IsLiveOut(v, op.Block()) {
		return false
	}
	last := LastUse(v, op.Block())
	return last == nil || last == op || last.IsBefore(op)
}
