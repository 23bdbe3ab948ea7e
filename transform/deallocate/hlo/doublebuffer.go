package hlo

import (
	"freehold/dialect/memref"
	"freehold/ir"
)

// CarriedBuffers is implemented by loops to which a buffer can be added that each iteration
// hands to the next. CarryBuffer replaces the loop by one that starts with init; build is
// given what stands for the buffer in region number region, and returns, in the scope of
// the region's terminator, what it hands on. The other region, if there is one, passes the
// buffer through. It returns the new loop, whose last result is the buffer.
var CarriedBuffers = ir.NewInterface[carrier]("CarriedBuffers")

type carrier = func(b *ir.Builder, loop *ir.Op, region int, init *ir.Value, build func(arg *ir.Value) *ir.Value) *ir.Op

// doubleBuffer lets the loops in a block swap buffers: where an iteration allocates one and
// frees one of the same type, the latter becomes the former of the next iteration.
func (r *reuser) doubleBuffer(b *ir.Block) bool {
	changed := false
	for op := b.First(); op != nil; op = op.Next() {
		carry, ok := CarriedBuffers.Of(op)
		if !ok {
			continue
		}
		swaps := make([][]swap, op.NumRegions())
		for i := range swaps {
			if (i == op.NumRegions()-1 || r.DoubleBufferingBefore) && op.RegionAt(i).NumBlocks() == 1 {
				swaps[i] = r.swapsIn(op.BodyBlock(i))
			}
		}
		for i, list := range swaps {
			for _, s := range list {
				op = r.carry(op, i, carry, s)
				changed = true
			}
		}
	}
	return changed
}

// swap is a pair of operations in a block: what the one frees in an iteration can be what the other
// allocates in the next.
type swap struct{ alloc, dealloc *ir.Op }

// swapsIn pairs the allocations of each type in a block with the deallocations of the type, in the order of
// the block; it leaves out those where the buffer may lack the alignment that the allocation demands.
func (r *reuser) swapsIn(body *ir.Block) (swaps []swap) {
	type waiting struct{ allocs, deallocs []*ir.Op }
	of := map[*ir.MemRefType]*waiting{}
	at := func(t *ir.MemRefType) *waiting {
		if of[t] == nil {
			of[t] = &waiting{}
		}
		return of[t]
	}
	for op := range body.Ops() {
		var w *waiting
		if t, ok := staticAlloc(op); ok {
			w = at(t)
			w.allocs = append(w.allocs, op)
		} else if t, ok := staticDealloc(op); ok {
			w = at(t)
			w.deallocs = append(w.deallocs, op)
		}
		if w == nil || len(w.allocs) == 0 || len(w.deallocs) == 0 {
			continue
		}
		s := swap{w.allocs[0], w.deallocs[0]}
		w.allocs, w.deallocs = w.allocs[1:], w.deallocs[1:]
		if r.aligned(memref.DeallocOp{Op: s.dealloc}.MemRef(), s.alloc) {
			swaps = append(swaps, s)
		}
	}
	return swaps
}

// carry adds a buffer to a loop that its region number region swaps, and returns the new loop.
func (r *reuser) carry(loop *ir.Op, region int, carry carrier, s swap) *ir.Op {
	s.alloc.MoveBefore(loop)
	r.b.Loc = loop.Loc()
	loc := s.dealloc.Loc()
	loop = carry(r.b, loop, region, s.alloc.Result(0), func(arg *ir.Value) *ir.Value {
		body := arg.ArgOwner().ParentOp()
		s.alloc.Result(0).ReplaceUsesIf(arg, func(u *ir.Use) bool { return body.IsProperAncestorOf(u.Owner()) })
		freed := memref.DeallocOp{Op: s.dealloc}.MemRef()
		s.dealloc.Erase()
		return freed
	})
	r.b.SetAfter(loop)
	r.b.Loc = loc
	memref.NewDealloc(r.b, loop.Result(loop.NumResults()-1))
	r.Swapped.Add(1)
	return loop
}
