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

// rotateLoops lets loops that allocate a buffer in each iteration, and free the one of the iteration before, use two
// buffers in turn, unless the function would need more memory at a time then. It returns how many.
func rotateLoops(fn *ir.Op, calls *analysis.CallSummaries) int {
	return eachRotation(fn, calls, func(x *rotation, r *rotating) bool {
		if x.alloc.NumOperands() > 0 || !r.pressure.rotate(x, r.known(analysis.ViewBase(x.start()))) {
			return false
		}
		alignAll(r.buffers, x.old, x.alloc)
		results := x.loop.Results().Values()
		x.rewrite()
		for i, v := range results {
			r.names[x.loop.Result(i)] = v
		}
		return true
	})
}

// serveInLoops lets loops that allocate a buffer in each iteration, when the one of the iteration before isn't needed
// any more, use that one again, unless the function would need more memory at a time then. It returns how many.
func serveInLoops(fn *ir.Op, calls *analysis.CallSummaries) int {
	return eachRotation(fn, calls, func(x *rotation, r *rotating) bool {
		if !x.servesItself(r) {
			return false
		}
		alignAll(r.buffers, x.old, x.alloc)
		x.serve()
		return true
	})
}

// rotating is what is known of a function while loops that have nothing to do with each other change.
type rotating struct {
	buffers  *analysis.Buffers
	pressure *pressure // in which what candidates hand on counts by names
	// names maps results of loops that were replaced to those that the analysis knows.
	names map[*ir.Value]*ir.Value
	uses  *blockUses
	// frees are the operands by which operations in loops may free buffers.
	frees map[*ir.Op][]*ir.Use
}

// freesIn returns those in a loop that didn't change.
func (r *rotating) freesIn(loop *ir.Op) []*ir.Use {
	frees, ok := r.frees[loop]
	if ok {
		return frees
	}
	loop.Walk(func(op *ir.Op) bool {
		for i := range op.NumOperands() {
			if analysis.MayFree(op, i) {
				frees = append(frees, op.OperandUse(i))
			}
		}
		return true
	})
	r.frees[loop] = frees
	return frees
}

// known returns what the analysis knows a value as.
func (r *rotating) known(v *ir.Value) *ir.Value {
	if w, ok := r.names[v]; ok {
		return w
	}
	return v
}

// newRotating analyzes a function of which some loops may change.
func newRotating(fn *ir.Op, calls *analysis.CallSummaries, candidates []place) *rotating {
	r := &rotating{buffers: analysis.NewBuffers(fn, analysis.BufferOptions{Calls: calls}), names: map[*ir.Value]*ir.Value{}, frees: map[*ir.Op][]*ir.Use{}}
	r.uses = newBlockUses(r.buffers, nil)
	r.pressure = newPressure(fn, r.buffers)
	in := map[*ir.Value]bool{}
	for _, c := range candidates {
		x := rotationOf(c.loop, c.k)
		in[x.alloc.Result(0)] = true
		if start := x.start(); !in[start] {
			in[start] = true
			r.buffers.Terminals(start, func(t *ir.Value) { in[t] = true })
		}
	}
	r.pressure.countNames(in)
	return r
}

// place is where a loop hands on a buffer.
type place struct {
	loop *ir.Op
	k    int
}

// eachRotation calls do for each buffer that a loop hands on and that only one operation frees, and returns how
// often it changed something. All loops that aren't in each other are decided on one analysis.
func eachRotation(fn *ir.Op, calls *analysis.CallSummaries, do func(x *rotation, r *rotating) bool) (n int) {
	tried := map[*ir.Value]bool{}
	for {
		candidates := rotationsIn(fn, tried)
		if len(candidates) == 0 {
			return n
		}
		r := newRotating(fn, calls, candidates)
		changed, around := map[*ir.Op]bool{}, map[*ir.Op]bool{} // loops, and what is around these
		before := n
		for _, c := range candidates {
			if changed[c.loop] || around[c.loop] || slices.ContainsFunc(ancestors(c.loop), func(op *ir.Op) bool { return changed[op] }) {
				continue // later
			}
			x := rotationOf(c.loop, c.k)
			if x == nil || tried[x.alloc.Result(0)] {
				continue
			}
			tried[x.alloc.Result(0)] = true
			if x.isOnlyFree(r) && do(x, r) {
				n++
				changed[c.loop], changed[x.loop] = true, true
				for _, op := range ancestors(x.loop) {
					around[op] = true
				}
			}
		}
		if n == before {
			return n
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

// ancestors lists the operations around one.
func ancestors(op *ir.Op) (out []*ir.Op) {
	for op = op.Parent(); op != nil; op = op.Parent() {
		out = append(out, op)
	}
	return out
}

// rotationsIn lists the buffers that may rotate, other than those that were tried.
func rotationsIn(fn *ir.Op, tried map[*ir.Value]bool) (out []place) {
	for _, b := range blocksIn(fn) {
		for op := range b.Ops() {
			if !op.Is(scf.For) && !op.Is(scf.While) {
				continue
			}
			for k := range carriedIn(op) {
				if x := rotationOf(op, k); x != nil && !tried[x.alloc.Result(0)] {
					out = append(out, place{op, k})
				}
			}
		}
	}
	return out
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
	x.free = firstFree(c.block, arg)
	switch {
	case x.free == nil:
		return nil
	case frees(x.free, arg):
		return x
	}
	o := carriedAs(loop, memref.DeallocOp{Op: x.free}.MemRef())
	if o == nil || !o.usedOnce() || !ir.IsConstantBool(o.next, true) {
		return nil
	}
	x.owned = o
	if init := o.start(); !ir.IsConstantBool(init, true) && !(ir.IsConstantBool(init, false) && x.findInit()) {
		return nil
	}
	return x
}

// firstFree returns the first operation of a block that frees a buffer, maybe on a condition; nil if there is none. It takes time linear in
// the uses of the buffer.
func firstFree(block *ir.Block, v *ir.Value) (first *ir.Op) {
	look := func(name *ir.Value) {
		for u := name.FirstUse(); u != nil; u = u.Next() {
			op := block.AncestorIn(u.Owner())
			if op == nil || first != nil && !op.IsBefore(first) {
				continue
			}
			if frees(op, v) || op.Is(scf.If) && op.NumResults() == 0 && onlyFreesIn(op, v) {
				first = op
			}
		}
	}
	look(v)
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if u.Owner().Is(memref.ExtractStridedMetadata) {
			look(u.Owner().Result(0))
		}
	}
	return first
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
	return op.Is(memref.Dealloc) && baseOf(memref.DeallocOp{Op: op}.MemRef()) == v
}

// baseOf returns the buffer that a value is the base of.
func baseOf(v *ir.Value) *ir.Value {
	if def := v.DefiningOp(); def != nil && def.Is(memref.ExtractStridedMetadata) && v.Index() == 0 {
		return memref.ExtractStridedMetadataOp{Op: def}.Source()
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
				if first, _ := interfaces.LoopLike.Of(op); name != v || u.Index() != initsOf(first, op)+x.k {
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

func initsOf(m interfaces.LoopModel, op *ir.Op) int {
	start, _ := m.Inits(op)
	return start
}

// isOnlyFree tells whether nothing else in the loop may free what it hands on, and that doesn't leave in ways that
// can't be seen, and can be aligned as what the loop allocates.
func (x *rotation) isOnlyFree(r *rotating) bool {
	b := r.buffers
	ok := !b.Escapes(x.alloc.Result(0)).Has(analysis.Kept) && canAlign(b, x.old, x.alloc)
	for _, v := range x.args {
		ok = ok && !b.Escapes(v).Has(analysis.Kept)
	}
	for _, u := range r.freesIn(x.loop) {
		if !ok {
			return false
		}
		ok = x.free.IsAncestorOf(u.Owner()) || b.Query(r.known(u.Value()), x.old) == analysis.NeverAlias
	}
	return ok
}

// servesItself tells whether the buffer of the iteration before can be the new one: nothing uses it after that is
// allocated, and to keep it until then needs no more memory.
func (x *rotation) servesItself(r *rotating) bool {
	if x.owned != nil {
		return false
	}
	// Other frees are of other buffers.
	if last := r.uses.in(x.block).Of(x.old); last != nil && !last.IsBefore(x.alloc) || x.alloc.NumOperands() > 0 && !x.keepsNoMore() {
		return false
	}
	p := r.pressure
	more := sized{p.sizes[x.alloc.Result(0)], []analysis.Span{{Lower: p.begin(x.block.First()), Upper: p.begin(x.alloc)}}}
	return p.change(more, map[*ir.Value]int64{x.old: 0})
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
	x.loop = loop
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

// rotate tells whether a loop that uses two buffers in turn needs no more memory, and notes that it does; start is what it starts from.
func (p *pressure) rotate(x *rotation, start *ir.Value) bool {
	begin, end := p.times.Of(x.loop)
	// What it starts from is the loop's from there on, and need not be told apart later.
	until := map[*ir.Value]int64{start: begin, x.alloc.Result(0): 0}
	for _, v := range x.args {
		until[v] = 0
	}
	// What the loop returns is one of both.
	return p.change(sized{p.sizes[x.alloc.Result(0)], []analysis.Span{{Lower: begin, Upper: end - 1}, {Lower: begin, Upper: end + 1}}}, until)
}
