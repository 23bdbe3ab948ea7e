package reuse

import (
	"slices"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/analysis"
	"freehold/ir/interfaces"
	"freehold/memory/footprint"
	"freehold/memory/plan"
)

// part is what becomes a part of an arena: a buffer, or what a call needs.
type part struct {
	alloc *ir.Op // nil for what a call needs, and for a transfer
	freed *freed // by which it goes
	call  *ir.Op
	// transfer is set if it is for a copy of a buffer.
	transfer *transfer
	space    ir.Attribute
	// size is in bytes; of what is dynamic, it stands in for others.
	size      int64
	alignment int64
	live      []plan.Interval
	stack     bool
	// bytes is what a dynamic buffer takes, and sizes are its dynamic sizes, when the function begins; nil if it is static.
	bytes *ir.Value
	sizes []*ir.Value
	// position is that of what a call needs, among all that it needs.
	position int
}

// freed are buffers that go together: each shares a free with another one, and so on.
type freed struct {
	frees   []*ir.Op
	buffers int
	stays   bool // a free may free what can't become a part, or does more
}

// alone tells whether no free is that of another part, too.
func (x *part) alone() bool { return x.freed != nil && x.freed.buffers == 1 }

// find lists what can be planned, and what is alive beside it, from scratch.
func (f *functionPlanner) find(alive *analysis.Alive, canPlan func(v *ir.Value, l *analysis.Lifetime) bool) {
	f.parts, f.others = nil, nil
	known := analysis.Summarize(f.buffers, nil, f.isPlain, func(x, y bool) bool { return x && y })
	candidates := map[*ir.Value]bool{}
	for _, alloc := range f.sequential {
		v := alloc.Result(0)
		if l := f.lifetimes[v]; l != nil && canPlan(v, l) && known.Of(v) {
			candidates[v] = true
		}
	}
	// What may free something else as well must stay, with all that it may free.
	byGroup := map[int]*freed{}
	group := func(v *ir.Value) *freed {
		g, ok := f.groups.Of(v)
		if !ok {
			return nil
		}
		x := byGroup[g]
		if x == nil {
			x = &freed{}
			byGroup[g] = x
		}
		return x
	}
	for _, op := range f.frees {
		for i := range op.NumOperands() {
			if g := group(op.Operand(i)); g != nil && analysis.MayFree(op, i) {
				g.frees = append(g.frees, op)
				g.stays = g.stays || !op.Is(memref.Dealloc) || !f.buffers.IsLocal(op.Operand(i))
			}
		}
	}
	for i := range alive.Buffers {
		if g := group(alive.Buffers[i].Value); g != nil {
			g.buffers++
			g.stays = g.stays || !candidates[alive.Buffers[i].Value]
		}
	}
	for i := range alive.Buffers {
		l := &alive.Buffers[i]
		v := l.Value
		live := intervals(l.Spans)
		g := group(v)
		if !candidates[v] || g.stays {
			if n := bytesOf(v); n < unknownBytes && (!l.Overlaps || l.Leaked || l.Escape.Has(analysis.Kept)) {
				x := other{Buffer: plan.Buffer{Size: n, Live: live}, space: v.Type().(*ir.MemRefType).Space}
				if f.canHost(l) {
					x.alloc = v.DefiningOp()
				}
				f.others = append(f.others, x)
			}
			continue
		}
		x := part{alloc: v.DefiningOp(), freed: g, space: v.Type().(*ir.MemRefType).Space, size: storageOf(v), live: live}
		x.alignment = max(f.options.Alignment, ir.StorageAlignment(ir.ElementType(v.Type())))
		if a := alignmentOf(x.alloc); a > 1 {
			x.alignment = max(a, ir.StorageAlignment(ir.ElementType(v.Type())))
		}
		if x.size == 0 {
			x.sizes, x.bytes = f.entry.sizes(x.alloc), f.dynamicBytes(v, l)
			x.size = f.entry.standsFor(x.bytes)
		}
		// What shares a free with others goes where these go.
		x.stack = x.bytes == nil && x.alone() && x.size <= f.options.StackBelow && x.space == nil
		f.parts = append(f.parts, x)
	}
	f.carried(alive)
	for _, call := range f.calling {
		n := f.needs[f.callee(call)]
		begin, _ := f.times.Of(call)
		live := []plan.Interval{{Lower: begin, Upper: begin + 1}}
		if n == nil {
			continue
		}
		for _, x := range n.others {
			f.others = append(f.others, other{Buffer: plan.Buffer{Size: x.bytes, Live: live}, space: x.space})
		}
		for i, a := range n.arenas {
			x := part{call: call, space: a.space, size: a.size, alignment: a.alignment, live: live, position: i}
			if a.sizeFunction != nil {
				if x.bytes = f.entry.called(a.sizeFunction, call); x.bytes == nil || f.entry.standsFor(x.bytes) >= largestPart || !f.mayReserve(call, x.bytes) {
					f.alone = append(f.alone, x)
					continue
				}
				x.size = f.entry.standsFor(x.bytes)
			}
			f.parts = append(f.parts, x)
		}
	}
}

// carried adds the buffers of which a loop may hold several: as often as there are values that may be one of them.
func (f *functionPlanner) carried(alive *analysis.Alive) {
	most := analysis.Held(alive, func(i int) int64 {
		if l := &alive.Buffers[i]; l.Overlaps && bytesOf(l.Value) < unknownBytes {
			return bytesOf(l.Value)
		}
		return 0
	}, func(x, y int64) int64 { return max(x, y) })
	for i, n := range most {
		if h := &alive.Holders[i]; n > 0 {
			f.others = append(f.others, other{Buffer: plan.Buffer{Size: n, Live: intervals(h.Spans)}, space: ir.MemorySpaceOf(h.Value.Type())})
		}
	}
}

func intervals(spans []analysis.Span) []plan.Interval {
	out := make([]plan.Interval, len(spans))
	for i, s := range spans {
		out[i] = plan.Interval{Lower: s.Lower, Upper: s.Upper}
	}
	return out
}

// canPlan tells whether a buffer can become a part of an arena, if its names are plain and its frees can go.
func (f *functionPlanner) canPlan(v *ir.Value, l *analysis.Lifetime) bool {
	return f.mayMove(v.Type().(*ir.MemRefType), l) && storageOf(v) > 0
}

// mayMove tells whether a buffer can have another place, and go without frees.
func (f *functionPlanner) mayMove(t *ir.MemRefType, l *analysis.Lifetime) bool {
	return l.Escape == 0 && !l.Leaked && !l.Overlaps && t.Layout == nil && f.inSpace(t.Space)
}

// isPlain tells whether a name is a buffer that only operations use, by that name, that can use a part of an arena.
func (f *functionPlanner) isPlain(name *ir.Value) bool {
	if !ir.IsMemRef(name.Type()) {
		return false
	}
	for u := name.FirstUse(); u != nil; u = u.Next() {
		op := u.Owner()
		if f.storesAddress(op) {
			return false // what is freed may be decided by it
		}
		m, call := interfaces.Call.Of(op)
		if !call {
			continue
		}
		for i := range op.NumOperands() {
			if f.holdsAddress(op.Operand(i)) {
				return false
			}
		}
		if callee := f.callee(op); callee == nil {
			// What has no body uses its arguments only.
			if f.calls.HasBody(op) {
				return false
			}
		} else if start, _ := m.Args(op); f.freesArgument(op, u.Index()-start) {
			return false
		}
	}
	return true
}

// storesAddress tells whether an operation writes an address to memory.
func (f *functionPlanner) storesAddress(op *ir.Op) bool {
	effects, _ := interfaces.EffectsOf(op)
	if !slices.ContainsFunc(effects, func(e interfaces.Effect) bool { return e.Kind == interfaces.Write }) {
		return false
	}
	for i := range op.NumOperands() {
		if v := op.Operand(i); !ir.IsMemRef(v.Type()) && !ir.IsTensor(v.Type()) && f.buffers.IsAddress(v) {
			return true
		}
	}
	return false
}

// holdsAddress tells whether addresses are written to a buffer.
func (f *functionPlanner) holdsAddress(v *ir.Value) bool {
	if !ir.IsMemRef(v.Type()) {
		return false
	}
	t, only := f.buffers.Only(v)
	if !only {
		return false
	}
	holds, known := f.addresses[t]
	if !known {
		f.buffers.Uses(t, func(u *ir.Use) { holds = holds || f.storesAddress(u.Owner()) })
		if f.addresses == nil {
			f.addresses = map[*ir.Value]bool{}
		}
		f.addresses[t] = holds
	}
	return holds
}

func (f *functionPlanner) inSpace(space ir.Attribute) bool {
	switch f.options.Space {
	case "":
		return true
	case "default":
		return space == nil
	}
	return space != nil && spaceName(space) == f.options.Space
}

// storageOf returns how many bytes a buffer of static size takes; 0 if that isn't known.
func storageOf(v *ir.Value) int64 {
	if isOfUnknownPadding(ir.ElementType(v.Type())) {
		return 0
	}
	if n, static := footprint.StaticSize(v.Type()); static && n < largestPart {
		return n
	}
	return 0
}

// largestPart is what no part may reach, in bytes, so that sums of sizes stay numbers.
const largestPart = 1 << 61

// isOfUnknownPadding tells whether it depends on the machine how elements of a type are padded, and aligned.
func isOfUnknownPadding(t ir.Type) bool {
	_, vector := t.(*ir.VectorType)
	return vector || ir.IsMemRef(t)
}
