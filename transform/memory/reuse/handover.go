package reuse

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// handOver lets operations write over buffers that come from elsewhere, such as those of the iteration before, and that their
// block frees later: an operation that writes each element of a new buffer, and reads one of the same type at the same place
// that nothing needs any more, writes over that; a copy goes. It returns how many operations do. It takes time linear in the operations of
// the function, and for each candidate in those between the new buffer and the operation, in the uses of the new buffer, and in the
// buffers that the other one may be.
func handOver(fn *ir.Op, calls *analysis.CallSummaries) (n int) {
	var buffers *analysis.Buffers
	var uses *blockUses
	var aligned int64 // what all buffers are aligned to
	frees := deallocsIn(fn)
	var copies []*ir.Op // of a buffer to itself, which stay until the end since the table of uses knows them
	for _, b := range blocksIn(fn) {
		for op := b.First(); op != nil; {
			next := op.Next()
			for _, m := range rewritten(op) {
				free := frees.ofOther(m.source, op)
				if free == nil {
					continue
				}
				if buffers == nil {
					buffers, aligned = analysis.NewBuffers(fn, analysis.BufferOptions{Calls: calls}), leastAlignment(fn)
					uses = newBlockUses(buffers, accesses)
				}
				if !mayTake(uses, op, m, free, nil) {
					continue
				}
				if next == free {
					next = free.Next()
				}
				if alloc := m.target.DefiningOp(); alignmentOf(alloc) > aligned {
					alignAll(buffers, m.source, alloc)
				}
				frees.take(m, free)
				uses.merge(m.target, m.source, func() { take(m, free) })
				if _, isCopy := copyOf(op); isCopy {
					copies = append(copies, op)
				}
				n++
				break
			}
			op = next
		}
	}
	for _, op := range copies {
		op.Erase()
	}
	return n
}

// rewritten returns the pairs of an operand that an operation reads and a new buffer of the same type that it is the first to
// write: each element of both once and at the same time.
func rewritten(op *ir.Op) (out []copied) {
	pairs := elementwise(op)
	if m, ok := copyOf(op); ok {
		pairs = []copied{m}
	}
	for _, m := range pairs {
		if alloc := allocation(m.target); alloc != nil && alloc.Is(memref.Alloc) && alloc.Block() == op.Block() && m.source.Type() == m.target.Type() {
			out = append(out, m)
		}
	}
	return out
}

// deallocs are the operations that free each buffer of a function, by the name that they free it by.
type deallocs map[*ir.Value][]*ir.Op

// deallocsIn lists those of a function.
func deallocsIn(fn *ir.Op) deallocs {
	out := deallocs{}
	fn.Walk(func(op *ir.Op) bool {
		if op.Is(memref.Dealloc) {
			v := baseOf(memref.DeallocOp{Op: op}.MemRef())
			out[v] = append(out[v], op)
		}
		return true
	})
	return out
}

// ofOther returns the operation of the block that frees a buffer, in any case and after op, if it isn't allocated in
// the block; nil if there is none.
func (d deallocs) ofOther(v *ir.Value, op *ir.Op) *ir.Op {
	if v.DefiningOp() != nil && interfaces.HasEffect(v.DefiningOp(), interfaces.Allocate, v) {
		return nil
	}
	for _, f := range d[v] {
		if f.Block() == op.Block() && op.IsBefore(f) {
			return f
		}
	}
	return nil
}

// take notes that a buffer took another one's place, and isn't freed by an operation any more.
func (d deallocs) take(m copied, free *ir.Op) {
	d[m.source] = append(slices.DeleteFunc(d[m.source], func(op *ir.Op) bool { return op == free }), d[m.target]...)
	delete(d, m.target)
}

// mayTake tells whether the target can be the source from the operation on, if that isn't what is excepted: nothing after it but frees, which
// are of other buffers, as this one is freed in any case, uses the source.
func mayTake(uses *blockUses, op *ir.Op, m copied, free *ir.Op, except *ir.Value) bool {
	b := uses.buffers
	if !onlyFrees(free) || b.Escapes(m.source).Has(analysis.Kept) || b.HasAddress(m.source) || b.HasAddress(m.target) || !firstUse(b, m.target, op) || !takesWhole(b, m, except) {
		return false
	}
	last := uses.in(op.Block()).Of(m.source)
	if last == nil || last.IsBefore(op) {
		return true
	}
	if last != op {
		return false
	}
	own := b.NewLastUses()
	own.Add(op, func(x *ir.Op, operand int) bool {
		if x != op {
			return accesses(x, operand)
		}
		return x.Operand(operand) != m.source && x.Operand(operand) != m.target
	})
	return own.Of(m.source) == nil
}

// firstUse tells whether nothing uses a new buffer before an operation of its block. It takes time linear in the operations between them.
func firstUse(b *analysis.Buffers, v *ir.Value, op *ir.Op) bool {
	first := true
	for x := v.DefiningOp().Next(); x != op && first; x = x.Next() {
		x.Walk(func(x *ir.Op) bool {
			for _, w := range x.Operands().Values() {
				first = first && (!ir.IsMemRef(w.Type()) || b.Query(w, v) == analysis.NeverAlias || analysis.ExistsBefore(w, v.DefiningOp()))
			}
			return first
		})
	}
	return first
}

// mostSources limits the number of values that a buffer may come from.
const mostSources = 64

// takesWhole tells whether the source of a move is, wherever it comes from but for what is excepted, all of an
// allocation, which can be aligned.
func takesWhole(b *analysis.Buffers, m copied, except *ir.Value) bool {
	seen := map[*ir.Value]bool{m.source: true}
	work := []*ir.Value{m.source}
	ok := true
	for len(work) > 0 && ok {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		ok = v.Type() == m.source.Type() && len(seen) <= mostSources
		if def := v.DefiningOp(); def != nil {
			if allocation(v) != nil {
				ok = ok && def.Is(memref.Alloc)
				continue
			}
			_, branch := interfaces.RegionBranch.Of(def)
			ok = ok && (branch || def.Is(arith.Select))
		}
		known := false
		b.Sources(v, func(from *ir.Value) {
			known = true
			if !seen[from] && from != except {
				seen[from] = true
				work = append(work, from)
			}
		})
		ok = ok && known
	}
	return ok
}

// take lets the source be the target.
func take(m copied, free *ir.Op) {
	alloc := m.target.DefiningOp()
	m.target.ReplaceAllUsesWith(m.source)
	free.Erase()
	alloc.Erase()
}

// ownFromStart lets loops that copy in each iteration what they hand on, and free it but in the first one, copy before the
// first one instead, after which they own what they hand on. It returns how many.
func ownFromStart(fn *ir.Op, calls *analysis.CallSummaries) (n int) {
	var buffers *analysis.Buffers
	var uses *blockUses
	for _, b := range blocksIn(fn) {
		for op := range b.Ops() {
			if !op.Is(scf.For) && !op.Is(scf.While) {
				continue
			}
			for k := range carriedIn(op) {
				x := handedCopy(op, k)
				if x == nil {
					continue
				}
				if buffers == nil {
					buffers = analysis.NewBuffers(fn, analysis.BufferOptions{Calls: calls})
					uses = newBlockUses(buffers, accesses)
				}
				if x.startsAsItIs(buffers) && mayTake(uses, x.copy, x.copied, x.free, x.start()) {
					x.own()
					buffers = nil
					n++
				}
			}
		}
	}
	return n
}

// borrowed is a buffer that a loop hands on, and copies in each iteration.
type borrowed struct {
	carried
	copied
	copy *ir.Op
	free *ir.Op // on the condition
	// owned is true from the second iteration on.
	owned *carried
}

// handedCopy returns what is known about such a buffer; nil if it isn't one.
func handedCopy(loop *ir.Op, k int) *borrowed {
	c := carriedAt(loop, k)
	if c == nil || !ir.IsMemRef(c.old.Type()) {
		return nil
	}
	x := &borrowed{carried: *c}
	for u := c.old.FirstUse(); u != nil && x.copy == nil; u = u.Next() {
		if op := u.Owner(); op.Block() == c.block {
			for _, m := range rewritten(op) {
				if _, isCopy := copyOf(op); isCopy && m.source == c.old && m.target.DefiningOp().NumOperands() == 0 {
					x.copy, x.copied = op, m
				}
			}
		}
	}
	if x.copy == nil {
		return nil
	}
	for op := x.copy.Next(); op != nil; op = op.Next() {
		if !op.Is(scf.If) || op.NumResults() > 0 || !onlyFreesIn(op, c.old) {
			continue
		}
		for j := range carriedIn(loop) {
			if o := carriedAt(loop, j); o != nil && o.old == (scf.IfOp{Op: op}).Condition() && o.usedOnce() && ir.IsConstantBool(o.next, true) && ir.IsConstantBool(o.start(), false) {
				x.free, x.owned = op, o
				return x
			}
		}
	}
	return nil
}

// startsAsItIs tells whether nothing in the loop writes what it starts with, such that a copy before the loop is the same; and
// nothing else does later, or writes the result, if the loop may end before it has copied: then that is what it starts with.
func (x *borrowed) startsAsItIs(b *analysis.Buffers) bool {
	writes := func(op *ir.Op, operand int) bool {
		_, branch := interfaces.RegionBranch.Of(op)
		return !branch && changes(op, operand)
	}
	uses := b.NewLastUses()
	uses.Add(x.loop, func(op *ir.Op, operand int) bool { return !x.free.IsAncestorOf(op) && writes(op, operand) })
	if uses.Of(x.start()) != nil {
		return false
	}
	if x.loop.Is(scf.While) && x.block == (scf.WhileOp{Op: x.loop}).Before() {
		return true
	}
	once := x.loop.Parent().Has(ir.TraitIsolatedFromAbove) && x.loop.Region().NumBlocks() == 1
	ok := true
	b.Terminals(x.loop.Result(x.result), func(t *ir.Value) {
		b.Uses(t, func(u *ir.Use) {
			op := u.Owner()
			in := x.loop.Block().AncestorIn(op)
			if before := once && in != nil && in.IsBefore(x.loop); !before && in != x.loop && writes(op, u.Index()) && !analysis.MayFree(op, u.Index()) {
				ok = false
			}
		})
	})
	return ok
}

// own copies the buffer before the loop instead.
func (x *borrowed) own() {
	b := ir.NewBuilder(x.loop.Context())
	b.Loc = x.copy.Loc()
	b.SetBefore(x.loop)
	alloc := x.target.DefiningOp()
	first := memref.NewAlloc(b, x.target.Type().(*ir.MemRefType), nil, 0)
	if a := alloc.Attr(memref.AlignmentAttr); a != nil {
		first.DefiningOp().SetAttr(memref.AlignmentAttr, a)
	}
	memref.NewCopy(b, x.start(), first)
	m, _ := interfaces.LoopLike.Of(x.loop)
	x.loop.SetOperand(initsOf(m, x.loop)+x.k, first)
	then := x.free.RegionAt(0).Entry()
	then.First().MoveBefore(x.free)
	x.free.Erase()
	if r := x.owned.result; r >= 0 {
		b.SetBefore(x.loop)
		x.loop.Result(r).ReplaceAllUsesWith(arith.ConstantBool(b, true))
	}
}
