package hlo

import (
	"slices"

	"freehold/dialect/deallocation"
	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/rewrite"
	"freehold/pass"
)

// ReuseOptions says which transformations the pass hlo-buffer-reuse makes, and counts what
// they did.
type ReuseOptions struct {
	CopyElision, Reuse, Hoisting, DoubleBuffering, LoopSimplification, Promotion bool
	// DoubleBufferingBefore also swaps buffers in the first region of a loop that has two.
	DoubleBufferingBefore bool

	Copies, Reused, Hoisted, Swapped, LoopDeallocs, Promoted, Dropped pass.Counter
}

// choose takes the transformations over that others choose.
func (o *ReuseOptions) choose(from *ReuseOptions) {
	o.CopyElision, o.Reuse, o.Hoisting, o.DoubleBuffering = from.CopyElision, from.Reuse, from.Hoisting, from.DoubleBuffering
	o.LoopSimplification, o.Promotion, o.DoubleBufferingBefore = from.LoopSimplification, from.Promotion, from.DoubleBufferingBefore
}

// maxPromoted is how many elements a block may have on the stack.
const maxPromoted = 4096

// run is the pass hlo-buffer-reuse. It expects owners as hlo-deallocate inserts them,
// and works on buffers of static shapes that memref.alloc makes and memref.dealloc frees.
// Each round is near-linear; a round moves buffers out of one region operation at most.
func (r *reuser) run(fn *ir.Op) {
	r.fn = fn
	o := r.ReuseOptions
	if o.CopyElision {
		r.inBlocks(r.elideCopies)
	}
	for changed := true; changed; {
		r.cleanUp.Apply(fn)
		changed = o.Reuse && r.inBlocks(func(b *ir.Block) bool { return r.reuseIn(b, false) })
		changed = o.Hoisting && r.inBlocks(r.hoistFrom) ||
			o.DoubleBuffering && r.inBlocks(r.doubleBuffer) ||
			o.LoopSimplification && r.simplifyLoops() || changed
	}
	if o.Reuse {
		r.inBlocks(func(b *ir.Block) bool { return r.reuseIn(b, true) })
	}
	if o.Promotion {
		r.inBlocks(r.dropUnused)
		r.inBlocks(r.promote)
	}
	r.cleanUp.Apply(fn)
}

// reuser transforms one function after another.
type reuser struct {
	*ReuseOptions
	fn *ir.Op
	b  *ir.Builder
	// cleanUp folds operations and erases those that are dead.
	cleanUp *rewrite.Worker
}

// inBlocks calls fn for each block in the function, inner ones first, and tells whether it
// returned true for any.
func (r *reuser) inBlocks(fn func(b *ir.Block) bool) bool {
	changed := false
	var visit func(op *ir.Op)
	visit = func(op *ir.Op) {
		for _, reg := range op.Regions() {
			for b := range reg.Blocks() {
				// fn may replace operations with regions, but not their successors.
				for o := b.First(); o != nil; {
					next := o.Next()
					visit(o)
					o = next
				}
				changed = fn(b) || changed
			}
		}
	}
	visit(r.fn)
	return changed
}

// staticAlloc returns the type of what an operation allocates, if it is a memref.alloc of
// a static shape.
func staticAlloc(op *ir.Op) (*ir.MemRefType, bool) {
	if op == nil || !op.Is(memref.Alloc) || op.NumOperands() > 0 {
		return nil, false
	}
	t, ok := op.Result(0).Type().(*ir.MemRefType)
	return t, ok && ir.IsStaticShape(t.Shape)
}

// staticDealloc returns the type of what an operation frees, if it is a memref.dealloc of
// a static shape.
func staticDealloc(op *ir.Op) (*ir.MemRefType, bool) {
	if !op.Is(memref.Dealloc) {
		return nil, false
	}
	t, ok := memref.DeallocOp{Op: op}.MemRef().Type().(*ir.MemRefType)
	return t, ok && ir.IsStaticShape(t.Shape)
}

// deallocIn returns the only memref.dealloc of a buffer, if it is in the block.
func deallocIn(v *ir.Value, b *ir.Block) (found *ir.Op) {
	for u := v.FirstUse(); u != nil; u = u.Next() {
		if u.Owner().Is(memref.Dealloc) {
			if found != nil || u.Owner().Block() != b {
				return nil
			}
			found = u.Owner()
		}
	}
	return found
}

// alignment returns the alignment that an allocation demands.
func alignment(alloc *ir.Op) int64 {
	n, _ := memref.AllocOp{Op: alloc}.Alignment()
	return n
}

// aligned tells whether a buffer that is freed has the alignment that an allocation
// demands: it is known of allocations, and otherwise if all buffers that the function owns
// have it.
func (r *reuser) aligned(freed *ir.Value, alloc *ir.Op) bool {
	want := alignment(alloc)
	if want == 0 {
		return true
	}
	if def := freed.DefiningOp(); def != nil && def.Is(memref.Alloc) {
		return alignment(def) >= want
	}
	all := true
	r.fn.Walk(func(op *ir.Op) bool {
		switch {
		case op.Is(memref.Alloc):
			all = all && (op.Result(0).Type() != freed.Type() || alignment(op) >= want)
		case op.Is(deallocation.Own):
			def := deallocation.OwnOp{Op: op}.MemRef().DefiningOp()
			all = all && (deallocation.OwnOp{Op: op}.MemRef().Type() != freed.Type() || def != nil && def.Is(memref.Alloc))
		}
		return all
	})
	return all
}

// reuseIn makes each allocation in a block use the buffer of its type that was freed first
// before it in the block. Unless across is set, no operation lies between the two in whose
// regions a buffer of the type is allocated: what is freed could be of use there.
func (r *reuser) reuseIn(b *ir.Block, across bool) bool {
	changed := false
	free := map[*ir.MemRefType][]*ir.Op{}
	for op := b.First(); op != nil; {
		next := op.Next()
		if t, ok := staticDealloc(op); ok {
			free[t] = append(free[t], op)
		} else if t, ok := staticAlloc(op); ok {
			if i := slices.IndexFunc(free[t], func(d *ir.Op) bool { return r.aligned(memref.DeallocOp{Op: d}.MemRef(), op) }); i >= 0 {
				r.take(op, free[t][i])
				free[t] = slices.Delete(free[t], i, i+1)
				changed = true
			}
		} else if !across && op.NumRegions() > 0 && len(free) > 0 {
			op.Walk(func(o *ir.Op) bool {
				if o.Is(memref.Alloc) {
					delete(free, o.Result(0).Type().(*ir.MemRefType))
				}
				return true
			})
		}
		op = next
	}
	return changed
}

// take makes an allocation use the buffer that an operation frees.
func (r *reuser) take(alloc, dealloc *ir.Op) {
	alloc.Result(0).ReplaceAllUsesWith(memref.DeallocOp{Op: dealloc}.MemRef())
	alloc.Erase()
	dealloc.Erase()
	r.Reused.Add(1)
}

// dropUnused erases allocations that are freed by the next operation.
func (r *reuser) dropUnused(b *ir.Block) bool {
	changed := false
	for op := b.First(); op != nil; {
		next := op.Next()
		if _, ok := staticAlloc(op); ok && next != nil && next.Is(memref.Dealloc) && (memref.DeallocOp{Op: next}).MemRef() == op.Result(0) && op.Result(0).HasOneUse() {
			after := next.Next()
			next.Erase()
			op.Erase()
			r.Dropped.Add(1)
			changed, next = true, after
		}
		op = next
	}
	return changed
}

// promote moves small buffers to the stack that a block allocates and frees.
func (r *reuser) promote(b *ir.Block) bool {
	if b.Region().NumBlocks() > 1 || growsStack(b) {
		return false
	}
	changed := false
	left := int64(maxPromoted)
	for op := b.First(); op != nil; {
		next := op.Next()
		t, ok := staticAlloc(op)
		n, fits := int64(0), false
		if ok {
			n, fits = ir.NumElements(t.Shape)
		}
		if fits && n <= left {
			if d := deallocIn(op.Result(0), b); d != nil {
				left -= n
				if d == next {
					next = d.Next()
				}
				r.toStack(op, t, d)
				changed = true
			}
		}
		op = next
	}
	return changed
}

func (r *reuser) toStack(alloc *ir.Op, t *ir.MemRefType, dealloc *ir.Op) {
	dealloc.Erase()
	for _, u := range alloc.Result(0).Uses() {
		if own := u.Owner(); own.Is(deallocation.Own) {
			r.b.SetBefore(own)
			own.ReplaceAllUsesWith([]*ir.Value{deallocation.NewNull(r.b)})
			own.Erase()
		}
	}
	r.b.SetBefore(alloc)
	r.b.Loc = alloc.Loc()
	alloc.ReplaceAllUsesWith([]*ir.Value{memref.NewAlloca(r.b, t, nil, alignment(alloc))})
	alloc.Erase()
	r.Promoted.Add(1)
}

// growsStack tells whether a block may be executed again and again before its memory on
// the stack is released.
func growsStack(b *ir.Block) bool {
	for op := b.ParentOp(); op != nil && !op.Has(ir.TraitAutomaticAllocationScope); op = op.Parent() {
		if _, ok := HoistableRegions.Of(op); !ok || repeats(op) {
			return true
		}
	}
	return false
}
