package reuse

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/shapes"
	"freehold/memory/plan"
)

// other is a buffer of static size, or what a call needs, that is no part of an arena.
type other struct {
	plan.Buffer
	// alloc is set if the buffer may be allocated earlier, to serve others before: it is
	// allocated in the function's only block, and returned.
	alloc *ir.Op
	space ir.Attribute
}

// host is a buffer that is returned, and before that serves parts that would else be in the
// arena, none of them at the same time.
type host struct {
	alloc  *ir.Op
	guests []part
}

// findHosts lets buffers that are returned be allocated with the arena, and serve some of its
// parts until they are needed themselves. Else the arena would be alive beside them. before is
// the peak without an arena.
func (f *functionPlanner) findHosts(before int64) {
	first, last := f.firstAndLast()
	if first == nil {
		return
	}
	from, to := f.range_()
	arena := func(parts []part) int64 {
		whole := plan.Buffer{Size: f.peakOf(nil, parts), Live: []plan.Interval{{Lower: from, Upper: to}}}
		return f.peakOf(append(f.otherBuffers(), whole), nil)
	}
	after := arena(f.parts)
	for i := range f.others {
		r := &f.others[i]
		if after <= before {
			return
		}
		if r.alloc == nil || r.space != f.space || r.alloc == first || r.alloc.IsBefore(first) || !r.alloc.IsBefore(last) {
			continue
		}
		guests := f.guests(r, before)
		if len(guests) == 0 {
			continue
		}
		var rest, taken []part
		for j := range f.parts {
			if slices.Contains(guests, j) {
				taken = append(taken, f.parts[j])
			} else {
				rest = append(rest, f.parts[j])
			}
		}
		live := r.Live
		r.Live = []plan.Interval{{Lower: from, Upper: live[len(live)-1].Upper}}
		if now := arena(rest); now < after {
			after = now
			f.parts = rest
			f.hosts = append(f.hosts, host{r.alloc, taken})
		} else {
			r.Live = live
		}
	}
}

// guests returns parts that are alive at different times, and before the buffer r, that fit
// into it: those with the largest sum of sizes at the times when what is alive would have to
// become less.
func (f *functionPlanner) guests(r *other, before int64) []int {
	type time struct{ at, sum int64 }
	var changes []time
	for _, x := range f.parts {
		for _, l := range x.live {
			changes = append(changes, time{l.Lower, x.size}, time{l.Upper, -x.size})
		}
	}
	slices.SortStableFunc(changes, func(a, b time) int { return cmp.Compare(a.at, b.at) })
	var critical []int64 // times from which on too much is alive, and those at which that ends
	sum := int64(0)
	for i, c := range changes {
		if sum += c.sum; i+1 < len(changes) && changes[i+1].at == c.at {
			continue
		}
		if is := sum > before-r.Size; is != (len(critical)%2 == 1) {
			critical = append(critical, c.at)
		}
	}
	type guest struct {
		part     int
		from, to int64
		weight   int64
	}
	var list []guest
	v := r.alloc.Result(0)
	t := v.Type().(*ir.MemRefType)
	start := r.Live[0].Lower
	for j, x := range f.parts {
		if x.alloc == nil || !x.alone() || x.size > r.Size || alignmentOf(x.alloc) > alignmentOf(r.alloc) {
			continue
		}
		g := guest{part: j, from: x.live[0].Lower, to: x.live[len(x.live)-1].Upper}
		if ir.ElementType(x.alloc.Result(0).Type()) != t.Elem || g.to > start {
			continue
		}
		for k := sort.Search(len(critical)/2, func(k int) bool { return critical[2*k+1] > g.from }); k < len(critical)/2 && critical[2*k] < g.to; k++ {
			g.weight += x.size
		}
		if g.weight > 0 {
			list = append(list, g)
		}
	}
	// The best set of intervals that don't meet, by the time at which they end.
	slices.SortStableFunc(list, func(a, b guest) int { return cmp.Compare(a.to, b.to) })
	best := make([]int64, len(list)+1)
	previous := make([]int, len(list))
	for i, g := range list {
		previous[i] = sort.Search(i, func(k int) bool { return list[k].to > g.from })
		best[i+1] = max(best[i], best[previous[i]]+g.weight)
	}
	var out []int
	for i := len(list); i > 0; {
		if best[i] == best[i-1] {
			i--
			continue
		}
		out = append(out, list[i-1].part)
		i = previous[i-1]
	}
	return out
}

// alignmentOf returns the alignment that an allocation asks for; 1 is that of its elements.
func alignmentOf(alloc *ir.Op) int64 {
	if a, ok := alloc.Attr(memref.AlignmentAttr).(*ir.IntegerAttr); ok {
		return a.Value
	}
	return 1
}

// align lets a buffer be aligned as another one.
func align(alloc, as *ir.Op) {
	if alignmentOf(as) > alignmentOf(alloc) {
		alloc.SetAttr(memref.AlignmentAttr, as.Attr(memref.AlignmentAttr))
	}
}

// canAlign tells whether all that a value may be is aligned as a buffer, or can be.
func canAlign(b *analysis.Buffers, v *ir.Value, as *ir.Op) bool {
	ok := true
	if asked := alignmentOf(as); asked > 1 {
		b.Terminals(v, func(t *ir.Value) {
			alloc := allocation(t)
			ok = ok && alloc != nil && (alloc.Is(memref.Alloc) || alignmentOf(alloc) >= asked)
		})
	}
	return ok
}

// alignAll aligns all that a value may be as a buffer.
func alignAll(b *analysis.Buffers, v *ir.Value, as *ir.Op) {
	if alignmentOf(as) > 1 {
		b.Terminals(v, func(t *ir.Value) { align(allocation(t), as) })
	}
}

// leastAlignment returns the alignment that all allocations of a function have.
func leastAlignment(fn *ir.Op) int64 {
	least := int64(math.MaxInt64)
	fn.Walk(func(op *ir.Op) bool {
		if op.NumResults() == 1 && allocation(op.Result(0)) != nil {
			least = min(least, alignmentOf(op))
		}
		return true
	})
	return least
}

// canHost tells whether a buffer is of static size, allocated in the function's only block,
// leaves the function only by being returned, and is alive from its allocation on.
func (f *functionPlanner) canHost(l *analysis.Lifetime) bool {
	op := l.Value.DefiningOp()
	t, ok := l.Value.Type().(*ir.MemRefType)
	return ok && op.Is(memref.Alloc) && op.Parent() == f.fn && op.NumOperands() == 0 && l.Escape == analysis.Returned && !l.Overlaps &&
		t.Layout == nil && storageOf(l.Value) > 0 && len(l.Spans) > 0
}

// rewriteHosts moves the allocations of hosts to their arena, and makes parts of them what they serve.
func (f *functionPlanner) rewriteHosts(arena *ir.Value, hosts []host) {
	b := ir.NewBuilder(f.fn.Context())
	for i := range hosts {
		h := &hosts[i]
		h.alloc.MoveAfter(arena.DefiningOp())
		v := h.alloc.Result(0)
		for j := range h.guests {
			x := &h.guests[j]
			t := x.alloc.Result(0).Type().(*ir.MemRefType)
			b.SetBefore(x.alloc)
			b.Loc = x.alloc.Loc()
			if t == v.Type() {
				f.replace(x, v)
				continue
			}
			f.replace(x, memref.NewReinterpretCast(b, t, v, contiguous(t.Shape)))
		}
	}
}

// otherBuffers returns what is alive in the memory space beside the arena.
func (f *functionPlanner) otherBuffers() []plan.Buffer { return f.othersIn(f.space) }

// othersIn returns what is alive in a memory space beside arenas that callers bring.
func (f *functionPlanner) othersIn(space ir.Attribute) []plan.Buffer {
	return buffersIn(f.others, space)
}

// contiguous returns the slice of what is in row-major order from the start of a buffer.
func contiguous(shape []int64) shapes.Slice {
	s := shapes.Slice{Offsets: []shapes.OpFoldResult{shapes.ConstSize(0)}}
	stride := int64(1)
	for _, n := range slices.Backward(shape) {
		s.Sizes = append(s.Sizes, shapes.ConstSize(n))
		s.Strides = append(s.Strides, shapes.ConstSize(stride))
		stride *= n
	}
	slices.Reverse(s.Sizes)
	slices.Reverse(s.Strides)
	return s
}
