package reuse

import (
	"cmp"
	"context"
	"slices"

	"freehold/dialect/memref"
	"freehold/ir"
	"freehold/ir/interfaces"
	"freehold/memory/plan"
	"freehold/transform/memory/work"
)

// transfer is a copy of a buffer in a cheaper memory, for operations of a block that read it, none of which, nor any between them, may write it.
//
// What it saves is known at compile time, as for the scratch-pad memories of S. Udayakumaran and R. Barua (2003): the bytes that are read, times what each costs less there, minus what it takes to read the buffer
// once where it is and to write it there.
type transfer struct {
	source      *ir.Value
	first, last *ir.Op // of the block
	uses        []*ir.Use
	reads       int64 // bytes, each time the block is executed
	rounds      int64 // how often it is
}

// saves returns what a transfer saves, where each byte costs so much.
func (m *transfer) saves(size, from, to int64) int64 {
	gain := times(m.reads, from-to) - times(size, from+to)
	if gain <= 0 {
		return 0
	}
	return times(gain, m.rounds)
}

// findTransfers returns the transfers that there may be, of arguments, globals and parts of a type without a layout. Linear in the operations between reads of each buffer.
func (f *functionPlanner) findTransfers() (out []*transfer) {
	in := func(v *ir.Value) {
		if t, ok := v.Type().(*ir.MemRefType); ok && t.Layout == nil && storageOf(v) > 0 && !memref.IsArena(v) {
			out = append(out, f.transfersOf(v)...)
		}
	}
	for _, v := range f.fn.BodyBlock(0).Args() {
		in(v)
	}
	f.fn.Walk(func(op *ir.Op) bool {
		if op.NumResults() == 1 && interfaces.GlobalBuffer.Has(op) {
			in(op.Result(0))
		}
		return op == f.fn || !interfaces.Function.Has(op)
	})
	for i := range f.parts {
		if x := &f.parts[i]; x.alloc != nil {
			in(x.alloc.Result(0))
		}
	}
	return out
}

// transfersOf returns the longest runs of operations of the block where a buffer appears that read it, with nothing that may write it between them.
func (f *functionPlanner) transfersOf(v *ir.Value) (out []*transfer) {
	block := v.ParentBlock()
	if !f.isSequential(block) {
		return nil
	}
	readers := map[*ir.Op][]*ir.Use{}
	blocked := map[*ir.Op]bool{}
	var order []*ir.Op
	for u := v.FirstUse(); u != nil; u = u.Next() {
		op := block.AncestorIn(u.Owner())
		if op == nil {
			continue
		}
		if len(readers[op]) == 0 && !blocked[op] {
			order = append(order, op)
		}
		if readsOnly(u) {
			readers[op] = append(readers[op], u)
		} else {
			blocked[op] = true
		}
	}
	slices.SortFunc(order, ir.ComparePlaces)
	rounds := int64(1)
	for op := block.ParentOp(); op != nil && op != f.fn; op = op.Parent() {
		if interfaces.LoopLike.Has(op) {
			rounds = times(rounds, work.Trips(op))
		}
	}
	var now *transfer
	for _, op := range order {
		if blocked[op] || f.mayWrite(op, v) {
			now = nil
			continue
		}
		if now != nil {
			for x := now.last.Next(); x != nil && x != op && now != nil; x = x.Next() {
				if f.mayWrite(x, v) {
					now = nil
				}
			}
		}
		if now == nil {
			now = &transfer{source: v, first: op, rounds: rounds}
			out = append(out, now)
		}
		now.last = op
		for _, u := range readers[op] {
			now.uses = append(now.uses, u)
			now.reads = min(now.reads+readBytes(u, op), mostBytes)
		}
	}
	return out
}

// isSequential tells whether executions of a block don't overlap in time.
func (f *functionPlanner) isSequential(b *ir.Block) bool {
	for op := b.ParentOp(); op != nil && op != f.fn; op = op.Parent() {
		if !interfaces.RegionBranch.Has(op) || op.Has(ir.TraitParallelRegion) {
			return false
		}
	}
	return true
}

// readBytes returns how many bytes a use reads each time an operation around it is executed.
func readBytes(u *ir.Use, around *ir.Op) int64 {
	n := bytesOfUse(u)
	for op := u.Owner(); op != around; {
		if op = op.Parent(); interfaces.LoopLike.Has(op) {
			n = times(n, work.Trips(op))
		}
	}
	return n
}

// readsOnly tells whether an operation reads elements by an operand, and does nothing else with it.
func readsOnly(u *ir.Use) bool {
	op := u.Owner()
	if op.Has(ir.TraitTerminator) || interfaces.Call.Has(op) || op.NumResults() > 0 && slices.ContainsFunc(op.Results().Types(), ir.IsMemRef) {
		return false
	}
	effects, known := interfaces.EffectsOf(op)
	reads := false
	for _, e := range effects {
		if e.Value(op) == u.Value() {
			if e.Kind != interfaces.Read {
				return false
			}
			reads = true
		}
	}
	return known && reads
}

// mayWrite tells whether an operation, or what is in it, may write the buffer that a value is, or free it.
func (f *functionPlanner) mayWrite(op *ir.Op, v *ir.Value) (may bool) {
	if f.isConstant(v) {
		return false
	}
	op.Walk(func(x *ir.Op) bool {
		effects, known := interfaces.EffectsOf(x)
		may = may || !known && !x.Has(ir.TraitTerminator)
		for _, e := range effects {
			if e.Kind == interfaces.Read || e.Kind == interfaces.Allocate {
				continue
			}
			w := e.Value(x)
			may = may || w == nil || !ir.IsMemRef(w.Type()) || !f.apart(v, w)
		}
		return !may
	})
	return may
}

// isConstant tells whether a value is a constant global.
func (f *functionPlanner) isConstant(v *ir.Value) bool {
	op := v.DefiningOp()
	if op == nil || !interfaces.GlobalBuffer.Has(op) {
		return false
	}
	m, _ := interfaces.GlobalBuffer.Of(op)
	global := f.tables.Lookup(op, m(op))
	return global != nil && global.Is(memref.Global) && memref.GlobalOp{Op: global}.IsConstant()
}

// apart tells whether two values are known to be different buffers: each is one that is known, and one of them was made by the function and is only reached by names that are known.
func (f *functionPlanner) apart(v, w *ir.Value) bool {
	a, one := f.buffers.Only(v)
	b, other := f.buffers.Only(w)
	return one && other && a != b && (f.buffers.IsLocal(v) || f.buffers.IsLocal(w))
}

// mostTransfers bounds how many transfers are tried.
const mostTransfers = 100

// addTransfers adds those transfers to the parts for which a cheaper memory than that of their buffer has room beside what is in it, those first that save most. Memories have the capacities
// that there are for arenas. Parts have got their memories.
func (f *functionPlanner) addTransfers(memories []plan.Memory, c closeness) {
	type candidate struct {
		*transfer
		size, saves int64
		to          int
	}
	var all []candidate
	for _, m := range f.findTransfers() {
		size := storageOf(m.source)
		from := f.memoryOf(ir.MemorySpaceOf(m.source.Type()))
		for k := range memories {
			if from >= 0 && size <= memories[k].Capacity {
				if saves := m.saves(size, memories[from].Cost, memories[k].Cost); saves > 0 {
					all = append(all, candidate{m, size, saves, k})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(x, y candidate) int { return cmp.Compare(y.saves, x.saves) })
	done := map[*transfer]bool{}
	for _, x := range all[:min(len(all), mostTransfers)] {
		if !done[x.transfer] && f.addTransfer(x.transfer, x.size, x.to, memories, c) {
			done[x.transfer] = true
		}
	}
}

// addTransfer adds a transfer to the parts if a memory has room for it.
func (f *functionPlanner) addTransfer(m *transfer, size int64, to int, memories []plan.Memory, c closeness) bool {
	space := f.options.Memories[to].SpaceAttr(f.fn.Context())
	from, _ := f.times.Of(m.first)
	_, end := f.times.Of(m.last)
	x := part{transfer: m, space: space, size: size, alignment: f.alignmentOfTransfer(m), live: []plan.Interval{{Lower: from, Upper: end + 1}}}
	parts, at := f.parts, f.space
	f.parts = append(slices.DeleteFunc(slices.Clone(parts), func(y part) bool { return y.space != space }), x)
	f.space = space
	p := f.problem(f.alignments(c)).Problem
	f.parts, f.space = parts, at
	p.Capacity = memories[to].Capacity
	if p.Capacity == 0 || plan.LowerBound(p).Bytes > p.Capacity {
		return false
	}
	s, err := plan.Solve(context.Background(), p, plan.Options{NodeLimit: 1000, Threads: 1})
	if err != nil {
		return false
	}
	f.parts = append(slices.Clip(parts), x)
	f.assigned[space] = &assigned{offsets: s.Offsets, peak: s.Peak, closeness: c}
	return true
}

// alignmentOfTransfer returns the alignment of the copy of a buffer: that of other buffers, or of the buffer's allocation if that is more.
func (f *functionPlanner) alignmentOfTransfer(m *transfer) int64 {
	n := max(f.options.Alignment, ir.StorageAlignment(ir.ElementType(m.source.Type())))
	if op := m.source.DefiningOp(); op != nil && op.Is(memref.Alloc) {
		n = max(n, alignmentOf(op))
	}
	return n
}

// carryOut copies a buffer to a part of an arena before it is read there, unless an operation doesn't take that.
func (m *transfer) carryOut(b *ir.Builder, view func(t *ir.MemRefType) *ir.Value, space ir.Attribute) *ir.Value {
	source := m.uses[0].Value()
	t := source.Type().(*ir.MemRefType)
	b.SetBefore(m.first)
	b.Loc = m.first.Loc()
	v := view(b.Context().MemRefOf(t.Shape, t.Elem, nil, space))
	valid := true
	for _, u := range m.uses {
		u.Set(v)
		valid = valid && ir.VerifyOp(u.Owner()) == nil
	}
	if !valid {
		for _, u := range m.uses {
			u.Set(source)
		}
		return v
	}
	memref.NewCopy(b, source, v)
	return v
}
