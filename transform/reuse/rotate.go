package reuse

import (
	"slices"

	"freehold/dialect/arith"
	"freehold/dialect/memref"
	"freehold/dialect/scf"
	"freehold/iface"
	"freehold/ir"
	"freehold/ir/analysis"
)

// rotateLoops lets loops that allocate a buffer in each iteration, and free the one of the iteration before, use two
// buffers in turn, unless the function would need more memory at a time then. It returns how many.
func rotateLoops(fn *ir.Op, calls *analysis.CallSummaries) int {
	return eachRotation(fn, calls, func(x *rotation, buffers *analysis.Buffers) bool {
		if x.alloc.NumOperands() > 0 || !newPressure(fn, buffers).rotate(x, buffers) {
			return false
		}
		alignAll(buffers, x.old, x.alloc)
		x.rewrite()
		return true
	})
}

// serveInLoops lets loops that allocate a buffer in each iteration, when the one of the iteration before isn't needed
// any more, use that one again, unless the function would need more memory at a time then. It returns how many.
func serveInLoops(fn *ir.Op, calls *analysis.CallSummaries) int {
	return eachRotation(fn, calls, func(x *rotation, buffers *analysis.Buffers) bool {
		if !x.servesItself(fn, buffers) {
			return false
		}
		alignAll(buffers, x.old, x.alloc)
		x.serve()
		return true
	})
}

// eachRotation calls do for each buffer that a loop hands on and that only one operation frees, and returns how
// often it changed something.
func eachRotation(fn *ir.Op, calls *analysis.CallSummaries, do func(x *rotation, buffers *analysis.Buffers) bool) (n int) {
	tried := map[*ir.Value]bool{}
	var buffers *analysis.Buffers // nil if something changed
	for {
		x := nextRotation(fn, tried)
		if x == nil {
			return n
		}
		tried[x.alloc.Result(0)] = true
		if buffers == nil {
			buffers = analysis.NewBuffers(fn, analysis.BufferOptions{Calls: calls})
		}
		if x.isOnlyFree(buffers) && do(x, buffers) {
			n++
			buffers = nil
		}
	}
}

// rotation is a buffer that a loop hands on from iteration to iteration.
type rotation struct {
	carried
	alloc *ir.Op // makes that of the next iteration
	free  *ir.Op // in the same block, frees that of the one before, maybe on a condition
	// owned is the condition, which is true from the second iteration on, if there is one.
	owned *carried
	// init is the buffer of the first iteration, if the condition is false in that; cleanup frees it after the loop.
	init    *ir.Op
	cleanup []*ir.Op
}

// nextRotation returns a buffer that may rotate, other than those that were tried; nil if there is none.
func nextRotation(fn *ir.Op, tried map[*ir.Value]bool) *rotation {
	for _, b := range blocksIn(fn) {
		for op := range b.Ops() {
			if !op.Is(scf.For) && !op.Is(scf.While) {
				continue
			}
			for k := range carriedIn(op) {
				if x := rotationOf(op, k); x != nil && !tried[x.alloc.Result(0)] {
					return x
				}
			}
		}
	}
	return nil
}

// rotationOf returns what is known about a buffer that a loop hands on; nil if it can't rotate.
func rotationOf(loop *ir.Op, k int) *rotation {
	c := carriedAt(loop, k)
	if c == nil {
		return nil
	}
	x := &rotation{carried: *c, alloc: allocation(c.next)}
	arg := c.old
	if x.alloc == nil || !x.alloc.Is(memref.Alloc) || x.alloc.Block() != c.block || c.next.Type() != arg.Type() || !x.sameSizes() {
		return nil
	}
	for u := c.next.FirstUse(); u != nil; u = u.Next() {
		if u.Owner() == c.block.Last() && u.Index() != c.at {
			return nil
		}
	}
	for op := range c.block.Ops() {
		if frees(op, arg) {
			x.free = op
			return x
		}
		if op.Is(scf.If) && op.NumResults() == 0 && onlyFreesIn(op, arg) {
			for j := range carriedIn(loop) {
				if o := carriedAt(loop, j); o != nil && o.old == op.Operand(0) && o.usedOnce() && ir.IsConstantBool(o.next, true) {
					x.free, x.owned = op, o
				}
			}
			if x.free == nil {
				return nil
			}
			if init := x.owned.start(); !ir.IsConstantBool(init, true) && !(ir.IsConstantBool(init, false) && x.findInit()) {
				return nil
			}
			return x
		}
	}
	return nil
}

// sameSizes tells whether the buffers of all iterations have the same sizes.
func (x *rotation) sameSizes() bool {
	if x.alloc.NumOperands() == 0 {
		return true
	}
	init := allocation(x.start())
	return init != nil && init.Is(memref.Alloc) && init.Result(0).Type() == x.next.Type() && slices.Equal(init.Operands().Values(), x.alloc.Operands().Values())
}

// keepsNoMore tells whether the buffer of the iteration before may be kept, whatever its size is, from where it is freed until
// the next one is allocated.
func (x *rotation) keepsNoMore() bool {
	b, from := newBalance(), -1
	for op := x.block.First(); op != x.alloc; op = op.Next() {
		b.add(op)
		if op == x.free {
			from = len(b.changes)
		}
	}
	return from < 0 || b.mayKeepFrom(from)
}

// frees tells whether an operation frees a buffer and does nothing else.
func frees(op *ir.Op, v *ir.Value) bool {
	return op.Is(memref.Dealloc) && baseOf(op.Operand(0)) == v
}

// baseOf returns the buffer that a value is the base of.
func baseOf(v *ir.Value) *ir.Value {
	if def := v.DefiningOp(); def != nil && def.Is(memref.ExtractStridedMetadata) && v.Index() == 0 {
		return def.Operand(0)
	}
	return v
}

// onlyFreesIn tells whether an operation frees a buffer on a condition, and does nothing else.
func onlyFreesIn(op *ir.Op, v *ir.Value) bool {
	then := op.RegionAt(0).Entry()
	return frees(then.First(), v) && then.First().Next() == then.Last() && (op.RegionAt(1).Empty() || op.RegionAt(1).Entry().First() == op.RegionAt(1).Entry().Last())
}

// findInit finds the buffer of the first iteration, if it is only used before the loop, and what frees it later.
func (x *rotation) findInit() bool {
	v := x.start()
	x.init = allocation(v)
	if x.init == nil || !x.init.Is(memref.Alloc) || x.init.NumOperands() > 0 || x.init.Block() != x.loop.Block() {
		return false
	}
	names := []*ir.Value{v}
	for len(names) > 0 {
		name := names[len(names)-1]
		names = names[:len(names)-1]
		for u := name.FirstUse(); u != nil; u = u.Next() {
			op := u.Owner()
			user := x.loop.Block().AncestorIn(op)
			switch {
			case user == nil:
				return false
			case op == x.loop:
				if first, _ := iface.LoopLike.Of(op); name != v || u.Index() != initsOf(first, op)+x.k {
					return false
				}
			case user.IsBefore(x.loop):
				if isPureView(u) {
					names = append(names, op.Result(0))
				} else if hasMemRefResults(op) && !op.Is(memref.ExtractStridedMetadata) || analysis.MayFree(op, u.Index()) {
					return false
				}
			case frees(user, v):
				x.cleanup = append(x.cleanup, user)
			case user.Is(scf.If) && user.NumResults() == 0 && onlyFreesIn(user, v):
				x.cleanup = append(x.cleanup, user)
			case op.Is(memref.ExtractStridedMetadata), op.Is(memref.ExtractAlignedPointerAsIndex):
				// For cleaning up: what uses the base is a free, and what uses the address compares it.
				for _, r := range op.Results().Values() {
					for u := r.FirstUse(); u != nil; u = u.Next() {
						if in := x.loop.Block().AncestorIn(u.Owner()); !u.Owner().Is(arith.CmpI) && (in == nil || !frees(in, v) && !(in.Is(scf.If) && in.NumResults() == 0 && onlyFreesIn(in, v))) {
							return false
						} else if !u.Owner().Is(arith.CmpI) {
							x.cleanup = append(x.cleanup, in)
						}
					}
				}
			default:
				return false
			}
		}
	}
	return len(x.cleanup) > 0
}

func initsOf(m iface.LoopModel, op *ir.Op) int {
	start, _ := m.Inits(op)
	return start
}

// isOnlyFree tells whether nothing else in the loop may free what it hands on, and that doesn't leave in ways that
// can't be seen, and can be aligned as what the loop allocates.
func (x *rotation) isOnlyFree(b *analysis.Buffers) bool {
	ok := !b.Escapes(x.alloc.Result(0)).Has(analysis.Kept) && canAlign(b, x.old, x.alloc)
	for _, v := range x.args {
		ok = ok && !b.Escapes(v).Has(analysis.Kept)
	}
	x.loop.Walk(func(op *ir.Op) bool {
		if op == x.free {
			return false
		}
		for i := range op.NumOperands() {
			ok = ok && !(analysis.MayFree(op, i) && b.Query(op.Operand(i), x.old) != analysis.NeverAlias)
		}
		return ok
	})
	return ok
}

// servesItself tells whether the buffer of the iteration before can be the new one: nothing uses it after that is
// allocated, and to keep it until then needs no more memory.
func (x *rotation) servesItself(fn *ir.Op, b *analysis.Buffers) bool {
	if x.owned != nil {
		return false
	}
	uses := b.NewLastUses()
	for op := range x.block.Ops() {
		if op != x.free && !(op.Is(memref.ExtractStridedMetadata) && baseOf(x.free.Operand(0)) == op.Operand(0)) {
			uses.Add(op, nil)
		}
	}
	if last := uses.Of(x.old); last != nil && !last.IsBefore(x.alloc) || x.alloc.NumOperands() > 0 && !x.keepsNoMore() {
		return false
	}
	p := newPressure(fn, b)
	p.countNames(x, b)
	before, size := p.most[1], p.sizes[x.alloc.Result(0)]
	p.addSize(size, []analysis.Span{{Lower: p.begin(x.block.First()), Upper: p.begin(x.alloc)}}, 1)
	for i := range p.alive.Holders {
		if h := &p.alive.Holders[i]; h.Value == x.old {
			p.addSize(size, h.Spans, -1)
		}
	}
	return p.most[1] <= before
}

// serve lets the buffer of the iteration before be the new one.
func (x *rotation) serve() {
	x.free.Erase()
	x.alloc.Result(0).ReplaceAllUsesWith(x.old)
	x.alloc.Erase()
}

// rewrite lets the buffers rotate.
func (x *rotation) rewrite() {
	b := ir.NewBuilder(x.loop.Context())
	b.Loc = x.alloc.Loc()
	x.alloc.MoveBefore(x.loop)
	x.free.Erase()
	loop := x.addSpare(b, x.alloc.Result(0))
	b.SetAfter(loop)
	memref.NewDealloc(b, loop.Result(loop.NumResults()-1))
	if x.owned == nil {
		return
	}
	for _, op := range x.cleanup {
		if op.Block() != nil {
			op.Erase()
		}
	}
	if r := x.owned.result; r >= 0 {
		b.SetBefore(loop)
		loop.Result(r).ReplaceAllUsesWith(arith.ConstantBool(b, true))
	}
}

// countNames counts the buffers that a loop hands on by the names that may be one of them: each is one buffer at a time.
func (p *pressure) countNames(x *rotation, b *analysis.Buffers) {
	in := map[*ir.Value]bool{x.alloc.Result(0): true}
	b.Terminals(x.start(), func(t *ir.Value) { in[t] = true })
	held := analysis.Held(p.alive, func(i int) bool { return in[p.alive.Buffers[i].Value] }, func(x, y bool) bool { return x || y })
	for v := range in {
		p.add(v, p.spans[v], -1)
	}
	for i := range p.alive.Holders {
		if held[i] {
			p.addSize(p.sizes[x.alloc.Result(0)], p.alive.Holders[i].Spans, 1)
		}
	}
}

// rotate tells whether a loop that uses two buffers in turn needs no more memory.
func (p *pressure) rotate(x *rotation, b *analysis.Buffers) bool {
	size := p.sizes[x.alloc.Result(0)]
	p.countNames(x, b)
	before := p.most[1]
	begin, end := p.times.Of(x.loop)
	for i := range p.alive.Holders {
		switch h := &p.alive.Holders[i]; {
		case h.Value == x.alloc.Result(0) || slices.Contains(x.args, h.Value):
			p.addSize(size, h.Spans, -1)
		case h.Value == analysis.ViewBase(x.start()):
			// It is the loop's from there on, and need not be told apart later.
			for _, s := range h.Spans {
				if s.Lower = max(s.Lower, begin); s.Lower < s.Upper {
					p.addSize(size, []analysis.Span{s}, -1)
				}
			}
		}
	}
	// What the loop returns is one of both.
	p.addSize(size, []analysis.Span{{Lower: begin, Upper: end - 1}, {Lower: begin, Upper: end + 1}}, 1)
	return p.most[1] <= before
}
