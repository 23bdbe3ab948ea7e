package placement

import (
	"math"
	"math/bits"
	"slices"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
)

// PromoteOptions say which buffers are small.
type PromoteOptions struct {
	// MaxBytes is the largest size of a buffer of static shape.
	MaxBytes uint32
	// MaxRank is the largest rank of a buffer of dynamic shape all of whose sizes are ranks of other buffers.
	MaxRank uint32
}

// Promote replaces the small allocations of a function by allocations on the stack, and returns how many it replaced: of
// buffers that are never freed, and don't leave the automatic allocation scope that they are in (the operation with the
// trait around them), also not in functions that are called (see [Hoist] for calls). It takes time in the size of the program and the depth of regions.
//
// It is MLIR's promote-buffers-to-stack, but that knows frees by the allocation's own name only, and no addresses.
func Promote(fn *ir.Op, o PromoteOptions, calls *analysis.CallSummaries) int {
	var allocs []allocation
	for _, a := range allocationsIn(fn) {
		if a.frees == 0 && o.small(a) && scope(a.buffer.ParentRegion()) != nil {
			allocs = append(allocs, a)
		}
	}
	if len(allocs) == 0 {
		return 0
	}
	buffers := analysis.NewBuffers(fn, analysis.BufferOptions{Calls: calls})
	freed := freedByOtherNames(buffers, calls)
	later := usedLater(buffers, calls)
	depth := depths{}
	left := depthLeft(buffers, depth)
	promoted := 0
	b := ir.NewBuilder(fn.Context())
	for _, a := range allocs {
		s := scope(a.buffer.ParentRegion())
		if left.Of(a.buffer) <= depth.of(s) || freed.Of(a.buffer) || stays(buffers, a.buffer, later) {
			continue
		}
		op := a.op()
		b.SetBefore(op)
		b.Loc = op.Loc()
		stack := a.model.BuildPromoted(b, op)
		if stack == nil {
			continue
		}
		for _, attr := range op.DiscardableAttrs() {
			stack.SetDiscardableAttr(attr.Name, attr.Value)
		}
		a.buffer.ReplaceAllUsesWith(stack.Result(0))
		op.Erase()
		promoted++
	}
	return promoted
}

// scope returns the region at whose end what is allocated on the stack in region r is freed; nil if there is none, or r is
// executed several times until then, or it isn't known how often.
func scope(r *ir.Region) *ir.Region {
	for ; r != nil && r.Op() != nil; r = r.Op().Region() {
		op := r.Op()
		if op.Has(ir.TraitAutomaticAllocationScope) {
			return r
		}
		if known, loop := passesControl(op); !known || loop {
			return nil
		}
	}
	return nil
}

// depths knows how many regions are around regions.
type depths map[*ir.Region]int32

func (d depths) of(r *ir.Region) int32 {
	if r == nil || r.Op() == nil {
		return 0
	}
	n, ok := d[r]
	if !ok {
		n = d.of(r.Op().Region()) + 1
		d[r] = n
	}
	return n
}

// depthLeft returns, for each buffer, how deep the outermost region is that a terminator passes it out of, by any of its
// names.
func depthLeft(b *analysis.Buffers, d depths) *analysis.Summaries[int32] {
	return analysis.Summarize(b, nil, func(v *ir.Value) int32 {
		least := int32(math.MaxInt32)
		for u := v.FirstUse(); u != nil; u = u.Next() {
			if op := u.Owner(); interfaces.IsRegionTerminator(op) {
				least = min(least, d.of(op.Region()))
			}
		}
		return least
	}, func(x, y int32) int32 { return min(x, y) })
}

// small tells whether a buffer may be on the stack as far as its size goes.
func (o PromoteOptions) small(a allocation) bool {
	t, ok := a.buffer.Type().(*ir.MemRefType)
	if !ok {
		return false
	}
	if ir.NumDynamic(t.Shape) > 0 {
		return len(t.Shape) <= int(min(o.MaxRank, math.MaxInt32)) && !slices.ContainsFunc(a.op().Operands().Values(), func(v *ir.Value) bool { return v.DefinedBy(memref.Rank) == nil })
	}
	n, ok := ir.NumElements(t.Shape)
	size := bitsOf(t.Elem)
	if !ok || size == 0 {
		return false
	}
	over, total := bits.Mul64(uint64(n), uint64(size))
	return over == 0 && total <= uint64(o.MaxBytes)*8
}

// bitsOf returns how many bits an element takes by itself, without padding; 0 if that isn't known.
func bitsOf(t ir.Type) int64 {
	switch t := t.(type) {
	case *ir.IntegerType:
		return int64(t.Width)
	case *ir.FloatType:
		return int64(t.Width)
	case *ir.IndexType:
		return 64
	case *ir.ComplexType:
		return 2 * 8 * bytesOf(t.Elem)
	case *ir.VectorType:
		if slices.Contains(t.Scalable, true) {
			return 0
		}
		n, ok := ir.NumElements(t.Shape)
		if !ok {
			return 0
		}
		last := int64(1)
		if len(t.Shape) > 0 {
			last = t.Shape[len(t.Shape)-1]
		}
		// The innermost dimension takes as much as the next power of two.
		return n / last * int64(1<<bits.Len64(uint64(last-1))) * 8 * bytesOf(t.Elem)
	}
	return 0
}

func bytesOf(t ir.Type) int64 { return (bitsOf(t) + 7) / 8 }
